// Values that are set in records that came with something else, such as an environment's copy of
// the design, beside those that design, pack and environment would give. For reviews: sends GETs
// only.
import type { Api } from '../../api/client';
import { ENCRYPTED } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { remembering } from '../session/answers';
import { snakeCase, type Field } from '../values/field';
import { formatId, parseId, pathAddress } from '../address/ids';
import { findIn, inside } from '../verbs/records';
import { addressNames, openName, scopesOf, type Address, type FoundRecord, type Kind, type Work } from '../kind';
import { kinds } from '../kinds';
import { decodeShape, sameValue, shapeAt, type Shape } from '../values/shape';
import type { Session } from '../session';
import { stateOf, type State } from '../lifecycle/state';
import { isPlainObject, UNKNOWN, valueIn } from '../values/plain';
import type { Live } from '../address/live';

/** A value that a record has, and the one it would have if nobody had set it. */
export interface SetValue {
  /** Path of the argument: `['pctScale']`, `['attributes', 'max_threads']`. */
  readonly path: readonly string[];
  readonly shape: Shape;
  readonly secret: boolean;
  readonly base: unknown;
  readonly live: unknown;
  /** Whether `base` is a value that somebody recorded, and not what the record follows. */
  readonly isRecorded: boolean;
  /** Whether the environment locks it against the next pull (service-facts §2.1.5). */
  readonly isLocked: boolean;
  /** Whether the next pull overwrites it, unlike other values of the kind. */
  readonly isFollowed: boolean;
  /** The single values of an argument that is declared value by value, with longer paths. */
  readonly parts: readonly SetValue[];
}

/** A record that came with something else, and the values in it that do not come from there. */
export interface GivenRecord {
  /** In its scope. */
  readonly kind: Kind;
  readonly id: string;
  readonly live: State;
  readonly values: readonly SetValue[];
}

interface Unreadable {
  readonly kind: Kind;
  readonly id: string;
  readonly error: OneOpsError;
}

interface SettingsBelow {
  readonly records: readonly GivenRecord[];
  readonly unreadable: readonly Unreadable[];
}

export interface RecordedValues {
  /** The one at an argument; undefined where none is. */
  at(kind: string, id: string, path: readonly string[]): { readonly value: unknown } | undefined;
  /** Ids of a kind's records that have some. */
  ids(kind: string): readonly string[];
}

/** How records are read, and what is expected of them next to what they follow. */
interface Reader {
  readonly api: Api;
  /** Remembers what was read: each GET is sent once. */
  readonly session: Session;
  /** Values that somebody recorded for arguments, in place of what the records follow. */
  readonly recorded?: RecordedValues | undefined;
}

/** The values that are set in a record and in records below it. Failures are part of the answer. */
export async function settingsBelow(how: Reader, of: Kind, id: string): Promise<SettingsBelow> {
  const { api, session } = how;
  const reader = { ...how, api: remembering(api, session.answers) };
  const own = await settled(of, id, async () => [await givenRecord(reader, of, id)]);
  const below = await allBelow(reader, of, id);
  return joined([own, below]);
}

const joined = (parts: readonly SettingsBelow[]): SettingsBelow => ({
  records: parts.flatMap(({ records }) => records),
  unreadable: parts.flatMap(({ unreadable }) => unreadable),
});

async function settled(
  kind: Kind,
  id: string,
  work: () => Promise<readonly (GivenRecord | undefined)[]>,
): Promise<SettingsBelow> {
  try {
    return { records: (await work()).filter((each) => each !== undefined), unreadable: [] };
  } catch (error) {
    if (!(error instanceof OneOpsError)) throw error;
    return { records: [], unreadable: [{ kind, id, error }] };
  }
}

/** Kinds whose records are in a kind's, and follow something else or contain such records. */
const followersIn = (of: Kind): readonly Kind[] =>
  kinds
    .flatMap(scopesOf)
    .filter(
      (scope) =>
        scope.within?.token === of.token &&
        scope.stage === of.stage &&
        scope.found !== undefined &&
        (scope.verbs.base !== undefined || followersIn(scope).length > 0),
    );

async function allBelow(reader: Reader, of: Kind, id: string): Promise<SettingsBelow> {
  const parent = parseId(of, id);
  if (parent === undefined) return joined([]);
  const parts: SettingsBelow[] = [];
  for (const kind of followersIn(of)) {
    const at = inside(of, parent.address);
    try {
      const found = await findIn(reader.api, kind, at, true);
      const ids = found.map(({ address }) => formatId(kind, parent.organization, { ...at, ...address }));
      for (const { address, number } of [...found, ...alsoRecorded(reader, kind, at, ids)]) {
        const own = formatId(kind, parent.organization, { ...at, ...address });
        const ownName = addressNames(kind).at(-1) ?? 'name';
        const numbered = { ...at, ...address, [ownName]: String(number) };
        const asked = number === undefined ? own : formatId(kind, parent.organization, numbered);
        if (kind.verbs.base !== undefined)
          parts.push(await settled(kind, own, async () => [await givenRecord(reader, kind, asked, own)]));
        parts.push(await allBelow(reader, kind, asked));
      }
    } catch (error) {
      if (!(error instanceof OneOpsError)) throw error;
      parts.push({ records: [], unreadable: [{ kind: of, id, error }] });
    }
  }
  return joined(parts);
}

/** Records with recorded values that were not found: they may have no set value. */
function alsoRecorded(
  { recorded }: Reader,
  kind: Kind,
  at: Address,
  found: readonly string[],
): readonly Pick<FoundRecord, 'address' | 'number'>[] {
  const ids = (recorded?.ids(kind.token) ?? []).filter((id) => !found.includes(id));
  return ids.flatMap((id) => {
    const address = parseId(kind, id)?.address;
    return address && Object.entries(at).every(([name, word]) => address[name] === word) ? [{ address }] : [];
  });
}

/** A record with its set values. `id`: to read it by; `own`: its own id. */
async function givenRecord(
  { api, session, recorded }: Reader,
  kind: Kind,
  id: string,
  own = id,
): Promise<GivenRecord | undefined> {
  const address = parseId(kind, id)?.address ?? {};
  const work: Work = {
    api,
    session,
    address,
    at: pathAddress(kind, api.organization, address),
    id,
    args: address,
    wire: {},
    ...(session.readCache ? { isRefresh: true } : {}),
    progress: () => undefined,
    notice: () => undefined,
  };
  const live = await kind.verbs.read(work);
  if (live === undefined) return undefined;
  const bases = await kind.verbs.base?.(work, live, Object.keys(live.wire));
  const values = valuesOf(kind, { live, bases, recorded: (path) => recorded?.at(kind.token, own, path) });
  return { kind, id: own, live: stateOf(own, address, live), values };
}

interface Compared {
  readonly live: Live;
  readonly bases: { readonly [wireName: string]: string } | undefined;
  recorded(path: readonly string[]): { readonly value: unknown } | undefined;
}

function valuesOf(of: Kind, compared: Compared): readonly SetValue[] {
  const { live, bases } = compared;
  const fields = Object.entries(of.fields).filter(
    ([, { channel, writeOnly, fixed, shape }]) =>
      channel !== 'control' && !writeOnly && !fixed && shape.type !== 'open',
  );
  const named = fields.flatMap(([argument, field]) => {
    if (live.unknown?.[snakeCase(argument)] !== undefined) return [];
    const base = bases?.[snakeCase(argument)] ?? field.base;
    // A member of a record that is not known has no value of its own either.
    return base === '' && field.channel === 'member' && ['Assembly', 'Environment'].includes(of.token)
      ? []
      : valueOf(compared, snakeCase(argument), { path: [argument], field, base }).map((value) =>
          argument === 'scale' ? { ...value, parts: partsOf(compared, value) } : value,
        );
  });
  const open = openName(of);
  if (open === undefined || bases === undefined) return named;
  const own = new Set(Object.keys(of.fields).map(snakeCase));
  const free = [...new Set([...Object.keys(live.wire), ...Object.keys(bases)])].filter((name) => !own.has(name));
  const field = of.fields[open] as Field;
  return [
    ...named,
    ...free.flatMap((name) => valueOf(compared, name, { path: [open, name], field, base: bases[name] ?? '' })),
  ];
}

function valueOf(
  compared: Compared,
  wireName: string,
  { path, field, base }: { readonly path: readonly string[]; readonly field: Field; readonly base: string },
): readonly SetValue[] {
  const { live } = compared;
  const text = live.wire[wireName] ?? '';
  const isLocked = live.owners?.[wireName] === 'manifest';
  const isFollowed = live.followed?.includes(wireName) === true;
  const isSecret = field.secret || text === ENCRYPTED || base === ENCRYPTED;
  const kept = isSecret ? undefined : compared.recorded(path);
  const found = {
    path,
    shape: field.shape,
    secret: isSecret,
    live: valueFrom(field.shape, text),
    isLocked,
    isFollowed,
    parts: [],
  };
  if (kept !== undefined)
    return sameValue(field.shape, kept.value, found.live) ? [] : [{ ...found, base: kept.value, isRecorded: true }];
  // Two secrets cannot be compared: only the lock shows one of the environment's own.
  const differs = text === base ? text === ENCRYPTED && isLocked : !isSame(field.shape, base, text);
  return differs ? [{ ...found, base: valueFrom(field.shape, base), isRecorded: false }] : [];
}

/** The values in a map of maps, as if each was an argument. A recorded value is the base. */
function partsOf(compared: Compared, whole: SetValue): readonly SetValue[] {
  const { path, shape, isRecorded } = whole;
  return Object.entries(isPlainObject(whole.live) ? whole.live : {}).flatMap(([key, values]) =>
    Object.entries(isPlainObject(values) ? values : {}).flatMap(([name, value]): readonly SetValue[] => {
      const own = { ...whole, path: [...path, key, name], shape: shapeAt(shape, [key, name]), live: value };
      const kept =
        compared.recorded(own.path) ?? (isRecorded ? { value: valueIn(whole.base, [key, name]) } : undefined);
      if (kept !== undefined && sameValue(own.shape, kept.value, value)) return [];
      const isFollowed = compared.live.followed?.includes(own.path.join('.')) === true;
      return [{ ...own, base: kept?.value, isRecorded: kept !== undefined, isFollowed }];
    }),
  );
}

const isSame = (shape: Shape, left: string, right: string): boolean =>
  shape.type !== 'open' && sameValue(shape, valueFrom(shape, left), valueFrom(shape, right));

const valueFrom = (shape: Shape, text: string): unknown => {
  if (text === '') return undefined;
  if (text === ENCRYPTED) return UNKNOWN;
  return shape.type === 'open' ? text : decodeShape(shape, text);
};

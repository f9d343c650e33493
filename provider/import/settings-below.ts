// Values that somebody set in records that came with something else, such as an environment's copy
// of the design: compared with the values that design, pack and environment give. For reviews:
// sends GETs only.
import type { Api } from '../../api/client';
import { ENCRYPTED } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { remembering } from '../session/answers';
import { snakeCase, type Field } from '../values/field';
import { formatId, parseId, pathAddress } from '../address/ids';
import { findIn } from '../verbs/records';
import { openName, type Address, type FoundRecord, type Kind, type Work } from '../kind';
import { decodeShape, sameValue, shapeAt, type Shape } from '../values/shape';
import type { Session } from '../session';
import { SILENT } from '../lifecycle/managed';
import { stateOf, type State } from '../lifecycle/state';
import { asMap, UNKNOWN, valueIn, type Texts } from '../values/plain';
import type { Live } from '../address/live';
import { recordsIn, scopesWithin } from './below';

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
  const reader = { ...how, api: remembering(how.api, how.session.answers) };
  const unreadable: Unreadable[] = [];
  const orFailure = async <T>(kind: Kind, failed: string, work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof OneOpsError)) throw error;
      unreadable.push({ kind, id: failed, error });
      return undefined;
    }
  };
  const below = await recordsIn(
    of,
    { id },
    {
      isWanted: isFollower(of.stage),
      find: async (scope, at, parent) => {
        const found = await orFailure(parent.of, parent.id, findIn(reader.api, scope, at, true));
        return found === undefined ? [] : [...found, ...alsoRecorded(reader, scope, at, found)];
      },
    },
  );
  const followers = below.filter(({ scope }) => scope.verbs.base !== undefined);
  const records: GivenRecord[] = [];
  for (const each of [{ scope: of, id }, ...followers]) {
    const record = await orFailure(each.scope, each.id, givenRecord(reader, each));
    if (record !== undefined) records.push(record);
  }
  return { records, unreadable };
}

/** Scopes of a stage whose records follow something else or contain such records. */
const isFollower =
  (stage: Kind['stage']) =>
  (scope: Kind): boolean =>
    scope.stage === stage && (scope.verbs.base !== undefined || scopesWithin(scope).some(isFollower(stage)));

/** Records with recorded values that were not found: they may have no set value. */
function alsoRecorded(
  { api, recorded }: Reader,
  kind: Kind,
  at: Address,
  found: readonly FoundRecord[],
): readonly FoundRecord[] {
  const known = found.map(({ address }) => formatId(kind, api.organization, { ...at, ...address }));
  const ids = (recorded?.ids(kind.token) ?? []).filter((id) => !known.includes(id));
  return ids.flatMap((id) => {
    const address = parseId(kind, id)?.address;
    const isThere = address && Object.entries(at).every(([name, word]) => address[name] === word);
    return isThere ? [{ address, isGiven: false }] : [];
  });
}

/** A record with its set values. `at`: the id to read it by. */
async function givenRecord(
  { api, session, recorded }: Reader,
  { scope: kind, id, at = id }: { readonly scope: Kind; readonly id: string; readonly at?: string },
): Promise<GivenRecord | undefined> {
  const address = parseId(kind, at)?.address ?? {};
  const work: Work = {
    api,
    session,
    address,
    at: pathAddress(kind, api.organization, address),
    id: at,
    args: address,
    wire: {},
    ...(session.readCache ? { isRefresh: true } : {}),
    ...SILENT,
  };
  const live = await kind.verbs.read(work);
  if (live === undefined) return undefined;
  const bases = await kind.verbs.base?.(work, live, Object.keys(live.wire));
  const values = valuesOf(kind, { live, bases, recorded: (path) => recorded?.at(kind.token, id, path) });
  return { kind, id, live: stateOf(id, address, live), values };
}

interface Compared {
  readonly live: Live;
  readonly bases: Texts | undefined;
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
  return Object.entries(asMap(whole.live)).flatMap(([key, values]) =>
    Object.entries(asMap(values)).flatMap(([name, value]): readonly SetValue[] => {
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

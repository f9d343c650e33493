// Everything below a record: for taking over an assembly or an environment whole. Sends GETs only.
import type { Api } from '../../api/client';
import { formatId, parseId } from '../address/ids';
import { LifecycleError } from '../errors';
import { type Address, addressNames, argumentFor, type Kind, scopesOf } from '../kind';
import { kinds } from '../kinds';
import { shownByPlatforms } from '../kinds/environment/pull';
import { lifecycle, type Lifecycle } from '../lifecycle';
import { newSession } from '../session';
import { remembering } from '../session/answers';
import { findIn, inside } from '../verbs/records';
import { declaredName, placeAt, type RecordPlace } from './addresses';
import { type ReadRecords, readTaken, type Taken, type TakenRecord } from './import-file';

interface Below extends RecordPlace {
  /** It came with its parent, and only its values can show that a user set something. */
  readonly onlyIfDeclared: boolean;
}

/** Which kinds are looked for; what is in records of another kind is not. */
type Wanted = (of: Kind) => boolean;

/** What a record has below it, parents first. Throws LifecycleError for kinds without children. */
export async function recordsBelow(
  api: Api,
  { of, id, at }: RecordPlace,
  isWanted: Wanted = () => true,
): Promise<readonly Below[]> {
  if (childrenOf(of).length === 0) throw new LifecycleError(`${of.token} ${id}: there is nothing below it`);
  return allBelow(api, of, { id, ...(at === undefined ? {} : { at }) }, isWanted);
}

/** The kinds whose records are found in one of a kind, each with its scope there. */
const childrenOf = (of: Kind): readonly { readonly kind: Kind; readonly scope: Kind }[] =>
  kinds
    .flatMap((kind) => scopesOf(kind).map((scope) => ({ kind, scope })))
    .filter(({ scope: { within, found } }) => within?.token === of.token && found !== undefined);

/** An id, and the one to read by, where a name may mean several records. */
type Ids = Pick<RecordPlace, 'id' | 'at'>;

/** One read after the other: a whole assembly is hundreds, and the service has other callers. */
async function allBelow(api: Api, of: Kind, ids: Ids, isWanted: Wanted): Promise<readonly Below[]> {
  const parent = parseId(of, ids.id);
  const asked = parseId(of, ids.at ?? ids.id);
  if (parent === undefined || asked === undefined) return [];
  const below: Below[] = [];
  for (const { kind, scope } of childrenOf(of).filter(({ scope }) => isWanted(scope))) {
    const askedAt = inside(of, asked.address);
    for (const { address, number, isGiven } of await findIn(api, scope, askedAt)) {
      const ownName = addressNames(scope).at(-1) ?? 'name';
      const numbered = number === undefined ? address : { ...address, [ownName]: String(number) };
      const id = formatId(scope, parent.organization, { ...inside(of, parent.address), ...address });
      const at = formatId(scope, parent.organization, { ...askedAt, ...numbered });
      const own = { id, ...(at === id ? {} : { at }) };
      const inner = await allBelow(api, scope, own, isWanted);
      below.push({ of: kind, ...own, onlyIfDeclared: isGiven && inner.length === 0 }, ...inner);
    }
  }
  return below;
}

// Everything that a record and what is in it say, for an export. Sends each GET once.

interface Surveyed {
  /** `Assembly:acme/shop` */
  readonly address: string;
  /** Which kinds are looked for below it. */
  readonly isWanted: (of: Kind) => boolean;
}

/** Reads a record and all that is in it. Throws LifecycleError when it does not exist. */
export async function survey(api: Api, { address, isWanted }: Surveyed): Promise<ReadRecords> {
  const session = newSession(kinds);
  const reading = remembering(api, session.answers);
  const life = (of: Kind): Lifecycle => lifecycle(of, () => Promise.resolve(reading), session, true);
  const place = await placeAt(address, life);
  const below = await recordsBelow(reading, place, isWanted);
  const taken: readonly Taken[] = [place, ...below].map((each) => ({ ...each, name: declaredName(each) }));
  const { records, leftOut } = await readTaken(taken, life);
  const whole: TakenRecord[] = [];
  for (const record of records) whole.push(await withShownElsewhere(reading, record));
  return { records: whole, leftOut };
}

async function withShownElsewhere(api: Api, record: TakenRecord): Promise<TakenRecord> {
  const { of, id, inputs } = record;
  const address = parseId(of, id)?.address;
  if (of.token !== 'Environment' || address === undefined) return record;
  return { ...record, inputs: { ...inputs, ...(await shownByPlatforms(api, inside(of, address), inputs)) } };
}

// The records of one kind, for `pulumi do … list`. Sends GETs only.

interface FoundByKind {
  readonly id: string;
  readonly name: string;
}

export const canBeFound = (of: Kind): boolean => scopesOf(of).some(({ found }) => found !== undefined);

/** The names by which a search is narrowed: `assembly`, `platform`. */
export const searchNames = (of: Kind): readonly string[] => [
  ...new Set(scopesOf(of).flatMap((scope) => (scope.found === undefined ? [] : addressNames(scope).slice(0, -1)))),
];

/** The records of a kind whose address has the given names. Lists are read as needed. */
export async function* recordsWithin(api: Api, of: Kind, narrowed: Address): AsyncGenerator<FoundByKind> {
  const seen = new Set<string>();
  for (const scope of scopesOf(of)) {
    const isMeant = Object.keys(narrowed).every((name) => addressNames(scope).includes(name));
    if (scope.found === undefined || !isMeant) continue;
    for await (const address of addressesOf(api, scope, narrowed)) {
      const id = formatId(scope, api.organization, address);
      if (!seen.has(id)) yield { id, name: declaredName({ of, id }) };
      seen.add(id);
    }
  }
}

async function* addressesOf(api: Api, scope: Kind, narrowed: Address): AsyncGenerator<Address> {
  for await (const at of parentsOf(api, scope, narrowed))
    for (const { address } of await findIn(api, scope, at)) {
      const whole = { ...at, ...address };
      if (Object.entries(narrowed).every(([name, value]) => whole[name] === value)) yield whole;
    }
}

/** Addresses of the records that contain those of a scope. */
async function* parentsOf(api: Api, { within }: Kind, narrowed: Address): AsyncGenerator<Address> {
  if (within === undefined) {
    yield {};
    return;
  }
  const { [argumentFor(within)]: name, ...above } = narrowed;
  const outer = Object.fromEntries(Object.entries(above).filter(([key]) => addressNames(within).includes(key)));
  if (name === undefined) {
    for await (const address of addressesOf(api, within, outer)) yield inside(within, address);
    return;
  }
  for await (const at of parentsOf(api, within, outer)) yield { ...at, [argumentFor(within)]: name };
}

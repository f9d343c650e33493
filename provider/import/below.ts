// Everything below a record: for taking over an assembly or an environment whole. Sends GETs only.
import type { Api } from '../../api/client';
import { declaredName, formatId, parseId, inside } from '../address/ids';
import { LifecycleError } from '../errors';
import { type Address, addressNames, argumentFor, type FoundRecord, type Kind, scopesOf } from '../kind';
import { kindOf, kinds } from '../kinds';
import { shownByPlatforms } from '../kinds/environment/pull';
import { lifecycle, type Lifecycle } from '../lifecycle';
import { newSession } from '../session';
import { remembering } from '../session/answers';
import { findIn } from '../verbs/records';
import { placeAt, type RecordPlace } from './addresses';
import { type ReadRecords, readTaken, type Taken, type TakenRecord } from './import-file';

/** A record that was found in another one, in its scope. */
interface InnerRecord {
  readonly scope: Kind;
  readonly id: string;
  /** The id to read it by, where its own name is that of several records. */
  readonly at?: string;
  /** Whether it came with its parent. */
  readonly isGiven: boolean;
  readonly hasRecords: boolean;
}

/** Which records in a record are looked for, and how. */
interface Search {
  readonly isWanted: (scope: Kind) => boolean;
  /** The records of a scope at the names of their parent. `id`: the one the parent is read by. */
  readonly find: (scope: Kind, at: Address, parent: { of: Kind; id: string }) => Promise<readonly FoundRecord[]>;
}

/** The records in a record, parents first. A whole assembly is hundreds: one list at a time. */
export async function recordsIn(
  of: Kind,
  { id, at = id }: Pick<RecordPlace, 'id' | 'at'>,
  search: Search,
): Promise<readonly InnerRecord[]> {
  const parent = parseId(of, id);
  const asked = parseId(of, at);
  if (parent === undefined || asked === undefined) return [];
  const records: InnerRecord[] = [];
  for (const scope of scopesWithin(of).filter(search.isWanted)) {
    const askedAt = inside(of, asked.address);
    for (const { address, number, isGiven } of await search.find(scope, askedAt, { of, id: at })) {
      const ownName = addressNames(scope).at(-1) ?? 'name';
      const numbered = number === undefined ? address : { ...address, [ownName]: String(number) };
      const own = formatId(scope, parent.organization, { ...inside(of, parent.address), ...address });
      const readBy = formatId(scope, parent.organization, { ...askedAt, ...numbered });
      const ids = { id: own, ...(readBy === own ? {} : { at: readBy }) };
      const inner = await recordsIn(scope, ids, search);
      records.push({ scope, ...ids, isGiven, hasRecords: inner.length > 0 }, ...inner);
    }
  }
  return records;
}

/** The scopes of kinds whose records are found in a record of a kind. */
export const scopesWithin = (of: Kind): readonly Kind[] =>
  kinds.flatMap(scopesOf).filter(({ within, found }) => within?.token === of.token && found !== undefined);

interface Below extends RecordPlace {
  /** It came with its parent, and only its values can show that a user set something. */
  readonly onlyIfDeclared: boolean;
}

/** The wanted records below a record, parents first. Throws LifecycleError without children. */
export async function recordsBelow(
  api: Api,
  { of, ...ids }: RecordPlace,
  isWanted: Search['isWanted'] = () => true,
): Promise<readonly Below[]> {
  if (scopesWithin(of).length === 0) throw new LifecycleError(`${of.token} ${ids.id}: there is nothing below it`);
  const found = await recordsIn(of, ids, { isWanted, find: (scope, at) => findIn(api, scope, at) });
  return found.map(({ scope, isGiven, hasRecords, ...place }) => ({
    of: kindOf(scope.token) ?? scope,
    ...place,
    onlyIfDeclared: isGiven && !hasRecords,
  }));
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
  const place = await placeAt(address, api.organization, life);
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
    for await (const at of placesIn(api, scope.within, narrowed))
      for (const { address } of await findIn(api, scope, at)) {
        const whole = { ...at, ...address };
        if (Object.entries(narrowed).some(([name, value]) => whole[name] !== value)) continue;
        const id = formatId(scope, api.organization, whole);
        if (!seen.has(id)) yield { id, name: declaredName({ of, id }) };
        seen.add(id);
      }
  }
}

/** The names that the records in a kind's records have. A kind that is narrowed is not listed. */
async function* placesIn(api: Api, of: Kind | undefined, narrowed: Address): AsyncGenerator<Address> {
  if (of === undefined) {
    yield {};
    return;
  }
  const name = narrowed[argumentFor(of)];
  for await (const at of placesIn(api, of.within, narrowed))
    for (const { address } of name === undefined ? await findIn(api, of, at) : [{ address: { name } }])
      yield inside(of, { ...at, ...address });
}

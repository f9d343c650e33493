// How a record is read: alone, or, in a refresh, from its list, which is read once (flows §7).
import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../../api/client';
import { parametersOf, routes, type Record as WireRecord, type Route } from '../../api/contract';
import { OneOpsError, orNone } from '../../api/errors';
import { type Work, type Address, type FoundRecord, type Kind, type List } from '../kind';
import { isPendingDelete } from './live';
import { readOrGone } from './presence';
import type { NeededList } from '../session/answers';
import { textAt, type Texts } from '../values/plain';

/** Where a record is read; without a list always by itself. */
export interface Readable {
  readonly read: Route;
  readonly list?: Route;
  /**
   * Whether a record of the name is the one that is meant. Where records share a name, the service
   * answers any of them, and the list is searched. Default: a name means one record.
   */
  readonly isMeant?: (record: WireRecord, work: Work) => boolean | Promise<boolean>;
}

/** The last word of a class: `User` of `catalog.oneops.1.User`. */
export const classTail = ({ ciClassName }: Pick<WireRecord, 'ciClassName'>): string =>
  ciClassName.slice(ciClassName.lastIndexOf('.') + 1);

/** Whether two records are the same one of a design and of an environment. */
export const isTwin = (one: WireRecord, other: WireRecord): boolean =>
  one.ciName === other.ciName && classTail(one) === classTail(other);

/** For records of which all have the same last word of their class. */
export const ofClass =
  (tail: string) =>
  (record: WireRecord): boolean =>
    classTail(record) === tail;

/** The address of a record by its number, which is its own whatever it is called. */
export const numberedAddress = (
  work: Pick<Work, 'at'>,
  from: Pick<Readable, 'read'>,
  { ciId }: Pick<WireRecord, 'ciId'>,
): Work['at'] => ({ ...work.at, [parametersOf(from.read.path).at(-1) as string]: String(ciId) });

/** Where a record that was read is written: by its number, where its name may mean several. */
export const addressIn = (
  work: Pick<Work, 'at'>,
  from: Pick<Readable, 'read' | 'isMeant'>,
  record: Pick<WireRecord, 'ciId'>,
): Work['at'] => (from.isMeant ? numberedAddress(work, from, record) : work.at);

/** A refresh reads what is known already, or, in a survey, everything. */
export function refreshing(work: Work, isSurvey = false): Work {
  return !work.session.readCache || (work.known === undefined && !isSurvey) ? work : { ...work, isRefresh: true };
}

/** Whether a read may be a refresh's, and not the first step of an update. */
export const mayBeRefresh = (work: Work): boolean => work.isRefresh === true || !work.session.readCache;

/**
 * A record by its path; undefined when it surely no longer exists, or its deletion waits for a
 * commit. `single`: members that the list lacks, when `wanted`.
 */
export async function readRecord(
  work: Work,
  from: Readable,
  single?: readonly string[],
  wanted?: boolean,
): Promise<WireRecord | undefined> {
  const record = await readAnyRecord(work, from, single, wanted);
  return record && isPendingDelete(record) ? undefined : record;
}

/** The same for one that is to be deleted, too. A record that its list lacks is read alone. */
export async function readAnyRecord(
  work: Work,
  from: Readable,
  single: readonly string[] = [],
  wanted = false,
): Promise<WireRecord | undefined> {
  const listed = wanted ? undefined : await listedRecord(work, from, single);
  if (listed) return listed;
  const alone = await readOrGone(work.api, work.at, () => readAlone(work, from));
  if (alone === undefined || from.isMeant === undefined || (await from.isMeant(alone, work))) return alone;
  const [meant] = await namedInList(work, from);
  return meant && readOrGone(work.api, work.at, () => readNumbered(work, from, meant));
}

const readAlone = (work: Work, from: Readable): Promise<WireRecord> =>
  work.api.call(from.read, { address: work.at }) as Promise<WireRecord>;

/** A record of a list, by itself. */
export const readNumbered = (work: Work, from: Readable, record: Pick<WireRecord, 'ciId'>): Promise<WireRecord> =>
  work.api.call(from.read, { address: numberedAddress(work, from, record) }) as Promise<WireRecord>;

/** The records of the list that have the name and are meant by it. */
async function namedInList(
  work: Work,
  { list: route, isMeant = () => true }: Readable,
): Promise<readonly WireRecord[]> {
  if (route === undefined) return [];
  const list = (await work.api.call(route, { address: work.at })) as readonly WireRecord[];
  const meant: WireRecord[] = [];
  for (const record of list)
    if (record.ciName === work.address['name'] && (await isMeant(record, work))) meant.push(record);
  return meant;
}

/** The record from its list; undefined when the list does not settle the matter. */
async function listedRecord(work: Work, from: Readable, single: readonly string[]): Promise<WireRecord | undefined> {
  if (!work.isRefresh || from.list === undefined) return undefined;
  askBeside(work, from.list);
  const { firsts } = work.session.answers;
  const look = async (): Promise<WireRecord | undefined> => {
    const [found, namesake] = (await orNone(namedInList(work, from))) ?? [];
    if (found === undefined || namesake !== undefined) return undefined;
    return (await isWhole(work, from, found, single)) ? found : undefined;
  };
  const ciId = Number(work.known?.['ciId'] ?? 0);
  if (firsts.has(formOf(from)) || ciId === 0) return look();
  // The first record of a form is compared with its single read, which is asked for at once.
  const alone = from.isMeant ? readNumbered(work, from, { ciId }) : readAlone(work, from);
  const looking = look();
  firsts.set(formOf(from), { id: work.id, ended: Promise.allSettled([alone, looking]) });
  return looking;
}

/** Records of designs are alike, and so are all others. */
const formOf = ({ read }: Readable): string => (read.path.includes('/design/') ? 'design' : 'other');

/**
 * Whether a list carries complete records: its first one is compared with its single read, once a
 * run. A failed comparison is repeated with the next record. The result holds for lists whose
 * records have the same members, attributes among them.
 */
export async function isWhole(
  work: Work,
  from: Readable,
  listed: WireRecord,
  single: readonly string[] = [],
): Promise<boolean> {
  const { proofs, firsts } = work.session.answers;
  const first = firsts.get(formOf(from));
  if (first !== undefined && first.id !== work.id) await first.ended;
  const key = from.list?.name ?? '';
  const known = proofs.get(key);
  if (known) return known;
  const shape = Object.keys(listed.ciAttributes).length > 0 ? Object.keys(listed).sort().join(' ') : key;
  const another = proofs.get(shape);
  const compare = (): Promise<boolean> => compared(work, from, listed, single);
  const proof = (another?.then((isProven) => isProven || compare()) ?? compare()).catch((error: unknown) => {
    proofs.delete(key);
    proofs.delete(shape);
    // The record's own read, which follows, shows what the trouble is.
    if (error instanceof OneOpsError) return false;
    throw error;
  });
  proofs.set(key, proof);
  proofs.set(shape, proof);
  return proof;
}

async function compared(work: Work, from: Readable, listed: WireRecord, single: readonly string[]): Promise<boolean> {
  const alone = await (from.isMeant ? readNumbered(work, from, listed) : readAlone(work, from));
  return Object.entries(alone).every(
    ([member, value]) => single.includes(member) || isDeepStrictEqual(listed[member], value),
  );
}

/** The records of a kind below one parent: `at` are the names of its address. */
export function findIn(api: Api, { found }: Kind, at: Address, mayBeSet = false): Promise<readonly FoundRecord[]> {
  if (found === undefined) return Promise.resolve([]);
  return 'search' in found ? found.search(api, at, mayBeSet) : listed(api, found.list, at);
}

async function listed(api: Api, list: List, at: Address): Promise<readonly FoundRecord[]> {
  const all = (await api.call(list.route, { address: at })) as readonly WireRecord[];
  const records = all.filter((record) => !isPendingDelete(record));
  return records
    .filter((record) => list.counts?.(record) ?? true)
    .map((record) => {
      const isShared = records.some((other) => other !== record && other.ciName === record.ciName);
      const isGiven = list.isGiven?.(record) ?? false;
      return { address: { name: record.ciName }, isGiven, ...(isShared ? { number: record.ciId } : {}) };
    });
}

// What a refresh asks ahead. The engine has few records read at a time, and those of one list keep
// others from being asked about. Where a platform has records of a kind, others of its pack, whose
// components have the same names, usually do; and where it has variables, it usually has components.

const pathOf = ({ assembly, platform }: Texts): string => `${assembly}/${platform}`;

/** Notes that a refresh reads a record of a design, and asks for lists that are needed in it. */
export function askInside(work: Work, of: Pick<Kind, 'token'>): void {
  const { at, args } = work;
  const { packs, components, lists } = work.session.answers.ahead;
  if (!work.isRefresh || at['environment'] !== undefined) return;
  if (of.token === 'Platform')
    packs.set(pathOf(at), JSON.stringify(['source', 'pack', 'version'].map((name) => textAt(args, name))));
  else if (of.token === 'Component') components.add(`${pathOf(at)}/${at['component']}`);
  else return;
  for (const list of lists.values())
    if (list.component === (of.token === 'Platform' ? undefined : at['component'])) askIn(work, list, pathOf(at));
}

/** Asks for a list that a refresh needs in a platform in others of its pack, too. */
export function askBeside(work: Work, route: Route): void {
  const { packs, lists } = work.session.answers.ahead;
  const pack = packs.get(pathOf(work.at));
  const isOf = (part: string): boolean => route.path.includes(`{${part}}`);
  if (!work.isRefresh || pack === undefined || !isOf('platform') || isOf('environment')) return;
  const component = isOf('component') ? work.at['component'] : undefined;
  const key = [route.name, component, pack].join(' ');
  if (lists.has(key)) return;
  const list = { route, pack, component };
  lists.set(key, list);
  for (const path of packs.keys()) askIn(work, list, path);
  if (route.name === routes.platformVariables.list.name) askBeside(work, routes.components.list);
}

/** Nobody waits for the answer: the run remembers it for who needs it. */
function askIn({ api, session }: Work, { route, pack, component }: NeededList, path: string): void {
  const { packs, components } = session.answers.ahead;
  const [assembly = '', platform = ''] = path.split('/');
  if (packs.get(path) !== pack || (component !== undefined && !components.has(`${path}/${component}`))) return;
  const address = { assembly, platform, ...(component === undefined ? {} : { component }) };
  orNone(api.call(route, { address })).catch(() => undefined);
}

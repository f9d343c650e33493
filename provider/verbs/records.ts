// How a record is read: by itself, or, in a refresh, out of its collection's list, which is read once for all of its records (flows §7).
// It must not know any kind.
import { isDeepStrictEqual } from 'node:util';
import type { Record as WireRecord, Route } from '../../api/contract';
import { NotFound, OneOpsError } from '../../api/errors';
import { remembering } from '../reads';
import { readOrGone } from './presence';
import type { Work } from './verbs';

/** Where a record is read; without a list always by itself. */
export interface Readable {
  readonly read: Route;
  readonly list?: Route;
}

/** Reads of what we know already share their answers; of what is to be known for the first time they do not. */
export function refreshing(work: Work): Work {
  const { reads } = work.session;
  return reads === undefined || work.known === undefined ? work : { ...work, reads, api: remembering(work.api, reads) };
}

/**
 * A record by its path, or undefined when it is gone for certain: missing in its list alone it is not, then it is looked for by itself.
 * `single` are members that its list does not carry: when they are `wanted`, the list is not asked.
 */
export async function readRecord(
  work: Work,
  from: Readable,
  single: readonly string[] = [],
  wanted = false,
): Promise<WireRecord | undefined> {
  const listed = wanted ? undefined : await listedRecord(work, from, single);
  if (listed) return listed;
  return readOrGone(work.api, work.at, () => readAlone(work, from));
}

const readAlone = (work: Work, from: Readable): Promise<WireRecord> =>
  work.api.call(from.read, { address: work.at }) as Promise<WireRecord>;

/** The record out of its list; undefined outside of a refresh, and whenever the list does not settle the matter. */
async function listedRecord(work: Work, from: Readable, single: readonly string[]): Promise<WireRecord | undefined> {
  if (work.reads === undefined || from.list === undefined) return undefined;
  try {
    const list = (await work.api.call(from.list, { address: work.at })) as readonly WireRecord[];
    const [found, namesake] = list.filter((record) => record.ciName === work.address['name']);
    if (found === undefined || namesake !== undefined) return undefined;
    return (await isWhole(work, from, found, single)) ? found : undefined;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/**
 * Whether a list carries whole records: its first one that is asked for is compared with its single read, once a run. A comparison that could
 * not be made proves nothing, and is made again with the next record.
 */
export function isWhole(
  work: Work,
  from: Readable,
  listed: WireRecord,
  single: readonly string[] = [],
): Promise<boolean> {
  const proofs = work.reads?.proofs;
  const key = from.list?.name ?? '';
  const known = proofs?.get(key);
  if (known) return known;
  const proof = compared(work, from, listed, single).catch((error: unknown) => {
    proofs?.delete(key);
    // The record's own read, which follows, tells what the trouble is.
    if (error instanceof OneOpsError) return false;
    throw error;
  });
  proofs?.set(key, proof);
  return proof;
}

async function compared(work: Work, from: Readable, listed: WireRecord, single: readonly string[]): Promise<boolean> {
  const alone = await readAlone(work, from);
  return Object.entries(alone).every(
    ([member, value]) => single.includes(member) || isDeepStrictEqual(listed[member], value),
  );
}

// The newest committed release of a design, whoever committed it, and what a stack that owns none of the design says when it is newer.
// It must not know how releases are committed or pulled.
import { routes, type Release } from '../../api/contract';
import { NotFound } from '../../api/errors';
import { mayBeRefresh } from '../verbs/records';
import type { Work } from '../model';

const PAGE = '100';

/** The newest release of a design, in any state; none when there never was one. */
export async function latestRelease(work: Work): Promise<Release | undefined> {
  try {
    return await work.api.call(routes.designReleases.latest, { address: work.at });
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** The newest committed one, given the newest in any state; what is open or was discarded is none. */
export async function newestClosed(work: Work, latest: Release | undefined): Promise<Release | undefined> {
  if (latest === undefined || latest.releaseState === 'closed') return latest;
  const ended = await work.api.call(routes.designReleases.list, { address: work.at, query: { size: PAGE } });
  return ended.find(({ releaseState }) => releaseState === 'closed');
}

/** `design release 42 by ann`. */
const nameOfRelease = ({ releaseId, commitedBy, createdBy }: Release): string =>
  `design release ${releaseId} by ${commitedBy ?? createdBy ?? 'somebody'}`;

/**
 * What is newer than a release that was taken over, for `newer`; undefined when nothing is. Asked in a refresh only: an update has its reason
 * already. Without a read cache the two cannot be distinguished.
 */
export async function newerThan(work: Work, releaseId: number): Promise<string | undefined> {
  if (!mayBeRefresh(work)) return undefined;
  const newest = await newestClosed(work, await latestRelease(work));
  return newest !== undefined && newest.releaseId > releaseId ? nameOfRelease(newest) : undefined;
}

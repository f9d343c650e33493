// Design changes that an environment has not pulled, and the user whose discard removed a pull.
import type { Release } from '../../api/contract';
import { designReleasesAfter } from './committed';
import {
  closedAfter,
  endedAfter,
  isManifest,
  newestManifest,
  newestPull,
  type Place,
  readRelease,
  setsCloudsAlone,
} from './environment-releases';
import { withoutTakenBack } from './taken-back';

/** How many releases are read for what later ones took back, at most. */
const READ = 10;

/** Committed releases of the design after `pulled`, oldest first, without those taken back. */
export async function releasesNotPulled({ api, at }: Place, pulled: number): Promise<readonly Release[]> {
  const design = { api, at: { assembly: at['assembly'] ?? '' } };
  const later = closedAfter(await designReleasesAfter(design, pulled), pulled);
  const read = await Promise.all(later.slice(-READ).map(({ releaseId }) => readRelease(design, releaseId)));
  const isLeft = ({ rfc_cis: records, rfc_relations: relations = [] }: Release): boolean =>
    records === undefined || records.length + relations.length > 0;
  return [...later.slice(0, -READ), ...withoutTakenBack('design', read).filter(isLeft)];
}

/**
 * The newest discarded pull of an environment after a release that none repeats, of a design
 * release up to `pulled`.
 */
export async function discardedPull(asking: Place, after: number, pulled: number): Promise<Release | undefined> {
  const discarded = (await endedAfter(asking, after)).filter(
    (each) => isManifest(each) && each.releaseState === 'canceled' && (each.parentReleaseId ?? 0) <= pulled,
  );
  if (discarded.length === 0) return undefined;
  const newest = await newestManifest(asking, 'open');
  const isOpenPull = newest?.releaseState === 'open' && !setsCloudsAlone(newest);
  const there = Math.max(isOpenPull ? (newest.parentReleaseId ?? 0) : 0, await newestPull(asking));
  for (const { releaseId, parentReleaseId } of discarded) {
    if ((parentReleaseId ?? 0) <= there) continue;
    const release = await readRelease(asking, releaseId);
    if (setsCloudsAlone(release)) continue;
    return (await releasesNotPulled(asking, there)).length > 0 ? release : undefined;
  }
  return undefined;
}

/** `maria discarded release 12 at 2026-11-22T03:01:09.000Z`, for people. */
export const discardedText = ({ releaseId, commitedBy, updated }: Release): string =>
  `${commitedBy ?? 'somebody'} discarded release ${releaseId}${updated ? ` at ${new Date(updated).toISOString()}` : ''}`;

export const discardedPullText = (release: Release): string =>
  `${discardedText(release)}, and with it the pull of design release ${release.parentReleaseId}`;

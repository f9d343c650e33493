// What somebody discarded of this stack's open changes: the state has them, the service does not.
import type { Release } from '../../api/contract';
import type { DeclaredRecordOf } from '../deploy/declared-records';
import { LifecycleError } from '../errors';
import { readRelease } from '../history/environment-releases';
import { discardedText } from '../history/not-pulled';
import type { Work } from '../kind';

/**
 * Throws where one of the `releases` that somebody discarded has the last change that this stack
 * made of a declared record, unless a refresh read that since.
 */
export async function refuseDiscarded(
  work: Work,
  declared: readonly DeclaredRecordOf[],
  releases: readonly Release[],
): Promise<void> {
  const { own } = work.session;
  const written = declared.filter(
    ({ memory, ciId, stamp, isReferred }) => stamp > 0 && !isReferred && (memory.isRead !== true || own.of(ciId).sent),
  );
  if (written.length === 0) return;
  for (const release of releases.filter((each) => each.releaseState === 'canceled')) {
    const { rfc_cis: records = [], rfc_relations: relations = [] } = await readRelease(work, release.releaseId);
    const changes = new Set([...records, ...relations].map(({ rfcId }) => rfcId));
    const lost = written.filter(({ stamp }) => changes.has(stamp));
    if (lost.length === 0) continue;
    throw new LifecycleError(
      `${discardedText(release)}, and with it what this stack had written: ${lost.map(({ noun, path }) => `${noun} ${path}`).join(', ')}`,
      'run pulumi up --refresh: it finds what is missing and writes it again',
    );
  }
}

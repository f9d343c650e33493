// What somebody discarded of this stack's open changes: the state has them, the service does not.
import type { Release } from '../../api/contract';
import type { DeclaredRecordOf } from '../deploy/declared-records';
import { LifecycleError } from '../errors';
import { readRelease } from '../history/environment-releases';
import type { Work } from '../kind';

/**
 * Throws where the last change of a declared record that the stack made is in a discarded one of
 * some releases. What a refresh saw, and this run did not write, is as the service has it.
 */
export async function refuseDiscarded(
  work: Work,
  declared: readonly DeclaredRecordOf[],
  releases: readonly Release[],
): Promise<void> {
  const { memory, own } = work.session;
  const written = declared.filter(
    ({ key, ciId, isReferred }) => !isReferred && (memory.of(key).isRead !== true || own.of(ciId).sent),
  );
  for (const { releaseId, commitedBy, updated } of releases.filter((each) => each.releaseState === 'canceled')) {
    const { rfc_cis: changes = [] } = await readRelease(work, releaseId);
    const lost = written.filter(({ stamp }) => changes.some(({ rfcId }) => rfcId === stamp));
    if (lost.length === 0) continue;
    throw new LifecycleError(
      `${commitedBy ?? 'somebody'} discarded release ${releaseId} at ${new Date(updated ?? 0).toISOString()}, and with it what this stack had written: ${lost.map(({ noun, path }) => `${noun} ${path}`).join(', ')}`,
      'run pulumi up --refresh: it finds what is missing and writes it again',
    );
  }
}

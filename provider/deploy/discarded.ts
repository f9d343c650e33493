// Changes of this stack that somebody discarded: the state has them, the service does not.
import type { Release } from '../../api/contract';
import { LifecycleError } from '../errors';
import { type CommittedChange, userOf } from '../history/change';
import { nounOf } from '../history/committed';
import { readRelease, writersIn } from '../history/environment-releases';
import { discardedPull, discardedPullText, discardedText } from '../history/not-pulled';
import type { Work } from '../kind';
import { memoryOfStage } from '../session';
import { declaredInEnvironment, type DeclaredRecordOf } from './declared-records';
import { environmentWork } from './others/brought';
import { releaseKnown } from './outcome';

/** Observations of a run before its commit of an environment. */
export interface BeforeCommit {
  /** The changes of others that come along. */
  readonly along: readonly CommittedChange[];
  readonly open?: Release | undefined;
}

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
    throw discarded(release, `: ${lost.map(({ noun, path }) => `${noun} ${path}`).join(', ')}`);
  }
}

const discarded = (release: Release, what = ''): LifecycleError =>
  new LifecycleError(
    `${discardedText(release)}, and with it what this stack had written${what}`,
    'run pulumi up --refresh: it finds what is missing and writes it again',
  );

/** The discarded release with a pull of this stack that the environment does not have, if any. */
export function lostPull(work: Work): Promise<Release | undefined> {
  const { isPulled } = memoryOfStage(work, 'environment');
  const pulled = isPulled === true ? Infinity : Number(environmentWork(work).known?.['pulled']) || 0;
  return discardedPull(work, releaseKnown(work), pulled);
}

/**
 * Whether a plan may be of another release than the open one; variables alone often plan nothing.
 */
const isPlanOfAnother = (planned: Release | undefined, { releaseId, rfc_cis: records = [] }: Release): boolean =>
  planned === undefined
    ? records.length === 0 || records.some((each) => nounOf(each) !== 'variable')
    : planned.parentReleaseId !== releaseId;

/**
 * Throws where somebody discarded what this run meant to commit, between its look and its commit:
 * the plan is of another release than the `open` one, or there is none for a new environment.
 */
export async function expectCommitted(
  work: Work,
  open: Release | undefined,
  planned: Release | undefined,
): Promise<void> {
  const isBorn = memoryOfStage(work, 'environment').isBorn === true;
  const isMissing = isBorn ? planned === undefined : open !== undefined && isPlanOfAnother(planned, open);
  if (!isMissing) return;
  const release = open === undefined ? await lostPull(work) : await readRelease(work, open.releaseId);
  if (release?.releaseState !== 'canceled') return;
  // Values of an environment are written to what a pull brings.
  const lost = await lostPull(work);
  if (lost !== undefined)
    throw new LifecycleError(discardedPullText(lost), 'run pulumi up again: it pulls the design again');
  await refuseDiscarded(work, declaredInEnvironment(work), [release]);
  const user = await userOf(work);
  if (writersIn(release).some(({ who }) => who === user)) throw discarded(release);
}

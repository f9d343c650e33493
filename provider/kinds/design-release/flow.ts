// DesignRelease verbs: sweep what left the file, then commit the open design release (architecture §5 step 2, flows §5).
// It must not know the engine.
import { textAt } from '../../text-at';
import { routes } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { compareMembers } from '../../members';
import { commitKey, inTurn } from '../../session';
import { act, resultOf } from '../../verbs/act';
import { readRecord } from '../../verbs/records';
import type { Live } from '../../live';
import type { Verbs, Work } from '../../model';
import { latestRelease, newerThan, newestClosed } from '../../releases/closed-release';
import { openDesign } from '../../releases/design-changes';
import { mindOthers } from '../../releases/open-changes';
import { designQueue } from '../platform/flow';
import { allMembers, plannedSweep } from '../../releases/sweep';

async function commit(work: Work): Promise<Live> {
  const known = liveAt(work, Number(work.known?.['releaseId'] ?? 0));
  const sweep = await plannedSweep(work, 'design', (members) => ({
    ...known,
    outputs: { ...known.outputs, members },
  }));
  const live = await sweep(() => commitOpen(work));
  commitsAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row }));
  return live;
}

/**
 * What leaves the design after its release, by its own deletes, is committed by whoever leaves: nobody else comes. Others' changes stop that
 * commit, which the row says.
 */
const commitsAfterDeletes: NonNullable<Verbs['unchanged']> = (session, address, workOf) => {
  session.stages.afterDeletes(commitKey('design', address), async (row) => {
    try {
      await commitOpen(await workOf(row));
    } catch (error) {
      if (!(error instanceof LifecycleError)) throw error;
      row.notice(`it left the design, but that is not committed: ${error.message}`);
    }
  });
};

/** Commits the open design release, if there is one: in its turn among the writes of the design. */
const commitOpen = (work: Work): Promise<Live> =>
  inTurn(work.session, designQueue(work), async () => {
    const latest = await latestRelease(work);
    if (latest?.releaseState !== 'open' || ownsNothing(work))
      return liveAt(work, (await newestClosed(work, latest))?.releaseId ?? 0);
    if (!(await mindOthers(work, openDesign(work)))) return close(work, latest.releaseId);
    // Whoever was waited for may have committed all of it.
    const now = await latestRelease(work);
    if (now?.releaseState === 'open') return close(work, now.releaseId);
    return liveAt(work, (await newestClosed(work, now))?.releaseId ?? 0);
  });

async function close(work: Work, releaseId: number): Promise<Live> {
  work.progress('commits the design');
  const closed = await work.api.call(routes.designReleases.commit, {
    address: { ...work.at, release: String(releaseId) },
    body: { desc: textAt(work.args, 'comment', describeCommit(work.known?.['members'], work.args['members'])) },
  });
  // Refusals of a commit are swallowed: the answer is 200 all the same (service-facts §4.5.6).
  if (closed.releaseState !== 'closed') {
    throw new LifecycleError(
      `the service did not commit release ${releaseId} of the design: it is still ${closed.releaseState}`,
      'look at the open release in the service; somebody else may be changing the same design',
    );
  }
  return liveAt(work, releaseId);
}

/** Nothing of the design is this stack's: what is open there is another user's to commit. */
const ownsNothing = (work: Work): boolean => Object.keys(allMembers(work)).length === 0;

const liveAt = (work: Work, releaseId: number): Live =>
  resultOf('release', { ciId: Number(work.known?.['ciId'] ?? 0), stamp: String(releaseId), outputs: { releaseId } });

/** `~web/deployer/motd -web/deployer/cron`: what changed, or `pulumi up` when nothing did. */
function describeCommit(before: unknown, after: unknown): string {
  const { removed, written } = compareMembers(before, after);
  const parts = [...written.map((path) => `~${path}`), ...removed.map((path) => `-${path}`)];
  if (parts.length === 0) return 'pulumi up';
  return `pulumi up: ${parts.slice(0, 20).join(' ')}${parts.length > 20 ? ` and ${parts.length - 20} more` : ''}`;
}

/** Verbs of the DesignRelease kind. */
export const designReleaseVerbs: Verbs = act({
  run: commit,
  place: (work) => readRecord({ ...work, address: { name: work.at['assembly'] ?? '' } }, routes.assemblies),
  /** Where nothing of the design is ours, a newer release is the owner's, and a difference. */
  async observe(work, assembly) {
    const known = Number(work.known?.['releaseId'] ?? 0);
    const live = { ...liveAt(work, known), ciId: assembly.ciId };
    if (work.known === undefined || !ownsNothing(work)) return live;
    return { ...live, fills: { newer: await newerThan(work, known) } };
  },
  /** With an assembly of ours everything goes immediately, and nothing is left to commit. */
  undo(work) {
    commitsAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row, args: {} }));
    return Promise.resolve();
  },
  unchanged: commitsAfterDeletes,
  plan: (olds, news) => {
    const { removed, written } = compareMembers(olds['members'], news['members']);
    const parts = [...written.map((path) => `~${path}`), ...removed.map((path) => `-${path}`)];
    const newer = textAt(olds, 'newer');
    if (parts.length === 0) return newer === '' ? undefined : `will take over ${newer}`;
    return `will commit: ${parts.join(' ')}`;
  },
});

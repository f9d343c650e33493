// DesignRelease verbs: sweep what left the file, then commit the open design release (architecture §5 step 2, flows §5).
// It must not know the engine.
import { textAt } from '../text-at';
import { routes } from '../../api/contract';
import { LifecycleError, NotFound } from '../../api/errors';
import { compareMembers } from '../members';
import { inTurn } from '../session';
import { readRecord } from '../verbs/records';
import type { Live, Verbs, Work } from '../verbs/verbs';
import { designQueue } from './platform';
import { allMembers, plannedSweep } from './sweep';

async function commit(work: Work): Promise<Live> {
  const known = liveAt(work, Number(work.known?.['releaseId'] ?? 0));
  const sweep = await plannedSweep(work, 'design', (members) => ({
    ...known,
    outputs: { ...known.outputs, members },
  }));
  return sweep(() => commitOpen(work));
}

/** Commits the open design release, if there is one. */
function commitOpen(work: Work): Promise<Live> {
  return inTurn(work.session, designQueue(work), async () => {
    const latest = await latestRelease(work);
    if (latest === undefined) return liveAt(work, 0);
    if (latest.releaseState !== 'open') return liveAt(work, latest.releaseId);
    if (Object.keys(allMembers(work)).length === 0) return newestClosed(work);
    work.progress('commits the design');
    const desc = textAt(work.args, 'comment', describeCommit(work.known?.['members'], work.args['members']));
    const closed = await work.api.call(routes.designReleases.commit, {
      address: { ...work.at, release: String(latest.releaseId) },
      body: { desc },
    });
    // Refusals of a commit are swallowed: the answer is 200 all the same (wire-facts §4.5.6).
    if (closed.releaseState !== 'closed') {
      throw new LifecycleError(
        `the service did not commit release ${latest.releaseId} of the design: it is still ${closed.releaseState}`,
        'look at the open release in the service; somebody else may be changing the same design',
      );
    }
    return liveAt(work, latest.releaseId);
  });
}

/** Nothing of the design is ours: what is open there is somebody else's to commit. */
async function newestClosed(work: Work): Promise<Live> {
  const [closed] = await work.api.call(routes.designReleases.list, { address: work.at, query: { size: '1' } });
  return liveAt(work, closed?.releaseId ?? 0);
}

async function latestRelease(work: Work) {
  try {
    return await work.api.call(routes.designReleases.latest, { address: work.at });
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

function liveAt(work: Work, releaseId: number): Live {
  return {
    ciId: Number(work.known?.['ciId'] ?? 0),
    className: 'release',
    wire: {},
    stamp: String(releaseId),
    origin: 'own',
    updated: 0,
    updatedBy: '',
    outputs: { releaseId },
  };
}

/** `~web/deployer/motd -web/deployer/cron`: what changed, or `pulumi up` when nothing did. */
function describeCommit(before: unknown, after: unknown): string {
  const { removed, written } = compareMembers(before, after);
  const parts = [...written.map((path) => `~${path}`), ...removed.map((path) => `-${path}`)];
  if (parts.length === 0) return 'pulumi up';
  return `pulumi up: ${parts.slice(0, 20).join(' ')}${parts.length > 20 ? ` and ${parts.length - 20} more` : ''}`;
}

/** Verbs of the DesignRelease kind. */
export const designReleaseVerbs: Verbs = {
  acts: true,
  create: commit,
  update: commit,
  /** Never says gone for want of a release, only for want of the assembly: gone would commit again (architecture §4). */
  async read(work) {
    const assembly = await readRecord({ ...work, address: { name: work.at['assembly'] ?? '' } }, routes.assemblies);
    return assembly && { ...liveAt(work, Number(work.known?.['releaseId'] ?? 0)), ciId: assembly.ciId };
  },
  delete: () => Promise.resolve(),
  plan: (olds, news) => {
    const { removed, written } = compareMembers(olds['members'], news['members']);
    const parts = [...written.map((path) => `~${path}`), ...removed.map((path) => `-${path}`)];
    return parts.length === 0 ? undefined : `will commit: ${parts.join(' ')}`;
  },
};

// The DesignRelease kind: commits an assembly's design once per run (architecture §5, flows §5).
import { firstOf } from '../../api/errors';
import { routes, type Release } from '../../api/contract';
import type { Live } from '../address/live';
import { refuseInAnother } from '../address/place';
import { declaredInDesign, type DeclaredRecordOf } from '../deploy/declared-records';
import { lostFromDesign } from '../deploy/losses/design-losses';
import { refuseLosses } from '../deploy/losses/loss';
import { isOutage, LifecycleError, lookAhead, orElse } from '../errors';
import { busy, control, int, leaving, noted, text, trigger, words } from '../values/field';
import { namesLeftToEngine } from '../lifecycle/leaving';
import { foreseeUpdate, refuseLostValues } from '../lifecycle/update';
import { kind, type Judgement, type Verbs, type Work } from '../kind';
import type { CommittedChange } from '../history/change';
import {
  changesOfOthers,
  designChangesSince,
  designReleases,
  newerThan,
  newestClosed,
  reaches,
  readDesignReleases,
} from '../history/committed';
import { closedAfter, FARTHEST, readRelease } from '../history/environment-releases';
import { newestOfDesign, openBeforeWrites, openDesign } from '../commit/design-changes';
import { refuseDiscarded } from '../deploy/discarded';
import { alongLine, folded, topmost } from '../deploy/others/along';
import { goingWith } from '../deploy/others/brought';
import { nameInAssembly } from '../deploy/others/taken-down';
import { keepsAssembly } from '../deploy/run-elsewhere';
import { refuseForeignChanges, refuseInPreview } from '../commit/open-changes';
import { changedPaths, isLeftUnnamed, isOwn, leavingPaths, leftTheFile, uncommittedPaths } from '../commit/own-records';
import { leavesToEngine, leftOver, sweeping } from '../commit/sweep';
import { finishDelete, inTurn, isDeclared, memoryOfCommit, memoryOfStage, stageKey } from '../session';
import { accepted, environmentsRetained, leavingIn, ownNames, recordsRetained, stampsOf } from './settled';
import { textAt, wordsAt } from '../values/plain';
import { act, resultOf } from '../verbs/act';
import { mayBeRefresh, readRecord } from '../verbs/records';
import { assembly } from './assembly';
import { designQueue } from './platform';

/** Number of the release that the last run committed; 0 before the first. */
const knownRelease = ({ known }: Work): number => Number(known?.['releaseId'] ?? 0);

/** The preview of a refusal: other people deleted or discarded something, or left something open. */
const guard = (work: Work): Promise<Judgement> =>
  lookAhead(async () => {
    // A run that wrote is no preview: its commit looks, and refuses.
    if (work.session.own.user !== undefined) return {};
    // The list of releases lacks what is open. A replacement asks before the file is known, too.
    const isKnown = memoryOfCommit(work, 'design').inputs !== undefined && !ownsNothing(work);
    const isListed = isKnown && (await work.api.dialect()) !== 'documented';
    const newest = isListed ? await newestOfDesign(work) : undefined;
    const open = newest?.releaseState === 'open' ? newest : undefined;
    const isLast = isListed && !open && (newest?.releaseId ?? 0) === knownRelease(work);
    const releases = isLast ? [] : await refuseLostDesign(work);
    const later = releases.filter(({ releaseId }) => releaseId > knownRelease(work));
    // Records that are taken over, or that a limited run leaves, are no commit.
    const isSettled = !open && later.length === 0 && changedPaths(work, 'design').length === 0;
    const settledAt = isSettled ? textAt(work.known, 'revision') : undefined;
    work.session.memory.note(stageKey('design', work.at), { open, settledAt });
    if (isLast) return {};
    const unchanged = declaredInDesign(work).filter(({ memory }) => memory.isChanged !== true);
    if (isListed) await refuseDiscarded(work, unchanged, later);
    await refuseLostValues(work, 'design', async () => {
      const newer = closedAfter(later);
      if (newer.length > FARTHEST) return undefined;
      const read = await orElse(readDesignReleases(work, newer), [], isOutage);
      return open ? [...read, open] : read;
    });
    if (open) await refuseInPreview(work, openBeforeWrites(work, foreseeUpdate));
    return goingWithLeft(work, releases);
  });

/**
 * Throws LifecycleError when other people deleted the assembly, or something declared in it. Answers
 * the releases since the last one of this stack.
 */
async function refuseLostDesign(work: Work): Promise<readonly Release[]> {
  const known = knownRelease(work);
  const [lost, releases] = await Promise.all([lostFromDesign(work, known), designReleases(work, known)]);
  // The releases of an assembly that was made again begin later.
  if (known > 0 && !reaches(releases, known)) await refuseInAnother(designRelease, work);
  await refuseLosses(work, `commit the design of ${work.id}`, lost);
  return releases;
}

/** Names, once in a run, what others put into records that left the file, since the last run. */
async function goingWithLeft(work: Work, releases: readonly Release[]): Promise<Judgement> {
  if (leftTheFile(work).length === 0) return {};
  const look = async () => goingWith(work, folded(await designChangesSince(work, knownRelease(work), releases)));
  const theirs = (await orElse(look(), [], isOutage)).filter(
    ({ action, path }) => action !== 'delete' && !isOwn(work, 'design', path),
  );
  const warning = `goes with what left the file: ${theirs.map(alongLine).join('; ')}`;
  const { named = [] } = memoryOfStage(work, 'design');
  if (theirs.length === 0 || named.includes(warning)) return {};
  work.session.memory.note(stageKey('design', work.at), { named: [...named, warning] });
  return { warning };
}

async function commit(work: Work): Promise<Live> {
  // Until the engine has deleted what left the file, it is the stack's. A limited run leaves it.
  for (const environment of work.session.isLimited() ? [] : wordsAt(work.args, 'environments'))
    work.session.memory.note(stageKey('environment', { ...work.at, environment }), { isOwned: true });
  if (work.known !== undefined) {
    const { warning } = await goingWithLeft(work, await refuseLostDesign(work));
    if (warning !== undefined) work.notice(warning);
  }
  const live = await sweeping(
    work,
    () => liveAt(work, knownRelease(work)),
    async () => commitOpen(work, !ownsNothing(work), work.known && (await designReleases(work, knownRelease(work)))),
  );
  commitsAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row }));
  const leftToEngine = namesLeftToEngine(work.args['leaving']);
  if (leftToEngine.length > 0)
    work.notice(
      `${leftToEngine.join(', ')} left the file, and may be protected: the engine decides, and environments follow with the next run`,
    );
  return isLeftUnnamed(work) || leftToEngine.length > 0 ? leftOver(work, live) : live;
}

/** What leaves the design later is committed then, unless others have open changes. */
const commitsAfterDeletes: NonNullable<Verbs['unchanged']> = (session, address, workOf) => {
  session.memory.note(stageKey('design', address), {
    afterDelete: async (row) => {
      try {
        await commitOpen(await workOf(row), true);
      } catch (error) {
        if (!(error instanceof LifecycleError)) throw error;
        row.notice(`it left the design, but that is not committed: ${error.message}`);
      }
    },
  });
};

/**
 * Commits the open design release of this stack, in its turn among the writes. `seen`: the releases
 * of the design, as this run looked at what others committed.
 */
const commitOpen = (work: Work, isOwn: boolean, seen?: readonly Release[]): Promise<Live> =>
  inTurn(work.session, designQueue(work), async () => {
    const design = stageKey('design', work.at);
    if (seen !== undefined && (await work.api.dialect()) === 'documented') {
      // Where every write is a commit, nothing is open.
      work.session.memory.note(design, { releases: seen });
      return liveAt(work, Math.max(0, ...seen.map(({ releaseId }) => releaseId)));
    }
    // The user that this run waited for may have committed all of it.
    const isWaited = isOwn && (await refuseForeignChanges(work, openDesign(work)));
    if (isWaited) work.session.answers.lookAgain(work.at);
    const latest = await newestOfDesign(work);
    if (isOwn) {
      const declared = declaredInDesign(work);
      const all = [...(seen ?? (await seenByResumed(work, declared))), ...(latest ? [latest] : [])];
      const later = all.filter(({ releaseId }) => releaseId > knownRelease(work));
      await refuseDiscarded(work, declared, later);
    }
    if (!isOwn || latest?.releaseState !== 'open')
      return liveAt(work, (latest && (await newestClosed(work, latest)))?.releaseId ?? 0);
    const closed = await close(work, latest.releaseId);
    if (seen !== undefined && !isWaited)
      work.session.memory.note(design, {
        releases: [closed, ...seen.filter(({ releaseId }) => releaseId !== closed.releaseId)],
      });
    return liveAt(work, closed.releaseId);
  });

/** The releases of the design for a run after one that wrote to it, and never committed. */
const seenByResumed = async (work: Work, declared: readonly DeclaredRecordOf[]): Promise<readonly Release[]> =>
  work.known === undefined && declared.some(({ stamp, isMade }) => stamp > 0 && !isMade) ? designReleases(work, 0) : [];

async function close(work: Work, releaseId: number): Promise<Release> {
  work.progress('commits the design');
  const closed = await work.api.call(routes.designReleases.commit, {
    address: { ...work.at, release: String(releaseId) },
    body: { desc: textAt(work.args, 'comment', describeCommit(work)) },
  });
  // A refused commit is answered with 200 all the same (service-facts §4.5.6).
  if (closed.releaseState !== 'closed') {
    await refuseDiscarded(work, declaredInDesign(work), [closed]);
    throw new LifecycleError(
      `the service did not commit release ${releaseId} of the design: it is still ${closed.releaseState}`,
      'look at the open release in the service; somebody else may be changing the same design',
    );
  }
  work.session.memory.note(stageKey('design', work.at), { isCommitted: true });
  return closed;
}

/**
 * Throws while the own assembly cannot be deleted: the engine would forget the design's records
 * before the delete of the assembly is refused. Names what nobody declares, also of a stack without
 * a deployment.
 */
async function refuseKeptAssembly(work: Work): Promise<void> {
  const { address, isAskedAgain } = memoryOfStage(work, 'design');
  const stays = isDeclared(memoryOfCommit(work, 'design')) || (address !== undefined && isAskedAgain !== true);
  if (work.known?.['platforms'] === undefined || stays || work.session.isLimited()) return;
  if (await keepsAssembly(work, 'its assembly')) return;
  await nameInAssembly(work);
  await orElse(nameChanged(work), undefined, isOutage);
}

/** Names what others changed in the design since the last run, and left open: it goes, too. */
async function nameChanged(work: Work): Promise<void> {
  const after = knownRelease(work);
  const latest = await newestOfDesign(work);
  if (latest === undefined || latest.releaseId <= after) return;
  const design = { api: work.api, at: { assembly: work.at['assembly'] } };
  const open = latest.releaseState === 'open' ? [await readRelease(design, latest.releaseId)] : [];
  const changes = [...(await designChangesSince(work, after)), ...(await changesOfOthers(work, 'design', open))];
  // A destroy names new platforms with all that this stack does not declare.
  const isNamed = ({ noun }: CommittedChange): boolean => noun === 'platform' && work.session.isDestroy();
  const lines = topmost(changes)
    .filter((change) => change.action === 'update' || (change.action === 'add' && !isNamed(change)))
    .map(alongLine);
  if (lines.length > 0) work.notice(`goes with assembly ${work.at['assembly']}: ${lines.join('; ')}`);
}

/** Nothing of the design is this stack's: what is open there is another user's to commit. */
const ownsNothing = (work: Work): boolean =>
  [work.args, work.known].every((values) => textAt(values, 'stamps').trim() === '') && leftTheFile(work).length === 0;

const liveAt = (work: Work, releaseId: number): Live =>
  resultOf('release', {
    ciId: Number(work.known?.['ciId'] ?? 0),
    stamp: String(releaseId),
    outputs: { releaseId },
  });

/** `-web/deployer/cron ~web/deployer/motd`: by path, the first 20. */
function shortened(parts: readonly string[]): string {
  const byPath = parts.toSorted((one, other) => (one.slice(1) < other.slice(1) ? -1 : 1));
  return firstOf(byPath, 20).join(' ');
}

/** The changes, or else `pulumi up`. */
function describeCommit(work: Work): string {
  const parts = changedPaths(work, 'design');
  return parts.length === 0 ? 'pulumi up' : `pulumi up: ${shortened(parts)}`;
}

const designReleaseVerbs: Verbs = {
  guarded: ['stamps'],
  guard,
  ...act({
    run: commit,
    // Whether an update still has its assembly shows when its design is read.
    place: (work) =>
      work.known === undefined || mayBeRefresh(work)
        ? readRecord({ ...work, address: { name: work.at['assembly'] ?? '' } }, routes.assemblies)
        : Promise.resolve({ ciId: Number(work.known['ciId'] ?? 0) }),
    /** Where the assembly is another stack's, a newer release is its owner's, and a difference. */
    async observe(work, assembly) {
      const known = knownRelease(work);
      const { outputs, ...rest } = liveAt(work, known);
      const live = { ...rest, outputs: { ...outputs, taken: textAt(work.known, 'taken') } };
      if (work.known === undefined) return { ...live, ciId: assembly.ciId };
      if (!ownsNothing(work) && work.known['platforms'] !== undefined) return live;
      return { ...live, fills: { newer: await newerThan(work, known) } };
    },
    /** With an own assembly everything goes at once. In another stack's, what left is committed. */
    async undo(work) {
      await refuseKeptAssembly(work);
      commitsAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row, args: {} }));
      if (memoryOfStage(work, 'design').isWaiting) await finishDelete(work.session, stageKey('design', work.at), work);
    },
    unchanged: commitsAfterDeletes,
    plan: (olds, now) => {
      const parts = [...changedPaths(now, 'design'), ...uncommittedPaths(now)];
      const newer = textAt(olds, 'newer');
      const taken = newer === '' ? [] : [`will take over ${newer}`];
      const left = now.session.isLimited() ? leavingPaths(now) : [];
      const texts = parts.length > 0 ? [`will commit: ${shortened(parts)}`] : taken;
      return [...texts, ...(left.length > 0 ? [leavesToEngine(left)] : [])].join('; ') || undefined;
    },
  }),
};

export const designRelease = kind({
  token: 'DesignRelease',
  description: "The commit of an assembly's design: after every design resource, before every environment.",
  path: routes.assemblies.read.path,
  named: false,
  within: assembly,
  found: { search: () => Promise.resolve([{ address: {}, isGiven: false }]) },
  cascades: false,
  stage: 'none',
  fields: {
    stamps: trigger(text()).describe('Filled in: the stamps of our last writes. Another text has to be committed.'),
    leaving: leaving(),
    comment: noted(control(text())).optional().describe('Text on the release.'),
    whenBusy: busy("What to do with other users' open changes. Default `fail`; `proceed` commits them."),
    accept: words('Filled in: what the deployments of the assembly accept.', control),
    environments: words('Filled in: the environments of this stack. What it deletes, others may still run.'),
    platforms: words(
      'Filled in where this stack owns the assembly: its platforms. What else a destroy deletes is named.',
    ),
    retained: words('Filled in: environments that stay when they are destroyed, so that the assembly does, too.'),
    keeps: words('Filled in: records of the design with `retainOnDelete`, which stay while the assembly does.'),
    newer: trigger(text())
      .optional()
      .describe('Filled in by a refresh where others own the design: their newer release, taken over next.'),
  },
  settles: {
    leaving: leavingIn('design'),
    stamps: stampsOf('design'),
    accept: accepted,
    environments: ownNames('Environment', false),
    platforms: ownNames('Platform', true),
    retained: environmentsRetained,
    keeps: recordsRetained,
  },
  inherits: { whenBusy: ['Assembly'] },
  inFile: { path: 'design' },
  computed: {
    releaseId: int().describe('Number of the release.'),
    taken: text().describe('Records that a run deleted before it failed.'),
  },
  verbs: designReleaseVerbs,
  sample: { create: { stamps: '' }, update: { stamps: 'unseen' } },
});

// The roll-out of an environment, from the first look to the running instances (architecture §5
// step 5, flows §3.8, §5.6).
import type { Deployment } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { Incomplete, type Live } from '../address/live';
import { busy, isLive, isOurs, newestDeployment } from '../commit/commit-environment';
import { openEnvironment } from '../commit/environment-changes';
import { ownToDeploy } from '../commit/foreign-changes';
import { refuseForeignChanges } from '../commit/open-changes';
import { describeRun, environmentStamp } from '../commit/own-records';
import { sweeping } from '../commit/sweep';
import { LifecycleError } from '../errors';
import { dropRetiredClouds } from '../kinds/environment/clouds';
import { followDesign } from '../kinds/environment/pull';
import type { Judgement, Verbs, Work } from '../kind';
import { deploymentsIn, stillNewest } from '../history/environment-releases';
import { discardedPullText } from '../history/not-pulled';
import { countWrites } from '../lifecycle/own-writes';
import { memoryOfStage, stageKey } from '../session';
import { textAt, wordsAt } from '../values/plain';
import { commitAndDeploy, openBom } from './carry-out';
import { failedChecks, notRun } from './checks';
import { lostPull } from './discarded';
import { cancelDeployment, failureReasons, freeEnvironment, stepBefore } from './follow';
import { downOnPurpose } from './declared-records';
import { causesOf, switchedOff, switchPlatforms } from './losses/cause';
import { deploying, lossError, lossLine, withoutAccepted } from './losses/loss';
import {
  idsOf,
  incomplete,
  interrupted,
  keptWith,
  liveAt,
  type Outcome,
  releaseKnown,
  type Seen,
  undone,
} from './outcome';
import {
  addressesOf,
  leftByPortion,
  lookAtRunning,
  PARTIAL,
  reportMissing,
  runningIn,
  runningText,
  whatRuns,
  type Look,
} from './running';
import { planWithoutStoring } from './plan-without-storing';
import { isTearDown } from './tear-down';

/**
 * Waits for what deploys already, refuses what others left open or took away, removes what left
 * the file, commits, refuses what the plan takes away, deploys, and compares what runs with the file.
 */
export async function rollOut(work: Work): Promise<Live> {
  // In an environment of this run, another user's deployment shows when the commit is refused.
  const isBorn = memoryOfStage(work, 'environment').isBorn === true;
  work.session.answers.lookAgain(work.at);
  const last = Number(work.known?.['deploymentId'] ?? 0);
  const over = isBorn || last === 0 ? undefined : await stillNewest(work, last);
  const before = isBorn ? undefined : (over ?? (await newestDeployment(work)));
  const joined = before && (await joinOrFree(work, before));
  await refuseForeignChanges(work, openEnvironment(work, ownToDeploy(work)), over !== undefined);
  if (!isBorn) await pullWhatWasDiscarded(work);
  const seen = await planWithoutStoring(work, joined ?? before);
  const live = await sweeping(
    work,
    () => interrupted(work, {}),
    async () => {
      const deployed = await commitAndDeploy(work, joined ?? before, describeRun(work), seen);
      return ended(work, await compareWithFile(work, deployed));
    },
  );
  deploysAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row }));
  return live;
}

/** Pulls again where somebody discarded a pull of this stack, which the state has already. */
async function pullWhatWasDiscarded(work: Work): Promise<void> {
  const lost = await lostPull(work);
  if (lost === undefined) return;
  work.notice(`${discardedPullText(lost)}: this run pulls the design again`);
  await followDesign(work);
}

/** Waits for what deploys there, or clears it away. Answers our deployment that came of it. */
async function joinOrFree(work: Work, before: Deployment): Promise<Deployment | undefined> {
  const planned = isLive(before) ? await openBom(work) : undefined;
  const isOwn = isOurs(work, before);
  // A destroy took everything down by it: what is declared again needs no end of it.
  const isTakingDown = isOwn && isTearDown(before);
  const free = () =>
    isTakingDown ? cancelDeployment(work, before) : freeEnvironment(work, before, isUnchanged(work), planned);
  const joined = await (isOwn ? keptWith(work, before, free) : free());
  if (joined && joined.deploymentState !== 'complete')
    throw incomplete(work, joined, await failureReasons(work, joined, planned));
  return joined;
}

/** Refuses what a run will refuse because of a deployment; a running one may end: a warning. */
export async function foreseeBusy(work: Work): Promise<Judgement> {
  const [newest] = await deploymentsIn(work);
  if (newest === undefined || stepBefore(work, newest) !== 'refuse') return {};
  if (isOurs(work, newest) && isTearDown(newest)) return {};
  if (newest.deploymentState !== 'active') throw busy(newest);
  return { warning: busy(newest).message };
}

/**
 * Enables and deploys again what a cut-off destroy, or the service, left off. Throws when less runs
 * than declared for a reason that is neither in the file nor accepted.
 */
async function compareWithFile(work: Work, outcome: Outcome): Promise<Seen> {
  const look = await lookAtRunning(work, outcome.release === undefined);
  const { less, fallen } = lessThanBefore(work, look);
  const causes = await causesOf(work, { gone: [], maybeOff: less, linked: less, scaled: fallen, isAnyones: true });
  const lost = await withoutAccepted(work, causes);
  if (lost.length > 0) {
    const isLost = ([key]: readonly [string, number]): boolean =>
      lost.some(({ platform }) => key.startsWith(`${platform}/`));
    const before = [...runningIn(work.known?.['running'])].filter(isLost);
    // The next run finds the same causes: those after the last complete run's release.
    const releaseId = releaseKnown(work);
    const state = lost.map(lossLine).join('; ');
    const running = runningText(new Map([...look.counts, ...before]));
    throw new Incomplete(interrupted(work, { ...idsOf(outcome), releaseId, running, state }), [
      lossError(deploying(work), lost).message,
    ]);
  }
  const { own } = look.idle.length === 0 ? { own: [] } : await switchedOff(work);
  const idle = look.idle.filter(({ ciId }) => own.some(({ platform }) => platform.ciId === ciId));
  if (idle.length === 0) return { ...outcome, look };
  const names = idle.map(({ ciName }) => ciName).join(', ');
  work.notice(`nothing ran of ${names}: enabled, and deployed again`);
  await switchPlatforms(work, 'enable', idle);
  const again = await commitAndDeploy(work, outcome.deployment, `pulumi up: brings ${names} back`);
  const then = await lookAtRunning(work);
  if (then.idle.length === 0) return { ...again, look: then };
  const still = then.idle.map(({ ciName }) => ciName).join(', ');
  throw new Incomplete(interrupted(work, { ...idsOf(again), state: `nothing runs of ${still}` }), [
    `nothing runs of ${still} in ${work.id}, although the service found nothing left to deploy; look at its platforms and clouds in the service, ` +
      'then run pulumi up again',
  ]);
}

/**
 * Names of platforms. `fallen`: less runs of them than after the last deployment. `less`: these, and
 * those of which nothing runs, or nothing on some declared cloud.
 */
function lessThanBefore(work: Work, { platforms, counts, idle }: Look) {
  const before = [...runningIn(work.known?.['running'])];
  const clouds = wordsAt(work.args, 'clouds');
  const down = downOnPurpose(work);
  const names = platforms.map(({ ciName }) => ciName);
  const fallen = names.filter((name) =>
    before.some(([key, count]) => key.startsWith(`${name}/`) && (counts.get(key) ?? 0) < count),
  );
  const isEmpty = (name: string): boolean =>
    !down.has(name) && clouds.some((cloud) => (counts.get(`${name}/${cloud}`) ?? 0) === 0);
  return { less: [...new Set([...idle.map(({ ciName }) => ciName), ...fallen, ...names.filter(isEmpty)])], fallen };
}

/** The outputs of a roll-out that was carried out. Throws when a check fails. */
async function ended(work: Work, outcome: Seen): Promise<Live> {
  const { environment, look } = outcome;
  if (Array.isArray(work.args['clouds']))
    await dropRetiredClouds(work, environment, work.args['clouds'] as readonly string[]);
  await reportMissing(work, look);
  work.progress(whatRuns(look.instances));
  const { outputs, ...rest } = liveAt(work, outcome);
  const rolledOut = environmentStamp(work) || textAt(work.known, 'rolledOut') || '-';
  const left = await leftByPortion(work, outcome.release, look.instances);
  const isPartial = left.length > 0;
  if (isPartial)
    work.notice(
      `the deployment left instances of ${left.join(', ')} for the next pulumi up: a pctDpmt below 100, or a later commit`,
    );
  const live = { ...rest, outputs: { ...outputs, rolledOut, ...(isPartial ? { state: PARTIAL } : {}) } };
  const { checks } = work.args;
  if (work.session.isSimulated === true) {
    const count = Object.keys(checks ?? {}).length;
    if (count > 0) work.notice(notRun(count));
    return live;
  }
  const failed = await failedChecks(checks, addressesOf(look.instances), {
    clock: work.session.clock,
    progress: (line) => work.progress(line),
    hide: work.session.hide,
  });
  const [first, ...others] = [...failed].map(([name, found]) => `check "${name}": ${found}`);
  if (first !== undefined) throw new Incomplete(live, [first, ...others]);
  return live;
}

/** Deploys deletions of the engine, which come after the deployment of the environment. */
export const deploysAfterDeletes: NonNullable<Verbs['unchanged']> = (session, address, workOf) => {
  session.memory.note(stageKey('environment', address), {
    afterDelete: async (row) => {
      const work = await workOf(row);
      try {
        await refuseForeignChanges(work, openEnvironment(work, ownToDeploy(work)));
        const before = await newestDeployment(work);
        const seen = await planWithoutStoring(work, before);
        await commitAndDeploy(work, before, 'pulumi up: what a failed run left', seen);
      } catch (error) {
        if (!(error instanceof LifecycleError || error instanceof Incomplete)) throw error;
        row.notice(`it left the environment, but that is not deployed: ${error.message}`);
      }
    },
  });
};

/** Whether this run deploys nothing that the last one did not. */
const isUnchanged = ({ known, args }: Work): boolean =>
  known !== undefined && known['stamps'] === args['stamps'] && Object.keys(args['leaving'] ?? {}).length === 0;

/** A first roll-out that wrote is in the state, whatever stopped it: the next run continues it. */
export async function firstRollOut(work: Work): Promise<Live> {
  const { api, wrote } = countWrites(work.api);
  try {
    return await rollOut({ ...work, api });
  } catch (error) {
    if (!(error instanceof OneOpsError) || !wrote()) throw error;
    throw new Incomplete(interrupted(work, { state: 'none', ...undone(work) }), [error.message]);
  }
}

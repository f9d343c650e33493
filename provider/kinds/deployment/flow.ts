// Deployment verbs: reset what left, commit, deploy, wait; and the tear-down (architecture §5 step 5, flows §3.8, §5.6).
// It must not know the engine.
import { inState } from '../../secrets/shown-value';
import { textAt } from '../../values/plain';
import { routes, type Deployment, type Environment, type Release } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { OneOpsError, orNone } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import type { Address, FoundRecord } from '../../kind';
import type { Inputs } from '../../check';
import { commitKey, declaredKey, holderKey } from '../../session';
import { act, resultOf } from '../../verbs/act';
import { readOrGone } from '../../verbs/presence';
import { Incomplete, type Live } from '../../address/live';
import { type Verbs, type Work } from '../../model';
import { countWrites } from '../../session/client';
import { commitEnvironment, isLive, isOurs, newestDeployment } from '../../commit/commit-environment';
import { awaitDeployment, cancelDeployment, failureReasons, freeEnvironment } from '../../deploy/follow';
import { unfinishedText } from './plan';
import { openBom, startDeployment } from '../../deploy/start';
import { openEnvironment } from '../../commit/environment-changes';
import { ownToDeploy } from '../../commit/environment-ownership';
import { downOnPurpose } from '../../deploy/down-on-purpose';
import { dropRetiredClouds } from '../environment/clouds';
import {
  enable,
  isRefreshed,
  lettingGo,
  lostInEnvironment,
  switchedOff,
  whyLess,
  type EnvironmentLoss,
} from '../../deploy/environment-losses';
import { alongText, comingAlong, refuseAlong } from '../../deploy/along';
import { runByText } from '../../deploy/run-by';
import { runElsewhere } from '../../deploy/run-elsewhere';
import { changesOfOthers, environmentReleasesSince } from '../../history/committed';
import { lossError, lossLine, refuseLosses } from '../../deploy/losses';
import { doing, planEnabled } from './enabled-plan';
import { mindOthers } from '../../commit/open-changes';
import { lookAtRunning, runningIn, runningText, type Look } from './running';
import { reportMissing, stateNow } from './state';
import { changedPaths, environmentStamp } from '../../commit/own-records';
import { plannedSweep } from '../../commit/sweep';
import { whatRuns } from './what-runs';

/** Words on the deployment that takes everything down. */
const TEAR_DOWN = 'pulumi destroy';

interface Outcome {
  readonly deployment: Deployment | undefined;
  readonly release: Release | undefined;
  readonly environment: Environment;
}

/** An outcome, and what runs after it. */
interface Seen extends Outcome {
  readonly look: Look;
}

async function rollOut(work: Work): Promise<Live> {
  const sweep = plannedSweep(work, () => interrupted(work, { stamps: textAt(work.known, 'stamps') }));
  const before = await newestDeployment(work);
  const planned = before && isLive(before) ? await openBom(work) : undefined;
  const resumed =
    before && (await (isTearDown(work, before) ? cancelDeployment(work, before) : joined(work, before, planned)));
  if (resumed && resumed.deploymentState !== 'complete')
    throw incomplete(work, resumed, await failureReasons(work, resumed, planned));
  await mindOthers(work, openEnvironment(work, ownToDeploy(work)));
  work.session.stages.noteJudged(work.id);
  await takeBack(work, before);
  const live = await sweep(async () => {
    const outcome = await untilAllRuns(work, await commitAndDeploy(work, resumed ?? before, describeRun(work)));
    if (Array.isArray(work.args['clouds']))
      await dropRetiredClouds(work, outcome.environment, work.args['clouds'] as readonly string[]);
    await reportMissing(work, outcome.look);
    work.progress(whatRuns(outcome.look.instances));
    const live = liveAt(work, outcome);
    return {
      ...live,
      outputs: { ...live.outputs, rolledOut: environmentStamp(work) || textAt(work.known, 'rolledOut') || '-' },
    };
  });
  deploysAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row }));
  return live;
}

/** What leaves the environment after its deployment, by its own deletes, is deployed by whoever leaves: nobody else comes. */
const deploysAfterDeletes: NonNullable<Verbs['unchanged']> = (session, address, workOf) => {
  session.stages.afterDeletes(commitKey('environment', address), async (row) => {
    const work = await workOf(row);
    try {
      await mindOthers(work, openEnvironment(work, ownToDeploy(work)));
      const before = await newestDeployment(work);
      await commitAndDeploy(work, before, 'pulumi up: what a failed run left');
    } catch (error) {
      if (!(error instanceof LifecycleError || error instanceof Incomplete)) throw error;
      row.notice(`it left the environment, but that is not deployed: ${error.message}`);
    }
  });
};

/** Waits for what deploys there already, or clears it away. Answers the deployment of ours that came of it, if there is one still. */
async function joined(work: Work, before: Deployment, planned: Release | undefined): Promise<Deployment | undefined> {
  const free = () => freeEnvironment(work, before, isUnchanged(work), planned);
  return isOurs(work, before) ? keptWith(work, before, free) : free();
}

/** A deployment by which a destroy took everything down: what is declared again needs no end of it. */
const isTearDown = (work: Work, deployment: Deployment): boolean =>
  isOurs(work, deployment) && deployment.comments === TEAR_DOWN;

/** Whether something else than our last deployment may have taken platforms down: nothing that is read shows a disabled one. */
const mayBeDown = ({ known }: Work, newest: Deployment | undefined): boolean =>
  known?.['state'] !== 'complete' || newest?.deploymentId !== known['deploymentId'];

/**
 * Looks at what other people took away in the environment since the last deployment of this stack. A run that refreshed sets back what it can, and any
 * run turns on what a tear-down of this stack turned off; throws when something is lost that the file declares and does not accept.
 */
async function takeBack(work: Work, before: Deployment | undefined): Promise<void> {
  // In an environment that this run made, nobody took anything away.
  if (work.session.records.isMade(holderKey('environment', work.id))) return;
  const since = Number(work.known?.['releaseId'] ?? 0);
  const lost = await lostInEnvironment(work, since);
  const isUncertain = isFirst(work) || mayBeDown(work, before);
  const { own, theirs } = isUncertain ? await switchedOff(work) : { own: [], theirs: [] };
  const all = [...lost, ...theirs.filter(({ subject }) => !lost.some((loss) => loss.subject === subject))];
  const isSetBack = ({ restore }: EnvironmentLoss): boolean => restore !== undefined && isRefreshed(work);
  const back = lettingGo(work, all).others.filter(isSetBack);
  refuseLosses(
    work,
    doing(work),
    all.filter((loss) => !back.includes(loss)),
  );
  const changes = await changesOfOthers(work, 'environment', await environmentReleasesSince(work, since));
  const along = [
    ...changes.filter(({ isByHand }) => isByHand),
    // What is not locked may have come with another user's pull: also what this run declares.
    ...comingAlong(
      work,
      changes.filter(({ isByHand }) => !isByHand),
    ),
  ];
  refuseAlong(work, along);
  work.session.stages.noteAlong(work.id, along);
  for (const { restore } of back) await restore?.();
  if (back.length > 0) work.notice(`set back as the file declares: ${back.map(lossLine).join('; ')}`);
  if (own.length === 0) return;
  await enable(
    work,
    own.map(({ ciId }) => ciId),
  );
}

/**
 * Compares what runs with what the file declares. Platforms of which nothing runs because a destroy was cut off, or the service disabled them, are
 * enabled and deployed again. Throws when less runs than declared for a reason that is neither in the file nor accepted.
 */
async function untilAllRuns(work: Work, outcome: Outcome): Promise<Seen> {
  const look = await lookAtRunning(work);
  const losses = await whyLess(work, lessThanBefore(work, look));
  const lost = lettingGo(work, losses);
  if (lost.accepted.length > 0) work.notice(`accepted: ${lost.accepted.map(lossLine).join('; ')}`);
  if (lost.others.length > 0)
    throw new Incomplete(interrupted(work, { ...idsOf(outcome), state: lost.others.map(lossLine).join('; ') }), [
      lossError(doing(work), lost.others).message,
    ]);
  const { own } = look.idle.length === 0 ? { own: [] } : await switchedOff(work);
  const idle = look.idle.filter(({ ciId }) => own.some((platform) => platform.ciId === ciId));
  if (idle.length === 0) return { ...outcome, look };
  const names = idle.map(({ ciName }) => ciName).join(', ');
  work.notice(`nothing ran of ${names}: enabled, and deployed again`);
  await enable(
    work,
    idle.map(({ ciId }) => ciId),
  );
  const again = await commitAndDeploy(work, outcome.deployment, `pulumi up: brings ${names} back`);
  const then = await lookAtRunning(work);
  if (then.idle.length === 0) return { ...again, look: then };
  const still = then.idle.map(({ ciName }) => ciName).join(', ');
  throw new Incomplete(interrupted(work, { ...idsOf(again), state: `nothing runs of ${still}` }), [
    `nothing runs of ${still} in ${work.id}, although the service found nothing left to deploy; look at its platforms and clouds in the service, ` +
      'then run pulumi up again',
  ]);
}

/** Names of the platforms of which nothing runs, or on some declared cloud nothing, or less than after the last deployment. */
function lessThanBefore(work: Work, { platforms, counts, idle }: Look): readonly string[] {
  const before = [...runningIn(work.known?.['running'])];
  const clouds = Array.isArray(work.args['clouds']) ? (work.args['clouds'] as readonly string[]) : [];
  const down = downOnPurpose(work);
  const isLess = (name: string): boolean =>
    before.some(([key, count]) => key.startsWith(`${name}/`) && (counts.get(key) ?? 0) < count) ||
    (!down.has(name) && clouds.some((cloud) => (counts.get(`${name}/${cloud}`) ?? 0) === 0));
  const names = platforms.map(({ ciName }) => ciName).filter(isLess);
  return [...new Set([...idle.map(({ ciName }) => ciName), ...names])];
}

const idsOf = ({ deployment }: Outcome): object =>
  deployment === undefined ? {} : { deploymentId: deployment.deploymentId, releaseId: deployment.releaseId };

/** Commits, and deploys what the plan contains. No open bom release means that nothing is to be deployed, which is success. */
async function commitAndDeploy(
  work: Work,
  before: Deployment | undefined,
  comment: string,
  emptying = false,
): Promise<Outcome> {
  const { environment, release } = emptying
    ? { environment: await commitEnvironment(work, comment), release: await openBom(work) }
    : await planEnabled(work, comment);
  const along = emptying ? undefined : alongText(work.session.stages.along(work.id), release?.rfc_cis);
  if (along !== undefined) work.notice(along);
  work.session.stages.forgetAlong(work.id);
  if (release === undefined) return { deployment: before, release: undefined, environment };
  const started = await startDeployment(work, release, comment);
  const deployment = await keptWith(work, started, () => awaitDeployment(work, started, release));
  if (deployment.deploymentState !== 'complete')
    throw incomplete(work, deployment, await failureReasons(work, deployment, release));
  return { deployment, release, environment };
}

/** Whether this run deploys nothing that the last one did not. */
const isUnchanged = ({ known, args }: Work): boolean =>
  known !== undefined && known['stamps'] === args['stamps'] && Object.keys(args['leaving'] ?? {}).length === 0;

/** `~prod`, `~prod/web/west`, `-prod/web/east`: records that changed or left, by their path below the assembly. */
function changesIn(work: Pick<Work, 'session' | 'address' | 'args'>): readonly string[] {
  const environment = String(work.address['environment']);
  return changedPaths(work, 'environment').map((path) => {
    const inside = path.slice(1);
    return `${path.charAt(0)}${inside === 'environment' ? environment : `${environment}/${inside}`}`;
  });
}

/**
 * `in db (9 of 16 instances)`: the platforms of which this run changes something, and what runs of them; undefined where
 * none of them runs. A change of the assembly, or of the environment alone, is on all of them.
 */
function touchedText(olds: Inputs, work: Pick<Work, 'session' | 'address' | 'args'>): string | undefined {
  const { session, address } = work;
  const release = session.declarations
    .all()
    .find((each) => each.of.token === 'DesignRelease' && each.address['assembly'] === address['assembly']);
  const leaving = release && session.declarations.pendingOf(declaredKey(release.of, release.address))['leaving'];
  const design = { session, address: { assembly: address['assembly'] ?? '' }, args: { leaving } };
  const paths = [...changedPaths(design, 'design'), ...changedPaths(work, 'environment')].map((path) => path.slice(1));
  const inside = paths.filter((path) => path !== 'environment');
  const platforms = new Set((inside.length === 0 ? [''] : inside).map((path) => path.split('/')[0] ?? ''));
  const counts = new Map<string, number>();
  for (const [key, count] of runningIn(olds['running'])) {
    const platform = key.split('/')[0] ?? '';
    counts.set(platform, (counts.get(platform) ?? 0) + count);
  }
  const isOnAll = [...platforms].some((name) => name === '' || name.startsWith('$'));
  const touched = [...counts].filter(([name]) => isOnAll || platforms.has(name)).sort();
  if (touched.length === 0) return undefined;
  const sum = (of: Iterable<readonly [string, number]>): number => [...of].reduce((all, [, count]) => all + count, 0);
  return `in ${touched.map(([name]) => name).join(', ')} (${sum(touched)} of ${sum(counts)} instances)`;
}

function describeRun(work: Work): string {
  const parts = changesIn(work);
  return textAt(work.args, 'comment', parts.length === 0 ? 'pulumi up' : `pulumi up: ${parts.slice(0, 20).join(' ')}`);
}

function liveAt(
  work: Work,
  {
    deployment,
    release,
    environment,
    look,
  }: Pick<Outcome, 'deployment' | 'release'> &
    Partial<Pick<Seen, 'look'>> & { readonly environment: { readonly ciId: number } },
): Live {
  const deploymentId = deployment?.deploymentId ?? Number(work.known?.['deploymentId'] ?? 0);
  const running = look === undefined ? work.known?.['running'] : runningText(look.counts);
  const releaseId = release?.releaseId ?? deployment?.releaseId ?? Number(work.known?.['releaseId'] ?? 0);
  return resultOf('deployment', {
    ciId: environment.ciId,
    stamp: `${deploymentId}.${releaseId}`,
    updated: deployment?.updated ?? 0,
    updatedBy: deployment?.updatedBy ?? deployment?.createdBy ?? '',
    outputs: {
      deploymentId,
      releaseId,
      rolledOut: textAt(work.known, 'rolledOut'),
      ...(running === undefined ? {} : { running }),
    },
  });
}

/** What is known of a run that did not come to its end. */
function interrupted(work: Work, outputs: object): Live {
  const environment = { ciId: Number(work.known?.['ciId'] ?? 0) };
  const live = liveAt(work, { deployment: undefined, release: undefined, environment });
  return { ...live, outputs: { ...live.outputs, ...outputs } };
}

/** The deployment is there in another state than complete: kept in state, so that the next run continues from it. */
function incomplete(
  work: Work,
  { deploymentId, releaseId, deploymentState: state }: Deployment,
  reasons: readonly string[],
  outputs: object = {},
): Incomplete {
  return new Incomplete(interrupted(work, { deploymentId, releaseId, state, ...outputs }), [
    [`deployment ${deploymentId} ${inState(state)}`, ...reasons].join('\n'),
  ]);
}

/** Of a roll-out that is not carried out: what is left shows as a difference, after a refresh too, though the service may go on by itself. */
const undone = (work: Work): object => ({
  stamps: '',
  rolledOut: '',
  ...(work.args['clouds'] === undefined ? {} : { clouds: [] }),
});

/** Whether no roll-out of the environment was carried out yet, as far as the state shows. */
const isFirst = ({ known }: Work): boolean => textAt(known, 'rolledOut') === '';

/**
 * A first roll-out that began something is in the state, whatever stopped it: the next run continues with it, and destroying the stack takes
 * it down.
 */
async function firstRollOut(work: Work): Promise<Live> {
  const { api, wrote } = countWrites(work.api);
  try {
    return await rollOut({ ...work, api });
  } catch (error) {
    if (!(error instanceof OneOpsError) || !wrote()) throw error;
    throw new Incomplete(interrupted(work, { state: 'none', ...undone(work) }), [error.message]);
  }
}

/** The same for a deployment of ours that there is. Of a later roll-out the state knows the last one, which is enough. */
async function keptWith<T>(work: Work, deployment: Deployment, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof OneOpsError) || !isFirst(work)) throw error;
    throw incomplete(work, deployment, [error.message], undone(work));
  }
}

/**
 * A destroy of the whole stack would end with the delete of the assembly, which others' environments prevent: it takes nothing down before.
 * Throws LifecycleError that names them.
 */
async function refuseWithOthers(work: Work): Promise<void> {
  const own = work.known?.['environments'];
  if (!Array.isArray(own)) return;
  const { assembly = '', environment: _, ...around } = work.at;
  const others = await runElsewhere({ ...work, at: { ...around, assembly } }, own);
  if (others.length === 0) return;
  throw new LifecycleError(
    `cannot take down ${work.id}: assembly ${assembly} also has ${runByText(others)} of another stack, so it could not be deleted; nothing was taken down`,
    "destroy the other stack first; to take down this stack's environments alone, remove them from the file and run pulumi up",
  );
}

/** Takes everything down: cancel what lives, disable, commit, deploy, wait. */
async function tearDown(work: Work): Promise<void> {
  const environment = await readOrGone(work.api, work.at, () =>
    work.api.call(routes.environments.read, { address: work.at }),
  );
  if (!environment) return;
  if (work.known?.['onDelete'] === 'retain') {
    work.session.stages.noteRetained(work.id);
    return;
  }
  const known = Number(work.known?.['ciId'] ?? 0);
  if (known > 0 && environment.ciId !== known) {
    work.notice(
      `${work.id} is another environment than the one this stack deployed: ${environment.ciId} instead of ${known}; what runs there stays`,
    );
    return;
  }
  if (work.session.isDestroy()) await refuseWithOthers(work);
  const before = await newestDeployment(work);
  if (before) await cancelDeployment(work, before);
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  if (platforms.length === 0) return;
  work.progress('disables every platform');
  await work.api.call(routes.environments.disable, {
    address: work.at,
    body: { platformCiIds: platforms.map((platform) => String(platform.ciId)) },
  });
  await commitAndDeploy({ ...work, args: work.known ?? {} }, before, TEAR_DOWN, true);
}

/** Verbs of the Deployment kind. */
export const deploymentVerbs: Verbs = act({
  run: firstRollOut,
  again: rollOut,
  undo: tearDown,
  unchanged: deploysAfterDeletes,

  async observe(work, environment) {
    const newest = await newestDeployment(work);
    const state = await stateNow(work, newest, environment.comments ?? '');
    const deployment = work.known === undefined ? newest : undefined;
    const { outputs, ...live } = liveAt(work, { deployment, release: undefined, environment });
    return { ...live, outputs: { ...outputs, taken: textAt(work.known, 'taken') }, fills: { state } };
  },

  plan: (olds, now) => {
    const environment = String(now.args['environment']);
    const parts = changesIn(now).join(' ');
    const left = olds['state'] === now.args['state'] ? undefined : unfinishedText(olds['state']);
    const touched = parts === '' ? undefined : touchedText(olds, now);
    const line = [`will deploy: ${parts}`, ...(touched === undefined ? [] : [touched])].join(' ');
    if (left === undefined) return parts === '' ? undefined : line;
    return parts === '' ? `will deploy ${environment}: ${left}` : `${line}; ${left}`;
  },
});

/** An environment that was never deployed has no deployment. */
export async function searchDeployment(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const latest = await orNone(api.call(routes.deployments.latest, { address: at }));
  return latest === undefined ? [] : [{ address: {}, isGiven: false }];
}

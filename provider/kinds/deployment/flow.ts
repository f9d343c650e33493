// Deployment verbs: reset what left, commit, deploy, wait; and the tear-down (architecture §5 step 5, flows §3.8, §5.6).
// It must not know the engine.
import { textAt } from '../../text-at';
import { routes, type Deployment, type Environment, type Release } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { OneOpsError, orNone } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import type { Address, FoundRecord } from '../../kind';
import { compareMembers } from '../../members';
import { commitKey } from '../../session';
import { act, resultOf } from '../../verbs/act';
import { readOrGone } from '../../verbs/presence';
import { Incomplete, type Live } from '../../live';
import { type Verbs, type Work } from '../../model';
import { countWrites } from '../../api-layers';
import { commitEnvironment, isLive, isOurs, newestDeployment } from '../../releases/commit-environment';
import { awaitDeployment, cancelDeployment, failureReasons, freeEnvironment } from '../../releases/deployment-progress';
import { unfinishedText } from './plan';
import { openBom, startDeployment } from '../../releases/deployment-start';
import { openEnvironment } from '../../releases/environment-changes';
import { ownToDeploy } from '../../releases/environment-ownership';
import { dropRetiredClouds } from '../../releases/environment-clouds';
import { enable, enableAll, planEnabled } from './enabled-plan';
import { mindOthers } from '../../releases/open-changes';
import { lookAtRunning, runningText, type Look } from './running';
import { reportMissing, stateNow } from './state';
import { whatRuns } from './what-runs';
import { allMembers, plannedSweep } from '../../releases/sweep';

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
  const sweep = await plannedSweep(work, 'environment', (members) => interrupted(work, { members }));
  const before = await newestDeployment(work);
  const planned = before && isLive(before) ? await openBom(work) : undefined;
  const resumed =
    before && (await (isTearDown(work, before) ? cancelDeployment(work, before) : joined(work, before, planned)));
  if (resumed && resumed.deploymentState !== 'complete')
    throw incomplete(work, resumed, await failureReasons(work, resumed, planned), { members: allMembers(work) });
  await mindOthers(work, openEnvironment(work, ownToDeploy(work)));
  work.session.stages.noteJudged(work.id);
  const live = await sweep(async () => {
    if (isFirst(work) || mayBeDown(work, before)) await enableAll(work);
    const outcome = await untilAllRuns(work, await commitAndDeploy(work, resumed ?? before, describeRun(work)));
    if (Array.isArray(work.args['clouds']))
      await dropRetiredClouds(work, outcome.environment, work.args['clouds'] as readonly string[]);
    await reportMissing(work, outcome.look);
    work.progress(whatRuns(outcome.look.instances));
    return liveAt(work, outcome);
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
  const free = () => freeEnvironment(work, before, sameMembers(work), planned);
  return isOurs(work, before) ? keptWith(work, before, free) : free();
}

/** A deployment by which a destroy took everything down: what is declared again needs no end of it. */
const isTearDown = (work: Work, deployment: Deployment): boolean =>
  isOurs(work, deployment) && deployment.comments === TEAR_DOWN;

/** Whether something else than our last deployment may have taken platforms down: nothing that is read shows a disabled one. */
const mayBeDown = ({ known }: Work, newest: Deployment | undefined): boolean =>
  known?.['state'] !== 'complete' || newest?.deploymentId !== known['deploymentId'];

/**
 * What is deployed has to run: platforms of which nothing runs afterwards were disabled, by a destroy that was cut off or by somebody, and are
 * enabled and deployed again.
 */
async function untilAllRuns(work: Work, outcome: Outcome): Promise<Seen> {
  const look = await lookAtRunning(work);
  const { idle } = look;
  if (idle.length === 0) return { ...outcome, look };
  const names = idle.map(({ ciName }) => ciName).join(', ');
  work.notice(`nothing ran of ${names}: enabled, and deployed again`);
  await enable(work, idle);
  const again = await commitAndDeploy(work, outcome.deployment, `pulumi up: brings ${names} back`);
  const then = await lookAtRunning(work);
  if (then.idle.length === 0) return { ...again, look: then };
  const still = then.idle.map(({ ciName }) => ciName).join(', ');
  throw new Incomplete(
    interrupted(work, { ...idsOf(again), state: `nothing runs of ${still}`, members: allMembers(work) }),
    [
      `nothing runs of ${still} in ${work.id}, although the service found nothing left to deploy; look at its platforms and clouds in the service, ` +
        'then run pulumi up again',
    ],
  );
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
  if (release === undefined) return { deployment: before, release: undefined, environment };
  const started = await startDeployment(work, release, comment);
  const deployment = await keptWith(work, started, () => awaitDeployment(work, started, release));
  if (deployment.deploymentState !== 'complete')
    throw incomplete(work, deployment, await failureReasons(work, deployment, release));
  return { deployment, release, environment };
}

function sameMembers(work: Work): boolean {
  if (work.known === undefined) return false;
  const { removed, written } = compareMembers(work.known['members'], work.args['members']);
  return removed.length + written.length === 0;
}

/** `~prod`, `~prod/web/west`, `-prod/web/east`: members that changed, by their path below the assembly. */
function memberChanges(environment: string, olds: unknown, news: unknown): readonly string[] {
  const { removed, written } = compareMembers(olds, news);
  const named = (path: string): string => (path === 'environment' ? environment : `${environment}/${path}`);
  return [...written.map((path) => `~${named(path)}`), ...removed.map((path) => `-${named(path)}`)];
}

function describeRun(work: Work): string {
  const parts = memberChanges(String(work.at['environment']), work.known?.['members'], work.args['members']);
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
    outputs: { deploymentId, releaseId, ...(running === undefined ? {} : { running }) },
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
    [`deployment ${deploymentId} is ${state}`, ...reasons].join('\n'),
  ]);
}

/** Of a roll-out that is not carried out: what is left shows as a difference, after a refresh too, though the service may go on by itself. */
const undone = (work: Work): object => ({
  members: { ...allMembers(work), environment: '' },
  ...(work.args['clouds'] === undefined ? {} : { clouds: [] }),
});

/** Whether no roll-out of the environment was carried out yet, as far as the state shows. */
const isFirst = ({ known }: Work): boolean =>
  known === undefined || (known['members'] as { readonly [path: string]: string } | undefined)?.['environment'] === '';

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
    return { ...liveAt(work, { deployment, release: undefined, environment }), fills: { state } };
  },

  plan: (olds, news) => {
    const environment = String(news['environment']);
    const parts = memberChanges(environment, olds['members'], news['members']).join(' ');
    const left = olds['state'] === news['state'] ? undefined : unfinishedText(olds['state']);
    if (left === undefined) return parts === '' ? undefined : `will deploy: ${parts}`;
    return parts === '' ? `will deploy ${environment}: ${left}` : `will deploy: ${parts}; ${left}`;
  },
});

/** An environment that was never deployed has no deployment. */
export async function searchDeployment(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const latest = await orNone(api.call(routes.deployments.latest, { address: at }));
  return latest === undefined ? [] : [{ address: {}, isGiven: false }];
}

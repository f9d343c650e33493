// Deployment verbs: reset what left, commit, deploy, wait; and the tear-down (architecture §5 step 5, flows §3.8, §5.6).
// It must not know the engine.
import { textAt } from '../text-at';
import { routes, type Deployment, type Environment, type Release } from '../../api/contract';
import { LifecycleError, NotFound, OneOpsError } from '../../api/errors';
import { compareMembers } from '../members';
import { commitKey, subjectKey } from '../session';
import { mayBeThere, readOrGone } from '../verbs/presence';
import { Incomplete, type Live, type Verbs, type Work } from '../verbs/verbs';
import { watched } from '../watched';
import { commitEnvironment, isLive, isOurs, newestDeployment, OUR_MARK } from './commit-environment';
import { awaitDeployment, cancelDeployment, failureReasons, freeEnvironment } from './deployment-progress';
import { refuseEmptyingPlan, unfinishedText } from './deployment-plan';
import { openEnvironment, ownToDeploy } from './environment-changes';
import { dropRetiredClouds } from './environment-clouds';
import { mindOthers } from './open-changes';
import { allMembers, plannedSweep } from './sweep';

interface Outcome {
  readonly deployment: Deployment | undefined;
  readonly release: Release | undefined;
  readonly environment: Environment;
}

async function rollOut(work: Work): Promise<Live> {
  const sweep = await plannedSweep(work, 'environment', (members) => interrupted(work, { members }));
  const before = await newestDeployment(work);
  const planned = before && isLive(before) ? await openBom(work) : undefined;
  const resumed = before && (await joined(work, before, planned));
  if (resumed && resumed.deploymentState !== 'complete')
    throw incomplete(work, resumed, await failureReasons(work, resumed, planned), { members: allMembers(work) });
  await mindOthers(work, openEnvironment(work, ownToDeploy(work)));
  work.session.lookedAround.add(work.id);
  const live = await sweep(async () => {
    if (isFirst(work)) await enableAll(work);
    const outcome = await commitAndDeploy(work, resumed ?? before, describeRun(work));
    if (Array.isArray(work.args['clouds']))
      await dropRetiredClouds(work, outcome.environment, work.args['clouds'] as readonly string[]);
    return liveAt(work, outcome);
  });
  deploysAfterDeletes(work.session, work.address, (row) => Promise.resolve({ ...work, ...row }));
  return live;
}

/** What leaves the environment after its deployment, by deletes of its own, is deployed by whoever leaves: nobody else comes. */
const deploysAfterDeletes: NonNullable<Verbs['unchanged']> = (session, address, workOf) => {
  session.afterDelete.set(commitKey('environment', address), async (row) => {
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

/** Commits, and deploys what the plan holds. No open bom release means that nothing is to be deployed, which is success. */
async function commitAndDeploy(
  work: Work,
  before: Deployment | undefined,
  comment: string,
  emptying = false,
): Promise<Outcome> {
  const environment = await commitEnvironment(work, comment);
  const release = await openBom(work);
  if (release === undefined) return { deployment: before, release: undefined, environment };
  if (!emptying) await refuseEmptyingPlan(work, release);
  const started = await start(work, release, comment);
  const deployment = await keptWith(work, started, () => awaitDeployment(work, started, release));
  if (deployment.deploymentState !== 'complete')
    throw incomplete(work, deployment, await failureReasons(work, deployment, release));
  return { deployment, release, environment };
}

async function openBom(work: Work): Promise<Release | undefined> {
  try {
    const release = await work.api.call(routes.environmentReleases.bom, {
      address: work.at,
      query: { include_rfcs: 'cis' },
    });
    return release.releaseState === 'open' ? release : undefined;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** Starts the deployment. A lost answer is settled by looking for it, never by asking again (architecture §3). */
async function start(work: Work, release: Release, comment: string): Promise<Deployment> {
  const nsPath = `/${work.api.organization}/${work.at['assembly']}/${work.at['environment']}/bom`;
  const continueOnFailure = work.args['continueOnFailure'] === true;
  try {
    return await work.api.call(routes.deployments.create, {
      address: work.at,
      body: {
        cms_deployment: {
          releaseId: String(release.releaseId),
          nsPath,
          comments: comment,
          description: OUR_MARK,
          ...(continueOnFailure ? { continueOnFailure } : {}),
        },
      },
    });
  } catch (error) {
    if (!mayBeThere(error)) throw error;
    const newest = await newestDeployment(work);
    if (newest?.releaseId === release.releaseId) return newest;
    throw error;
  }
}

/**
 * A former tear-down may have disabled the platforms, and nothing shows it: else "nothing to deploy" would be a false success (F12). In an
 * environment that was made in this run nobody did.
 */
async function enableAll(work: Work): Promise<void> {
  if (work.session.made.has(subjectKey({ token: 'Environment' }, work.id))) return;
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  if (platforms.length === 0) return;
  await work.api.call(routes.environments.enable, {
    address: work.at,
    body: { platformCiIds: platforms.map((platform) => String(platform.ciId)) },
  });
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
  }: Pick<Outcome, 'deployment' | 'release'> & { readonly environment: { readonly ciId: number } },
): Live {
  const deploymentId = deployment?.deploymentId ?? Number(work.known?.['deploymentId'] ?? 0);
  const releaseId = release?.releaseId ?? deployment?.releaseId ?? Number(work.known?.['releaseId'] ?? 0);
  return {
    ciId: environment.ciId,
    className: 'deployment',
    wire: {},
    stamp: `${deploymentId}.${releaseId}`,
    origin: 'own',
    updated: deployment?.updated ?? 0,
    updatedBy: deployment?.updatedBy ?? deployment?.createdBy ?? '',
    outputs: { deploymentId, releaseId },
  };
}

/** What is known of a run that did not come to its end. */
function interrupted(work: Work, outputs: object): Live {
  const environment = { ciId: Number(work.known?.['ciId'] ?? 0) };
  const live = liveAt(work, { deployment: undefined, release: undefined, environment });
  return { ...live, outputs: { ...live.outputs, ...outputs } };
}

/** The deployment stands there in another state than complete: kept in state, so that the next run goes on from it. */
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

/** Whether no roll-out of the environment was carried out yet, as far as the state tells. */
const isFirst = ({ known }: Work): boolean =>
  known === undefined || (known['members'] as { readonly [path: string]: string } | undefined)?.['environment'] === '';

/**
 * A first roll-out that began something stands in the state, whatever stopped it: the next run goes on with it, and destroying the stack takes
 * it down.
 */
async function firstRollOut(work: Work): Promise<Live> {
  const { api, wrote } = watched(work.api);
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
    work.session.retained.add(work.id);
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
  await commitAndDeploy({ ...work, args: work.known ?? {} }, before, 'pulumi destroy', true);
}

/** Verbs of the Deployment kind. */
export const deploymentVerbs: Verbs = {
  acts: true,
  create: firstRollOut,
  update: rollOut,
  delete: tearDown,
  unchanged: deploysAfterDeletes,

  /** Never says gone for want of a deployment, only for want of the environment: gone would deploy again (architecture §4). */
  async read(work) {
    const environment = await readOrGone(work.api, work.at, () =>
      work.api.call(routes.environments.read, { address: work.at }),
    );
    if (!environment) return undefined;
    const newest = await newestDeployment(work);
    // One we canceled, or found canceled with nothing left to deploy, is no difference: it was the newest when we recorded success.
    const settled = work.known?.['state'] === 'complete' && newest?.deploymentId === work.known['deploymentId'];
    const state = settled ? 'complete' : (newest?.deploymentState ?? 'complete');
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
};

// Commits an environment and deploys its plan. Refuses a plan that takes away declared instances.
// Enables a disabled platform first: a plan empties it or leaves it out, and no list shows the
// switch.
import { type Deployment, type Environment, type Record as WireRecord, type Release, routes } from '../../api/contract';
import { orNone } from '../../api/errors';
import { commitEnvironment, newestDeployment, OUR_MARK } from '../commit/commit-environment';
import { LifecycleError } from '../errors';
import type { Work } from '../kind';
import { memoryOfStage } from '../session';
import { isPendingDelete } from '../verbs/live';
import { mayBeThere } from '../verbs/presence';
import { JobFailed } from '../verbs/waiting';
import { alongText } from './others/along';
import { causesOf, changesOf, switchedOff, switchPlatforms } from './losses/cause';
import { downOnPurpose } from './declared-records';
import { type BeforeCommit, expectCommitted } from './discarded';
import { componentsLostByPlan } from './losses/design-losses';
import { awaitDeployment, failureReasons } from './follow';
import { deploying, refuseLosses } from './losses/loss';
import { incomplete, keptWith, type Outcome, releaseKnown } from './outcome';

/** Commits, names others' changes, and deploys the plan. No open bom release: nothing to deploy. */
export async function commitAndDeploy(
  work: Work,
  before: Deployment | undefined,
  comment: string,
  { emptying = false, along = [], open }: Partial<BeforeCommit> & { readonly emptying?: boolean } = {},
): Promise<Outcome> {
  const { environment, release } = emptying
    ? { environment: await commitEnvironment(work, comment), release: await openBom(work) }
    : await planEnabled(work, comment, open);
  const text = alongText(work, along, release?.rfc_cis);
  if (text !== undefined) work.notice(text);
  if (release === undefined) return { deployment: before, release: undefined, environment };
  const started = await startDeployment(work, release, comment);
  const deployment = await keptWith(work, started, () => awaitDeployment(work, started, release));
  if (deployment.deploymentState !== 'complete')
    throw incomplete(work, deployment, await failureReasons(work, deployment, release));
  return { deployment, release, environment };
}

/**
 * Commits, and answers the plan. Throws when it takes away what the file declares and does not
 * accept. What this stack or the service disabled is enabled and committed again, once.
 */
async function planEnabled(
  work: Work,
  comment: string,
  open: Release | undefined,
): Promise<{ readonly release: Release | undefined; readonly environment: Environment }> {
  const environment = await commitEnvironment(work, comment);
  const release = isNothingPlanned(environment) ? undefined : await openBom(work);
  await expectCommitted(work, open, release);
  const disabled = await disabledByPlan(work, release);
  if (disabled.length === 0) return { release, environment };
  work.notice(`${namesOf(disabled)} was disabled: enabled again`);
  await switchPlatforms(work, 'enable', disabled);
  const again = await commitEnvironment(work, comment).catch((error: unknown) => {
    throw error instanceof JobFailed ? disabledFor(disabled, error) : error;
  });
  const next = await openBom(work);
  const still = await disabledByPlan(work, next);
  if (still.length === 0) return { release: next, environment: again };
  throw new LifecycleError(
    `the plan would delete every instance of ${namesOf(still)}, which is declared, enabled and has an active cloud; nothing was deployed`,
    'look at the platform and its clouds in the service, then run pulumi up again',
  );
}

/**
 * Platforms of which a plan only deletes because a killed tear-down, or the service, left them off.
 * Throws for what other people took away.
 */
async function disabledByPlan(work: Work, release: Release | undefined): Promise<readonly WireRecord[]> {
  const less = changesOf(release?.rfc_cis ?? []);
  if (less.platforms.size === 0) return [];
  const down = downOnPurpose(work);
  const names = [...less.platforms.keys()];
  const listed = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const staying = new Set(listed.filter((each) => !isPendingDelete(each)).map(({ ciName }) => ciName));
  const looked = names.filter((name) => staying.has(name) && !down.has(name));
  const maybeOff = looked.filter((name) => less.onlyDeleted.has(name));
  const isNew = memoryOfStage(work, 'environment').isMade;
  const losses = await causesOf(work, {
    gone: names.filter((name) => !staying.has(name)),
    maybeOff,
    linked: isNew ? [] : looked,
    isAnyones: true,
    scaledAfter: releaseKnown(work),
  });
  await refuseLosses(work, deploying(work), [...losses, ...(await componentsLostByPlan(work, less))]);
  const { own } = maybeOff.length === 0 ? { own: [] } : await switchedOff(work);
  return own.flatMap(({ platform, enabled }) =>
    enabled === false && maybeOff.includes(platform.ciName) ? [platform] : [],
  );
}

const namesOf = (platforms: readonly WireRecord[]): string => platforms.map(({ ciName }) => ciName).join(', ');

/** Platforms were disabled, and with them enabled no plan can be made: nothing was deployed. */
const disabledFor = (platforms: readonly WireRecord[], { message }: Error): LifecycleError =>
  new LifecycleError(
    `the service had disabled ${namesOf(platforms)}, and its plan would have deleted every instance; enabled again, ${message}`,
    'the service disables a platform whose cloud lacks a service it needs: compare the services of its clouds, then run pulumi up again; nothing was deployed',
  );

/** Whether a commit says that nothing is to be deployed (service-facts §10.2); else false. */
const isNothingPlanned = ({ comments }: Environment): boolean =>
  /^SUCCESS:[^{]*\{(?!.*"releaseId").*"rfcCiCount":0,/s.test(comments ?? '');

/** The plan that waits, with its changes; none when there is nothing to deploy. */
export async function openBom(work: Work): Promise<Release | undefined> {
  const query = { include_rfcs: 'cis' };
  const release = await orNone(work.api.call(routes.environmentReleases.bom, { address: work.at, query }));
  return release?.releaseState === 'open' ? release : undefined;
}

/** Starts the deployment. A lost answer is looked for, never asked again (architecture §3). */
export async function startDeployment(work: Work, release: Release, comment: string): Promise<Deployment> {
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

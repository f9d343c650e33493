// The commit of an environment and its plan: refused where that takes what the file declares; a disabled platform is enabled, because a plan empties it, or
// leaves it out, and no list shows that it is disabled.
import {
  type Deployment,
  type Environment,
  type EnvironmentPlatform,
  type Record as WireRecord,
  type Release,
  routes,
} from '../../api/contract';
import { platformOf } from '../address/namespace';
import { LifecycleError } from '../errors';
import { linkTexts, platformsOf } from '../kinds/environment/cloud-links';
import type { Work } from '../model';
import { downOnPurpose } from './declared-records';
import { componentsLostByPlan } from './design-losses';
import { deletedByPlan, enable, linksLostByPlan, switchedOff } from './environment-losses';
import { refuseLosses } from './losses';
import { commitEnvironment, newestDeployment, OUR_MARK } from '../commit/commit-environment';
import { JobFailed } from '../verbs/waiting';
import { orNone } from '../../api/errors';
import { mayBeThere } from '../verbs/presence';

/**
 * Commits, and answers the plan. Throws when it takes down what other people deleted or switched off, and the file declares. What this stack or the
 * service itself disabled is enabled and committed again; throws when that does not help.
 */
export async function planEnabled(
  work: Work,
  comment: string,
): Promise<{ readonly release: Release | undefined; readonly environment: Environment }> {
  const environment = await commitEnvironment(work, comment);
  const release = await openBom(work);
  if (release === undefined) return { release, environment };
  refuseLosses(work, doing(work), [
    ...(await deletedByPlan(work, release)),
    ...(await linksLostByPlan(work, release)),
    ...(await componentsLostByPlan(work, release)),
  ]);
  const emptied = await disabledByPlan(work, release);
  if (emptied.length === 0) return { release, environment };
  work.notice(`${emptied.map(({ ciName }) => ciName).join(', ')} was disabled: enabled again`);
  await enable(
    work,
    emptied.map(({ ciId }) => ciId),
  );
  const again = await commitEnabled(work, comment, emptied);
  const next = await openBom(work);
  if (next) refuseEmptying(await disabledByPlan(work, next));
  return { release: next, environment: again };
}

/** `deploy prod`. */
export const doing = (work: Work): string => `deploy ${work.at['environment'] ?? work.id}`;

/** Platforms that a plan empties because they are disabled, without those that other people disabled: of these it throws where the file does not accept it. */
async function disabledByPlan(work: Work, release: Release): Promise<readonly WireRecord[]> {
  const emptied = await emptiedPlatforms(work, release);
  if (emptied.length === 0) return [];
  const names = emptied.map(({ ciName }) => ciName);
  const { own, theirs } = await switchedOff(work);
  refuseLosses(
    work,
    doing(work),
    theirs.filter(({ platform }) => names.includes(platform)),
  );
  return own.filter(({ ciName }) => names.includes(ciName));
}

async function commitEnabled(work: Work, comment: string, enabled: readonly WireRecord[]): Promise<Environment> {
  try {
    return await commitEnvironment(work, comment);
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    throw disabledFor(enabled, error);
  }
}

/**
 * Platforms of which a plan deletes every instance although they are declared to run and have an active cloud: disabled ones. A tear-down that was cut off
 * leaves them so, and so does the service when a cloud lacks a service they need, without a word.
 */
async function emptiedPlatforms(work: Work, release: Release): Promise<readonly EnvironmentPlatform[]> {
  const changes = release.rfc_cis ?? [];
  const down = downOnPurpose(work);
  const platforms = [...new Set(changes.map((change) => platformOf(change)))].filter((name) => !down.has(name));
  const onlyDeletes = platforms.filter((platform) =>
    changes.every((change) => platformOf(change) !== platform || change.rfcAction === 'delete'),
  );
  if (onlyDeletes.length === 0) return [];
  const staying = (await platformsOf(work, work.at)).filter(
    (platform) =>
      onlyDeletes.includes(platform.ciName) &&
      (platform.consumes ?? []).some((link) => linkTexts(link.relationAttributes)['adminstatus'] === 'active'),
  );
  if (staying.length === 0) return [];
  const instances = await work.api.call(routes.operations.environmentInstances, {
    address: work.at,
    query: { instances_state: 'all' },
  });
  return staying.filter(({ ciName }) => {
    const deleted = new Set(changes.filter((change) => platformOf(change) === ciName).map((change) => change.ciId));
    return instances
      .filter((instance) => platformOf(instance) === ciName)
      .every((instance) => deleted.has(instance.ciId));
  });
}

const namesOf = (platforms: readonly WireRecord[]): string => platforms.map(({ ciName }) => ciName).join(', ');

/** Throws when platforms are still emptied once they were enabled. */
function refuseEmptying(emptied: readonly WireRecord[]): void {
  if (emptied.length === 0) return;
  throw new LifecycleError(
    `the plan would delete every instance of ${namesOf(emptied)}, which is declared, enabled and has an active cloud; nothing was deployed`,
    'look at the platform and its clouds in the service, then run pulumi up again',
  );
}

/** Platforms were disabled, and with them enabled no plan can be made: nothing was deployed. */
const disabledFor = (platforms: readonly WireRecord[], { message }: Error): LifecycleError =>
  new LifecycleError(
    `the service had disabled ${namesOf(platforms)}, and its plan would have deleted every instance; enabled again, ${message}`,
    'the service disables a platform whose cloud lacks a service it needs: compare the services of its clouds, then run pulumi up again; nothing was deployed',
  );

/** The plan that waits to be deployed, with its changes of records; none when there is nothing to deploy. */
export async function openBom(work: Work): Promise<Release | undefined> {
  const query = { include_rfcs: 'cis' };
  const release = await orNone(work.api.call(routes.environmentReleases.bom, { address: work.at, query }));
  return release?.releaseState === 'open' ? release : undefined;
}

/** Starts the deployment. A lost answer is settled by looking for it, never by asking again (architecture §3). */
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

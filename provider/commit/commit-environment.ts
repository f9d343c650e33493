// Commits an environment: its release closes, and a plan is made (service-facts §4.7.2, §10.2).
import { routes, type Deployment, type Environment } from '../../api/contract';
import { orNone, Unprocessable } from '../../api/errors';
import { LifecycleError } from '../errors';
import { sendUnlocked, settledEnvironment, unlockedEnvironment } from '../verbs/waiting';
import type { Work } from '../kind';

/** Words on a deployment by which a later run knows it as ours. */
export const OUR_MARK = 'pulumi-oneops';

/**
 * Commits, and waits for the plan; a failed deployment of ours in the way is canceled. Throws
 * JobFailed, and an error that names another user who deploys. `excluded`: platforms, by ciId, that
 * the plan leaves as they are.
 */
export async function commitEnvironment(
  work: Work,
  desc: string,
  excluded: readonly number[] = [],
): Promise<Environment> {
  const exclude = excluded.length === 0 ? {} : { exclude_platforms: excluded.join(',') };
  const send = (): Promise<Environment> =>
    work.api.call(routes.environments.commit, { address: work.at, body: { desc, ...exclude } });
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    await unlockedEnvironment(work, 'waits for the environment to be unlocked');
    const newest = await newestDeployment(work);
    if (newest && isLive(newest)) {
      if (newest.deploymentState !== 'failed' || !isOurs(work, newest)) throw busy(newest);
      await moveDeployment(work, newest, 'canceled');
    }
    await sendUnlocked(work, send);
  }
  return settledEnvironment(work, 'planning the deployment');
}

/** Who committed an environment, where that was the service's last job in it; otherwise empty. */
export const committerOf = ({ comments }: Environment): string =>
  /"createdBy":"([^"]*)"/.exec(comments ?? '')?.[1] ?? '';

/** Whether a deployment keeps its environment from being committed (service-facts §8). */
export const isLive = ({ deploymentState }: Deployment): boolean => !['complete', 'canceled'].includes(deploymentState);

/** Whether our roll-outs made a deployment: it says so, or the state (`known`) has its number. */
export const isOurs = ({ known }: Pick<Work, 'known'>, { description, deploymentId }: Deployment): boolean =>
  description === OUR_MARK || deploymentId === known?.['deploymentId'];

/** A deployment is in the way that somebody else began or paused. */
export const busy = ({ deploymentId, createdBy, deploymentState, created }: Deployment): LifecycleError =>
  new LifecycleError(
    `the environment is busy: deployment ${deploymentId} of ${createdBy ?? 'somebody'} is ${deploymentState} since ${new Date(created ?? 0).toISOString()}`,
    `${deploymentState === 'paused' ? 'let it go on with pulumi-oneops deployment resume' : 'let it end'}, or end it with pulumi-oneops deployment cancel; whenBusy: wait (when_busy in a stack file) waits for it, whenBusy: proceed cancels it`,
  );

/** The newest deployment of the environment, if there ever was one. */
export const newestDeployment = ({ api, at }: Pick<Work, 'api' | 'at'>): Promise<Deployment | undefined> =>
  orNone(api.call(routes.deployments.latest, { address: at }));

/** Moves a deployment: `active` retries or resumes, `paused`, `canceled` (service-facts §3.4). */
export function moveDeployment(
  work: Pick<Work, 'api' | 'at'>,
  deployment: Deployment,
  deploymentState: 'active' | 'paused' | 'canceled',
): Promise<Deployment> {
  return work.api.call(routes.deployments.update, {
    address: { ...work.at, deployment: String(deployment.deploymentId) },
    body: { cms_deployment: { deploymentState, releaseId: String(deployment.releaseId) } },
  });
}

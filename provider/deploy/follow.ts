// Following a deployment: what runs, when it is done, why it failed, and how an environment that is busy becomes free (service-facts §3.4, §10).
import { textAt } from '../values/plain';
import { routes, type Deployment, type DeploymentStatus, type Release } from '../../api/contract';
import type { Work } from '../kind';
import { busy, isLive, isOurs, moveDeployment } from '../commit/commit-environment';
import { waitUntil } from '../verbs/waiting';

const MINUTES = 60_000;
const DEFAULT_TIMEOUT = 60;
const RUNNING = ['active', 'pausing'];

const limitOf = (work: Work): number => Number(work.args['timeout'] ?? DEFAULT_TIMEOUT) * MINUTES;

/** Asks until the deployment is neither running nor waiting for an approval, nor, with `whenBusy: wait`, paused; says what runs. */
export function awaitDeployment(work: Work, deployment: Deployment, release?: Release): Promise<DeploymentStatus> {
  const waiting = ['pending', ...(whenBusy(work) === 'wait' ? ['paused'] : [])];
  let told = '';
  return waitUntil(
    work,
    { what: `deployment ${deployment.deploymentId}`, limit: limitOf(work) },
    () => statusOf(work, deployment),
    (status) => {
      const line = progressLine(status, release);
      if (line !== told) work.progress(line);
      told = line;
      return ![...RUNNING, ...waiting].includes(status.deploymentState);
    },
  );
}

const statusOf = (work: Work, deployment: Deployment): Promise<DeploymentStatus> =>
  work.api.call(routes.deployments.status, { address: { ...work.at, deployment: String(deployment.deploymentId) } });

/** `3/7 web/compute-2 active`. */
function progressLine(status: DeploymentStatus, release: Release | undefined): string {
  if (status.deploymentState === 'pending') return `deployment ${status.deploymentId} waits for an approval`;
  if (status.deploymentState === 'paused')
    return `deployment ${status.deploymentId} is paused: resume it in the service`;
  const records = Object.entries(status.rfc_info ?? {});
  const done = records.filter(([, record]) => record.state === 'complete').length;
  const running = records
    .filter(([, record]) => record.state === 'inprogress')
    .map(([rfcId]) => nameOf(rfcId, release));
  const names =
    running.length > 3 ? `${running.slice(0, 3).join(', ')} and ${running.length - 3} more` : running.join(', ');
  return [`${done}/${records.length}`, names, status.deploymentState].filter((part) => part !== '').join(' ');
}

/** `web/compute-6201-1` of a change of the bom release. */
function nameOf(rfcId: string, release: Release | undefined): string {
  const record = release?.rfc_cis?.find((change) => String(change.rfcId) === rfcId);
  if (!record) return `change ${rfcId}`;
  return `${record.nsPath.split('/')[5] ?? ''}/${record.ciName}`;
}

/** One line for each record that failed, with the service's own words. */
export async function failureReasons(
  work: Work,
  deployment: Deployment,
  release?: Release,
): Promise<readonly string[]> {
  const status = await statusOf(work, deployment);
  const lines = Object.entries(status.rfc_info ?? {})
    .filter(([, record]) => record.state === 'failed')
    .map(([rfcId, record]) => `  ${nameOf(rfcId, release)} failed${record.comments ? `: ${record.comments}` : ''}`);
  const next =
    status.deploymentState === 'paused'
      ? 'somebody paused it: resume it in the service, then run pulumi up again, which joins it'
      : 'repair what failed and run it again: it continues with what is left';
  return [...lines, next];
}

const whenBusy = (work: Work): string => textAt(work.args, 'whenBusy', 'fail');

/**
 * Makes a busy environment free for a commit. Ours: a running deployment is joined, a failed one retried when nothing changed since, else
 * canceled. Another user's: `whenBusy` decides. Answers the deployment of ours it waited for, if it exists still, else nothing.
 */
export async function freeEnvironment(
  work: Work,
  latest: Deployment,
  unchanged: boolean,
  release?: Release,
): Promise<Deployment | undefined> {
  if (!isLive(latest)) return undefined;
  const ours = isOurs(work, latest);
  const state = latest.deploymentState;
  const isWaitedFor = whenBusy(work) === 'wait';
  const running = RUNNING.includes(state) || state === 'pending' || (state === 'paused' && isWaitedFor);
  if (ours && state === 'failed') {
    if (!unchanged) return cancelDeployment(work, latest);
    work.progress(`retries deployment ${latest.deploymentId}`);
    await moveDeployment(work, latest, 'active');
    return awaitDeployment(work, latest, release);
  }
  if (whenBusy(work) === 'proceed' && !(ours && running)) return cancelDeployment(work, latest);
  if (!running || !(ours || isWaitedFor)) throw busy(latest);
  work.progress(`joins deployment ${latest.deploymentId}, which is ${state}`);
  const ended = await awaitDeployment(work, latest, release);
  if (ended.deploymentState === 'canceled') return undefined;
  if (ours && ended.deploymentState === 'failed' && !unchanged) return cancelDeployment(work, ended);
  if (!ours && isLive(ended)) throw busy(ended);
  return ended;
}

/** Cancels a deployment that is not over; a running one is paused first (service-facts §3.4). */
export async function cancelDeployment(work: Work, deployment: Deployment): Promise<undefined> {
  if (!isLive(deployment)) return undefined;
  work.progress(`cancels deployment ${deployment.deploymentId}`);
  let standing = deployment;
  if (RUNNING.includes(deployment.deploymentState)) {
    if (deployment.deploymentState === 'active') await moveDeployment(work, deployment, 'paused');
    standing = await waitUntil(
      work,
      { what: `pausing deployment ${deployment.deploymentId}`, limit: limitOf(work) },
      () => statusOf(work, deployment),
      (status) => !RUNNING.includes(status.deploymentState),
    );
  }
  if (isLive(standing)) await moveDeployment(work, deployment, 'canceled');
  return undefined;
}

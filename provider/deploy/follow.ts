// Follows a deployment: running steps, its end, the reason of a failure (service-facts §3.4, §10).
import { firstNamed } from '../../api/errors';
import { textAt } from '../values/plain';
import { routes, type Deployment, type DeploymentStatus, type Release } from '../../api/contract';
import type { Work } from '../kind';
import { busy, isLive, isOurs, moveDeployment } from '../commit/commit-environment';
import { changesIn } from '../commit/own-records';
import { memoryOfStage } from '../session';
import { waitUntil } from '../verbs/waiting';

const RUNNING = ['active', 'pausing'];

/** Asks until the deployment neither runs nor waits, nor, with `whenBusy: wait`, is paused. */
export function awaitDeployment(work: Work, deployment: Deployment, release?: Release): Promise<DeploymentStatus> {
  const waiting = ['pending', ...(whenBusy(work) === 'wait' ? ['paused'] : [])];
  let lastLine = '';
  return waitUntil(
    work,
    { what: `deployment ${deployment.deploymentId}` },
    () => statusOf(work, deployment),
    (status) => {
      const { line } = deploymentProgress(status, release);
      if (line !== lastLine) work.progress(line);
      lastLine = line;
      return ![...RUNNING, ...waiting].includes(status.deploymentState);
    },
  );
}

const statusOf = (work: Work, deployment: Deployment): Promise<DeploymentStatus> =>
  work.api.call(routes.deployments.status, { address: { ...work.at, deployment: String(deployment.deploymentId) } });

export interface WorkOrder {
  /** Number of the change that it carries out. */
  readonly rfcId: string;
  /** Number under which its log is found. */
  readonly recordId: number;
  /** `web/compute-6201-1`; `change 17` where the release is not known. */
  readonly name: string;
  /** `add`, `update`, `replace` or `delete`; empty where the release is not known. */
  readonly action: string;
  readonly state: string;
  /** The service's own words. */
  readonly comments: string;
}

/** How far it is: a line of work orders (`3/7 web/compute-2 active`), and one for each failure. */
export function deploymentProgress(
  status: DeploymentStatus,
  release: Release | undefined,
): { readonly orders: readonly WorkOrder[]; readonly line: string; readonly failures: readonly string[] } {
  const { deploymentId, deploymentState, rfc_info: records } = status;
  const changes = new Map((release?.rfc_cis ?? []).map((change) => [String(change.rfcId), change]));
  const orders = Object.entries(records ?? {}).map(([rfcId, { recordId, state, comments }]): WorkOrder => {
    const change = changes.get(rfcId);
    const name = change === undefined ? `change ${rfcId}` : `${change.nsPath.split('/')[5] ?? ''}/${change.ciName}`;
    return { rfcId, recordId: recordId ?? 0, name, action: change?.rfcAction ?? '', state, comments: comments ?? '' };
  });
  const inState = (wanted: string): readonly WorkOrder[] => orders.filter(({ state }) => state === wanted);
  const running = inState('inprogress').map(({ name }) => name);
  const counts = [`${inState('complete').length}/${orders.length}`, firstNamed(running, 3)];
  const line =
    deploymentState === 'pending'
      ? `deployment ${deploymentId} waits for an approval: pulumi-oneops deployment approve gives it`
      : deploymentState === 'paused'
        ? `deployment ${deploymentId} is paused: pulumi-oneops deployment resume lets it go on`
        : [...counts, deploymentState].filter((part) => part !== '').join(' ');
  const failures = inState('failed').map(({ name, comments }) => `  ${name} failed${comments && `: ${comments}`}`);
  return { orders, line, failures };
}

/** What a user did to a deployment that is not complete, and the advice, by its state. */
const NEXT: { readonly [state: string]: string } = {
  paused: 'paused it: pulumi-oneops deployment resume lets it go on; then run pulumi up again, which joins it',
  canceled: 'canceled it, or rejected its approval: run the command again to go on',
};
const REPAIR = 'repair what failed and run it again: it continues with what is left';

/** One line for each record that failed, with the service's own words, and what to do. */
export async function failureReasons(
  work: Work,
  deployment: Deployment,
  release?: Release,
): Promise<readonly string[]> {
  const status = await statusOf(work, deployment);
  const next = NEXT[status.deploymentState];
  const said = next === undefined ? REPAIR : `${status.updatedBy ?? 'somebody'} ${next}`;
  return [...deploymentProgress(status, release).failures, said];
}

const whenBusy = (work: Work): string => textAt(work.args, 'whenBusy', 'fail');

/** What a run does about the newest deployment before it commits. */
export function stepBefore(work: Work, latest: Deployment): 'none' | 'retry' | 'join' | 'cancel' | 'refuse' {
  const [state, how, ours] = [latest.deploymentState, whenBusy(work), isOurs(work, latest)];
  if (!isLive(latest)) return 'none';
  if (ours && state === 'failed') return 'retry';
  const isUnderWay = RUNNING.includes(state) || state === 'pending';
  if (isUnderWay && ours) return 'join';
  if (how === 'proceed') return 'cancel';
  return how === 'wait' && (isUnderWay || state === 'paused') ? 'join' : 'refuse';
}

/**
 * Makes a busy environment free for a commit. A running deployment of ours is joined; a failed one
 * is retried when nothing changed, else canceled; for another user's, `whenBusy` decides. Answers
 * the one it waited for, if it exists still.
 */
export async function freeEnvironment(
  work: Work,
  latest: Deployment,
  unchanged: boolean,
  release?: Release,
): Promise<Deployment | undefined> {
  const step = stepBefore(work, latest);
  if (step === 'none') return undefined;
  if (step === 'refuse') throw busy(latest);
  if (step === 'cancel' || (step === 'retry' && !unchanged)) return cancelDeployment(work, latest);
  if (step === 'retry') {
    work.progress(`retries deployment ${latest.deploymentId}`);
    await moveDeployment(work, latest, 'active');
    return awaitDeployment(work, latest, release);
  }
  const ours = isOurs(work, latest);
  work.progress(`joins deployment ${latest.deploymentId}, which is ${latest.deploymentState}`);
  const ended = await awaitDeployment(work, latest, release);
  if (ended.deploymentState === 'canceled') {
    // Somebody stopped or rejected it: to deploy the same again is for the next run.
    const isSame = memoryOfStage(work, 'environment').isPulled !== true && changesIn(work).length === 0;
    return ours && isSame ? ended : undefined;
  }
  if (ours && ended.deploymentState === 'failed' && !unchanged) return cancelDeployment(work, ended);
  if (!ours && isLive(ended)) throw busy(ended);
  return ended;
}

/** Cancels a deployment that is not over; a running one is paused first (service-facts §3.4). */
export async function cancelDeployment(work: Work, deployment: Deployment): Promise<undefined> {
  if (!isLive(deployment)) return undefined;
  work.progress(`cancels deployment ${deployment.deploymentId}`);
  if (!isOurs(work, deployment))
    work.notice(`canceled: deployment ${deployment.deploymentId} of ${deployment.createdBy ?? 'another user'}`);
  let standing = deployment;
  if (RUNNING.includes(deployment.deploymentState)) {
    if (deployment.deploymentState === 'active') await moveDeployment(work, deployment, 'paused');
    standing = await waitUntil(
      work,
      { what: `pausing deployment ${deployment.deploymentId}` },
      () => statusOf(work, deployment),
      (status) => !RUNNING.includes(status.deploymentState),
    );
  }
  if (isLive(standing)) await moveDeployment(work, deployment, 'canceled');
  return undefined;
}

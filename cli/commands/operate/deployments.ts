// Deployments as operators see them: what one does, how far it is, what failed, and what it waits for.
import { type DEPLOYMENT_STATES, routes, type Approval, type Deployment } from '../../../api/contract';
import { orNone } from '../../../api/errors';
import { UsageError } from '../../exit';
import { addressOf, type InEnvironment, type Operation } from './place';

type Asking = Pick<Operation<InEnvironment>, 'api' | 'place'>;

/** One work order of a deployment. */
interface WorkOrder {
  /** Number of the change that it carries out. */
  readonly rfcId: string;
  /** Number under which its log is found. */
  readonly recordId: number;
  /** `web/compute-1130-1`. */
  readonly name: string;
  /** `add`, `update`, `replace` or `delete`; empty where the release is no longer known. */
  readonly action: string;
  readonly state: string;
  /** What the service says of it. */
  readonly comments: string;
}

/** A deployment with its work orders. */
export interface Progress {
  readonly deployment: Deployment;
  readonly orders: readonly WorkOrder[];
}

/** The deployment of a number, or the newest one of the environment. Throws UsageError if there is none. */
export async function deploymentOf({ api, place }: Asking, id: string | undefined): Promise<Deployment> {
  const address = addressOf(place);
  if (id !== undefined && !/^\d+$/.test(id)) throw new UsageError(`"${id}" is no number of a deployment`);
  const found =
    id === undefined
      ? await orNone(api.call(routes.deployments.latest, { address }))
      : await orNone(api.call(routes.deployments.status, { address: { ...address, deployment: id } }));
  if (found !== undefined) return found;
  throw new UsageError(
    id === undefined
      ? `nothing was ever deployed in ${place.environment}`
      : `${place.environment} has no deployment ${id}: see pulumi-oneops deployment list ${place.environment}`,
  );
}

/** What the changes of a release are called; asked once for each deployment that is followed. */
export async function namesOf(
  { api, place }: Asking,
  { releaseId }: Deployment,
): Promise<ReadonlyMap<string, readonly [string, string]>> {
  const release = await orNone(
    api.call(routes.environmentReleases.read, {
      address: { ...addressOf(place), release: String(releaseId) },
      query: { include_rfcs: 'true' },
    }),
  );
  return new Map(
    (release?.rfc_cis ?? []).map(({ rfcId, rfcAction, ciName, nsPath }) => [
      String(rfcId),
      [`${nsPath.split('/')[5] ?? ''}/${ciName}`, rfcAction ?? ''] as const,
    ]),
  );
}

/** How far a deployment is. */
export async function progressOf(
  { api, place }: Asking,
  { deploymentId }: Deployment,
  names: ReadonlyMap<string, readonly [string, string]>,
): Promise<Progress> {
  const status = await api.call(routes.deployments.status, {
    address: { ...addressOf(place), deployment: String(deploymentId) },
  });
  const { rfc_info: orders, ...deployment } = status;
  return {
    deployment,
    orders: Object.entries(orders ?? {}).map(([rfcId, { recordId, state, comments }]) => {
      const [name = `change ${rfcId}`, action = ''] = names.get(rfcId) ?? [];
      return { rfcId, recordId: recordId ?? 0, name, action, state, comments: comments ?? '' };
    }),
  };
}

/** The approvals that a deployment waits for. */
export async function waitingApprovals(
  { api, place }: Asking,
  { deploymentId }: Deployment,
): Promise<readonly Approval[]> {
  const all = await api.call(routes.deployments.approvals, {
    address: { ...addressOf(place), deployment: String(deploymentId) },
  });
  return all.filter(({ state }) => state === 'pending');
}

type DeploymentState = (typeof DEPLOYMENT_STATES)[number];
const GOING_ON: readonly string[] = ['pending', 'active', 'pausing'] satisfies readonly DeploymentState[];

/** Whether a deployment changes its state without anybody's doing, or when somebody approves it. */
export const goesOn = ({ deploymentState }: Deployment): boolean => GOING_ON.includes(deploymentState);

/** `3/7 done; web/compute-1130-2 in progress; 1 failed`. */
export function progressText({ deployment, orders }: Progress): string {
  const of = (state: string): readonly WorkOrder[] => orders.filter((order) => order.state === state);
  const running = of('inprogress').map(({ name }) => name);
  const more = running.length > 3 ? ` and ${running.length - 3} more` : '';
  return [
    `${deployment.deploymentState}: ${of('complete').length}/${orders.length} done`,
    ...(running.length === 0 ? [] : [`${running.slice(0, 3).join(', ')}${more} in progress`]),
    ...(of('failed').length === 0 ? [] : [`${of('failed').length} failed`]),
    ...(deployment.deploymentState === 'pending' ? ['waits for an approval'] : []),
  ].join('; ');
}

/** A line for each work order that failed, with the words of the service. */
export const failureLines = ({ orders }: Progress): readonly string[] =>
  orders
    .filter(({ state }) => state === 'failed')
    .map(({ name, comments }) => `  ${name} failed${comments === '' ? '' : `: ${comments}`}`);

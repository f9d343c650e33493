// Deployments as operators see them: what one does, how far it is, and what it waits for.
import {
  type DEPLOYMENT_STATES,
  routes,
  type Approval,
  type Deployment,
  type DeploymentStatus,
  type Release,
} from '../../../api/contract';
import { isApiError, orNone } from '../../../api/errors';
import { readRelease } from '../../../provider/history';
import { deploymentProgress } from '../../../provider/kinds';
import { UsageError } from '../../exit';
import type { Progress } from './outputs';
import { addressOf, type InEnvironment, type Operation } from './place';

type Asking = Pick<Operation<InEnvironment>, 'api' | 'place'>;

/** A deployment by number, or the newest. Throws UsageError if there is none. */
export async function deploymentOf({ api, place }: Asking, id: string | undefined): Promise<Deployment> {
  if (id === undefined) {
    const newest = await orNone(api.call(routes.deployments.latest, { address: addressOf(place) }));
    if (newest !== undefined) return newest;
    throw new UsageError(`nothing was ever deployed in ${place.environment}`);
  }
  if (!/^\d+$/.test(id)) throw new UsageError(`"${id}" is no number of a deployment`);
  const found = await orUnknown(statusOf({ api, place }, id));
  if (found !== undefined) return found;
  throw new UsageError(`${place.environment} has no deployment ${id}: see pulumi-oneops deployment list`);
}

export const statusOf = ({ api, place }: Asking, deploymentId: number | string): Promise<DeploymentStatus> =>
  api.call(routes.deployments.status, { address: { ...addressOf(place), deployment: String(deploymentId) } });

/** What a user's number names; undefined for a 404, or a 500, which may mean the same (§7.1). */
export const orUnknown = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isApiError(error) && [404, 500].includes(error.status)) return undefined;
    throw error;
  });

/** The words of a call for an environment and for a number, if any. Names begin with a letter. */
export function numbered([first, second]: readonly string[]): {
  readonly word: string | undefined;
  readonly number: string | undefined;
} {
  return /^\d+$/.test(first ?? '') ? { word: second, number: first } : { word: first, number: second };
}

/** The release of a deployment with its changes, read once for each of them. */
export const releaseOf = ({ api, place }: Asking, { releaseId }: Deployment): Promise<Release | undefined> =>
  orNone(readRelease({ api, at: place }, releaseId));

export async function progressOf(
  { api, place }: Asking,
  { deploymentId }: Deployment,
  release: Release | undefined,
): Promise<Progress> {
  const status = await statusOf({ api, place }, deploymentId);
  const { rfc_info: _, ...deployment } = status;
  return { deployment, ...deploymentProgress(status, release) };
}

/** `clouds/east/gate`: the record of a cloud whose people give an approval. */
export function supportOf({ governCiJson }: Approval): string {
  try {
    const { ciName, nsPath } = JSON.parse(governCiJson ?? '') as { readonly ciName?: string; readonly nsPath?: string };
    return [nsPath?.split('/').at(-1), ciName].filter(Boolean).join('/') || 'its cloud';
  } catch {
    return 'its cloud';
  }
}

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

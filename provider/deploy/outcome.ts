// The outcome of a roll-out in the state: complete, or interrupted, and the next run goes on.
import type { Deployment, Environment, Release } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { Incomplete, type Live } from '../address/live';
import type { Work } from '../kind';
import { inState } from '../secrets/mask';
import { memoryOfStage } from '../session';
import { textAt, defined } from '../values/plain';
import { resultOf } from '../verbs/act';
import { addressesOf, runningText, type Look } from './running';

/** The result of a deployment. Both are undefined where nothing was to be deployed. */
export interface Outcome {
  readonly deployment: Deployment | undefined;
  readonly release: Release | undefined;
  readonly environment: Environment;
}

/** An outcome, and what runs after it. */
export interface Seen extends Outcome {
  readonly look: Look;
}

export function liveAt(
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
  const addresses = look === undefined ? work.known?.['addresses'] : addressesOf(look.instances);
  const releaseId = release?.releaseId ?? deployment?.releaseId ?? releaseKnown(work);
  return resultOf('deployment', {
    ciId: environment.ciId,
    stamp: `${deploymentId}.${releaseId}`,
    updated: deployment?.updated ?? 0,
    updatedBy: deployment?.updatedBy ?? deployment?.createdBy ?? '',
    outputs: {
      deploymentId,
      releaseId,
      rolledOut: textAt(work.known, 'rolledOut'),
      othersRelease: othersRelease(work),
      ...defined({ running, addresses }),
    },
  });
}

/** Where others may have set values over the file's that no run has looked for yet. */
function othersRelease(work: Work): number {
  const { searched = 0, othersRelease = Number(work.known?.['othersRelease'] ?? 0) } = memoryOfStage(
    work,
    'environment',
  );
  return othersRelease > searched ? othersRelease : 0;
}

/** The release of our last deployment, as the state knows; 0 before the first. */
export const releaseKnown = ({ known }: Pick<Work, 'known'>): number => Number(known?.['releaseId'] ?? 0);

/** The known facts of a run that did not come to its end. */
export function interrupted(work: Work, outputs: object): Live {
  const environment = { ciId: Number(work.known?.['ciId'] ?? 0) };
  const live = liveAt(work, { deployment: undefined, release: undefined, environment });
  return { ...live, outputs: { ...live.outputs, ...outputs } };
}

/** The deployment is not complete: kept in the state, so that the next run goes on from it. */
export function incomplete(
  work: Work,
  { deploymentId, releaseId, deploymentState: state }: Deployment,
  reasons: readonly string[],
  outputs: object = {},
): Incomplete {
  return new Incomplete(interrupted(work, { deploymentId, releaseId, state, ...outputs }), [
    [`deployment ${deploymentId} ${inState(state)}`, ...reasons].join('\n'),
  ]);
}

/** Of a roll-out not carried out: what is left is a difference, though the service may go on. */
export const undone = (work: Work): object => ({
  stamps: '',
  rolledOut: '',
  ...(work.args['clouds'] === undefined ? {} : { clouds: [] }),
});

/** Whether no roll-out of the environment was carried out yet, as far as the state shows. */
export const isFirst = ({ known }: Work): boolean => textAt(known, 'rolledOut') === '';

/** The same for a deployment of ours. Of a later roll-out the state knows the last one. */
export async function keptWith<T>(work: Work, deployment: Deployment, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof OneOpsError) || !isFirst(work)) throw error;
    throw incomplete(work, deployment, [error.message], undone(work));
  }
}

/** The numbers of a deployment, as outputs. */
export const idsOf = ({ deployment }: Outcome): object =>
  deployment === undefined ? {} : { deploymentId: deployment.deploymentId, releaseId: deployment.releaseId };

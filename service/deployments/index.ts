// The door of deployments.
import type { HandlerTable } from '../runtime/handler';
import { approvalHandlers } from './approvals';
import { deployCommittedHandlers, deployCommittedJobs } from './deploy-committed';
import { deploymentRecordHandlers } from './deployments';
import { type DeploymentParts, deploymentStepJobs as stepJobs } from './run';
import type { Runners } from '../runtime/work';

export { deploymentAnswer } from './deployments';
export { type DeploymentParts } from './run';

export const deploymentHandlers: HandlerTable = {
  ...deploymentRecordHandlers,
  ...approvalHandlers,
  ...deployCommittedHandlers,
};

/** Runners of the jobs they start, by job name. */
export function deploymentJobs(parts: DeploymentParts): Runners {
  return { ...stepJobs(parts), ...deployCommittedJobs(parts.catalogue) };
}

// The door of deployments.
// It must not know anything beyond it.
export { deploymentHandlers } from './deployments';
export { createFailures, type Failure, type Failures } from './failures';
export { deploymentJobs, type DeploymentParts } from './run';

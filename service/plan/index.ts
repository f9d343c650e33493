// The door of the planner.
export { isPrimaryLink, missingServices, planDeployment } from './plan';
export type * from './plan';

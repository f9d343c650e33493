// The door of the planner.
export { isPrimaryLink, missingServices } from './plan';
export type * from './plan';
export { planDeployment } from './plan';

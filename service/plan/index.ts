// The door of the planner.
export { isPrimaryLink, missingServices } from './checks';
export type * from './input';
export { planDeployment } from './plan';

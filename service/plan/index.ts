// The door of the planner.
export { isPrimaryLink, missingServices } from './plan';
export type * from './input';
export { planDeployment } from './plan';

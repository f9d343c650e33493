// The door of the planner.
export { missingServices } from './checks';
export type * from './input';
export { planDeployment } from './plan';

// The door of the planner.
// It must not know anything beyond it.
export { missingServices } from './checks';
export type * from './input';
export { planDeployment } from './plan';

// The door of saved plans: what one does, what names it, and whether its start is still there.
export { planDigest } from './digest';
export { readPlanFile, readPlanText, readStart, type PlanFile } from './plan-file';
export { describePlan, plannedResources, stackOfPlan } from './planned-document';
export { verificationText } from './verification-text';
export type { WrittenSettings } from './service';
export { type Verification } from './verification';
export { verifyPlan, type PolicyVerdict, type VerifyOptions } from './verify';

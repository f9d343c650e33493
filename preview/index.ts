// The door of previews and saved plans: comments, and whether a plan may still be applied.
export {
  describePlan,
  planDigest,
  plannedResources,
  readPlanFile,
  readPlanText,
  readStart,
  stackOfPlan,
  type PlanFile,
} from './plan-file';
export {
  OTHER_THAN_DECLARED,
  verificationText,
  verifyPlan,
  type PolicyVerdict,
  type Verification,
  type VerifyOptions,
  type WrittenSettings,
} from './verify';
export { previewResources, type EngineResource, type PreviewedResources } from './document';
export { withLive } from './live';
export { LONGEST_COMMENT, previewMarkdown } from './markdown';
export type * from './plan';
export { isPreviewForPeople, readPreview } from './read-preview';

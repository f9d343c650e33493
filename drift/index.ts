// The door of drift reviews: what a review finds, how it is made, shown and decided on.
export * from './plan';
export * from './preview';
export * from './review/review';
export * from './report';

// Sources: what is declared, and what was applied.
export { declaredCode, readCode } from './review/code';
export { readState } from './review/state';
export type { AppliedRecord, Code, CodeRecord, SourceRecord, StackState } from './review/subjects';

// The review.
export { readPolicy, type Policy } from './review/policy';
export { type SeverityRule } from './review/severity';
export { countsForOutcome, exitCodeOf, EXIT_CODES, GONE_LIMIT, type GoneLimit } from './review/outcome';
export { reviewStack, type ReviewOptions } from './review/review-stack';

// Decisions.
export { acceptFindings, UnusableFiles, type Accepted } from './decide/accept';
export { baselineOf, compareReviews, jsonOf, readReview, addToHistory, findingSubject } from './decide/earlier-reviews';
export { recordFindings } from './decide/recorded';
export { unifiedDiff } from './difference';
export {
  applyReversal,
  applyReversals,
  describeReversal,
  planRevert,
  type Reversal,
  type RevertContext,
} from './decide/revert';
export { deployAgain, environmentsOf } from './decide/deploy-again';
export { recordOf } from './decide/revert-record';
export { addRules, isDay } from './decide/rules';

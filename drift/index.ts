// The door of drift reviews: what a review finds, how it is made, shown and decided on.
// It must not know the commands that use it.
export * from './preview';
export * from './review';
export * from './reports';

// Sources: what is declared, and what was applied.
export { readCode, type CodeSource, type ReadCode } from './sources/code';
export { readState } from './sources/state';
export type { Applied, Code, Declared, Sourced, StackState } from './sources/sourced';

// The review.
export { readPolicy, type Policy } from './policy';
export { type SeverityRule } from './comparing/severity';
export { counts, exitCodeOf, EXIT_CODES, GONE_LIMIT, type ExitCodes, type GoneLimit } from './outcome';
export { jsonOf, readReview } from './saved-review';
export { reviewStack, type ReviewOptions } from './review-stack';

// Decisions.
export { acceptFindings, UnusableFiles, type Accepted, type AcceptWorld } from './decisions/accept';
export { applyBaseline, baselineOf, subjectOf } from './decisions/baseline';
export { compareReviews, type ReviewComparison } from './decisions/compare-reviews';
export { remember } from './decisions/history';
export { unifiedDiff } from './decisions/patch';
export { isDay } from './decisions/patterns';
export {
  carryOut,
  carryOutAll,
  deployAgain,
  describeReversal,
  environmentsOf,
  planRevert,
  type CarriedOut,
  type Reversal,
  type RevertPlan,
  type RevertWorld,
} from './decisions/revert';
export { addRules, type Ignoring } from './decisions/rule-text';
export { applyRules, type RulesApplied } from './decisions/rules';

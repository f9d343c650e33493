// The door of drift reviews: what a review finds, how it is made, shown and decided on.
// It must not know the commands that use it.
export * from './review';

// Decisions.
export { acceptFindings, UnusableFiles, type Accepted, type AcceptWorld } from './decisions/accept';
export { applyBaseline, baselineOf, subjectOf } from './decisions/baseline';
export { compareReviews, type ReviewComparison } from './decisions/compare-reviews';
export { remember } from './decisions/history';
export { isDay } from './decisions/patterns';
export { addRules, type Ignoring } from './decisions/rule-text';
export { applyRules, type RulesApplied } from './decisions/rules';

// The door of drift reviews: what a review finds, how it is made, shown and decided on.
export {
  knownReleases,
  newLiveReader,
  waitingReleases,
  type KnownReleases,
  type LiveReader,
  type WaitingRelease,
} from './review/waiting';
export * from './review/review';
export * from './report';
export { block, code, commentName, fenced, fitting, words } from './report/markdown-text';
export { oneLine } from './report/shown-text';
export { timeText, whoText } from './report/words';

// Sources: what is declared, and what was applied.
export { declaredCode, readCode, recordPath, UnusableCode } from './review/sources';
export { readState } from './review/sources';
export { type Code, type CodeRecord, type SourceRecord, type StackState } from './review/sources';

// The review.
export { countsForOutcome, heldTo, isDrift, isPolicyAlone, isRevertible, isWhole, wasLetIn } from './review/outcome';
export { reviewStack, type ReviewOptions } from './review/review-stack';

// Many stacks.
export { causesOf } from './fleet/join';
export type { Cause, Fleet, FleetStack, Shard } from './fleet/fleet';
export { fleetOf, isInShard } from './fleet/join';
export { mergeFleets, OLDEST_HOURS, readFleet, StaleResults } from './fleet/merge';
export { reviewFleet, type FleetTarget, type OpenedStack } from './fleet/review-fleet';

export { CLOCK_TOLERANCE } from './report/words';
// Decisions.
export { changedStacks, type OtherStacks, withTexts } from './accept/readings';
export { acceptFindings, type Accepted } from './accept/accept';
export { compareReviews, jsonOf, readReview, addToHistory, findingSubject } from './review/earlier';
export { recordFindings } from './review/filter';
export { reviewedElsewhere } from './review/earlier';
export { lineDifference, unifiedDiff } from './difference';
export { junitText, type Suite } from './report/junit';
export {
  applyReversal,
  applyReversals,
  describeReversal,
  planRevert,
  type Reversal,
  type RevertContext,
} from './revert/revert';
export { comingAlong } from './revert/deploy-again';
export { deployAgain, environmentsOf } from './revert/deploy-again';
export { recordOf } from './revert/revert';
export { ignoring, type Ignoring } from './review/filter';

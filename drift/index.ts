// The door of drift reviews: what a review finds, how it is made, shown and decided on.
export { knownReleases, newLiveReader, waitingReleases, type LiveReader, type WaitingRelease } from './review/waiting';
export * from './review/review';
export * from './report';
export { block, code, commentName, fenced, fitting, words } from './report/markdown-text';
export { clipped, filePath, oneLine } from './report/shown-text';
export { CLOCK_TOLERANCE, secondText, timeText, whoText } from './report/words';

// Sources: what is declared, and what was applied.
export {
  declaredCode,
  nearestPlace,
  readCode,
  readState,
  recordPath,
  UnusableCode,
  type CodeRecord,
  type SourceRecord,
  type StackState,
} from './review/sources';

// The review.
export { countsForOutcome, heldTo, isDrift, isPolicyAlone, isRevertible, isWhole, wasLetIn } from './review/outcome';
export { sideBySide } from './review/reading';
export { reviewStack, type ReviewOptions } from './review/review-stack';
export { writtenSince } from './review/undeployed';
export { addToHistory, compareReviews, findingSubject, jsonOf, readReview, reviewedElsewhere } from './review/earlier';

// Many stacks.
export {
  asFleet,
  causesOf,
  fleetOf,
  isInShard,
  type FleetCause,
  type Fleet,
  type FleetStack,
  type Shard,
} from './fleet/fleet';
export { mergeFleets, OLDEST_HOURS, readFleet, StaleResults } from './fleet/merge';
export { reviewFleet, type FleetTarget, type OpenedStack } from './fleet/review-fleet';

// Decisions.
export { acceptFindings, type Accepted } from './accept/accept';
export { changedStacks, type OtherStacks } from './accept/readings';
export { ignoring, recordFindings, type Ignoring } from './review/filter';
export { lineDifference, unifiedDiff } from './difference';
export { junitText, type Suite } from './report/junit';
export { comingAlong, deployAgain, environmentsOf, leftToDeploy } from './revert/deploy-again';
export {
  applyReversal,
  applyReversals,
  describeReversal,
  planRevert,
  recordOf,
  undeclaredRecord,
  type Reversal,
  type RevertContext,
} from './revert/revert';

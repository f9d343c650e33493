// The door of drift reviews: what a review finds, how it is made, shown and decided on.
export { knownReleases, type KnownReleases } from './releases/known-releases';
export { newLiveReader, type LiveReader } from './releases/live-reader';
export { waitingReleases, type WaitingRelease } from './releases/waiting-releases';
export * from './review/review';
export * from './report';
export { block, code, commentName, fitting, words } from './report/markdown-text';
export { oneLine } from './report/shown-text';
export { timeText, whoText } from './report/words';
export { plural } from './wording';

// Sources: what is declared, and what was applied.
export { declaredCode, readCode, UnusableCode } from './review/code';
export { readState } from './review/state';
export { type Code, type CodeRecord, type SourceRecord, type StackState } from './review/subjects';

// The review.
export { heldTo, isPolicyAlone, wasLetIn } from './review/outcome';
export { reviewStack, type ReviewOptions } from './review/review-stack';

// Many stacks.
export { causesOf } from './fleet/causes';
export type { Cause, Fleet, FleetStack, Shard } from './fleet/fleet';
export { fleetOf, isInShard } from './fleet/join';
export { mergeFleets, OLDEST_HOURS, readFleet, StaleResults } from './fleet/merge';
export { reviewFleet, type FleetTarget, type OpenedStack } from './fleet/review-fleet';
export { renderFleet, FLEET_FORMATS } from './fleet/report';
export { causeHistory, causeTitle, liveText } from './fleet/words';

export { CLOCK_TOLERANCE } from './report/own-time';
// Decisions.
export { changedStacks, type OtherStacks } from './decide/other-stacks';
export { acceptFindings, type Accepted } from './decide/accept';
export { compareReviews, jsonOf, readReview, addToHistory, findingSubject } from './decide/earlier-reviews';
export { recordFindings } from './decide/recorded';
export { reviewedElsewhere } from './decide/reviewed-elsewhere';
export { unifiedDiff } from './difference';
export {
  applyReversal,
  applyReversals,
  describeReversal,
  planRevert,
  type Reversal,
  type RevertContext,
} from './decide/revert';
export { comingAlong } from './decide/coming-along';
export { deployAgain, environmentsOf } from './decide/deploy-again';
export { recordOf } from './decide/revert-record';
export { ignoring, type Ignoring } from './decide/ignored';

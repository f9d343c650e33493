// The door of history: what releases and deployments of the past say about an environment, and who
// wrote what.
export { isOurs } from '../commit/commit-environment';
export { isTearDown } from '../deploy/tear-down';
export { changedWithin, type ChangedAvailability, type ChangedWithin, type SetDependency } from './changed-within';
export { asOf } from './as-of';
export { carriedOut, changesIn, lastDesignChange, linksIn, newestClosed, nounOf, pathOf, type Runs } from './committed';
export { designReleasesAfter, designReleasesRead, withoutDeployed } from './committed';
export { type CommittedChange, isSameRecord, mayHold, ownUser, signOf, type Cause } from './change';
export {
  causeOf,
  closedAfter,
  isManifest,
  newestDeployed,
  newestDeployedPull,
  newestManifest,
  newestPull,
  newestReleases,
  readRelease,
  WITH_CHANGES,
} from './environment-releases';
export { discardedPull, discardedPullText, releasesNotPulled } from './not-pulled';
export { plannedChanges, platformSwitches, type PlatformSwitch } from './platform-switch';
export { withoutTakenBack } from './taken-back';
export { lastWriter, writesOf } from '../verbs/live';

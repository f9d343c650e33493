// The door of history: what releases and deployments of the past say about an environment.
export { changedWithin, type ChangedAvailability, type DeletedPlatform, type SetDependency } from './changed-within';
export { asOf, type AsOf } from './as-of';
export { designReleasesAfter, designReleasesRead, nounOf } from './committed';
export { isManifest, newestManifest, newestPull } from './environment-releases';
export { platformSwitches, type PlatformSwitch } from './platform-switch';
export { ownUser } from './user';

// The door of history: what releases and deployments of the past say about an environment.
export {
  changedAvailability,
  deletedPlatforms,
  type ChangedAvailability,
  type DeletedPlatform,
} from './changed-availability';
export { platformSwitches, type PlatformSwitch } from './platform-switch';
export { changedDependencies, type SetDependency } from './set-dependencies';
export { ownUser } from './user';

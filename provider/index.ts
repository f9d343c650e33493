// The door of the provider: kinds, their rules, and the lifecycle they share.
export { cacheGets } from './session/client';
export * from './catalogue';
export { markedSecret, secretIn } from './lifecycle/registration';
export { addressToCome } from './deploy/checks';
export { LifecycleError } from './errors';
export * from './field';
export * from './functions';
export { formatId, parentAddress, parseId, pathAddress, scopeOfId, componentOf, platformOf } from './address/ids';
export { idleSettings } from './check';
export * from './import';
export { argumentsInFile, kindInFile, placesInFile } from './kinds';
export * from './kind';
export * from './kinds';
export { isActivePrimary, type DecidingValues } from './kinds/environment/cloud-links';
export { KEPT, SERVICE, stateRecord } from './lifecycle/leaving';
export { scaleIn } from './kinds/environment/environment-platform/scaling';
export * from './lifecycle';
export { masked, textsIn, inState } from './secrets/mask';
export { memberPath, parseMemberPath } from './address/member-path';
export { OUR_MARK } from './commit/commit-environment';
export { platformSwitches, type PlatformSwitch } from './history/platform-switch';
export {
  changedAvailability,
  deletedPlatforms,
  type ChangedAvailability,
  type DeletedPlatform,
} from './history/changed-availability';
export { changedDependencies, type SetDependency } from './history/set-dependencies';
export { deploymentProgress, type WorkOrder } from './deploy/follow';
export { unfinishedText } from './kinds/environment/deployment';
export {
  failedActions,
  isRunning,
  procedureDefinition,
  procedureLine,
  runnableOn,
} from './kinds/environment/procedure';
export * from './secrets/names';
export * from './values/text';
export { writersOf } from './lifecycle/own-writes';
export * from './values/plain';
export { IGNORED, ignoredPaths, type Ignored } from './lifecycle/ignored';
export * from './values/property-path';
export { matchesAny, patterns } from './values/text';
export { readableSecret } from './secrets/attributes';
export * from './lifecycle/registration';
export { oncePer, textAt } from './values/plain';
export { isReference } from './lifecycle/refer';
export { declaredValues } from './values/wire';
export * from './check';
export * from './secrets/attributes';
export { ownUser } from './history/user';
export { assignedSecretIn, holdsNamedSecret, mayHoldSecret, objectInJson, secretInText } from './secrets/forms';
export { secretWrite, serviceStamp, type SecretWrite } from './secrets/writes';
export * from './session';
export {
  inheritedValues,
  isAcross,
  predecessorsOf,
  settle,
  hiddenName,
  settledNames,
  withOwnNames,
  settlingRules,
  surroundingsOf,
  withSettledUnknown,
} from './settled';
export { unknownSettings, unknownSettingWords } from './session/settings';
export { pulumiWords } from './session/settings';
export {
  catalogueLevel,
  resolveSettings,
  serviceIdentity,
  type Configuration,
  type Resolved,
  type ServiceIdentity,
  type Settings,
} from './session/settings';
export { shellWord } from './values/text';
export { settingsBelow, type GivenRecord, type RecordedValues, type SetValue } from './import/settings-below';
export * from './values/shape';
export type { State } from './lifecycle/state';
export { timeoutArgument } from './lifecycle/registration';
export * from './values/plain';
export { writesOf } from './verbs/live';
export type { Live } from './address/live';
export type { StateRecord, Verbs, Work, UpdateWork } from './kind';

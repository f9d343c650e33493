// The door of the provider: kinds, their rules, and the lifecycle they share.
export { cacheGets } from './session/client';
export * from './catalogue';
export { markedSecret, secretIn } from './lifecycle/registration';
export { LifecycleError } from './errors';
export * from './field';
export * from './functions';
export { formatId, parentAddress, parseId, pathAddress, scopeOfId } from './address/ids';
export { idleSettings } from './check';
export * from './import';
export { argumentsInFile, kindInFile, placesInFile } from './kinds';
export * from './kind';
export * from './kinds';
export { isActivePrimary, type DecidingValues } from './kinds/environment/cloud-link';
export { KEPT, SERVICE, stateRecord } from './lifecycle/leaving';
export { scaleIn } from './kinds/environment-platform/scaling';
export * from './lifecycle';
export { masked, textsIn } from './secrets/mask';
export { memberPath, parseMemberPath } from './address/member-path';
export { componentOf, platformOf } from './address/namespace';
export { OUR_MARK } from './commit/commit-environment';
export { platformSwitches, type PlatformSwitch } from './history/platform-switch';
export {
  changedAvailability,
  deletedPlatforms,
  type ChangedAvailability,
  type DeletedPlatform,
} from './history/changed-availability';
export { changedDependencies, type SetDependency } from './history/set-dependencies';
export { unfinishedText } from './kinds/deployment/plan';
export * from './secrets/names';
export * from './values/nearest';
export { writersOf } from './lifecycle/own-writes';
export * from './values/plain';
export { IGNORED, ignoredPaths, type Ignored } from './lifecycle/ignored';
export * from './values/property-path';
export { matchesAny, patterns } from './values/patterns';
export { readableSecret } from './secrets/attributes';
export * from './lifecycle/registration';
export { oncePer } from './values/once-per';
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
export { shellWord } from './values/shell-word';
export { inState } from './secrets/shown-value';
export { settingsBelow, type GivenRecord, type RecordedValues, type SetValue } from './import/settings-below';
export * from './values/shape';
export type { State } from './lifecycle/state';
export { textAt } from './values/plain';
export { timeoutArgument } from './lifecycle/registration';
export * from './values/plain';
export { writesOf } from './verbs/live';
export type { Live } from './address/live';
export type { StateRecord, Verbs, Work, UpdateWork } from './model';

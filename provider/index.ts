// The door of the provider: kinds, their rules, and the lifecycle they share.
// It must not know the SDK's classes or the YAML language.
export { cacheGets } from './api-layers';
export * from './catalogue';
export * from './clear-secrets';
export { markedSecret, secretIn } from './engine-secret';
export { LifecycleError } from './errors';
export * from './field';
export * from './functions';
export { formatId, parentAddress, parseId, pathAddress, scopeOfId } from './ids';
export { idleSettings } from './idle';
export * from './import';
export { argumentsInFile, kindInFile, placesInFile, recordKeys } from './in-file';
export * from './kind';
export * from './kinds';
export { isActivePrimary, type DecidingValues } from './kinds/environment/cloud-link';
export { KEPT, SERVICE, stateRecord } from './leaving';
export { scaleIn } from './kinds/environment-platform/scaling';
export * from './lifecycle';
export { masked, textsIn } from './mask';
export { memberPath, parseMemberPath } from './member-path';
export { OUR_MARK } from './releases/commit-environment';
export { platformSwitches, type PlatformSwitch } from './releases/platform-switch';
export { changedAvailability, type ChangedAvailability } from './releases/changed-availability';
export { deletedPlatforms, type DeletedPlatform } from './releases/deleted-platforms';
export { changedDependencies, type SetDependency } from './releases/set-dependencies';
export { unfinishedText } from './kinds/deployment/plan';
export * from './named-secrets';
export * from './nearest';
export { writersOf } from './own-writes';
export * from './plain-object';
export { IGNORED, ignoredPaths, type Ignored } from './ignored';
export * from './property-path';
export { matchesAny, patterns } from './patterns';
export { readableSecret } from './readable-secret';
export * from './registration';
export { oncePer } from './once-per';
export { isReference } from './refer';
export { declaredValues } from './wire-texts';
export * from './rules';
export * from './secret-assignments';
export * from './secret-attributes';
export * from './secrets-in-text';
export { ownUser, secretWrite, serviceStamp, type SecretWrite } from './secret-writes';
export * from './session';
export {
  inheritedValues,
  isAcross,
  predecessorsOf,
  settle,
  settledNames,
  settlingRules,
  surroundingsOf,
  withSettledUnknown,
} from './settled';
export { unknownSettings, unknownSettingWords } from './setting-names';
export { pulumiWords } from './setting-words';
export {
  catalogueLevel,
  resolveSettings,
  serviceIdentity,
  type Configuration,
  type Resolved,
  type ServiceIdentity,
  type Settings,
} from './settings';
export { shellWord } from './shell-word';
export { inState } from './shown-value';
export { settingsBelow, type GivenRecord, type RecordedValues, type SetValue } from './settings-below';
export * from './shape';
export type { State } from './state';
export { textAt } from './text-at';
export { timeoutArgument } from './timeouts';
export * from './unknown';
export { writesOf } from './verbs/live';
export type { Live } from './live';
export type { StateRecord, Verbs, Work, UpdateWork } from './model';

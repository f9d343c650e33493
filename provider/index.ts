// The door of the provider: kinds of resources, and what can be said of records without the
// service. Other doors: `provider/kinds` is the list of kinds, `provider/lifecycle` works with the
// service.
export {
  componentOf,
  declaredName,
  formatId,
  isWithin,
  parentAddress,
  parseId,
  recordsAbove,
  pathAddress,
  platformOf,
  recordBy,
  scopeOfId,
} from './address/ids';
export { memberPath, parseMemberPath } from './address/member-path';
export { check, diff, idleSettings, type Inputs } from './lifecycle/check';
export { LifecycleError } from './errors';
export { camelCase, snakeCase, type Field } from './values/field';
export {
  addressNames,
  addressOf,
  argumentFor,
  argumentNames,
  COMPUTED,
  distinguishedBy,
  everyAddressName,
  fieldOf,
  namesBeside,
  openName,
  scopeAt,
  scopeNaming,
  scopesOf,
  type ComesAfter,
  type DeclaredRecord,
  type Derive,
  type Fact,
  type Kind,
  type List,
  type Session,
  type SettledBy,
  type StateRecord,
} from './kind';
export { IGNORED, type Ignored, OPTIONS } from './lifecycle/ignored';
export { KEPT, SERVICE, stateRecord } from './lifecycle/leaving';
export { isReference } from './lifecycle/refer';
export {
  dynamicType,
  kindToken,
  markedSecret,
  parseUrn,
  PLACES,
  pluginType,
  providerText,
  secretIn,
  secretNames,
  timeoutArgument,
} from './lifecycle/registration';

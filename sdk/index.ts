// The door of the SDK, `pulumi-oneops`. Client and YAML reader are loaded when they are used.
export { declareResource } from './registration';
export * from './functions';
export { hold } from './hold';
export { type FunctionOptions, type FunctionOutputOptions, invokeOutput } from './invoke';
export { chooseFace, Provider, type ResourceFace } from './provider';
export type { ProviderArgs } from './provider-args';
export * from './resources';
export {
  type CloudHandle,
  type ComponentHandle,
  type EnvironmentComponentHandle,
  type EnvironmentHandle,
  type EnvironmentPlatformHandle,
  type Handles,
  type PlatformHandle,
  type ResourceClasses,
  stack,
  type Stack,
  type StackHandles,
  type StackOptions,
} from './stack';

// The door of the SDK: what a program imports as `pulumi-oneops`.
// It must not load the API client, nor the SDK's root, nor the YAML reader before it is requested: a program pays for what it uses.
export { declareResource, deferredNames } from './declare';
export * from './functions';
export { hold } from './hold';
export { invokeOutput, type FunctionOptions, type FunctionOutputOptions } from './invoke';
export { Provider, type ProviderArgs } from './provider';
export { chooseFace, type ResourceFace } from './resource-face';
export * from './resources';
export {
  stack,
  type CloudHandle,
  type ComponentHandle,
  type EnvironmentComponentHandle,
  type EnvironmentHandle,
  type EnvironmentPlatformHandle,
  type Handles,
  type PlatformHandle,
  type ResourceClasses,
  type Stack,
  type StackHandles,
  type StackOptions,
} from './stack';

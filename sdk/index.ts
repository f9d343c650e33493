// The door of the SDK: what a program imports as `pulumi-oneops`.
// It must not load the API client, nor the SDK's root: a program pays for what it uses (architecture §1).
export { Provider, type ProviderArgs } from './provider';
export * from './resources';

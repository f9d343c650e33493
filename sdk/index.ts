// The door of the SDK: what a program imports as `pulumi-oneops`.
// It must not load the API client, nor the SDK's root, nor the YAML reader before it is asked for: a program pays for what it uses.
import { createRequire } from 'node:module';
import type * as stacks from '../stack';

export { declareResource } from './declare';
export { deferredNames } from './members';
export { Provider, type ProviderArgs } from './provider';
export * from './resources';
export type { Stack } from '../stack';

/**
 * Declares everything in a stack file, or in several that describe one assembly; answers its resources and outputs. Paths start from the
 * working directory. Throws a RunError with all findings before anything is declared.
 */
export function stack(...files: [string, ...string[]]): stacks.Stack {
  return (createRequire(__filename)('../stack') as typeof stacks).stack(...files);
}

// `stack('oneops.yaml')`: a stack file's resources beside a program's own.
// It must not load the YAML reader before it is called, nor show its types: public types mention none of our own, because a program's compiler would check those too.
import type { Output } from '@pulumi/pulumi/output';
import { createRequire } from 'node:module';
import type * as resources from './resources';

/** Resource classes by kind. */
export interface ResourceClasses {
  readonly Assembly: resources.Assembly;
  readonly Platform: resources.Platform;
  readonly Component: resources.Component;
  readonly Attachment: resources.Attachment;
  readonly Monitor: resources.Monitor;
  readonly Variable: resources.Variable;
  readonly DesignRelease: resources.DesignRelease;
  readonly Environment: resources.Environment;
  readonly EnvironmentPlatform: resources.EnvironmentPlatform;
  readonly CloudConfiguration: resources.CloudConfiguration;
  readonly Relay: resources.Relay;
  readonly Deployment: resources.Deployment;
  readonly Cloud: resources.Cloud;
  readonly CloudService: resources.CloudService;
  readonly Procedure: resources.Procedure;
  readonly InstanceReplacement: resources.InstanceReplacement;
}

/** What a stack file declared. */
export interface Stack {
  /**
   * A resource by kind and logical name, to be a parent of the program's own: `resource('Component', 'web/deployer')`. Throws RunError when
   * the file declares none.
   */
  resource<K extends keyof ResourceClasses>(kind: K, logicalName: string): ResourceClasses[K];
  /** The file's `outputs`. */
  readonly outputs: { readonly [name: string]: Output<unknown> };
}

/** What the YAML stack's door offers for it. */
interface StackReader {
  stack(...files: [string, ...string[]]): Stack;
}

/**
 * Declares everything in a stack file, or in several that describe one assembly; answers its resources and outputs. Paths start from the
 * working directory. Throws RunError with all findings before anything is declared.
 */
export function stack(...files: [string, ...string[]]): Stack {
  return (createRequire(__filename)('../stack') as StackReader).stack(...files);
}

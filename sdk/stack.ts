// `stack('oneops.yaml')`: a stack file's resources next to a program's own. The YAML reader is
// loaded when it is called, and its types are not shown: a program's compiler would check them.
import type { Input, Output } from '@pulumi/pulumi/output';
import { createRequire } from 'node:module';
import type * as resources from './resources';

type Classes = typeof resources;

/** Resources by the name of their class. A file declares no teams. */
export type ResourceClasses = { readonly [K in Exclude<keyof Classes, 'Team'>]: InstanceType<Classes[K]> };

/** Handles by name. Another name throws RunError when it is read. */
export interface Handles<T> {
  readonly [name: string]: T;
}

/** A component of the design, with what is declared in it. */
export interface ComponentHandle extends resources.Component {
  readonly attachments: Handles<resources.Attachment>;
  readonly monitors: Handles<resources.Monitor>;
}

/** A platform of the design, with what is declared in it. */
export interface PlatformHandle extends resources.Platform {
  readonly components: Handles<ComponentHandle>;
  readonly variables: Handles<resources.Variable>;
}

/** What differs for one component in one environment. */
export interface EnvironmentComponentHandle extends resources.EnvironmentComponent {
  readonly attachments: Handles<resources.EnvironmentAttachment>;
  readonly monitors: Handles<resources.Monitor>;
}

/** What differs for one platform in one environment. */
export interface EnvironmentPlatformHandle extends resources.EnvironmentPlatform {
  readonly components: Handles<EnvironmentComponentHandle>;
  readonly variables: Handles<resources.Variable>;
  readonly clouds: Handles<resources.CloudConfiguration>;
}

/** An environment, with what is declared in it. */
export interface EnvironmentHandle extends resources.Environment {
  readonly platforms: Handles<EnvironmentPlatformHandle>;
  readonly variables: Handles<resources.Variable>;
  readonly relays: Handles<resources.Relay>;
  readonly procedures: Handles<resources.Procedure>;
  readonly replacements: Handles<resources.InstanceReplacement>;
  /** Not there with `deploy: false`. */
  readonly deployment: resources.Deployment;
}

/** A cloud of the organization, with its services. */
export interface CloudHandle extends resources.Cloud {
  readonly services: Handles<resources.CloudService>;
}

/** The resources of a stack file by their paths in it: `platforms.web.components.tomcat`. */
export interface StackHandles {
  readonly assembly: resources.Assembly;
  readonly design: resources.DesignRelease;
  readonly clouds: Handles<CloudHandle>;
  readonly variables: Handles<resources.Variable>;
  readonly platforms: Handles<PlatformHandle>;
  readonly environments: Handles<EnvironmentHandle>;
}

export interface StackOptions {
  /**
   * Values for the file's `config`, over those of the stack's configuration. An output counts as a
   * secret, and cannot decide what the file declares. Other values are secret if the file says so.
   */
  readonly config?: { readonly [name: string]: Input<unknown> };
  /** Name of the overlay, instead of the one for this stack. */
  readonly overlay?: string;
}

export interface Stack extends StackHandles {
  /** `resource('Component', 'web/deployer')`, as a parent. Throws RunError without one. */
  resource<K extends keyof ResourceClasses>(kind: K, logicalName: string): ResourceClasses[K];
  readonly outputs: { readonly [name: string]: Output<unknown> };
}

/** Files, `oneops.yaml` if none is named, and options at the end. */
type StackWords = readonly string[] | readonly [...string[], StackOptions];

/** What the YAML stack's door offers for it. */
interface StackReader {
  declareStack(...words: StackWords): Stack;
}

/**
 * Declares everything in one or several stack files of an assembly: `stack('oneops.yaml', {
 * overlay: 'prod' })`. Returns its resources and outputs. Paths start from the working directory.
 * Throws RunError with all findings before anything is declared.
 */
export function stack(...words: StackWords): Stack {
  return (createRequire(__filename)('../stack/run/program') as StackReader).declareStack(...words);
}

// The resource classes of pulumi-oneops. Written by sdk/generate from the kinds (npm run generate): do not edit.
import type { Input, Output } from '@pulumi/pulumi/output';
import { CustomResource, type CustomResourceOptions } from '@pulumi/pulumi/resource';
import { hold } from './hold';
import { announce, companionOptions, registration } from './registration';

/** Entry of a map of outputs; see {@link CloudLinkArgs}. */
export interface CloudLink {
  /** 1 primary, 2 secondary. */
  readonly priority?: number;
  /** Share of the wanted instances, in percent. */
  readonly pctScale?: number;
  /** Order among clouds in a deployment, ascending. */
  readonly dpmtOrder?: number;
  /** `active`, `inactive` (left as it is) or `offline` (instances are deleted). */
  readonly adminstatus?: 'active' | 'inactive' | 'offline';
}

/** Entry of a map of arguments; what is left out has the service's value. */
export interface CloudLinkArgs {
  /** 1 primary, 2 secondary. */
  priority?: Input<number | undefined>;
  /** Share of the wanted instances, in percent. */
  pctScale?: Input<number | undefined>;
  /** Order among clouds in a deployment, ascending. */
  dpmtOrder?: Input<number | undefined>;
  /** `active`, `inactive` (left as it is) or `offline` (instances are deleted). */
  adminstatus?: Input<'active' | 'inactive' | 'offline' | undefined>;
}

/** Entry of a map of outputs; see {@link ScalingArgs}. */
export interface Scaling {
  /** Desired number of instances on each cloud. */
  readonly current?: number;
  /** Lower limit for scaling by load. */
  readonly min?: number;
  /** Upper limit for scaling by load. */
  readonly max?: number;
  /** Instances that scaling by load adds in one step. */
  readonly stepUp?: number;
  /** Instances that scaling by load removes in one step. */
  readonly stepDown?: number;
  /** Share of the instances that one deployment changes, in percent. */
  readonly pctDpmt?: number;
}

/** Entry of a map of arguments; what is left out has the service's value. */
export interface ScalingArgs {
  /** Desired number of instances on each cloud. */
  current?: Input<number | undefined>;
  /** Lower limit for scaling by load. */
  min?: Input<number | undefined>;
  /** Upper limit for scaling by load. */
  max?: Input<number | undefined>;
  /** Instances that scaling by load adds in one step. */
  stepUp?: Input<number | undefined>;
  /** Instances that scaling by load removes in one step. */
  stepDown?: Input<number | undefined>;
  /** Share of the instances that one deployment changes, in percent. */
  pctDpmt?: Input<number | undefined>;
}

/** Entry of a map of outputs; see {@link EnvironmentCheckArgs}. */
export interface EnvironmentCheck {
  /** Address to read. It can contain the addresses of the environment's own platforms. */
  readonly url?: string;
  /** Status of the answer. Default 200. */
  readonly status?: number;
  /** Text that the answer contains. */
  readonly contains?: string;
  /** How long the check is repeated until it passes: `30s`, `2m`. Default `1m`. */
  readonly within?: string;
}

/** Entry of a map of arguments; what is left out has the service's value. */
export interface EnvironmentCheckArgs {
  /** Address to read. It can contain the addresses of the environment's own platforms. */
  url?: Input<string | undefined>;
  /** Status of the answer. Default 200. */
  status?: Input<number | undefined>;
  /** Text that the answer contains. */
  contains?: Input<string | undefined>;
  /** How long the check is repeated until it passes: `30s`, `2m`. Default `1m`. */
  within?: Input<string | undefined>;
}

/** An application: its design, and the environments it is deployed to. */
export class Assembly extends CustomResource {
  /** Name of the assembly; default the resource name. */
  declare readonly name: Output<string>;
  /** What the application is. */
  declare readonly description: Output<string | undefined>;
  /** E-mail address of its owner. Optional in the documented dialect only. */
  declare readonly owner: Output<string | undefined>;
  /** Free text on the record. */
  declare readonly comments: Output<string | undefined>;
  /** Words by key, for reports. */
  declare readonly tags: Output<{ readonly [key: string]: string } | undefined>;
  /** What to do, by default, when another user's work is in the way of the assembly. */
  declare readonly whenBusy: Output<'fail' | 'wait' | 'proceed' | undefined>;
  /** Refer to an assembly that another stack owns: nothing of it is written or deleted. */
  declare readonly existing: Output<boolean | undefined>;
  /** Take over an assembly of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args?: AssemblyArgs, options?: CustomResourceOptions) {
    super(...registration('Assembly', name, args, options));
    announce(this, 'Assembly', { name, args, options });
    if (options?.id === undefined && options?.urn === undefined) new DesignRelease(name, { assembly: this }, companionOptions(options));
  }

  /**
   * Keeps the assembly's design release and deployments waiting for more declarations, until the
   * returned function is called. Needed only by programs that wait (`await`) between their
   * declarations.
   */
  hold(): () => void {
    return hold();
  }
}

/** Arguments of {@link Assembly}. */
export interface AssemblyArgs {
  /** Name of the assembly; default the resource name. */
  name?: Input<string | undefined>;
  /** What the application is. */
  description?: Input<string | undefined>;
  /** E-mail address of its owner. Optional in the documented dialect only. */
  owner?: Input<string | undefined>;
  /** Free text on the record. */
  comments?: Input<string | undefined>;
  /** Words by key, for reports. */
  tags?: Input<{ readonly [key: string]: Input<string> } | undefined>;
  /** What to do, by default, when another user's work is in the way of the assembly. */
  whenBusy?: Input<'fail' | 'wait' | 'proceed' | undefined>;
  /** Refer to an assembly that another stack owns: nothing of it is written or deleted. */
  existing?: Input<boolean | undefined>;
  /** Take over an assembly of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A part of the design: a pack's components, ready to be configured. */
export class Platform extends CustomResource {
  /** The assembly it belongs to: the resource, or its name. */
  declare readonly assembly: Output<string>;
  /** Name of the platform; default the resource name. */
  declare readonly name: Output<string>;
  /** Register the pack comes from. A change replaces the resource. */
  declare readonly source: Output<string>;
  /** Pack: `tomcat`, `mysql`, `custom`. A change replaces the resource. */
  declare readonly pack: Output<string>;
  /** Version of the pack. */
  declare readonly version: Output<string>;
  /** Major version of the platform itself. Default `1`. A change replaces the resource. */
  declare readonly majorVersion: Output<string | undefined>;
  /** What the platform is for. */
  declare readonly description: Output<string | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Platforms it uses; they start before it does. Default `[]`. */
  declare readonly links: Output<readonly string[] | undefined>;
  /** Refer to a platform that another stack owns: nothing of it is written or deleted. */
  declare readonly existing: Output<boolean | undefined>;
  /** Take over a platform of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: PlatformArgs, options?: CustomResourceOptions) {
    super(...registration('Platform', name, args, options));
    announce(this, 'Platform', { name, args, options });
  }
}

/** Arguments of {@link Platform}. */
export interface PlatformArgs {
  /** The assembly it belongs to: the resource, or its name. */
  assembly: Input<string> | Assembly;
  /** Name of the platform; default the resource name. */
  name?: Input<string | undefined>;
  /** Register the pack comes from. A change replaces the resource. */
  source: Input<string>;
  /** Pack: `tomcat`, `mysql`, `custom`. A change replaces the resource. */
  pack: Input<string>;
  /** Version of the pack. */
  version: Input<string>;
  /** Major version of the platform itself. Default `1`. A change replaces the resource. */
  majorVersion?: Input<string | undefined>;
  /** What the platform is for. */
  description?: Input<string | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Platforms it uses; they start before it does. Default `[]`. */
  links?: readonly (Input<string> | Platform)[] | Input<readonly string[] | undefined>;
  /** Refer to a platform that another stack owns: nothing of it is written or deleted. */
  existing?: Input<boolean | undefined>;
  /** Take over a platform of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A part of a platform: a machine, a user, a server, a volume. */
export class Component extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** Name of the component; default the resource name. */
  declare readonly name: Output<string>;
  /** The pack's template it is made from: `compute`, `user`, `tomcat`. A change replaces the resource. */
  declare readonly type: Output<string>;
  /** Attributes of its class, by the service's names. Others keep the template's value. */
  declare readonly attributes: Output<{ readonly [attribute: string]: unknown } | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Components of the same template it depends on, by name. Default `[]`. */
  declare readonly depends: Output<readonly string[] | undefined>;
  /** Take over a component of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: ComponentArgs, options?: CustomResourceOptions) {
    super(...registration('Component', name, args, options));
    announce(this, 'Component', { name, args, options });
  }
}

/** Arguments of {@link Component}. */
export interface ComponentArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** Name of the component; default the resource name. */
  name?: Input<string | undefined>;
  /** The pack's template it is made from: `compute`, `user`, `tomcat`. A change replaces the resource. */
  type: Input<string>;
  /** Attributes of its class, by the service's names. Others keep the template's value. */
  attributes?: Input<{ readonly [attribute: string]: unknown } | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Components of the same template it depends on, by name. Default `[]`. */
  depends?: readonly (Input<string> | Component)[] | Input<readonly string[] | undefined>;
  /** Take over a component of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A file, certificate or script laid onto a design component. */
export class Attachment extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The platform it is in; follows from the nearer resource when that is given as an object. */
  declare readonly platform: Output<string>;
  /** The component it belongs to: the resource, or its name. */
  declare readonly component: Output<string>;
  /** Name of the attachment; default the resource name. */
  declare readonly name: Output<string>;
  /** Where the content is saved on the machine. Default `/tmp/download_file`. */
  declare readonly path: Output<string | undefined>;
  /** The content itself; wins over `source`. */
  declare readonly content: Output<string | undefined>;
  /** URL the content is downloaded from. */
  declare readonly source: Output<string | undefined>;
  /** HTTP headers of the download. */
  declare readonly headers: Output<{ readonly [key: string]: string } | undefined>;
  /** User name for a protected source. */
  declare readonly basicAuthUser: Output<string | undefined>;
  /** Password for a protected source. Secret. */
  declare readonly basicAuthPassword: Output<string | undefined>;
  /** Checksum compared after the download. */
  declare readonly checksum: Output<string | undefined>;
  /** Command run after the content is saved. */
  declare readonly execCmd: Output<string | undefined>;
  /** Lifecycle events that run the command. Default `before-add`. */
  declare readonly runsOn: Output<readonly ('before-add' | 'after-add' | 'before-update' | 'after-update' | 'before-delete' | 'after-delete' | 'before-replace' | 'after-replace' | 'on-demand')[] | undefined>;
  /** Order among attachments of the same event, ascending. Default `1`. */
  declare readonly priority: Output<number | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Take over an attachment of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: AttachmentArgs, options?: CustomResourceOptions) {
    super(...registration('Attachment', name, args, options));
    announce(this, 'Attachment', { name, args, options });
  }
}

/** Arguments of {@link Attachment}. */
export interface AttachmentArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The platform it is in; follows from the nearer resource when that is given as an object. */
  platform?: Input<string | undefined> | Platform;
  /** The component it belongs to: the resource, or its name. */
  component: Input<string> | Component;
  /** Name of the attachment; default the resource name. */
  name?: Input<string | undefined>;
  /** Where the content is saved on the machine. Default `/tmp/download_file`. */
  path?: Input<string | undefined>;
  /** The content itself; wins over `source`. */
  content?: Input<string | undefined>;
  /** URL the content is downloaded from. */
  source?: Input<string | undefined>;
  /** HTTP headers of the download. */
  headers?: Input<{ readonly [key: string]: Input<string> } | undefined>;
  /** User name for a protected source. */
  basicAuthUser?: Input<string | undefined>;
  /** Password for a protected source. Secret. */
  basicAuthPassword?: Input<string | undefined>;
  /** Checksum compared after the download. */
  checksum?: Input<string | undefined>;
  /** Command run after the content is saved. */
  execCmd?: Input<string | undefined>;
  /** Lifecycle events that run the command. Default `before-add`. */
  runsOn?: Input<readonly Input<'before-add' | 'after-add' | 'before-update' | 'after-update' | 'before-delete' | 'after-delete' | 'before-replace' | 'after-replace' | 'on-demand'>[] | undefined>;
  /** Order among attachments of the same event, ascending. Default `1`. */
  priority?: Input<number | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Take over an attachment of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A check that runs on the instances of a component, with the thresholds at which it reports. A monitor of the pack is called `<platform>-<component>-<monitor>`, for example `web-os-cpu`: it is updated, and given back instead of deleted. In an environment: the values that differ from the monitor of this name in the design. */
export class Monitor extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The platform it belongs to: the resource, or its name. It is in one of assembly, platform, component, environment: give the nearest, or platform and component and environment. */
  declare readonly platform: Output<string>;
  /** The component it belongs to: the resource, or its name. It is in one of assembly, platform, component, environment: give the nearest, or platform and component and environment. */
  declare readonly component: Output<string>;
  /** The environment it belongs to: the resource, or its name. It is in one of assembly, platform, component, environment: give the nearest, or platform and component and environment. */
  declare readonly environment: Output<string | undefined>;
  /** Name of the monitor; default the resource name. */
  declare readonly name: Output<string>;
  /** What is checked. */
  declare readonly description: Output<string | undefined>;
  /** Command of the check with its arguments: `check_http!-p 8080`. */
  declare readonly cmd: Output<string | undefined>;
  /** Options of the command, by name. */
  declare readonly cmdOptions: Output<{ readonly [key: string]: string } | undefined>;
  /** Command line on the instance. */
  declare readonly cmdLine: Output<string | undefined>;
  /** What is measured, by name: unit and description of each. */
  declare readonly metrics: Output<{ readonly [key: string]: { readonly [attribute: string]: unknown } } | undefined>;
  /** Events by name: the metric, and what triggers and resets each. */
  declare readonly thresholds: Output<{ readonly [key: string]: { readonly [attribute: string]: unknown } } | undefined>;
  /** Seconds between two checks. Default `60`. */
  declare readonly sampleInterval: Output<number | undefined>;
  /** Whether missing samples make an instance unhealthy. Default `false`. */
  declare readonly heartbeat: Output<boolean | undefined>;
  /** Minutes without samples after which an instance is unhealthy. Default `3`. */
  declare readonly duration: Output<number | undefined>;
  /** How the chart of the measurements is drawn, for example `min` and `unit`. */
  declare readonly chart: Output<{ readonly [key: string]: string } | undefined>;
  /** Whether a user created it, and not a pack. Default `true`. */
  declare readonly custom: Output<boolean | undefined>;
  /** Whether the check runs. Default `true`. */
  declare readonly enable: Output<boolean | undefined>;
  /** Take over a monitor of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: MonitorArgs, options?: CustomResourceOptions) {
    super(...registration('Monitor', name, args, options));
    announce(this, 'Monitor', { name, args, options });
  }
}

/** Arguments of {@link Monitor}. */
export interface MonitorArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The platform it belongs to: the resource, or its name. It is in one of assembly, platform, component, environment: give the nearest, or platform and component and environment. */
  platform?: Input<string | undefined> | Platform;
  /** The component it belongs to: the resource, or its name. It is in one of assembly, platform, component, environment: give the nearest, or platform and component and environment. */
  component: Input<string> | Component;
  /** The environment it belongs to: the resource, or its name. It is in one of assembly, platform, component, environment: give the nearest, or platform and component and environment. */
  environment?: Input<string | undefined> | Environment;
  /** Name of the monitor; default the resource name. */
  name?: Input<string | undefined>;
  /** What is checked. */
  description?: Input<string | undefined>;
  /** Command of the check with its arguments: `check_http!-p 8080`. */
  cmd?: Input<string | undefined>;
  /** Options of the command, by name. */
  cmdOptions?: Input<{ readonly [key: string]: Input<string> } | undefined>;
  /** Command line on the instance. */
  cmdLine?: Input<string | undefined>;
  /** What is measured, by name: unit and description of each. */
  metrics?: Input<{ readonly [key: string]: Input<{ readonly [attribute: string]: unknown }> } | undefined>;
  /** Events by name: the metric, and what triggers and resets each. */
  thresholds?: Input<{ readonly [key: string]: Input<{ readonly [attribute: string]: unknown }> } | undefined>;
  /** Seconds between two checks. Default `60`. */
  sampleInterval?: Input<number | undefined>;
  /** Whether missing samples make an instance unhealthy. Default `false`. */
  heartbeat?: Input<boolean | undefined>;
  /** Minutes without samples after which an instance is unhealthy. Default `3`. */
  duration?: Input<number | undefined>;
  /** How the chart of the measurements is drawn, for example `min` and `unit`. */
  chart?: Input<{ readonly [key: string]: Input<string> } | undefined>;
  /** Whether a user created it, and not a pack. Default `true`. */
  custom?: Input<boolean | undefined>;
  /** Whether the check runs. Default `true`. */
  enable?: Input<boolean | undefined>;
  /** Take over a monitor of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A value that attributes refer to: `$OO_GLOBAL{NAME}` of the assembly, `$OO_LOCAL{NAME}` of the platform. In an environment: another value for the variable of this name in the design. */
export class Variable extends CustomResource {
  /** The assembly it belongs to: the resource, or its name. It is in one of assembly, platform, environment: give the nearest, or platform and environment. */
  declare readonly assembly: Output<string>;
  /** The platform it belongs to: the resource, or its name. It is in one of assembly, platform, environment: give the nearest, or platform and environment. */
  declare readonly platform: Output<string | undefined>;
  /** The environment it belongs to: the resource, or its name. It is in one of assembly, platform, environment: give the nearest, or platform and environment. */
  declare readonly environment: Output<string | undefined>;
  /** Name of the variable; default the resource name. */
  declare readonly name: Output<string>;
  /** The value in clear; does not begin with white space. A secret is an `encryptedValue`. */
  declare readonly value: Output<string | undefined>;
  /** The value of a secret variable, in place of `value`. Secret. */
  declare readonly encryptedValue: Output<string | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Take over a variable of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args?: VariableArgs, options?: CustomResourceOptions) {
    super(...registration('Variable', name, args, options));
    announce(this, 'Variable', { name, args, options });
  }
}

/** Arguments of {@link Variable}. */
export interface VariableArgs {
  /** The assembly it belongs to: the resource, or its name. It is in one of assembly, platform, environment: give the nearest, or platform and environment. */
  assembly?: Input<string | undefined> | Assembly;
  /** The platform it belongs to: the resource, or its name. It is in one of assembly, platform, environment: give the nearest, or platform and environment. */
  platform?: Input<string | undefined> | Platform;
  /** The environment it belongs to: the resource, or its name. It is in one of assembly, platform, environment: give the nearest, or platform and environment. */
  environment?: Input<string | undefined> | Environment;
  /** Name of the variable; default the resource name. */
  name?: Input<string | undefined>;
  /** The value in clear; does not begin with white space. A secret is an `encryptedValue`. */
  value?: Input<string | undefined>;
  /** The value of a secret variable, in place of `value`. Secret. */
  encryptedValue?: Input<string | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Take over a variable of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** The commit of an assembly's design: after every design resource, before every environment. */
export class DesignRelease extends CustomResource {
  /** The assembly it belongs to: the resource, or its name. */
  declare readonly assembly: Output<string>;
  /** Filled in: the stamps of our last writes. Another text has to be committed. */
  declare readonly stamps: Output<string | undefined>;
  /** Filled in: records of the state that left the file, which are deleted before the commit. */
  declare readonly leaving: Output<{ readonly [key: string]: { readonly [attribute: string]: unknown } } | undefined>;
  /** Text on the release. */
  declare readonly comment: Output<string | undefined>;
  /** What to do with other users' open changes. Default `fail`; `proceed` commits them. */
  declare readonly whenBusy: Output<'fail' | 'wait' | 'proceed' | undefined>;
  /** Filled in: what the deployments of the assembly accept. */
  declare readonly accept: Output<readonly string[] | undefined>;
  /** Filled in: the environments of this stack. What it deletes, others may still run. */
  declare readonly environments: Output<readonly string[] | undefined>;
  /** Filled in where this stack owns the assembly: its platforms. What else a destroy deletes is named. */
  declare readonly platforms: Output<readonly string[] | undefined>;
  /** Filled in: environments that stay when they are destroyed, so that the assembly does, too. */
  declare readonly retained: Output<readonly string[] | undefined>;
  /** Filled in: records of the design with `retainOnDelete`, which stay while the assembly does. */
  declare readonly keeps: Output<readonly string[] | undefined>;
  /** Filled in by a refresh where others own the design: their newer release, taken over next. */
  declare readonly newer: Output<string | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;
  /** Number of the release. */
  declare readonly releaseId: Output<number>;
  /** Records that a run deleted before it failed. */
  declare readonly taken: Output<string>;

  constructor(name: string, args: DesignReleaseArgs, options?: CustomResourceOptions) {
    super(...registration('DesignRelease', name, args, options));
    announce(this, 'DesignRelease', { name, args, options });
  }
}

/** Arguments of {@link DesignRelease}. */
export interface DesignReleaseArgs {
  /** The assembly it belongs to: the resource, or its name. */
  assembly: Input<string> | Assembly;
  /** Filled in: the stamps of our last writes. Another text has to be committed. */
  stamps?: Input<string | undefined>;
  /** Filled in: records of the state that left the file, which are deleted before the commit. */
  leaving?: Input<{ readonly [key: string]: Input<{ readonly [attribute: string]: unknown }> } | undefined>;
  /** Text on the release. */
  comment?: Input<string | undefined>;
  /** What to do with other users' open changes. Default `fail`; `proceed` commits them. */
  whenBusy?: Input<'fail' | 'wait' | 'proceed' | undefined>;
  /** Filled in: what the deployments of the assembly accept. */
  accept?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: the environments of this stack. What it deletes, others may still run. */
  environments?: Input<readonly Input<string>[] | undefined>;
  /** Filled in where this stack owns the assembly: its platforms. What else a destroy deletes is named. */
  platforms?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: environments that stay when they are destroyed, so that the assembly does, too. */
  retained?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: records of the design with `retainOnDelete`, which stay while the assembly does. */
  keeps?: Input<readonly Input<string>[] | undefined>;
  /** Filled in by a refresh where others own the design: their newer release, taken over next. */
  newer?: Input<string | undefined>;
}

/** Where the design runs: clouds, availability and the switches of one environment. */
export class Environment extends CustomResource {
  /** The assembly it belongs to: the resource, or its name. */
  declare readonly assembly: Output<string>;
  /** Name of the environment; default the resource name. */
  declare readonly name: Output<string>;
  /** What the environment is for. */
  declare readonly description: Output<string | undefined>;
  /** Whether platforms run alone or redundantly. Existing platforms keep their availability. Default `single`. */
  declare readonly availability: Output<'single' | 'redundant' | undefined>;
  /** Availability of single platforms, by name, where it differs from the environment's. */
  declare readonly platformAvailability: Output<{ readonly [key: string]: 'single' | 'redundant' | 'default' } | undefined>;
  /** Platforms that may go down with all their instances, to come back with a pack that the service cannot change to in place: another version family (1, then 2), pack or source. Without it such a change is refused. */
  declare readonly recreatePlatforms: Output<readonly string[] | undefined>;
  /** Clouds it runs on, by name. */
  declare readonly clouds: Output<{ readonly [name: string]: CloudLink } | undefined>;
  /** Environment profile of the organization. */
  declare readonly profile: Output<string | undefined>;
  /** Whether failing instances are repaired. Default `true`. */
  declare readonly autorepair: Output<boolean | undefined>;
  /** Whether instances that stay broken are replaced. Default `false`. */
  declare readonly autoreplace: Output<boolean | undefined>;
  /** Whether platforms scale by load. Default `false`. */
  declare readonly autoscale: Output<boolean | undefined>;
  /** Whether monitors run. Default `true`. */
  declare readonly monitoring: Output<boolean | undefined>;
  /** Whether logs are shipped. Default `false`. */
  declare readonly logging: Output<boolean | undefined>;
  /** Whether deployments log in detail. Default `false`. */
  declare readonly debug: Output<boolean | undefined>;
  /** Whether names are kept in a global DNS. Default `false`. */
  declare readonly globalDns: Output<boolean | undefined>;
  /** Whether design commits deploy by themselves. Default `false`. */
  declare readonly codpmt: Output<boolean | undefined>;
  /** Seconds between a commit and its deployment, with `codpmt`. Default `60`. */
  declare readonly dpmtdelay: Output<number | undefined>;
  /** DNS domain of its instances; default `<environment>.<assembly>.<organization>`. */
  declare readonly subdomain: Output<string | undefined>;
  /** The design release to run, by the revision of the DesignRelease: a new one is pulled. */
  declare readonly designRelease: Output<string | undefined>;
  /** Filled in by a refresh without a declared design release: the newer one, pulled next. */
  declare readonly newer: Output<string | undefined>;
  /** What to do with other users' open changes at a pull. Default: as its deployment. */
  declare readonly whenBusy: Output<'fail' | 'wait' | 'proceed' | undefined>;
  /** Filled in: the deployment's word on other users' committed changes. */
  declare readonly others: Output<'name' | 'refuse' | undefined>;
  /** Filled in: what the environment's deployment accepts. */
  declare readonly accept: Output<readonly string[] | undefined>;
  /** Filled in: what cloud configurations declare, as `web/east/pctScale`. */
  declare readonly configured: Output<readonly string[] | undefined>;
  /** Take over an environment of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;
  /** The design release it last pulled. */
  declare readonly pulled: Output<string>;

  constructor(name: string, args: EnvironmentArgs, options?: CustomResourceOptions) {
    super(...registration('Environment', name, args, options));
    announce(this, 'Environment', { name, args, options });
  }
}

/** Arguments of {@link Environment}. */
export interface EnvironmentArgs {
  /** The assembly it belongs to: the resource, or its name. */
  assembly: Input<string> | Assembly;
  /** Name of the environment; default the resource name. */
  name?: Input<string | undefined>;
  /** What the environment is for. */
  description?: Input<string | undefined>;
  /** Whether platforms run alone or redundantly. Existing platforms keep their availability. Default `single`. */
  availability?: Input<'single' | 'redundant' | undefined>;
  /** Availability of single platforms, by name, where it differs from the environment's. */
  platformAvailability?: Input<{ readonly [key: string]: Input<'single' | 'redundant' | 'default'> } | undefined>;
  /** Platforms that may go down with all their instances, to come back with a pack that the service cannot change to in place: another version family (1, then 2), pack or source. Without it such a change is refused. */
  recreatePlatforms?: Input<readonly Input<string>[] | undefined>;
  /** Clouds it runs on, by name. */
  clouds?: Input<{ readonly [name: string]: Input<CloudLinkArgs> } | undefined>;
  /** Environment profile of the organization. */
  profile?: Input<string | undefined>;
  /** Whether failing instances are repaired. Default `true`. */
  autorepair?: Input<boolean | undefined>;
  /** Whether instances that stay broken are replaced. Default `false`. */
  autoreplace?: Input<boolean | undefined>;
  /** Whether platforms scale by load. Default `false`. */
  autoscale?: Input<boolean | undefined>;
  /** Whether monitors run. Default `true`. */
  monitoring?: Input<boolean | undefined>;
  /** Whether logs are shipped. Default `false`. */
  logging?: Input<boolean | undefined>;
  /** Whether deployments log in detail. Default `false`. */
  debug?: Input<boolean | undefined>;
  /** Whether names are kept in a global DNS. Default `false`. */
  globalDns?: Input<boolean | undefined>;
  /** Whether design commits deploy by themselves. Default `false`. */
  codpmt?: Input<boolean | undefined>;
  /** Seconds between a commit and its deployment, with `codpmt`. Default `60`. */
  dpmtdelay?: Input<number | undefined>;
  /** DNS domain of its instances; default `<environment>.<assembly>.<organization>`. */
  subdomain?: Input<string | undefined>;
  /** The design release to run, by the revision of the DesignRelease: a new one is pulled. */
  designRelease?: Input<string | undefined>;
  /** Filled in by a refresh without a declared design release: the newer one, pulled next. */
  newer?: Input<string | undefined>;
  /** What to do with other users' open changes at a pull. Default: as its deployment. */
  whenBusy?: Input<'fail' | 'wait' | 'proceed' | undefined>;
  /** Filled in: the deployment's word on other users' committed changes. */
  others?: Input<'name' | 'refuse' | undefined>;
  /** Filled in: what the environment's deployment accepts. */
  accept?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: what cloud configurations declare, as `web/east/pctScale`. */
  configured?: Input<readonly Input<string>[] | undefined>;
  /** Take over an environment of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A platform in one environment: whether it runs, its number of instances, and its healing. */
export class EnvironmentPlatform extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** Whether it runs. With `false`, the next deployment deletes all its instances; with `true`, it creates them again. Default `true`. */
  declare readonly enabled: Output<boolean | undefined>;
  /** How many instances it has of a component, by the component's name; only for a redundant platform. The pack decides what is left out. */
  declare readonly scale: Output<{ readonly [name: string]: Scaling } | undefined>;
  /** Whether failing instances are repaired. Default `true`. */
  declare readonly autorepair: Output<boolean | undefined>;
  /** Whether instances that stay broken are replaced. Default `true`. */
  declare readonly autoreplace: Output<boolean | undefined>;
  /** Minutes an instance must be broken before it is replaced. Default `60`. */
  declare readonly replaceAfterMinutes: Output<number | undefined>;
  /** Repairs that must have failed before an instance is replaced. Default `3`. */
  declare readonly replaceAfterRepairs: Output<number | undefined>;
  /** Whether the load sets the number of instances, within `min` and `max`; if redundant. Default `false`. */
  declare readonly autoscale: Output<boolean | undefined>;
  /** Whether compliances are applied automatically. Default `false`. */
  declare readonly autocomply: Output<boolean | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Take over an environment platform of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: EnvironmentPlatformArgs, options?: CustomResourceOptions) {
    super(...registration('EnvironmentPlatform', name, args, options));
    announce(this, 'EnvironmentPlatform', { name, args, options });
  }
}

/** Arguments of {@link EnvironmentPlatform}. */
export interface EnvironmentPlatformArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** Whether it runs. With `false`, the next deployment deletes all its instances; with `true`, it creates them again. Default `true`. */
  enabled?: Input<boolean | undefined>;
  /** How many instances it has of a component, by the component's name; only for a redundant platform. The pack decides what is left out. */
  scale?: Input<{ readonly [name: string]: Input<ScalingArgs> } | undefined>;
  /** Whether failing instances are repaired. Default `true`. */
  autorepair?: Input<boolean | undefined>;
  /** Whether instances that stay broken are replaced. Default `true`. */
  autoreplace?: Input<boolean | undefined>;
  /** Minutes an instance must be broken before it is replaced. Default `60`. */
  replaceAfterMinutes?: Input<number | undefined>;
  /** Repairs that must have failed before an instance is replaced. Default `3`. */
  replaceAfterRepairs?: Input<number | undefined>;
  /** Whether the load sets the number of instances, within `min` and `max`; if redundant. Default `false`. */
  autoscale?: Input<boolean | undefined>;
  /** Whether compliances are applied automatically. Default `false`. */
  autocomply?: Input<boolean | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Take over an environment platform of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** Settings of one cloud for one platform of an environment; what is left out follows the environment. */
export class CloudConfiguration extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** The cloud it belongs to: the resource, or its name. */
  declare readonly cloud: Output<string>;
  /** 1 primary, 2 secondary. Default `1`. */
  declare readonly priority: Output<number | undefined>;
  /** Share of the wanted instances, in percent. Default `100`. */
  declare readonly pctScale: Output<number | undefined>;
  /** Order among clouds in a deployment, ascending. Default `1`. */
  declare readonly dpmtOrder: Output<number | undefined>;
  /** `active`, `inactive` (left as it is) or `offline` (instances are deleted). Default `active`. */
  declare readonly adminstatus: Output<'active' | 'inactive' | 'offline' | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: CloudConfigurationArgs, options?: CustomResourceOptions) {
    super(...registration('CloudConfiguration', name, args, options));
    announce(this, 'CloudConfiguration', { name, args, options });
  }
}

/** Arguments of {@link CloudConfiguration}. */
export interface CloudConfigurationArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** The cloud it belongs to: the resource, or its name. */
  cloud: Input<string> | Cloud;
  /** 1 primary, 2 secondary. Default `1`. */
  priority?: Input<number | undefined>;
  /** Share of the wanted instances, in percent. Default `100`. */
  pctScale?: Input<number | undefined>;
  /** Order among clouds in a deployment, ascending. Default `1`. */
  dpmtOrder?: Input<number | undefined>;
  /** `active`, `inactive` (left as it is) or `offline` (instances are deleted). Default `active`. */
  adminstatus?: Input<'active' | 'inactive' | 'offline' | undefined>;
}

/** Attributes of a component that differ from the design in one environment. Attributes that are left out follow the design. */
export class EnvironmentComponent extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** The component it belongs to: the resource, or its name. */
  declare readonly component: Output<string>;
  /** Template of the pack that it is made from. Needed when components of several templates have the name. A change replaces the resource. */
  declare readonly type: Output<string | undefined>;
  /** Attributes of its class that differ in this environment, by the service's names. */
  declare readonly attributes: Output<{ readonly [attribute: string]: unknown } | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Any text: when it changes, the next deployment deploys the component again. */
  declare readonly touch: Output<string | undefined>;
  /** Take over an environment component of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: EnvironmentComponentArgs, options?: CustomResourceOptions) {
    super(...registration('EnvironmentComponent', name, args, options));
    announce(this, 'EnvironmentComponent', { name, args, options });
  }
}

/** Arguments of {@link EnvironmentComponent}. */
export interface EnvironmentComponentArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** The component it belongs to: the resource, or its name. */
  component: Input<string> | Component;
  /** Template of the pack that it is made from. Needed when components of several templates have the name. A change replaces the resource. */
  type?: Input<string | undefined>;
  /** Attributes of its class that differ in this environment, by the service's names. */
  attributes?: Input<{ readonly [attribute: string]: unknown } | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Any text: when it changes, the next deployment deploys the component again. */
  touch?: Input<string | undefined>;
  /** Take over an environment component of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** Values of an attachment that differ from the design in one environment. Arguments that are left out follow the design. */
export class EnvironmentAttachment extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** The component it belongs to: the resource, or its name. */
  declare readonly component: Output<string>;
  /** Name of the environment attachment; default the resource name. */
  declare readonly name: Output<string>;
  /** Where the content is saved on the machine. */
  declare readonly path: Output<string | undefined>;
  /** The content itself; wins over `source`. */
  declare readonly content: Output<string | undefined>;
  /** URL the content is downloaded from. */
  declare readonly source: Output<string | undefined>;
  /** HTTP headers of the download. */
  declare readonly headers: Output<{ readonly [key: string]: string } | undefined>;
  /** User name for a protected source. */
  declare readonly basicAuthUser: Output<string | undefined>;
  /** Password for a protected source. Secret. */
  declare readonly basicAuthPassword: Output<string | undefined>;
  /** Checksum compared after the download. */
  declare readonly checksum: Output<string | undefined>;
  /** Command run after the content is saved. */
  declare readonly execCmd: Output<string | undefined>;
  /** Lifecycle events that run the command. */
  declare readonly runsOn: Output<readonly ('before-add' | 'after-add' | 'before-update' | 'after-update' | 'before-delete' | 'after-delete' | 'before-replace' | 'after-replace' | 'on-demand')[] | undefined>;
  /** Order among attachments of the same event, ascending. */
  declare readonly priority: Output<number | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  declare readonly comments: Output<string | undefined>;
  /** Take over an environment attachment of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: EnvironmentAttachmentArgs, options?: CustomResourceOptions) {
    super(...registration('EnvironmentAttachment', name, args, options));
    announce(this, 'EnvironmentAttachment', { name, args, options });
  }
}

/** Arguments of {@link EnvironmentAttachment}. */
export interface EnvironmentAttachmentArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** The component it belongs to: the resource, or its name. */
  component: Input<string> | Component;
  /** Name of the environment attachment; default the resource name. */
  name?: Input<string | undefined>;
  /** Where the content is saved on the machine. */
  path?: Input<string | undefined>;
  /** The content itself; wins over `source`. */
  content?: Input<string | undefined>;
  /** URL the content is downloaded from. */
  source?: Input<string | undefined>;
  /** HTTP headers of the download. */
  headers?: Input<{ readonly [key: string]: Input<string> } | undefined>;
  /** User name for a protected source. */
  basicAuthUser?: Input<string | undefined>;
  /** Password for a protected source. Secret. */
  basicAuthPassword?: Input<string | undefined>;
  /** Checksum compared after the download. */
  checksum?: Input<string | undefined>;
  /** Command run after the content is saved. */
  execCmd?: Input<string | undefined>;
  /** Lifecycle events that run the command. */
  runsOn?: Input<readonly Input<'before-add' | 'after-add' | 'before-update' | 'after-update' | 'before-delete' | 'after-delete' | 'before-replace' | 'after-replace' | 'on-demand'>[] | undefined>;
  /** Order among attachments of the same event, ascending. */
  priority?: Input<number | undefined>;
  /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
  comments?: Input<string | undefined>;
  /** Take over an environment attachment of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A mail relay of an environment: sends notifications to e-mail addresses, without a deployment. The relay `default` comes with the environment and mails the owner of the assembly: it is updated, and given back. */
export class Relay extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** Name of the relay; default the resource name. */
  declare readonly name: Output<string>;
  /** Addresses that get the mails. Default for the relay `default`: the owner of the assembly. */
  declare readonly emails: Output<readonly string[] | undefined>;
  /** Whether mails are sent. Default `true`. */
  declare readonly enabled: Output<boolean | undefined>;
  /** Severities that are sent. Default `info,warning,critical`. */
  declare readonly severity: Output<readonly ('info' | 'warning' | 'critical')[] | undefined>;
  /** Sources that are reported: deployments, procedures, the health of instances (`ci`). Default `deployment,procedure,ci`. */
  declare readonly source: Output<readonly ('deployment' | 'procedure' | 'ci')[] | undefined>;
  /** Namespaces whose notifications are sent (`/acme/shop/prod/bom/web/1`); default: all. */
  declare readonly nsPaths: Output<readonly string[] | undefined>;
  /** Regular expression that a notification must match. */
  declare readonly textRegex: Output<string | undefined>;
  /** Whether only changes of a state are sent. Default `true`. */
  declare readonly correlation: Output<boolean | undefined>;
  /** Take over a relay of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: RelayArgs, options?: CustomResourceOptions) {
    super(...registration('Relay', name, args, options));
    announce(this, 'Relay', { name, args, options });
  }
}

/** Arguments of {@link Relay}. */
export interface RelayArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** Name of the relay; default the resource name. */
  name?: Input<string | undefined>;
  /** Addresses that get the mails. Default for the relay `default`: the owner of the assembly. */
  emails?: Input<readonly Input<string>[] | undefined>;
  /** Whether mails are sent. Default `true`. */
  enabled?: Input<boolean | undefined>;
  /** Severities that are sent. Default `info,warning,critical`. */
  severity?: Input<readonly Input<'info' | 'warning' | 'critical'>[] | undefined>;
  /** Sources that are reported: deployments, procedures, the health of instances (`ci`). Default `deployment,procedure,ci`. */
  source?: Input<readonly Input<'deployment' | 'procedure' | 'ci'>[] | undefined>;
  /** Namespaces whose notifications are sent (`/acme/shop/prod/bom/web/1`); default: all. */
  nsPaths?: Input<readonly Input<string>[] | undefined>;
  /** Regular expression that a notification must match. */
  textRegex?: Input<string | undefined>;
  /** Whether only changes of a state are sent. Default `true`. */
  correlation?: Input<boolean | undefined>;
  /** Take over a relay of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** The roll-out of an environment: after everything it contains was written. */
export class Deployment extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** Filled in: the stamps of our last writes. Another text has to be committed. */
  declare readonly stamps: Output<string | undefined>;
  /** Names of the environment's declared clouds: others leave once nothing runs there. */
  declare readonly clouds: Output<readonly string[] | undefined>;
  /** Filled in: platforms that are declared to be down. */
  declare readonly down: Output<readonly string[] | undefined>;
  /** Filled in: values of clouds that cloud configurations give, as `web/east/pctScale`. */
  declare readonly configured: Output<readonly string[] | undefined>;
  /** Filled in: components of which the number of instances is declared, as `web/compute`. */
  declare readonly scaled: Output<readonly string[] | undefined>;
  /** Filled in: records of the state that left the file, which are deleted before the commit. */
  declare readonly leaving: Output<{ readonly [key: string]: { readonly [attribute: string]: unknown } } | undefined>;
  /** Filled in where this stack owns the assembly: its environments. A destroy stops while the assembly has others. */
  declare readonly environments: Output<readonly string[] | undefined>;
  /** Filled in there, too: its platforms. What else is taken down is named. */
  declare readonly platforms: Output<readonly string[] | undefined>;
  /** Filled in: other environments of the assembly that stay, so that a destroy keeps it. */
  declare readonly retained: Output<readonly string[] | undefined>;
  /** Filled in: records of the design with `retainOnDelete`, which go with the assembly. */
  declare readonly keeps: Output<readonly string[] | undefined>;
  /** Text on the release and on the deployment. */
  declare readonly comment: Output<string | undefined>;
  /** What to do when other users deploy, or have open changes. Default `fail`. */
  declare readonly whenBusy: Output<'fail' | 'wait' | 'proceed' | undefined>;
  /** Other users' committed changes: `name` them on the row (default), or `refuse` to run. */
  declare readonly others: Output<'name' | 'refuse' | undefined>;
  /** What other users took away or changed and this file lets go, as the refusal spells it: `db: design release 2677`. It is named on the row of each run. */
  declare readonly accept: Output<readonly string[] | undefined>;
  /** Requests that are sent after the deployment is complete, by name. The run fails if one of them does not bring back what is wanted. */
  declare readonly checks: Output<{ readonly [name: string]: EnvironmentCheck } | undefined>;
  /** Minutes to wait for one deployment. Default 60. */
  declare readonly timeout: Output<number | undefined>;
  /** What destroying does: `disable` takes down what runs (default), `retain` leaves it. */
  declare readonly onDelete: Output<'disable' | 'retain' | undefined>;
  /** Go on with later steps when a record fails. */
  declare readonly continueOnFailure: Output<boolean | undefined>;
  /** Filled in: a deployment that is not complete is a difference. */
  declare readonly state: Output<'complete' | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;
  /** Number of the newest deployment we know of. */
  declare readonly deploymentId: Output<number>;
  /** Number of the release. */
  declare readonly releaseId: Output<number>;
  /** Instances that ran after the last roll-out, by platform and cloud: `web/east 7, web/west 3`. A refresh that finds fewer reports it. */
  declare readonly running: Output<string>;
  /** Addresses after the last roll-out, by platform: of each instance the public one, or else the private one. */
  declare readonly addresses: Output<{ readonly [key: string]: readonly string[] }>;
  /** Stamp of the environment's last write that was rolled out; empty for none. */
  declare readonly rolledOut: Output<string>;
  /** Records that a run deleted before it failed. */
  declare readonly taken: Output<string>;
  /** Newest release of the environment in which another user changed something, until a run with a refresh looks for values there over the file's; 0 for none. */
  declare readonly othersRelease: Output<number>;

  constructor(name: string, args: DeploymentArgs, options?: CustomResourceOptions) {
    super(...registration('Deployment', name, args, options));
    announce(this, 'Deployment', { name, args, options });
  }
}

/** Arguments of {@link Deployment}. */
export interface DeploymentArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** Filled in: the stamps of our last writes. Another text has to be committed. */
  stamps?: Input<string | undefined>;
  /** Names of the environment's declared clouds: others leave once nothing runs there. */
  clouds?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: platforms that are declared to be down. */
  down?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: values of clouds that cloud configurations give, as `web/east/pctScale`. */
  configured?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: components of which the number of instances is declared, as `web/compute`. */
  scaled?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: records of the state that left the file, which are deleted before the commit. */
  leaving?: Input<{ readonly [key: string]: Input<{ readonly [attribute: string]: unknown }> } | undefined>;
  /** Filled in where this stack owns the assembly: its environments. A destroy stops while the assembly has others. */
  environments?: Input<readonly Input<string>[] | undefined>;
  /** Filled in there, too: its platforms. What else is taken down is named. */
  platforms?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: other environments of the assembly that stay, so that a destroy keeps it. */
  retained?: Input<readonly Input<string>[] | undefined>;
  /** Filled in: records of the design with `retainOnDelete`, which go with the assembly. */
  keeps?: Input<readonly Input<string>[] | undefined>;
  /** Text on the release and on the deployment. */
  comment?: Input<string | undefined>;
  /** What to do when other users deploy, or have open changes. Default `fail`. */
  whenBusy?: Input<'fail' | 'wait' | 'proceed' | undefined>;
  /** Other users' committed changes: `name` them on the row (default), or `refuse` to run. */
  others?: Input<'name' | 'refuse' | undefined>;
  /** What other users took away or changed and this file lets go, as the refusal spells it: `db: design release 2677`. It is named on the row of each run. */
  accept?: Input<readonly Input<string>[] | undefined>;
  /** Requests that are sent after the deployment is complete, by name. The run fails if one of them does not bring back what is wanted. */
  checks?: Input<{ readonly [name: string]: Input<EnvironmentCheckArgs> } | undefined>;
  /** Minutes to wait for one deployment. Default 60. */
  timeout?: Input<number | undefined>;
  /** What destroying does: `disable` takes down what runs (default), `retain` leaves it. */
  onDelete?: Input<'disable' | 'retain' | undefined>;
  /** Go on with later steps when a record fails. */
  continueOnFailure?: Input<boolean | undefined>;
}

/** A place to run on: a location, and the services it offers there. */
export class Cloud extends CustomResource {
  /** Name of the cloud; default the resource name. */
  declare readonly name: Output<string>;
  /** Location, by name (`ec2-us-east-1`) or path; `/<organization>/_clouds` for an own one. Required unless `existing`. A change replaces the resource. */
  declare readonly location: Output<string | undefined>;
  /** Authorization key of its support; required in a location of the organization's own. Secret. */
  declare readonly auth: Output<string | undefined>;
  /** What the cloud is for. */
  declare readonly description: Output<string | undefined>;
  /** Whether environments may take it: only an `active` one can be added. Default `active`. */
  declare readonly adminstatus: Output<'active' | 'inert' | 'offline' | undefined>;
  /** Free text on the record. */
  declare readonly comments: Output<string | undefined>;
  /** Refer to a cloud that others own: nothing of it is written or deleted. */
  declare readonly existing: Output<boolean | undefined>;
  /** Take over a cloud of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args?: CloudArgs, options?: CustomResourceOptions) {
    super(...registration('Cloud', name, args, options));
    announce(this, 'Cloud', { name, args, options });
  }
}

/** Arguments of {@link Cloud}. */
export interface CloudArgs {
  /** Name of the cloud; default the resource name. */
  name?: Input<string | undefined>;
  /** Location, by name (`ec2-us-east-1`) or path; `/<organization>/_clouds` for an own one. Required unless `existing`. A change replaces the resource. */
  location?: Input<string | undefined>;
  /** Authorization key of its support; required in a location of the organization's own. Secret. */
  auth?: Input<string | undefined>;
  /** What the cloud is for. */
  description?: Input<string | undefined>;
  /** Whether environments may take it: only an `active` one can be added. Default `active`. */
  adminstatus?: Input<'active' | 'inert' | 'offline' | undefined>;
  /** Free text on the record. */
  comments?: Input<string | undefined>;
  /** Refer to a cloud that others own: nothing of it is written or deleted. */
  existing?: Input<boolean | undefined>;
  /** Take over a cloud of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** A service of a cloud: computes, DNS, load balancing, storage. Its name is the template it is made from; a cloud has one of each type. */
export class CloudService extends CustomResource {
  /** The cloud it belongs to: the resource, or its name. */
  declare readonly cloud: Output<string>;
  /** Name of the cloud service; default the resource name. */
  declare readonly name: Output<string>;
  /** Attributes of its class, by the service's own names. What is not named keeps the template's value. Passwords and secrets are kept encrypted. */
  declare readonly attributes: Output<{ readonly [attribute: string]: unknown } | undefined>;
  /** Take over a cloud service of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args: CloudServiceArgs, options?: CustomResourceOptions) {
    super(...registration('CloudService', name, args, options));
    announce(this, 'CloudService', { name, args, options });
  }
}

/** Arguments of {@link CloudService}. */
export interface CloudServiceArgs {
  /** The cloud it belongs to: the resource, or its name. */
  cloud: Input<string> | Cloud;
  /** Name of the cloud service; default the resource name. */
  name?: Input<string | undefined>;
  /** Attributes of its class, by the service's own names. What is not named keeps the template's value. Passwords and secrets are kept encrypted. */
  attributes?: Input<{ readonly [attribute: string]: unknown } | undefined>;
  /** Take over a cloud service of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

/** An action on what a deployment made: a restart, a repair, a script. Runs after the environment's deployment, and again when its triggers change. */
export class Procedure extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** The component it belongs to: the resource, or its name. */
  declare readonly component: Output<string>;
  /** Name of the procedure; default the resource name. */
  declare readonly name: Output<string>;
  /** Action of the component's class (`reboot`), or name of an attachment that runs on demand. */
  declare readonly action: Output<string>;
  /** Text the action is given. */
  declare readonly arglist: Output<string | undefined>;
  /** Names of the instances to run it on. Default: all of the component. */
  declare readonly instances: Output<readonly string[] | undefined>;
  /** Whether instances take turns (default) or run it at the same time. */
  declare readonly execStrategy: Output<'one-by-one' | 'parallel' | undefined>;
  /** Values of any meaning: a change of them runs it again. */
  declare readonly triggers: Output<{ readonly [key: string]: string } | undefined>;
  /** Whether a failed, canceled or unknown run may be repeated. Default false. */
  declare readonly rerun: Output<boolean | undefined>;
  /** Minutes to wait for it. Default 60. */
  declare readonly timeout: Output<number | undefined>;
  /** Filled in: a procedure that is not complete is a difference. */
  declare readonly state: Output<'complete' | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;
  /** Number of the procedure that ran. */
  declare readonly procedureId: Output<number>;

  constructor(name: string, args: ProcedureArgs, options?: CustomResourceOptions) {
    super(...registration('Procedure', name, args, options));
    announce(this, 'Procedure', { name, args, options });
  }
}

/** Arguments of {@link Procedure}. */
export interface ProcedureArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** The component it belongs to: the resource, or its name. */
  component: Input<string> | Component;
  /** Name of the procedure; default the resource name. */
  name?: Input<string | undefined>;
  /** Action of the component's class (`reboot`), or name of an attachment that runs on demand. */
  action: Input<string>;
  /** Text the action is given. */
  arglist?: Input<string | undefined>;
  /** Names of the instances to run it on. Default: all of the component. */
  instances?: Input<readonly Input<string>[] | undefined>;
  /** Whether instances take turns (default) or run it at the same time. */
  execStrategy?: Input<'one-by-one' | 'parallel' | undefined>;
  /** Values of any meaning: a change of them runs it again. */
  triggers?: Input<{ readonly [key: string]: Input<string> } | undefined>;
  /** Whether a failed, canceled or unknown run may be repeated. Default false. */
  rerun?: Input<boolean | undefined>;
  /** Minutes to wait for it. Default 60. */
  timeout?: Input<number | undefined>;
}

/** Marks instances of a component to be recreated by the environment's deployment, which comes after it. Marks again when its triggers change. */
export class InstanceReplacement extends CustomResource {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  declare readonly assembly: Output<string>;
  /** The environment it belongs to: the resource, or its name. */
  declare readonly environment: Output<string>;
  /** The platform it belongs to: the resource, or its name. */
  declare readonly platform: Output<string>;
  /** The component it belongs to: the resource, or its name. */
  declare readonly component: Output<string>;
  /** Name of the instance replacement; default the resource name. */
  declare readonly name: Output<string>;
  /** Names of the instances. Default: all of the component. */
  declare readonly instances: Output<readonly string[] | undefined>;
  /** Values of any meaning: a change of them replaces the instances again. */
  declare readonly triggers: Output<{ readonly [key: string]: string } | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;
  /** Numbers of the instances it marked last, with commas between. */
  declare readonly marked: Output<string>;

  constructor(name: string, args: InstanceReplacementArgs, options?: CustomResourceOptions) {
    super(...registration('InstanceReplacement', name, args, options));
    announce(this, 'InstanceReplacement', { name, args, options });
  }
}

/** Arguments of {@link InstanceReplacement}. */
export interface InstanceReplacementArgs {
  /** The assembly it is in; follows from the nearer resource when that is given as an object. */
  assembly?: Input<string | undefined> | Assembly;
  /** The environment it belongs to: the resource, or its name. */
  environment: Input<string> | Environment;
  /** The platform it belongs to: the resource, or its name. */
  platform: Input<string> | Platform;
  /** The component it belongs to: the resource, or its name. */
  component: Input<string> | Component;
  /** Name of the instance replacement; default the resource name. */
  name?: Input<string | undefined>;
  /** Names of the instances. Default: all of the component. */
  instances?: Input<readonly Input<string>[] | undefined>;
  /** Values of any meaning: a change of them replaces the instances again. */
  triggers?: Input<{ readonly [key: string]: Input<string> } | undefined>;
}

/** A team of an organization: what its members may do. Assemblies and clouds are attached to it in the service. */
export class Team extends CustomResource {
  /** Name of the team; default the resource name. */
  declare readonly name: Output<string>;
  /** What the team is for. */
  declare readonly description: Output<string | undefined>;
  /** Whether its members may change designs. Default `false`. */
  declare readonly design: Output<boolean | undefined>;
  /** Whether its members may change and deploy environments. Default `false`. */
  declare readonly transition: Output<boolean | undefined>;
  /** Whether its members may act on what runs. Default `false`. */
  declare readonly operations: Output<boolean | undefined>;
  /** Whether its rights hold for every assembly and cloud, and not only for attached ones. Default `false`. */
  declare readonly orgScope: Output<boolean | undefined>;
  /** Whether its members may create and delete assemblies, and attach teams to them. Default `false`. */
  declare readonly managesAccess: Output<boolean | undefined>;
  /** Whether its members may change the services of clouds. Default `false`. */
  declare readonly cloudServices: Output<boolean | undefined>;
  /** Whether its members may change the compliance rules of clouds. Default `false`. */
  declare readonly cloudCompliance: Output<boolean | undefined>;
  /** Whether its members may change the support levels of clouds. Default `false`. */
  declare readonly cloudSupport: Output<boolean | undefined>;
  /** Refer to a team that others own: nothing of it is written or deleted. */
  declare readonly existing: Output<boolean | undefined>;
  /** Take over a team of this name and write the declared values to it. */
  declare readonly adopt: Output<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  declare readonly overwrite: Output<boolean | undefined>;
  /** Number of the record in the service. */
  declare readonly ciId: Output<number>;
  /** Stamp of our last write; changes with every write of ours and with nothing else. */
  declare readonly revision: Output<string>;
  /** `created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete. */
  declare readonly origin: Output<string>;
  /** When the record was last changed, in milliseconds since 1970. */
  declare readonly updated: Output<number>;
  /** Who changed the record last. */
  declare readonly updatedBy: Output<string>;

  constructor(name: string, args?: TeamArgs, options?: CustomResourceOptions) {
    super(...registration('Team', name, args, options));
    announce(this, 'Team', { name, args, options });
  }
}

/** Arguments of {@link Team}. */
export interface TeamArgs {
  /** Name of the team; default the resource name. */
  name?: Input<string | undefined>;
  /** What the team is for. */
  description?: Input<string | undefined>;
  /** Whether its members may change designs. Default `false`. */
  design?: Input<boolean | undefined>;
  /** Whether its members may change and deploy environments. Default `false`. */
  transition?: Input<boolean | undefined>;
  /** Whether its members may act on what runs. Default `false`. */
  operations?: Input<boolean | undefined>;
  /** Whether its rights hold for every assembly and cloud, and not only for attached ones. Default `false`. */
  orgScope?: Input<boolean | undefined>;
  /** Whether its members may create and delete assemblies, and attach teams to them. Default `false`. */
  managesAccess?: Input<boolean | undefined>;
  /** Whether its members may change the services of clouds. Default `false`. */
  cloudServices?: Input<boolean | undefined>;
  /** Whether its members may change the compliance rules of clouds. Default `false`. */
  cloudCompliance?: Input<boolean | undefined>;
  /** Whether its members may change the support levels of clouds. Default `false`. */
  cloudSupport?: Input<boolean | undefined>;
  /** Refer to a team that others own: nothing of it is written or deleted. */
  existing?: Input<boolean | undefined>;
  /** Take over a team of this name and write the declared values to it. */
  adopt?: Input<boolean | undefined>;
  /** Write declared values even when another user changed them since our last read. */
  overwrite?: Input<boolean | undefined>;
}

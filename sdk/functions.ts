// The functions of pulumi-oneops. Written by sdk/generate from their literals (npm run generate): do not edit.
import type { Input, Output } from '@pulumi/pulumi/output';
import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from './invoke';

/** An organization of the token's user. */
export interface OrganizationRecord {
  /** Name of the organization. */
  readonly name: string;
  /** Number of the organization's record. */
  readonly ciId: number;
  /** Name as people read it. */
  readonly fullName: string;
}

/** A cloud. Its authorization key is reported by getCloud only. */
export interface CloudRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** What the cloud is. */
  readonly description: string;
  /** Path of the location it is in. */
  readonly location: string;
  /** Whether it takes new environments: `active`, `inert` or `offline`. */
  readonly adminstatus: string;
}

/** A service of a cloud, or what one can be made from. */
export interface ServiceRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Path of the cloud or location it is in. */
  readonly nsPath: string;
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  readonly attributes: { readonly [name: string]: string };
}

/** An offering: what a service sells, and what it costs. */
export interface OfferingRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Path of the service it belongs to. */
  readonly nsPath: string;
  /** What is offered. */
  readonly description: string;
  /** Which computes it applies to, as an expression. */
  readonly criteria: string;
  /** Properties of what is offered, by name. */
  readonly specification: { readonly [name: string]: string };
  /** Cost of one unit. */
  readonly costRate: number;
  /** Currency of the cost. */
  readonly costUnit: string;
}

/** A column of a compute report. */
export interface ComputeReportMetric {
  /** Name of the member that contains it. */
  readonly name: string;
  /** Name as people read it. */
  readonly label: string;
}

/** One line of a compute report. */
export interface ComputeReportRow {
  /** Names from the outermost level to this one. */
  readonly path: readonly string[];
  /** 0 for the innermost level. */
  readonly level: number;
  /** Owner of the assembly, on the lines of assemblies. */
  readonly owner?: string;
  /** Number of computes. */
  readonly count: number;
  /** Their cores together. */
  readonly cores: number;
  /** Their memory together, in megabytes. */
  readonly ram: number;
}

/** An assembly. */
export interface AssemblyRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Description of the application. */
  readonly description: string;
  /** E-mail address of its owner. */
  readonly owner: string;
  /** Words by key, for reports. */
  readonly tags: { readonly [name: string]: string };
}

/** A platform, as lists show it: only getPlatform returns its links and clouds. */
export interface PlatformRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Description of the platform. */
  readonly description: string;
  /** Register the pack comes from. */
  readonly source: string;
  /** Pack it is made from. */
  readonly pack: string;
  /** Version of the pack. */
  readonly version: string;
  /** Version of the platform itself. */
  readonly majorVersion: number;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** `single` or `redundant`; in an environment. */
  readonly availability?: string;
  /** Whether it is the version of the platform that is in use; in an environment. */
  readonly isActive?: boolean;
  /** Whether failing instances are repaired; in an environment. */
  readonly autorepair?: boolean;
  /** Whether instances that stay broken are replaced; in an environment. */
  readonly autoreplace?: boolean;
  /** Whether it scales by load; in an environment. */
  readonly autoscale?: boolean;
}

/** How a cloud is used. */
export interface CloudLinkRecord {
  /** 1 primary, 2 secondary. */
  readonly priority: number;
  /** Share of the wanted instances, in percent. */
  readonly pctScale: number;
  /** Order among clouds in a deployment, ascending. */
  readonly dpmtOrder: number;
  /** `active`, `inactive` (left as it is) or `offline` (instances are deleted). */
  readonly adminstatus: string;
}

/** A component of a platform. */
export interface PlatformComponentRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order. */
  readonly locked: readonly string[];
  /** Attributes as the service writes them, without secrets, which the service does not return. */
  readonly attributes: { readonly [name: string]: string };
}

/** A file, certificate or script of a component. */
export interface AttachmentRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order. */
  readonly locked: readonly string[];
  /** Where the content is saved on the machine. */
  readonly path: string;
  /** The content itself; wins over `source`. */
  readonly content: string;
  /** URL the content is downloaded from. */
  readonly source: string;
  /** HTTP headers of the download. */
  readonly headers: { readonly [name: string]: string };
  /** User name for a protected source. */
  readonly basicAuthUser: string;
  /** Checksum compared after the download. */
  readonly checksum: string;
  /** Command run after the content is saved. */
  readonly execCmd: string;
  /** Lifecycle events that run the command. */
  readonly runsOn: readonly string[];
  /** Order among attachments of the same event, ascending. */
  readonly priority: number;
}

/** A variable. */
export interface VariableRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order. */
  readonly locked: readonly string[];
  /** Its value; empty when it is secure, because the service does not return that value. */
  readonly value: string;
  /** Whether its value is encrypted. */
  readonly secure: boolean;
}

/** A release. */
export interface ReleaseRecord {
  /** Number of the release. */
  readonly releaseId: number;
  /** Name of the release. */
  readonly name: string;
  /** `design`; or, of an environment, `manifest`, or the `bom` that is deployed. */
  readonly kind: string;
  /** `open`, `closed` or `canceled`. */
  readonly state: string;
  /** Text of its commit; for a release of an environment, a note of the service. */
  readonly description: string;
  /** Number of the release it was made from; 0 for a release of a design. */
  readonly parentReleaseId: number;
  /** When it was opened, in milliseconds since 1970. */
  readonly created: number;
  /** Who opened it. */
  readonly createdBy: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who committed it; empty while it is open. */
  readonly committedBy: string;
}

/** One change that a deployment carries out. */
export interface DeploymentRecord {
  /** Number of the change. */
  readonly rfcId: number;
  /** Number of the work order; 0 before there is one. */
  readonly recordId: number;
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  readonly state: string;
  /** What the service says of it: why it failed. */
  readonly comments: string;
}

/** Something that runs. */
export interface InstanceRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Name of the environment it runs in. */
  readonly environment: string;
  /** Name of the platform it belongs to. */
  readonly platform: string;
  /** Name of the component it is an instance of. */
  readonly component: string;
  /** Name of the cloud it runs on. */
  readonly cloud: string;
  /** `default`, or `replace` when the next deployment rebuilds it. */
  readonly state: string;
  /** `good`, `notify`, `unhealthy`, `overutilized` or `underutilized`; empty if never seen. */
  readonly opsState: string;
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  readonly attributes: { readonly [name: string]: string };
}

/** A machine that runs. */
export interface ComputeRecord {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Name of the environment it runs in. */
  readonly environment: string;
  /** Name of the platform it belongs to. */
  readonly platform: string;
  /** Name of the component it is an instance of. */
  readonly component: string;
  /** Name of the cloud it runs on. */
  readonly cloud: string;
  /** `default`, or `replace` when the next deployment rebuilds it. */
  readonly state: string;
  /** `good`, `notify`, `unhealthy`, `overutilized` or `underutilized`; empty if never seen. */
  readonly opsState: string;
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  readonly attributes: { readonly [name: string]: string };
  /** Address inside the cloud. */
  readonly privateIp: string;
  /** Address outside of the cloud. */
  readonly publicIp: string;
  /** Name the cloud knows it by. */
  readonly instanceName: string;
  /** Number the cloud knows it by. */
  readonly instanceId: string;
  /** Part of the cloud it runs in. */
  readonly availabilityZone: string;
  /** Its cores; 0 when the service does not say. */
  readonly cores: number;
  /** Its memory in megabytes; 0 when the service does not say. */
  readonly ram: number;
}

/** Something that can be run on the instances of a component. */
export interface ActionRecord {
  /** Name a Procedure runs it by. */
  readonly name: string;
  /** What it does; of an attachment that runs on demand, the attachment's name. */
  readonly description: string;
  /** Number of the action, or of the attachment. */
  readonly actionId: number;
}

/** One step of a procedure. */
export interface ProcedureActionRecord {
  /** Number of the step. */
  readonly actionId: number;
  /** Number of its procedure. */
  readonly procedureId: number;
  /** Name of the action. */
  readonly name: string;
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  readonly state: string;
  /** Number of the instance it runs on. */
  readonly ciId: number;
  /** Its position among the steps. */
  readonly execOrder: number;
  /** Whether the procedure ends when it fails. */
  readonly isCritical: boolean;
  /** Arguments of the action, as the service keeps them. */
  readonly arglist: string;
  /** Number of the attachment it runs, when it runs one. */
  readonly extraInfo: string;
  /** Further records that are passed to the action; empty unless the procedure names some. */
  readonly payLoadDef: string;
  /** When the step was created, in milliseconds since 1970. */
  readonly created: number;
  /** Who started it. */
  readonly createdBy: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updated: number;
}

/** The organizations that the token's user belongs to. */
export function getOrganizations(options?: FunctionOptions): Promise<GetOrganizationsResult> {
  return invoke('getOrganizations', {}, options);
}

/** The organizations that the token's user belongs to. As an output: arguments may be outputs, and it waits for what they come from. */
export function getOrganizationsOutput(options?: FunctionOutputOptions): Output<GetOrganizationsResult> {
  return invokeOutput('getOrganizations', {}, options);
}

/** Result of {@link getOrganizations}. */
export interface GetOrganizationsResult {
  /** Organizations, by name in alphabetical order. */
  readonly organizations: readonly OrganizationRecord[];
}

/** The clouds of the organization. */
export function getClouds(options?: FunctionOptions): Promise<GetCloudsResult> {
  return invoke('getClouds', {}, options);
}

/** The clouds of the organization. As an output: arguments may be outputs, and it waits for what they come from. */
export function getCloudsOutput(options?: FunctionOutputOptions): Output<GetCloudsResult> {
  return invokeOutput('getClouds', {}, options);
}

/** Result of {@link getClouds}. */
export interface GetCloudsResult {
  /** Clouds, by name in alphabetical order. */
  readonly clouds: readonly CloudRecord[];
}

/** A cloud of the organization. */
export function getCloud(args: GetCloudArgs, options?: FunctionOptions): Promise<GetCloudResult> {
  return invoke('getCloud', args, options);
}

/** A cloud of the organization. As an output: arguments may be outputs, and it waits for what they come from. */
export function getCloudOutput(args: GetCloudOutputArgs, options?: FunctionOutputOptions): Output<GetCloudResult> {
  return invokeOutput('getCloud', args, options);
}

/** Arguments of {@link getCloud}. */
export interface GetCloudArgs {
  /** Name of the cloud. */
  name: string;
}

/** Arguments of {@link getCloudOutput}. */
export interface GetCloudOutputArgs {
  /** Name of the cloud. */
  name: Input<string>;
}

/** Result of {@link getCloud}. */
export interface GetCloudResult {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** What the cloud is. */
  readonly description: string;
  /** Path of the location it is in. */
  readonly location: string;
  /** Whether it takes new environments: `active`, `inert` or `offline`. */
  readonly adminstatus: string;
  /** Authorization key, which custom clouds have. Secret. */
  readonly auth: Output<string>;
}

/** The locations clouds may be in. */
export function getLocations(options?: FunctionOptions): Promise<GetLocationsResult> {
  return invoke('getLocations', {}, options);
}

/** The locations clouds may be in. As an output: arguments may be outputs, and it waits for what they come from. */
export function getLocationsOutput(options?: FunctionOutputOptions): Output<GetLocationsResult> {
  return invokeOutput('getLocations', {}, options);
}

/** Result of {@link getLocations}. */
export interface GetLocationsResult {
  /** Path of each location, by its name: what a cloud has as `location`. */
  readonly locations: { readonly [name: string]: string };
}

/** The services a cloud can have: what getServiceTemplate takes. */
export function getAvailableServices(args: GetAvailableServicesArgs, options?: FunctionOptions): Promise<GetAvailableServicesResult> {
  return invoke('getAvailableServices', args, options);
}

/** The services a cloud can have: what getServiceTemplate takes. As an output: arguments may be outputs, and it waits for what they come from. */
export function getAvailableServicesOutput(args: GetAvailableServicesOutputArgs, options?: FunctionOutputOptions): Output<GetAvailableServicesResult> {
  return invokeOutput('getAvailableServices', args, options);
}

/** Arguments of {@link getAvailableServices}. */
export interface GetAvailableServicesArgs {
  /** Name of the cloud. */
  cloud: string;
}

/** Arguments of {@link getAvailableServicesOutput}. */
export interface GetAvailableServicesOutputArgs {
  /** Name of the cloud. */
  cloud: Input<string>;
}

/** Result of {@link getAvailableServices}. */
export interface GetAvailableServicesResult {
  /** Templates of services, by service type: `compute`, `dns`, `lb`, … */
  readonly services: { readonly [name: string]: readonly ServiceRecord[] };
}

/** What a new service of a cloud begins with: the attributes to complete. */
export function getServiceTemplate(args: GetServiceTemplateArgs, options?: FunctionOptions): Promise<GetServiceTemplateResult> {
  return invoke('getServiceTemplate', args, options);
}

/** What a new service of a cloud begins with: the attributes to complete. As an output: arguments may be outputs, and it waits for what they come from. */
export function getServiceTemplateOutput(args: GetServiceTemplateOutputArgs, options?: FunctionOutputOptions): Output<GetServiceTemplateResult> {
  return invokeOutput('getServiceTemplate', args, options);
}

/** Arguments of {@link getServiceTemplate}. */
export interface GetServiceTemplateArgs {
  /** Name of the cloud. */
  cloud: string;
  /** Name of the template, one of getAvailableServices. Of several with this name, that of the cloud's own location. */
  service: string;
}

/** Arguments of {@link getServiceTemplateOutput}. */
export interface GetServiceTemplateOutputArgs {
  /** Name of the cloud. */
  cloud: Input<string>;
  /** Name of the template, one of getAvailableServices. Of several with this name, that of the cloud's own location. */
  service: Input<string>;
}

/** Result of {@link getServiceTemplate}. */
export interface GetServiceTemplateResult {
  /** Name the service will have. */
  readonly name: string;
  /** Number of the template's record. */
  readonly ciId: number;
  /** Service type: `compute`, `dns`, `lb`, … */
  readonly type: string;
  /** Class of the service. */
  readonly className: string;
  /** Attributes as the service writes them, with the values a new service begins with. */
  readonly attributes: { readonly [name: string]: string };
}

/** The services of the organization's clouds, or those that are public. */
export function getServices(args?: GetServicesArgs, options?: FunctionOptions): Promise<GetServicesResult> {
  return invoke('getServices', args, options);
}

/** The services of the organization's clouds, or those that are public. As an output: arguments may be outputs, and it waits for what they come from. */
export function getServicesOutput(args?: GetServicesOutputArgs, options?: FunctionOutputOptions): Output<GetServicesResult> {
  return invokeOutput('getServices', args, options);
}

/** Arguments of {@link getServices}. */
export interface GetServicesArgs {
  /** Name of a cloud, to see what is in it only. */
  cloud?: string | undefined;
  /** Whether to see what is offered to every organization, instead of this one's clouds. */
  public?: boolean | undefined;
}

/** Arguments of {@link getServicesOutput}. */
export interface GetServicesOutputArgs {
  /** Name of a cloud, to see what is in it only. */
  cloud?: Input<string | undefined>;
  /** Whether to see what is offered to every organization, instead of this one's clouds. */
  public?: Input<boolean | undefined>;
}

/** Result of {@link getServices}. */
export interface GetServicesResult {
  /** Services, by service type: `compute`, `dns`, `lb`, … */
  readonly services: { readonly [name: string]: readonly ServiceRecord[] };
}

/** The offerings of the organization's clouds, or those that are public, with their cost. */
export function getOfferings(args?: GetOfferingsArgs, options?: FunctionOptions): Promise<GetOfferingsResult> {
  return invoke('getOfferings', args, options);
}

/** The offerings of the organization's clouds, or those that are public, with their cost. As an output: arguments may be outputs, and it waits for what they come from. */
export function getOfferingsOutput(args?: GetOfferingsOutputArgs, options?: FunctionOutputOptions): Output<GetOfferingsResult> {
  return invokeOutput('getOfferings', args, options);
}

/** Arguments of {@link getOfferings}. */
export interface GetOfferingsArgs {
  /** Name of a cloud, to see what is in it only. */
  cloud?: string | undefined;
  /** Whether to see what is offered to every organization, instead of this one's clouds. */
  public?: boolean | undefined;
}

/** Arguments of {@link getOfferingsOutput}. */
export interface GetOfferingsOutputArgs {
  /** Name of a cloud, to see what is in it only. */
  cloud?: Input<string | undefined>;
  /** Whether to see what is offered to every organization, instead of this one's clouds. */
  public?: Input<boolean | undefined>;
}

/** Result of {@link getOfferings}. */
export interface GetOfferingsResult {
  /** Offerings, by service type: `compute`, `dns`, `storage`, … */
  readonly offerings: { readonly [name: string]: readonly OfferingRecord[] };
}

/** What runs in the organization, added up. */
export function getComputeReport(args?: GetComputeReportArgs, options?: FunctionOptions): Promise<GetComputeReportResult> {
  return invoke('getComputeReport', args, options);
}

/** What runs in the organization, added up. As an output: arguments may be outputs, and it waits for what they come from. */
export function getComputeReportOutput(args?: GetComputeReportOutputArgs, options?: FunctionOutputOptions): Output<GetComputeReportResult> {
  return invokeOutput('getComputeReport', args, options);
}

/** Arguments of {@link getComputeReport}. */
export interface GetComputeReportArgs {
  /** What to add up by. Default `assembly`. */
  grouping?: 'assembly' | 'cloud' | undefined;
  /** Name of an assembly, to see only what runs of it; with the grouping `assembly`. */
  assembly?: string | undefined;
  /** Name of a cloud, to see only what runs there; with the grouping `cloud`. */
  cloud?: string | undefined;
}

/** Arguments of {@link getComputeReportOutput}. */
export interface GetComputeReportOutputArgs {
  /** What to add up by. Default `assembly`. */
  grouping?: Input<'assembly' | 'cloud' | undefined>;
  /** Name of an assembly, to see only what runs of it; with the grouping `assembly`. */
  assembly?: Input<string | undefined>;
  /** Name of a cloud, to see only what runs there; with the grouping `cloud`. */
  cloud?: Input<string | undefined>;
}

/** Result of {@link getComputeReport}. */
export interface GetComputeReportResult {
  /** Number of computes. */
  readonly count: number;
  /** Their cores together. */
  readonly cores: number;
  /** Their memory together, in megabytes. */
  readonly ram: number;
  /** What each level is, outermost first. */
  readonly scope: readonly string[];
  /** What is added up. */
  readonly metrics: readonly ComputeReportMetric[];
  /** Every line, each before those it adds up. */
  readonly rows: readonly ComputeReportRow[];
}

/** The assemblies of the organization. */
export function getAssemblies(options?: FunctionOptions): Promise<GetAssembliesResult> {
  return invoke('getAssemblies', {}, options);
}

/** The assemblies of the organization. As an output: arguments may be outputs, and it waits for what they come from. */
export function getAssembliesOutput(options?: FunctionOutputOptions): Output<GetAssembliesResult> {
  return invokeOutput('getAssemblies', {}, options);
}

/** Result of {@link getAssemblies}. */
export interface GetAssembliesResult {
  /** Assemblies, by name in alphabetical order. */
  readonly assemblies: readonly AssemblyRecord[];
}

/** An assembly of the organization. */
export function getAssembly(args: GetAssemblyArgs, options?: FunctionOptions): Promise<GetAssemblyResult> {
  return invoke('getAssembly', args, options);
}

/** An assembly of the organization. As an output: arguments may be outputs, and it waits for what they come from. */
export function getAssemblyOutput(args: GetAssemblyOutputArgs, options?: FunctionOutputOptions): Output<GetAssemblyResult> {
  return invokeOutput('getAssembly', args, options);
}

/** Arguments of {@link getAssembly}. */
export interface GetAssemblyArgs {
  /** Name of the assembly. */
  name: string;
}

/** Arguments of {@link getAssemblyOutput}. */
export interface GetAssemblyOutputArgs {
  /** Name of the assembly. */
  name: Input<string>;
}

/** Result of {@link getAssembly}. */
export interface GetAssemblyResult {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Description of the application. */
  readonly description: string;
  /** E-mail address of its owner. */
  readonly owner: string;
  /** Words by key, for reports. */
  readonly tags: { readonly [name: string]: string };
}

/** The platforms of a design, or of an environment. */
export function getPlatforms(args: GetPlatformsArgs, options?: FunctionOptions): Promise<GetPlatformsResult> {
  return invoke('getPlatforms', args, options);
}

/** The platforms of a design, or of an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getPlatformsOutput(args: GetPlatformsOutputArgs, options?: FunctionOutputOptions): Output<GetPlatformsResult> {
  return invokeOutput('getPlatforms', args, options);
}

/** Arguments of {@link getPlatforms}. */
export interface GetPlatformsArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
}

/** Arguments of {@link getPlatformsOutput}. */
export interface GetPlatformsOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
}

/** Result of {@link getPlatforms}. */
export interface GetPlatformsResult {
  /** Platforms in alphabetical order, with those whose deletion is not committed yet. */
  readonly platforms: readonly PlatformRecord[];
}

/** A platform of a design, or of an environment. */
export function getPlatform(args: GetPlatformArgs, options?: FunctionOptions): Promise<GetPlatformResult> {
  return invoke('getPlatform', args, options);
}

/** A platform of a design, or of an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getPlatformOutput(args: GetPlatformOutputArgs, options?: FunctionOutputOptions): Output<GetPlatformResult> {
  return invokeOutput('getPlatform', args, options);
}

/** Arguments of {@link getPlatform}. */
export interface GetPlatformArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Name of the platform. */
  name: string;
}

/** Arguments of {@link getPlatformOutput}. */
export interface GetPlatformOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Name of the platform. */
  name: Input<string>;
}

/** Result of {@link getPlatform}. */
export interface GetPlatformResult {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Description of the platform. */
  readonly description: string;
  /** Register the pack comes from. */
  readonly source: string;
  /** Pack it is made from. */
  readonly pack: string;
  /** Version of the pack. */
  readonly version: string;
  /** Version of the platform itself. */
  readonly majorVersion: number;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** Names of the platforms it uses, in alphabetical order. */
  readonly links: readonly string[];
  /** `single` or `redundant`; in an environment. */
  readonly availability?: string;
  /** Whether it is the version of the platform that is in use; in an environment. */
  readonly isActive?: boolean;
  /** Whether failing instances are repaired; in an environment. */
  readonly autorepair?: boolean;
  /** Whether instances that stay broken are replaced; in an environment. */
  readonly autoreplace?: boolean;
  /** Whether it scales by load; in an environment. */
  readonly autoscale?: boolean;
  /** How it uses each cloud, by the cloud's name; in an environment. */
  readonly clouds?: { readonly [name: string]: CloudLinkRecord };
}

/** The components of a platform, in a design or in an environment. */
export function getComponents(args: GetComponentsArgs, options?: FunctionOptions): Promise<GetComponentsResult> {
  return invoke('getComponents', args, options);
}

/** The components of a platform, in a design or in an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getComponentsOutput(args: GetComponentsOutputArgs, options?: FunctionOutputOptions): Output<GetComponentsResult> {
  return invokeOutput('getComponents', args, options);
}

/** Arguments of {@link getComponents}. */
export interface GetComponentsArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Name of the platform. */
  platform: string;
}

/** Arguments of {@link getComponentsOutput}. */
export interface GetComponentsOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Name of the platform. */
  platform: Input<string>;
}

/** Result of {@link getComponents}. */
export interface GetComponentsResult {
  /** Components in alphabetical order, with those whose deletion is not committed yet. */
  readonly components: readonly PlatformComponentRecord[];
}

/** A component of a platform, in a design or in an environment. */
export function getComponent(args: GetComponentArgs, options?: FunctionOptions): Promise<GetComponentResult> {
  return invoke('getComponent', args, options);
}

/** A component of a platform, in a design or in an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getComponentOutput(args: GetComponentOutputArgs, options?: FunctionOutputOptions): Output<GetComponentResult> {
  return invokeOutput('getComponent', args, options);
}

/** Arguments of {@link getComponent}. */
export interface GetComponentArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Name of the platform. */
  platform: string;
  /** Name of the component, or its number (`ciId`) when several have that name. */
  name: string;
}

/** Arguments of {@link getComponentOutput}. */
export interface GetComponentOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Name of the platform. */
  platform: Input<string>;
  /** Name of the component, or its number (`ciId`) when several have that name. */
  name: Input<string>;
}

/** Result of {@link getComponent}. */
export interface GetComponentResult {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order. */
  readonly locked: readonly string[];
  /** Attributes as the service writes them, without secrets, which the service does not return. */
  readonly attributes: { readonly [name: string]: string };
  /** Names of the components it depends on, in alphabetical order. */
  readonly dependsOn: readonly string[];
  /** Names of the components that depend on it, in alphabetical order. */
  readonly dependents: readonly string[];
}

/** The attachments of a component, in a design or in an environment. */
export function getAttachments(args: GetAttachmentsArgs, options?: FunctionOptions): Promise<GetAttachmentsResult> {
  return invoke('getAttachments', args, options);
}

/** The attachments of a component, in a design or in an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getAttachmentsOutput(args: GetAttachmentsOutputArgs, options?: FunctionOutputOptions): Output<GetAttachmentsResult> {
  return invokeOutput('getAttachments', args, options);
}

/** Arguments of {@link getAttachments}. */
export interface GetAttachmentsArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Name of the platform. */
  platform: string;
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: string;
}

/** Arguments of {@link getAttachmentsOutput}. */
export interface GetAttachmentsOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Name of the platform. */
  platform: Input<string>;
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: Input<string>;
}

/** Result of {@link getAttachments}. */
export interface GetAttachmentsResult {
  /** Attachments in alphabetical order, with those whose deletion is not committed yet. */
  readonly attachments: readonly AttachmentRecord[];
}

/** An attachment of a component, in a design or in an environment. */
export function getAttachment(args: GetAttachmentArgs, options?: FunctionOptions): Promise<GetAttachmentResult> {
  return invoke('getAttachment', args, options);
}

/** An attachment of a component, in a design or in an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getAttachmentOutput(args: GetAttachmentOutputArgs, options?: FunctionOutputOptions): Output<GetAttachmentResult> {
  return invokeOutput('getAttachment', args, options);
}

/** Arguments of {@link getAttachment}. */
export interface GetAttachmentArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Name of the platform. */
  platform: string;
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: string;
  /** Name of the attachment. */
  name: string;
}

/** Arguments of {@link getAttachmentOutput}. */
export interface GetAttachmentOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Name of the platform. */
  platform: Input<string>;
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: Input<string>;
  /** Name of the attachment. */
  name: Input<string>;
}

/** Result of {@link getAttachment}. */
export interface GetAttachmentResult {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** Class of the record. */
  readonly className: string;
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  readonly change: string;
  /** Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order. */
  readonly locked: readonly string[];
  /** Where the content is saved on the machine. */
  readonly path: string;
  /** The content itself; wins over `source`. */
  readonly content: string;
  /** URL the content is downloaded from. */
  readonly source: string;
  /** HTTP headers of the download. */
  readonly headers: { readonly [name: string]: string };
  /** User name for a protected source. */
  readonly basicAuthUser: string;
  /** Checksum compared after the download. */
  readonly checksum: string;
  /** Command run after the content is saved. */
  readonly execCmd: string;
  /** Lifecycle events that run the command. */
  readonly runsOn: readonly string[];
  /** Order among attachments of the same event, ascending. */
  readonly priority: number;
}

/** The variables of a design or of an environment, or of one platform there. */
export function getVariables(args: GetVariablesArgs, options?: FunctionOptions): Promise<GetVariablesResult> {
  return invoke('getVariables', args, options);
}

/** The variables of a design or of an environment, or of one platform there. As an output: arguments may be outputs, and it waits for what they come from. */
export function getVariablesOutput(args: GetVariablesOutputArgs, options?: FunctionOutputOptions): Output<GetVariablesResult> {
  return invokeOutput('getVariables', args, options);
}

/** Arguments of {@link getVariables}. */
export interface GetVariablesArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Name of a platform, to read its own variables. */
  platform?: string | undefined;
}

/** Arguments of {@link getVariablesOutput}. */
export interface GetVariablesOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Name of a platform, to read its own variables. */
  platform?: Input<string | undefined>;
}

/** Result of {@link getVariables}. */
export interface GetVariablesResult {
  /** Variables in alphabetical order, with those whose deletion is not committed yet. */
  readonly variables: readonly VariableRecord[];
}

/** An environment of an assembly. */
export function getEnvironment(args: GetEnvironmentArgs, options?: FunctionOptions): Promise<GetEnvironmentResult> {
  return invoke('getEnvironment', args, options);
}

/** An environment of an assembly. As an output: arguments may be outputs, and it waits for what they come from. */
export function getEnvironmentOutput(args: GetEnvironmentOutputArgs, options?: FunctionOutputOptions): Output<GetEnvironmentResult> {
  return invokeOutput('getEnvironment', args, options);
}

/** Arguments of {@link getEnvironment}. */
export interface GetEnvironmentArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of the environment. */
  name: string;
}

/** Arguments of {@link getEnvironmentOutput}. */
export interface GetEnvironmentOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of the environment. */
  name: Input<string>;
}

/** Result of {@link getEnvironment}. */
export interface GetEnvironmentResult {
  /** Name of the record. */
  readonly name: string;
  /** Number of the record in the service. */
  readonly ciId: number;
  /** Free text on the record. */
  readonly comments: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly created: number;
  /** Who made the record. */
  readonly createdBy: string;
  /** When the record was last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who changed the record last. */
  readonly updatedBy: string;
  /** What the environment is for. */
  readonly description: string;
  /** `locked` while the service works on it, else `default`. */
  readonly state: string;
  /** `single` or `redundant`. */
  readonly availability: string;
  /** Environment profile of the organization. */
  readonly profile: string;
  /** Whether failing instances are repaired. */
  readonly autorepair: boolean;
  /** Whether instances that stay broken are replaced. */
  readonly autoreplace: boolean;
  /** Whether platforms scale by load. */
  readonly autoscale: boolean;
  /** Whether monitors run. */
  readonly monitoring: boolean;
  /** Whether logs are shipped. */
  readonly logging: boolean;
  /** Whether deployments log in detail. */
  readonly debug: boolean;
  /** Whether names are kept in a global DNS. */
  readonly globalDns: boolean;
  /** Whether design commits deploy by themselves. */
  readonly codpmt: boolean;
  /** Seconds between a commit and its deployment, with `codpmt`. */
  readonly dpmtdelay: number;
  /** DNS domain of its instances; default `<environment>.<assembly>.<organization>`. */
  readonly subdomain: string;
  /** How it uses each of its clouds, by the cloud's name. */
  readonly clouds: { readonly [name: string]: CloudLinkRecord };
}

/** The releases of a design or, with an environment, of its manifest and bom. */
export function getReleases(args: GetReleasesArgs, options?: FunctionOptions): Promise<GetReleasesResult> {
  return invoke('getReleases', args, options);
}

/** The releases of a design or, with an environment, of its manifest and bom. As an output: arguments may be outputs, and it waits for what they come from. */
export function getReleasesOutput(args: GetReleasesOutputArgs, options?: FunctionOutputOptions): Output<GetReleasesResult> {
  return invokeOutput('getReleases', args, options);
}

/** Arguments of {@link getReleases}. */
export interface GetReleasesArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** How many releases to list, without open ones. Default: all, at most 1000. */
  size?: number | undefined;
}

/** Arguments of {@link getReleasesOutput}. */
export interface GetReleasesOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** How many releases to list, without open ones. Default: all, at most 1000. */
  size?: Input<number | undefined>;
}

/** Result of {@link getReleases}. */
export interface GetReleasesResult {
  /** Releases, newest first. */
  readonly releases: readonly ReleaseRecord[];
}

/** A release of a design or, with an environment, of its manifest or of what is deployed there. */
export function getRelease(args: GetReleaseArgs, options?: FunctionOptions): Promise<GetReleaseResult> {
  return invoke('getRelease', args, options);
}

/** A release of a design or, with an environment, of its manifest or of what is deployed there. As an output: arguments may be outputs, and it waits for what they come from. */
export function getReleaseOutput(args: GetReleaseOutputArgs, options?: FunctionOutputOptions): Output<GetReleaseResult> {
  return invokeOutput('getRelease', args, options);
}

/** Arguments of {@link getRelease}. */
export interface GetReleaseArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
  /** Number of the release. */
  releaseId: number;
}

/** Arguments of {@link getReleaseOutput}. */
export interface GetReleaseOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
  /** Number of the release. */
  releaseId: Input<number>;
}

/** Result of {@link getRelease}. */
export interface GetReleaseResult {
  /** Number of the release. */
  readonly releaseId: number;
  /** Name of the release. */
  readonly name: string;
  /** `design`; or, of an environment, `manifest`, or the `bom` that is deployed. */
  readonly kind: string;
  /** `open`, `closed` or `canceled`. */
  readonly state: string;
  /** Text of its commit; for a release of an environment, a note of the service. */
  readonly description: string;
  /** Number of the release it was made from; 0 for a release of a design. */
  readonly parentReleaseId: number;
  /** When it was opened, in milliseconds since 1970. */
  readonly created: number;
  /** Who opened it. */
  readonly createdBy: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who committed it; empty while it is open. */
  readonly committedBy: string;
}

/** The newest release, in any state, of a design, or to deploy in an environment. */
export function getLatestRelease(args: GetLatestReleaseArgs, options?: FunctionOptions): Promise<GetLatestReleaseResult> {
  return invoke('getLatestRelease', args, options);
}

/** The newest release, in any state, of a design, or to deploy in an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getLatestReleaseOutput(args: GetLatestReleaseOutputArgs, options?: FunctionOutputOptions): Output<GetLatestReleaseResult> {
  return invokeOutput('getLatestRelease', args, options);
}

/** Arguments of {@link getLatestRelease}. */
export interface GetLatestReleaseArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: string | undefined;
}

/** Arguments of {@link getLatestReleaseOutput}. */
export interface GetLatestReleaseOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to read what is there, instead of the design. */
  environment?: Input<string | undefined>;
}

/** Result of {@link getLatestRelease}. */
export interface GetLatestReleaseResult {
  /** Number of the release. */
  readonly releaseId: number;
  /** Name of the release. */
  readonly name: string;
  /** `design`; or, of an environment, `manifest`, or the `bom` that is deployed. */
  readonly kind: string;
  /** `open`, `closed` or `canceled`. */
  readonly state: string;
  /** Text of its commit; for a release of an environment, a note of the service. */
  readonly description: string;
  /** Number of the release it was made from; 0 for a release of a design. */
  readonly parentReleaseId: number;
  /** When it was opened, in milliseconds since 1970. */
  readonly created: number;
  /** Who opened it. */
  readonly createdBy: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Who committed it; empty while it is open. */
  readonly committedBy: string;
}

/** The state of a deployment: the newest of an environment, or one by its number. */
export function getDeploymentStatus(args: GetDeploymentStatusArgs, options?: FunctionOptions): Promise<GetDeploymentStatusResult> {
  return invoke('getDeploymentStatus', args, options);
}

/** The state of a deployment: the newest of an environment, or one by its number. As an output: arguments may be outputs, and it waits for what they come from. */
export function getDeploymentStatusOutput(args: GetDeploymentStatusOutputArgs, options?: FunctionOutputOptions): Output<GetDeploymentStatusResult> {
  return invokeOutput('getDeploymentStatus', args, options);
}

/** Arguments of {@link getDeploymentStatus}. */
export interface GetDeploymentStatusArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of the environment. */
  environment: string;
  /** Number of the deployment; default the newest one. */
  deploymentId?: number | undefined;
}

/** Arguments of {@link getDeploymentStatusOutput}. */
export interface GetDeploymentStatusOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of the environment. */
  environment: Input<string>;
  /** Number of the deployment; default the newest one. */
  deploymentId?: Input<number | undefined>;
}

/** Result of {@link getDeploymentStatus}. */
export interface GetDeploymentStatusResult {
  /** Number of the deployment. */
  readonly deploymentId: number;
  /** Number of the release it deploys. */
  readonly releaseId: number;
  /** `pending`, `active`, `pausing`, `paused`, `failed`, `canceled` or `complete`. */
  readonly state: string;
  /** Text given to the deployment. */
  readonly comments: string;
  /** The step it is at. */
  readonly currentStep: number;
  /** The last step there is. */
  readonly maxExecOrder: number;
  /** Whether it continues when a record fails. */
  readonly continueOnFailure: boolean;
  /** When it was started, in milliseconds since 1970. */
  readonly created: number;
  /** Who started it. */
  readonly createdBy: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Its changes, by number in ascending order. */
  readonly records: readonly DeploymentRecord[];
}

/** What runs of an assembly, or of an environment, a platform or a component of it. */
export function getInstances(args: GetInstancesArgs, options?: FunctionOptions): Promise<GetInstancesResult> {
  return invoke('getInstances', args, options);
}

/** What runs of an assembly, or of an environment, a platform or a component of it. As an output: arguments may be outputs, and it waits for what they come from. */
export function getInstancesOutput(args: GetInstancesOutputArgs, options?: FunctionOutputOptions): Output<GetInstancesResult> {
  return invokeOutput('getInstances', args, options);
}

/** Arguments of {@link getInstances}. */
export interface GetInstancesArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of an environment, to see only what runs there. */
  environment?: string | undefined;
  /** Name of a platform, to see only its instances; with `environment`. */
  platform?: string | undefined;
  /** Name of a component, to see only its instances; with `environment` and `platform`. Its number (`ciId`) where several have that name. */
  component?: string | undefined;
  /** Health states to see, with commas between them. Default `all`. */
  opsState?: string | undefined;
}

/** Arguments of {@link getInstancesOutput}. */
export interface GetInstancesOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of an environment, to see only what runs there. */
  environment?: Input<string | undefined>;
  /** Name of a platform, to see only its instances; with `environment`. */
  platform?: Input<string | undefined>;
  /** Name of a component, to see only its instances; with `environment` and `platform`. Its number (`ciId`) where several have that name. */
  component?: Input<string | undefined>;
  /** Health states to see, with commas between them. Default `all`. */
  opsState?: Input<string | undefined>;
}

/** Result of {@link getInstances}. */
export interface GetInstancesResult {
  /** Instances, by environment, platform and name. */
  readonly instances: readonly InstanceRecord[];
}

/** The machines of a platform in an environment. */
export function getComputes(args: GetComputesArgs, options?: FunctionOptions): Promise<GetComputesResult> {
  return invoke('getComputes', args, options);
}

/** The machines of a platform in an environment. As an output: arguments may be outputs, and it waits for what they come from. */
export function getComputesOutput(args: GetComputesOutputArgs, options?: FunctionOutputOptions): Output<GetComputesResult> {
  return invokeOutput('getComputes', args, options);
}

/** Arguments of {@link getComputes}. */
export interface GetComputesArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of the environment. */
  environment: string;
  /** Name of the platform. */
  platform: string;
  /** Health states to see, with commas between them. Default `all`. */
  opsState?: string | undefined;
}

/** Arguments of {@link getComputesOutput}. */
export interface GetComputesOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of the environment. */
  environment: Input<string>;
  /** Name of the platform. */
  platform: Input<string>;
  /** Health states to see, with commas between them. Default `all`. */
  opsState?: Input<string | undefined>;
}

/** Result of {@link getComputes}. */
export interface GetComputesResult {
  /** Machines, by name. */
  readonly computes: readonly ComputeRecord[];
}

/** What can be run on the instances of a component. */
export function getActions(args: GetActionsArgs, options?: FunctionOptions): Promise<GetActionsResult> {
  return invoke('getActions', args, options);
}

/** What can be run on the instances of a component. As an output: arguments may be outputs, and it waits for what they come from. */
export function getActionsOutput(args: GetActionsOutputArgs, options?: FunctionOutputOptions): Output<GetActionsResult> {
  return invokeOutput('getActions', args, options);
}

/** Arguments of {@link getActions}. */
export interface GetActionsArgs {
  /** Name of the assembly. */
  assembly: string;
  /** Name of the environment. */
  environment: string;
  /** Name of the platform. */
  platform: string;
  /** Name of the component. Its number (`ciId`) where several have that name. */
  component: string;
}

/** Arguments of {@link getActionsOutput}. */
export interface GetActionsOutputArgs {
  /** Name of the assembly. */
  assembly: Input<string>;
  /** Name of the environment. */
  environment: Input<string>;
  /** Name of the platform. */
  platform: Input<string>;
  /** Name of the component. Its number (`ciId`) where several have that name. */
  component: Input<string>;
}

/** Result of {@link getActions}. */
export interface GetActionsResult {
  /** Actions of the component's class, then attachments that run on demand. */
  readonly actions: readonly ActionRecord[];
}

/** The state of a procedure. */
export function getProcedure(args: GetProcedureArgs, options?: FunctionOptions): Promise<GetProcedureResult> {
  return invoke('getProcedure', args, options);
}

/** The state of a procedure. As an output: arguments may be outputs, and it waits for what they come from. */
export function getProcedureOutput(args: GetProcedureOutputArgs, options?: FunctionOutputOptions): Output<GetProcedureResult> {
  return invokeOutput('getProcedure', args, options);
}

/** Arguments of {@link getProcedure}. */
export interface GetProcedureArgs {
  /** Number of the procedure. */
  procedureId: number;
}

/** Arguments of {@link getProcedureOutput}. */
export interface GetProcedureOutputArgs {
  /** Number of the procedure. */
  procedureId: Input<number>;
}

/** Result of {@link getProcedure}. */
export interface GetProcedureResult {
  /** Number of the procedure. */
  readonly procedureId: number;
  /** Name of the procedure. */
  readonly name: string;
  /** `pending`, `active`, `complete`, `failed` or `canceled`. */
  readonly state: string;
  /** Number of the record it runs on. */
  readonly ciId: number;
  /** Number of the pack's procedure it was created from; 0 when it has its own definition. */
  readonly procedureCiId: number;
  /** Arguments of the procedure, as the service keeps them. */
  readonly arglist: string;
  /** Its definition, as JSON text; empty where the service does not return it. */
  readonly definition: string;
  /** Path of the records it runs on; empty where the service does not return it. */
  readonly nsPath: string;
  /** Whether it was started although another one was running. */
  readonly forceExecution: boolean;
  /** Number of the current step. */
  readonly currentStep: number;
  /** Number of the last step. */
  readonly maxExecOrder: number;
  /** When it was started, in milliseconds since 1970. */
  readonly created: number;
  /** Who started it. */
  readonly createdBy: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updated: number;
  /** Its steps, in their order. */
  readonly actions: readonly ProcedureActionRecord[];
}

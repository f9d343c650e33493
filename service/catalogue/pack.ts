// What a pack is once it is read: templates, dependencies and settings, seen in each mode
// (service-facts §12.1).

/** Design, and the two modes of an environment. */
export const MODES = ['design', 'single', 'redundant'] as const;
export type PackMode = (typeof MODES)[number];

export interface TextValues {
  readonly [name: string]: string;
}

/** A template: what a component of the platform is made from. */
export interface PackTemplate {
  /** Name of the template, and of the component born with the platform. */
  readonly name: string;
  /** Last part of the class, such as `Compute`. */
  readonly class: string;
  /** Modes the template exists in. */
  readonly modes: readonly PackMode[];
  /** As written, such as `1..*`: attribute `constraint` of the Requires relation. */
  readonly constraint: string;
  readonly min: number;
  /** 999 means no limit, as the service answers it (service-facts §4.5.1 component_types). */
  readonly max: number;
  /** Types of cloud services; those with a leading `*` are optional (service-facts §12.1). */
  readonly services: readonly string[];
  /** Values laid over the class defaults in a component made from the template. */
  readonly defaults: TextValues;
  /** Monitors born with the component, by name: values laid over the defaults of class Monitor. */
  readonly monitors: { readonly [name: string]: TextValues };
  /** Template of the machine an instance runs on (`bom.ManagedVia`). */
  readonly managedVia: string | undefined;
  /** Template of the key pair an instance is reached with (`bom.SecuredBy`). */
  readonly securedBy: string | undefined;
  readonly help: string;
}

/** A DependsOn relation between components of two templates (service-facts §2.1.9). */
export interface TemplateEdge {
  readonly from: string;
  readonly to: string;
  /** Whether there are `current` targets, scaled with the cloud, instead of one. */
  readonly flex: boolean;
  /** Whether all sources share one target. */
  readonly converge: boolean;
  readonly propagate_to: '' | 'from' | 'to' | 'both';
  readonly min: number;
  readonly current: number;
  readonly max: number;
  readonly step_up: number;
  readonly step_down: number;
  /** Percent of the targets changed at a time. */
  readonly pct_dpmt: number;
}

/** A variable born with the platform, of class Localvar. */
interface PackVariable {
  readonly name: string;
  readonly description: string;
  readonly value: string;
  readonly secure: boolean;
}

interface PackProcedure {
  readonly name: string;
  readonly description: string;
  /** JSON text: argument name to its type and default. */
  readonly arguments: string;
  /** JSON text with `flow`, as `cms_procedure.definition` takes it. */
  readonly definition: string;
}

/** A pack version with all it inherits. */
export interface Pack {
  readonly source: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly category: string;
  /** Digest of the content, in hex: attribute `pack_digest` of platforms (service-facts §2.2.5). */
  readonly digest: string;
  /** Template of the component the platform is reached by. */
  readonly entrypoint: string;
  /** Values laid over the defaults of class Platform in an environment. */
  readonly platform: TextValues;
  /** All templates in document order, whatever their modes. */
  readonly templates: readonly PackTemplate[];
  /** Dependencies by mode; both ends exist in that mode. */
  readonly edges: { readonly [M in PackMode]: readonly TemplateEdge[] };
  readonly variables: readonly PackVariable[];
  readonly procedures: readonly PackProcedure[];
}

export function templates(pack: Pack, mode: PackMode): readonly PackTemplate[] {
  return pack.templates.filter((template) => template.modes.includes(mode));
}

/** Templates that a platform begins with, in document order (service-facts §4.5.1-4). */
export function requiredTemplates(pack: Pack, mode: PackMode): readonly PackTemplate[] {
  return templates(pack, mode).filter((template) => template.min > 0);
}

export function edges(pack: Pack, mode: PackMode): readonly TemplateEdge[] {
  return pack.edges[mode];
}

/** Types of services that a cloud must have for a template's components (service-facts §12.1). */
export function requiredServices(template: PackTemplate): readonly string[] {
  return template.services.filter((service) => !service.startsWith('*'));
}

/** A template as attributes of its components' Requires relation (service-facts §2.1.9). */
export function requirementOf({ name, constraint, services, help }: PackTemplate): TextValues {
  return { template: name, constraint, services: services.join(','), priority: '1', help };
}

/** An edge as the attributes of a DependsOn relation (service-facts §2.1.9). */
export function edgeAttributes({ from: _from, to: _to, ...values }: TemplateEdge): TextValues {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  return { ...Object.fromEntries(texts), source: '' };
}

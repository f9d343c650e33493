// What a pack is once it is read: templates, dependencies and settings, seen in each mode
// (service-facts §12.1).
import { type EdgeFile, type MODES, type PackFile } from './files';

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

/** A dependency in one mode. */
export type TemplateEdge = Readonly<Omit<EdgeFile, 'modes'>>;

/** A pack version with all it inherits. */
export interface Pack extends Readonly<Omit<PackFile, 'buildingBlock' | 'extends' | 'templates' | 'dependsOn'>> {
  /** Digest of the content, in hex: attribute `pack_digest` of platforms (service-facts §2.2.5). */
  readonly digest: string;
  /** Template of the component the platform is reached by. */
  readonly entrypoint: string;
  /** All templates in document order, whatever their modes. */
  readonly templates: readonly PackTemplate[];
  /** Dependencies by mode; both ends exist in that mode. */
  readonly edges: { readonly [M in PackMode]: readonly TemplateEdge[] };
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

/** A template as attributes of its components' Requires relation (service-facts §2.1.9). */
export function requirementOf({ name, constraint, services, help }: PackTemplate): TextValues {
  return { template: name, constraint, services: services.join(','), priority: '1', help };
}

/** An edge as the attributes of a DependsOn relation (service-facts §2.1.9). */
export function edgeAttributes({ from: _from, to: _to, ...values }: TemplateEdge): TextValues {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  return { ...Object.fromEntries(texts), source: '' };
}

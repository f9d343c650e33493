// What a person has to know of a pack: its versions, templates and attributes, as plain data for
// pages, text and JSON.
import { type AttributeMetadata, expectationWords, registeredClass } from '../api/contract';
import { type Catalogue, type Pack, type PackTemplate, templates } from '../service';

/** An attribute of a class, as a design may set it. */
export interface AttributeDescription {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'list' | 'map' | 'text';
  /** Value of a component that does not set it; `''` for none. */
  readonly default: string;
  /** Whether the default is the pack's own, in place of that of the class. */
  readonly ofPack?: boolean;
  readonly required: boolean;
  readonly secret: boolean;
  /** Which values are allowed, in words that complete "must be …"; absent when any is. */
  readonly values?: string;
  /** The allowed values, where they are a closed set. */
  readonly allowed?: readonly string[];
  readonly description: string;
}

/** A template of a pack. */
export interface TemplateDescription {
  readonly name: string;
  readonly class: string;
  /** How many components of it a platform has, such as `1..1` or `0..*`. */
  readonly constraint: string;
  /**
   * Where its components exist: `design`, and the availability modes `single` and `redundant` of an
   * environment.
   */
  readonly modes: readonly string[];
  /** Types of cloud services it needs; those with a leading `*` are optional. */
  readonly services: readonly string[];
  readonly description: string;
  /**
   * Attributes that a design may set, with the pack's own defaults; none for a template that no
   * design has.
   */
  readonly attributes: readonly AttributeDescription[];
}

/** A version of a pack. */
export interface PackDescription {
  readonly source: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly category: string;
  /** Template of the component that a platform is reached by. */
  readonly entrypoint: string;
  readonly templates: readonly TemplateDescription[];
}

export function describePack(catalogue: Catalogue, pack: Pack): PackDescription {
  const { source, name, version, description, category, entrypoint } = pack;
  const design = new Set(templates(pack, 'design'));
  const described = pack.templates.map((template) => ({
    name: template.name,
    class: template.class,
    constraint: template.constraint,
    modes: template.modes,
    services: template.services,
    description: template.help,
    attributes: design.has(template) ? attributesOf(catalogue, template) : [],
  }));
  return { source, name, version, description, category, entrypoint, templates: described };
}

/**
 * Attributes of a class as a design may set them, with the class's own defaults; none for an
 * unknown class.
 */
export function describeClass(catalogue: Catalogue, className: string): readonly AttributeDescription[] {
  const attributes = catalogue.classMetadata(registeredClass('catalog', className))?.attributes ?? {};
  return Object.entries(attributes).map(([name, attribute]) => describeAttribute(name, attribute));
}

const attributesOf = (catalogue: Catalogue, template: PackTemplate): readonly AttributeDescription[] =>
  describeClass(catalogue, template.class).map((attribute) => {
    const own = template.defaults[attribute.name];
    if (own === undefined || attribute.secret || own === attribute.default) return attribute;
    return { ...attribute, default: own, ofPack: true };
  });

function describeAttribute(name: string, attribute: AttributeMetadata): AttributeDescription {
  const { expects, says, pattern } = attribute;
  const values = expects === undefined || expects.type === 'boolean' ? (says ?? pattern) : expectationWords(expects);
  return {
    name,
    type: typeOf(attribute),
    default: attribute.encrypted ? '' : attribute.default,
    required: attribute.required,
    secret: attribute.encrypted,
    ...(values === undefined ? {} : { values }),
    ...(expects?.allowed === undefined ? {} : { allowed: expects.allowed }),
    description: attribute.description,
  };
}

function typeOf({ dataType, expects }: AttributeMetadata): AttributeDescription['type'] {
  if (dataType === 'hash') return 'map';
  return dataType === 'array' ? 'list' : (expects?.type ?? 'text');
}

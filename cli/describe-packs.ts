// What a person has to know of a pack, as plain data for pages, text and JSON.
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

export type PackDescription = ReturnType<typeof describePack>;
export type TemplateDescription = PackDescription['templates'][number];

export function describePack(catalogue: Catalogue, pack: Pack) {
  const { source, name, version, description, category, entrypoint } = pack;
  const design = new Set(templates(pack, 'design'));
  const described = pack.templates.map((template) => ({
    name: template.name,
    class: template.class,
    // How many components of it a platform has, such as `1..1` or `0..*`.
    constraint: template.constraint,
    // Where they exist: `design`, and the availability modes of an environment.
    modes: template.modes,
    // Types of cloud services it needs; those with a leading `*` are optional.
    services: template.services,
    description: template.help,
    // With the pack's own defaults; none for a template that no design has.
    attributes: design.has(template) ? attributesOf(catalogue, template) : [],
  }));
  return { source, name, version, description, category, entrypoint, templates: described };
}

/** Attributes of a class that a design may set, with its own defaults; none if unknown. */
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

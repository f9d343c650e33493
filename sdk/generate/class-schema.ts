// Components in stack.schema.json, by template: the attributes of each class with defaults and allowed values. What the catalogue says of values is
// offered and described, and not enforced: a service can have other packs, and `check` says how much the catalogue counts.
// It must not know which words of the language a component has.
import {
  classMetadata,
  expectationWords,
  knownPacks,
  registeredClass,
  type AttributeMetadata,
  type ClassMetadata,
} from '../../api/contract';

type Json = { readonly [key: string]: unknown };

/** A class of components, the templates that make it, and the packs that have each. */
interface TemplateClass {
  readonly metadata: ClassMetadata;
  readonly packs: ReadonlyMap<string, readonly string[]>;
}

/** Name of the definition of components of a class. */
const definitionOf = (holder: string, { name }: ClassMetadata): string => `${holder}.${name}`;

const ref = (name: string): Json => ({ $ref: `#/definitions/${name}` });

/** Definitions of components by class. `holder` is the definition with the words that every component there has; `own` are these words. */
export const classSchemas = (holder: string, own: readonly string[], attributesFrom?: string): Json =>
  Object.fromEntries(
    classes().map(({ metadata }) => {
      const definition = definitionOf(holder, metadata);
      const words = own.map((word) => [word, ref(`${holder}/properties/${word}`)]);
      const attributes = Object.entries(metadata.attributes)
        .filter(([name]) => !own.includes(name))
        .map(([name, attribute]) => [
          name,
          attributesFrom === undefined
            ? attributeSchema(attribute)
            : ref(`${definitionOf(attributesFrom, metadata)}/properties/${name}`),
        ]);
      const schema = {
        type: ['object', 'null'],
        description: `${metadata.description}.`,
        properties: Object.fromEntries([...attributes, ...words]) as Json,
        // Named components, or attributes that the packaged catalogue does not have.
        additionalProperties: { anyOf: [ref(definition), {}] },
      };
      return [definition, schema];
    }),
  );

/** Properties of a map of components: the templates of all packs. */
export const templateProperties = (holder: string): Json =>
  Object.fromEntries(
    classes().flatMap(({ metadata, packs }) =>
      [...packs].map(([template, names]) => [
        template,
        {
          description: `${metadata.description}. Template of ${names.length > PACKS ? `${names.length} packs` : names.join(', ')}.`,
          ...ref(definitionOf(holder, metadata)),
        },
      ]),
    ),
  );

/** Packs that a description lists. */
const PACKS = 6;

/** The pack of a platform: those of the packaged catalogue are offered. */
export const packSchema = (description: string): Json => ({
  description,
  anyOf: [{ enum: knownPacks.map(({ source, name, version }) => `${source}/${name}:${version}`) }, { type: 'string' }],
});

function classes(): readonly TemplateClass[] {
  const found = new Map<string, Map<string, string[]>>();
  for (const { name, templates } of knownPacks)
    for (const [template, { class: className, design }] of Object.entries(templates)) {
      if (!design) continue;
      const packs = found.get(className) ?? new Map<string, string[]>();
      packs.set(template, [...new Set([...(packs.get(template) ?? []), name])]);
      found.set(className, packs);
    }
  return [...found]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, packs]) => {
      const metadata = classMetadata(registeredClass('catalog', name));
      return metadata ? [{ metadata, packs }] : [];
    });
}

function attributeSchema(attribute: AttributeMetadata): Json {
  const { expects, says, encrypted, required, description, default: fallback } = attribute;
  const values = expects?.type === 'boolean' || expects === undefined ? says : expectationWords(expects);
  const offered = expects?.type === 'boolean' ? { type: 'boolean' } : expects?.allowed && { enum: expects.allowed };
  const parts = [
    `${description}.`,
    ...(values === undefined || expects?.allowed ? [] : [`Must be ${values}.`]),
    ...(fallback === '' || encrypted ? [] : [`Default: ${shortened(fallback)}.`]),
    ...(required && fallback === '' ? ['Required.'] : []),
    ...(encrypted ? ['Secret.'] : []),
  ];
  return { description: parts.join(' '), ...(offered ? { anyOf: [offered, {}] } : {}) };
}

/** Characters of a default that are shown. */
const SHOWN = 60;

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);

// The words of composition in stack.schema.json: where they can be, and what they take.
// It must not know what a record is.

type Json = { readonly [key: string]: unknown };

/** Words of one thing: next to its own keys. */
export const THING_WORDS: Json = {
  use: {
    type: 'string',
    description: 'Template that makes it: a name below templates. Own keys are laid over its body.',
  },
  with: { type: ['object', 'null'], description: 'Arguments of the template, by the names of its parameters.' },
  when: {
    description: "Condition without which it is not there: ${config.tier} == 'prod'.",
    type: ['string', 'boolean'],
  },
  each: {
    description: 'Names, or a map by name, that it is made for. Its own key contains ${each.key}.',
    anyOf: [{ type: 'array' }, { type: 'object' }, { type: 'string', pattern: '\\$\\{' }],
  },
};

/** Files whose content is added in place of the word. */
export const INCLUDE: Json = {
  description: 'Files whose content is added here: names relative to this file, also with * and ?.',
};

/** A value that exists on a condition. */
const CONDITIONAL: Json = {
  type: 'object',
  required: ['when', 'value'],
  properties: { when: { type: ['string', 'boolean'] }, value: {} },
  additionalProperties: false,
};

/** What composition allows in place of any value. Null is described by what it is not: a type would offer it as a value everywhere. */
export const COMPOSED_VALUES: readonly Json[] = [
  CONDITIONAL,
  { not: { type: ['string', 'number', 'boolean', 'object', 'array'] } },
];

const PARAMETER: Json = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { enum: ['string', 'integer', 'number', 'boolean', 'list', 'map'] },
    default: { description: 'Value where a use gives none; without it, each use must give one.' },
    allowed: { type: 'array', description: 'The only values there may be.' },
    message: { type: 'string', description: 'What a finding says of a value that is not allowed.' },
    description: { type: 'string' },
  },
  additionalProperties: false,
};

/** Words at the top of a file. */
export const TOP_WORDS_SCHEMA: Json = {
  include: INCLUDE,
  templates: {
    type: ['object', 'null'],
    description: 'Bodies that several things share, by name: use names them.',
    additionalProperties: {
      type: 'object',
      properties: {
        parameters: { type: ['object', 'null'], additionalProperties: PARAMETER },
        body: {
          type: ['object', 'null'],
          description: 'What it makes, with ${param.NAME} for the arguments.',
          anyOf: [{ $ref: '#/definitions/platform' }, { $ref: '#/definitions/environment' }, {}],
        },
        description: { type: 'string' },
      },
      additionalProperties: false,
    },
  },
};

/** Parts of a file that an overlay can change as they are at the top. */
const PARTS = ['env', 'clouds', 'design', 'variables', 'environments', 'outputs'];

/** Overlays by name: each a complete file in which nothing is required. `own`: the schemas of the parts in which something is required at the top. */
export const overlaySchema = (own: Json): Json => ({
  type: ['object', 'null'],
  description: 'What differs in a stack of that name, or with --overlay NAME. Null removes a key.',
  additionalProperties: {
    type: ['object', 'null'],
    properties: { ...own, ...Object.fromEntries(PARTS.map((part) => [part, { $ref: `#/properties/${part}` }])) },
    additionalProperties: false,
  },
});

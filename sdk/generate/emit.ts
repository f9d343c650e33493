// One emitter for forms of values: TypeScript, package schema, stack file schema, pages.
import type { ResultShape } from '../../provider/functions';
import type { Shape } from '../../provider/values';
import { defined } from '../../provider/values';

export type Json = { readonly [key: string]: unknown };

/** A form of values, as kinds and functions declare it. */
export type Value = Shape | ResultShape;

interface Limits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** How each form is written. */
export interface Target<T> {
  /** `allowed`: the only words there are. */
  text(allowed: readonly string[] | undefined): T;
  flag(): T;
  int(limits: Limits): T;
  number(): T;
  list(items: T): T;
  map(values: T): T;
  /** Objects with known members, which have a form of their own in every document. */
  object(): T;
  /** A map of whatever there is. */
  open(): T;
  record(name: string): T;
}

/** A form as a target writes it. */
export function emit<T>(value: Value, to: Target<T>): T {
  switch (value.type) {
    case 'text':
      return to.text(value.allowed);
    case 'int':
      return to.int({ minimum: undefined, maximum: undefined, ...value });
    case 'list':
      return to.list(emit(value.items, to));
    case 'map':
      return to.map(emit(value.values, to));
    case 'record':
      return to.record(value.of.name);
    default:
      return to[value.type]();
  }
}

/** Types of TypeScript. `key`: how a map calls its keys. */
export const typescript = (key: string): Target<string> => ({
  text: (allowed) => allowed?.map((word) => `'${word}'`).join(' | ') ?? 'string',
  flag: () => 'boolean',
  int: () => 'number',
  number: () => 'number',
  list: (items) => (items.includes(' | ') ? `readonly (${items})[]` : `readonly ${items}[]`),
  map: (values) => `{ readonly [${key}: string]: ${values} }`,
  object: () => '{ readonly [attribute: string]: unknown }',
  open: () => '{ readonly [attribute: string]: unknown }',
  record: (name) => name,
});

/** Properties of Pulumi's package schema. `nameOf`: the type of a closed set of words. */
export const packageValue = (nameOf: (allowed: readonly string[]) => string): Target<Json> => ({
  text: (allowed) => (allowed === undefined ? { type: 'string' } : typeRef(nameOf(allowed))),
  flag: () => ({ type: 'boolean' }),
  int: () => ({ type: 'integer' }),
  number: () => ({ type: 'number' }),
  list: (items) => ({ type: 'array', items }),
  map: (values) => ({ type: 'object', additionalProperties: values }),
  object: () => ANYTHING,
  open: () => ANYTHING,
  record: typeRef,
});

const ANYTHING: Json = { type: 'object', additionalProperties: { $ref: 'pulumi.json#/Any' } };

/** A type of the package. SDKs have a class for the state of each resource under that name. */
export const typeToken = (name: string): string => `oneops:index:${name.replace(/State$/, 'StateValue')}`;

export function typeRef(name: string): Json {
  return { $ref: `#/types/${typeToken(name)}` };
}

/** A definition of the schema of stack files. */
export const ref = (name: string): Json => ({ $ref: `#/definitions/${name}` });

const SCALAR = ['string', 'number', 'boolean'];

/** A value that may also be a reference or a function. */
const orExpression = (value: Json): Json => ({ anyOf: [value, ref('expression')] });

/** Values inside lists and maps of a stack file. */
const INNER: Target<Json> = {
  text: (allowed) => {
    if (allowed === undefined) return { type: 'string' };
    return allowed.length === 1 ? { const: allowed[0], type: 'string' } : { enum: [...allowed].sort(), type: 'string' };
  },
  flag: () => ({ type: 'boolean' }),
  int: ({ minimum, maximum }) => ({ type: 'integer', ...defined({ minimum, maximum }) }),
  number: () => ({ type: 'number' }),
  list: (items) => ({ type: 'array', items: orExpression(items) }),
  map: (values) => ({ type: 'object', additionalProperties: values }),
  object: () => ({ type: 'object', additionalProperties: {} }),
  open: () => ({ type: 'object', additionalProperties: {} }),
  record: ref,
};

/**
 * Values of a stack file's schema. A file's scalars keep their source: a whole number may be in
 * quotes, and numbers and booleans may be texts, also as values of a map.
 */
export const fileValue: Target<Json> = {
  ...INNER,
  text: (allowed) => (allowed === undefined ? { type: SCALAR } : INNER.text(allowed)),
  int: (limits) => ({ anyOf: [INNER.int(limits), { type: 'string', pattern: '^-?[0-9]+$' }] }),
  list: (items) => INNER.list(items['type'] === SCALAR ? INNER.text(undefined) : items),
  map: (values) => INNER.map(values['type'] === SCALAR ? orExpression(values) : values),
};

/** Words of the reference pages. */
export const words: Target<string> = {
  text: (allowed) => allowed?.map(codeText).join(', ') ?? 'text',
  flag: () => 'true or false',
  int: ({ minimum, maximum }) => {
    if (minimum === undefined) return 'whole number';
    return `whole number${maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`}`;
  },
  number: () => 'number',
  list: (items) => `list of ${items}`,
  map: (values) => `map of ${values}`,
  object: () => 'objects',
  open: () => 'map of attributes',
  record: (name) => `[${name}](#${name.toLowerCase()})`,
};

/** Text as code of Markdown; a text that contains a backtick gets a longer fence. */
export const codeText = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const NOTE = '<!-- Generated by `npm run generate` from the source: changes made here are lost. -->';

/** The text of a generated page. */
export const page = (lines: readonly string[]): string => `${[NOTE, '', ...lines].join('\n')}\n`;

/** A table without the columns that are empty in every row. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const used = (_: string, column: number): boolean => rows.some((row) => row[column] !== '');
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.filter(used).map(cell).join(' | ')} |`);
}

export const codeBlock = (language: string, text: string): readonly string[] => [
  `\`\`\`${language}`,
  text.trimEnd(),
  '```',
];

/** A bar ends a cell, even inside code. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

// Values in the schema of stack files: a kind's own keys, each of which may also hold a reference or a function.
import type { Definition } from 'typescript-json-schema';
import { argumentsInFile, fieldOf, snakeCase, type Kind } from '../../provider';
import type { Definitions } from './json-schema';

/** A JSON Schema, or a part of one. */
export type Json = { readonly [key: string]: unknown };

/** A definition of the same schema. */
export const ref = (name: string): Json => ({ $ref: `#/definitions/${name}` });

/** A kind's own keys: the arguments that a file gives under their own keys. */
export function kindProperties(of: Kind, definitions: Definitions): readonly (readonly [string, Json])[] {
  const names = argumentsInFile(of);
  const properties = propertiesOf(definitions[`${of.token}Args`]).filter(([name]) => names.includes(name));
  return snakeProperties(
    properties.map(([name, property]) => [name, withDefault(property, fieldOf(of, name)?.base ?? '')]),
    definitions,
  );
}

/** The description with the value that the service has where nobody sets one. */
const withDefault = (property: Definition, value: string): Definition =>
  value === '' || /default/i.test(property.description ?? '')
    ? property
    : { ...property, description: `${property.description ?? ''} Default: ${value}.`.trim() };

/** Name and definition of each property. */
export const propertiesOf = (definition: Definition | undefined): readonly (readonly [string, Definition])[] =>
  Object.entries(definition?.properties ?? {}).map(([name, property]) => [name, property as Definition]);

/** Properties as a file spells them. */
export const snakeProperties = (
  properties: readonly (readonly [string, Definition])[],
  definitions: Definitions,
): readonly (readonly [string, Json])[] =>
  properties.map(([name, property]) => [snakeCase(name), orExpression(property, definitions)]);

const SCALAR = ['string', 'number', 'boolean'];

/** Values as a file may write them: a whole number in quotes, and numbers and booleans as values of a map of texts. */
function inTextToo(plain: Json): Json {
  if (plain['type'] === 'integer' || plain['type'] === 'number') {
    const { type, ...limits } = plain;
    return {
      anyOf: [
        { type, ...limits },
        { type: 'string', pattern: '^-?[0-9]+$' },
      ],
    };
  }
  const values = plain['additionalProperties'] as Json | undefined;
  if (values?.['type'] !== 'string' || values['enum'] !== undefined) return plain;
  return { ...plain, additionalProperties: { anyOf: [{ ...values, type: SCALAR }, ref('expression')] } };
}

/** Any value may come from a reference or a function. */
function orExpression(property: Definition, definitions: Definitions): Json {
  const { description, ...rest } = property;
  const plain = inlined(rest, definitions);
  // Programs keep texts apart from numbers; a file's scalars keep their source.
  const isFreeText = plain['type'] === 'string' && plain['enum'] === undefined;
  const value = isFreeText ? { ...plain, type: SCALAR } : inTextToo(plain);
  return { ...(description === undefined ? {} : { description }), anyOf: [value, ref('expression')] };
}

/** A definition without references and our own marks. */
function inlined(definition: Definition, definitions: Definitions): Json {
  if (definition.$ref !== undefined)
    return inlined(definitions[definition.$ref.replace('#/definitions/', '')] ?? {}, definitions);
  const {
    secret: _,
    replaceOnChanges: __,
    items,
    additionalProperties,
    ...rest
  } = definition as Definition & { readonly secret?: unknown; readonly replaceOnChanges?: unknown };
  const inner = (value: unknown): Json => inlined(value as Definition, definitions);
  return {
    ...rest,
    ...(items === undefined ? {} : { items: { anyOf: [inner(items), ref('expression')] } }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inner(additionalProperties) }),
  };
}

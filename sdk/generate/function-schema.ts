// Functions in schema.json and in the stack file's schema (engine-facts F).
// It must not know any single function.
import { snakeCase, type ResultShape, type Shape } from '../../provider';
import type { ArgumentText, FunctionText, FunctionTexts, ResultText } from './function-model';

type Json = { readonly [key: string]: unknown };

/** `oneops:index:getCloud`: the complete name of a function. */
const functionToken = (token: string): string => `oneops:index:${token}`;

/** Members `functions` of the package schema. */
export const functionSpecs = ({ functions }: FunctionTexts): Json =>
  Object.fromEntries(functions.map((each) => [functionToken(each.token), functionSpec(each)]));

/** Types that only functions use: records of results, and closed sets of words of arguments. */
export function functionTypes({ functions, records }: FunctionTexts): Json {
  const words = functions.flatMap(({ token, args }) =>
    args.flatMap(({ name, field: { shape } }) =>
      shape.type === 'text' && shape.allowed
        ? [[functionToken(wordsName(token, name)), { type: 'string', enum: shape.allowed.map((value) => ({ value })) }]]
        : [],
    ),
  );
  const objects = records.map(({ name, description, members }) => [
    functionToken(name),
    { description, type: 'object', ...resultsSpec(members) },
  ]);
  return Object.fromEntries([...words, ...objects]) as Json;
}

function functionSpec({ token, description, args, results }: FunctionText): Json {
  const required = args.filter(({ field }) => field.required).map(({ name }) => name);
  return {
    description,
    ...(args.length === 0
      ? {}
      : {
          inputs: {
            properties: Object.fromEntries(
              args.map((argument) => [
                argument.name,
                { ...argumentSpec(token, argument), description: argument.description },
              ]),
            ),
            ...(required.length === 0 ? {} : { required }),
          },
        }),
    outputs: resultsSpec(results),
  };
}

const wordsName = (token: string, argument: string): string =>
  `${token.charAt(0).toUpperCase()}${token.slice(1)}${argument.charAt(0).toUpperCase()}${argument.slice(1)}`;

function argumentSpec(token: string, { name, field: { shape } }: ArgumentText): Json {
  if (shape.type === 'text' && shape.allowed) return { $ref: `#/types/${functionToken(wordsName(token, name))}` };
  return { type: plainType(shape) };
}

function plainType(shape: Shape): string {
  if (shape.type === 'int') return 'integer';
  return shape.type === 'flag' ? 'boolean' : 'string';
}

const resultsSpec = (results: readonly ResultText[]): Json => ({
  properties: Object.fromEntries(
    results.map(({ name, description, result }) => [
      name,
      { ...resultSpec(result.shape), description, ...(result.secret ? { secret: true } : {}) },
    ]),
  ),
  required: results.filter(({ result }) => result.always).map(({ name }) => name),
});

function resultSpec(shape: ResultShape): Json {
  switch (shape.type) {
    case 'text':
      return { type: 'string' };
    case 'int':
      return { type: 'integer' };
    case 'number':
      return { type: 'number' };
    case 'flag':
      return { type: 'boolean' };
    case 'list':
      return { type: 'array', items: resultSpec(shape.items) };
    case 'map':
      return { type: 'object', additionalProperties: resultSpec(shape.values) };
    case 'record':
      return { $ref: `#/types/${functionToken(shape.of.name)}` };
  }
}

/** What is behind `fn::invoke` in a stack file: one form for each function. */
export const invokeSchema = ({ functions }: FunctionTexts, expression: Json): Json => ({
  description: 'Reads something from the service: the result of a function, or one value of it.',
  anyOf: functions.map(({ token, description, args, results }) => {
    const required = args.filter(({ field }) => field.required);
    return {
      type: 'object',
      description,
      required: required.length === 0 ? ['function'] : ['function', 'arguments'],
      additionalProperties: false,
      properties: {
        function: { enum: [token, `oneops:${token}`, functionToken(token)], description },
        arguments: {
          type: ['object', 'null'],
          additionalProperties: false,
          required: required.map(({ name }) => snakeCase(name)),
          properties: Object.fromEntries(
            args.map(({ name, description: text, field: { shape } }) => [
              snakeCase(name),
              { description: text, anyOf: [argumentSchema(shape), expression] },
            ]),
          ),
        },
        return: {
          type: 'string',
          description: `What of the result: ${results.map(({ name }) => snakeCase(name)).join(', ')}.`,
        },
      },
    };
  }),
});

function argumentSchema(shape: Shape): Json {
  if (shape.type === 'text') return shape.allowed ? { enum: shape.allowed } : { type: ['string', 'number', 'boolean'] };
  return { type: plainType(shape) };
}

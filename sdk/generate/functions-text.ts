// sdk/functions.ts: the functions a program calls, as plain TypeScript text (Pulumi's convention: `getX` and `getXOutput`).
// It must not know any single function.
import type { ResultShape, Shape } from '../../provider';
import type { ArgumentText, FunctionText, FunctionTexts, RecordText, ResultText } from './function-model';

const HEADER = `// The functions of pulumi-oneops. Written by sdk/generate from their literals (npm run generate): do not edit.
// It must not know how a function is called, nor load the API client.
import type { Input, Output } from '@pulumi/pulumi/output';
import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from '../invoke';
`;

/** All of sdk/functions.ts. */
export const functionsText = ({ functions, records }: FunctionTexts): string =>
  [HEADER, ...records.map(recordText), ...functions.map(functionText)].join('\n');

const recordText = ({ name, description, members }: RecordText): string =>
  `${comment(description, '')}export interface ${name} {\n${members.map(memberText).join('')}}\n`;

function functionText({ token, description, args, results }: FunctionText): string {
  const name = token.charAt(0).toUpperCase() + token.slice(1);
  const optional = args.every(({ field }) => !field.required);
  const parameter = (type: string): string => (args.length === 0 ? '' : `args${optional ? '?' : ''}: ${type}, `);
  const passed = args.length === 0 ? '{}' : 'args';
  const members = (type: (argument: ArgumentText) => string): string =>
    args
      .map(
        (argument) =>
          `${comment(argument.description, '  ')}  ${argument.name}${argument.field.required ? '' : '?'}: ${type(argument)};\n`,
      )
      .join('');
  const interfaces =
    args.length === 0
      ? ''
      : `
/** Arguments of {@link ${token}}. */
export interface ${name}Args {
${members(plainType)}}

/** Arguments of {@link ${token}Output}. */
export interface ${name}OutputArgs {
${members(({ field }) => `Input<${orUndefined(field.required, shapeType(field.shape))}>`)}}
`;
  return `${comment(description, '')}export function ${token}(${parameter(`${name}Args`)}options?: FunctionOptions): Promise<${name}Result> {
  return invoke('${token}', ${passed}, options);
}

${comment(`${description} As an output: arguments may be outputs, and it waits for what they come from.`, '')}export function ${token}Output(${parameter(`${name}OutputArgs`)}options?: FunctionOutputOptions): Output<${name}Result> {
  return invokeOutput('${token}', ${passed}, options);
}
${interfaces}
/** Result of {@link ${token}}. */
export interface ${name}Result {
${results.map(memberText).join('')}}
`;
}

const plainType = ({ field }: ArgumentText): string => orUndefined(field.required, shapeType(field.shape));

const orUndefined = (required: boolean, type: string): string => (required ? type : `${type} | undefined`);

function memberText({ name, description, result }: ResultText): string {
  const plain = resultType(result.shape);
  const type = result.secret ? `Output<${plain}>` : plain;
  return `${comment(description, '  ')}  readonly ${name}${result.always ? '' : '?'}: ${type};\n`;
}

function resultType(shape: ResultShape): string {
  switch (shape.type) {
    case 'text':
      return shape.allowed ? shape.allowed.map((word) => `'${word}'`).join(' | ') : 'string';
    case 'int':
    case 'number':
      return 'number';
    case 'flag':
      return 'boolean';
    case 'list':
      return `readonly ${resultType(shape.items)}[]`;
    case 'map':
      return `{ readonly [name: string]: ${resultType(shape.values)} }`;
    case 'record':
      return shape.of.name;
  }
}

/** Arguments are texts, numbers and flags. */
function shapeType(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return shape.allowed ? shape.allowed.map((word) => `'${word}'`).join(' | ') : 'string';
    case 'int':
      return 'number';
    case 'flag':
      return 'boolean';
    default:
      throw new TypeError(`a function takes no ${shape.type}`);
  }
}

const comment = (text: string, indent: string): string =>
  text === '' ? '' : `${indent}/** ${text.replace(/\*\//g, '* /')} */\n`;

// The `fn::` functions of a stack file for readers and editors: the reference page, and their part of stack.schema.json.
// It must not know how a function is computed.
import { FILE_FUNCTIONS, type FileFunction } from '../../stack';
import { codeText, page, tableLines } from './markdown';

type Json = { readonly [key: string]: unknown };

const functions = Object.entries(FILE_FUNCTIONS as { readonly [name: string]: FileFunction });

const namesOf = (name: string, { formerly }: FileFunction): readonly string[] =>
  [name, ...(formerly === undefined ? [] : [formerly])].map((each) => `fn::${each}`);

/** The reference page of the functions in values. */
export const valuesPage = (): string =>
  page([
    '# Functions in values',
    '',
    'A map with the single key `fn::NAME` is replaced by the result of that function. It is allowed wherever a value is allowed, also inside the argument of another function.',
    'If a part of the argument is a secret, the result is a secret. If a part is known only in a run, the result is known only then.',
    '',
    ...tableLines(
      ['Function', 'Argument', 'Result', 'Example'],
      functions.map(([name, of]) => [
        namesOf(name, of).map(codeText).join(', formerly '),
        of.argument,
        of.result,
        exampleText(name, of),
      ]),
    ),
  ]);

const exampleText = (name: string, { example: [argument, result] }: FileFunction): string =>
  `\`fn::${name}: ${argument}\` is \`${result}\``;

/** Properties of a map that calls a function. `argument`: the schema of an argument, where it is described more closely. */
export const callSchemas = (argument: { readonly [name: string]: Json }): Json =>
  Object.fromEntries(
    functions.flatMap(([name, of]) =>
      namesOf(name, of).map((word, index) => [
        word,
        argument[name] ?? {
          description: `Takes ${of.argument}. Result: ${plain(of.result)}.`,
          ...tuple(of),
          ...(index === 0 ? {} : { deprecationMessage: `Write fn::${name}.` }),
        },
      ]),
    ),
  );

/** A description without links and with one full stop at its end. */
const plain = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\.$/, '');

const tuple = ({ takes }: FileFunction): Json =>
  typeof takes === 'string' ? {} : { type: 'array', minItems: takes.length, maxItems: takes.length };

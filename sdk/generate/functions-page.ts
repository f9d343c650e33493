// The reference page of the functions: what each returns, its arguments, and the values of its result.
import type { ResultShape } from '../../provider';
import type { ArgumentText, FunctionText, FunctionTexts, ResultText } from './function-model';
import { codeText, page, tableLines, yes } from './markdown';
import { shapeText } from './shape-text';

/** The whole page. */
export const functionsPage = ({ functions, records }: FunctionTexts): string =>
  page([
    '# Reference of the functions',
    '',
    '[Functions](../functions.md) describes how to call them. The names are those of programs; a stack file writes them in `snake_case`.',
    'In TypeScript, each function has a second form whose arguments and result are outputs: `getCloudOutput` next to `getCloud`.',
    ...functions.flatMap(functionSection),
    '',
    '## Records',
    '',
    'What results contain.',
    ...records.flatMap(({ name, description, members }) => [
      '',
      `### ${name}`,
      '',
      description,
      '',
      ...resultTable(members),
    ]),
  ]);

const functionSection = ({ token, description, args, results }: FunctionText): readonly string[] => [
  '',
  `## ${token}`,
  '',
  description,
  '',
  ...(args.length === 0 ? ['It has no arguments.'] : argumentTable(args)),
  '',
  ...resultTable(results),
];

const argumentTable = (args: readonly ArgumentText[]): readonly string[] =>
  tableLines(
    ['Argument', 'Type', 'Required', 'What it is'],
    args.map(({ name, description, field }) => [
      codeText(name),
      shapeText(field.shape),
      yes(field.required),
      description,
    ]),
  );

const resultTable = (results: readonly ResultText[]): readonly string[] =>
  tableLines(
    ['Result', 'Type', 'May be missing', 'Secret', 'What it is'],
    results.map(({ name, description, result }) => [
      codeText(name),
      resultText(result.shape),
      yes(!result.always),
      yes(result.secret),
      description,
    ]),
  );

function resultText(shape: ResultShape): string {
  switch (shape.type) {
    case 'text':
      return shape.allowed ? shape.allowed.map(codeText).join(', ') : 'text';
    case 'int':
      return 'whole number';
    case 'number':
      return 'number';
    case 'flag':
      return 'true or false';
    case 'list':
      return `list of ${resultText(shape.items)}`;
    case 'map':
      return `map of ${resultText(shape.values)}`;
    case 'record':
      return `[${shape.of.name}](#${shape.of.name.toLowerCase()})`;
  }
}

// Every function as its reader sees it: arguments and results with types and texts. The SDK's text and schema.json are written from it.
// It must not know in which language they are written.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  functions,
  type ApiFunction,
  type Field,
  type RecordType,
  type Result,
  type ResultShape,
} from '../../provider';

/** One argument. */
export interface ArgumentText {
  readonly name: string;
  readonly description: string;
  readonly field: Field;
}

/** One value of a result. */
export interface ResultText {
  readonly name: string;
  readonly description: string;
  readonly result: Result;
}

/** One function. */
export interface FunctionText {
  readonly token: string;
  readonly description: string;
  readonly args: readonly ArgumentText[];
  readonly results: readonly ResultText[];
}

/** A record that is inside results, under its own name. */
export interface RecordText {
  readonly name: string;
  readonly description: string;
  readonly members: readonly ResultText[];
}

export interface FunctionTexts {
  readonly functions: readonly FunctionText[];
  readonly records: readonly RecordText[];
}

/** JSDoc over a literal and over its members, by name. */
interface Texts {
  readonly description: string;
  readonly arguments: { readonly [name: string]: string };
  readonly members: { readonly [name: string]: string };
}

/** Every function and the records in their results, with the JSDoc of a folder's sources. */
export function functionTexts(folder: string): FunctionTexts {
  const texts = readTexts(folder);
  const of = (name: string): Texts => texts.get(name) ?? { description: '', arguments: {}, members: {} };
  const records = new Map<string, RecordType>();
  functions.forEach((each) => Object.values(each.result).forEach(({ shape }) => collect(shape, records)));
  return {
    functions: functions.map((each) => functionText(each, of(each.token))),
    records: [...records.values()].map(({ name, members }) => ({
      name,
      description: of(name).description,
      members: resultTexts(members, of(name)),
    })),
  };
}

const functionText = (of: ApiFunction, texts: Texts): FunctionText => ({
  token: of.token,
  description: texts.description,
  args: Object.entries(of.arguments).map(([name, field]) => ({
    name,
    field,
    description: texts.arguments[name] ?? '',
  })),
  results: resultTexts(of.result, texts),
});

const resultTexts = (results: ApiFunction['result'], texts: Texts): readonly ResultText[] =>
  Object.entries(results).map(([name, result]) => ({ name, result, description: texts.members[name] ?? '' }));

function collect(shape: ResultShape, found: Map<string, RecordType>): void {
  if (shape.type === 'list') collect(shape.items, found);
  if (shape.type === 'map') collect(shape.values, found);
  if (shape.type !== 'record' || found.has(shape.of.name)) return;
  found.set(shape.of.name, shape.of);
  Object.values(shape.of.members).forEach((member) => collect(member.shape, found));
}

/** Texts of `apiFunction({ token, … })` and `recordType(name, { … })`, by token and by name. */
function readTexts(folder: string): ReadonlyMap<string, Texts> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    noLib: true,
  });
  const checker = program.getTypeChecker();
  const calls = files
    .flatMap((file) => [...(program.getSourceFile(file)?.statements ?? [])])
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations]);
  return new Map(
    calls.flatMap(({ name, initializer }) => {
      if (!initializer || !ts.isCallExpression(initializer)) return [];
      const [first, second] = initializer.arguments;
      const description = textOf(checker, checker.getSymbolAtLocation(name));
      switch (initializer.expression.getText()) {
        case 'apiFunction': {
          const token = first && stringIn(memberOf(first, 'token'));
          const texts = {
            description,
            arguments: first ? membersOf(checker, memberOf(first, 'arguments')) : {},
            members: first ? membersOf(checker, memberOf(first, 'result')) : {},
          };
          return token === undefined ? [] : [[token, texts] as const];
        }
        case 'result.recordType': {
          const record = stringIn(first);
          const texts = { description, arguments: {}, members: membersOf(checker, second) };
          return record === undefined ? [] : [[record, texts] as const];
        }
        default:
          return [];
      }
    }),
  );
}

function memberOf(literal: ts.Expression, name: string): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  return literal.properties.filter(ts.isPropertyAssignment).find((property) => property.name.getText() === name)
    ?.initializer;
}

const stringIn = (node: ts.Expression | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteral(node) ? node.text : undefined;

/** By the type, so that members that are spread in keep their texts. */
function membersOf(checker: ts.TypeChecker, node: ts.Expression | undefined): { readonly [name: string]: string } {
  if (node === undefined) return {};
  const members = checker.getTypeAtLocation(node).getProperties();
  return Object.fromEntries(members.map((member) => [member.name, textOf(checker, member)]));
}

const textOf = (checker: ts.TypeChecker, symbol: ts.Symbol | undefined): string =>
  ts
    .displayPartsToString(symbol?.getDocumentationComment(checker))
    .replace(/\s*\n\s*/g, ' ')
    .trim();

// `make mutants`: a sample of small faults in provider, stack and drift, each written into its file by itself, and whether a suite notices it.
// MUTANTS says how many, SEED which, SUITES how many suites a fault is shown to at most. On a tree that passes `make test`.
// LIST names a file: the faults are written into it, or, where it exists, those in it are tried again, wherever their lines are by now.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { importsOf, readSources, ROOT, type Source } from '../house/sources';
import { pick, randomOf } from '../soak/random';

const COUNT = Number(process.env['MUTANTS'] ?? 60);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const SUITES = Number(process.env['SUITES'] ?? 12);
const LIST = process.env['LIST'];
/** After so many milliseconds a run ends: the fault makes a loop that does not, or the machine is busy. */
const PATIENCE = 20 * 60_000;
const ROOMS = ['provider', 'stack', 'drift'];

/** A part of a file, and what is written in its place. */
interface Fault {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/** What an operator becomes. */
const OPERATORS: { readonly [operator: string]: string } = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

/** What a part of a program becomes; undefined where nothing is tried. */
function insteadOf(node: ts.Node): { readonly of: ts.Node; readonly text: string } | undefined {
  if (ts.isBinaryExpression(node)) {
    const text = OPERATORS[node.operatorToken.getText()];
    return text === undefined ? undefined : { of: node.operatorToken, text };
  }
  if (ts.isIfStatement(node)) return { of: node.expression, text: `!(${node.expression.getText()})` };
  if (ts.isConditionalExpression(node)) return { of: node.condition, text: `!(${node.condition.getText()})` };
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return { of: node, text: node.operand.getText() };
  if (ts.isNumericLiteral(node)) return { of: node, text: `(${node.getText()} + 1)` };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { of: node, text: 'false' };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { of: node, text: 'true' };
  return undefined;
}

/** Every fault that a file can have. */
function faultsOf(source: Source): readonly Fault[] {
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    // What is only a type, or a name of a member, is not evaluated.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const found = insteadOf(node);
    const isName = ts.isPropertyAssignment(node.parent ?? node) && (node.parent as ts.PropertyAssignment).name === node;
    if (found && !isName)
      faults.push({ source, start: found.of.getStart(), end: found.of.getEnd(), instead: found.text });
    node.forEachChild(visit);
  };
  visit(source.tree);
  return faults;
}

/** Words of a path: `provider/kinds/team/kind.ts` has `provider`, `kind` and `team`. */
const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(path.split(/[/.-]/).map((word) => word.replace(/s$/, '')));

/** Suites in process that reach a file: first those whose paths have most words of its path, then those with the fewest files between them. */
function suitesOf(all: readonly Source[]): (path: string) => readonly string[] {
  const importers = new Map<string, string[]>();
  for (const source of all)
    for (const path of importsOf(source, 'evaluated'))
      importers.set(path, [...(importers.get(path) ?? []), source.path]);
  return (path) => {
    const reached = new Set([path]);
    for (const each of reached) for (const next of importers.get(each) ?? []) reached.add(next);
    const words = wordsOf(path);
    const shared = (suite: string): number => [...wordsOf(suite)].filter((word) => words.has(word)).length;
    return [...reached]
      .filter((each) => each.endsWith('.test.ts') && !isOnEngine(each))
      .sort((one, other) => shared(other) - shared(one))
      .slice(0, SUITES);
  };
}

const isOnEngine = (path: string): boolean => /^test\/(stories|engine)\//.test(path);

/** What comes of a fault that suites are shown. */
function endOf({ source, start, end, instead }: Fault, suites: readonly string[]): string {
  if (suites.length === 0) return 'reached by no suite';
  const file = join(ROOT, source.path);
  writeFileSync(file, source.text.slice(0, start) + instead + source.text.slice(end));
  try {
    const jest = join(ROOT, 'node_modules', '.bin', 'jest');
    const words = ['--selectProjects', 'unit', '--bail', '--silent', '-w', '1', '--runTestsByPath', ...suites];
    const { status } = spawnSync(jest, words, { cwd: ROOT, timeout: PATIENCE, stdio: 'ignore' });
    if (status === null) return 'not ended';
    return status === 0 ? 'unseen' : 'noticed';
  } finally {
    writeFileSync(file, source.text);
  }
}

const describeFault = ({ source, start, end, instead }: Fault): string => {
  const { line } = source.tree.getLineAndCharacterOfPosition(start);
  return `${source.path}:${line + 1} ${source.text.slice(start, end)} → ${instead}`.replace(/\s+/g, ' ').slice(0, 150);
};

/** A fault by what is around it, by which it is found after its file has moved or changed elsewhere. */
const placeOf = ({ source, start, end, instead }: Fault): string =>
  JSON.stringify([source.text.slice(Math.max(0, start - 60), end + 60), end - start, instead]);

function chosenOf(faults: readonly Fault[]): readonly (Fault | undefined)[] {
  if (LIST !== undefined && existsSync(LIST)) {
    const places = readFileSync(LIST, 'utf8').trim().split('\n');
    return places.map((place) => faults.find((each) => placeOf(each) === place));
  }
  const random = randomOf(SEED);
  const chosen = new Set<Fault>();
  while (chosen.size < Math.min(COUNT, faults.length)) chosen.add(pick(random, faults));
  if (LIST !== undefined) writeFileSync(LIST, [...chosen].map((each) => `${placeOf(each)}\n`).join(''));
  return [...chosen];
}

function main(): void {
  const { product, tests } = readSources();
  const reaching = suitesOf([...product, ...tests]);
  const faults = product.filter(({ path }) => ROOMS.includes(path.split('/')[0] ?? '')).flatMap(faultsOf);
  const chosen = chosenOf(faults);
  process.stdout.write(`${faults.length} faults are possible; ${chosen.length} of them with SEED=${SEED}\n`);
  const counts: { [end: string]: number } = {};
  for (const fault of chosen) {
    const end = fault === undefined ? 'gone' : endOf(fault, reaching(fault.source.path));
    counts[end] = (counts[end] ?? 0) + 1;
    process.stdout.write(
      `${end.padEnd(9)} ${fault === undefined ? 'its lines are no longer there' : describeFault(fault)}\n`,
    );
  }
  const all = Object.entries(counts).map(([end, count]) => `${end} ${count}`);
  process.stdout.write(`${all.join(', ')}, of ${chosen.length}, SEED=${SEED}, SUITES=${SUITES}\n`);
}

main();

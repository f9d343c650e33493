// `make mutants`: a sample of small faults in provider, stack and drift, each written into its file by itself, and whether a suite notices it.
// MUTANTS says how many, SEED which, SUITES how many suites a fault is shown to at most. On a tree that passes `make test`.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { importsOf, readSources, ROOT, type Source } from '../house/sources';
import { pick, randomOf } from '../soak/random';

const COUNT = Number(process.env['MUTANTS'] ?? 60);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const SUITES = Number(process.env['SUITES'] ?? 12);
/** A run that takes longer than this many milliseconds has noticed the fault: a loop does not end. */
const PATIENCE = 10 * 60_000;
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

/** Whether a suite fails while a file has the fault. */
function isNoticed({ source, start, end, instead }: Fault, suites: readonly string[]): boolean {
  const file = join(ROOT, source.path);
  writeFileSync(file, source.text.slice(0, start) + instead + source.text.slice(end));
  try {
    const jest = join(ROOT, 'node_modules', '.bin', 'jest');
    const words = ['--selectProjects', 'unit', '--bail', '--silent', '--runTestsByPath', ...suites];
    return spawnSync(jest, words, { cwd: ROOT, timeout: PATIENCE, stdio: 'ignore' }).status !== 0;
  } finally {
    writeFileSync(file, source.text);
  }
}

const describeFault = ({ source, start, end, instead }: Fault): string => {
  const { line } = source.tree.getLineAndCharacterOfPosition(start);
  return `${source.path}:${line + 1} ${source.text.slice(start, end)} → ${instead}`.replace(/\s+/g, ' ').slice(0, 150);
};

function main(): void {
  const { product, tests } = readSources();
  const reaching = suitesOf([...product, ...tests]);
  const faults = product.filter(({ path }) => ROOMS.includes(path.split('/')[0] ?? '')).flatMap(faultsOf);
  const random = randomOf(SEED);
  const chosen = new Set<Fault>();
  while (chosen.size < Math.min(COUNT, faults.length)) chosen.add(pick(random, faults));
  process.stdout.write(`${faults.length} faults are possible; ${chosen.size} of them with SEED=${SEED}\n`);
  const counts = { noticed: 0, unseen: 0, 'reached by no suite': 0 };
  for (const fault of chosen) {
    const suites = reaching(fault.source.path);
    const end = suites.length === 0 ? 'reached by no suite' : isNoticed(fault, suites) ? 'noticed' : 'unseen';
    counts[end] += 1;
    process.stdout.write(`${end.padEnd(8)} ${describeFault(fault)}\n`);
  }
  const share = Math.round((100 * counts.noticed) / chosen.size);
  process.stdout.write(
    `noticed ${counts.noticed} of ${chosen.size} (${share} %), reached by no suite ${counts['reached by no suite']}, SEED=${SEED}\n`,
  );
}

main();

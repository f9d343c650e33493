// `make mutants`: writes small faults into provider, stack and drift, one at a time, and looks
// whether a suite in process notices. One run of all suites finds those that evaluate a place.
// MUTANTS says how many faults, SEED which. LIST names a file for the faults; the faults of an
// existing LIST are tried again. Needs a built tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { readSources, ROOT, type Source } from '../house/sources';
import { pick, randomOf } from '../soak/random';

const { MUTANTS = '60', SEED = String(Date.now() % 1_000_000), LIST, ...environment } = process.env;
/** So many suites see a fault before the others: most faults end there. */
const NEAREST = 6;
/** After so many milliseconds a run with a fault ends: the fault makes a loop that does not, or the machine is busy. */
const PATIENCE = 20 * 60_000;
const ROOMS = ['provider', 'stack', 'drift'];

/** A part of a file, the expression to which it belongs, and what is written in its place. */
interface Fault {
  readonly source: Source;
  readonly expression: ts.Node;
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
    if (found && !isName) {
      const expression = ts.isBinaryExpression(node) ? node : found.of;
      faults.push({ source, expression, start: found.of.getStart(), end: found.of.getEnd(), instead: found.text });
    }
    node.forEachChild(visit);
  };
  visit(source.tree);
  return faults;
}

/** Words of a path: `provider/kinds/team/kind.ts` has `provider`, `kind` and `team`. */
const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(path.split(/[/.-]/).map((word) => word.replace(/s$/, '')));

/** Runs suites with other texts in some files, and says whether they pass; undefined if the run did not end in time. */
function runWith(texts: ReadonlyMap<Source, string>, words: readonly string[], timeout?: number): boolean | undefined {
  const put = (textOf: (source: Source) => string): void => {
    for (const source of texts.keys()) writeFileSync(join(ROOT, source.path), textOf(source));
  };
  put((source) => texts.get(source) ?? source.text);
  try {
    const jest = join(ROOT, 'node_modules', '.bin', 'jest');
    const options = { cwd: ROOT, env: environment, timeout, stdio: 'ignore' } as const;
    const { status } = spawnSync(jest, ['--silent', ...words], options);
    return status === null ? undefined : status === 0;
  } finally {
    put((source) => source.text);
  }
}

/** The text of a file in which the place of each fault writes its number and the present suite into a file, once. */
function withMarks({ path, text }: Source, faults: readonly Fault[], marks: string): string {
  const parts = faults.flatMap(({ source, expression }, number): readonly (readonly [number, string])[] =>
    source.path === path
      ? [
          [expression.getStart(), `(atPlace(${number}), `],
          [expression.getEnd(), ')'],
        ]
      : [],
  );
  const marked = parts
    .toSorted(([one], [other]) => other - one)
    .reduce((all, [at, part]) => all.slice(0, at) + part + all.slice(at), text);
  return `${marked}
    function atPlace(number: number): void {
      const mark = number + ' ' + process.env.SUITE + '\\n';
      const marks = (globalThis.marks ??= new Set());
      if (!marks.has(mark)) require('node:fs').appendFileSync(${JSON.stringify(marks)}, mark);
      marks.add(mark);
    }`;
}

interface JestConfig {
  readonly projects: readonly [{ readonly setupFilesAfterEnv: readonly string[] }];
}

/** For each fault the suites in process that evaluate its place: first those whose paths have most words of its path. */
function suitesOf(faults: readonly Fault[]): (fault: Fault) => readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pulumi-oneops-mutants-'));
  const marks = join(folder, 'marks');
  writeFileSync(marks, '');
  // The runner of jest itself loads each file anew for each suite, so that what is evaluated at the start has its mark too.
  const suite = join(folder, 'suite.js');
  writeFileSync(suite, 'process.env.SUITE = expect.getState().testPath;');
  const { projects, ...shared } = createRequire(__filename)('../../jest.config.cjs') as JestConfig;
  const [unit] = projects;
  const setupFilesAfterEnv = [...unit.setupFilesAfterEnv, suite];
  const eachAnew = JSON.stringify({ ...shared, ...unit, setupFilesAfterEnv, runner: 'jest-runner' });
  const texts = new Map(faults.map(({ source }) => [source, withMarks(source, faults, marks)]));
  runWith(texts, ['--config', eachAnew]);
  const found = readFileSync(marks, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  rmSync(folder, { recursive: true });
  return (fault) => {
    const number = String(faults.indexOf(fault));
    const words = wordsOf(fault.source.path);
    const shared = (suite: string): number => [...wordsOf(suite)].filter((word) => words.has(word)).length;
    return [...new Set(found.flatMap(([place, suite = '']) => (place === number ? [relative(ROOT, suite)] : [])))]
      .filter((suite) => suite.endsWith('.test.ts'))
      .toSorted((one, other) => shared(other) - shared(one));
  };
}

/** What comes of a fault that suites are shown. */
function endOf({ source, start, end, instead }: Fault, suites: readonly string[]): string {
  if (suites.length === 0) return 'evaluated by no suite';
  const texts = new Map([[source, source.text.slice(0, start) + instead + source.text.slice(end)]]);
  for (const some of [suites.slice(0, NEAREST), suites.slice(NEAREST)]) {
    if (some.length === 0) continue;
    const passed = runWith(texts, ['--selectProjects', 'unit', '--bail', '--runTestsByPath', ...some], PATIENCE);
    if (passed !== true) return passed === undefined ? 'not ended' : 'noticed';
  }
  return `unseen by ${suites.length}`;
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
  const random = randomOf(Number(SEED));
  const chosen = new Set<Fault>();
  while (chosen.size < Math.min(Number(MUTANTS), faults.length)) chosen.add(pick(random, faults));
  if (LIST !== undefined) writeFileSync(LIST, [...chosen].map((each) => `${placeOf(each)}\n`).join(''));
  return [...chosen];
}

function main(): void {
  const { product } = readSources();
  const faults = product.filter(({ path }) => ROOMS.includes(path.split('/')[0] ?? '')).flatMap(faultsOf);
  const chosen = chosenOf(faults);
  process.stdout.write(`${faults.length} faults are possible; ${chosen.length} of them with SEED=${SEED}\n`);
  const suites = suitesOf(chosen.filter((fault) => fault !== undefined));
  const counts: { [end: string]: number } = {};
  for (const fault of chosen) {
    const end = fault === undefined ? 'gone' : endOf(fault, suites(fault));
    const kind = end.replace(/ by \d+$/, '');
    counts[kind] = (counts[kind] ?? 0) + 1;
    process.stdout.write(`${end.padEnd(12)} ${fault === undefined ? '' : describeFault(fault)}\n`);
  }
  const all = Object.entries(counts).map(([end, count]) => `${end} ${count}`);
  process.stdout.write(`${all.join(', ')}, of ${chosen.length}, SEED=${SEED}\n`);
}

main();

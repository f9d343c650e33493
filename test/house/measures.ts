// Counts behind `make house`: each returns places or a number. Pure functions of parsed sources.
import ts from 'typescript';
import { importsOf, type Source } from './sources';

/** A function above this many lines is printed, and so is a file below it that has one importer. */
const MANY_LINES = 60;

/** Groups of files that import each other in a circle, types included. */
export function importCycles(sources: readonly Source[]): readonly string[] {
  const edges = new Map(sources.map((source) => [source.path, importsOf(source)]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.get(path) ?? 0);
    stack.push(path);
    for (const next of edges.get(path) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(path) !== index.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1 || (edges.get(path) ?? []).includes(path)) cycles.push(group.sort().join(' '));
  };
  for (const { path } of sources) if (!index.has(path)) visit(path);
  return cycles.sort();
}

function visitAll(node: ts.Node, visitor: (node: ts.Node) => void): void {
  visitor(node);
  node.forEachChild((child) => visitAll(child, visitor));
}

const lineOf = ({ tree }: Source, position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;

const nameOf = (node: ts.FunctionLikeDeclaration): string => {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named ? named.getText() : 'a function without a name';
};

/** Functions over 60 lines: `service/store/database.ts openDatabase 159 lines`. */
export function longFunctions(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const found: string[] = [];
    visitAll(source.tree, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
      const lines = lineOf(source, node.end) - lineOf(source, node.getStart()) + 1;
      if (lines > MANY_LINES) found.push(`${source.path} ${nameOf(node)} ${lines} lines`);
    });
    return found;
  });
}

/** Files of fewer than 60 lines that one other file imports: `provider/values/field.ts 32 lines, for provider/kind.ts`. */
export function smallFilesOfOneImporter(sources: readonly Source[]): readonly string[] {
  const importers = new Map<string, Set<string>>();
  for (const source of sources)
    for (const path of importsOf(source)) importers.set(path, (importers.get(path) ?? new Set()).add(source.path));
  return sources.flatMap(({ path, lines }) => {
    const [only, ...others] = importers.get(path) ?? [];
    const isSmall = lines < MANY_LINES && only !== undefined && others.length === 0;
    return isSmall ? [`${path} ${lines} lines, for ${only}`] : [];
  });
}

/** Entries of the largest folder of the product, without the tests beside its files. */
export function entriesOfLargestFolder(sources: readonly Source[]): readonly string[] {
  const entries = new Map<string, Set<string>>();
  for (const { path } of sources) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth] ?? ''));
    }
  }
  const [, largest = []] = [...entries].sort(([, one], [, other]) => other.size - one.size)[0] ?? [];
  return [...largest].sort();
}

/** Names that a door exports, types included: each name of `export { a, b } from` and of declarations. */
export function exportedNames({ tree }: Source): readonly string[] {
  return tree.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      return statement.exportClause.elements.map(({ name }) => name.text);
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    return 'name' in statement && statement.name ? [(statement.name as ts.Identifier).text] : [];
  });
}

/** Optional members of interfaces of a file: the facets that a kind can have. */
export function optionalMembers({ tree }: Source, interfaces: readonly string[]): readonly string[] {
  return tree.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => interfaces.includes(name.text))
    .flatMap(({ members }) => members.filter(({ questionToken }) => questionToken !== undefined))
    .map(({ name }) => name?.getText() ?? '');
}

/** Modules of the product that a test file evaluates, on average: what it imports, and what that imports, without types and lazy imports. */
export function modulesPerTestFile(product: readonly Source[], tests: readonly Source[]): number {
  const edges = new Map([...product, ...tests].map((source) => [source.path, importsOf(source, 'evaluated')]));
  const isProduct = new Set(product.map(({ path }) => path));
  const evaluatedBy = (start: string): number => {
    const reached = new Set([start]);
    for (const path of reached) for (const next of edges.get(path) ?? []) reached.add(next);
    return [...reached].filter((path) => isProduct.has(path)).length;
  };
  const counts = tests.filter(({ path }) => path.endsWith('.test.ts')).map(({ path }) => evaluatedBy(path));
  return Math.round(counts.reduce((total, count) => total + count, 0) / Math.max(counts.length, 1));
}

/** Documents that comments cite by a section or a number: `engine-facts A §6`, `flows §3.2`, `flows F16`, `(F16)`. */
const CITATION =
  /\b(service-facts|engine-facts|flows|architecture|trial|house|api\.md)[, ]+((?:[A-Z] )?§\s?[\d.]*\d\w?|[A-Z]?\d[\w.]*)|\((F\d+)\)/g;

/** Citations of documents, or sections of documents, that this repository does not hold: `provider/lifecycle/check.ts:12 …`. */
export function unresolvedCitations(
  sources: readonly Source[],
  has: (document: string, section: string) => boolean,
): readonly string[] {
  return sources.flatMap((source) =>
    [...source.text.matchAll(CITATION)]
      .filter(([, document = 'flows', section = '', trap]) => !has(document, trap ?? section))
      .map((match) => `${source.path}:${lineOf(source, match.index)} ${match[0]}`),
  );
}

/** Whether a document holds a section: a heading or an entry that begins with its number, or a trap of flows in its table. */
export function holdsSection(text: string, section: string): boolean {
  const plain = section.replace(/§\s?/, '').replaceAll('.', '\\.');
  if (/^[A-Z] /.test(section)) return new RegExp(`^#+ ${section}\\b`, 'm').test(text);
  if (/^[A-Z]/.test(section)) return new RegExp(`(?:^|\\W)${plain}\\b`, 'm').test(text);
  return new RegExp(`^(?:#+ ${plain}\\.? |- \\*\\*§${plain}\\*\\*)`, 'm').test(text);
}

// What `make house` measures: each measure is a list of places, so that a person sees what to change.
// Pure functions of parsed sources.
import ts from 'typescript';
import { importsOf, type Source } from './sources';

/** Longest a function may be, in lines. */
const MOST_LINES = 60;

/** Most parameters a function may have. */
const MOST_PARAMETERS = 4;

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

/** Functions that are longer than they may be, or take more parameters: `service/store/database.ts openDatabase 159 lines`. */
export function largeFunctions(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const found: string[] = [];
    visitAll(source.tree, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
      const lines = lineOf(source, node.end) - lineOf(source, node.getStart()) + 1;
      const parameters = node.parameters.length;
      if (lines > MOST_LINES) found.push(`${source.path} ${nameOf(node)} ${lines} lines`);
      if (parameters > MOST_PARAMETERS) found.push(`${source.path} ${nameOf(node)} ${parameters} parameters`);
    });
    return found;
  });
}

/** Rooms that import nothing of the provider: there `Platform` is a class of the API. */
const KNOW_NO_KIND = ['api', 'service'];

const isInKinds = (path: string): boolean => path.startsWith('provider/kinds/');

/**
 * Places outside the kinds that name one: its token as a text or as a key, or its constant. Texts of prose do not count, because a token has to be
 * the whole text. `drift/review/undeclared.ts:16 Platform`.
 */
export function foreignMentions(
  sources: readonly Source[],
  tokens: readonly string[],
  constants: readonly string[],
): readonly string[] {
  return sources
    .filter(({ path }) => !isInKinds(path) && !KNOW_NO_KIND.includes(path.split('/')[0] ?? ''))
    .flatMap((source) => {
      const found: string[] = [];
      visitAll(source.tree, (node) => {
        const isToken = ts.isStringLiteralLike(node) && tokens.includes(node.text);
        const isKey = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && tokens.includes(node.name.text);
        const isConstant =
          ts.isImportSpecifier(node) &&
          constants.includes((node.propertyName ?? node.name).text) &&
          comesFromKinds(node);
        const name = isToken ? node.text : isKey ? node.name.getText() : isConstant ? node.name.text : undefined;
        if (name !== undefined) found.push(`${source.path}:${lineOf(source, node.getStart())} ${name}`);
      });
      return found;
    });
}

/** Rooms import kinds through `provider`; files of `provider` through `kinds`. */
function comesFromKinds(specifier: ts.ImportSpecifier): boolean {
  const declaration = specifier.parent.parent.parent;
  if (!ts.isImportDeclaration(declaration)) return false;
  const from = declaration.moduleSpecifier;
  return ts.isStringLiteral(from) && /(^|\/)(provider|kinds)$/.test(from.text);
}

/** Documents that comments cite by a section or a number: `engine-facts A §6`, `flows §3.2`, `flows F16`, `(F16)`. */
const CITATION =
  /\b(service-facts|engine-facts|flows|architecture|trial|house|api\.md)[, ]+((?:[A-Z] )?§\s?[\d.]*\d\w?|[A-Z]?\d[\w.]*)|\((F\d+)\)/g;

/** Citations of documents, or sections of documents, that this repository does not hold: `provider/rules.ts:12 …`. */
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

/** Names of types and functions that two files or more export for different things: `Values: a.ts, b.ts`. */
export function namesExportedTwice(sources: readonly Source[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { path, tree } of sources)
    for (const statement of tree.statements)
      for (const name of new Set(exportedNames(statement))) places.set(name, [...(places.get(name) ?? []), path]);
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`)
    .sort();
}

function exportedNames(statement: ts.Statement): readonly string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

// The TypeScript of this repository, sorted into product, generated files and tests, each parsed once.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

export const ROOT = join(__dirname, '..', '..');

/** Rooms of the product. Everything else is tests or tooling. */
const ROOMS = ['api', 'provider', 'sdk', 'stack', 'drift', 'preview', 'policy', 'service', 'cli'];

/** Files that `npm run generate` writes. */
const GENERATED = ['api/client/areas.ts', 'sdk/functions.ts', 'sdk/provider-args.ts', 'sdk/resources.ts'];

export interface Source {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
}

export interface Sources {
  /** Hand-written source files that are shipped, or generate what is shipped. */
  readonly product: readonly Source[];
  readonly tests: readonly Source[];
}

/** All TypeScript files that git tracks or would track, parsed. */
export function readSources(): Sources {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('test/');
  const isProduct = (path: string): boolean =>
    !isTest(path) && !GENERATED.includes(path) && ROOMS.includes(path.split('/')[0] ?? '');
  return { product: paths.filter(isProduct).map(parse), tests: paths.filter(isTest).map(parse) };
}

function parse(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return { path, text, lines: text.split('\n').length - 1, tree };
}

/** Paths of the files of this repository that a file imports or re-exports from: all, or those that are evaluated with it. */
export function importsOf({ path, tree }: Source, which: 'all' | 'evaluated' = 'all'): readonly string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const from = statement.moduleSpecifier;
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return [];
    if (which === 'evaluated' && isTypesOnly(statement)) return [];
    const target = normalize(join(dirname(path), from.text.replace(/\.js$/, '')));
    const found = [`${target}.ts`, join(target, 'index.ts')].find((each) => existsSync(join(ROOT, each)));
    return found === undefined ? [] : [found];
  });
}

/** Whether the compiler drops a statement because it names types only. */
function isTypesOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly } = statement;
    return isTypeOnly || (!!exportClause && ts.isNamedExports(exportClause) && exportClause.elements.every(isType));
  }
  const { importClause } = statement;
  if (!importClause) return false;
  const { isTypeOnly, name, namedBindings } = importClause;
  return (
    isTypeOnly || (!name && !!namedBindings && ts.isNamedImports(namedBindings) && namedBindings.elements.every(isType))
  );
}

const isType = ({ isTypeOnly }: { readonly isTypeOnly: boolean }): boolean => isTypeOnly;

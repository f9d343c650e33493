// What an editor shows over a method: what its route is for, that it is never sent twice, and the query it takes.
// It must not know a service.
import { join } from 'node:path';
import * as ts from 'typescript';
import { allRoutes, type Route } from '../contract';

const FILE = join(__dirname, 'oneops.ts');
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  skipLibCheck: true,
  types: ['node'],
};

/** Documentation of each method of each area of the class, as the language service tells it. */
function hovers(): ReadonlyMap<string, string> {
  const program = ts.createProgram([FILE], OPTIONS);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(FILE) as ts.SourceFile;
  const declaration = source.statements.find(
    (statement): statement is ts.ClassDeclaration =>
      ts.isClassDeclaration(statement) && statement.name?.text === 'OneOps',
  ) as ts.ClassDeclaration;
  const client = checker.getTypeAtLocation(declaration);
  return new Map(
    allRoutes.map(({ name }) => {
      const [area = '', verb = ''] = name.split('.');
      const symbol = client.getProperty(area);
      const method = symbol && checker.getTypeOfSymbolAtLocation(symbol, declaration).getProperty(verb);
      return [name, ts.displayPartsToString(method?.getDocumentationComment(checker))];
    }),
  );
}

const wanted = ({ summary, repeat, query }: Route): string =>
  [
    `${summary}.`,
    ...(repeat === 'action' ? ['Never sent twice.'] : []),
    ...(query.length === 0 ? [] : [`Query: ${query.join(', ')}.`]),
  ].join(' ');

test('every method says over itself what its route is for', () => {
  const found = hovers();
  const told = allRoutes.map((route) => [route.name, found.get(route.name)?.replace(/\s+/g, ' ')]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(allRoutes.map((route) => [route.name, wanted(route)])));
}, 60_000);

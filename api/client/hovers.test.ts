// What an editor shows over a method: what its route is for, that it is never sent twice, and the query it takes.
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

/** Documentation of each method of each area of the class, as the language service shows it. */
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

/** What is over the methods that a collection has; its noun is in the summary alone. */
const OF_COLLECTIONS: { readonly [verb: string]: string } = {
  list: 'Lists the records of this area.',
  template: 'Reads what a new record of this area begins with.',
  read: 'Reads a record of this area.',
  create: 'Creates a record of this area.',
  update: 'Changes a record of this area.',
  delete: 'Deletes a record of this area.',
};

const wanted = ({ summary, repeat, query }: Route): string =>
  [
    `${summary}.`,
    ...(repeat === 'action' ? ['Never sent twice.'] : []),
    ...(query.length === 0 ? [] : [`Query: ${query.join(', ')}.`]),
  ].join(' ');

test('every method says over itself what its route is for', () => {
  const found = hovers();
  const wrong = allRoutes.flatMap((route) => {
    const said = found.get(route.name)?.replace(/\s+/g, ' ');
    const general = OF_COLLECTIONS[route.name.split('.')[1] ?? ''];
    const isGeneral = said === general && route.repeat !== 'action' && route.query.length === 0;
    return said === wanted(route) || isGeneral ? [] : [[route.name, said, wanted(route)]];
  });
  expect(wrong).toEqual([]);
}, 60_000);

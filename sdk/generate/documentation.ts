// What people read about kinds and their fields: the JSDoc over them in the source, through TypeScript's checker.
// It must not know where the texts are shown.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One kind's texts. */
export interface Documentation {
  /** JSDoc over the kind. */
  readonly description: string;
  /** JSDoc over each field and each output of its own. */
  readonly fields: { readonly [name: string]: FieldDocumentation };
}

export interface FieldDocumentation {
  readonly description: string;
  /** Name and member texts of the interface that describes a field's object values. */
  readonly object?: { readonly name: string; readonly members: { readonly [name: string]: string } };
}

/** Texts of every kind, by token: each has a folder, and its literal is in the folder's `kind.ts`. */
export function readDocumentation(kindsFolder: string): ReadonlyMap<string, Documentation> {
  const files = readdirSync(kindsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(kindsFolder, name, 'kind.ts'));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    noLib: true,
  });
  const checker = program.getTypeChecker();
  const found = new Map<string, Documentation>();
  for (const file of files) {
    const source = program.getSourceFile(file);
    for (const statement of source?.statements ?? []) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== 'kind') continue;
        const [literal] = initializer.arguments;
        if (literal === undefined || !ts.isObjectLiteralExpression(literal)) continue;
        const members = propertiesIn(literal);
        const token = members.get('token')?.initializer;
        if (token === undefined || !ts.isStringLiteral(token)) continue;
        found.set(token.text, {
          description: textAt(checker, name),
          fields: {
            ...fieldsOf(checker, token.text, members.get('computed')),
            ...fieldsOf(checker, token.text, members.get('fields')),
          },
        });
      }
    }
  }
  return found;
}

function propertiesIn(literal: ts.ObjectLiteralExpression): Map<string, ts.PropertyAssignment> {
  return new Map(
    literal.properties.filter(ts.isPropertyAssignment).map((property) => [property.name.getText(), property]),
  );
}

function fieldsOf(
  checker: ts.TypeChecker,
  token: string,
  property: ts.PropertyAssignment | undefined,
): { [name: string]: FieldDocumentation } {
  if (property === undefined || !ts.isObjectLiteralExpression(property.initializer)) return {};
  const shared = property.initializer.properties
    .filter(ts.isSpreadAssignment)
    .flatMap(({ expression }) => checker.getTypeAtLocation(expression).getProperties())
    .map((symbol) => [symbol.name, { description: sharedText(checker, token, symbol) }] as const);
  const own = [...propertiesIn(property.initializer)].map(([name, member]) => {
    const object = objectOf(checker, member.initializer);
    return [name, { description: textAt(checker, member.name), ...(object ? { object } : {}) }] as const;
  });
  return Object.fromEntries([...shared, ...own]);
}

/** The text of a field that several kinds share: `{record}` in it becomes `a platform`. */
function sharedText(checker: ts.TypeChecker, token: string, symbol: ts.Symbol): string {
  const noun = token.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return textOfSymbol(checker, symbol).replace('{record}', `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`);
}

/** The interface named in `mapOf<CloudLink>(…)`. */
function objectOf(checker: ts.TypeChecker, node: ts.Node): FieldDocumentation['object'] {
  if (ts.isCallExpression(node) && node.expression.getText() === 'mapOf' && node.typeArguments?.[0]) {
    const type = checker.getTypeAtLocation(node.typeArguments[0]);
    const members = type
      .getProperties()
      .map((member) => [member.name, ts.displayPartsToString(member.getDocumentationComment(checker))] as const);
    return { name: node.typeArguments[0].getText(), members: Object.fromEntries(members) };
  }
  return ts.forEachChild(node, (child) => objectOf(checker, child));
}

const textAt = (checker: ts.TypeChecker, name: ts.Node): string =>
  textOfSymbol(checker, checker.getSymbolAtLocation(name));

const textOfSymbol = (checker: ts.TypeChecker, symbol: ts.Symbol | undefined): string =>
  ts
    .displayPartsToString(symbol?.getDocumentationComment(checker))
    .replace(/\s*\n\s*/g, ' ')
    .trim();

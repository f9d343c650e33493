// Kinds and functions as people read them; the texts are the JSDoc in the source.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { functions, type ApiFunction, type RecordType, type Result, type ResultShape } from '../../provider/functions';
import {
  addressNames,
  argumentFor,
  COMPUTED,
  everyAddressName,
  namesBeside,
  scopesOf,
  type Field,
  type Kind,
} from '../../provider';
import { settledNames } from '../../provider/kinds/settled';
import { kinds } from '../../provider/kinds';
import type { Shape } from '../../provider/values';
import { FILE_FUNCTIONS, type FileFunction } from '../../stack';
import { kindNamed, requiredNames } from '../links';
import type { Value } from './emit';

/** One kind's texts: the JSDoc over the kind, over each field and over each output of its own. */
interface Documentation {
  readonly description: string;
  readonly fields: { readonly [name: string]: FieldDocumentation };
}

interface FieldDocumentation {
  readonly description: string;
  /** Name and member texts of the interface that describes a field's object values. */
  readonly object?: { readonly name: string; readonly members: { readonly [name: string]: string } };
}

/** An argument or an output, of a kind or of a function. */
export interface Member {
  readonly name: string;
  readonly description: string;
  readonly shape: Value;
  /** Always there: a required argument, an output that is never missing. */
  readonly required: boolean;
  readonly secret: boolean;
}

/** A member of a kind; its description has the facts, too, that a type cannot show. */
export interface Property extends Member {
  /** The documentation of the source alone. */
  readonly text: string;
  readonly shape: Shape;
  /** Value that the service has when nobody gives one. */
  readonly base?: string;
  /** A change of it replaces the resource. */
  readonly replaces: boolean;
  /** Part of every address of the kind. */
  readonly always: boolean;
  /** Token of the kind whose object may be in its place, or among its entries. */
  readonly reference?: string;
  /** Name and texts of the interface of its object values. */
  readonly object?: FieldDocumentation['object'];
}

/** Members of the objects in a map; none for any other property. */
export const membersOf = ({ object, shape }: Property): readonly Entry[] =>
  shape.type === 'map' && shape.values.type === 'object'
    ? Object.entries(shape.values.members).map(([name, member]) => ({
        name,
        description: object?.members[name] ?? '',
        shape: member.shape,
        required: false,
        secret: false,
        base: member.base ?? '',
      }))
    : [];

interface Entry extends Member {
  readonly shape: Shape;
  readonly base: string;
}

export interface Resource {
  readonly token: string;
  readonly description: string;
  readonly args: readonly Property[];
  readonly outputs: readonly Property[];
  /** Token of the kind of which its constructor declares one, too. */
  readonly companion?: string;
}

const TEXT: Shape = { type: 'text' };
const LISTS: Shape = { type: 'map', values: { type: 'list', items: TEXT, encoding: 'json', unordered: true } };
const SHAPES = { text: TEXT, int: { type: 'int' }, lists: LISTS } as const satisfies { readonly [type: string]: Shape };

/** What every kind puts out. */
const COMPUTED_TEXTS: { readonly [name: string]: string } = {
  ciId: 'Number of the record in the service.',
  revision: 'Stamp of our last write; changes with every write of ours and with nothing else.',
  origin:
    '`created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete.',
  updated: 'When the record was last changed, in milliseconds since 1970.',
  updatedBy: 'Who changed the record last.',
};

/** Own outputs and address parts, where the kind's source says nothing. */
const FALLBACK_TEXTS: { readonly [name: string]: string } = {
  cloud: 'Name of the cloud.',
  deploymentId: 'Number of the newest deployment we know of.',
  releaseId: 'Number of the release.',
  pulled: 'The design release it last pulled.',
};

/** The resources of all kinds, with the texts of a folder of kinds. */
export function readResources(folder: string): readonly Resource[] {
  const documentation = readDocumentation(folder);
  return kinds.map((of) => resourceOf(of, documentation.get(of.token)));
}

function resourceOf(of: Kind, documentation: Documentation | undefined): Resource {
  const address = everyAddressName(of).map((name) => addressProperty(of, name));
  const fields = Object.entries(of.fields).map(([name, field]) =>
    fieldProperty(of, name, field, documentation?.fields[name]),
  );
  const computed = Object.entries({ ...COMPUTED, ...of.computed }).map(([name, type]): Property => {
    const text = documentation?.fields[name]?.description || COMPUTED_TEXTS[name] || FALLBACK_TEXTS[name] || '';
    return {
      name,
      description: text,
      text,
      shape: SHAPES[type],
      required: true,
      secret: false,
      replaces: false,
      always: false,
    };
  });
  return {
    token: of.token,
    ...(of.token === 'Assembly' ? { companion: 'DesignRelease' } : {}),
    description: documentation?.description ?? '',
    args: [...address, ...fields.filter(({ name }) => !(name in (of.fills ?? {})))],
    outputs: [...address.map((property) => ({ ...property, required: property.always })), ...fields, ...computed],
  };
}

function addressProperty(of: Kind, name: string): Property {
  const reference = kindNamed(name)?.token;
  const text = addressText(of, name, reference);
  return {
    name,
    description: text,
    text,
    shape: TEXT,
    required: scopesOf(of).every((scope) => requiredNames(scope).includes(name)),
    secret: false,
    replaces: true,
    always: scopesOf(of).every((scope) => addressNames(scope).includes(name)),
    ...(reference ? { reference } : {}),
  };
}

function addressText(of: Kind, name: string, reference: string | undefined): string {
  if (name === 'name') return `Name of the ${words(of.token)}; default the resource name.`;
  if (reference === undefined) return FALLBACK_TEXTS[name] ?? '';
  const nearest = scopesOf(of).some((scope) => requiredNames(scope).includes(name));
  const others = everyAddressName(of).filter((other) => kindNamed(other) !== undefined);
  const together = scopesOf(of).flatMap((scope) => {
    const beside = namesBeside(scope);
    return scope.within === undefined || beside.length === 0
      ? []
      : [[...beside, argumentFor(scope.within)].join(' and ')];
  });
  const both = together.length === 0 ? '' : `, or ${together.join(', or ')}`;
  const choice = of.scopes ? ` It is in one of ${others.join(', ')}: give the nearest${both}.` : '';
  return nearest
    ? `The ${words(reference)} it belongs to: the resource, or its name.${choice}`
    : `The ${words(reference)} it is in; follows from the nearer resource when that is given as an object.`;
}

function fieldProperty(of: Kind, name: string, field: Field, documentation: FieldDocumentation | undefined): Property {
  const { base } = field;
  const hasDefault = base !== '' && !field.required && base !== '{}';
  const text = documentation?.description ?? '';
  const facts = [
    ...(hasDefault ? [`Default \`${base}\`.`] : []),
    ...(field.fixed ? ['A change replaces the resource.'] : []),
    ...(field.secret ? ['Secret.'] : []),
  ];
  const reference = field.refersTo;
  return {
    name,
    description: [text, ...facts].join(' ').trim(),
    text,
    shape: field.shape,
    ...(hasDefault ? { base } : {}),
    required: field.required && !settledNames(of).includes(name),
    secret: field.secret,
    replaces: field.fixed,
    always: false,
    ...(reference ? { reference } : {}),
    ...(documentation?.object ? { object: documentation.object } : {}),
  };
}

/** `CloudConfiguration` → `cloud configuration`. */
const words = (token: string): string => token.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

/** Texts of every kind, by token. */
function readDocumentation(kindsFolder: string): ReadonlyMap<string, Documentation> {
  const { checker, calls } = callsIn(kindsFolder);
  return new Map(
    calls.flatMap(({ callee, name, given: [literal] }) => {
      const token = callee === 'kind' ? stringIn(memberOf(literal, 'token')) : undefined;
      if (token === undefined) return [];
      const noun = words(token);
      const record = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
      const fields = ['computed', 'fields'].flatMap((part) =>
        membersAt(checker, memberOf(literal, part)).map((member) => {
          // Several kinds share a field: `{record}` in its text becomes `a platform`.
          const description = textOf(checker, member).replace('{record}', record);
          const object = member.valueDeclaration && objectOf(checker, member.valueDeclaration);
          return [member.name, { description, ...(object ? { object } : {}) }] as const;
        }),
      );
      return [[token, { description: textAt(checker, name), fields: Object.fromEntries(fields) }] as const];
    }),
  );
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

const textAt = (checker: ts.TypeChecker, name: ts.Node): string => textOf(checker, checker.getSymbolAtLocation(name));

export interface FunctionText {
  readonly token: string;
  readonly description: string;
  readonly args: readonly Member[];
  readonly results: readonly Member[];
}

/** A record that is inside results, under its own name. */
export interface RecordText {
  readonly name: string;
  readonly description: string;
  readonly members: readonly Member[];
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
  args: Object.entries(of.arguments).map(([name, { shape, required, secret }]) => ({
    name,
    description: texts.arguments[name] ?? '',
    shape,
    required,
    secret,
  })),
  results: resultTexts(of.result, texts),
});

const resultTexts = (results: { readonly [name: string]: Result }, texts: Texts): readonly Member[] =>
  Object.entries(results).map(([name, { shape, always, secret }]) => ({
    name,
    description: texts.members[name] ?? '',
    shape,
    required: always,
    secret,
  }));

function collect(shape: ResultShape, found: Map<string, RecordType>): void {
  if (shape.type === 'list') collect(shape.items, found);
  if (shape.type === 'map') collect(shape.values, found);
  if (shape.type !== 'record' || found.has(shape.of.name)) return;
  found.set(shape.of.name, shape.of);
  Object.values(shape.of.members).forEach((member) => collect(member.shape, found));
}

/** Texts of `apiFunction({ token, … })` and `recordType(name, { … })`, by token and by name. */
function readTexts(folder: string): ReadonlyMap<string, Texts> {
  const { checker, calls } = callsIn(folder);
  return new Map(
    calls.flatMap(({ callee, name, given: [first, second] }) => {
      const isFunction = callee === 'apiFunction';
      if (!isFunction && callee !== 'result.recordType') return [];
      const token = stringIn(isFunction ? memberOf(first, 'token') : first);
      if (token === undefined) return [];
      const textsOf = (literal: ts.Expression | undefined) =>
        Object.fromEntries(membersAt(checker, literal).map((member) => [member.name, textOf(checker, member)]));
      const texts = {
        description: textAt(checker, name),
        arguments: textsOf(memberOf(first, 'arguments')),
        members: textsOf(isFunction ? memberOf(first, 'result') : second),
      };
      return [[token, texts] as const];
    }),
  );
}

/** A constant that is made by a call: `const cloud = kind({ … })`. */
interface MadeBy {
  readonly name: ts.Node;
  readonly callee: string;
  readonly given: readonly ts.Expression[];
}

/** The constants that the files of a folder, and of those in it, make by calls. */
function callsIn(folder: string): { readonly checker: ts.TypeChecker; readonly calls: readonly MadeBy[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    noLib: true,
  });
  // The checker binds the files: before, no node knows its text.
  const checker = program.getTypeChecker();
  const calls = files
    .flatMap((file) => [...(program.getSourceFile(file)?.statements ?? [])])
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name, initializer }): MadeBy[] =>
      initializer && ts.isCallExpression(initializer)
        ? [{ name, callee: initializer.expression.getText(), given: initializer.arguments }]
        : [],
    );
  return { checker, calls };
}

function memberOf(literal: ts.Expression | undefined, name: string): ts.Expression | undefined {
  if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return undefined;
  return literal.properties.filter(ts.isPropertyAssignment).find((property) => property.name.getText() === name)
    ?.initializer;
}

const stringIn = (node: ts.Expression | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteral(node) ? node.text : undefined;

/** By the type, so that members that are spread in keep their texts. */
const membersAt = (checker: ts.TypeChecker, node: ts.Expression | undefined): readonly ts.Symbol[] =>
  node === undefined ? [] : checker.getTypeAtLocation(node).getProperties();

const textOf = (checker: ts.TypeChecker, symbol: ts.Symbol | undefined): string =>
  ts
    .displayPartsToString(symbol?.getDocumentationComment(checker))
    .replace(/\s*\n\s*/g, ' ')
    .trim();

/** The functions of values in a stack file, by name. */
export const fileFunctions: readonly (readonly [string, FileFunction])[] = Object.entries(FILE_FUNCTIONS);

/** The word that calls one: `fn::join`. */
export const callName = (name: string): string => `fn::${name}`;

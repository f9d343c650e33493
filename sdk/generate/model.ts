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

/** JSDoc over a constant of a kind, a function or a record, and over the members of its parts. */
interface Texts {
  readonly description: string;
  readonly parts: { readonly [part: string]: { readonly [name: string]: MemberText } };
}

interface MemberText {
  readonly text: string;
  /** Name and member texts of the interface that describes the object values of a field. */
  readonly object?: { readonly name: string; readonly members: { readonly [name: string]: string } };
}

const NO_TEXTS: Texts = { description: '', parts: {} };

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
  readonly object?: MemberText['object'];
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
  const texts = readTexts(folder);
  return kinds.map((of) => resourceOf(of, texts.get(of.token) ?? NO_TEXTS));
}

function resourceOf(of: Kind, { description, parts }: Texts): Resource {
  const noun = words(of.token);
  const record = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const said = { ...parts['computed'], ...parts['fields'] };
  // Several kinds share a field: `{record}` in its text becomes `a platform`.
  const textOf = (name: string): string => said[name]?.text.replace('{record}', record) ?? '';
  const address = everyAddressName(of).map((name) => addressProperty(of, name));
  const fields = Object.entries(of.fields).map(([name, field]) =>
    fieldProperty(of, name, field, { ...said[name], text: textOf(name) }),
  );
  const computed = Object.entries({ ...COMPUTED, ...of.computed }).map(([name, type]): Property => {
    const text = textOf(name) || COMPUTED_TEXTS[name] || FALLBACK_TEXTS[name] || '';
    return { ...PLAIN, name, description: text, text, shape: SHAPES[type], required: true };
  });
  return {
    token: of.token,
    ...(of.token === 'Assembly' ? { companion: 'DesignRelease' } : {}),
    description,
    args: [...address, ...fields.filter(({ name }) => !(name in (of.fills ?? {})))],
    outputs: [...address.map((property) => ({ ...property, required: property.always })), ...fields, ...computed],
  };
}

/** What most properties are not. */
const PLAIN = { secret: false, replaces: false, always: false } as const;

function addressProperty(of: Kind, name: string): Property {
  const reference = kindNamed(name)?.token;
  const text = addressText(of, name, reference);
  return {
    ...PLAIN,
    name,
    description: text,
    text,
    shape: TEXT,
    required: scopesOf(of).every((scope) => requiredNames(scope).includes(name)),
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

function fieldProperty(of: Kind, name: string, field: Field, { text, object }: MemberText): Property {
  const { base, refersTo: reference, shape, secret, fixed: replaces } = field;
  const hasDefault = base !== '' && !field.required && base !== '{}';
  const facts = [
    ...(hasDefault ? [`Default \`${base}\`.`] : []),
    ...(replaces ? ['A change replaces the resource.'] : []),
    ...(secret ? ['Secret.'] : []),
  ];
  return {
    name,
    description: [text, ...facts].join(' ').trim(),
    text,
    shape,
    secret,
    replaces,
    always: false,
    ...(hasDefault ? { base } : {}),
    required: field.required && !settledNames(of).includes(name),
    ...(reference ? { reference } : {}),
    ...(object ? { object } : {}),
  };
}

/** `CloudConfiguration` → `cloud configuration`. */
const words = (token: string): string => token.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

/** The interface named in `mapOf<CloudLink>(…)`. */
function objectOf(checker: ts.TypeChecker, node: ts.Node): MemberText['object'] {
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

/** Every function and the records in their results, with the JSDoc of a folder's sources. */
export function functionTexts(folder: string): FunctionTexts {
  const texts = readTexts(folder);
  const of = (name: string): Texts => texts.get(name) ?? NO_TEXTS;
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
    description: texts.parts['arguments']?.[name]?.text ?? '',
    shape,
    required,
    secret,
  })),
  results: resultTexts(of.result, texts),
});

const resultTexts = (results: { readonly [name: string]: Result }, texts: Texts): readonly Member[] =>
  Object.entries(results).map(([name, { shape, always, secret }]) => ({
    name,
    description: texts.parts['result']?.[name]?.text ?? '',
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

/** Members of a kind or a function whose members have texts. */
const PARTS = ['computed', 'fields', 'arguments', 'result'];

/** Texts of `kind({ token, … })`, `apiFunction({ token, … })` and `recordType(name, { … })`. */
function readTexts(folder: string): ReadonlyMap<string, Texts> {
  const { checker, calls } = callsIn(folder);
  const textsOf = (literal: ts.Expression | undefined) =>
    Object.fromEntries(
      membersAt(checker, literal).map((member): [string, MemberText] => {
        const object = member.valueDeclaration && objectOf(checker, member.valueDeclaration);
        return [member.name, { text: textOf(checker, member), ...(object ? { object } : {}) }];
      }),
    );
  return new Map(
    calls.flatMap(({ callee, name, given: [first, second] }) => {
      const isRecord = callee === 'result.recordType';
      if (!isRecord && callee !== 'kind' && callee !== 'apiFunction') return [];
      const token = stringIn(isRecord ? first : memberOf(first, 'token'));
      if (token === undefined) return [];
      const parts = isRecord
        ? { result: textsOf(second) }
        : Object.fromEntries(PARTS.map((part) => [part, textsOf(memberOf(first, part))]));
      return [[token, { description: textAt(checker, name), parts }] as const];
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

// Kinds and functions as people read them.
import {
  functions,
  type ApiFunction,
  type RecordType,
  type Result,
  type Results,
  type ResultShape,
} from '../../provider/functions';
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
  /** The description in the kind alone. */
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
  /** Name of the type of its object values. */
  readonly object?: string;
}

/** Members of the objects in a map; none for any other property. */
export const membersOf = ({ shape }: Property): readonly Entry[] =>
  shape.type === 'map' && shape.values.type === 'object'
    ? Object.entries(shape.values.members).map(([name, { shape, description = '', base = '' }]) => ({
        name,
        description,
        shape,
        required: false,
        secret: false,
        base,
      }))
    : [];

interface Entry extends Member {
  readonly shape: Shape;
  readonly base: string;
}

export interface Resource {
  readonly of: Kind;
  readonly args: readonly Property[];
  readonly outputs: readonly Property[];
  /** Token of the kind of which its constructor declares one, too. */
  readonly companion?: string;
}

const TEXT: Shape = { type: 'text' };

export const allResources = (): readonly Resource[] => kinds.map(resourceOf);

/** A kind as its class, its type in a package and its page show it. */
export function resourceOf(of: Kind): Resource {
  const address = everyAddressName(of).map((name) => addressProperty(of, name));
  const fields = Object.entries(of.fields).map(([name, field]) => fieldProperty(of, name, field));
  const computed = Object.entries({ ...COMPUTED, ...of.computed }).map(([name, { description, shape }]): Property => ({
    ...PLAIN,
    name,
    description,
    text: description,
    shape,
    required: true,
  }));
  return {
    of,
    ...(of.token === 'Assembly' ? { companion: 'DesignRelease' } : {}),
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
  if (reference === undefined) return name === 'cloud' ? 'Name of the cloud.' : '';
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

function fieldProperty(of: Kind, name: string, field: Field): Property {
  const { base, refersTo: reference, shape, secret, fixed: replaces } = field;
  const hasDefault = base !== '' && !field.required && base !== '{}';
  const noun = words(of.token);
  const text = field.description.replace('{record}', `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`);
  const facts = [
    ...(hasDefault ? [`Default \`${base}\`.`] : []),
    ...(replaces ? ['A change replaces the resource.'] : []),
    ...(secret ? ['Secret.'] : []),
  ];
  const object = shape.type === 'map' && shape.values.type === 'object' ? shape.values.name : undefined;
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

/** Every function, and the records in their results. */
export function allFunctions(): FunctionTexts {
  const records = new Map<string, RecordType>();
  functions.forEach((each) => Object.values(each.result).forEach(({ shape }) => collect(shape, records)));
  return {
    functions: functions.map(functionText),
    records: [...records.values()].map(({ members, ...record }) => ({ ...record, members: resultTexts(members) })),
  };
}

const functionText = ({ token, description, arguments: args, result }: ApiFunction): FunctionText => ({
  token,
  description,
  args: Object.entries(args).map(([name, field]) => memberOf(name, field, field.required)),
  results: resultTexts(result),
});

const resultTexts = (results: Results): readonly Member[] =>
  Object.entries(results).map(([name, result]) => memberOf(name, result, result.always));

const memberOf = (name: string, { description, shape, secret }: Field | Result, required: boolean): Member => ({
  name,
  description,
  shape,
  required,
  secret,
});

function collect(shape: ResultShape, found: Map<string, RecordType>): void {
  if (shape.type === 'list') collect(shape.items, found);
  if (shape.type === 'map') collect(shape.values, found);
  if (shape.type !== 'record' || found.has(shape.of.name)) return;
  found.set(shape.of.name, shape.of);
  Object.values(shape.of.members).forEach((member) => collect(member.shape, found));
}

/** The functions of values in a stack file, by name. */
export const fileFunctions: readonly (readonly [string, FileFunction])[] = Object.entries(FILE_FUNCTIONS);

/** The word that calls one: `fn::join`. */
export const callName = (name: string): string => `fn::${name}`;

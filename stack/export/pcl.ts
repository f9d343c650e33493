// A plan as a program in PCL, from which Pulumi's CLI makes a program in any language.
import { mapValues } from '../../api/contract';
import { addressOf, pluginType, scopeAt, timeoutArgument, type DeclaredRecord, type Derive } from '../../provider';
import { predecessorsOf, settle } from '../../provider/kinds/settled';
import { parsePropertyPath } from '../../provider/values';
import type { Alias, ConfigDeclaration, ResourceDeclaration, StackPlan } from '../plan';
import { plainCarrier, resolve } from '../values/resolve';
import {
  EXPRESSION,
  holdsSecret,
  isExpression,
  isReference,
  outputOf,
  referencesIn,
  textTemplate,
  withSecrets,
  type FunctionCall,
  type Invoke,
  type Reference,
  type ResourceKey,
  type Steps,
  type TextTemplate,
  type Value,
} from '../values/value';
import type { Range } from '../yaml/source';

/** Differences between the program of a plan and the plan. */
export interface Loss {
  readonly at: Range;
  readonly says: string;
  /** Whether something else stands for it in the program; otherwise there is no program. */
  readonly carried: boolean;
}

export interface PclProgram {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** The program of a plan. `config`: values of the configuration that have to be written. */
export function pclOf(plan: StackPlan, config: { readonly [name: string]: unknown } = {}): PclProgram {
  const writer = newWriter(plan, config);
  const blocks = [
    ...plan.config.map((each) => configBlock(each, writer)),
    ...plan.resources.map((each) => resourceBlock(each, writer)),
    ...plan.outputs.map(({ name, value, at }) =>
      block(
        'output',
        [quoted(writer.identifiers.take(name, `${name}Output`))],
        [attribute('__logicalName', quoted(name)), attribute('value', expressionOf(value, writer, at))],
      ),
    ),
  ];
  // What they refer to is known once they are written. The order of blocks means nothing.
  return { text: `${[...writer.stackReferences(), ...blocks].join('\n')}`, losses: writer.losses };
}

const attribute = (name: string, expression: string): string => `${name} = ${expression}`;

const block = (type: string, labels: readonly string[], body: readonly string[]): string =>
  `${[type, ...labels].join(' ')} {\n${body.map((line) => line.replace(/^/gm, '  ')).join('\n')}\n}\n`;

type Writer = ReturnType<typeof newWriter>;

function newWriter(plan: StackPlan, config: { readonly [name: string]: unknown }) {
  const identifiers = newIdentifiers();
  const losses: Loss[] = [];
  const ofConfig = new Map(plan.config.map(({ name }) => [name, identifiers.take(name)]));
  const ofResource = new Map(
    plan.resources.map(({ key, kind, logicalName }) => [
      key,
      identifiers.take(logicalName, `${logicalName}/${kind.token}`),
    ]),
  );
  const ofStack = new Map<string, string>();
  const collections = plan.config.filter(({ type }) => type === 'list' || type === 'map').map(({ name }) => name);
  return {
    identifiers,
    losses,
    ofConfig,
    ofResource,
    settled: settledIn(plan),
    /** The expression for what a reference means, without its steps. */
    target({ target }: Reference): string {
      if (target.of === 'config') return ofConfig.get(target.name) ?? 'null';
      if (target.of === 'pulumi') return `${target.name}()`;
      if (target.of === 'name') return 'null';
      return `${ofResource.get(target.key) ?? 'null'}.${target.output}`;
    },
    /** The expression for an output of another stack. */
    stackOutput(stack: string, output: string): string {
      const reference = ofStack.get(stack) ?? identifiers.take('stackReference');
      ofStack.set(stack, reference);
      return `getOutput(${reference}, ${output})`;
    },
    stackReferences: (): readonly string[] =>
      [...ofStack].map(([stack, name]) =>
        block('resource', [name, '"pulumi:pulumi:StackReference"'], [attribute('name', stack)]),
      ),
    /** Whether a value is a list or a map: a text of it is JSON. */
    isCollection(value: Value): boolean {
      if (!isReference(value)) return typeof value === 'object' && value !== null && !isExpression(value);
      const { target, steps } = value;
      return target.of === 'config' && steps.length === 0 && collections.includes(target.name);
    },
    /**
     * The plain value that the stack's own configuration gives it; undefined where it gives none.
     */
    known: (value: Value) => knownIn(value, plan, config),
    /** Reports what PCL cannot say. `carried`: something else in the program stands for it. */
    lose: (at: Range, says: string, carried: boolean): void => void losses.push({ at, says, carried }),
  };
}

/** A value of the configuration alone; undefined for a secret, or a value of the run. */
function knownIn(
  value: Value,
  { config: declared }: StackPlan,
  config: { readonly [name: string]: unknown },
): { readonly value: Value } | undefined {
  const isKnown = referencesIn(value).every(({ target }) => {
    if (target.of !== 'config') return false;
    const isSecret = declared.some(({ name, secret: hidden }) => hidden && name === target.name);
    return !isSecret && config[target.name] !== undefined;
  });
  if (!isKnown) return undefined;
  const carrier = plainCarrier((target) => (target.of === 'config' ? config[target.name] : undefined));
  return { value: resolve(value, carrier) as Value };
}

const TYPES = { string: 'string', integer: 'int', number: 'number', boolean: 'bool' } as const;

function configBlock(declaration: ConfigDeclaration, writer: Writer): string {
  const { name, type, description, secret: isSecret, default: standard, allowed, at } = declaration;
  if (allowed !== undefined)
    writer.lose(at, `the values that ${name} may have are not carried: any ${type} is accepted`, true);
  const identifier = writer.ofConfig.get(name) ?? name;
  return block(
    'config',
    [quoted(identifier), quoted(typeOf(type, standard))],
    [
      ...(identifier === name ? [] : [attribute('__logicalName', quoted(name))]),
      ...(standard === undefined ? [] : [attribute('default', expressionOf(standard as Value, writer, at))]),
      ...(description === undefined ? [] : [attribute('description', quoted(description))]),
      ...(isSecret ? [attribute('secret', 'true')] : []),
    ],
  );
}

function typeOf(type: ConfigDeclaration['type'], standard: unknown): string {
  if (type === 'map') return 'map(any)';
  if (type !== 'list') return TYPES[type];
  const items = Array.isArray(standard) ? standard.map((item) => typeof item) : [];
  const [item = 'string'] = new Set(items);
  return `list(${item === 'boolean' ? 'bool' : item === 'number' ? 'number' : 'string'})`;
}

function resourceBlock(declaration: ResourceDeclaration, writer: Writer): string {
  const { key, kind, logicalName, args, secrets, at, places } = declaration;
  const { ofResource, settled, identifiers } = writer;
  const placeOf = (name: string) => places.find(({ path }) => path.length === 1 && path[0] === name)?.key;
  const identifier = ofResource.get(key) ?? logicalName;
  const all: { readonly [name: string]: Value } = {
    ...(withSecrets(args, secrets) as ResourceDeclaration['args']),
    ...settled.get(key)?.args,
    ...timeoutArgument(kind, args, declaration.options),
  };
  const locals: string[] = [];
  const lines = Object.entries(all).map(([name, value]) => {
    const expression = expressionOf(value, writer, placeOf(name) ?? at);
    if (!expression.startsWith('secret(')) return attribute(name, expression);
    // Pulumi YAML keeps a secret that is all of a property only if it is a variable.
    const local = identifiers.take(`${identifier}/${name}`);
    locals.push(attribute(local, expression));
    return attribute(name, local);
  });
  const options = optionLines(declaration, all, writer);
  const own = block(
    'resource',
    [identifier, quoted(pluginType(kind.token))],
    [
      ...(identifier === logicalName ? [] : [attribute('__logicalName', quoted(logicalName))]),
      ...lines,
      ...(options.length === 0 ? [] : ['', block('options', [], options).trimEnd()]),
    ],
  );
  return [...locals, own].join('\n').replace(/^ +$/gm, '');
}

/** Options that are lists of paths of properties. */
const PATHS = ['ignoreChanges', 'replaceOnChanges', 'additionalSecretOutputs', 'hideDiffs'] as const;

const PLAIN = ['import', 'protect', 'retainOnDelete', 'deleteBeforeReplace', 'customTimeouts'] as const;

function optionLines(
  { key, options, related, after, trigger, at }: ResourceDeclaration,
  args: { readonly [name: string]: Value },
  writer: Writer,
): readonly string[] {
  const { ofResource, settled } = writer;
  const list = (keys: readonly ResourceKey[]): string =>
    `[${keys.flatMap((each) => ofResource.get(each) ?? []).join(', ')}]`;
  const referred = Object.values(args).flatMap((value) => referencesIn(value));
  const named = new Set(referred.flatMap(({ target }) => (target.of === 'resource' ? [target.key] : [])));
  const before = [...new Set([...after, ...(settled.get(key)?.after ?? [])])].filter((each) => !named.has(each));
  const { parent, deletedWith, replaceWith = [] } = related;
  const aliases = (options.aliases ?? []).flatMap((alias) => aliasOf(alias, writer, at));
  return [
    ...(parent === undefined ? [] : [attribute('parent', ofResource.get(parent) ?? 'null')]),
    ...(before.length === 0 ? [] : [attribute('dependsOn', list(before))]),
    ...PLAIN.flatMap((name) =>
      options[name] === undefined ? [] : [attribute(name, expressionOf(options[name] as Value, writer, at))],
    ),
    ...PATHS.flatMap((name) => pathLine(name, options[name], writer, at)),
    ...(aliases.length === 0 ? [] : [attribute('aliases', `[${aliases.join(', ')}]`)]),
    ...(deletedWith === undefined ? [] : [attribute('deletedWith', ofResource.get(deletedWith) ?? 'null')]),
    ...(replaceWith.length === 0 ? [] : [attribute('replaceWith', list(replaceWith))]),
    ...(trigger === undefined ? [] : [attribute('replacementTrigger', expressionOf(trigger, writer, at))]),
  ];
}

function pathLine(name: string, paths: readonly string[] | undefined, writer: Writer, at: Range): readonly string[] {
  if (paths === undefined) return [];
  if (paths.some((path) => parsePropertyPath(path)?.includes('*') === true))
    writer.lose(at, `${name} with "*" is not carried: name each property instead`, false);
  return [attribute(name, `[${paths.join(', ')}]`)];
}

function aliasOf(alias: Alias, writer: Writer, at: Range): readonly string[] {
  if (typeof alias === 'string') return [quoted(alias)];
  if (alias.stack === undefined && alias.project === undefined) return [expressionOf({ ...alias }, writer, at)];
  writer.lose(at, 'an alias with another stack or project is not carried: give the complete URN instead', false);
  return [];
}

function expressionOf(value: Value, writer: Writer, at: Range): string {
  const inner = (each: Value): string => expressionOf(each, writer, at);
  if (typeof value === 'string') return quotedOr(value, writer, at);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isExpression(value)) {
    if (Array.isArray(value)) return `[${value.map((each: Value) => inner(each)).join(', ')}]`;
    const entries = Object.entries(value).map(([key, item]) => `${quotedOr(key, writer, at)} = ${inner(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  switch (value[EXPRESSION]) {
    case 'reference':
      return `${writer.target(value)}${stepsText(value.steps)}`;
    case 'secret':
      return `secret(${inner(value.value)})`;
    case 'template':
      return templateOf(value, writer, at);
    case 'call':
      return callOf(value, writer);
    case 'invoke':
      return invokeOf(value, writer);
  }
}

function quotedOr(text: string, writer: Writer, at: Range): string {
  if (!canHold(text)) writer.lose(at, 'a text in decomposed Unicode comes out in its composed form', true);
  return quoted(text);
}

/** `.name`, `["$KEY"]`, `[0]`. */
const stepsText = (steps: Steps): string =>
  steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${quoted(step)}]`;
    })
    .join('');

function templateOf({ parts }: TextTemplate, writer: Writer, at: Range): string {
  const text = parts.map((part) => {
    if (typeof part === 'string') return quotedOr(part, writer, at).slice(1, -1);
    const expression = expressionOf(part, writer, at);
    return `\${${writer.isCollection(part) ? `toJSON(${expression})` : expression}}`;
  });
  return `"${text.join('')}"`;
}

/** Functions that PCL has, too, under the same name and with the same meaning. */
const SAME: readonly string[] = ['join', 'split', 'toJSON', 'toBase64', 'fromBase64'];

function callOf(value: FunctionCall, writer: Writer): string {
  const { name, argument, place } = value;
  const inner = (each: Value): string => expressionOf(each, writer, place.at);
  const [first, second] = Array.isArray(argument) ? (argument as readonly Value[]) : [];
  if (name === 'text') return `"\${${writer.isCollection(argument) ? `toJSON(${inner(argument)})` : inner(argument)}}"`;
  if (SAME.includes(name))
    return `${name}(${(name === 'join' || name === 'split') && Array.isArray(argument) ? argument.map(inner).join(', ') : inner(argument)})`;
  if (name === 'select' && typeof first === 'number' && second !== undefined)
    return `element(${inner(second)}, ${first})`;
  if (name === 'select' && typeof first === 'string' && isReference(second))
    return inner({ ...second, steps: [...second.steps, first] });
  if (name === 'length' && writer.isCollection(argument)) return `length(${inner(argument)})`;
  const known = holdsSecret(value) ? undefined : writer.known(value);
  writer.lose(
    place.at,
    known === undefined
      ? `fn::${name} cannot be carried, and its value is not known before a run: make it a value of the configuration`
      : `fn::${name} cannot be carried: the program has the value of this stack`,
    known !== undefined,
  );
  return known === undefined ? 'null' : inner(known.value);
}

function invokeOf({ function: name, argument, steps, secret, place }: Invoke, writer: Writer): string {
  const inner = (each: Value): string => expressionOf(each, writer, place.at);
  const given = argument as { readonly [key: string]: Value };
  if (name === 'stackReference') return writer.stackOutput(inner(given['stack'] ?? ''), inner(given['output'] ?? ''));
  const asked = `invoke("oneops:index:${name}", ${inner(argument)})${stepsText(steps)}`;
  return secret ? `secret(${asked})` : asked;
}

/** Words that mean something in PCL, or in the programs that are made from it. */
const RESERVED = ['true', 'false', 'null', 'for', 'in', 'if', 'range', 'pulumi', 'oneops', 'config', 'options'];

const ESCAPES: { readonly [character: string]: string } = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** The inside of a text in quotes. `${` and `%{` begin nothing in it. */
const escaped = (text: string): string =>
  text
    .replace(/[\\"\n\r\t]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, codeOf)
    // A doubled mark is the mark itself; before one that is doubled, marks are written by their
    // number, because all of them together are read otherwise.
    .replace(/([$%]+)\{/g, (_, marks: string) =>
      marks.length === 1 ? `${marks}${marks}{` : `${[...marks].map(codeOf).join('')}{`,
    );

const codeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const quoted = (text: string): string => `"${escaped(text)}"`;

/** Whether PCL can hold a text: composed Unicode, without halves of characters. */
export const canHold = (text: string): boolean => !/\p{Surrogate}/u.test(text) && text === text.normalize('NFC');

/** Gives each thing a different identifier, made from its name. */
export function newIdentifiers() {
  const taken = new Set(RESERVED);
  return {
    /** The first of the given names that is free, or one with a number. */
    take(...names: readonly string[]): string {
      const wanted = names.map(identifierFrom);
      let found = wanted.find((each) => !taken.has(each));
      for (let number = 2; found === undefined; number += 1) {
        const numbered = `${wanted.at(-1) ?? 'it'}${number}`;
        if (!taken.has(numbered)) found = numbered;
      }
      taken.add(found);
      return found;
    },
  };
}

/** `webDeployer` from `web/deployer`; identifiers stay. Some languages refuse other marks. */
function identifierFrom(name: string): string {
  const words = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return /^[A-Za-z]/.test(joined) ? joined : `it${joined}`;
}

// What the SDK fills in for programs in TypeScript and for stack files, as values that any program
// can declare: members of a release, clouds, what comes before what.

/** Values of one resource that follow from all resources. */
interface Settled {
  readonly args: { readonly [name: string]: Value };
  /** Its predecessors that no argument names. */
  readonly after: readonly ResourceKey[];
}

interface Declared extends DeclaredRecord {
  readonly declaration: ResourceDeclaration;
}

function settledIn({ resources }: StackPlan): ReadonlyMap<ResourceKey, Settled> {
  const byKey = new Map(resources.map((each) => [each.key, each]));
  const records = resources.map((each) => recordOf(each, byKey));
  const reaches = reachability(resources);
  return new Map(
    records.map((own) => {
      const { key } = own.declaration;
      const args = settle(own, records, derived) as { readonly [name: string]: Value };
      const before = predecessorsOf(own, records).map(({ declaration }) => declaration.key);
      // What cannot be declared before this one is not waited for.
      const after = before.filter((other) => !reaches(other, key));
      after.forEach((other) => reaches.add(key, other));
      return [key, { args, after }];
    }),
  );
}

function recordOf(declaration: ResourceDeclaration, byKey: ReadonlyMap<ResourceKey, ResourceDeclaration>): Declared {
  const { kind, args } = declaration;
  const words = mapValues(args, (value) => wordOf(value, byKey));
  const of = scopeAt(kind, words) ?? kind;
  return { of, address: addressOf(of, words), args, declaration };
}

/** A name as far as the file says it: a parent's is a reference to that one's own. */
function wordOf(value: Value, byKey: ReadonlyMap<ResourceKey, ResourceDeclaration>): unknown {
  if (typeof value !== 'object' || value === null || !isExpression(value)) return value;
  if (value[EXPRESSION] !== 'reference' || value.target.of !== 'resource' || value.target.output !== 'name')
    return value;
  const named = byKey.get(value.target.key);
  return named && wordOf(named.args['name'] ?? named.logicalName, byKey);
}

/** Stands for an output while a text is made of it; no text of a record contains it. */
const HOLE = '\u0000';

/** A value of one output of each record, with the text around the outputs. */
const derived: Derive<Declared> = (records, facts, make) => {
  const output = Object.values(facts).flatMap((fact) => ('output' in fact ? [fact.output] : []))[0];
  const made = make(
    records.map(({ declaration }) =>
      mapValues(facts, (fact) =>
        'output' in fact ? HOLE : declaration.args['argument' in fact ? fact.argument : fact.entriesOf],
      ),
    ),
  );
  if (typeof made !== 'string' || output === undefined) return made;
  const parts = made.split(HOLE).flatMap((text, index): readonly (string | Reference)[] => {
    const record = index === 0 ? undefined : records[index - 1];
    return [...(record ? [outputOf(record.declaration.key, output)] : []), ...(text === '' ? [] : [text])];
  });
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : textTemplate(parts);
};

/** Whether one resource comes after another, through any number of others. */
function reachability(resources: StackPlan['resources']) {
  const after = new Map<ResourceKey, Set<ResourceKey>>(resources.map((each) => [each.key, new Set(each.after)]));
  const reaches = (from: ResourceKey, to: ResourceKey, seen = new Set<ResourceKey>()): boolean =>
    from === to ||
    [...(after.get(from) ?? [])].some((next) => {
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return Object.assign((from: ResourceKey, to: ResourceKey) => reaches(from, to), {
    add: (from: ResourceKey, to: ResourceKey) => after.get(from)?.add(to),
  });
}

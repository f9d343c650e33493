// Values of a stack: plain data, and the few expressions that stand for what is known only later.
import type { Placed } from '../yaml/tree';
import type { FunctionName } from './functions';

/** Marks expressions, so that no map of a person's own can be taken for one. */
export const EXPRESSION = Symbol('expression');

/** `Platform::web`: a resource of a stack, by token and logical name. */
export type ResourceKey = `${string}::${string}`;

/** The key of a resource. */
export const resourceKey = (token: string, logicalName: string): ResourceKey => `${token}::${logicalName}`;

/** Names below `pulumi`. */
export const PULUMI_NAMES = ['stack', 'project', 'organization', 'cwd', 'rootDirectory'] as const;
type PulumiName = (typeof PULUMI_NAMES)[number];

/** What a reference can mean. */
export type Target =
  | { readonly of: 'config'; readonly name: string }
  | { readonly of: 'pulumi'; readonly name: PulumiName }
  | { readonly of: 'resource'; readonly key: ResourceKey; readonly output: string };

/** Steps into a value: `tags.tier`, `[0]`. */
export type Steps = readonly (string | number)[];

/** A `${…}` that means something: the target's value, or what is at `steps` in it. */
export interface Reference {
  readonly [EXPRESSION]: 'reference';
  readonly target: Target;
  readonly steps: Steps;
  /** Where a person wrote it; absent for references of our own making. */
  readonly place?: Placed;
}

/** A `${…}` as written, before it is known what it means. Empty steps: it was found wrong and has been reported. */
export interface Mention {
  readonly [EXPRESSION]: 'mention';
  readonly steps: Steps;
  readonly place: Placed;
  /** It is in a secret: findings say nothing of its text. */
  readonly secret: boolean;
}

/** Text with references in it. */
export interface TextTemplate<R> {
  readonly [EXPRESSION]: 'template';
  readonly parts: readonly (string | R)[];
}

/** A value that is encrypted in state and masked everywhere. */
interface Secret<R> {
  readonly [EXPRESSION]: 'secret';
  readonly value: Value<R>;
}

/** A function of values not all known yet; each is a pure function of its plain argument. */
export interface FunctionCall<R> {
  readonly [EXPRESSION]: 'call';
  /** `text`: the value as it is inside a text. */
  readonly name: FunctionName | 'text';
  readonly argument: Value<R>;
  readonly place: Placed;
}

/** Asks the service: the result of a function, or what is at `steps` in it. */
export interface Invoke<R> {
  readonly [EXPRESSION]: 'invoke';
  /** Token of the function: `getCloud`, or `stackReference` for an output of another stack. */
  readonly function: string;
  /** Arguments by their own names. */
  readonly argument: Value<R>;
  readonly steps: Steps;
  /** Whether what it comes to is secret whatever its arguments are. */
  readonly secret: boolean;
  readonly place: Placed;
}

type Expression<R> = R | TextTemplate<R> | Secret<R> | FunctionCall<R> | Invoke<R>;

/** Plain data with expressions anywhere in it. `R` is Reference in a plan, Mention before names are resolved. */
export type Value<R = Reference> =
  string | number | boolean | null | Expression<R> | readonly Value<R>[] | { readonly [key: string]: Value<R> };

type Referring = Reference | Mention;

/** Whether a value is an expression. */
export function isExpression<R extends Referring>(value: Value<R>): value is Expression<R> {
  return typeof value === 'object' && value !== null && EXPRESSION in value;
}

export const textTemplate = <R extends Referring>(parts: readonly (string | R)[]): TextTemplate<R> => ({
  [EXPRESSION]: 'template',
  parts,
});
export const secretValue = <R extends Referring>(value: Value<R>): Secret<R> => ({ [EXPRESSION]: 'secret', value });
export const call = <R extends Referring>(
  name: FunctionCall<R>['name'],
  argument: Value<R>,
  place: Placed,
): FunctionCall<R> => ({
  [EXPRESSION]: 'call',
  name,
  argument,
  place,
});
export const mention = (steps: Steps, place: Placed, inSecret: boolean): Mention => ({
  [EXPRESSION]: 'mention',
  steps,
  place,
  secret: inSecret,
});

/** A reference to an output of a resource. */
export function outputOf(key: ResourceKey, output: string): Reference {
  return { [EXPRESSION]: 'reference', target: { of: 'resource', key, output }, steps: [] };
}

const isList = <R>(value: Value<R>): value is readonly Value<R>[] => Array.isArray(value);
const entriesOf = <R>(map: object): readonly [string, Value<R>][] =>
  Object.entries(map as { readonly [key: string]: Value<R> });

/** The same value with each reference replaced; a part without expressions is the same object. */
export function mapReferences<R extends Referring, S extends Referring>(
  value: Value<R>,
  replace: (reference: R) => Value<S>,
): Value<S> {
  if (!holdsExpression(value)) return value as Value<S>;
  return withReplaced(value, replace);
}

function withReplaced<R extends Referring, S extends Referring>(
  value: Value<R>,
  replace: (reference: R) => Value<S>,
): Value<S> {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => withReplaced(item, replace));
  if (!isExpression(value)) {
    return Object.fromEntries(entriesOf<R>(value).map(([key, item]) => [key, withReplaced<R, S>(item, replace)]));
  }
  switch (value[EXPRESSION]) {
    case 'template': {
      const parts = value.parts.map((part) => (typeof part === 'string' ? part : replace(part)));
      return textTemplate(
        parts.map((part) => (typeof part === 'object' && part !== null ? (part as S) : String(part))),
      );
    }
    case 'secret':
      return secretValue(withReplaced<R, S>(value.value, replace));
    case 'call':
      return call(value.name, withReplaced<R, S>(value.argument, replace), value.place);
    case 'invoke':
      return { ...value, argument: withReplaced<R, S>(value.argument, replace) };
    default:
      return replace(value);
  }
}

/** Every reference in a value, in the order they are read. */
export const referencesIn = <R extends Referring>(value: Value<R>): readonly R[] =>
  holdsExpression(value) ? referencesBelow(value) : [];

function referencesBelow<R extends Referring>(value: Value<R>): readonly R[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isList(value)) return value.flatMap((item) => referencesBelow(item));
  if (!isExpression(value)) return entriesOf<R>(value).flatMap(([, item]) => referencesBelow(item));
  switch (value[EXPRESSION]) {
    case 'template':
      return value.parts.filter((part) => typeof part !== 'string');
    case 'secret':
      return referencesBelow(value.value);
    case 'call':
    case 'invoke':
      return referencesBelow(value.argument);
    default:
      return [value];
  }
}

/** What has to be known before a value can be computed: references, and what is requested of the service, the outermost of each. */
export function leavesIn(value: Value): readonly (Reference | Invoke<Reference>)[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isList<Reference>(value)) return value.flatMap((item) => leavesIn(item));
  if (!isExpression<Reference>(value)) return entriesOf<Reference>(value).flatMap(([, item]) => leavesIn(item));
  switch (value[EXPRESSION]) {
    case 'template':
      return value.parts.filter((part) => typeof part !== 'string');
    case 'secret':
      return leavesIn(value.value);
    case 'call':
      return leavesIn(value.argument);
    default:
      return [value];
  }
}

/** Whether a value is, or holds at any depth, an expression. */
export function holdsExpression<R extends Referring>(value: Value<R>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isExpression(value)) return true;
  if (isList(value)) return value.some((item) => holdsExpression(item));
  // Every value of every record is asked: no list of entries is made.
  for (const key in value)
    if (holdsExpression((value as { readonly [key: string]: Value<R> })[key] ?? null)) return true;
  return false;
}

/** Whether any part of a value was declared secret. */
export function holdsSecret<R extends Referring>(value: Value<R>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isList(value)) return value.some((item) => holdsSecret(item));
  if (!isExpression(value)) return entriesOf<R>(value).some(([, item]) => holdsSecret(item));
  if (value[EXPRESSION] === 'call') return holdsSecret(value.argument);
  if (value[EXPRESSION] === 'invoke') return value.secret || holdsSecret(value.argument);
  return value[EXPRESSION] === 'secret';
}

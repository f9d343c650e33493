// Values of a stack: plain data, and a few expressions for values that are known only later.
import type { Placed } from '../yaml/tree';
import type { FunctionName } from './functions';

/** Marks expressions, so that no map of a person's own can be taken for one. */
export const EXPRESSION = Symbol('expression');

/** `Platform::web`: a resource of a stack, by token and logical name. */
export type ResourceKey = `${string}::${string}`;

export const resourceKey = (token: string, logicalName: string): ResourceKey => `${token}::${logicalName}`;

/** Names below `pulumi`. */
export const PULUMI_NAMES = ['stack', 'project', 'organization', 'cwd', 'rootDirectory'] as const;
type PulumiName = (typeof PULUMI_NAMES)[number];

/** The targets of a reference. */
export type Target =
  | { readonly of: 'config'; readonly name: string }
  | { readonly of: 'pulumi'; readonly name: PulumiName }
  | { readonly of: 'resource'; readonly key: ResourceKey; readonly output: string };

/** The target while a stack is bound: a name to be found, or a wrong one, which was reported. */
interface Named {
  readonly of: 'name';
  readonly state: 'written' | 'written in a secret' | 'wrong';
}

/** Steps into a value: `tags.tier`, `[0]`. */
export type Steps = readonly (string | number)[];

/** A `${…}`: the value at `steps` in the target. Until the name is found, `steps` are the name. */
export interface Reference {
  readonly [EXPRESSION]: 'reference';
  readonly target: Target | Named;
  readonly steps: Steps;
  /** Where a person wrote it; absent for references of our own making. */
  readonly place?: Placed;
}

export interface TextTemplate {
  readonly [EXPRESSION]: 'template';
  readonly parts: readonly (string | Reference)[];
}

/** A value that is encrypted in state and masked everywhere. */
interface Secret {
  readonly [EXPRESSION]: 'secret';
  readonly value: Value;
}

/** A function of values not all known yet; each is a pure function of its plain argument. */
export interface FunctionCall {
  readonly [EXPRESSION]: 'call';
  /** `text`: the value as it is inside a text. */
  readonly name: FunctionName | 'text';
  readonly argument: Value;
  readonly place: Placed;
}

/** Asks the service: the result of a function, or the value at `steps` in it. */
export interface Invoke {
  readonly [EXPRESSION]: 'invoke';
  /** Token of the function: `getCloud`, or `stackReference` for an output of another stack. */
  readonly function: string;
  /** Arguments by their own names. */
  readonly argument: Value;
  readonly steps: Steps;
  /** Whether the result is secret whatever its arguments are. */
  readonly secret: boolean;
  readonly place: Placed;
}

type Expression = Reference | TextTemplate | Secret | FunctionCall | Invoke;

/** Plain data with expressions anywhere in it. */
export type Value =
  string | number | boolean | null | Expression | readonly Value[] | { readonly [key: string]: Value };

export const isExpression = (value: Value): value is Expression =>
  typeof value === 'object' && value !== null && EXPRESSION in value;

export const textTemplate = (parts: TextTemplate['parts']): TextTemplate => ({ [EXPRESSION]: 'template', parts });
export const secretValue = (value: Value): Secret => ({ [EXPRESSION]: 'secret', value });
export const call = (name: FunctionCall['name'], argument: Value, place: Placed): FunctionCall => ({
  [EXPRESSION]: 'call',
  name,
  argument,
  place,
});

const reference = (target: Reference['target'], steps: Steps = []): Reference => ({
  [EXPRESSION]: 'reference',
  target,
  steps,
});

export const outputOf = (key: ResourceKey, output: string): Reference => reference({ of: 'resource', key, output });

/** A `${…}` of a file, whose name has to be found. */
export const written = (steps: Steps, place: Placed, isInSecret: boolean): Reference => ({
  ...reference({ of: 'name', state: isInSecret ? 'written in a secret' : 'written' }, steps),
  place,
});

/** The value at a place where a finding was reported: nothing more is reported for it. */
export const failed = (place: Placed): Reference => ({ ...reference({ of: 'name', state: 'wrong' }), place });

/** Whether a value is one reference and nothing else. */
export const isReference = (value: Value | undefined): value is Reference =>
  value !== undefined && isExpression(value) && value[EXPRESSION] === 'reference';

/** Whether a finding was reported for a value. */
export const isFailed = (value: Value): boolean =>
  isReference(value) && value.target.of === 'name' && value.target.state === 'wrong';

/** Every reference in a value, in the order they are read. */
export const referencesIn = (value: Value): readonly Reference[] =>
  holdsExpression(value) ? referencesBelow(value) : [];

function referencesBelow(value: Value): readonly Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!isExpression(value)) return Object.values(value).flatMap(referencesBelow);
  switch (value[EXPRESSION]) {
    case 'reference':
      return [value];
    case 'template':
      return value.parts.filter((part) => typeof part !== 'string');
    case 'secret':
      return referencesBelow(value.value);
    default:
      return referencesBelow(value.argument);
  }
}

/** Whether a value is, or holds at any depth, an expression. */
export function holdsExpression(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isExpression(value)) return true;
  // Every value of every record is asked: no list of entries is made.
  const items = value as { readonly [key: string]: Value };
  for (const key in items) if (holdsExpression(items[key] ?? null)) return true;
  return false;
}

/** Whether any part of a value was declared secret. */
export function holdsSecret(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!isExpression(value)) return Object.values(value).some(holdsSecret);
  if (value[EXPRESSION] === 'call') return holdsSecret(value.argument);
  if (value[EXPRESSION] === 'invoke') return value.secret || holdsSecret(value.argument);
  return value[EXPRESSION] === 'secret';
}

/** A value with the parts at some paths of its maps declared secret. */
export function withSecrets(value: Value, paths: readonly Steps[]): Value {
  if (paths.some((path) => path.length === 0)) return secretValue(value);
  if (paths.length === 0 || typeof value !== 'object' || value === null || isExpression(value)) return value;
  const below = (name: string): readonly Steps[] =>
    paths.filter(([first]) => first === name).map((path) => path.slice(1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withSecrets(item, below(name))]));
}

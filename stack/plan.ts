// The plan of a stack file: resources in their order of registration, configuration, outputs. Pure
// data.
import type { Kind } from '../provider';
import { isPlainObject } from '../provider/values';
import type { Range } from './yaml/source';
import type { ResourceKey, Steps, Value } from './values/value';

/** An alias as Pulumi takes it: a complete URN, or what differs from the resource's own. */
export type Alias =
  string | { readonly name?: string; readonly type?: string; readonly stack?: string; readonly project?: string };

/** Pulumi's resource options, without those that name resources (see `after`). */
export interface ResourceOptions {
  /** Id of a record that the resource takes over; only with the plugin. */
  readonly import?: string;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  /** Property paths by argument names: `execCmd`, `attributes.size`. */
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  readonly hideDiffs?: readonly string[];
  readonly aliases?: readonly Alias[];
  /** Pulumi's durations: `5m`, `1h30m`. */
  readonly customTimeouts?: { readonly create?: string; readonly update?: string; readonly delete?: string };
}

export interface ResourceDeclaration {
  readonly key: ResourceKey;
  readonly kind: Kind;
  readonly logicalName: string;
  /** Where references and handles find it: `['platforms', 'web', 'components', 'deployer']`. */
  readonly names: readonly string[];
  /** Arguments by name. The nearest parent is a reference to its name, farther ones are words. */
  readonly args: { readonly [name: string]: Value };
  /** Secret places in `args` besides secret fields of the kind: `['attributes', 'password']`. */
  readonly secrets: readonly Steps[];
  /** Everything it comes after, each once: parents, links, order rules, references, `dependsOn`. */
  readonly after: readonly ResourceKey[];
  readonly within?: ResourceKey;
  readonly options: ResourceOptions;
  /** Attributes that rules of drift.yaml keep; their paths are in ignoreChanges, too. */
  readonly kept?: readonly KeptAttribute[];
  /** Other resources that its options name. */
  readonly related: {
    readonly parent?: ResourceKey;
    readonly deletedWith?: ResourceKey;
    readonly replaceWith?: readonly ResourceKey[];
  };
  /** A change of this value replaces it. */
  readonly trigger?: Value;
  /** Its own key in the file. */
  readonly at: Range;
  /** Where arguments are written: each with all of its key. */
  readonly places: readonly ArgumentPlace[];
}

/** An attribute that a rule keeps. */
export interface KeptAttribute {
  /** Property path by argument names: `attributes.max_threads`. */
  readonly path: string;
  /** Whose rule it is, where, until when and why. */
  readonly rule: string;
  /** Last day of the rule: `2027-01-31`. */
  readonly until?: string;
}

/** Where an argument, or an entry of an open map, is written: `pack: oneops/tomcat:1` is three. */
interface ArgumentPlace {
  /** Path by argument names: `['execCmd']`, `['attributes', 'max_threads']`. */
  readonly path: Steps;
  readonly key: Range;
}

export const CONFIG_TYPES = ['string', 'integer', 'number', 'boolean', 'list', 'map'] as const;
export type ConfigType = (typeof CONFIG_TYPES)[number];

/** One declared configuration value of the project. Without a default it must be set. */
export interface ConfigDeclaration {
  readonly name: string;
  readonly type: ConfigType;
  readonly secret: boolean;
  readonly default?: unknown;
  /** The default in the file is wrong, and reported at its place. */
  readonly hasWrongDefault?: true;
  readonly allowed?: readonly unknown[];
  readonly description?: string;
  readonly at: Range;
}

export interface OutputDeclaration {
  readonly name: string;
  readonly value: Value;
  readonly at: Range;
}

export interface StackPlan {
  readonly config: readonly ConfigDeclaration[];
  /** Each after everything in its `after`. */
  readonly resources: readonly ResourceDeclaration[];
  readonly outputs: readonly OutputDeclaration[];
  /** Where secrets are in clear: no later finding shows a line of them. */
  readonly hidden: readonly Range[];
}

/** Names of the configuration values that are secrets: those declared so, and those kept so. */
export const secretsOf = (
  { config }: Pick<StackPlan, 'config'>,
  kept: ReadonlySet<string> = new Set(),
): ReadonlySet<string> => new Set([...kept, ...config.filter(({ secret }) => secret).map(({ name }) => name)]);

/** A configured text as a value of its type; a text that does not fit stays as it is. */
export function configValue(type: unknown, text: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

export interface ValueFault {
  readonly code: 'wrong-type' | 'not-allowed';
  readonly message: string;
}

/** Whether plain data is a value of a type. */
function fitsType(type: ConfigType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'list') return Array.isArray(value);
  return type === 'map' ? isPlainObject(value) : typeof value === type;
}

/** What is wrong with plain data; undefined when it has the type, and is one of the allowed values. */
export function valueFault(
  { type, allowed }: Pick<ConfigDeclaration, 'type' | 'allowed'>,
  value: unknown,
  shown: string,
): ValueFault | undefined {
  if (!fitsType(type, value)) return { code: 'wrong-type', message: `must be ${aType(type)}${shown}` };
  const texts = allowed?.map((each) => JSON.stringify(each));
  if (texts === undefined || texts.includes(JSON.stringify(value))) return undefined;
  return { code: 'not-allowed', message: `must be one of ${texts.join(', ')}${shown}` };
}

/** `an integer`, `a map`. */
export const aType = (type: ConfigType): string => `${type === 'integer' ? 'an' : 'a'} ${type}`;

// Resolves the values of a plan: looks references up, joins texts, applies functions.
import { holdsUnknown, UNKNOWN } from '../../provider/values';
import type { StackPlan } from '../plan';
import { rangeText } from '../yaml/source';
import type { Placed } from '../yaml/tree';
import { apply, asText, FunctionFault } from './functions';
import {
  EXPRESSION,
  holdsSecret,
  isExpression,
  type FunctionCall,
  type Invoke,
  type ResourceKey,
  type Steps,
  type Target,
  type Value,
} from './value';

/** How not-yet-known values are carried: `Output` in the host. */
export interface Carrier<V> {
  /** The value a reference means. */
  lookup(target: Target): V;
  /**
   * A value computed of another one once all of it is known; `value` is plain data with carried
   * values in it, and `compute` is pure.
   */
  combine(value: unknown, compute: (plain: unknown) => unknown): V;
  /** The same value, secret; `value` is plain data with carried values in it. */
  secret(value: unknown): V;
  /**
   * What is at the steps of a question to the service, null for nothing; `args` is plain data with
   * carried values in it. One secret value of the result makes no other one secret.
   */
  invoke(call: Invoke, args: unknown): V;
}

/** Carries values as they are. No question is asked: its answer is null. */
export const plainCarrier = (lookup: Carrier<unknown>['lookup']): Carrier<unknown> => ({
  lookup,
  combine: (value, compute) => compute(value),
  secret: (value) => value,
  invoke: () => null,
});

/** What is known before a run. */
interface KnownBefore extends Partial<Pick<Carrier<unknown>, 'combine' | 'secret'>> {
  readonly config: { readonly [name: string]: unknown };
  readonly pulumi: { readonly [name: string]: unknown };
  /** An output of a resource that does not declare it. */
  readonly output?: (key: ResourceKey, name: string) => unknown;
}

/** Carries plain data: what is known before a run of a plan, and UNKNOWN for the rest. */
export function knownCarrier({ resources }: StackPlan, { config, pulumi, output, ...own }: KnownBefore) {
  const declared = new Map(resources.map(({ key, args }) => [key, args]));
  const carrier: Carrier<unknown> = {
    lookup(target) {
      if (target.of !== 'resource') return (target.of === 'config' ? config : pulumi)[target.name] ?? UNKNOWN;
      const value = declared.get(target.key)?.[target.output];
      return value === undefined ? (output?.(target.key, target.output) ?? UNKNOWN) : resolve(value, carrier);
    },
    combine: (value, compute) => (holdsUnknown(value) ? UNKNOWN : compute(value)),
    secret: (value) => value,
    // What the service would answer is part of a run, not of the file.
    invoke: () => UNKNOWN,
    ...own,
  };
  return carrier;
}

/** A value with everything resolved: plain data, with carried values for what is known later. */
export function resolve<V>(value: Value, carrier: Carrier<V>): unknown {
  return resolved(value, carrier, null);
}

/** `missing`: what stands for a part that there is not. */
function resolved<V>(value: Value, carrier: Carrier<V>, missing: null | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Value) => resolved(item, carrier, missing));
  if (!isExpression(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, carrier, missing)]));
  switch (value[EXPRESSION]) {
    case 'reference': {
      const { target, steps } = value;
      // A name that was found wrong has no value.
      const carried = target.of === 'name' ? carrier.combine(null, () => UNKNOWN) : carrier.lookup(target);
      return steps.length === 0 ? carried : carrier.combine(carried, (whole) => valueAt(whole, steps) ?? missing);
    }
    case 'invoke':
      return carrier.invoke(value, resolve(value.argument, carrier));
    case 'secret':
      return carrier.secret(resolved(value.value, carrier, missing));
    case 'template':
      return carrier.combine(resolved(value.parts, carrier, undefined), (parts) =>
        (parts as readonly unknown[]).map(asText).join(''),
      );
    case 'call': {
      // What is computed of a secret is secret as a whole.
      const open: Carrier<unknown> = { ...carrier, secret: (inner) => inner };
      const result = carrier.combine(resolved(value.argument, open, undefined), (argument) => called(value, argument));
      return holdsSecret(value) ? carrier.secret(result) : result;
    }
  }
}

/** The value at some steps into a value; undefined without one. */
export function valueAt(whole: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as { readonly [key: string | number]: unknown })[step];
  }, whole);
}

/** The value of a call with a plain argument. Throws CallFault when it has none. */
function called({ name, place }: FunctionCall, argument: unknown): unknown {
  try {
    return name === 'text' ? asText(argument) : apply(name, argument);
  } catch (error) {
    if (!(error instanceof FunctionFault)) throw error;
    throw new CallFault(`fn::${name}: ${error.message}`, place);
  }
}

/** A call has no value. The message begins with its place. */
export class CallFault extends Error {
  constructor(
    readonly problem: string,
    readonly place: Placed,
  ) {
    super(`${rangeText(place.at)}: ${problem}`);
    this.name = 'CallFault';
  }
}

// Values of a plan to values that can be used: references looked up, texts put together, functions
// applied.
import { UNKNOWN } from '../../provider/values';
import { rangeText } from '../yaml/source';
import type { Placed } from '../yaml/tree';
import { apply, asText, FunctionFault } from './functions';
import {
  EXPRESSION,
  holdsSecret,
  isExpression,
  leavesIn,
  type FunctionCall,
  type Invoke,
  type Reference,
  type Steps,
  type Target,
  type TextTemplate,
  type Value,
} from './value';

/** How not-yet-known values are carried: `Output` in the host. */
export interface Carrier<V> {
  /** The value a reference means. */
  lookup(target: Target): V;
  /** A value computed of others once all are known; `compute` is pure. */
  combine(values: readonly V[], compute: (plain: readonly unknown[]) => unknown): V;
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
  combine: (values, compute) => compute(values),
  secret: (value) => value,
  invoke: () => null,
});

/** A value with everything resolved: plain data, with carried values for what is known later. */
export function resolve<V>(value: Value, carrier: Carrier<V>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!isExpression(value)) return mapped(value, (item) => resolve(item, carrier));
  switch (value[EXPRESSION]) {
    case 'reference': {
      const { target, steps } = value;
      const carried = lookup(target, carrier);
      return steps.length === 0 ? carried : carrier.combine([carried], ([whole]) => valueAt(whole, steps) ?? null);
    }
    case 'invoke':
      return invoked(value, carrier);
    case 'secret':
      return carrier.secret(resolve(value.value, carrier));
    case 'template':
    case 'call': {
      const leaves = leavesIn(value);
      const carried = leaves.map((leaf) =>
        leaf[EXPRESSION] === 'reference' ? lookup(leaf.target, carrier) : invoked(leaf, carrier),
      );
      const combined = carrier.combine(carried, (plain) => {
        const known = new Map(leaves.map((leaf, index) => [leaf, plain[index]]));
        return evaluate(value, (leaf) => known.get(leaf));
      });
      return holdsSecret(value) ? carrier.secret(combined) : combined;
    }
  }
}

/** A list or map with each item as another value. */
const mapped = (value: object, change: (item: Value) => unknown): unknown =>
  Array.isArray(value)
    ? value.map(change)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item as Value)]));

/** The value of a target. A name that was found wrong has none. */
const lookup = <V>(target: Reference['target'], carrier: Carrier<V>): V =>
  target.of === 'name' ? carrier.combine([], () => UNKNOWN) : carrier.lookup(target);

const invoked = <V>(call: Invoke, carrier: Carrier<V>): V => carrier.invoke(call, resolve(call.argument, carrier));

/** The plain value of an expression. `known`: values of references and of answers. */
function evaluate(value: Value, known: (leaf: Reference | Invoke) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!isExpression(value)) return mapped(value, (item) => evaluate(item, known));
  switch (value[EXPRESSION]) {
    case 'reference':
      return valueAt(known(value), value.steps);
    case 'invoke':
      return known(value);
    case 'secret':
      return evaluate(value.value, known);
    case 'template':
      return (value satisfies TextTemplate).parts
        .map((part) => (typeof part === 'string' ? part : asText(evaluate(part, known))))
        .join('');
    case 'call':
      return called(value, evaluate(value.argument, known));
  }
}

/** What is at some steps into a value; undefined when nothing does. */
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

// Plain values of any type: maps, texts, values that the engine does not know yet, and what is worked out once for a value.

interface PlainObject {
  readonly [name: string]: unknown;
}

/** Whether a value is a map: neither null nor a list. */
export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys below a value; undefined where a map lacks the key. */
export const valueIn = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (soFar, step) => (isPlainObject(soFar) && Object.hasOwn(soFar, step) ? soFar[step] : undefined),
    value,
  );

// A named value as text, where values are of any type: arguments and outputs.

/** The text, number or boolean under a name, as text; else the fallback. */
export function textAt(values: { readonly [name: string]: unknown } | undefined, name: string, fallback = ''): string {
  const value = values?.[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : fallback;
}

// Values the engine does not know yet: in previews, and in some diffs of real runs (engine-facts A §1).

/** What is in place of an unknown value of any type; the SDK's `runtime.unknownValue`. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Whether a value is, or holds at any depth, an unknown. Text that contains the sentinel counts: interpolations do. */
export function holdsUnknown(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(UNKNOWN);
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}

// What follows from a thing that never changes is worked out once: a kind's names are requested with every check and every diff.

/**
 * A pure function of an object, which works out each object's value once. The object must not change afterwards. The value goes when the
 * object does.
 */
export function oncePer<Key extends object, Value>(workOut: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = workOut(key);
    known.set(key, { value });
    return value;
  };
}

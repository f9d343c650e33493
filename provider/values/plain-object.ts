// Maps among values of any kind.
// It must not know what they contain.

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

// What a function answers with, as data: the form of each value, whether it is always there, and whether it is secret.
// It must not know any function, nor the wire.

/** A value's form. */
export type ResultShape =
  | { readonly type: 'text'; readonly allowed?: readonly string[] }
  | { readonly type: 'int' }
  | { readonly type: 'number' }
  | { readonly type: 'flag' }
  | { readonly type: 'list'; readonly items: ResultShape }
  | { readonly type: 'map'; readonly values: ResultShape }
  | { readonly type: 'record'; readonly of: RecordType };

/** One value of a result. */
export interface Result<T = unknown, Always extends boolean = boolean> {
  readonly shape: ResultShape;
  /** Whether it exists in every answer. */
  readonly always: Always;
  /** Encrypted in state, masked everywhere. */
  readonly secret: boolean;
  optional(): Result<T, false>;
  /** Carries the value's type; never present at run time. */
  readonly type?: T;
}

export interface Results {
  readonly [name: string]: Result;
}

/** A record that is inside results, by the name of its interface. */
export interface RecordType<R extends Results = Results> {
  readonly name: string;
  readonly members: R;
}

type AlwaysThere<R extends Results> = { [N in keyof R]: R[N] extends Result<unknown, true> ? N : never }[keyof R];
type ValueOf<X> = X extends Result<infer T> ? T : never;

/** The value a set of results describes. */
export type ResultValues<R extends Results> = { readonly [N in AlwaysThere<R>]: ValueOf<R[N]> } & {
  readonly [N in Exclude<keyof R, AlwaysThere<R>>]?: ValueOf<R[N]> | undefined;
};

function result<T>(shape: ResultShape): Result<T, true> {
  return {
    shape,
    always: true,
    secret: false,
    optional() {
      return { ...this, always: false } as unknown as Result<T, false>;
    },
  };
}

/** Text; empty where the service has none. */
export const textResult = (): Result<string, true> => result({ type: 'text' });
/** A whole number. */
export const intResult = (): Result<number, true> => result({ type: 'int' });
/** A number. */
export const numberResult = (): Result<number, true> => result({ type: 'number' });
/** A yes or no. */
export const flagResult = (): Result<boolean, true> => result({ type: 'flag' });
/** A list of values of one form. */
export const listResult = <T>(items: Result<T, true>): Result<readonly T[], true> =>
  result({ type: 'list', items: items.shape });
/** Values of one form by name. */
export const mapResult = <T>(values: Result<T, true>): Result<{ readonly [name: string]: T }, true> =>
  result({ type: 'map', values: values.shape });
/** A record inside a result. */
export const recordResult = <R extends Results>(of: RecordType<R>): Result<ResultValues<R>, true> =>
  result({ type: 'record', of });

/** Names the interface of a record and describes its members; exists for inference. */
export const recordType = <R extends Results>(name: string, members: R): RecordType<R> => ({ name, members });

/** Marks a value that is kept as a secret. */
export const secretResult = <X extends Result>(inner: X): X => ({ ...inner, secret: true });

/** The same value with `wrap` around everything that is described as secret. */
export function wrapSecrets(
  results: Results,
  values: { readonly [name: string]: unknown },
  wrap: (secretValue: unknown) => unknown,
): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const described = Object.hasOwn(results, name) ? results[name] : undefined;
      if (described === undefined) return [name, value];
      return [name, described.secret ? wrap(value) : wrapInside(described.shape, value, wrap)];
    }),
  );
}

function wrapInside(shape: ResultShape, value: unknown, wrap: (secretValue: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = value as { readonly [name: string]: unknown };
  switch (shape.type) {
    case 'record':
      return wrapSecrets(shape.of.members, entries, wrap);
    case 'list':
      return (value as readonly unknown[]).map((item) => wrapInside(shape.items, item, wrap));
    case 'map':
      return Object.fromEntries(
        Object.entries(entries).map(([name, item]) => [name, wrapInside(shape.values, item, wrap)]),
      );
    default:
      return value;
  }
}

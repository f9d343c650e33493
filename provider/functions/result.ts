// Results of functions: the form of each value, and whether it is secret.
import { type Attributes, ENCRYPTED, mapValues } from '../../api/contract';
import { type Fields, snakeCase } from '../values/field';
import { decodeShape, type Shape } from '../values/shape';
import { isPlainObject, type Texts, type Values } from '../values/plain';

export type ResultShape =
  | Extract<Shape, { readonly type: 'text' | 'int' | 'flag' }>
  | { readonly type: 'number' }
  | { readonly type: 'list'; readonly items: ResultShape }
  | { readonly type: 'map'; readonly values: ResultShape }
  | { readonly type: 'record'; readonly of: RecordType };

/** One value of a result. `S`: what the service answered, and it is read from. */
export interface Result<T = unknown, Always extends boolean = boolean, S = never> {
  readonly shape: ResultShape;
  readonly description: string;
  /** Reads the value; missing where the function makes it. */
  readonly from: ((source: S) => T) | undefined;
  /** Whether it exists in every answer. */
  readonly always: Always;
  /** Encrypted in state, masked everywhere. */
  readonly secret: boolean;
  optional(): Result<T, false, S>;
  describe(description: string): Result<T, Always, S>;
  /** Carries the value's type; never present at run time. */
  readonly type?: T;
}

export interface Results {
  readonly [name: string]: Result;
}

/** A record that is inside results, by the name of its interface. */
export interface RecordType<R extends Results = Results> {
  readonly name: string;
  readonly description: string;
  readonly members: R;
}

type AlwaysThere<R extends Results> = { [N in keyof R]: R[N] extends Result<unknown, true> ? N : never }[keyof R];
type ValueOf<X> = X extends Result<infer T> ? T : never;

/** The value a set of results describes. */
export type ResultValues<R extends Results> = { readonly [N in AlwaysThere<R>]: ValueOf<R[N]> } & {
  readonly [N in Exclude<keyof R, AlwaysThere<R>>]?: ValueOf<R[N]> | undefined;
};

type From<T, S> = (source: S) => T;

/** What members of a result are read from, all of it together. */
type SourceOf<R extends Results> = {
  [N in keyof R]: R[N] extends Result<unknown, boolean, infer S> ? (source: S) => void : never;
}[keyof R] extends (source: infer All) => void
  ? All
  : never;

/** The values of results in an answer. Those that their function makes are left out. */
export function valuesIn<R extends Results>(results: R, source: SourceOf<R>): ResultValues<R> {
  const values = Object.entries(results).flatMap(([name, { from }]) =>
    from === undefined ? [] : [[name, (from as From<unknown, unknown>)(source)] as const],
  );
  return Object.fromEntries(values) as ResultValues<R>;
}

/** The values of a record's members in each of several answers. */
export const rowsIn = <R extends Results>(
  { members }: RecordType<R>,
  sources: readonly SourceOf<R>[],
): readonly ResultValues<R>[] => sources.map((source) => valuesIn(members, source));

function result<T, S>(shape: ResultShape, from: From<T, S> | undefined): Result<T, true, S> {
  return {
    shape,
    description: '',
    from,
    always: true,
    secret: false,
    optional() {
      return { ...this, always: false } as unknown as Result<T, false, S>;
    },
    describe(description) {
      return { ...this, description };
    },
  };
}

/** Text; empty where the service has none. */
export const text = <S = unknown>(from?: From<string, S>): Result<string, true, S> => result({ type: 'text' }, from);
export const int = <S = unknown>(from?: From<number, S>): Result<number, true, S> => result({ type: 'int' }, from);
export const number = <S = unknown>(from?: From<number, S>): Result<number, true, S> =>
  result({ type: 'number' }, from);
export const flag = <S = unknown>(from?: From<boolean, S>): Result<boolean, true, S> => result({ type: 'flag' }, from);
export const list = <T, S = unknown>(
  items: Result<T, true>,
  from?: From<readonly T[], S>,
): Result<readonly T[], true, S> => result({ type: 'list', items: items.shape }, from);
/** Values of one form by name. */
export const map = <T, S = unknown>(
  values: Result<T, true>,
  from?: From<{ readonly [name: string]: T }, S>,
): Result<{ readonly [name: string]: T }, true, S> => result({ type: 'map', values: values.shape }, from);
export const record = <R extends Results>(of: RecordType<R>): Result<ResultValues<R>, true> =>
  result({ type: 'record', of }, undefined);

export const records = <R extends Results>(of: RecordType<R>): Result<readonly ResultValues<R>[], true> =>
  list(record(of));

type KnownMember<S> = keyof { [K in keyof S as string extends K ? never : K]: S[K] } & keyof S;

/** Values in members of what the service answered: the first of the named ones that it has. */
export const inMembers = <S>() => {
  const first =
    <T>(names: readonly KnownMember<S>[], otherwise: T): From<T, S> =>
    (source) =>
      (names.map((name) => source[name]).find((value) => value !== undefined && value !== null) ?? otherwise) as T;
  return {
    text: (...names: readonly KnownMember<S>[]) => text(first(names, '')),
    int: (...names: readonly KnownMember<S>[]) => int(first(names, 0)),
    flag: (...names: readonly KnownMember<S>[]) => flag(first(names, false)),
  };
};

/** A number in a text; the value the service has by itself where there is none. */
export function numberIn(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}

/**
 * Values in attributes as the fields of a kind describe them. A number has the base value of its
 * field where there is none. `attributesOf`: where a source has its attributes.
 */
export function ofFields<F extends Fields, S>(fields: F, attributesOf: (source: S) => Attributes) {
  const results = Object.entries(fields).map(([name, { shape, description, base }]) => {
    const textIn = (source: S): string => textOf(attributesOf(source)[snakeCase(name)]);
    return [name, resultOf(shape, base, textIn).describe(description)];
  });
  return Object.fromEntries(results) as { readonly [N in keyof F]: Result<NonNullable<F[N]['type']>, true, S> };
}

function resultOf<S>({ type }: Shape, base: string, textIn: (source: S) => string): Result<unknown, true, S> {
  switch (type) {
    case 'int':
      return int((source: S) => numberIn(textIn(source), Number(base)));
    case 'flag':
      return flag((source: S) => textIn(source) === 'true');
    case 'map':
      return map(text(), (source: S) => textsIn(textIn(source)));
    case 'list':
      return list(text(), (source: S) => textIn(source).split(',').filter(Boolean));
    default:
      return text(textIn);
  }
}

/** The text of an attribute; empty where the service has none, or keeps it to itself. */
export const textOf = (text: string | null | undefined): string =>
  text === undefined || text === null || text === ENCRYPTED ? '' : text;

/** A map of texts that is in an attribute as JSON text; empty where it cannot be read. */
export function textsIn(json: string): Texts {
  const parsed = decodeShape({ type: 'open' }, json);
  if (!isPlainObject(parsed)) return {};
  return mapValues(parsed, (item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

/** Names the interface of a record and describes its members; exists for inference. */
export const recordType = <R extends Results>(name: string, description: string, members: R): RecordType<R> => ({
  name,
  description,
  members,
});

/** Marks a value that is kept as a secret. */
export const secret = <X extends Result>(inner: X): X => ({ ...inner, secret: true });

/** The values of a function with `wrap` around those that are described as secret. */
export const wrapSecrets = (results: Results, values: Values, wrap: (secretValue: unknown) => unknown): Values =>
  mapValues(values, (value, name) => (results[name]?.secret === true ? wrap(value) : value));

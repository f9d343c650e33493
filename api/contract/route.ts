// What a route is: method, path, schemas and how it may be repeated. Client and service use it.
import * as z from 'zod';
import { record, recordIdsBody, templateSchema } from './schemas';

/**
 * How a lost answer may be handled: `read` and `write` (same result when sent twice) are repeated;
 * a `create` is settled by reading back; an `action` (deploy, commit, run, replace) is never sent
 * twice (architecture §3).
 */
export type Repeat = 'read' | 'write' | 'create' | 'action';

/** Names of the `{parameters}` in a path pattern. */
export type Parameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

export interface Route<
  P extends string = string,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  N extends string = string,
> {
  /** `area.verb`, unique; the key of dialect differences, journals and fault rules. */
  readonly name: N;
  /** What it is for, in one line without a full stop. Editors and openapi.json show it. */
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: P;
  /** Query parameters the route understands. */
  readonly query: readonly string[];
  /** Body schema; `z.undefined()` when the route takes none. */
  readonly body: B;
  readonly answer: A;
  /** Schema of the answer to another body, which the typed client never sends. */
  readonly otherAnswer: z.ZodType | undefined;
  /** Section of docs/design/service-facts.md; `ours` for routes of the embedded service alone. */
  readonly source: string;
  /** Whether the published documentation of the API lists it. */
  readonly documented: boolean;
  readonly repeat: Repeat;
  /** Whether it is served without a token (service-facts §5.1). */
  readonly open: boolean;
  /** Whether another route takes its place (service-facts §9). */
  readonly deprecated: boolean;
  /** Media type of its answers: JSON, or the text that `answer` describes. */
  readonly media: string;
  /** Whether an answer may carry the header `oneops-warnings`. */
  readonly warns: boolean;
}

/** Facts of a route beside line, summary and answer; each has a usual value. */
type RouteFacts<B extends z.ZodType> = Partial<
  Omit<Route<string, B>, 'name' | 'summary' | 'method' | 'path' | 'answer'>
>;

/** Media type of nearly all answers. */
export const JSON_MEDIA = 'application/json';

/** Header that lists, as JSON in ASCII, what the service left out of the request. */
export const WARNINGS_HEADER = 'oneops-warnings';

/** One for all routes: there are hundreds, and each schema costs time when a process starts. */
const NOTHING = z.undefined();

type PathOf<L> = L extends `${string} ${infer P}` ? P : never;

const REPEAT_BY_METHOD = { GET: 'read', PUT: 'write', DELETE: 'write', POST: 'create' } as const;

/**
 * Declares one route of an area: `route('GET /{organization}/assemblies/{assembly}', 'Reads an
 * assembly', record)`. Repeat by method: GET read, PUT and DELETE write, POST create. The area
 * gives the name, and the source where the route has none.
 */
export function route<
  const L extends `${Route['method']} /${string}`,
  A extends z.ZodType,
  B extends z.ZodType = z.ZodUndefined,
>(line: L, summary: string, answer: A, facts: RouteFacts<B> = {}): Route<PathOf<L>, B, A, ''> {
  const space = line.indexOf(' ');
  const method = line.slice(0, space) as Route['method'];
  return {
    name: '',
    summary,
    method,
    path: line.slice(space + 1) as PathOf<L>,
    query: [],
    body: NOTHING as unknown as B,
    answer,
    otherAnswer: undefined,
    source: '',
    documented: false,
    repeat: REPEAT_BY_METHOD[method],
    open: false,
    deprecated: false,
    media: JSON_MEDIA,
    warns: false,
    ...facts,
  };
}

type Named<N extends string, R> = {
  readonly [V in keyof R]: R[V] extends Route<infer P, infer B, infer A> ? Route<P, B, A, `${N}.${V & string}`> : never;
};

/** The routes of an area with their names, `area.verb`, and the usual source. */
export function area<const N extends string, R extends { readonly [verb: string]: Pick<Route, 'source'> }>(
  name: N,
  source: string,
  routes: R,
): Named<N, R> {
  const named = Object.entries(routes).map(([verb, route]) => [
    verb,
    { ...route, name: `${name}.${verb}`, source: route.source === '' ? source : route.source },
  ]);
  return Object.fromEntries(named) as Named<N, R>;
}

interface Collection<P extends string, I extends string, B extends z.ZodType, A extends z.ZodType> {
  readonly list: Route<P, z.ZodUndefined, z.ZodArray<A>, ''>;
  readonly template: Route<`${P}/new`, z.ZodUndefined, typeof templateSchema, ''>;
  readonly read: Route<`${P}/{${I}}`, z.ZodUndefined, A, ''>;
  readonly create: Route<P, B, A, ''>;
  readonly update: Route<`${P}/{${I}}`, B, A, ''>;
  readonly delete: Route<`${P}/{${I}}`, z.ZodUndefined, z.ZodOptional<z.ZodNullable<A>>, ''>;
}

type Verb = keyof Collection<string, string, z.ZodType, z.ZodType>;

interface CollectionFacts<B extends z.ZodType, A extends z.ZodType, V extends Verb> {
  /** The routes there are; default: list, read, create, update and delete. */
  readonly verbs?: readonly V[];
  /** What the records are called; default: the noun with an s after its first word. */
  readonly nouns?: string;
  /** Summaries that say more, or otherwise. */
  readonly summaries?: { readonly [W in Verb]?: string };
  /** Body of a create and an update; default: none. */
  readonly body?: B;
  /** Default: a record. */
  readonly answer?: A;
  /** Routes that the published documentation of the API lists. */
  readonly documented?: readonly Verb[];
}

/** Routes of a collection: `collection(`${ENVIRONMENT}/relays`, 'relay', 'mail relay')`. */
export function collection<
  const P extends `/${string}`,
  const I extends string,
  V extends Verb = Exclude<Verb, 'template'>,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = typeof record,
>(path: P, item: I, noun: string, facts: CollectionFacts<B, A, V>): Pick<Collection<P, I, B, A>, V> {
  const { nouns = noun.replace(/^\w+/, '$&s'), documented = [] } = facts;
  const { verbs = ['list', 'read', 'create', 'update', 'delete'] as unknown as readonly V[] } = facts;
  const body = facts.body ?? (NOTHING as unknown as B);
  const answer = facts.answer ?? (record as unknown as A);
  const one = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const at = `${path}/{${item}}` as const;
  const routes = {
    list: () => route(`GET ${path}`, `Lists the ${nouns}`, z.array(answer)),
    template: () => route(`GET ${path}/new`, `Reads what a new ${noun} begins with`, templateSchema),
    read: () => route(`GET ${at}`, `Reads ${one}`, answer),
    create: () => route(`POST ${path}`, `Creates ${one}`, answer, { body }),
    update: () => route(`PUT ${at}`, `Changes ${one}`, answer, { body }),
    delete: () => route(`DELETE ${at}`, `Deletes ${one}`, answer.nullish()),
  } as unknown as { readonly [W in Verb]: () => Collection<P, I, B, A>[W] };
  const wanted = verbs.map((verb) => {
    const made = routes[verb]();
    const summary = facts.summaries?.[verb] ?? made.summary;
    return [verb, { ...made, summary, documented: documented.includes(verb) }] as const;
  });
  return Object.fromEntries(wanted) as unknown as Pick<Collection<P, I, B, A>, V>;
}

/** Routes that lock variables against what would change them, and unlock them again. */
export const locking = <const P extends `/${string}`>(path: P, variables: string, against: string) => ({
  lock: route(`PUT ${path}/lock`, `Locks ${variables} against ${against}`, z.array(record), { body: recordIdsBody }),
  unlock: route(`PUT ${path}/unlock`, `Unlocks ${variables}`, z.array(record), { body: recordIdsBody }),
});

/** The parameter names of a path pattern, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
}

/** A value that cannot be in a path: empty, a dot segment, or with a forbidden character. */
export class UnsafeSegment extends Error {
  constructor(
    readonly parameter: string,
    readonly value: string,
  ) {
    super(
      `${parameter} ${JSON.stringify(value)} cannot be part of a path: it is empty, a dot segment, or contains a slash or a control character`,
    );
    this.name = 'UnsafeSegment';
  }
}

export const isSegment = (value: string): boolean =>
  value !== '' && value !== '.' && value !== '..' && !/[/\\]|\p{Cc}/u.test(value);

/** Fills a pattern with percent-encoded values. Throws UnsafeSegment. */
export function fillPath(pattern: string, address: { readonly [name: string]: string }): string {
  return pattern.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = address[name] ?? '';
    if (!isSegment(value)) throw new UnsafeSegment(name, value);
    return encodeURIComponent(value);
  });
}

// What a route is: method, path, schemas and how safely it may be repeated. Client and service are both derived from the list of them.
import { z } from 'zod';

/** Names of the `{parameters}` in a path pattern. */
export type Parameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

/**
 * How a lost answer may be handled: `read` and `write` (same result when sent twice) are repeated; a `create` is settled by reading
 * back; an `action` (deploy, commit, run, replace) is never sent twice (architecture §3).
 */
export type Repeat = 'read' | 'write' | 'create' | 'action';

export interface Route<
  P extends string = string,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  N extends string = string,
> {
  /** `area.verb`, unique; the key of dialect differences, journals and fault rules. */
  readonly name: N;
  /** What it is for, in one line without a full stop. */
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: P;
  /** Query parameters the route understands. */
  readonly query: readonly string[];
  /** Body schema; `z.undefined()` when the route takes none. */
  readonly body: B;
  readonly answer: A;
  /** Schema of the answer to a body that requests something else, at an address that two routes share. The typed client never sends such a body. */
  readonly otherAnswer: z.ZodType | undefined;
  /** Section of docs/design/service-facts.md; `ours` for a route that only the embedded service has. */
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

interface RouteFacts<B extends z.ZodType, A extends z.ZodType> {
  readonly summary: string;
  readonly answer: A;
  readonly source: string;
  readonly otherAnswer?: z.ZodType;
  readonly body?: B;
  readonly query?: readonly string[];
  readonly repeat?: Repeat;
  readonly open?: boolean;
  readonly documented?: boolean;
  readonly deprecated?: boolean;
  readonly media?: string;
  readonly warns?: boolean;
}

/** Media type of nearly all answers. */
export const JSON_MEDIA = 'application/json';

/** Header of an answer that lists, as JSON in ASCII, what the service left out of the request; absent when there is nothing to list. */
export const WARNINGS_HEADER = 'oneops-warnings';

const REPEAT_BY_METHOD = { GET: 'read', PUT: 'write', DELETE: 'write', POST: 'create' } as const;

/**
 * Declares one route: `route('assemblies.read', 'GET /{organization}/assemblies/{assembly}', { summary, answer, source })`.
 * Repeat defaults by method: GET read, PUT and DELETE write, POST create.
 */
export function route<
  const N extends string,
  const L extends `${Route['method']} /${string}`,
  A extends z.ZodType,
  B extends z.ZodType = z.ZodUndefined,
>(name: N, line: L, facts: RouteFacts<B, A>): Route<L extends `${string} ${infer P}` ? P : never, B, A, N> {
  const space = line.indexOf(' ');
  const method = line.slice(0, space) as Route['method'];
  return {
    name,
    summary: facts.summary,
    method,
    path: line.slice(space + 1) as L extends `${string} ${infer P}` ? P : never,
    query: facts.query ?? [],
    body: facts.body ?? (z.undefined() as unknown as B),
    answer: facts.answer,
    otherAnswer: facts.otherAnswer,
    source: facts.source,
    documented: facts.documented ?? false,
    repeat: facts.repeat ?? REPEAT_BY_METHOD[method],
    open: facts.open ?? false,
    deprecated: facts.deprecated ?? false,
    media: facts.media ?? JSON_MEDIA,
    warns: facts.warns ?? false,
  };
}

/** The parameter names of a path pattern, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
}

/** A path parameter that cannot be in a path: empty, a dot segment, or with a character the service forbids in names. */
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

/** Fills a pattern. Each value is percent-encoded; one that could change the path is refused. Throws UnsafeSegment. */
export function fillPath(pattern: string, address: { readonly [name: string]: string }): string {
  return pattern.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = address[name] ?? '';
    if (value === '' || value === '.' || value === '..' || /[/\\]|\p{Cc}/u.test(value))
      throw new UnsafeSegment(name, value);
    return encodeURIComponent(value);
  });
}

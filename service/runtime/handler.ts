// What a handler is: a function of one checked request, in one transaction, that returns the
// answer's body or refuses.
import type * as z from 'zod';
import type { AddressIn, DialectRules, RefusalReason, Route } from '../../api/contract';
import type { Catalogue } from '../catalogue';
import type { Store, StoredRecord, StoredUser, WriteStamp } from '../store';

/** What a handler is given. Reads and writes of `store` all belong to the request's transaction. */
export interface Context<A = { readonly [parameter: string]: string | undefined }, B = unknown> extends WriteStamp {
  readonly store: Store;
  /** Packs, classes, locations and service templates: data, loaded once. */
  readonly catalogue: Catalogue;
  /** ms since 1970, the same for the complete request. Jobs due by now have been carried out. */
  readonly now: number;
  /** What the dialect does differently: ask its switches, never the dialect's name. */
  readonly rules: DialectRules;
  readonly user: string;
  /** The authenticated user; undefined on the routes that need no login. */
  readonly account: StoredUser | undefined;
  /** Throws a RefusedRequest for a record out of the teams' reach. Undefined: no limit. */
  readonly checkSeen?: ((record: StoredRecord) => void) | undefined;
  /** Organization in the path, known to exist and to be the user's; `''` on routes without one. */
  readonly organization: string;
  /** Path parameters by name, percent-decoded, `.json` removed. */
  readonly address: A;
  /** Query parameters by name; the last one wins. Brackets are part of the name. Only strings. */
  readonly query: { readonly [parameter: string]: string };
  /** Body as the route's schema read it. */
  readonly body: B;
  /** What the route's preparation resolved to; undefined for routes without one. */
  readonly prepared: unknown;
}

/** Long work without a transaction, done before a handler while other requests are served. */
type Preparation = (asked: {
  readonly store: Store;
  readonly body: unknown;
  /** Ends a wait when the service stops. */
  readonly signal: AbortSignal | undefined;
}) => Promise<unknown>;

/** Preparations by route name; most routes have none. */
export type Preparations = { readonly [route: string]: Preparation };

/** Returns the answer's body for status 200; undefined: an empty one. Throws RefusedRequest. */
type Handler = (context: Context) => unknown;

/** Handlers by route name (`platforms.create`). */
export type HandlerTable = { readonly [route: string]: Handler };

type HandlerFor<R> =
  R extends Route<infer P, infer B, z.ZodType, infer N>
    ? (context: Context<AddressIn<P, N>, z.output<B>>) => unknown
    : never;

/**
 * Handlers of one area of the contract, with address and body typed by their routes:
 * `handlersOf(routes.platforms, { list: (context) => … })`. A verb left out is not served (404);
 * one that the area has no route for is left out.
 */
export function handlersOf<A extends { readonly [verb: string]: Route }>(
  area: A,
  verbs: { readonly [V in keyof A]?: HandlerFor<A[V]> },
): HandlerTable {
  const routed = Object.entries(verbs).filter(([verb]) => area[verb] !== undefined);
  return Object.fromEntries(routed.map(([verb, handler]) => [(area[verb] as Route).name, handler as Handler]));
}

/**
 * The only way to say no. The request handling turns it into `{"errors": messages}` with this
 * status and rolls the transaction back. An empty list of messages is returned as it is: the live
 * service does so (service-facts §7.1, 422).
 */
export class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    readonly messages: readonly string[],
    /** Says that a dialect may answer another status: see `statuses` of its DialectRules. */
    readonly reason?: RefusalReason,
  ) {
    super(messages.join('; '));
    this.name = 'RefusedRequest';
  }
}

/**
 * 400, in classic 500: the body or query lacks what the route cannot do without, or has it in a
 * wrong type, in a case service-facts lists as a failure of the live service: a wrapper or another
 * hash, an attribute that is no text, `template_name`, `mgmtCiId`. Else `unreadable`.
 */
export function malformed(...messages: readonly string[]): RefusedRequest {
  return new RefusedRequest(400, messages, 'malformed');
}

/** 400 in both dialects: a member or parameter is missing or unreadable. */
export function unreadable(...messages: readonly string[]): RefusedRequest {
  return new RefusedRequest(400, messages);
}

/** 404: the thing named in the path does not exist. */
export function notFound(message = 'not found'): RefusedRequest {
  return new RefusedRequest(404, [message]);
}

/** What `work` returns; undefined where it refuses. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefusedRequest) return undefined;
    throw error;
  }
}

/** Answers a refusal as a missing record (service-facts §4.4, §4.8). */
export function refusedAsMissing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefusedRequest) throw new RefusedRequest(404, error.messages);
    throw error;
  }
}

/** 422: understood and not possible: validation, duplicate, business rule. */
export function refused(...messages: readonly string[]): RefusedRequest {
  return new RefusedRequest(422, messages);
}

/** The first `most` of some sentences, none longer than `longest` characters, and how many more. */
export function bounded(
  sentences: readonly string[],
  { most, longest }: { readonly most: number; readonly longest: number },
): readonly string[] {
  const kept = sentences
    .slice(0, most)
    .map((each) => (each.length <= longest ? each : `${each.slice(0, longest)} ...`));
  const more = sentences.length - kept.length;
  return more === 0 ? kept : [...kept, `and ${more} more`];
}

/** Marks an answer that carries a status, or headers, of its own. */
const OWN_STATUS = Symbol('answer with a status of its own');

/** An answer with its own status or headers. What was written stays. */
export interface Answer {
  readonly [OWN_STATUS]: true;
  readonly status: number;
  readonly body: unknown;
  /** Headers besides those of every answer; ASCII only. */
  readonly headers: { readonly [name: string]: string };
}

export function answer(status: number, body: unknown, headers: Answer['headers'] = {}): Answer {
  return { [OWN_STATUS]: true, status, body, headers };
}

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && OWN_STATUS in value;
}

// One request of a call and its answer, reported to the listener, without the token in messages.
import type { Route, Send, WireResponse } from '../contract';
import { Aborted, ConnectionFailed, messageOf, OneOpsError, type SettingWords } from '../errors';

export interface Sent {
  /** Name of the route: `assemblies.read`. */
  readonly route: string;
  readonly method: string;
  /** Path with its query, as sent. */
  readonly path: string;
  /** How many times this call was sent, this one included. */
  readonly attempt: number;
}

/** Why a failed call was not sent again. */
export type GaveUp =
  /** It cannot help, or is not safe. */
  | 'final'
  /** It was sent as often as the policy allows. */
  | 'attempts'
  /** The budget for repetitions is spent. */
  | 'budget'
  /** The service asks to wait longer than the policy waits. */
  | 'wait';

/** One step of a call. Times are milliseconds. */
export type ClientEvent =
  | ({ readonly kind: 'request' } & Sent)
  /** `date`: the service's time, in milliseconds since 1970. */
  | ({ readonly kind: 'response'; readonly status: number; readonly took: number; readonly date?: number } & Sent)
  /** The call failed and will be sent again after `pause`. */
  | ({ readonly kind: 'retry'; readonly pause: number; readonly error: OneOpsError } & Sent)
  /** The call failed for good; the same error is thrown to the caller. */
  | ({ readonly kind: 'error'; readonly gaveUp: GaveUp; readonly error: Error } & Sent);

/** Called between the steps of a call, so it should return quickly. Its errors become warnings. */
export type Observe = (event: ClientEvent) => void;

/** The listener with its errors as warnings: a log that fails must not lose an answer. */
export function ignoreErrors(observe: Observe | undefined): Observe {
  if (observe === undefined) return () => undefined;
  return (event) => {
    try {
      observe(event);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

export interface Outgoing {
  readonly route: Route;
  readonly method: Route['method'];
  readonly address: string;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request; `attempt` counts from 1. Rejects with OneOpsError alone. */
export type Exchange = (outgoing: Outgoing, attempt: number) => Promise<WireResponse>;

interface ExchangeOptions {
  readonly send: Send;
  readonly authorization: string;
  readonly observe: Observe;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly hide: (text: string) => string;
  readonly words: SettingWords;
}

export function exchanging(options: ExchangeOptions): Exchange {
  const { send, authorization, observe, now } = options;
  return async (outgoing, attempt) => {
    const { method, address, body, signal } = outgoing;
    const about = aboutOf(outgoing, attempt);
    const headers = {
      accept: 'application/json',
      authorization,
      'user-agent': 'pulumi-oneops',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    observe({ kind: 'request', ...about });
    const start = now();
    const response = await send({ method, path: address, headers, ...text }, signal).catch((error: unknown) => {
      throw error instanceof OneOpsError ? error : unanswered(error, outgoing, options);
    });
    const date = Date.parse(response.headers['date'] ?? '');
    const clock = Number.isNaN(date) ? {} : { date };
    observe({ kind: 'response', ...about, status: response.status, took: now() - start, ...clock });
    return response;
  };
}

/** What events say of a request. */
export const aboutOf = ({ route, method, address }: Outgoing, attempt: number): Sent => ({
  route: route.name,
  method,
  path: address,
  attempt,
});

/** Any other rejection means that there was no answer. Only its message is kept. */
function unanswered(
  error: unknown,
  { method, address, signal }: Outgoing,
  { hide, words }: ExchangeOptions,
): Aborted | ConnectionFailed {
  if (signal?.aborted === true)
    return new Aborted('stopped on the way', undefined, { method, path: address }, 'unknown');
  return new ConnectionFailed(
    `there was no answer: ${hide(messageOf(error))}`,
    `check ${words.named('url')} and that the service runs`,
    { method, path: address },
    'unknown',
  );
}

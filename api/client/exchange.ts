// One request of a call and its answer: with the token, reported to the listener, and without the token in any message.
import type { Route, Send, WireResponse } from '../contract';
import { Aborted, ConnectionFailed, messageOf, OneOpsError, type SettingWords } from '../errors';
import type { Observe, Sent } from './events';

/** One request of a call, as it is sent. */
export interface Outgoing {
  readonly route: Route;
  readonly method: Route['method'];
  /** Path with its query. */
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
  /** Takes the token out of a text. */
  readonly hide: (text: string) => string;
  readonly words: SettingWords;
}

/** Sends requests over `send`. */
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

/** The path alone, as errors show it. */
export const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** Any other rejection means that there was no answer. Only the message of a foreign error is kept. */
function unanswered(
  error: unknown,
  { method, address, signal }: Outgoing,
  { hide, words }: ExchangeOptions,
): Aborted | ConnectionFailed {
  const path = pathOf(address);
  if (signal?.aborted === true) return new Aborted('stopped on the way', undefined, { method, path }, 'unknown');
  return new ConnectionFailed(
    `there was no answer: ${hide(messageOf(error))}`,
    `check ${words.named('url')} and that the service runs`,
    { method, path },
    'unknown',
  );
}

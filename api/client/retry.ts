// When a request is sent again: by the route's own word and the error's class, with growing random pauses (architecture §3).
// It must not know what is sent, nor how.
import type { Route } from '../contract';
import { ApiError, TransportError } from '../errors';

export interface RetryPolicy {
  /** Times a request is sent at most. Default 4. */
  readonly attempts: number;
  /** Waits that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
const LONGEST_WISH = 60_000;

const DEFAULTS: RetryPolicy = {
  attempts: 4,
  pause: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
  random: Math.random,
};

/**
 * Runs a request, and again after trouble: reads and repeatable writes after any; creates and actions only when nothing was sent, since a lost
 * answer of theirs is settled by reading back.
 */
export async function retrying<T>(route: Route, policy: Partial<RetryPolicy>, send: () => Promise<T>): Promise<T> {
  const { attempts, pause, random } = { ...DEFAULTS, ...definedOnly(policy) };
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt >= attempts || !mayRepeat(route, error)) throw error;
      await pause(pauseAfter(error, attempt, random));
    }
  }
}

function mayRepeat(route: Route, error: unknown): boolean {
  if (error instanceof TransportError) return error.retryable && (error.sent === false || isRepeatable(route));
  return error instanceof ApiError && error.retryable && (error.status === 429 || isRepeatable(route));
}

const isRepeatable = (route: Route): boolean => route.repeat === 'read' || route.repeat === 'write';

/** Full jitter over a doubling pause; the service's own wish counts when it names one. */
function pauseAfter(error: unknown, attempt: number, random: () => number): number {
  const wish = error instanceof ApiError ? error.retryAfter : undefined;
  if (wish !== undefined) return Math.min(wish * 1000, LONGEST_WISH);
  return random() * Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE);
}

const definedOnly = (policy: Partial<RetryPolicy>): Partial<RetryPolicy> =>
  Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));

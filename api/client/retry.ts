// When a request is sent again: by the route's own word and the error's class, with growing random pauses, within a budget (architecture §3).
// It must not know what is sent, nor how.
import type { Route } from '../contract';
import { Aborted, ApiError, OneOpsError, RateLimited, StaleConnection, TransportError } from '../errors';
import type { GaveUp } from './events';
import type { RetryBudget } from './retry-budget';

export interface RetryPolicy {
  /** Times a request is sent at most. Default 4. */
  readonly attempts: number;
  /** Waits that many milliseconds; ends early when the signal aborts. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Repetitions in all. Default: one budget for each client. */
  readonly budget: RetryBudget;
}

/** Told of each failure: the pause before the next attempt, or why there is none. */
export interface RetryWatch {
  retry(attempt: number, error: OneOpsError, pause: number): void;
  gaveUp(attempt: number, error: Error, why: GaveUp): void;
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
/** The longest wish of a service that is waited for, in milliseconds; a longer one ends the call. */
const LONGEST_WISH = 60_000;

const DEFAULTS: Omit<RetryPolicy, 'budget'> = {
  attempts: 4,
  pause: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end);
    }),
  random: Math.random,
};

/** The policy with its gaps filled. */
export function policyOf(given: Partial<RetryPolicy>, budget: () => RetryBudget): RetryPolicy {
  return {
    attempts: given.attempts ?? DEFAULTS.attempts,
    pause: given.pause ?? DEFAULTS.pause,
    random: given.random ?? DEFAULTS.random,
    budget: given.budget ?? budget(),
  };
}

/**
 * Runs a request, and again after trouble. Reads and repeatable writes: after any trouble that may pass. Creates: when nothing was sent, or the
 * service refused it as one request too many; a lost answer is settled by reading back. Actions: when nothing was sent, or the service itself
 * names the time to send it again (429 with Retry-After); never after they may have been carried out.
 */
export async function retrying<T>(
  route: Pick<Route, 'repeat' | 'method'>,
  path: string,
  policy: RetryPolicy,
  watch: RetryWatch,
  signal: AbortSignal | undefined,
  send: (attempt: number) => Promise<T>,
): Promise<T> {
  let sawStale = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await send(attempt);
      policy.budget.give();
      return answer;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (!(failure instanceof OneOpsError) || !mayRepeat(route, failure)) {
        watch.gaveUp(attempt, failure, 'final');
        throw failure;
      }
      // A kept connection that was closed meanwhile says nothing about the service: a new one is tried at once.
      const isStale: boolean = failure instanceof StaleConnection && !sawStale;
      sawStale ||= isStale;
      const pause = isStale ? 0 : pauseAfter(failure, attempt, policy.random);
      const why = isStale ? undefined : whyNot(attempt, pause, policy);
      if (why !== undefined) {
        watch.gaveUp(attempt, failure, why);
        throw failure;
      }
      watch.retry(attempt, failure, pause);
      if (pause > 0) await policy.pause(pause, signal);
      if (signal?.aborted === true) {
        const aborted = new Aborted('stopped before it was sent again', undefined, route.method, path, 'unknown');
        watch.gaveUp(attempt, aborted, 'final');
        throw aborted;
      }
    }
  }
}

function whyNot(attempt: number, pause: number, policy: RetryPolicy): GaveUp | undefined {
  if (attempt >= policy.attempts) return 'attempts';
  if (pause > LONGEST_WISH) return 'wait';
  return policy.budget.take() ? undefined : 'budget';
}

function mayRepeat(route: Pick<Route, 'repeat'>, error: OneOpsError): boolean {
  if (!error.retryable) return false;
  if (route.repeat === 'read' || route.repeat === 'write') return true;
  if (error instanceof TransportError) return error.sent === false;
  // A refusal for too many requests says that nothing was done. An action is never sent twice all the same.
  return error instanceof RateLimited && route.repeat === 'create';
}

/** Full jitter over a doubling pause; the service's own wish counts when it names one. */
function pauseAfter(error: unknown, attempt: number, random: () => number): number {
  const wish = error instanceof ApiError ? error.retryAfter : undefined;
  if (wish !== undefined) return wish * 1000;
  return random() * Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE);
}

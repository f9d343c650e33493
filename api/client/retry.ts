// When a request is sent again: by the route's own word and the error's class, within a budget.
import { setTimeout } from 'node:timers/promises';
import type { Route, WireResponse } from '../contract';
import { Aborted, ApiError, OneOpsError, RateLimited, StaleConnection, TransportError } from '../errors';
import { aboutOf, type Exchange, type GaveUp, type Observe, type Outgoing } from './exchange';

/** Repetitions left to a client. Clients of one service may share one budget. */
export interface RetryBudget {
  /** Takes one repetition; false when none is left. */
  take(): boolean;
  /** Gives back a part of one, for a call that succeeded. */
  give(): void;
}

/**
 * A budget of `most` repetitions (default 60); each success gives back `part` of one (default 0.2).
 * A short outage is bridged; in a long one repetitions are at most a fifth of what succeeds.
 */
export function retryBudget(most = 60, part = 0.2): RetryBudget {
  let left = most;
  return {
    take: () => {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    give: () => {
      left = Math.min(most, left + part);
    },
  };
}

export interface RetryPolicy {
  /** Times a request is sent at most. Default: MOST_ATTEMPTS. */
  readonly attempts: number;
  /** Waits that many milliseconds; ends early when the signal aborts. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Repetitions in all. Default: one budget for each client. */
  readonly budget: RetryBudget;
}

export const MOST_ATTEMPTS = 4;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
/** The longest Retry-After that is waited for, in milliseconds; a longer one ends the call. */
const LONGEST_RETRY_AFTER = 60_000;

const timer: RetryPolicy['pause'] = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

export function policyOf(given: Partial<RetryPolicy>): RetryPolicy {
  const { attempts = MOST_ATTEMPTS, pause = timer, random = Math.random, budget = retryBudget() } = given;
  return { attempts, pause, random, budget };
}

/**
 * Sends a request, and again after trouble; `read` makes its answer a value, or throws. Reads and
 * repeatable writes are repeated after any trouble that may pass. Creates and actions are repeated
 * when nothing was sent; creates also when the service refused one request too many.
 */
export function retrying(
  policy: RetryPolicy,
  observe: Observe,
  exchange: Exchange,
): <T>(outgoing: Outgoing, read: (response: WireResponse) => T) => Promise<T> {
  return async (outgoing, read) => {
    let sawStale = false;
    for (let attempt = 1; ; attempt++) {
      const about = aboutOf(outgoing, attempt);
      const giveUp = (error: Error, gaveUp: GaveUp): Error => {
        observe({ kind: 'error', ...about, error, gaveUp });
        return error;
      };
      try {
        const answer = read(await exchange(outgoing, attempt));
        policy.budget.give();
        return answer;
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!(error instanceof OneOpsError) || !mayRepeat(outgoing.route, error)) throw giveUp(error, 'final');
        // A kept connection that was closed says nothing about the service: a new one is tried.
        const isStale: boolean = error instanceof StaleConnection && !sawStale;
        sawStale ||= isStale;
        const pause = isStale ? 0 : pauseAfter(error, attempt, policy.random);
        const why = isStale ? undefined : whyNot(attempt, pause, policy);
        if (why !== undefined) throw giveUp(error, why);
        observe({ kind: 'retry', ...about, error, pause });
        if (pause > 0) await policy.pause(pause, outgoing.signal);
        if (outgoing.signal?.aborted === true) throw giveUp(abortedBefore(outgoing), 'final');
      }
    }
  };
}

const abortedBefore = ({ route, address }: Outgoing): Aborted =>
  new Aborted('stopped before it was sent again', undefined, { method: route.method, path: address }, 'unknown');

function whyNot(attempt: number, pause: number, policy: RetryPolicy): GaveUp | undefined {
  if (attempt >= policy.attempts) return 'attempts';
  if (pause > LONGEST_RETRY_AFTER) return 'wait';
  return policy.budget.take() ? undefined : 'budget';
}

function mayRepeat(route: Pick<Route, 'repeat'>, error: OneOpsError): boolean {
  if (!error.retryable) return false;
  if (route.repeat === 'read' || route.repeat === 'write') return true;
  if (error instanceof TransportError) return error.sent === false;
  // A refusal for too many requests says that nothing was done. An action is never sent twice.
  return error instanceof RateLimited && route.repeat === 'create';
}

/** Full jitter over a doubling pause; Retry-After where the service names one. */
function pauseAfter(error: unknown, attempt: number, random: () => number): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
  if (retryAfter !== undefined) return retryAfter * 1000;
  return random() * Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE);
}

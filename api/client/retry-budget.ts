// How many repetitions a client may send in all, so that a service in trouble is not buried under them.
// It must not know what is repeated, nor why.

/** Repetitions left to a client. Share one between clients of one service to limit them together. */
export interface RetryBudget {
  /** Takes one repetition; false when none is left. */
  take(): boolean;
  /** Gives back a part of one, for a call that succeeded. */
  give(): void;
}

/**
 * A budget of `most` repetitions (default 60); each success gives back `part` of one (default 0.2). So a short outage is bridged, and in a
 * long one repetitions are at most a fifth of what succeeds.
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

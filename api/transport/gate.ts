// How many requests run at a time: fewer when the service asks for fewer, more as it copes.

/** How a passage went: `busy` when the service answered that it is asked too much. */
export type PassageOutcome = 'fine' | 'busy' | 'failed';

interface Waiting {
  readonly start: () => void;
}

/** A gate for `most` at a time. `busy` halves the limit, once for all that were in together. */
export function createGate(most: number) {
  let limit = most;
  let inside = 0;
  let fine = 0;
  /** Counts halvings, so that the answers to requests sent before one do not halve again. */
  let round = 0;
  const queue = new Set<Waiting>();

  const admit = (): void => {
    for (const waiting of queue) {
      if (inside >= limit) return;
      queue.delete(waiting);
      inside += 1;
      waiting.start();
    }
  };

  const learn = (outcome: PassageOutcome, enteredIn: number): void => {
    if (outcome === 'busy' && enteredIn === round) {
      limit = Math.max(1, Math.floor(limit / 2));
      round += 1;
      fine = 0;
    }
    if (outcome !== 'fine') return;
    fine += 1;
    if (fine < limit || limit === most) return;
    limit += 1;
    fine = 0;
  };

  const leaving = (): ((outcome: PassageOutcome) => void) => {
    const enteredIn = round;
    return (outcome) => {
      inside -= 1;
      learn(outcome, enteredIn);
      admit();
    };
  };

  return {
    /** How many may be in at present. */
    limit: () => limit,
    /** Resolves when there is room, to the function that leaves; rejects with the signal's reason. */
    async enter(signal?: AbortSignal): Promise<(outcome: PassageOutcome) => void> {
      signal?.throwIfAborted();
      if (inside < limit && queue.size === 0) {
        inside += 1;
        return leaving();
      }
      await started(queue, signal);
      return leaving();
    },
  };
}

/** Waits until this request is started; rejects with the signal's reason. */
const started = (queue: Set<Waiting>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const waiting: Waiting = {
      start: () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
    };
    const stop = (): void => {
      queue.delete(waiting);
      // The reason is any value that the caller passed to `abort`.
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal?.addEventListener('abort', stop, { once: true });
    queue.add(waiting);
  });

// How fast passwords can be tried: few checks at a time, off the thread that serves, and slower after each failure of a name.

/** Checks passwords within the limits. */
export interface PasswordGate {
  /**
   * Runs a check, which resolves to undefined for a wrong password, when its turn comes: checks of one name one after another, delayed after its
   * failures. Resolves to `busy`, without a check, when too many wait. Rejects when the signal aborts the delay.
   */
  run<T>(name: string, check: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T | 'busy' | undefined>;
}

/** Checks at one time. Each keeps a processor busy for some 50 ms. */
const AT_ONCE = 2;

/** Checks that wait, of one name and of all. */
const WAITING_OF_NAME = 4;
const WAITING = 32;

/** Delay after the first failure of a name in ms; it doubles with each further one. */
const FIRST_DELAY = 250;
const LONGEST_DELAY = 8000;

/** Names whose failures are remembered. */
const NAMES = 1000;

/** The delay before the next check of a name that failed so often since its last success, in ms. */
export const delayAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1));

/** What is known of a name. */
interface Tries {
  failures: number;
  waiting: number;
  /** Settles when the last check of the name so far is over. */
  last: Promise<unknown>;
}

/** A gate; `wait` resolves after so many ms. */
export function createPasswordGate(wait: (ms: number, signal?: AbortSignal) => Promise<void>): PasswordGate {
  const names = new Map<string, Tries>();
  const queue: (() => void)[] = [];
  let running = 0;
  let waiting = 0;
  const triesOf = (name: string): Tries => {
    const known = names.get(name) ?? { failures: 0, waiting: 0, last: Promise.resolve() };
    // The one that was tried last is last: the oldest idle ones go first.
    names.delete(name);
    names.set(name, known);
    for (const [other, tries] of names) {
      if (names.size <= NAMES) break;
      if (tries.waiting === 0 && other !== name) names.delete(other);
    }
    return known;
  };
  const slot = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      queue.shift()?.();
    }
  };
  return {
    run: async (name, check, signal) => {
      const tries = triesOf(name);
      if (waiting >= WAITING || tries.waiting >= WAITING_OF_NAME) return 'busy';
      waiting += 1;
      tries.waiting += 1;
      const turn = tries.last.then(async () => {
        const ms = delayAfter(tries.failures);
        if (ms > 0) await wait(ms, signal);
        const found = await slot(check);
        tries.failures = found === undefined ? tries.failures + 1 : 0;
        return found;
      });
      tries.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
        tries.waiting -= 1;
      }
    },
  };
}

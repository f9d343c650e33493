// Jobs that wait for each other, and the time.
// It knows nothing of what is asked or done.

const nothing = (): void => undefined;

/** Jobs that may not run at the same time: the commit of a design and the writes in it, for instance (service-facts §11). */
export class Turns {
  /** When all of a key ended. */
  readonly #tails = new Map<string, Promise<unknown>>();
  /** When the last one ended that ran alone. */
  readonly #alone = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<void>>();

  /** Runs jobs of one key one after the other, in the order they came. */
  take<T>(key: string, job: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(job);
    const ended = mine.then(nothing, nothing);
    this.#tails.set(key, ended);
    this.#alone.set(key, ended);
    return mine;
  }

  /** Runs a job beside others of its key: after those that were to run alone before it, and before those after it. */
  beside<T>(key: string, job: () => Promise<T>): Promise<T> {
    const mine = (this.#alone.get(key) ?? Promise.resolve()).then(job);
    this.#tails.set(key, Promise.allSettled([this.#tails.get(key), mine]));
    return mine;
  }

  /** The same for a job that serves several callers: those that come before it begins share it. */
  share(key: string, job: () => Promise<void>): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const mine = this.take(key, () => {
      this.#waiting.delete(key);
      return job();
    });
    this.#waiting.set(key, mine);
    return mine;
  }
}

/** Time, so that waiting can be stepped by tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
};

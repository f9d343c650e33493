// Timers that run when a test says so, in place of those of the process.

/** Timers in a test's hand. */
interface HandTimers {
  /** What is given in place of timers: runs something after so many milliseconds; answers the function that forgets it. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  /** Runs what is waited for, up to so many milliseconds from the start; answers how many ran. */
  expire(milliseconds: number): number;
  /** Milliseconds of what is still waited for, shortest first. */
  waiting(): readonly number[];
}

/** Makes timers that do not move. */
export function handTimers(): HandTimers {
  const pending = new Set<{ readonly milliseconds: number; readonly run: () => void }>();
  return {
    after(milliseconds, run) {
      const timer = { milliseconds, run };
      pending.add(timer);
      return () => pending.delete(timer);
    },
    expire(milliseconds) {
      const due = [...pending].filter((timer) => timer.milliseconds <= milliseconds);
      for (const timer of due) pending.delete(timer);
      for (const timer of due) timer.run();
      return due.length;
    },
    waiting: () => [...pending].map((timer) => timer.milliseconds).sort((one, other) => one - other),
  };
}

/** Waits until something holds, without a clock: the event loop turns once between two looks. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds())
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

// Clocks: what time it is for the service. Nothing runs by timers; time is asked at the start of
// each request.
/** Where the service takes its time from. */
export interface ServiceClock {
  /** ms since 1970. Never goes back. */
  now(): number;
  /** How many times faster than usual the service does its own work. Default: 1. */
  readonly speed?: number;
}

export const wallClock: ServiceClock = { now: () => Date.now() };

/** The clock of a service that does its own work `speed` times as fast (`speed` > 0). */
export const fastClock = (speed: number): ServiceClock => ({ ...wallClock, speed });

/** A clock that moves only when a caller moves it. */
export interface ManualClock extends ServiceClock {
  /** Moves on by this many ms (0 or more). */
  advance(ms: number): void;
}

/** Stands still at `start` (ms since 1970) until advanced. */
export function manualClock(start = 1_700_000_000_000): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += Math.max(0, ms);
    },
  };
}

/** The same clock, set forward once to begin at `time` (ms since 1970) or later. */
export function notBefore<C extends ServiceClock>(clock: C, time: number): C {
  const ahead = Math.max(0, time - clock.now());
  return ahead === 0 ? clock : { ...clock, now: () => clock.now() + ahead };
}

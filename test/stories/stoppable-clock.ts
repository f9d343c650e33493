// A service's clock that a story stops: what the service does by itself stands still until it goes on.
// It must not know what the service does.
import type { Clock } from '../../service';

export interface StoppableClock extends Clock {
  stop(): void;
  go(): void;
}

/** A clock that goes `speed` times as fast as the wall clock, and can be stopped. */
export function stoppableClock(speed: number): StoppableClock {
  const start = Date.now();
  let reached = start;
  let since: number | undefined = start;
  const now = (): number => Math.floor(since === undefined ? reached : reached + (Date.now() - since) * speed);
  return {
    now,
    stop() {
      reached = now();
      since = undefined;
    },
    go() {
      since ??= Date.now();
    },
  };
}

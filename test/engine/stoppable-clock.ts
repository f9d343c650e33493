// A service's clock that a story stops: what the service does by itself does not move until it continues.
import type { ServiceClock } from '../../service';

export interface StoppableClock extends ServiceClock {
  /** Stands still, where it was read last, as soon as it is read and something holds. */
  stopWhen(holds: () => boolean): void;
  /** Goes on, if it does not move; nothing stops it any more. */
  go(): void;
}

/** A clock that goes `speed` times as fast as the wall clock, and can be stopped. */
export function stoppableClock(speed: number): StoppableClock {
  let reached = Date.now();
  let since: number | undefined = reached;
  let last = reached;
  let holds = (): boolean => false;
  return {
    now() {
      if (since !== undefined && holds()) {
        reached = last;
        since = undefined;
      }
      last = Math.floor(since === undefined ? reached : reached + (Date.now() - since) * speed);
      return last;
    },
    stopWhen(condition) {
      holds = condition;
    },
    go() {
      holds = () => false;
      since ??= Date.now();
    },
  };
}

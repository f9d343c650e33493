// The timed work that is due: a part of it with each request, and the rest between requests, so that no request waits for all of it.
// Nothing runs by timers: a request sets it off.
import { type ServiceClock } from './clock';
import { type OnDisk } from './http/commit';
import { advance, type Runners, type Store } from './store';

/** Pieces of work at one go: more than most deployments have, and done within a tenth of a second. */
const AT_ONCE = 100;

/** Timed work of one service. */
interface DueWork {
  /** Carries out a part of what is due, and sees to it that the rest is carried out between requests. */
  go(): void;
  /** Nothing more is carried out between requests. */
  stop(): void;
}

/** What timed work is carried out with. */
interface Parts {
  readonly store: Store;
  readonly clock: Pick<ServiceClock, 'now'>;
  readonly runners: Runners;
  readonly onDisk: OnDisk;
  /** Receives errors of jobs, and of work between requests that cannot go on. */
  readonly bug: (error: unknown) => void;
}

/** Work that nothing set off yet. */
export function createDueWork({ store, clock, runners, onDisk, bug }: Parts): DueWork {
  let waiting: NodeJS.Immediate | undefined;
  const go = (): void => {
    const isMoreDue = advance(store, clock.now(), runners, bug, AT_ONCE);
    if (isMoreDue) waiting ??= setImmediate(goOn);
  };
  const goOn = (): void => {
    waiting = undefined;
    try {
      go();
      if (store.isPending()) void onDisk();
    } catch (error) {
      bug(error);
    }
  };
  return {
    go,
    stop: () => {
      clearImmediate(waiting);
      waiting = undefined;
    },
  };
}

// Goes on after a part that cannot be read or said, and keeps what was wrong with it.
// It must not know what the part is.
import { Unreadable } from './cursor';
import type { PclFault } from './tree';

/** Runs a job; undefined where it throws Unreadable, which is added to the faults. */
export function trying<T>(faults: PclFault[], job: () => T): T | undefined {
  try {
    return job();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    faults.push(error.fault);
    return undefined;
  }
}

// Carries out the timed work that is due: each job in a separate transaction, together with its removal.
// What a job does is its runner's.
import type { Job } from './jobs';
import type { Store } from './store';

/** What a runner is given: the store, inside a transaction of this job alone, and the time the job was due. */
interface JobContext {
  readonly store: Store;
  /** ms since 1970: the job's due time, not the present; what it writes is stamped with it, and follow-up jobs count from it. */
  readonly now: number;
  readonly job: Job;
}

/**
 * Carries one job out: in one transaction with the job's removal, so that it happens once or not at all. It may add others, due at once too.
 * A throw rolls the runner's writes back, removes the job (it would only fail again) and counts as a mistake: a runner catches what it expects.
 * Answers how many pieces of work it carried out; nothing counts as one.
 */
type Runner = (context: JobContext) => number | undefined | void;

/** Runners by job name. */
export type Runners = { readonly [job: string]: Runner };

/** Jobs carried out at one go at the most: a chain that never ends is a mistake, not a reason to hang. */
const LIMIT = 100_000;

/**
 * Carries out the jobs due by `now` that have a runner, earliest first, each all or nothing, jobs added by jobs included, until none is left or
 * they carried out `most` pieces of work (default: no limit). What they wrote waits for `Store.settle`. Returns whether more are due. Jobs
 * without a runner stay. A runner's throw goes to `failed`, and the next job follows.
 */
export function advance(
  store: Store,
  now: number,
  runners: Runners,
  failed: (error: unknown, job: Job) => void,
  most = Infinity,
): boolean {
  const names = Object.keys(runners);
  let done = 0;
  for (let count = 0; count < LIMIT; count += 1) {
    const job = names.length === 0 ? undefined : store.jobs.next(now, names);
    if (job === undefined) return false;
    if (done >= most) return true;
    let pieces: number | undefined | void;
    try {
      store.join(() => {
        store.jobs.remove(job.id);
        pieces = runners[job.name]?.({ store, now: job.due, job });
      });
    } catch (error) {
      store.join(() => store.jobs.remove(job.id));
      failed(error, job);
    }
    done += pieces ?? 1;
  }
  throw new Error(
    `more than ${LIMIT} jobs were due at once: one of ${names.join(', ')} keeps adding work that is due already`,
  );
}

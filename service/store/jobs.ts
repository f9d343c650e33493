// Timed work: rows with a due time, carried out when a request finds them due. Survives restarts, can be stepped by a manual clock.
// It must not know what any job does.
import { type Database } from './database';
import { remember } from './remember';
import type { Job } from './rows';
import type { Jobs, Store } from './store';

interface JobRow {
  readonly id: number;
  readonly name: string;
  readonly due: number;
  readonly subject: number;
  readonly payload: string;
}

const read = (row: JobRow): Job => ({ ...row, id: row.id, payload: JSON.parse(row.payload) as unknown });

const NAMED = 'name IN (SELECT value FROM json_each(?))';

export function jobsOf(database: Database, allocateId: () => number): Jobs {
  const remembered = remember<number>(database, ['jobs'], 1);
  /** When the earliest job of all is due, Infinity for none: asked for at every request, and seldom another than the time before. */
  const earliest = (): number =>
    remembered(
      '',
      () => database.get<{ readonly due: number | null }>('SELECT min(due) AS due FROM jobs')?.due ?? Infinity,
    );
  return {
    add: (job) => {
      const id = allocateId();
      database.run(
        'INSERT INTO jobs (id, name, due, subject, payload) VALUES (?, ?, ?, ?, ?)',
        id,
        job.name,
        job.due,
        job.subject,
        JSON.stringify(job.payload ?? null),
      );
      return { ...job, id };
    },
    next: (now, names) => {
      if (earliest() > now) return undefined;
      const row = database.get<JobRow>(
        `SELECT id, name, due, subject, payload FROM jobs WHERE due <= ? AND ${NAMED} ORDER BY due, id LIMIT 1`,
        now,
        JSON.stringify(names),
      );
      return row === undefined ? undefined : read(row);
    },
    isIdle: (now) => earliest() > now,
    about: (name, subject) =>
      database
        .all<JobRow>(
          'SELECT id, name, due, subject, payload FROM jobs WHERE subject = ? AND name = ? ORDER BY due, id',
          subject,
          name,
        )
        .map(read),
    remove: (id) => database.run('DELETE FROM jobs WHERE id = ?', id),
    removeAbout: (name, subject) => database.run('DELETE FROM jobs WHERE subject = ? AND name = ?', subject, name),
  };
}

/** What a runner is given: the store, inside a transaction of this job alone, and the time the job was due. */
export interface JobContext {
  readonly store: Store;
  /** ms since 1970: the job's due time, not the present; what it writes is stamped with it, and follow-up jobs count from it. */
  readonly now: number;
  readonly job: Job;
}

/**
 * Carries one job out: in one transaction with the job's removal, so that it happens once or not at all. It may add others, due at once too.
 * A throw rolls the runner's writes back, removes the job (it would only fail again) and counts as a mistake: a runner catches what it expects.
 */
export type Runner = (context: JobContext) => void;

/** Runners by job name. */
export type Runners = { readonly [job: string]: Runner };

/** Jobs carried out at one go at the most: a chain that never ends is a mistake, not a reason to hang. */
const LIMIT = 100_000;

/**
 * Carries out every job due by `now` that has a runner, earliest first, each all or nothing, until none is left: jobs added by jobs included.
 * What they wrote waits for `Store.settle`. Returns how many. Jobs without a runner stay. A runner's throw goes to `failed`, and the next job follows.
 */
export function advance(
  store: Store,
  now: number,
  runners: Runners,
  failed: (error: unknown, job: Job) => void,
): number {
  const names = Object.keys(runners);
  for (let count = 0; count < LIMIT; count += 1) {
    const job = names.length === 0 ? undefined : store.jobs.next(now, names);
    if (job === undefined) return count;
    try {
      store.join(() => {
        store.jobs.remove(job.id);
        runners[job.name]?.({ store, now: job.due, job });
      });
    } catch (error) {
      store.join(() => store.jobs.remove(job.id));
      failed(error, job);
    }
  }
  throw new Error(
    `more than ${LIMIT} jobs were due at once: one of ${names.join(', ')} keeps adding work that is due already`,
  );
}

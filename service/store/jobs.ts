// Timed work: rows with a due time, carried out when a request finds them due. Survives restarts, can be stepped by a manual clock.
// What a job does is its runner's: runtime/work.ts.
import { type Database } from './database';
import { table } from './table';

/** Timed work: carried out at the start of the first request at or after `due`, in order of due time, then id. */
export interface Job {
  readonly id: number;
  /** Name its runner is registered under, for example `environment.commit`. */
  readonly name: string;
  /** ms since 1970. */
  readonly due: number;
  /** What it is about, to find and remove it by: for example an environment's or a deployment's id. */
  readonly subject: number;
  /** JSON value. */
  readonly payload: unknown;
}

export interface Jobs {
  /** When work that usually takes so many ms ends, if it begins now. */
  end(now: number, duration: number): number;
  /** Adds timed work. Payload is kept as JSON. */
  add(job: Omit<Job, 'id'>): Job;
  /** Earliest job due at or before `now`, with one of these names. */
  next(now: number, names: readonly string[]): Job | undefined;
  /** Jobs of a name about a subject, earliest first. */
  about(name: string, subject: number): Job[];
  remove(id: number): void;
  /** Removes every job about a subject. */
  removeAbout(subject: number): void;
}

/** The table of jobs. */
export const jobs = table<Job>('jobs', { name: 'TEXT', due: 'INTEGER', subject: 'INTEGER' }, ['due', 'subject, name']);

const EARLIEST = 'due <= ? ORDER BY due, id LIMIT 1';
const NEXT = 'due <= ? AND name IN (SELECT value FROM json_each(?)) ORDER BY due, id LIMIT 1';

/** Reads and writes of jobs. `speed`: how many times faster than usual work is done. */
export function jobsOf(database: Database, allocateId: () => number, speed: number): Jobs {
  return {
    end: (now, duration) => now + Math.ceil(duration / speed),
    add: (job) => {
      const added = { ...job, id: allocateId() };
      jobs.insert(database, { ...added, payload: job.payload ?? null });
      return added;
    },
    next: (now, names) => {
      // Asked at every request, when nearly always nothing is due.
      const earliest = jobs.get(database, EARLIEST, now);
      if (earliest === undefined || names.includes(earliest.name)) return earliest;
      return jobs.get(database, NEXT, now, JSON.stringify(names));
    },
    about: (name, subject) => jobs.all(database, 'subject = ? AND name = ? ORDER BY due, id', subject, name),
    remove: (id) => database.run('DELETE FROM jobs WHERE id = ?', id),
    removeAbout: (subject) => database.run('DELETE FROM jobs WHERE subject = ?', subject),
  };
}

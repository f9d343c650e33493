// Timed work, carried out a part with each request and the rest between requests; the commit that
// requests share; and work in steps (service-facts §3.4, §3.7). Nothing runs by timers.
import type { Job, Store } from '../store';
import type { ServiceClock } from './clock';

/** What a runner is given: the store, inside a transaction of this job alone, and its time. */
interface JobContext {
  readonly store: Store;
  /** ms since 1970: when the job was due. Stamps and follow-up jobs count from it. */
  readonly now: number;
  readonly job: Job;
}

/**
 * A job in slices: each is a transaction, and yields how many pieces of work it carried out. The
 * job is there until the last slice. If the process ends, or a commit fails, before that, the job
 * begins again, so that its first slice removes what former ones left.
 */
export type Slices = Generator<number, void, undefined>;

/**
 * Carries one job out: in one transaction with the removal of the job, so that it happens once or
 * not at all; or in slices. It may add other jobs, also such that are due at once. A throw rolls
 * back what the runner wrote, removes the job, which would only fail again, and counts as a mistake
 * of the service. One without slices counts as one piece of work.
 */
type Runner = (context: JobContext) => void | Slices;

export type Runners = { readonly [job: string]: Runner };

/** Most jobs at one go: a chain that never ends is a mistake. */
const LIMIT = 100_000;

/** Jobs of which some slices are done, by number. */
type Underway = Map<number, Slices>;

/**
 * Carries out the jobs due by `now` that have a runner, earliest first, jobs added by jobs
 * included, until none is left or they carried out `most` pieces of work (default: no limit). What
 * they wrote waits for `Store.settle`. Returns whether more are due. Jobs without a runner stay. A
 * throw of a runner goes to `failed`, and the next job follows.
 */
export function advance(
  store: Store,
  now: number,
  runners: Runners,
  failed: (error: unknown, job: Job) => void,
  { most = Infinity, underway = new Map() }: { readonly most?: number; readonly underway?: Underway } = {},
): boolean {
  const names = Object.keys(runners);
  let done = 0;
  for (let count = 0; count < LIMIT; count += 1) {
    const job = names.length === 0 ? undefined : store.jobs.next(now, names);
    if (job === undefined) return false;
    if (done >= most) return true;
    try {
      done += store.join(() => carryOut(store, runners, job, underway));
    } catch (error) {
      underway.delete(job.id);
      store.join(() => store.jobs.remove(job.id));
      failed(error, job);
      done += 1;
    }
  }
  throw new Error(
    `more than ${LIMIT} jobs were due at once: one of ${names.join(', ')} keeps adding work that is due already`,
  );
}

/** Carries a job out, or its next slice, and returns how many pieces of work that were. */
function carryOut(store: Store, runners: Runners, job: Job, underway: Underway): number {
  const begun = underway.get(job.id) ?? runners[job.name]?.({ store, now: job.due, job });
  if (typeof begun !== 'object') {
    store.jobs.remove(job.id);
    return 1;
  }
  underway.set(job.id, begun);
  const slice = begun.next();
  if (slice.done !== true) return slice.value;
  underway.delete(job.id);
  store.jobs.remove(job.id);
  return 1;
}

/** Does what can be done in slices at one go, and returns what it comes to. */
export function finish<T>(slices: Generator<number, T, undefined>): T {
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) return slice.value;
  }
}

/** Pieces of work at one go: as many as take some hundredths of a second. */
const AT_ONCE = 40;

interface Parts {
  readonly store: Store;
  readonly clock: Pick<ServiceClock, 'now'>;
  readonly runners: Runners;
  readonly onDisk: OnDisk;
  /** Receives errors of jobs, and of work between requests that cannot go on. */
  readonly bug: (error: unknown) => void;
}

/** Work that nothing set off yet. */
export function createDueWork({ store, clock, runners, onDisk, bug }: Parts) {
  let waiting: NodeJS.Immediate | undefined;
  const underway: Underway = new Map();
  const go = (): void => {
    const isMoreDue = advance(store, clock.now(), runners, bug, { most: AT_ONCE, underway });
    // Before what follows: a request that waits for the disk waits for no more of the work.
    if (store.isPending()) void onDisk();
    if (isMoreDue) waiting ??= setImmediate(goOn);
  };
  const goOn = (): void => {
    waiting = undefined;
    try {
      go();
    } catch (error) {
      bug(error);
    }
  };
  return {
    /** Carries out a part of what is due; the rest follows between requests. */
    go,
    /** Jobs in slices begin again: what they wrote is lost. */
    restart: (): void => underway.clear(),
    /** Nothing more is carried out between requests. */
    stop: (): void => clearImmediate(waiting),
  };
}

/** Why what was pending could not be written to the disk. */
export interface Lost {
  readonly error: unknown;
}

/** Resolves to undefined when all is on the disk; to the reason when nothing of it is left. */
export type OnDisk = () => Promise<Lost | undefined>;

/**
 * Commits once for everybody who waits; `failed` gets the reason once if it could not. Not
 * immediately: first node hands over the requests whose bytes are here already, and only then runs
 * what `setImmediate` was given. A caller alone loses a few microseconds by that; many share the
 * time that the disk takes.
 */
export function createCommit(settle: () => void, failed: (error: unknown) => void): OnDisk {
  let waiting: Promise<Lost | undefined> | undefined;
  const commit = (): Lost | undefined => {
    waiting = undefined;
    try {
      settle();
      return undefined;
    } catch (error) {
      failed(error);
      return { error };
    }
  };
  return () => (waiting ??= new Promise((resolve) => setImmediate(() => resolve(commit()))));
}

/** A deployment or a procedure that is under way: the orders of one, the actions of the other. */
export interface Run {
  readonly id: number;
  readonly isWorking: boolean;
  /** The first step with pending work; undefined when nothing is left to start. */
  readonly next: number | undefined;
  /** Whether work that was not done ends the run: immediately, or when nothing is left to do. */
  readonly isFailed: (moment: 'now' | 'at the end') => boolean;
  readonly pausesBefore?: (step: number) => boolean;
  /** Begins a step: its pending work is in progress. */
  readonly start: (step: number) => unknown;
  readonly end: (state: 'failed' | 'paused' | 'complete') => unknown;
}

/** The job that ends a step, and how long a step takes in ms of the service's time. */
export interface StepJob {
  readonly name: string;
  readonly duration: number;
}

/** Goes on: waits for what is in progress, fails, pauses, starts the next step, or ends. */
export function proceed(store: Store, run: Run, job: StepJob, now: number): void {
  if (run.isWorking) return;
  const step = run.next;
  if (run.isFailed('now') || (step === undefined && run.isFailed('at the end'))) run.end('failed');
  else if (step === undefined) run.end('complete');
  else if (run.pausesBefore?.(step) === true) run.end('paused');
  else {
    run.start(step);
    store.jobs.add({ name: job.name, due: store.jobs.end(now, job.duration), subject: run.id, payload: null });
  }
}

// Timed work that is due, carried out a part with each request and the rest between requests; the commit that requests share; and work that goes step
// by step: the orders of a deployment, the actions of a procedure (service-facts §3.4, §3.7). Nothing runs by timers: a request sets it off.
import type { Job, Store } from '../store';
import type { ServiceClock } from './clock';

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

/** Why what was pending could not be written to the disk. */
export interface Lost {
  readonly error: unknown;
}

/** Resolves to undefined once what is pending is on the disk; or to the reason why it is not, and then nothing of it is left. */
export type OnDisk = () => Promise<Lost | undefined>;

/**
 * Commits once for everybody who waits; `failed` gets the reason once if it could not. Not immediately: first node hands over the requests whose bytes
 * are here already, and only then runs what `setImmediate` was given. A caller alone loses a few microseconds by that; many share the time that
 * the disk takes.
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

/** One piece of work: an order or an action. */
interface Work {
  readonly state: string;
  /** Step in which it is done. */
  readonly execOrder: number;
}

/** A deployment or a procedure that is under way. */
export interface Run<W extends Work> {
  readonly id: number;
  /** Work in order of execution. */
  readonly works: readonly W[];
  /** Whether work that was not done ends the run: immediately, or when nothing is left to do. */
  readonly isFailed: (moment: 'now' | 'at the end') => boolean;
  /** Whether the run pauses before a step. */
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

/** The next step of a run; undefined when nothing is left to start. */
export function nextStep(works: readonly Work[]): number | undefined {
  const pending = works.filter(({ state }) => state === 'pending').map(({ execOrder }) => execOrder);
  return pending.length === 0 ? undefined : Math.min(...pending);
}

/** Whether work is in progress. */
export function isWorking(works: readonly Work[]): boolean {
  return works.some(({ state }) => state === 'inprogress');
}

/** Goes on where the work is: waits for what is in progress, fails, pauses, starts the next step, or ends. */
export function proceed<W extends Work>(store: Store, run: Run<W>, job: StepJob, now: number): void {
  const { works } = run;
  if (isWorking(works)) return;
  const step = nextStep(works);
  if (run.isFailed('now') || (step === undefined && run.isFailed('at the end'))) run.end('failed');
  else if (step === undefined) run.end('complete');
  else if (run.pausesBefore?.(step) === true) run.end('paused');
  else {
    run.start(step);
    store.jobs.add({ name: job.name, due: store.jobs.end(now, job.duration), subject: run.id, payload: null });
  }
}

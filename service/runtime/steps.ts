// Work carried out step by step on the service's clock: the orders of a deployment, the actions of a procedure (service-facts §3.4, §3.7).
// What a piece of work does, and which failure is fatal, the run says.
import type { Store } from '../store';

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

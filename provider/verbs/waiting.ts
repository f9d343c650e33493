// Waiting for work of the service: growing pauses, a limit, a reason (service-facts §10).
import { askingAnew } from '../session/answers';
import { type Environment, routes } from '../../api/contract';
import { mayPass, plural, Unprocessable } from '../../api/errors';
import type { Work } from '../kind';
import { LifecycleError } from '../errors';

const FIRST_PAUSE = 250;
const GROWTH = 1.4;
/** At most ten polls a minute once it takes long. */
const LONGEST_PAUSE = 6_000;
const MINUTES = 60_000;
const ENVIRONMENT_LIMIT = 15 * MINUTES;
const DEFAULT_TIMEOUT = 60;

interface Wait {
  readonly what: string;
  /** In ms. Default: the declared `timeout`, in minutes, or 60. */
  readonly limit?: number;
}

/**
 * Asks until `settled` returns true; pauses grow from 0.25 to 6 s. An unreachable service is asked
 * again until the limit. Throws TimedOutWaiting, or the last failure.
 */
export async function waitUntil<T>(
  work: Work,
  { what, limit = Number(work.args['timeout'] ?? DEFAULT_TIMEOUT) * MINUTES }: Wait,
  ask: () => Promise<T>,
  settled: (answer: T) => boolean,
): Promise<T> {
  const { clock } = work.session;
  const end = clock.now() + limit;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE)) {
    const isLast = clock.now() + pause > end;
    try {
      const answer = await ask();
      if (settled(answer)) return answer;
    } catch (error) {
      if (isLast || !mayPass(error)) throw error;
      work.progress(`${what}: the service does not answer, and is asked again: ${error.message}`);
    }
    if (isLast) throw new TimedOutWaiting(what, limit);
    await clock.sleep(pause);
  }
}

const LOCKED = ['locked', 'manifest_locked'];

export const isHeld = ({ ciState }: Environment): boolean => LOCKED.includes(ciState ?? '');

/** Sends a request again after each job that holds the environment (service-facts §3.8). */
export async function sendUnlocked<T>(work: Work, send: () => Promise<T>): Promise<T> {
  const end = work.session.clock.now() + ENVIRONMENT_LIMIT;
  for (let refusals = 0; ;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unprocessable) || work.session.clock.now() > end) throw error;
      const environment = await askingAnew(work.api).call(routes.environments.read, { address: work.at });
      // The job may have ended meanwhile; without a job, there is another reason.
      if (isHeld(environment)) await unlockedEnvironment(work, 'waits for the environment to be unlocked');
      else if ((refusals += 1) > 1) throw error;
    }
  }
}

/** The environment without a job of the service (service-facts §10.2); throws JobFailed. */
export async function settledEnvironment(work: Work, what: string): Promise<Environment> {
  const environment = await unlockedEnvironment(work, what);
  if (environment.comments?.startsWith('ERROR:')) throw new JobFailed(what, environment.comments);
  return environment;
}

/** The environment once no job of the service holds it, whatever became of the job. */
export function unlockedEnvironment(work: Work, what: string): Promise<Environment> {
  return waitUntil(
    work,
    { what, limit: ENVIRONMENT_LIMIT },
    () => askingAnew(work.api).call(routes.environments.read, { address: work.at }),
    (environment) => {
      const busy = isHeld(environment);
      if (busy) work.progress(what);
      return !busy;
    },
  );
}

/** A job of the service ended in an error; `comments` is the service's own text. */
export class JobFailed extends LifecycleError {
  constructor(what: string, comments: string) {
    super(
      `${what} failed: ${comments.replace(/^ERROR:(?:[A-Z]+:)?\s*/, '')}`,
      'repair what the service names, then run pulumi up again',
    );
  }
}

/** It took longer than it may. */
export class TimedOutWaiting extends LifecycleError {
  constructor(what: string, limit: number) {
    super(
      `${what} took longer than ${plural(Math.round(limit / 60_000), 'minute')}`,
      'the service continues by itself; run pulumi up again to join it, or raise the timeout',
    );
  }
}

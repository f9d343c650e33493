// One exchange within its times: until the answer begins, until it is complete, and until the caller loses interest.
// It must not know how an exchange is carried out.
import type { WireRequest, WireResponse } from '../contract';
import { Aborted, TimedOut } from '../errors';

/** Runs something after so many milliseconds; answers the function that forgets it. */
export type After = (milliseconds: number, run: () => void) => () => void;

/** Timers of the process. They do not keep it alive. */
export const after: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
};

/** Milliseconds from the start of an exchange. */
export interface Times {
  readonly answerTimeout: number;
  readonly totalTimeout: number;
}

/** What passes between an exchange and whoever times it. */
export interface Progress {
  /** The answer begins. */
  answered(): void;
  /** Says how the exchange is stopped; it then rejects. */
  stopWith(stop: () => void): void;
}

/** Carries out one exchange. */
export type Exchange = (request: WireRequest, progress: Progress) => Promise<WireResponse>;

/** Runs an exchange within its times. Rejects with TimedOut or Aborted, or as the exchange does. `origin` is what messages name. */
export async function timed(
  exchange: Exchange,
  times: Times,
  timers: After,
  request: WireRequest,
  origin: string,
  signal: AbortSignal | undefined,
): Promise<WireResponse> {
  const path = request.path.split('?')[0] ?? '';
  let reason: Error | undefined;
  let stop = (): void => undefined;
  const end = (error: Error): void => {
    reason ??= error;
    stop();
  };
  const late = (what: string, milliseconds: number): (() => void) =>
    timers(milliseconds, () =>
      end(
        new TimedOut(
          `${origin} ${what} within ${seconds(milliseconds)}`,
          'the service may be busy: try again later',
          request.method,
          path,
          'unknown',
        ),
      ),
    );
  const abort = (): void => end(new Aborted('stopped on the way', undefined, request.method, path, 'unknown'));
  const forgetAnswer = late('did not answer', times.answerTimeout);
  const forgetTotal = late('did not complete its answer', times.totalTimeout);
  signal?.addEventListener('abort', abort);
  try {
    return await exchange(request, {
      answered: forgetAnswer,
      stopWith: (how) => {
        stop = how;
        if (reason !== undefined) stop();
      },
    });
  } catch (error) {
    throw reason ?? error;
  } finally {
    forgetAnswer();
    forgetTotal();
    signal?.removeEventListener('abort', abort);
  }
}

/** `10 s`, `0.05 s`: a time as messages show it. */
export const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

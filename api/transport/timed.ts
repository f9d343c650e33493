// Limits of one exchange: until it is connected, is answered, is complete, or is aborted.
import type { WireRequest, WireResponse } from '../contract';
import { Aborted, type SettingWords, TimedOut, type TransportError } from '../errors';

/** Runs something after so many milliseconds; returns the function that cancels it. */
export type After = (milliseconds: number, run: () => void) => () => void;

/** Timers of the process. They do not keep it alive. */
export const after: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
};

/** What an exchange reports while it runs. */
export interface Progress {
  /** The request is being sent over a connection. */
  connected(): void;
  /** The answer begins. */
  answered(): void;
  /** Says how the exchange is stopped. */
  stopWith(stop: () => void): void;
}

export type TimedExchange = (request: WireRequest, progress: Progress) => Promise<WireResponse>;

/** The limits of an exchange, in milliseconds from its start, and what messages need. */
interface Limits {
  readonly connectTimeout: number;
  readonly answerTimeout: number;
  readonly totalTimeout: number;
  readonly timers: After;
  readonly origin: string;
  readonly words: SettingWords;
}

/** Runs an exchange within its limits. Rejects with TimedOut, Aborted, or as the exchange does. */
export async function timed(
  exchange: TimedExchange,
  request: WireRequest,
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<WireResponse> {
  const { origin, timers, connectTimeout, answerTimeout, totalTimeout, words } = limits;
  let reason: TransportError | undefined;
  let stop = (): void => undefined;
  const end = (error: TransportError): void => {
    reason ??= error;
    stop();
  };
  const late = (milliseconds: number, what: string, hint: string, may: false | 'unknown'): (() => void) =>
    timers(milliseconds, () =>
      end(new TimedOut(`${origin} ${what} within ${milliseconds / 1000} s`, hint, request, may)),
    );
  let sent: false | 'unknown' = false;
  const abort = (): void => end(new Aborted('stopped on the way', undefined, request, sent));
  const busy = 'the service may be busy: try again later';
  const unreached = `check ${words.named('url')}, and that nothing between here and there drops connections`;
  const connected = late(connectTimeout, 'took no connection', unreached, false);
  const answered = late(answerTimeout, 'did not answer', busy, 'unknown');
  const completed = late(totalTimeout, 'did not complete its answer', busy, 'unknown');
  signal?.addEventListener('abort', abort);
  try {
    return await exchange(request, {
      connected: () => {
        sent = 'unknown';
        connected();
      },
      answered,
      stopWith: (how) => {
        stop = how;
        if (reason !== undefined) stop();
      },
    });
  } catch (error) {
    throw reason ?? error;
  } finally {
    connected();
    answered();
    completed();
    signal?.removeEventListener('abort', abort);
  }
}

// What a client reports of its work, as values for a log: each request, answer, repetition and failure.
// No event contains the token, a header or a body.
import type { OneOpsError } from '../errors';

/** What one request is about. */
export interface Sent {
  /** Name of the route: `assemblies.read`. */
  readonly route: string;
  readonly method: string;
  /** Path with its query, as sent. */
  readonly path: string;
  /** How many times this call was sent, this one included. */
  readonly attempt: number;
}

/** Why a failed call was not sent again. */
export type GaveUp =
  /** It cannot help, or is not safe. */
  | 'final'
  /** It was sent as often as the policy allows. */
  | 'attempts'
  /** The budget for repetitions is spent. */
  | 'budget'
  /** The service asks to wait longer than the policy waits. */
  | 'wait';

/** One step of a call. Times are milliseconds. */
export type ClientEvent =
  | ({ readonly kind: 'request' } & Sent)
  /** `date`: the service's time, in milliseconds since 1970. */
  | ({ readonly kind: 'response'; readonly status: number; readonly took: number; readonly date?: number } & Sent)
  /** The call failed and will be sent again after `pause`. */
  | ({ readonly kind: 'retry'; readonly pause: number; readonly error: OneOpsError } & Sent)
  /** The call failed for good; the same error is thrown to the caller. */
  | ({ readonly kind: 'error'; readonly gaveUp: GaveUp; readonly error: Error } & Sent);

/** Listens to a client. It is called between the steps of a call, so it should return quickly; what it throws becomes a warning of the process. */
export type Observe = (event: ClientEvent) => void;

/** The listener, whose errors become warnings: a log that fails must not lose the answer of a request. */
export function ignoreErrors(observe: Observe | undefined): Observe {
  if (observe === undefined) return () => undefined;
  return (event) => {
    try {
      observe(event);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

// What can go wrong while the service works by itself.
// It must not know who waits.
import { LifecycleError } from '../errors';

/** A job of the service ended in an error; `comments` is the service's own text. */
export class JobFailed extends LifecycleError {
  constructor(what: string, comments: string) {
    super(
      `${what} failed: ${comments.replace(/^ERROR:(?:[A-Z]+:)?\s*/, '')}`,
      'mend what the service names, then run pulumi up again',
    );
    this.name = 'JobFailed';
  }
}

/** It took longer than it may. */
export class TimedOutWaiting extends LifecycleError {
  constructor(what: string, limit: number) {
    super(
      `${what} took longer than ${Math.round(limit / 60_000)} minutes`,
      'the service continues by itself; run pulumi up again to join it, or raise the timeout',
    );
    this.name = 'TimedOutWaiting';
  }
}

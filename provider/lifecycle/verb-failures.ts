// How a verb's failure is reported: what was attempted, on what, and, where no state can keep it, what was left undone.
import { describe, NotFound } from '../../api/errors';
import { LifecycleError } from '../errors';
import type { Kind } from '../kind';
import { Incomplete } from '../address/live';

/** A delete has no state to keep: what is left undone is an error like any other, and the next run continues. */
export async function leftUndone(job: () => Promise<void>): Promise<void> {
  try {
    await job();
  } catch (error) {
    throw error instanceof Incomplete ? new LifecycleError(error.reasons.join('\n')) : error;
  }
}

const GONE_ABOVE =
  'if something it belongs to was deleted in the service since the last run, run pulumi up --refresh: it finds what was deleted, and creates it again';

/** Runs a verb; what fails says what was attempted, on what. */
export async function describingFailure<T>(attempt: string, of: Kind, id: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    // Only create and update can keep an incomplete record.
    const failure = error instanceof Incomplete ? new LifecycleError(error.reasons.join('\n')) : error;
    // A record that is in no other one belongs to the organization alone, which no refresh creates again.
    const isBelow = of.within !== undefined && (attempt === 'create' || attempt === 'update');
    if (failure instanceof NotFound && isBelow) failure.advised(GONE_ABOVE);
    throw describe(failure, { attempt, subject: subjectOf(of, id) });
  }
}

/** `cloud configuration acme/shop/prod/web/east`. */
export const subjectOf = (of: Kind, id: string): string =>
  `${of.token.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()} ${id}`;

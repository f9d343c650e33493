// Errors of the provider's own work, in contrast to those of the connection.
import { Aborted, Bug, OneOpsError } from '../api/errors';
import type { Values } from './values/plain';

/** Our own work cannot go on; nothing is wrong with the connection. */
export class LifecycleError extends OneOpsError {}

/** The record to create already exists and differs from what is declared. */
export class AlreadyExists extends LifecycleError {}

/** A guard stopped the run before it did harm. */
export class Refused extends LifecycleError {}

/** The record exists but not as it should be: the engine keeps it with these outputs. */
export class PartialFailure extends LifecycleError {
  readonly id: string;
  /** Outputs to keep; without `__provider`, which is the face's. */
  readonly outputs: Values;
  /** At least one; together they are the whole text. */
  readonly reasons: readonly [string, ...string[]];

  constructor(kept: {
    readonly id: string;
    readonly outputs: Values;
    readonly reasons: readonly [string, ...string[]];
  }) {
    super(kept.reasons.join('\n'));
    this.id = kept.id;
    this.outputs = kept.outputs;
    this.reasons = kept.reasons;
  }
}

/** Whether an error is trouble with the service, and no fault of this package. */
export const isTrouble = (error: unknown): boolean => error instanceof OneOpsError && !(error instanceof Bug);

/** The same, unless somebody stopped this run. */
export const isOutage = (error: unknown): boolean => isTrouble(error) && !(error instanceof Aborted);

/** What is asked, or `otherwise` where that fails with an error that is expected. */
export const orElse = <T, U>(asked: Promise<T>, otherwise: U, isExpected = isTrouble): Promise<T | U> =>
  asked.catch((error: unknown) => {
    if (isExpected(error)) return otherwise;
    throw error;
  });

/** What a look before a run finds, or its refusal; nothing where the service does not answer. */
export const lookAhead = <T extends object>(look: () => Promise<T>): Promise<T | { readonly refusal?: string }> => {
  const refused = look().catch((error: unknown) => {
    if (error instanceof LifecycleError) return { refusal: error.message };
    throw error;
  });
  return orElse(refused, {});
};

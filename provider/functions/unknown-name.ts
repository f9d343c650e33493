// The error for a name that does not exist, with the nearest existing name.
import { LifecycleError } from '../errors';
import { nearest } from '../values/nearest';

/** An error that says what does not exist, and the name that was probably meant, or all names when none is near. */
export function noneNamed(message: string, wanted: string, known: readonly string[]): LifecycleError {
  const near = nearest(wanted, known);
  const names = [...new Set(known)].sort();
  if (near !== undefined) return new LifecycleError(message, `did you mean "${near}"?`);
  return new LifecycleError(message, names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`);
}

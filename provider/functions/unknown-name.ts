// A name that nothing has: the error, with the nearest of the names there are.
// It must not know what the name was to be of.
import { LifecycleError } from '../errors';
import { nearest } from '../nearest';

/** An error that says what there is not, and the name that was probably meant; all names where none is near. */
export function noneNamed(message: string, wanted: string, known: readonly string[]): LifecycleError {
  const near = nearest(wanted, known);
  const names = [...new Set(known)].sort();
  if (near !== undefined) return new LifecycleError(message, `did you mean "${near}"?`);
  return new LifecycleError(message, names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`);
}

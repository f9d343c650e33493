// Where something stands in a file, as a review tells it.
// It must not know what stands there.
import type { Range } from '../../stack';
import type { FilePlace } from './review';

/** The beginning of a range. */
export const placeOf = ({ file, start }: Range): FilePlace => ({ file, line: start.line, column: start.column });

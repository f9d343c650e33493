// Values as a report may show them: secrets as keyed digests, whose key is thrown away with the review.
import { createHmac, randomBytes } from 'node:crypto';
import { encodeShape, holdsUnknown, type Shape } from '../../provider';
import type { Shown } from './review';

/** A value as a report may show it. */
export type Redact = (shape: Shape, value: unknown, secret: boolean) => Shown;

/** A secret of which nothing is known but that it is set. */
export const UNKNOWN_SECRET: Shown = { is: 'secret' };

/** Makes digests with a key of its own: equal for equal values, in this review alone. */
export function newRedact(): Redact {
  const key = randomBytes(32);
  return (shape, value, secret) => {
    if (value === undefined || value === null || (secret && value === '')) return { is: 'absent' };
    if (secret) {
      if (holdsUnknown(value)) return UNKNOWN_SECRET;
      return { is: 'secret', digest: createHmac('sha256', key).update(encodeShape(shape, value)).digest('hex') };
    }
    return holdsUnknown(value) ? { is: 'unknown' } : { is: 'value', value };
  };
}

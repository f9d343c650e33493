// Values as a report may show them: secrets as keyed digests, whose key is thrown away with the review.
// It must not know where values come from.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { encodeShape, holdsUnknown, type Shape } from '../../provider';
import type { Shown } from './review';

/** Shows the values of one review. */
export interface Showing {
  show(shape: Shape, value: unknown, secret: boolean): Shown;
}

/** A secret of which nothing is known but that it is there. */
export const UNTOLD: Shown = { is: 'secret' };

/** Makes digests with a key of its own: equal for equal values, in this review alone. */
export function newShowing(): Showing {
  const key = randomBytes(32);
  return {
    show(shape, value, secret) {
      if (value === undefined || value === null || (secret && value === '')) return { is: 'absent' };
      if (secret) {
        if (holdsUnknown(value)) return UNTOLD;
        return { is: 'secret', digest: createHmac('sha256', key).update(encodeShape(shape, value)).digest('hex') };
      }
      return holdsUnknown(value) ? { is: 'unknown' } : { is: 'value', value };
    },
  };
}

/** Id of a finding: the same in every review. `attribute` is a path with dots; absent for the whole record. */
export function findingId(organization: string, kind: string, address: string, attribute: string | undefined): string {
  const subject = JSON.stringify([organization, kind, address, attribute ?? null]);
  return createHash('sha256').update(subject).digest('hex').slice(0, 10);
}

// What an instance carries, as one short text: equal digests need no change.
// It must not know what the values mean.
import { createHash } from 'node:crypto';
import type { PlanValues } from './input';

/** SHA-256, as hex, over values and attached values. Order of keys and the difference of null, empty and absent do not count. */
export function digestOf(values: PlanValues, attached: PlanValues): string {
  return createHash('sha256')
    .update(JSON.stringify([stated(values), stated(attached)]))
    .digest('hex');
}

function stated(values: PlanValues): readonly (readonly [string, string])[] {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

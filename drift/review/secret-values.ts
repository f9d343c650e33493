// Secret values: marked while they are compared as plain data, and shown in reports as keyed digests, whose key is thrown away with the review.
import { createHmac, randomBytes } from 'node:crypto';
import { encodeShape, holdsUnknown, type Shape } from '../../provider/values';
import type { Shown } from './review';

const HIDDEN = Symbol('hidden');

interface Hidden {
  readonly [HIDDEN]: true;
  readonly value: unknown;
}

/** A path into a resource's arguments: `['attributes', 'password']`. */
export type ArgumentPath = readonly string[];

/** The value, marked as secret. */
export const hide = (value: unknown): Hidden => (isHidden(value) ? value : { [HIDDEN]: true, value });

/** Whether a value is marked as secret itself. */
const isHidden = (value: unknown): value is Hidden => typeof value === 'object' && value !== null && HIDDEN in value;

/** The value without marks, at any depth. */
export const unhidden = (value: unknown): unknown => split(value).plain;

/** Whether a value contains a mark anywhere. */
export const holdsHidden = (value: unknown): boolean => isMarked(value);

/** The value without marks, and where they were; of a list only the list itself. A value that contains no mark is returned as it is. */
export function split(value: unknown): { readonly plain: unknown; readonly hidden: readonly ArgumentPath[] } {
  if (isHidden(value)) return { plain: unhidden(value.value), hidden: [[]] };
  if (!isMarked(value)) return { plain: value, hidden: [] };
  if (Array.isArray(value)) return { plain: value.map(unhidden), hidden: [[]] };
  const entries = Object.entries(value as object).map(([name, item]) => [name, split(item)] as const);
  return {
    plain: Object.fromEntries(entries.map(([name, { plain }]) => [name, plain])),
    hidden: entries.flatMap(([name, { hidden }]) => hidden.map((path) => [name, ...path])),
  };
}

/** Whether a value is marked, or anything in it. */
const isMarked = (value: unknown): boolean => isHidden(value) || someIn(value, isMarked);

/** Whether something holds for an item of a list or a map; false for any other value. */
export function someIn(value: unknown, holds: (item: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holds);
  for (const name in value) if (holds((value as { readonly [name: string]: unknown })[name])) return true;
  return false;
}

/** Whether something at a path, above it or below it, is secret. */
export const isHiddenAt = (hidden: readonly ArgumentPath[], path: ArgumentPath): boolean =>
  hidden.some((each) => each.every((step, index) => index >= path.length || step === path[index]));

/** A value as a report may show it. */
export type Redact = (shape: Shape, value: unknown, secret: boolean) => Shown;

/** A secret of which nothing is known but that it is set. */
export const UNKNOWN_SECRET: Shown = { is: 'secret' };

/** Makes digests with its own key: equal for equal values, in this review alone. */
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

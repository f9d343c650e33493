// A value of a stack file while its references are not resolved yet.
import { UNKNOWN } from '../../provider';
import type { Placed } from '../reader/tree';
import {
  EXPRESSION,
  holdsExpression,
  isExpression,
  mention,
  type Mention,
  type Reference,
  type Value,
} from '../values/value';

/** A value before the `${…}` of the file are resolved. References that the reader itself makes are resolved from the start. */
export type Draft = Value<Mention | Reference>;

/** The place of a value that a finding was reported for: nothing more is reported for it. */
export const failed = (place: Placed): Mention => mention([], place, false);

/** Whether a draft is one reference and nothing else. */
export function isMention(value: Draft | undefined): value is Mention {
  return typeof value === 'object' && value !== null && isExpression(value) && value[EXPRESSION] === 'mention';
}

/** Whether a finding was reported for a draft. */
export const isFailed = (value: Draft): boolean => isMention(value) && value.steps.length === 0;

/** What `check` may see: everything that is not known yet, and every secret, as unknown. A value without expressions is the same object. */
export const checkable = (value: Draft): unknown => (holdsExpression(value) ? withUnknown(value) : value);

function withUnknown(value: Draft): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isExpression(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map((item: Draft) => withUnknown(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withUnknown(item as Draft)]));
}

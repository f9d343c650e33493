// A review that was saved as JSON, read back.
// It must not know where it lies.
import { isPlainObject } from '../../provider';
import type { Review } from './review';

/** The text as JSON, with or without a byte order mark; undefined when it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Reads what `--json` printed. Throws a TypeError on a text that is no review of this version. */
export function readReview({ text, name }: { readonly text: string; readonly name: string }): Review {
  const parsed = jsonOf(text);
  if (!isReview(parsed))
    throw new TypeError(`${name} holds no review: save one with "pulumi-oneops drift --json > review.json"`);
  return parsed;
}

/** Members of one version are added, never taken away: these are in every review. */
const isReview = (value: unknown): value is Review =>
  isPlainObject(value) &&
  value['version'] === 1 &&
  ['findings', 'ignored', 'unread'].every((name) => Array.isArray(value[name])) &&
  isPlainObject(value['coverage']);

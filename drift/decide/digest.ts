// Whether a finding of one review says the same as that of another: a digest of what it says, without what a secret is.
// It must not know files, nor what is decided.
import { createHash } from 'node:crypto';
import type { DriftFinding, Shown } from '../review/review';

/**
 * Sixteen hexadecimal digits that are equal for equal classifications and live values. Of a secret only who wrote it and when can be compared: its
 * own digest is of one review alone.
 */
export function digestOf(finding: DriftFinding): string {
  const { author, classification, live } = finding;
  const written = live?.is === 'secret' ? [author?.who ?? '', author?.when ?? 0] : [];
  return createHash('sha256')
    .update(JSON.stringify([classification, said(live), ...written]))
    .digest('hex')
    .slice(0, 16);
}

function said(shown: Shown | undefined): unknown {
  if (shown === undefined) return null;
  return shown.is === 'value' ? [shown.is, sorted(shown.value)] : [shown.is];
}

/** The same value with the keys of its maps in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, sorted(item)]);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

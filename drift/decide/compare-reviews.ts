// What changed from one review to another.
// It must not know where reviews are kept, nor how a comparison is shown.
import type { DriftFinding, Review } from '../review/review';
import { digestOf } from './digest';

/** Two reviews compared: each finding stands in one list. Those of the newer review are told, except of what is `gone`. */
export interface ReviewComparison {
  readonly new: readonly DriftFinding[];
  /** Found before, and found to hold now. */
  readonly gone: readonly DriftFinding[];
  /** Found in both with another live value, classification or severity. */
  readonly changed: readonly { readonly was: DriftFinding; readonly now: DriftFinding }[];
  readonly same: readonly DriftFinding[];
  /** Found before; the newer review keeps it out, by a rule or a baseline. */
  readonly ignored: readonly DriftFinding[];
  /** Found before; the newer review could not read it. */
  readonly unread: readonly DriftFinding[];
}

/** Compares two reviews by the ids of their findings. */
export function compareReviews(older: Review, newer: Review): ReviewComparison {
  const before = new Map(older.findings.map((finding) => [finding.id, finding]));
  const after = new Set(newer.findings.map(({ id }) => id));
  const kept = new Set(newer.ignored.map(({ finding }) => finding.id));
  const unread = new Set(newer.unread.map(({ kind, address }) => `${kind} ${address}`));
  const left = older.findings.filter(({ id }) => !after.has(id));
  const fate = (finding: DriftFinding): 'ignored' | 'unread' | 'gone' => {
    if (kept.has(finding.id)) return 'ignored';
    return unread.has(`${finding.kind} ${finding.address}`) ? 'unread' : 'gone';
  };
  const both = newer.findings.flatMap((now) => {
    const was = before.get(now.id);
    return was ? [{ was, now }] : [];
  });
  const differs = ({ was, now }: (typeof both)[number]): boolean =>
    digestOf(was) !== digestOf(now) || was.severity !== now.severity;
  return {
    new: newer.findings.filter(({ id }) => !before.has(id)),
    gone: left.filter((finding) => fate(finding) === 'gone'),
    changed: both.filter(differs),
    same: both.filter((pair) => !differs(pair)).map(({ now }) => now),
    ignored: left.filter((finding) => fate(finding) === 'ignored'),
    unread: left.filter((finding) => fate(finding) === 'unread'),
  };
}

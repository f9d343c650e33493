// What is remembered from review to review: since when each finding is seen, and in how many reviews.
// It must not know where the file lies, nor how a review is made.
import { z } from 'zod';
import type { DriftFinding, Review } from '../review/review';
import { jsonOf } from '../review/saved-review';

const seenShape = z.object({ id: z.string(), firstSeen: z.number(), lastSeen: z.number(), runs: z.number() });
type Seen = z.infer<typeof seenShape>;

/** Findings that are remembered at most; those not seen for longest are forgotten first. */
const REMEMBERED = 10_000;

/**
 * Adds a review to a history and tells each of its findings since when it is seen. A history is JSON Lines, one line a finding: `firstSeen` and
 * `lastSeen` in ms since 1970, `runs` reviews. What is gone stays remembered, so that what comes and goes is told as what it is; a review that is
 * already in it (of the same start) is not counted twice. Throws a TypeError on a line that is none of its own.
 */
export function remember(
  history: { readonly text: string; readonly name: string } | undefined,
  review: Review,
): { readonly text: string; readonly review: Review } {
  const seen = new Map(history === undefined ? [] : linesOf(history).map((line) => [line.id, line]));
  const now = review.started;
  for (const { id } of [...review.findings, ...review.ignored.map(({ finding }) => finding)]) {
    const before = seen.get(id);
    if (before === undefined) seen.set(id, { id, firstSeen: now, lastSeen: now, runs: 1 });
    else if (before.lastSeen < now) seen.set(id, { ...before, lastSeen: now, runs: before.runs + 1 });
  }
  const told = (finding: DriftFinding): DriftFinding => {
    const line = seen.get(finding.id);
    return line === undefined ? finding : { ...finding, history: { firstSeen: line.firstSeen, runs: line.runs } };
  };
  const kept = [...seen.values()]
    .sort((left, right) => right.lastSeen - left.lastSeen)
    .slice(0, REMEMBERED)
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  return {
    text: kept.map((line) => `${JSON.stringify(line)}\n`).join(''),
    review: {
      ...review,
      findings: review.findings.map(told),
      ignored: review.ignored.map((each) => ({ ...each, finding: told(each.finding) })),
    },
  };
}

function linesOf({ text, name }: { readonly text: string; readonly name: string }): readonly Seen[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data } = seenShape.safeParse(jsonOf(line));
    if (data === undefined) throw new TypeError(`${name}:${index + 1} is no line of a history of drift reviews`);
    return [data];
  });
}

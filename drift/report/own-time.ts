// A review as people read it: every time by the clock of this machine, and none of them in the future.
import type { DriftFinding, Review } from '../review/review';

/** Clocks that differ by more milliseconds deserve a word. `doctor` judges by the same. */
export const CLOCK_TOLERANCE = 60_000;

/** The review with the times of the service's records by this clock. */
export function inOwnTime(review: Review): Review {
  const { ahead = 0, ...rest } = review;
  const end = review.started + review.took;
  const timed = <F extends DriftFinding>(finding: F): F => {
    const { author } = finding;
    if (author === undefined || author.when === 0) return finding;
    return { ...finding, author: { ...author, when: Math.min(author.when - ahead, end) } };
  };
  const notes = Math.abs(ahead) > CLOCK_TOLERANCE ? [...review.notes, clockText(ahead)] : review.notes;
  return {
    ...rest,
    notes,
    findings: review.findings.map(timed),
    ignored: review.ignored.map((each) => ({ ...each, finding: timed(each.finding) })),
  };
}

/** `the service's clock is 3 minutes ahead of this one: …`. */
function clockText(ahead: number): string {
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const apart = minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minute${minutes === 1 ? '' : 's'}`;
  const side = ahead > 0 ? 'ahead of' : 'behind';
  return `the service's clock is ${apart} ${side} this one: the times here are by this one; set both by NTP`;
}

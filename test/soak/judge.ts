// Whether what a killed service left is what it acknowledged, and how much is lost or half done.
import { type View } from './view';

/** Both zero: what was acknowledged is there, and what was not is whole or not there. */
export interface Verdict {
  /** Lines that existed whatever became of the last write, and are not now. */
  readonly lost: number;
  /** Lines by which the nearer of the two allowed states was missed, besides. */
  readonly half: number;
  /** For a person: what is missing (`-`) and what should not be there (`+`). */
  readonly difference: readonly string[];
}

function counted(view: View): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of view) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Lines of one view that the other lacks, as often as it lacks them. */
function lacking(view: View, other: View): string[] {
  const counts = counted(other);
  return view.filter((line) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left === 0;
  });
}

/** What distinguishes two views. */
function difference(actual: View, expected: View): string[] {
  return [
    ...lacking(expected, actual).map((line) => `- ${line}`),
    ...lacking(actual, expected).map((line) => `+ ${line}`),
  ];
}

/** Judges what exists by the states that are allowed: one, or two when a write was under way. */
export function judge(actual: View, allowed: readonly View[]): Verdict {
  const differences = allowed.map((view) => difference(actual, view));
  const nearest = differences.reduce((best, each) => (each.length < best.length ? each : best));
  const certain = allowed.reduce((common, view) => {
    const missing = new Set(lacking(common, view));
    return common.filter((line) => !missing.has(line));
  });
  const lost = lacking(certain, actual).length;
  const allAcknowledged = allowed.length === 1;
  return {
    lost: allAcknowledged ? nearest.length : lost,
    half: allAcknowledged ? 0 : Math.max(0, nearest.length - lost),
    difference: nearest,
  };
}

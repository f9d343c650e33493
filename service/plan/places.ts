// Places in a plan, turned into steps: places that sort alike share a step, and steps count from 1 without gaps.
// It must not know what stands in a place.

/** What comes first, second, last: work on active clouds, then emptying offline clouds, then emptying what shall not run at all. */
export type Phase = 'active' | 'offline' | 'idle';

/** A phase, then numbers: compared one by one, smaller first. */
export type Place = readonly [Phase, ...number[]];

const PHASES: readonly Phase[] = ['active', 'offline', 'idle'];

function compare(left: Place, right: Place): number {
  const first = PHASES.indexOf(left[0]) - PHASES.indexOf(right[0]);
  if (first !== 0) return first;
  const length = Math.max(left.length, right.length);
  for (let index = 1; index < length; index += 1) {
    const difference = Number(left[index] ?? 0) - Number(right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The step of each place, in the order given. */
export function denseOrders(places: readonly Place[]): number[] {
  const distinct = [...places]
    .sort(compare)
    .filter((place, index, all) => index === 0 || compare(all[index - 1] ?? place, place) !== 0);
  const steps = new Map(distinct.map((place, index) => [JSON.stringify(place.map(plain)), index + 1]));
  return places.map((place) => steps.get(JSON.stringify(place.map(plain))) ?? 1);
}

/** -0 and 0 are one place. */
function plain(part: Phase | number): Phase | number {
  return part === 0 ? 0 : part;
}

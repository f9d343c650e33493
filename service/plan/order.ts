// Order in a plan: how deep each node of a dependency graph is, and places turned into steps that count from 1 without gaps.
// A function of its input, as all of the planner.

/** `from` comes after `to`. */
interface Dependency {
  readonly from: number;
  readonly to: number;
}

/** Depths by node: 0 for a node that depends on nothing, else one more than the deepest it depends on; `cyclic` names the nodes of a cycle. */
type Depths =
  | { readonly ok: true; readonly depths: ReadonlyMap<number, number> }
  | { readonly ok: false; readonly cyclic: readonly number[] };

/**
 * Depth of every node. Dependencies on nodes that are not listed are ignored. Nodes on a cycle, or that lead into one, have no depth.
 */
export function depthsOf(nodes: readonly number[], dependencies: readonly Dependency[]): Depths {
  const known = new Set(nodes);
  const targets = new Map<number, number[]>(nodes.map((node) => [node, []]));
  const sources = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (const { from, to } of dependencies) {
    if (!known.has(from) || !known.has(to)) continue;
    targets.get(from)?.push(to);
    sources.get(to)?.push(from);
  }
  const waiting = new Map(nodes.map((node) => [node, targets.get(node)?.length ?? 0]));
  const depths = new Map<number, number>();
  let layer = nodes.filter((node) => waiting.get(node) === 0);
  for (let depth = 0; layer.length > 0; depth += 1) {
    const next: number[] = [];
    for (const node of layer) {
      depths.set(node, depth);
      for (const source of sources.get(node) ?? []) {
        const left = (waiting.get(source) ?? 0) - 1;
        waiting.set(source, left);
        if (left === 0) next.push(source);
      }
    }
    layer = next;
  }
  const cyclic = nodes.filter((node) => !depths.has(node));
  return cyclic.length === 0 ? { ok: true, depths } : { ok: false, cyclic };
}

/**
 * Depth of every node where cycles are allowed (platform links, service-facts §4.5.1 trap 3): nodes on a cycle, or that lead into one,
 * all are one below the deepest of the others.
 */
export function depthsDespiteCycles(
  nodes: readonly number[],
  dependencies: readonly Dependency[],
): ReadonlyMap<number, number> {
  const found = depthsOf(nodes, dependencies);
  if (found.ok) return found.depths;
  const stuck = new Set(found.cyclic);
  const free = nodes.filter((node) => !stuck.has(node));
  const depths = new Map(depthsDespiteCycles(free, dependencies));
  const last = 1 + Math.max(-1, ...depths.values());
  for (const node of found.cyclic) depths.set(node, last);
  return depths;
}

/** What comes first, second, last: work on active clouds, then emptying offline clouds, then emptying what shall not run at all. */
type Phase = 'active' | 'offline' | 'idle';

/** A phase, then numbers: compared one by one, smaller first. */
export type PlaceInOrder = readonly [Phase, ...number[]];

const PHASES: readonly Phase[] = ['active', 'offline', 'idle'];

function compare(left: PlaceInOrder, right: PlaceInOrder): number {
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
export function denseOrders(places: readonly PlaceInOrder[]): number[] {
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

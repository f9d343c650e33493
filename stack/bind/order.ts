// Orders resources for registration, and reports dependency cycles.
import type { Report } from '../findings/finding';
import type { ResourceKey } from '../values/value';
import type { Placed } from '../yaml/tree';

/** A node of the graph with its dependencies. An edge that is written in the file has a place. */
export interface Ordered {
  readonly key: ResourceKey;
  readonly edges: readonly { readonly to: ResourceKey; readonly place?: Placed }[];
}

/** Returns each node after its dependencies. Reports each cycle once, at an edge of the file. */
export function inOrder<N extends Ordered>(report: Report, nodes: readonly N[]): readonly N[] {
  for (const cycle of cycles(nodes)) reportCycle(report, cycle);
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const visited = new Set<ResourceKey>();
  const ordered: N[] = [];
  const visit = (node: N): void => {
    if (visited.has(node.key)) return;
    visited.add(node.key);
    for (const { to } of node.edges) {
      const before = byKey.get(to);
      if (before) visit(before);
    }
    ordered.push(node);
  };
  nodes.forEach(visit);
  return ordered;
}

/** Groups of nodes that depend on each other: Tarjan's strongly connected components. */
function cycles(nodes: readonly Ordered[]): readonly (readonly Ordered[])[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const index = new Map<Ordered, number>();
  const lowest = new Map<Ordered, number>();
  const stack: Ordered[] = [];
  const onStack = new Set<Ordered>();
  const found: (readonly Ordered[])[] = [];
  const visit = (node: Ordered): number => {
    const own = index.size;
    index.set(node, own);
    stack.push(node);
    onStack.add(node);
    let low = own;
    for (const { to } of node.edges) {
      const next = byKey.get(to);
      if (!next) continue;
      if (!index.has(next)) low = Math.min(low, visit(next));
      else if (onStack.has(next)) low = Math.min(low, lowest.get(next) ?? index.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === own) {
      const group = stack.splice(stack.lastIndexOf(node));
      group.forEach((each) => onStack.delete(each));
      if (group.length > 1 || node.edges.some(({ to }) => to === node.key)) found.push(group);
    }
    return low;
  };
  for (const node of nodes) if (!index.has(node)) visit(node);
  return found;
}

function reportCycle(report: Report, cycle: readonly Ordered[]): void {
  const keys = new Set(cycle.map(({ key }) => key));
  const written = cycle.flatMap(({ key, edges }) =>
    edges.filter(({ to }) => keys.has(to)).flatMap(({ to, place }) => (place ? [{ from: key, to, place }] : [])),
  );
  // The last edge in the file is the one that closed the cycle.
  const [last] = written.sort((left, right) => right.place.at.start.offset - left.place.at.start.offset);
  if (!last) return;
  const path = last.from === last.to ? [last.to] : pathBetween(cycle, last.to, last.from);
  const nameOf = (key: ResourceKey): string => key.replace('::', ' ');
  const others = cycle.map(({ key }) => key).filter((key) => key !== last.from && !path.includes(key));
  const more = others.length === 0 ? '' : `; further members are ${others.map(nameOf).join(', ')}`;
  report.error(
    last.place,
    'cycle',
    `a cycle: ${[last.from, ...path].map(nameOf).join(' → ')}${more}`,
    'nothing can come after itself: take one of these links away',
  );
}

/** Returns the shortest path, both ends included. */
function pathBetween(cycle: readonly Ordered[], from: ResourceKey, to: ResourceKey): readonly ResourceKey[] {
  const byKey = new Map(cycle.map((node) => [node.key, node]));
  let paths: readonly (readonly ResourceKey[])[] = [[from]];
  const seen = new Set([from]);
  while (paths.length > 0) {
    const done = paths.find((path) => path.at(-1) === to);
    if (done) return done;
    paths = paths.flatMap((path) => {
      const next = byKey.get(path.at(-1) ?? from)?.edges.map((edge) => edge.to) ?? [];
      return next.filter((key) => byKey.has(key) && !seen.has(key) && seen.add(key)).map((key) => [...path, key]);
    });
  }
  return [from, to];
}

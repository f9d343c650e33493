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
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const visited = new Set<N>();
  const ordered = new Set<N>();
  /** Nodes that a way leads back to. */
  const closed = new Set<N>();
  const visit = (node: N): void => {
    if (visited.has(node)) return;
    visited.add(node);
    for (const { to } of node.edges) {
      const before = byKey.get(to);
      if (before === undefined) continue;
      if (visited.has(before) && !ordered.has(before)) closed.add(before);
      visit(before);
    }
    ordered.add(node);
  };
  nodes.forEach(visit);
  for (const node of closed) {
    const cycle = cycleOf(node, [...visited]);
    cycle.forEach((member) => closed.delete(member));
    reportCycle(report, cycle);
  }
  return [...ordered];
}

/** The nodes that a node leads to, and that lead back to it. */
function cycleOf<N extends Ordered>(node: N, nodes: readonly N[]): readonly N[] {
  const reached = following(node.key, (key) => nodes.find((each) => each.key === key)?.edges.map(({ to }) => to) ?? []);
  const around = nodes.filter(({ key }) => reached.has(key));
  const leading = following(node.key, (key) =>
    around.filter(({ edges }) => edges.some(({ to }) => to === key)).map((each) => each.key),
  );
  return around.filter(({ key }) => leading.has(key));
}

function following(start: ResourceKey, next: (key: ResourceKey) => readonly ResourceKey[]): ReadonlySet<ResourceKey> {
  const found = new Set(next(start));
  for (const key of found) next(key).forEach((each) => found.add(each));
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
  const paths = new Map<ResourceKey, readonly ResourceKey[]>([[from, [from]]]);
  // A map also goes through what is added meanwhile.
  for (const [key, path] of paths)
    for (const next of byKey.get(key)?.edges ?? [])
      if (byKey.has(next.to) && !paths.has(next.to)) paths.set(next.to, [...path, next.to]);
  return paths.get(to) ?? [from, to];
}

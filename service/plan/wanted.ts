// How many instances of each component a platform wants on a cloud: the walk along manifest.DependsOn (service-facts §10.5).
// It must not know what runs, nor attributes of any component.
import type { PlanEdge } from './input';

interface Graph {
  /** ciIds of the components, live ones only. */
  readonly components: readonly number[];
  readonly edges: readonly PlanEdge[];
  readonly entrypoint: number | undefined;
  /** Depth of each component: greater than that of anything it depends on. */
  readonly depths: ReadonlyMap<number, number>;
}

/** Targets one source of this edge has on a cloud: `current` percent-scaled and rounded up when flex (service-facts §4.7.5). */
export function targetsOf(edge: PlanEdge, scale: number): number {
  return edge.flex ? Math.ceil((edge.current * scale) / 100) : edge.current;
}

/**
 * Instances wanted of each component on a cloud scaled to `scale` percent. The walk starts with one instance of the entrypoint and goes
 * down along its dependencies, multiplied by each flex relation and shared where relations converge; then up: what depends on a component
 * has one instance for each of it. What no relation joins to the rest has one.
 */
export function instancesWanted(
  { components, edges, entrypoint, depths }: Graph,
  scale: number,
): ReadonlyMap<number, number> {
  const known = new Set(components);
  const inside = edges.filter((edge) => known.has(edge.from) && known.has(edge.to));
  const depth = (id: number): number => depths.get(id) ?? 0;
  const upwards = [...components].sort((left, right) => depth(left) - depth(right));
  const downwards = [...upwards].reverse();
  const entries = entrypoint !== undefined && known.has(entrypoint) ? [entrypoint] : rootsOf(components, inside);
  const counts = new Map<number, number>(entries.map((id) => [id, 1]));
  const isEntry = new Set(entries);

  const goDown = (mayRaise: boolean): void => {
    const settled = new Set(mayRaise ? [] : counts.keys());
    for (const id of downwards) {
      const count = counts.get(id);
      if (count === undefined) continue;
      for (const edge of inside) {
        if (edge.from !== id || settled.has(edge.to) || isEntry.has(edge.to)) continue;
        const each = targetsOf(edge, scale);
        raise(counts, edge.to, edge.converge ? Math.min(1, count * each) : count * each);
      }
    }
  };
  const goUp = (): void => {
    for (const id of upwards) {
      if (isEntry.has(id)) continue;
      for (const edge of inside) {
        const below = edge.from === id ? counts.get(edge.to) : undefined;
        // A shared or multiplied target says nothing about how many share it; a component nothing else reached has one.
        if (below === undefined) continue;
        if (edge.flex || edge.converge) raise(counts, id, Math.min(1, below));
        else raise(counts, id, below);
      }
    }
  };

  goDown(true);
  for (let before = -1; before !== counts.size;) {
    before = counts.size;
    goUp();
    goDown(false);
  }
  for (const id of components) if (!counts.has(id)) counts.set(id, 1);
  return counts;
}

function raise(counts: Map<number, number>, id: number, count: number): void {
  counts.set(id, Math.max(counts.get(id) ?? 0, count));
}

function rootsOf(components: readonly number[], edges: readonly PlanEdge[]): number[] {
  const needed = new Set(edges.map((edge) => edge.to));
  return components.filter((id) => !needed.has(id));
}

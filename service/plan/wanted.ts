// How many instances a platform needs on a cloud, and how much of a plan one deployment carries out (service-facts §4.7.5, §10.5).
// Attributes of components do not matter here.
import { type PlanEdge } from './input';

interface Graph {
  /** ciIds of the components, live ones only. */
  readonly components: readonly number[];
  readonly edges: readonly PlanEdge[];
  readonly entrypoint: number | undefined;
  /** Depth of each component: greater than that of anything it depends on. */
  readonly depths: ReadonlyMap<number, number>;
}

/** Targets one source of this edge has on a cloud: `current` percent-scaled and rounded up when flex (service-facts §4.7.5). */
function targetsOf(edge: PlanEdge, scale: number): number {
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

/** A write of an instance, as far as a portion looks at it. The number ends the name: `<component>-<cloudCiId>-<n>`. */
interface Numbered {
  readonly action: 'add' | 'update' | 'replace';
  readonly name: string;
  readonly componentId: number;
  /** `propagate`: nothing of its own changed, a neighbour did. */
  readonly cause: 'own' | 'propagate';
}

const numberOf = ({ name }: Numbered): number => Number(name.slice(name.lastIndexOf('-') + 1));

/** Components of which one instance accompanies each instance of `target`: joined one to one, and as many. */
function standingWith(target: number, edges: readonly PlanEdge[], counts: ReadonlyMap<number, number>): Set<number> {
  const found = new Set([target]);
  const joined = edges.filter((edge) => !edge.flex && !edge.converge);
  const isAsMany = (id: number): boolean => counts.get(id) === counts.get(target);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { from, to } of joined) {
      if (found.has(to) && isAsMany(from)) found.add(from);
      if (found.has(from) && isAsMany(to)) found.add(to);
    }
  }
  return found;
}

/**
 * The writes of one platform on one cloud, without those that a later deployment is for: of the targets of a flex relation, and what stands
 * with them, as many numbers change as its portion of `counts` says, rounded up, lowest first. New instances are never held up.
 */
export function withinPortions<W extends Numbered>(
  edges: readonly PlanEdge[],
  counts: ReadonlyMap<number, number>,
  writes: readonly W[],
): readonly W[] {
  return edges
    .filter((edge) => edge.flex && edge.portion < 100)
    .reduce<readonly W[]>((left, { to, portion }) => {
      const group = standingWith(to, edges, counts);
      const isLimited = (write: W): boolean => write.action !== 'add' && group.has(write.componentId);
      const limited = left.filter(isLimited);
      // What differs comes first: it is due again as long as it does, what a neighbour passes on is not.
      const own = limited.filter((write) => write.cause === 'own');
      const numbers = [...new Set((own.length > 0 ? own : limited).map(numberOf))].sort((one, other) => one - other);
      const allowed = new Set(numbers.slice(0, Math.ceil(((counts.get(to) ?? 0) * portion) / 100)));
      return left.filter((write) => !isLimited(write) || allowed.has(numberOf(write)));
    }, writes);
}

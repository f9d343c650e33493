// How much of a plan one deployment carries out: flex relations may let only a part of their targets change at once (service-facts §4.7.5 pct_dpmt).
// It must not know what changes, nor in which order.
import type { PlanEdge } from './input';

/** A write of an instance, as far as a portion looks at it. The number ends the name: `<component>-<cloudCiId>-<n>`. */
interface Numbered {
  readonly action: 'add' | 'update' | 'replace';
  readonly name: string;
  readonly componentId: number;
  /** `propagate`: nothing of its own changed, a neighbour did. */
  readonly cause: 'own' | 'propagate';
}

const numberOf = ({ name }: Numbered): number => Number(name.slice(name.lastIndexOf('-') + 1));

/** Components of which one instance stands with each instance of `target`: joined one to one, and as many. */
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

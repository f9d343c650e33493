// How many instances a plan wants of each component of a platform, from the relations between them (service-facts §10.5). For reviews, which judge what
// a changed relation removes. It must not know what runs, nor how much of its instances a cloud gets.

/** A relation between two components, as a plan reads it. */
export interface TargetRelation {
  readonly id: number;
  /** Numbers of the components. */
  readonly from: number;
  readonly to: number;
  readonly current: number;
  readonly isFlexible: boolean;
  /** Whether all sources share one target. */
  readonly isShared: boolean;
}

/** The relations of a platform, and the component at which the way through them begins. */
interface TargetGraph {
  readonly relations: readonly TargetRelation[];
  readonly entry: number;
}

/** Instances of each component that the way through the relations reaches: down from the entry, then up to what depends on what was reached, and so on. */
function wantedTargets({ relations, entry }: TargetGraph): ReadonlyMap<number, number> {
  const wanted = new Map([[entry, 1]]);
  for (let before = -1; before !== wanted.size;) {
    goDown(relations, entry, wanted);
    before = wanted.size;
    goUp(relations, entry, wanted);
  }
  return wanted;
}

/** Below what is reached: as many as the relations say, of what was not reached before. */
function goDown(relations: readonly TargetRelation[], entry: number, wanted: Map<number, number>): void {
  const settled = new Set(wanted.keys());
  inRounds(relations, wanted, ({ from, to, current, isShared }) => {
    const above = wanted.get(from);
    if (above === undefined || to === entry || settled.has(to)) return undefined;
    return { component: to, count: isShared ? Math.min(1, above * current) : above * current };
  });
}

/** What depends on what is reached has one for each; of something that is shared, or of which there are several, it has one. */
function goUp(relations: readonly TargetRelation[], entry: number, wanted: Map<number, number>): void {
  inRounds(relations, wanted, ({ from, to, isFlexible, isShared }) => {
    const below = wanted.get(to);
    if (below === undefined || from === entry) return undefined;
    return { component: from, count: isFlexible || isShared ? Math.min(1, below) : below };
  });
}

/** Raises counts until no relation raises one. Relations in a circle end it, too. */
function inRounds(
  relations: readonly TargetRelation[],
  wanted: Map<number, number>,
  countOf: (relation: TargetRelation) => { readonly component: number; readonly count: number } | undefined,
): void {
  let isRaised = true;
  for (let round = 0; isRaised && round <= relations.length; round += 1) {
    isRaised = false;
    for (const relation of relations) {
      const found = countOf(relation);
      if (found === undefined || (wanted.get(found.component) ?? -1) >= found.count) continue;
      wanted.set(found.component, found.count);
      isRaised = true;
    }
  }
}

/** Whether a plan wants fewer instances of a component than in another graph of the same platform. */
export function wantsFewer(graph: TargetGraph, than: TargetGraph): boolean {
  const wanted = wantedTargets(graph);
  return [...wantedTargets(than)].some(([component, count]) => (wanted.get(component) ?? 1) < count);
}

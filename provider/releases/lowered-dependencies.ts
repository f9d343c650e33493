// Dependencies between the components of an environment that somebody gave fewer targets, from the changes of relations in its releases (service-facts
// §4.7.5). It must not know which of them the scaling of a platform declares.
import type { Relation, Release } from '../../api/contract';
import { cacheGets } from '../api-layers';
import { newestReleases, oldestRelease, textBefore, type Asking, type SwitchedBy, type Walk } from './switch-changes';
import { wantsFewer, type TargetRelation } from './wanted-targets';

/** A dependency that has fewer targets than it had. */
export interface LoweredDependency {
  readonly relationId: number;
  readonly platform: string;
  /** Numbers of the two components. */
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly now: number;
  /** Who set it, and in which release. */
  readonly set: SwitchedBy;
  readonly isOpen: boolean;
  /** Whether a plan wants fewer instances for it. Also where the releases that were read do not show what else leads to the component. */
  readonly takesAway: boolean;
}

/** Without what follows from all relations of a platform. */
type Lowered = Omit<LoweredDependency, 'takesAway'>;

/** By the number of the relation. */
type Dependencies = ReadonlyMap<number, Lowered>;

/**
 * The dependencies of an environment that have fewer targets than before, committed or not, and how far its releases show that. Reads the newest
 * release and some of the closed ones before it.
 */
export async function loweredDependencies(
  asking: Asking,
): Promise<{ readonly found: readonly LoweredDependency[]; readonly walk: Walk }> {
  const { reads } = asking.session;
  const { releases, walk } = await newestReleases({
    ...asking,
    api: reads ? cacheGets(asking.api, reads) : asking.api,
  });
  const committed = releases.filter(({ releaseState }) => releaseState !== 'open').reduce(changedBy, new Map());
  const open = releases.filter(({ releaseState }) => releaseState === 'open').reduce(changedBy, committed);
  // A change that is not committed takes nothing back yet.
  const lower = new Map([...open, ...committed].filter(([, { now, before }]) => now < before));
  const found = [...lower.values()];
  // The first release made most of the relations.
  const first = found.length > 0 && walk === 'too far' ? await oldestRelease(asking) : undefined;
  return { found: withImpact(found, [...(first ? [first] : []), ...releases]), walk };
}

/** What the dependencies take away: each lowered alone, or each restored alone. */
function withImpact(found: readonly Lowered[], releases: readonly Release[]): readonly LoweredDependency[] {
  return found.map((own) => {
    const entry = entryOf(own.platform, releases);
    const relations = relationsOf(own.platform, releases);
    if (entry === undefined || !relations.has(own.relationId)) return { ...own, takesAway: true };
    const graphWith = (countOf: (each: Lowered) => number) => {
      const counts = new Map(found.map((each) => [each.relationId, countOf(each)]));
      const all = [...relations.values()];
      return { entry, relations: all.map((each) => ({ ...each, current: counts.get(each.id) ?? each.current })) };
    };
    const isOwn = ({ relationId }: Lowered): boolean => relationId === own.relationId;
    const lowered = graphWith((each) => (isOwn(each) ? each.now : each.before));
    const restored = graphWith((each) => (isOwn(each) ? each.before : each.now));
    const takesAway =
      wantsFewer(
        lowered,
        graphWith(({ before }) => before),
      ) ||
      wantsFewer(
        graphWith(({ now }) => now),
        restored,
      );
    return { ...own, takesAway };
  });
}

const platformOf = ({ nsPath }: Relation): string => nsPath.split('/')[5] ?? '';

/** The component at which the way through a platform begins. */
function entryOf(platform: string, releases: readonly Release[]): number | undefined {
  const changes = releases.flatMap(({ rfc_relations: all }) => all ?? []);
  const added = changes.filter(({ relationName, rfcAction }) => isEntry(relationName) && rfcAction === 'add');
  return added.findLast((each) => platformOf(each) === platform)?.toCiId;
}

const isEntry = (relationName: string): boolean => relationName.endsWith('.Entrypoint');

/** The dependencies within a platform, as releases created and changed them. */
function relationsOf(platform: string, releases: readonly Release[]): ReadonlyMap<number, TargetRelation> {
  const known = new Map<number, TargetRelation>();
  for (const change of releases.flatMap(({ rfc_relations: all }) => all ?? [])) {
    if (change.relationName !== DEPENDS || platformOf(change) !== platform) continue;
    const { ciRelationId: id, fromCiId: from, toCiId: to, relationAttributes: texts } = change;
    const before = known.get(id);
    const current = Number(texts['current'] ?? before?.current ?? 1);
    if (change.rfcAction === 'delete') known.delete(id);
    else if (before !== undefined) known.set(id, { ...before, current });
    else if (change.rfcAction === 'add') {
      const isFlexible = texts['flex'] === 'true';
      known.set(id, { id, from, to, current, isFlexible, isShared: texts['converge'] === 'true' });
    }
  }
  return known;
}

const DEPENDS = 'manifest.DependsOn';

/** Dependencies after the changes of a release. */
function changedBy(known: Dependencies, release: Release): Dependencies {
  const changed = new Map(known);
  for (const change of release.rfc_relations ?? []) {
    if (change.relationName !== DEPENDS) continue;
    const last = changed.get(change.ciRelationId);
    if (change.rfcAction === 'delete') changed.delete(change.ciRelationId);
    else if (change.relationAttributes['current'] != null && Number(change.relationAttributes['current']) !== last?.now)
      changed.set(change.ciRelationId, dependencyIn(release, change, last?.before));
  }
  return changed;
}

/** A dependency as a change leaves it. `first`: what it had when nobody had set it, if an earlier change shows that. */
function dependencyIn(release: Release, change: Relation, first: number | undefined): Lowered {
  const now = Number(change.relationAttributes['current']);
  // A newer version of the pack may bring another number, which is not locked; no pack brings 0 where there was more.
  const isLocked = change.relationAttrProps?.owner?.['current'] === 'manifest';
  const isSet = isLocked || (now === 0 && change.rfcAction !== 'add');
  return {
    relationId: change.ciRelationId,
    platform: platformOf(change),
    from: change.fromCiId,
    to: change.toCiId,
    before: isSet ? (first ?? Number(textBefore(change, 'current') ?? 1)) : now,
    now,
    set: {
      by: change.updatedBy || change.createdBy || release.commitedBy || release.createdBy || '',
      at: change.updated ?? change.created ?? release.updated ?? release.created ?? 0,
      releaseId: release.releaseId,
    },
    isOpen: release.releaseState === 'open',
  };
}

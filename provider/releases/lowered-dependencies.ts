// Dependencies between the components of an environment that somebody gave fewer targets, from the changes of relations in its releases (service-facts
// §4.7.5). It must not know which of them the scaling of a platform declares.
import type { Relation, Release } from '../../api/contract';
import { cacheGets } from '../api-layers';
import { newestReleases, textBefore, type Asking, type SwitchedBy, type Walk } from './switch-changes';

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
}

/** By the number of the relation. */
type Dependencies = ReadonlyMap<number, LoweredDependency>;

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
  return { found: [...lower.values()], walk };
}

/** Dependencies after the changes of a release. */
function changedBy(known: Dependencies, release: Release): Dependencies {
  const changed = new Map(known);
  for (const change of release.rfc_relations ?? []) {
    if (change.relationName !== 'manifest.DependsOn') continue;
    const last = changed.get(change.ciRelationId);
    if (change.rfcAction === 'delete') changed.delete(change.ciRelationId);
    else if (change.relationAttributes['current'] != null && Number(change.relationAttributes['current']) !== last?.now)
      changed.set(change.ciRelationId, dependencyIn(release, change, last?.before));
  }
  return changed;
}

/** A dependency as a change leaves it. `first`: what it had when nobody had set it, if an earlier change shows that. */
function dependencyIn(release: Release, change: Relation, first: number | undefined): LoweredDependency {
  const now = Number(change.relationAttributes['current']);
  // A newer version of the pack may bring another number, which is not locked; no pack brings 0 where there was more.
  const isLocked = change.relationAttrProps?.owner?.['current'] === 'manifest';
  const isSet = isLocked || (now === 0 && change.rfcAction !== 'add');
  return {
    relationId: change.ciRelationId,
    platform: change.nsPath.split('/')[5] ?? '',
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

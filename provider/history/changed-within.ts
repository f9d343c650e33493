// Changes in the platforms of an environment that no list shows, from its releases: deleted
// platforms, availability, and dependencies of components (service-facts §4.7.3, §4.7.5).
import { type Record as WireRecord, type Relation, relationMetadata, type Release } from '../../api/contract';
import { causeOf, newestReleases, type Place, textBefore } from './environment-releases';
import type { Cause } from './change';
import { platformOf } from '../address/ids';

/** Something of a platform that is changed in an environment, committed or not. */
export interface ChangedWithin {
  readonly platform: string;
  /** Who changed it last, and in which release. */
  readonly set: Cause;
  readonly isOpen: boolean;
}

/** A platform with another availability than at its first pull. */
export interface ChangedAvailability extends ChangedWithin {
  readonly before: string;
  readonly now: string;
}

/** Attributes of a dependency that can be set in an environment, by their wire names. */
const SETTABLE = ['current', 'min', 'max', 'step_up', 'step_down', 'pct_dpmt', 'propagate_to'] as const;
type Settable = (typeof SETTABLE)[number];

/** An attribute of a dependency that has another value than it had before somebody set it. */
export interface SetDependency extends ChangedAvailability {
  readonly relationId: number;
  /** Numbers of the two components. */
  readonly from: number;
  readonly to: number;
  readonly attribute: Settable;
  /** Other users who wrote the dependency in the same release, and may have set the attribute. */
  readonly orBy: readonly string[];
}

/** The changes within an environment, by its newest releases, and whether these are all. */
export async function changedWithin(asking: Place) {
  const { releases, walk } = await newestReleases(asking);
  return {
    deleted: deletedIn(releases),
    availability: changedBy(releases, changedAvailability),
    dependencies: changedBy(releases, changedDependencies),
    walk,
  };
}

const isOpen = ({ releaseState }: Release): boolean => releaseState === 'open';

/** The changes of release after release, by a key. */
type Fold<T> = (known: Map<string, T>, release: Release) => Map<string, T>;

/** Changes with another value than before. An open change takes nothing back yet. */
function changedBy<T extends ChangedAvailability>(releases: readonly Release[], fold: Fold<T>): readonly T[] {
  const committed = releases.filter((release) => !isOpen(release)).reduce(fold, new Map<string, T>());
  const open = releases.filter(isOpen).reduce(fold, new Map(committed));
  // Filtered first: a committed value that nobody changed hides no open change of it.
  return [...new Map([...open, ...committed].filter(([, { before, now }]) => before !== now)).values()];
}

const DEPENDS = 'manifest.DependsOn';

/** By the number of the relation and the attribute. */
const changedDependencies: Fold<SetDependency> = (changed, release) => {
  for (const change of release.rfc_relations ?? []) {
    if (change.relationName !== DEPENDS) continue;
    for (const attribute of SETTABLE) {
      const key = `${change.ciRelationId} ${attribute}`;
      const now = change.relationAttributes[attribute];
      const last = changed.get(key);
      if (change.rfcAction === 'delete') changed.delete(key);
      else if (now != null && now !== last?.now) changed.set(key, setIn(release, change, attribute, last?.before));
    }
  }
  return changed;
};

/** An attribute of a dependency after a change. `first`: its value before anybody set it. */
function setIn(release: Release, change: Relation, attribute: Settable, first: string | undefined): SetDependency {
  const { ciRelationId: relationId, fromCiId: from, toCiId: to, createdBy } = change;
  const now = change.relationAttributes[attribute] ?? '';
  // A newer pack may bring another value, without a lock, but never the number 0.
  const isEmptied = attribute === 'current' && Number(now) === 0 && change.rfcAction !== 'add';
  const isSet = isEmptied || change.relationAttrProps?.owner?.[attribute] === 'manifest';
  const before = isSet ? (first ?? textBefore(change, attribute) ?? DEFAULTS[attribute] ?? '') : now;
  const { set, ...changed } = changedIn(release, platformOf(change), change);
  const orBy = createdBy && createdBy !== set.who ? [createdBy] : [];
  return { ...changed, set, relationId, from, to, attribute, before, now, orBy };
}

const changedIn = (release: Release, platform: string, change: WireRecord | Relation): ChangedWithin => ({
  platform,
  set: causeOf(release, change),
  isOpen: isOpen(release),
});

/** The default values of a new dependency, without those of its pack. */
const DEFAULTS: { readonly [attribute: string]: string | undefined } = Object.fromEntries(
  Object.entries(relationMetadata(DEPENDS)?.attributes ?? {}).map(([name, { default: text }]) => [
    name,
    text ?? undefined,
  ]),
);

/** By the name of the platform. */
const changedAvailability: Fold<ChangedAvailability> = (changed, release) => {
  for (const [platform, change] of platformsIn(release)) {
    const { rfcAction, ciAttributes, ciBaseAttributes } = change;
    const [now, old] = [ciAttributes['availability'], ciBaseAttributes?.['availability']];
    if (rfcAction !== 'update') changed.delete(platform);
    else if (typeof now === 'string' && typeof old === 'string') {
      const before = changed.get(platform)?.before ?? old;
      changed.set(platform, { ...changedIn(release, platform, change), before, now });
    }
  }
  return changed;
};

/** Platforms that releases delete, and that no later one adds again. */
function deletedIn(releases: readonly Release[]): readonly ChangedWithin[] {
  const found = new Map<string, ChangedWithin>();
  for (const release of releases)
    for (const [platform, change] of platformsIn(release))
      if (change.rfcAction === 'delete') found.set(platform, changedIn(release, platform, change));
      // A platform can be updated until its deletion: only an addition that is committed brings it back.
      else if (change.rfcAction === 'add' && !isOpen(release)) found.delete(platform);
  return [...found.values()];
}

const platformsIn = ({ rfc_cis: changes = [] }: Release): readonly (readonly [string, WireRecord])[] =>
  changes.flatMap((change) => (change.ciClassName === 'manifest.Platform' ? [[change.ciName, change] as const] : []));

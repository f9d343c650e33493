// What somebody changed in the platforms of an environment and no list shows, from its releases:
// deleted platforms, availability, and dependencies of components (service-facts §4.7.3, §4.7.5).
import { type Relation, relationMetadata, type Release } from '../../api/contract';
import { type Asking, newestReleases, setBy, textBefore, type Walk, writtenBy } from './environment-releases';
import type { SwitchedBy } from './change';
import { platformOf } from '../address/ids';

/** A platform whose availability is another one than that of its first pull. */
export interface ChangedAvailability {
  readonly platform: string;
  readonly before: string;
  readonly now: string;
  /** Who changed it, and in which release. */
  readonly set: SwitchedBy;
  readonly isOpen: boolean;
}

/** A platform whose last change in an environment is its deletion. */
export interface DeletedPlatform {
  readonly name: string;
  /** Who deleted it, and in which release. */
  readonly deleted: SwitchedBy;
  readonly isOpen: boolean;
}

/** Attributes of a dependency that can be set in an environment, by their wire names. */
const SETTABLE = ['current', 'min', 'max', 'step_up', 'step_down', 'pct_dpmt', 'propagate_to'] as const;
type Settable = (typeof SETTABLE)[number];

/** An attribute of a dependency that has another value than it had before somebody set it. */
export interface SetDependency {
  readonly relationId: number;
  readonly platform: string;
  /** Numbers of the two components. */
  readonly from: number;
  readonly to: number;
  readonly attribute: Settable;
  readonly before: string;
  readonly now: string;
  /** Who set it, and in which release. */
  readonly set: SwitchedBy;
  /** Other users who wrote the dependency in the same release, and may have set the attribute. */
  readonly orBy: readonly string[];
  readonly isOpen: boolean;
  /** Whether it is a smaller number of instances. */
  readonly takesAway: boolean;
}

/** By the number of the relation and the attribute. */
type Dependencies = ReadonlyMap<string, SetDependency>;

/** What is changed within an environment, committed or not, and how far its releases show that. */
interface ChangedWithin {
  readonly deleted: readonly DeletedPlatform[];
  readonly availability: readonly ChangedAvailability[];
  readonly dependencies: readonly SetDependency[];
  readonly walk: Walk;
}

/** Reads the newest release and some of the closed ones before it. */
export async function changedWithin(asking: Asking): Promise<ChangedWithin> {
  const { releases, walk } = await newestReleases(asking);
  const availability = changedBy(releases, changedAvailability);
  const dependencies = changedBy(releases, changedDependencies);
  return { deleted: deletedIn(releases), availability, dependencies, walk };
}

/** What has another value than before. An open change takes nothing back yet. */
function changedBy<T extends { readonly before: string; readonly now: string }>(
  releases: readonly Release[],
  fold: (known: ReadonlyMap<string, T>, release: Release) => ReadonlyMap<string, T>,
): readonly T[] {
  const isOpen = ({ releaseState }: Release): boolean => releaseState === 'open';
  const none: ReadonlyMap<string, T> = new Map();
  const committed = releases.filter((release) => !isOpen(release)).reduce(fold, none);
  const open = releases.filter(isOpen).reduce(fold, committed);
  // Filtered first: a committed value that nobody changed hides no open change of it.
  return [...new Map([...open, ...committed].filter(([, { before, now }]) => before !== now)).values()];
}

const DEPENDS = 'manifest.DependsOn';

/** What is set after the changes of a release. */
function changedDependencies(known: Dependencies, release: Release): Dependencies {
  const changed = new Map(known);
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
}

/** An attribute of a dependency after a change. `first`: its value before anybody set it. */
function setIn(release: Release, change: Relation, attribute: Settable, first: string | undefined): SetDependency {
  const now = change.relationAttributes[attribute] ?? '';
  const set = setBy(release, change);
  const { createdBy } = change;
  const before = isSetBy(change, attribute, now)
    ? (first ?? textBefore(change, attribute) ?? DEFAULTS[attribute] ?? '')
    : now;
  return {
    relationId: change.ciRelationId,
    platform: platformOf(change),
    from: change.fromCiId,
    to: change.toCiId,
    attribute,
    before,
    now,
    set,
    orBy: createdBy && createdBy !== set.by ? [createdBy] : [],
    isOpen: release.releaseState === 'open',
    takesAway: attribute === 'current' && Number(now) < Number(before),
  };
}

/** A newer pack may bring another value, without a lock, but never the number 0. */
const isSetBy = ({ relationAttrProps, rfcAction }: Relation, attribute: Settable, now: string): boolean =>
  relationAttrProps?.owner?.[attribute] === 'manifest' ||
  (attribute === 'current' && Number(now) === 0 && rfcAction !== 'add');

/** What a new dependency has where its pack says nothing. */
const DEFAULTS: { readonly [attribute: string]: string | undefined } = Object.fromEntries(
  Object.entries(relationMetadata(DEPENDS)?.attributes ?? {}).map(([name, { default: text }]) => [
    name,
    text ?? undefined,
  ]),
);

/** Availability as it is after the changes of a release. */
function changedAvailability(
  known: ReadonlyMap<string, ChangedAvailability>,
  release: Release,
): ReadonlyMap<string, ChangedAvailability> {
  const changed = new Map(known);
  for (const change of release.rfc_cis ?? []) {
    if (change.ciClassName !== 'manifest.Platform') continue;
    const { ciName: platform, rfcAction, ciAttributes, ciBaseAttributes } = change;
    const [now, old] = [ciAttributes['availability'], ciBaseAttributes?.['availability']];
    if (rfcAction !== 'update') changed.delete(platform);
    else if (typeof now === 'string' && typeof old === 'string') {
      const before = changed.get(platform)?.before ?? old;
      changed.set(platform, {
        platform,
        before,
        now,
        set: writtenBy(release, change),
        isOpen: release.releaseState === 'open',
      });
    }
  }
  return changed;
}

/** Platforms that releases delete, and that no later one adds again. */
function deletedIn(releases: readonly Release[]): readonly DeletedPlatform[] {
  const found = new Map<string, DeletedPlatform>();
  for (const release of releases)
    for (const change of release.rfc_cis ?? []) {
      const { ciClassName, ciName, rfcAction } = change;
      if (ciClassName !== 'manifest.Platform') continue;
      const deleted = writtenBy(release, change);
      if (rfcAction === 'delete') found.set(ciName, { name: ciName, deleted, isOpen: release.releaseState === 'open' });
      // A platform can be updated until its deletion: only an addition brings it back.
      else if (rfcAction === 'add') found.delete(ciName);
    }
  return [...found.values()];
}

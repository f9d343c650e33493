// What somebody changed within the platforms of an environment, or took out of it, from the changes in its releases (service-facts §4.7.3, §4.7.5): no
// list shows platforms that were deleted there alone, their availability once it is no longer redundant, and dependencies between components.
import { type Relation, relationMetadata, type Release } from '../../api/contract';
import { type Asking, newestReleases, oldestRelease, textBefore, type Walk, writtenBy } from './environment-releases';
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
  /** Whether a plan wants fewer instances for it. Also where the releases that were read do not show what else leads to the component. */
  readonly takesAway: boolean;
}

/** Without what follows from all relations of a platform. */
type SetValue = Omit<SetDependency, 'takesAway'>;

/** By the number of the relation and the attribute. */
type Dependencies = ReadonlyMap<string, SetValue>;

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
  const set = changedBy(releases, changedDependencies);
  // The first release made most of the relations.
  const first = set.some(isLowered) && walk === 'too far' ? await oldestRelease(asking) : undefined;
  const dependencies = withImpact(set, [...(first ? [first] : []), ...releases]);
  return { deleted: deletedIn(releases), availability, dependencies, walk };
}

/** What has another value than before, by a fold over releases: a change that is not committed takes nothing back yet. */
function changedBy<T extends { readonly before: string; readonly now: string }>(
  releases: readonly Release[],
  fold: (known: ReadonlyMap<string, T>, release: Release) => ReadonlyMap<string, T>,
): readonly T[] {
  const isOpen = ({ releaseState }: Release): boolean => releaseState === 'open';
  const none: ReadonlyMap<string, T> = new Map();
  const committed = releases.filter((release) => !isOpen(release)).reduce(fold, none);
  const open = releases.filter(isOpen).reduce(fold, committed);
  // Before the two are put together: a committed value that nobody changed hides no open change of it.
  return [...new Map([...open, ...committed].filter(([, { before, now }]) => before !== now)).values()];
}

const isLowered = ({ attribute, now, before }: SetValue): boolean =>
  attribute === 'current' && Number(now) < Number(before);

/** What the dependencies take away: each lowered alone, or each restored alone. */
function withImpact(found: readonly SetValue[], releases: readonly Release[]): readonly SetDependency[] {
  const counts = found.filter(({ attribute }) => attribute === 'current');
  return found.map((own) => {
    if (!isLowered(own)) return { ...own, takesAway: false };
    const entry = entryOf(own.platform, releases);
    const relations = relationsOf(own.platform, releases);
    if (entry === undefined || !relations.has(own.relationId)) return { ...own, takesAway: true };
    const graphWith = (textOf: (each: SetValue) => string) => {
      const set = new Map(counts.map((each) => [each.relationId, Number(textOf(each))]));
      const all = [...relations.values()];
      return { entry, relations: all.map((each) => ({ ...each, current: set.get(each.id) ?? each.current })) };
    };
    const all = { before: graphWith(({ before }) => before), now: graphWith(({ now }) => now) };
    const lowered = graphWith((each) => (each === own ? each.now : each.before));
    const restored = graphWith((each) => (each === own ? each.before : each.now));
    return { ...own, takesAway: wantsFewer(lowered, all.before) || wantsFewer(all.now, restored) };
  });
}

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

/** An attribute of a dependency as a change leaves it. `first`: what it was when nobody had set it, if an earlier change shows that. */
function setIn(release: Release, change: Relation, attribute: Settable, first: string | undefined): SetValue {
  const now = change.relationAttributes[attribute] ?? '';
  const { createdBy, updatedBy } = change;
  const by = updatedBy || createdBy || release.commitedBy || release.createdBy || '';
  return {
    relationId: change.ciRelationId,
    platform: platformOf(change),
    from: change.fromCiId,
    to: change.toCiId,
    attribute,
    before: isSetBy(change, attribute, now)
      ? (first ?? textBefore(change, attribute) ?? DEFAULTS[attribute] ?? '')
      : now,
    now,
    set: {
      by,
      at: change.updated ?? change.created ?? release.updated ?? release.created ?? 0,
      releaseId: release.releaseId,
    },
    orBy: createdBy && createdBy !== by ? [createdBy] : [],
    isOpen: release.releaseState === 'open',
  };
}

/** A newer version of the pack may bring another value, which is not locked; no pack brings the number 0 where there was more. */
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
      // A platform that is to be deleted can be updated until it is: only an addition brings it back.
      else if (rfcAction === 'add') found.delete(ciName);
    }
  return [...found.values()];
}

// How many instances a plan wants of each component of a platform, from the relations between them (service-facts §10.5). For reviews, which judge what
// a changed relation removes.

/** A relation between two components, as a plan reads it. */
interface TargetRelation {
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
function wantsFewer(graph: TargetGraph, than: TargetGraph): boolean {
  const wanted = wantedTargets(graph);
  return [...wantedTargets(than)].some(([component, count]) => (wanted.get(component) ?? 1) < count);
}

// Links of environments and platforms to clouds (service-facts §2.1.9, §4.7.1).
import { attributeFault, type AttributeMetadata, relationMetadata, type DialectRules } from '../../api/contract';
import { type Context, refused, unreadable } from '../runtime/handler';
import { cloudsIn, find } from '../runtime/locate';
import { isPrimaryLink, missingServices } from '../plan';
import {
  type WriteStamp,
  stage,
  type ReleaseWriter,
  type Store,
  type StoredRecord,
  type StoredRelation,
  type Values,
  type View,
} from '../store';
import {
  type EnvironmentPlace,
  instancesNamespace,
  type ManifestPlatform,
  manifestPlatforms,
  requirementsOf,
  serviceTypesOf,
} from './place';

/** A wanted cloud and how it shall be used. */
interface WantedCloud {
  readonly cloud: StoredRecord;
  readonly link: CloudLink;
}

type SentClouds = { readonly [cloud: string]: string | number | { readonly [name: string]: string | number } };

/**
 * The clouds a body requests. Classic: keys are ids or names, unknown ones are skipped. Documented:
 * keys are ids, unknown ones are refused. Throws a RefusedRequest (422): a cloud that is not
 * active, attributes, or no primary.
 */
export function wantedClouds(context: Context, sent: SentClouds): WantedCloud[] {
  const { rules } = context;
  const wanted = Object.entries(sent).flatMap(([key, entry]): WantedCloud[] => {
    const byName = !/^\d+$/.test(key);
    const cloud =
      byName && !rules.cloudPriorityTextOnly ? undefined : find(context, key, cloudsIn(context.organization));
    if (cloud === undefined) {
      if (rules.cloudPriorityTextOnly) return [];
      throw refused(`clouds: ${JSON.stringify(key)} is not the id of a cloud of organization ${context.organization}`);
    }
    if (cloud.values['adminstatus'] !== 'active')
      throw refused(`cloud ${cloud.name} is not active: it cannot be used in an environment`);
    return [{ cloud, link: linkEntry(entry, rules) }];
  });
  if (!wanted.some(({ link }) => isPrimaryLink(link)))
    throw refused('at least one primary cloud is needed: one with priority 1');
  const ids = wanted.map(({ cloud }) => cloud.id);
  const twice = wanted.find(({ cloud }, index) => ids.indexOf(cloud.id) !== index);
  if (twice !== undefined) throw refused(`clouds: ${twice.cloud.name} is there twice`);
  return wanted;
}

/** Links of the environment itself, or of a platform, to clouds. */
export const cloudLinks = (store: Store, recordId: number, view: View = 'staying'): StoredRelation[] =>
  store.relations.from(recordId, 'base.Consumes', view);

/** The wire's `clouds`: cloud ciId → link attributes (service-facts §2.4). */
export function cloudsOf(store: Store, environment: StoredRecord): { readonly [cloud: string]: CloudLink } {
  return Object.fromEntries(
    cloudLinks(store, environment.id).map((relation) => [String(relation.toId), storedLink(relation.values)]),
  );
}

/** Links a new environment to its clouds. */
export function linkEnvironment(
  store: Store,
  place: EnvironmentPlace,
  wanted: readonly WantedCloud[],
  author: WriteStamp,
): void {
  for (const { cloud, link } of wanted) {
    store.relations.insert(
      { namespace: place.path, name: 'base.Consumes', fromId: place.environment.id, toId: cloud.id, values: link },
      author,
    );
  }
}

/**
 * Makes the environment's clouds the wanted set. Links that stay take their new attributes on the
 * environment only; a cloud that is new is added to every platform; one that is left out is taken
 * from every platform immediately. Throws a RefusedRequest (422) when a cloud is left out while a
 * manifest or bom release is open or instances run there.
 */
export function changeClouds(
  store: Store,
  place: EnvironmentPlace,
  wanted: readonly WantedCloud[],
  author: WriteStamp,
): void {
  const present = cloudLinks(store, place.environment.id);
  const platforms = manifestPlatforms(store, place);
  const leaving = present.filter((relation) => !wanted.some(({ cloud }) => cloud.id === relation.toId));
  checkLeaving(store, place, platforms, leaving);
  for (const relation of leaving) {
    store.relations.remove(relation.id);
    for (const { record } of platforms) {
      for (const link of cloudLinks(store, record.id)) if (link.toId === relation.toId) store.relations.remove(link.id);
    }
  }
  for (const { cloud, link } of wanted) {
    const known = present.find((relation) => relation.toId === cloud.id);
    if (known === undefined) {
      linkEnvironment(store, place, [{ cloud, link }], author);
      addToPlatforms({ store, place, author }, platforms, { cloud, link });
    } else {
      store.relations.update(known.id, { values: link }, author);
    }
  }
}

function checkLeaving(
  store: Store,
  place: EnvironmentPlace,
  platforms: readonly ManifestPlatform[],
  leaving: readonly StoredRelation[],
): void {
  if (leaving.length === 0) return;
  if (store.releases.open(place.manifest) !== undefined || store.releases.open(place.bom) !== undefined)
    throw refused('a cloud cannot be removed while a manifest or bom release is open (6014)');
  const inUse = new Set(
    platforms.flatMap(({ record }) =>
      store.relations
        .list(instancesNamespace(place, record), 'base.DeployedTo', 'committed')
        .map((relation) => relation.toId),
    ),
  );
  const running = leaving.find((relation) => inUse.has(relation.toId));
  if (running !== undefined) throw refused('a cloud cannot be removed while instances run there (6015)');
}

/** Adds a cloud to every platform; it disables those whose services it lacks (§12a). */
function addToPlatforms(
  { store, place, author }: { readonly store: Store; readonly place: EnvironmentPlace; readonly author: WriteStamp },
  platforms: readonly ManifestPlatform[],
  { cloud, link }: WantedCloud,
): void {
  const manifest = stage(store, place.manifest, author);
  const offered = serviceTypesOf(store, cloud.id);
  for (const { record, composition } of platforms) {
    if (record.change?.action === 'delete' || record.state === 'pending_deletion') continue;
    linkPlatform(store, manifest, record, { cloud, link });
    if (missingServices(requirementsOf(store, record), offered).length > 0)
      manifest.updateRelation(composition, { values: { enabled: 'false' } });
  }
  const release = manifest.release();
  const designed = store.releases.latest(place.design, ['closed']);
  if (release !== undefined && designed !== undefined) store.releases.describe(release.id, { parentId: designed.id });
}

/** Links a platform to a cloud in the manifest release, unless it has the link. */
export function linkPlatform(
  store: Store,
  manifest: ReleaseWriter,
  platform: StoredRecord,
  { cloud, link }: WantedCloud,
): void {
  if (cloudLinks(store, platform.id).some((relation) => relation.toId === cloud.id)) return;
  const ends = { fromId: platform.id, toId: cloud.id };
  manifest.addRelation({ namespace: platform.namespace, name: 'base.Consumes', ...ends, values: link });
}

/** Attributes of a link to a cloud (service-facts §3.9). Priority can be `''`. */
type CloudLink = { readonly [name in 'priority' | 'dpmt_order' | 'pct_scale' | 'adminstatus']: string };

type SentValue = string | number | boolean | null;

const RULES = relationMetadata('base.Consumes')?.attributes ?? {};
const DEFAULTS = Object.fromEntries(
  Object.entries(RULES).map(([name, rule]) => [name, rule.default ?? '']),
) as CloudLink;
const ALLOWED: { readonly [name: string]: readonly string[] } = {
  priority: ['1', '2'],
  adminstatus: ['active', 'inactive', 'offline'],
};

/**
 * Sent attributes of a relation as text. Throws a RefusedRequest (422) that names every fault: an
 * attribute that the relation does not have, and what `faultOf` says.
 */
export function relationTexts(
  relation: string,
  sent: { readonly [name: string]: SentValue | undefined },
  faultOf: (name: string, value: string, rule: AttributeMetadata) => string | undefined,
): { readonly [name: string]: string } {
  const rules = relationMetadata(relation)?.attributes ?? {};
  const entries = Object.entries(sent).map(([name, value]) => [name, value === null ? '' : String(value)] as const);
  const faults = entries.flatMap(([name, value]) => {
    const rule = rules[name];
    if (rule === undefined) return [`attribute ${name} is not defined for relation ${relation} (400)`];
    return faultOf(name, value, rule) ?? [];
  });
  if (faults.length > 0) throw refused(...faults);
  return Object.fromEntries(entries);
}

/** Sent attributes of a link to a cloud. Throws a RefusedRequest (422) that names every fault. */
export const linkPatch = (sent: { readonly [name: string]: SentValue }): Partial<CloudLink> =>
  relationTexts('base.Consumes', sent, (name, value, rule) => {
    const allowed = ALLOWED[name];
    if (allowed !== undefined && !allowed.includes(value)) return `${name} must be one of ${allowed.join(', ')}`;
    // A pattern is anchored at its start only: decimals get through, and fail when the plan is
    // built (service-facts §4.7.5).
    return value === '' || attributeFault(rule, value) !== undefined ? `${name} must be a number in digits` : undefined;
  });

/** An entry of `clouds`: a priority, or attributes. Classic ignores numbers (dialect row 16). */
function linkEntry(entry: SentClouds[string], rules: DialectRules): CloudLink {
  const sent = typeof entry === 'object' ? entry : { priority: entry };
  const unknown = Object.keys(sent).filter((name) => RULES[name] === undefined);
  if (unknown.length > 0) throw unreadable(`clouds: unknown attributes ${unknown.join(', ')}`);
  const heard = Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => !(rules.cloudPriorityTextOnly && name === 'priority' && typeof value === 'number'),
    ),
  );
  return { ...DEFAULTS, ...linkPatch(heard) };
}

/** The attributes of a stored link, with defaults for what it lacks. */
export function storedLink(values: Values): CloudLink {
  const given = Object.keys(RULES).flatMap((name) => {
    const value = values[name];
    return value === null || value === undefined ? [] : [[name, value] as const];
  });
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

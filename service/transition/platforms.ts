// Platforms of an environment and their components: found, read, their clouds configured, switched
// on and off (service-facts §3.10, §4.7.5).
import { routes, type dependsOnBody, type SentRecord } from '../../api/contract';
import {
  committedRecord,
  componentAnswer,
  deletedAnswer,
  mergedRecord,
  mergedWithoutLocks,
  relationAnswer,
} from '../runtime/answers';
import { type SentAttributes, knownClass, patchValues, sentOwners } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, notFound, refused } from '../runtime/handler';
import { isComponentClass, locate, locateComponent } from '../runtime/locate';
import { isPrimaryLink } from '../plan';
import {
  follow,
  heldBy,
  isLeaving,
  stage,
  type StoredRecord,
  type View,
  type AttributeLocks,
  type ReleaseWriter,
  type StoredRelation,
  type Values,
} from '../store';
import { cloudLinks, linkPatch, relationTexts, storedLink } from './links';
import {
  type ComponentAddress,
  type EnvironmentPlace,
  instancesNamespace,
  isEnabled,
  locatePlace,
  manifestComponents,
  manifestPlatforms,
  type PlatformAddress,
  manifestStage,
} from './place';
import { reread, patchOf } from '../runtime/collection';
import { TOUCH } from './planning';
import { manifestWriter, modeOf, removePlatform } from './pull';
import type * as z from 'zod';

const isActive = ({ values }: StoredRecord): boolean => values['is_active'] === 'true';

/** A platform by ciId, `name` or `name!majorVersion`; a name alone means the active version. */
export function locatePlatform(context: Context, place: EnvironmentPlace, identifier: string): StoredRecord {
  const platforms = manifestPlatforms(context.store, place).map(({ record }) => record);
  const [name, version] = identifier.split('!');
  const named = platforms.filter(
    (record) => record.name === name && (version === undefined || record.values['major_version'] === version),
  );
  const found = /^\d+$/.test(identifier)
    ? platforms.find((record) => record.id === Number(identifier))
    : (named.find((record) => isActive(record) && !isLeaving(record)) ?? named.find(isActive) ?? named[0]);
  if (found === undefined)
    throw notFound(`platform ${JSON.stringify(identifier)} could not be located in namespace ${place.manifest}`);
  return found;
}

/** The platform that a path names, in its environment. Throws a RefusedRequest (404). */
export function locatePlatformPlace(context: Context<PlatformAddress>): {
  readonly place: EnvironmentPlace;
  readonly platform: StoredRecord;
} {
  const place = locatePlace(context);
  return { place, platform: locatePlatform(context, place, context.address.platform) };
}

/** The keys a platform of an environment has besides its record (service-facts §2.2.5). */
export function platformAnswer(context: Context, platform: StoredRecord): object {
  const { store } = context;
  return {
    ...mergedWithoutLocks(context, platform),
    links_to: follow(store, platform.id, 'manifest.LinksTo', 'staying').map(({ record }) => record.name),
    consumes: cloudLinks(store, platform.id).map((relation) => {
      const cloud = store.records.byId(relation.toId);
      return relationAnswer(context, relation, cloud === undefined ? {} : { toCi: committedRecord(context, cloud) });
    }),
  };
}

/** Writes a platform's link to a cloud, and answers it. Throws a RefusedRequest (404, 422). */
function changeCloud(
  context: Context,
  { place, platform }: { readonly place: EnvironmentPlace; readonly platform: StoredRecord },
  cloud: string | number,
  attributes: SentAttributes,
): object {
  const { store } = context;
  const links = cloudLinks(store, platform.id);
  const link = links.find((relation) => String(relation.toId) === String(cloud));
  if (link === undefined) throw notFound(`cloud ${cloud} is not among the clouds of platform ${platform.name}`);
  const patch = linkPatch(attributes);
  const after = links.map((relation) => ({
    ...storedLink(relation.values),
    ...(relation.id === link.id ? patch : {}),
  }));
  if (!after.some(isPrimaryLink))
    throw refused(`platform ${platform.name} would be left without a cloud that has priority 1 and is not offline`);
  return relationAnswer(context, stage(store, place.manifest, context).updateRelation(link, { values: patch }));
}

/** The platform as it reads after a write. */
const platformRead = (context: Context<unknown>, platform: StoredRecord): object =>
  mergedWithoutLocks(context, reread(context, platform));

/** Has components deployed again; those that change anyway stay as they are. */
function touch(context: Context, place: EnvironmentPlace, components: readonly StoredRecord[]): object[] {
  const manifest = stage(context.store, place.manifest, context);
  return components.map((component) => mergedRecord(context, manifest.touch(component, { hint: TOUCH })));
}

/** Throws a RefusedRequest (404). `merged` finds those a deployment is about to make, too. */
export function locateInstance(context: Context<PlatformAddress>, identifier: string, view: View): StoredRecord {
  const { place, platform } = locatePlatformPlace(context);
  const namespace = instancesNamespace(place, platform);
  const className = (name: string): boolean => name.startsWith('bom.');
  return locate(context, identifier, { noun: 'instance', namespace, className, view });
}

// How many targets the dependencies of an environment's components have, and how a deployment
// changes them (service-facts §2.1.9, §4.7.5 scaling).

const DEPENDS = 'manifest.DependsOn';

/** Attributes a person may set, and the form of each. */
const NUMBERS = ['current', 'min', 'max', 'step_up', 'step_down', 'pct_dpmt'];
const SPREADS = ['', 'from', 'to', 'both'];

type Sent = z.output<typeof dependsOnBody>['depends_on'];
type SentRelation = Sent[string];

/** Sent attributes that scale. Throws a RefusedRequest (422) that shows every fault. */
function checkedAttributes(sent: SentRelation['relationAttributes'], withSpread: boolean): Values {
  const isSpread = (name: string): boolean => withSpread && name === 'propagate_to';
  const texts = relationTexts(DEPENDS, sent ?? {}, (name, value) => {
    if (NUMBERS.includes(name) && !/^\d+$/.test(value)) return `${name} must be a number in digits`;
    if (isSpread(name) && !SPREADS.includes(value)) return 'propagate_to must be from, to, both or blank';
    // Complete values are sent back as they were read; what is no scaling stays as it is.
    return undefined;
  });
  return Object.fromEntries(Object.entries(texts).filter(([name]) => NUMBERS.includes(name) || isSpread(name)));
}

/** Dependencies that scale: the flex ones of a redundant platform (service-facts §4.7.5). */
function scalable({ store }: Context, platform: StoredRecord): StoredRelation[] {
  if (modeOf(platform.values['availability']) !== 'redundant') return [];
  return store.relations.list(platform.namespace, DEPENDS, 'staying').filter(({ values }) => values['flex'] === 'true');
}

/** The platform with its scalable dependencies: what edit and update answer. */
function scalableAnswer(context: Context, platform: StoredRecord): object {
  return {
    ...mergedWithoutLocks(context, platform),
    depends_on: scalable(context, platform).map((relation) =>
      relationAnswer(context, relation, endsOf(context, relation)),
    ),
  };
}

function endsOf(
  context: Context,
  { fromId, toId }: StoredRelation,
): { readonly fromCi?: object; readonly toCi?: object } {
  const { records } = context.store;
  const [fromCi, toCi] = [records.byId(fromId), records.byId(toId)];
  return {
    ...(fromCi === undefined ? {} : { fromCi: mergedRecord(context, fromCi) }),
    ...(toCi === undefined ? {} : { toCi: mergedRecord(context, toCi) }),
  };
}

interface Rescale {
  readonly relations: readonly StoredRelation[];
  readonly sent: Sent;
  /** Names stand for ciIds, `propagate_to` may be set, and values are locked against pulls. */
  readonly asDependencies: boolean;
}

/**
 * Writes attributes and locks of dependencies, as changes of the manifest release. Throws a
 * RefusedRequest (422).
 */
function rescale(context: Context, writer: ReleaseWriter, { relations, sent, asDependencies }: Rescale): void {
  for (const [key, wanted] of Object.entries(sent)) {
    const values = checkedAttributes(wanted.relationAttributes, asDependencies);
    const isNamed = (id: number): boolean => asDependencies && context.store.records.byId(id)?.name === key;
    const found = relations.filter(({ toId }) => String(toId) === key || isNamed(toId));
    if (found.length === 0) throw refused(`no dependency that can be changed leads to ${key}`);
    for (const relation of found) {
      const locked: AttributeLocks = asDependencies
        ? { ...relation.owners, ...Object.fromEntries(Object.keys(values).map((name) => [name, 'manifest'])) }
        : relation.owners;
      writer.updateRelation(relation, { values, owners: sentOwners(wanted.relationAttrProps) ?? locked });
    }
  }
}

const dependenciesOf = (context: Context, component: StoredRecord): StoredRelation[] =>
  context.store.relations.from(component.id, DEPENDS, 'staying');

const shownDependencies = (context: Context, component: StoredRecord): object[] =>
  dependenciesOf(context, component).map((relation) => relationAnswer(context, relation, endsOf(context, relation)));

/** Writes a platform or a component as it was sent. Throws a RefusedRequest (422). */
function writeSent(context: Context, writer: ReleaseWriter, record: StoredRecord, sent: SentRecord): StoredRecord {
  const { className, values } = record;
  const metadata = knownClass(context.catalogue, className);
  return writer.update(record, patchOf(sent, patchValues(metadata, className, values, sent.ciAttributes ?? {})));
}

/** The component that a path names, in its environment. Throws a RefusedRequest (404). */
export function locateComponentPlace(context: Context<ComponentAddress>): {
  readonly place: EnvironmentPlace;
  readonly component: StoredRecord;
} {
  const { place, platform } = locatePlatformPlace(context);
  return { place, component: locateComponent(context, platform.namespace, context.address.component) };
}

export const environmentPlatformHandlers: HandlerTable = handlersOf(routes.environmentPlatforms, {
  list: (context) =>
    manifestPlatforms(context.store, locatePlace(context)).map(({ record }) => mergedWithoutLocks(context, record)),
  read: (context) => platformAnswer(context, locatePlatformPlace(context).platform),
  configureCloud: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    return changeCloud(context, { place, platform }, context.body.cloud_id, context.body.attributes);
  },
  components: (context) => {
    const { platform } = locatePlatformPlace(context);
    return manifestComponents(context.store, platform).map(({ record }) => mergedRecord(context, record));
  },
  component: (context) => componentAnswer(context, locateComponentPlace(context).component, 'manifest.DependsOn'),
  toggle: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const found = manifestPlatforms(context.store, place).find(({ record }) => record.id === platform.id);
    if (found === undefined) throw new Error(`platform ${platform.id} vanished while it was read`);
    const enabled = isEnabled(found) ? 'false' : 'true';
    stage(context.store, place.manifest, context).updateRelation(found.composition, { values: { enabled } });
    return platformRead(context, platform);
  },
  activate: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const manifest = stage(context.store, place.manifest, context);
    for (const { record } of manifestPlatforms(context.store, place)) {
      if (record.name === platform.name)
        manifest.update(record, { values: { is_active: String(record.id === platform.id) } });
    }
    return platformRead(context, platform);
  },
  delete: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    if (platform.values['is_active'] === 'true')
      throw refused(`version ${platform.values['major_version'] ?? ''} of platform ${platform.name} is the active one`);
    const before = mergedWithoutLocks(context, platform);
    removePlatform(manifestWriter(context.store, place, context), platform);
    return deletedAnswer(context.rules, before);
  },
  cloudPriority: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const { cloud_id: cloud, priority } = context.body;
    const answer = changeCloud(context, { place, platform }, cloud, { priority });
    // Names follow the priority of clouds: what the platform is reached by is deployed again.
    touch(context, place, heldBy(context.store, platform, 'manifest.Entrypoint'));
    return answer;
  },
  touchComponent: (context) => {
    const { place, component } = locateComponentPlace(context);
    return touch(context, place, [component])[0];
  },
  touchComponents: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const known = new Map(manifestComponents(context.store, platform).map(({ record }) => [String(record.id), record]));
    const components = context.body.componentCiIds.map((id) => {
      const component = known.get(String(id));
      if (component === undefined || !isComponentClass(component.className))
        throw refused(`platform ${platform.name} has no component with id ${id} (6006)`);
      return component;
    });
    return touch(context, place, components);
  },
  edit: (context) => scalableAnswer(context, locatePlatformPlace(context).platform),
  update: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const { cms_dj_ci: sent, depends_on: dependsOn } = context.body;
    const writer = manifestStage(context, place);
    if (sent !== undefined) writeSent(context, writer, platform, sent);
    // A platform that is single has nothing to scale, and no answer says so.
    if (dependsOn && modeOf(platform.values['availability']) === 'redundant')
      rescale(context, writer, { relations: scalable(context, platform), sent: dependsOn, asDependencies: false });
    return scalableAnswer(context, context.store.records.byId(platform.id) ?? platform);
  },
  updateComponent: (context) => {
    const { place, component } = locateComponentPlace(context);
    const { cms_dj_ci: sent, depends_on: dependsOn } = context.body;
    const writer = manifestStage(context, place);
    const answer = mergedRecord(context, writeSent(context, writer, component, sent));
    if (!dependsOn) return answer;
    const relations = dependenciesOf(context, component).filter(({ values }) => values['flex'] === 'true');
    rescale(context, writer, { relations, sent: dependsOn, asDependencies: true });
    return answer;
  },
  dependsOn: (context) => shownDependencies(context, locateComponentPlace(context).component),
  updateDependsOn: (context) => {
    const { place, component } = locateComponentPlace(context);
    const relations = dependenciesOf(context, component);
    const sent = context.body.depends_on;
    rescale(context, manifestStage(context, place), { relations, sent, asDependencies: true });
    return shownDependencies(context, component);
  },
});

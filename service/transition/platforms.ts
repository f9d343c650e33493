// Platforms of an environment and their components: found, read, their clouds configured, switched on and off (service-facts §3.10, §4.7.5).
import { routes } from '../../api/contract';
import { committedRecord, componentAnswer, deletedAnswer, mergedRecord, relationAnswer } from '../runtime/answers';
import type { SentAttributes } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, notFound, refused } from '../runtime/handler';
import { isComponentClass, locate } from '../runtime/locate';
import { isPrimaryLink } from '../plan';
import { isLeaving, stage, type StoredRecord, type View } from '../store';
import { cloudLinks, linkPatch, storedLink } from './links';
import {
  type EnvironmentPlace,
  instancesNamespace,
  isEnabled,
  locatePlace,
  manifestComponents,
  manifestPlatforms,
  type PlatformAddress,
} from './place';
import { reread } from '../runtime/collection';
import { TOUCH } from './planning';
import { manifestWriter } from './manifest-writer';

const isActive = ({ values }: StoredRecord): boolean => values['is_active'] === 'true';

/** A platform of an environment by ciId, `name` or `name!majorVersion`; a bare name with several versions means the active one. */
export function locatePlatform(
  context: Pick<Context, 'store' | 'organization'>,
  place: EnvironmentPlace,
  identifier: string,
): StoredRecord {
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

/** A component of a manifest platform by ciId or name; query `class_name` distinguishes those of one name. Throws a RefusedRequest (404). */
export function locateComponent(
  context: Pick<Context, 'store' | 'organization' | 'query'>,
  platform: StoredRecord,
  identifier: string,
): StoredRecord {
  const className = context.query['class_name'];
  return locate(context, identifier, {
    noun: 'component',
    namespace: platform.namespace,
    className: className === undefined || className === '' ? isComponentClass : className,
  });
}

/** The keys a platform of an environment has besides its record (service-facts §2.2.5). */
export function platformAnswer(
  context: Pick<Context, 'store' | 'catalogue' | 'rules'>,
  platform: StoredRecord,
): object {
  const { store } = context;
  const links = store.relations.from(platform.id, 'manifest.LinksTo').filter((relation) => !isLeaving(relation));
  return {
    ...mergedRecord(context, platform, { owners: false }),
    links_to: links.flatMap((relation) => store.records.byId(relation.toId)?.name ?? []),
    consumes: cloudLinks(store, platform.id).map((relation) => {
      const cloud = store.records.byId(relation.toId);
      return relationAnswer(context, relation, cloud === undefined ? {} : { toCi: committedRecord(context, cloud) });
    }),
  };
}

/** Handlers of routes.environmentPlatforms. */
export const environmentPlatformHandlers = handlersOf(routes.environmentPlatforms, {
  list: (context) =>
    manifestPlatforms(context.store, locatePlace(context)).map(({ record }) =>
      mergedRecord(context, record, { owners: false }),
    ),
  read: (context) => platformAnswer(context, locatePlatformPlace(context).platform),
  configureCloud: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    return changeCloud(context, { place, platform }, context.body.cloud_id, context.body.attributes);
  },
  components: (context) => {
    const { platform } = locatePlatformPlace(context);
    return manifestComponents(context.store, platform).map(({ record }) => mergedRecord(context, record));
  },
  component: (context) => {
    const { platform } = locatePlatformPlace(context);
    const component = locateComponent(context, platform, context.address.component);
    return componentAnswer(context, component, 'manifest.DependsOn');
  },
});

/** Writes attributes of a platform's link to a cloud, and answers the link. Throws a RefusedRequest (404, 422). */
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
  if (!after.some(isPrimaryLink)) {
    throw refused(`platform ${platform.name} would be left without a cloud that has priority 1 and is not offline`);
  }
  return relationAnswer(context, stage(store, place.manifest, context).updateRelation(link, { values: patch }));
}

interface PlatformPlace {
  readonly place: EnvironmentPlace;
  readonly platform: StoredRecord;
}

/** The platform as it reads after a write. */
const platformRead = (context: Context<unknown>, platform: StoredRecord): object =>
  mergedRecord(context, reread(context, platform), { owners: false });

/** Has components deployed again; those that change anyway stay as they are. */
function touch(context: Context, place: EnvironmentPlace, components: readonly StoredRecord[]): object[] {
  const manifest = stage(context.store, place.manifest, context);
  return components.map((component) => mergedRecord(context, manifest.touch(component, { hint: TOUCH })));
}

/** Removes a version of a platform and all that is in it. */
function remove(context: Context, { place, platform }: PlatformPlace): void {
  const writer = manifestWriter(context.store, place, context);
  const inside = context.store.records
    .list({ namespace: platform.namespace })
    .filter((record) => record.id !== platform.id);
  [...inside, platform].forEach(writer.remove);
}

/** Handlers of the switches. */
export const platformSwitchHandlers: HandlerTable = handlersOf(routes.environmentPlatforms, {
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
    const found = locatePlatformPlace(context);
    const { platform } = found;
    if (platform.values['is_active'] === 'true')
      throw refused(`version ${platform.values['major_version'] ?? ''} of platform ${platform.name} is the active one`);
    const before = mergedRecord(context, platform, { owners: false });
    remove(context, found);
    return deletedAnswer(context.rules, before);
  },
  cloudPriority: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const { cloud_id: cloud, priority } = context.body;
    const answer = changeCloud(context, { place, platform }, cloud, { priority });
    // Names follow the priority of clouds: what the platform is reached by is deployed again.
    const entrypoints = context.store.relations.from(platform.id, 'manifest.Entrypoint').map(({ toId }) => toId);
    touch(context, place, context.store.records.byIds(entrypoints));
    return answer;
  },
  touchComponent: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    return touch(context, place, [locateComponent(context, platform, context.address.component)])[0];
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
});

type InstanceAddress = { readonly assembly: string; readonly environment: string; readonly platform: string };

/** Throws a RefusedRequest (404). `merged` finds those a deployment is about to make, too. */
export function locateInstance(context: Context<InstanceAddress>, identifier: string, view: View): StoredRecord {
  const place = locatePlace(context);
  const namespace = instancesNamespace(place, locatePlatform(context, place, context.address.platform));
  const className = (name: string): boolean => name.startsWith('bom.');
  return locate(context, identifier, { noun: 'instance', namespace, className, view });
}

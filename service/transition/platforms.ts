// Handlers of an environment's platforms: read, clouds configured, components read and written (service-facts §4.7.5).
import { routes } from '../../api/contract';
import { committedRecord, componentAnswer, mergedRecord, relationAnswer } from '../answers';
import { type SentAttributes } from '../attributes';
import { handlersOf, notFound, refused, type Context } from '../handler';
import { isComponentClass, locate } from '../locate';
import { isPrimaryLink } from '../plan';
import { isLeaving, stage, type StoredRecord } from '../store';
import { cloudLinks, linkPatch, storedLink } from './links';
import { manifestComponents, manifestPlatforms } from './manifest';
import { locatePlace, type EnvironmentPlace, type PlatformAddress } from './place';

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
export function changeCloud(
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

// Handlers of an environment's platforms: read, clouds configured, components read and written (service-facts §4.7.5).
// It must not know how a manifest is pulled or deployed.
import { type z } from 'zod';
import { type changeBody, type ClassMetadata, routes } from '../../api/contract';
import { committedRecord, mergedRecord, relationAnswer } from '../answers';
import { enforcedClass, patchValues, type SentAttributes, sentOwners } from '../attributes';
import { handlersOf, notFound, refused, type Context } from '../handler';
import { isComponentClass, locate } from '../locate';
import { isLeaving, stage, type StoredRecord } from '../store';
import { isPrimaryLink, linkPatch, storedLink } from './consumes';
import { cloudLinks } from './links';
import { manifestComponents, manifestPlatforms } from './manifest';
import { locatePlace, type Place } from './place';

const isActive = ({ values }: StoredRecord): boolean => values['is_active'] === 'true';

/** A platform of an environment by ciId, `name` or `name!majorVersion`; a bare name with several versions means the active one. */
export function locatePlatform(
  context: Pick<Context, 'store' | 'organization'>,
  place: Place,
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

/** A component of a manifest platform by ciId or name; query `class_name` tells those of one name apart. Throws a Refusal (404). */
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
  context: Pick<Context, 'store' | 'catalogue' | 'voice'>,
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
export const platformHandlers = handlersOf(routes.environmentPlatforms, {
  list: (context) =>
    manifestPlatforms(context.store, locatePlace(context)).map(({ record }) =>
      mergedRecord(context, record, { owners: false }),
    ),
  read: (context) => platformAnswer(context, locatePlatform(context, locatePlace(context), context.address.platform)),
  configureCloud: (context) => {
    const place = locatePlace(context);
    const platform = locatePlatform(context, place, context.address.platform);
    return changeCloud(context, place, platform, context.body.cloud_id, context.body.attributes);
  },
  components: (context) => {
    const platform = locatePlatform(context, locatePlace(context), context.address.platform);
    return manifestComponents(context.store, platform).map(({ record }) => mergedRecord(context, record));
  },
  component: (context) => {
    const platform = locatePlatform(context, locatePlace(context), context.address.platform);
    const component = locateComponent(context, platform, context.address.component);
    const show = (record: StoredRecord): object => mergedRecord(context, record);
    return {
      ...show(component),
      dependents: neighbours(context, component, 'to').map(show),
      dependsOn: neighbours(context, component, 'from').map(show),
    };
  },
});

/** Components at the other end of a component's dependencies. */
function neighbours({ store }: Pick<Context, 'store'>, component: StoredRecord, way: 'from' | 'to'): StoredRecord[] {
  const relations = store.relations[way](component.id, 'manifest.DependsOn').filter((relation) => !isLeaving(relation));
  return store.records.byIds(relations.map((relation) => (way === 'from' ? relation.toId : relation.fromId)));
}

/** Writes attributes of a platform's link to a cloud, and answers the link. Throws a Refusal (404, 422). */
export function changeCloud(
  context: Context,
  place: Place,
  platform: StoredRecord,
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

/** Writes sent attributes on a manifest record, as a change of the manifest release, and answers it as it now reads. */
export function updateRecord(
  context: Context<unknown, Body>,
  place: Place,
  record: StoredRecord,
  attributes: SentAttributes = context.body.cms_dj_ci.ciAttributes ?? {},
  metadata: ClassMetadata = enforcedClass(context, record.className),
): object {
  const sent = context.body.cms_dj_ci;
  const values = patchValues(metadata, record.className, record.values, attributes);
  const owners = sentOwners(sent.ciAttrProps);
  const writer = stage(context.store, place.manifest, {
    user: context.user,
    now: context.now,
    commentsCount: context.voice.designCommentsStored,
  });
  const comments = sent.comments ?? undefined;
  const written = writer.update(record, {
    values,
    ...(owners === undefined ? {} : { owners }),
    ...(comments === undefined ? {} : { comments }),
  });
  return mergedRecord(context, written);
}

type Body = z.output<typeof changeBody>;

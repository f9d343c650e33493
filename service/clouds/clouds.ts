// Clouds of an organization, their locations, supports and zones, and their variables: values for
// $OO_CLOUD{…} (service-facts §2.2.7, §2.6, §4.2).
import { routes } from '../../api/contract';
import { attachedTeams, attachTeams } from '../account/teams';
import { maySee } from '../account/rights';
import { committedRecord, committedRecords, deletedAnswer } from '../runtime/answers';
import { knownClass, newValues, type SentAttributes } from '../runtime/attributes';
import { collection, updateSent } from '../runtime/collection';
import { type Context, handlersOf, type HandlerTable, malformed, refused } from '../runtime/handler';
import { checkedName, cloudsIn, cloudsNamespace, locateCloud } from '../runtime/locate';
import type { StoredRecord, Tie, WriteStamp } from '../store';

/** Where a cloud is made, by request or by the seed. */
export type CloudPlace = Pick<Context, 'store' | 'catalogue' | 'organization'>;

export const servicesNamespace = (cloud: StoredRecord): string => `${cloud.namespace}/${cloud.name}`;

/** The location of a cloud: one of the catalogue, or the organization's (service-facts §4.2). */
function checkedLocation(place: CloudPlace, name: string, sent: SentAttributes): string {
  const location = String(sent['location'] ?? '');
  if (location === '') throw refused('Location of the cloud [location] must be present');
  const own = cloudsNamespace(place.organization);
  if (location === own || location.startsWith(`${own}/`)) {
    if (String(sent['auth'] ?? '') === '') throw refused('Authorization key [auth] must be present for a custom cloud');
    return `${own}/${name}`;
  }
  if (place.catalogue.locations().some((known) => known.path === location)) return location;
  throw refused(`${JSON.stringify(location)} is not a location: see clouds/locations`);
}

/** Makes a cloud. Throws a RefusedRequest (422): name, duplicate, location, attributes. */
export function addCloud(
  place: CloudPlace,
  wanted: { readonly name: string | undefined; readonly attributes: SentAttributes; readonly comments?: string | null },
  author: WriteStamp,
): StoredRecord {
  const { store, catalogue, organization } = place;
  const name = checkedName('cloud', wanted.name);
  const { namespace, className } = cloudsIn(organization);
  if (store.records.exists({ namespace, className, nameInAnyCase: name }))
    throw refused(`a cloud named ${name} exists already (400)`);
  const attributes = { ...wanted.attributes, location: checkedLocation(place, name, wanted.attributes) };
  const values = newValues(knownClass(catalogue, className), className, attributes);
  return store.records.insert({ namespace, className, name, values, comments: wanted.comments ?? null }, author);
}

const ofCloud = (noun: 'variable' | 'support', className: string, tie: (cloud: number) => Tie) =>
  collection((context: Context<{ readonly cloud: string }>) => {
    const cloud = locateCloud(context, context.address.cloud);
    return { noun, namespace: servicesNamespace(cloud), className, tie: tie(cloud.id) };
  });

export const cloudRecordHandlers: HandlerTable = {
  ...handlersOf(routes.clouds, {
    ...collection(({ organization }) => cloudsIn(organization)),
    create: (context) => {
      const { ciName: name, comments, ciAttributes: attributes = {} } = context.body.cms_ci;
      const cloud = addCloud(context, { name, attributes, comments: comments ?? null }, context);
      if (context.body.teams) attachTeams(context, cloud, { teams: context.body.teams });
      return committedRecord(context, cloud);
    },
    teams: (context) => attachedTeams(context, locateCloud(context, context.address.cloud)),
    updateTeams: (context) => attachTeams(context, locateCloud(context, context.address.cloud), context.body),
    operations: (context) => {
      const { records, relations } = context.store;
      const cloud = locateCloud(context, context.address.cloud);
      const users = relations.to(cloud.id, 'base.Consumes', 'committed').map((relation) => relation.fromId);
      return records
        .byIds(users, 'committed')
        .filter((record) => record.className === 'manifest.Environment' && maySee(context, record))
        .map((environment) => committedRecord(context, environment));
    },
    update: (context) => {
      const cloud = locateCloud(context, context.address.cloud);
      const { comments, ciAttributes } = context.body.cms_ci;
      if (ciAttributes === undefined) throw malformed('cms_ci.ciAttributes: required');
      // The location stays whatever is sent (service-facts §4.2).
      const { location: _location, ...sent } = ciAttributes;
      return committedRecord(context, updateSent(context, cloud, { ciAttributes: sent, comments }));
    },
    delete: (context) => {
      const cloud = locateCloud(context, context.address.cloud);
      // The live service says no with an empty list (service-facts §7.1).
      if (context.store.relations.to(cloud.id, 'base.Consumes', 'staying').length > 0) throw refused();
      context.store.removeNamespace(servicesNamespace(cloud));
      context.store.records.remove(cloud.id);
      return deletedAnswer(context.rules, committedRecord(context, cloud));
    },
    locations: (context) =>
      Object.fromEntries(context.catalogue.locations().map((location) => [location.name, location.path])),
  }),
  ...handlersOf(
    routes.cloudVariables,
    ofCloud('variable', 'account.Cloudvar', (to) => ({ name: 'account.ValueFor', to })),
  ),
  // Who is asked before something is deployed to the cloud.
  ...handlersOf(
    routes.cloudSupports,
    ofCloud('support', 'cloud.Support', (from) => ({ name: 'base.SupportedBy', from })),
  ),
  // This service makes no zones, and keeps what exists there.
  ...handlersOf(routes.cloudZones, {
    list: (context) => {
      const namespace = servicesNamespace(locateCloud(context, context.address.cloud));
      return committedRecords(context, { namespace, className: 'cloud.Zone' });
    },
  }),
};

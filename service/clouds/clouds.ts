// Clouds of an organization, their locations and variables: values for $OO_CLOUD{…} (service-facts
// §2.2.7, §4.2).
import { routes } from '../../api/contract';
import { attachedTeams, attachTeams, maySee } from '../account';
import { committedRecord, deletedAnswer } from '../runtime/answers';
import { collection, updateSent } from '../runtime/collection';
import { type Context, handlersOf, type HandlerTable, malformed, refused } from '../runtime/handler';
import { cloudsNamespace, locateCloud } from '../runtime/locate';
import { type StoredRecord } from '../store';
import { addCloud, servicesNamespace } from './write';

const CLASS = 'account.Cloud';

function isConsumed(context: Context, cloud: StoredRecord): boolean {
  return context.store.relations.to(cloud.id, 'base.Consumes', 'staying').length > 0;
}

export const cloudRecordHandlers: HandlerTable = handlersOf(routes.clouds, {
  ...collection(({ organization }) => ({ noun: 'cloud', namespace: cloudsNamespace(organization), className: CLASS })),
  create: (context) => {
    const { ciName, comments, ciAttributes } = context.body.cms_ci;
    const cloud = addCloud(
      context,
      { name: ciName, attributes: ciAttributes ?? {}, comments: comments ?? null },
      context,
    );
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
    if (isConsumed(context, cloud)) throw refused();
    context.store.removeNamespace(servicesNamespace(cloud));
    context.store.records.remove(cloud.id);
    return deletedAnswer(context.rules, committedRecord(context, cloud));
  },
  locations: (context) =>
    Object.fromEntries(context.catalogue.locations().map((location) => [location.name, location.path])),
});

export const cloudVariableHandlers: HandlerTable = handlersOf(
  routes.cloudVariables,
  collection((context: Context<{ readonly cloud: string }>) => {
    const cloud = locateCloud(context, context.address.cloud);
    return {
      noun: 'variable',
      namespace: servicesNamespace(cloud),
      className: 'account.Cloudvar',
      tie: { name: 'account.ValueFor', to: cloud.id },
    };
  }),
);

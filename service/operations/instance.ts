// One instance in full, its record removed, and the instances of a platform or of a cloud (service-facts §2.2.11, §4.2, §4.8).
// It must not know how instances come to be.
import { routes } from '../../api/contract';
import { deletedAnswer, mergedRecord } from '../answers';
import { runAnswer } from '../attachment-runs';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { locateInstance } from '../instances';
import { locateCloud } from '../locate';
import type { StoredRecord } from '../store';
import { instancesNamespace, locatePlace, locatePlatform } from '../transition';
import { asked, instanceAnswer, instancesBelow } from './instances';

const cloudOf = ({ store }: Context, { id }: Pick<StoredRecord, 'id'>): number | undefined =>
  store.relations.from(id, 'base.DeployedTo', 'committed')[0]?.toId;

/** Instances of the same cloud that an instance's component depends on, or that depend on it. */
function neighbours(context: Context, instance: StoredRecord, way: 'from' | 'to'): StoredRecord[] {
  const { records, relations } = context.store;
  const cloud = cloudOf(context, instance);
  const components = relations.to(instance.id, 'base.RealizedAs', 'committed').map((relation) => relation.fromId);
  const others = components.flatMap((component) =>
    relations[way](component, 'manifest.DependsOn', 'committed').map((relation) =>
      way === 'from' ? relation.toId : relation.fromId,
    ),
  );
  const realized = others.flatMap((component) =>
    relations.from(component, 'base.RealizedAs', 'committed').map((relation) => relation.toId),
  );
  return records.byIds([...new Set(realized)], 'committed').filter((other) => cloudOf(context, other) === cloud);
}

/** Most runs of attachments an instance shows: the newest ones. */
const MOST_RUNS = 100;

function detail(context: Context, instance: StoredRecord): object {
  const { opsState, cloud, deployedTo } = instanceAnswer(context, instance);
  return {
    ...mergedRecord(context, context.store.records.byId(instance.id) ?? instance),
    opsState,
    opsEvents: [],
    cloud,
    deployedTo,
    attachments: context.store.attachmentRuns.ofRecord(instance.id, MOST_RUNS).map(runAnswer),
    dependsOn: neighbours(context, instance, 'from').map((each) => mergedRecord(context, each)),
    dependents: neighbours(context, instance, 'to').map((each) => mergedRecord(context, each)),
  };
}

/** Handlers of single instances, and of the instances of platforms and clouds. */
export const instanceHandlers: HandlerTable = {
  ...handlersOf(routes.operations, {
    platformInstances: (context) => {
      const place = locatePlace(context);
      const platform = locatePlatform(context, place, context.address.platform);
      return instancesBelow(context, instancesNamespace(place, platform));
    },
    instance: (context) => detail(context, locateInstance(context, context.address.instance, 'committed')),
    deleteInstance: (context) => {
      const instance = locateInstance(context, context.address.instance, 'committed');
      if (context.store.records.byId(instance.id)?.change !== undefined)
        throw refused(`instance ${instance.name} has an open change: deploy or discard it first`);
      const before = mergedRecord(context, instance);
      context.store.records.remove(instance.id);
      return deletedAnswer(context.voice, before);
    },
  }),
  ...handlersOf(routes.clouds, {
    instances: (context) => {
      const { records, relations } = context.store;
      const cloud = locateCloud(context, context.address.cloud);
      const ids = relations.to(cloud.id, 'base.DeployedTo', 'committed').map((relation) => relation.fromId);
      return asked(context, records.byIds(ids, 'committed'));
    },
  }),
};

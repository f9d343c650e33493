// Monitors of an environment's components: read, and changed for one environment (service-facts §4.7.5, §14). This service measures nothing.
import { routes } from '../../api/contract';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { asSent, stagedCollection, type StagedCollection } from '../staged-collection';
import { isLeaving } from '../store';
import { type ComponentAddress, manifestStage } from './place';
import { locateComponent, locatePlatformPlace } from './platforms';

function monitorsOf(context: Context<ComponentAddress>): StagedCollection {
  const { place, platform } = locatePlatformPlace(context);
  const listed = () =>
    context.store.relations
      .from(locateComponent(context, platform, context.address.component).id, 'manifest.WatchedBy')
      .filter((relation) => !isLeaving(relation))
      .flatMap((relation) => context.store.records.byId(relation.toId) ?? []);
  return {
    noun: 'monitor',
    namespace: platform.namespace,
    className: 'manifest.Monitor',
    lockedBy: 'manifest',
    listed,
    write: (work) => work(manifestStage(context, place)),
  };
}

const monitors = stagedCollection({
  collection: monitorsOf,
  identifier: (address: ComponentAddress & { readonly monitor: string }) => address.monitor,
  sent: asSent,
});

/** Handlers of an environment's monitors. */
export const monitorHandlers: HandlerTable = handlersOf(routes.environmentMonitors, {
  list: monitors.records.list,
  read: monitors.records.read,
  update: monitors.records.update,
});

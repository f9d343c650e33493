// Monitors of an environment's components (service-facts §4.7.5, §14). This service measures nothing: it shows those of the committed design.
import { routes } from '../../api/contract';
import { mergedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf, notFound } from '../handler';
import type { StoredRecord } from '../store';
import { classIn, designNamespace, type ComponentAddress } from './place';
import { locateComponent, locatePlatformPlace } from './platforms';

/** Monitors of the component that the design has under the same name and class, as records of the manifest. */
function monitorsOf(context: Context<ComponentAddress>): StoredRecord[] {
  const { records, relations } = context.store;
  const { place, platform } = locatePlatformPlace(context);
  const component = locateComponent(context, platform, context.address.component);
  const inside = designNamespace(place, platform);
  const designed = records.byName(inside, classIn('catalog', component.className), component.name, 'committed');
  if (designed === undefined) return [];
  const ids = relations.from(designed.id, 'catalog.WatchedBy', 'committed').map((relation) => relation.toId);
  return records
    .byIds(ids, 'committed')
    .map((monitor) => ({ ...monitor, className: 'manifest.Monitor', namespace: platform.namespace }));
}

/** Handlers of an environment's monitors. */
export const monitorHandlers: HandlerTable = handlersOf(routes.environmentMonitors, {
  list: (context) => monitorsOf(context).map((monitor) => mergedRecord(context, monitor)),
  read: (context) => {
    const wanted = context.address.monitor;
    const monitor = monitorsOf(context).find(({ id, name }) => name === wanted || String(id) === wanted);
    if (monitor === undefined)
      throw notFound(`component ${context.address.component} has no monitor ${JSON.stringify(wanted)}`);
    return mergedRecord(context, monitor);
  },
});

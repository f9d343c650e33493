// Monitors of design components (service-facts §4.5.4).
// This service stores them and measures nothing.
import { routes } from '../../api/contract';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { asSent, stagedCollection, type StagedCollection } from '../staged-collection';
import { checkComponentStaying, type DesignComponentAddress, heldBy, locateComponentPlace, writeDesign } from './place';

const WATCH = 'catalog.WatchedBy';

function monitorsOf(context: Context<DesignComponentAddress>): StagedCollection {
  const place = locateComponentPlace(context);
  const { inside: namespace, platform, component } = place;
  return {
    noun: 'monitor',
    namespace,
    className: 'catalog.Monitor',
    lockedBy: 'design',
    listed: () => heldBy(context.store, component, WATCH),
    write: (work) => writeDesign(context, place, work),
    adding: {
      check: () => checkComponentStaying(place),
      relation: (record) => ({ namespace, name: WATCH, fromId: component.id, toId: record.id }),
      proposedName: `${platform.name}-${component.name}-`,
      values: { custom: 'true' },
      scope: ` in platform ${platform.name}`,
    },
  };
}

const monitors = stagedCollection({
  collection: monitorsOf,
  identifier: (address: DesignComponentAddress & { readonly monitor: string }) => address.monitor,
  sent: asSent,
});

/** Handlers of monitors. */
export const designMonitorHandlers: HandlerTable = handlersOf(routes.monitors, {
  ...monitors.records,
  toggle: monitors.toggle('enable'),
});

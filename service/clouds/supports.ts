// Supports of a cloud: who is asked before something is deployed to it (service-facts §2.6, §4.2).
// It must not know deployments or approvals.
import { routes } from '../../api/contract';
import { committedRecord } from '../answers';
import { createIn, deleteFrom, listCollection, locateIn, updateIn, type Collection } from '../collection';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { locateCloud } from '../locate';
import { servicesNamespace } from './write';

function supportsOf(context: Context<{ readonly cloud: string }>): Collection {
  const cloud = locateCloud(context, context.address.cloud);
  return {
    noun: 'support',
    namespace: servicesNamespace(cloud),
    className: 'cloud.Support',
    tie: { name: 'base.SupportedBy', from: cloud.id },
  };
}

/** Handler of zones: this service makes none, and keeps what stands there. */
export const cloudZoneHandlers: HandlerTable = handlersOf(routes.cloudZones, {
  list: (context) => {
    const namespace = servicesNamespace(locateCloud(context, context.address.cloud));
    return context.store.records
      .list({ namespace, className: 'cloud.Zone' }, 'committed')
      .map((zone) => committedRecord(context, zone));
  },
});

/** Handlers of supports. */
export const cloudSupportHandlers: HandlerTable = handlersOf(routes.cloudSupports, {
  list: (context) => listCollection(context, supportsOf(context)),
  read: (context) => committedRecord(context, locateIn(context, supportsOf(context), context.address.support)),
  create: (context) => committedRecord(context, createIn(context, supportsOf(context), context.body.cms_ci)),
  update: (context) =>
    committedRecord(context, updateIn(context, supportsOf(context), context.address.support, context.body.cms_ci)),
  delete: (context) => deleteFrom(context, supportsOf(context), context.address.support),
});

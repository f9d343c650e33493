// Supports of a cloud, who are asked before something is deployed to it, its zones, and its variables, values for $OO_CLOUD{…} (service-facts §2.2.7, §2.6, §4.2).
// All are collections of directly committed records.
import { routes } from '../../api/contract';
import { committedRecord } from '../answers';
import { servicesNamespace } from './write';
import { type RecordCollection, createIn, deleteFrom, listCollection, locateIn, updateIn } from '../collection';
import { type Context, handlersOf, type HandlerTable } from '../handler';
import { locateCloud } from '../locate';

function supportsOf(context: Context<{ readonly cloud: string }>): RecordCollection {
  const cloud = locateCloud(context, context.address.cloud);
  return {
    noun: 'support',
    namespace: servicesNamespace(cloud),
    className: 'cloud.Support',
    tie: { name: 'base.SupportedBy', from: cloud.id },
  };
}

/** Handler of zones: this service makes none, and keeps what exists there. */
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

function variablesOf(context: Context<{ readonly cloud: string }>): RecordCollection {
  const cloud = locateCloud(context, context.address.cloud);
  return {
    noun: 'variable',
    namespace: servicesNamespace(cloud),
    className: 'account.Cloudvar',
    tie: { name: 'account.ValueFor', to: cloud.id },
  };
}

/** Handlers of cloud variables. */
export const cloudVariableHandlers: HandlerTable = handlersOf(routes.cloudVariables, {
  list: (context) => listCollection(context, variablesOf(context)),
  read: (context) => committedRecord(context, locateIn(context, variablesOf(context), context.address.variable)),
  create: (context) => committedRecord(context, createIn(context, variablesOf(context), context.body.cms_ci)),
  update: (context) =>
    committedRecord(context, updateIn(context, variablesOf(context), context.address.variable, context.body.cms_ci)),
  delete: (context) => deleteFrom(context, variablesOf(context), context.address.variable),
});

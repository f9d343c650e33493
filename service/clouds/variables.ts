// Variables of a cloud: values for $OO_CLOUD{…} (service-facts §2.2.7, §4.2).
// It must not know where variables are used.
import { routes } from '../../api/contract';
import { committedRecord } from '../answers';
import { createIn, deleteFrom, listCollection, locateIn, updateIn, type Collection } from '../collection';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { locateCloud } from '../locate';
import { servicesNamespace } from './write';

function variablesOf(context: Context<{ readonly cloud: string }>): Collection {
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

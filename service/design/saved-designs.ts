// Designs saved in the catalogue of an organization: made from an assembly, read, deleted (service-facts §4.4).
import { defaultAttributes, routes } from '../../api/contract';
import { committedRecord, deletedAnswer } from '../answers';
import { knownClass } from '../attributes';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { checkedName, locate } from '../locate';
import { stage, type StoredRecord } from '../store';
import { copyDesign, stayingPlatforms } from './copy-design';
import { extractDesign } from './extract';
import { type Design } from './place';

const CLASS = 'account.Design';

const namespaceOf = (organization: string): string => `/${organization}/_catalogs`;

/** A saved design, laid out like the design of an assembly. Throws a RefusedRequest (404). */
export function locateSaved(context: Context, identifier: string): Design {
  const namespace = namespaceOf(context.organization);
  const record = locate(context, identifier, { noun: 'design', namespace, className: CLASS });
  return { assembly: record, namespace: `${record.namespace}/${record.name}` };
}

/** Saves the committed design of an assembly; global variables stay behind. Throws a RefusedRequest (422): name, duplicate. */
export function saveDesign(
  context: Pick<Context, 'store' | 'catalogue' | 'user' | 'now'>,
  from: Design,
  wanted: { readonly organization: string; readonly name: string; readonly description: string },
): StoredRecord {
  const { store } = context;
  const namespace = namespaceOf(wanted.organization);
  const name = checkedName('design', wanted.name);
  if (store.records.exists({ namespace, className: CLASS, nameInAnyCase: name }))
    throw refused(`a design named ${name} is saved already (400)`);
  const values = defaultAttributes(knownClass(context.catalogue, CLASS), { description: wanted.description });
  const record = store.records.insert({ namespace, className: CLASS, name, values }, context);
  const to = { assembly: record, namespace: `${namespace}/${name}` };
  const writer = stage(store, to.namespace, context);
  const platforms = stayingPlatforms(store, from, 'committed').map((platform) => ({ platform, name: platform.name }));
  copyDesign({ store, stage: writer, from, to, view: 'committed', platforms, variables: false });
  writer.commit();
  return record;
}

/** Handlers of saved designs. */
export const savedDesignHandlers: HandlerTable = handlersOf(routes.designs, {
  list: (context) =>
    context.store.records
      .list({ namespace: namespaceOf(context.organization), className: CLASS }, 'committed')
      .map((record) => committedRecord(context, record)),
  read: (context) => committedRecord(context, locateSaved(context, context.address.design).assembly),
  export: (context) => extractDesign(context, locateSaved(context, context.address.design)),
  delete: (context) => {
    const saved = locateSaved(context, context.address.design);
    context.store.removeNamespace(saved.namespace);
    context.store.records.remove(saved.assembly.id);
    return deletedAnswer(context.rules, committedRecord(context, saved.assembly));
  },
});

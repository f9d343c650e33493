// Assemblies of an organization (wire-facts §4.4).
// It must not know what designs and environments hold, besides that instances keep an assembly from being deleted.
import { routes, type ClassMetadata } from '../../api/contract';
import { committedRecord, deletedAnswer } from '../answers';
import { knownClass, newValues, patchValues, relaxed } from '../attributes';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { checkedName, locateAssembly } from '../locate';
import { type StoredRecord } from '../store';

const CLASS = 'account.Assembly';

function metadataFor(context: Context): ClassMetadata {
  const metadata = knownClass(context.catalogue, CLASS);
  return context.voice.assemblyOwnerRequired ? metadata : relaxed(metadata, ['owner']);
}

function organizationRecord(context: Context): StoredRecord {
  const record = context.store.records.byName('/', 'account.Organization', context.organization, 'committed');
  if (record === undefined) throw new Error(`organization ${context.organization} vanished`);
  return record;
}

/** Environments of an assembly in which instances run. */
function runningEnvironments(context: Context, assembly: StoredRecord): string[] {
  const namespace = `${assembly.namespace}/${assembly.name}`;
  return context.store.records
    .list({ namespace, className: 'manifest.Environment' }, 'committed')
    .filter(
      (environment) =>
        context.store.records.list({ below: `${namespace}/${environment.name}/bom` }, 'committed').length > 0,
    )
    .map((environment) => environment.name);
}

/** Handlers of assemblies. */
export const assemblyHandlers: HandlerTable = handlersOf(routes.assemblies, {
  list: (context) =>
    context.store.records
      .list({ namespace: `/${context.organization}`, className: CLASS }, 'committed')
      .sort((one, other) => one.created - other.created || one.id - other.id)
      .map((assembly) => committedRecord(context, assembly)),
  read: (context) => committedRecord(context, locateAssembly(context, context.address.assembly)),
  create: (context) => {
    const { store, organization } = context;
    const { ciName, comments, ciAttributes } = context.body.cms_ci;
    const name = checkedName('assembly', ciName);
    const namespace = `/${organization}`;
    if (store.records.exists({ namespace, className: CLASS, nameInAnyCase: name })) {
      throw refused(`an assembly named ${name} exists already (400)`);
    }
    const values = newValues(metadataFor(context), CLASS, ciAttributes ?? {});
    const assembly = store.records.insert(
      { namespace, className: CLASS, name, values, comments: comments ?? '' },
      context,
    );
    store.relations.insert(
      { namespace, name: 'base.Manages', fromId: organizationRecord(context).id, toId: assembly.id },
      context,
    );
    return committedRecord(context, assembly);
  },
  update: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const { comments, ciAttributes } = context.body.cms_ci;
    const values = patchValues(metadataFor(context), CLASS, assembly.values, ciAttributes ?? {});
    const patch = { values, ...(comments === undefined ? {} : { comments }) };
    return committedRecord(context, context.store.records.update(assembly.id, patch, context));
  },
  delete: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const running = runningEnvironments(context, assembly);
    if (running.length > 0) throw refused(`assembly ${assembly.name} has instances deployed in ${running.join(', ')}`);
    context.store.removeNamespace(`${assembly.namespace}/${assembly.name}`);
    context.store.records.remove(assembly.id);
    return deletedAnswer(context.voice, committedRecord(context, assembly));
  },
});

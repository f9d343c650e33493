// Variables of a design, global and of a platform (service-facts §2.2.7, §4.5.3).
// It must not know where variables are used.
import { defaultAttributes, routes, type SentRecord } from '../../api/contract';
import { deletedAnswer, mergedRecord, templateAnswer } from '../answers';
import { knownClass, newValues, patchValues, sentOwners } from '../attributes';
import { type Context, type HandlerTable, handlersOf, notFound, refused } from '../handler';
import { checkedName, locate } from '../locate';
import { type StoredRecord } from '../store';
import {
  checkStaying,
  type Design,
  identifierOf,
  IMPLEMENTATION,
  locateDesign,
  locatePlatform,
  patchOf,
  reread,
  updateDesign,
  writeDesign,
} from './place';

/** Where variables of one scope stand, and what they are values for. */
interface Scope {
  readonly design: Design;
  readonly namespace: string;
  readonly className: string;
  readonly relation: string;
  readonly holder: StoredRecord;
}

function globalScope(context: Context, assembly: string): Scope {
  const design = locateDesign(context, assembly);
  return {
    design,
    namespace: design.namespace,
    className: 'catalog.Globalvar',
    relation: 'base.ValueFor',
    holder: design.assembly,
  };
}

function localScope(context: Context, address: { readonly assembly: string; readonly platform: string }): Scope {
  const design = locatePlatform(context, address);
  return {
    design,
    namespace: design.inside,
    className: 'catalog.Localvar',
    relation: 'catalog.ValueFor',
    holder: design.platform,
  };
}

function locateVariable(context: Context, scope: Scope, identifier: string): StoredRecord {
  return locate(context, identifier, { noun: 'variable', namespace: scope.namespace, className: scope.className });
}

const list = (context: Context, scope: Scope): object[] =>
  context.store.records
    .list({ namespace: scope.namespace, className: scope.className })
    .map((variable) => mergedRecord(context, variable));

function create(context: Context, scope: Scope, sent: SentRecord): object {
  checkStaying(scope.holder);
  const { namespace, className } = scope;
  const name = checkedName('variable', sent.ciName);
  if (context.store.records.byName(namespace, className, name) !== undefined)
    throw refused(`a variable named ${name} exists already (400)`);
  const values = newValues(knownClass(context.catalogue, className), className, sent.ciAttributes ?? {});
  const made = writeDesign(context, scope.design, (stage) => {
    const owners = sentOwners(sent.ciAttrProps) ?? {};
    const record = stage.add({
      namespace,
      className,
      name,
      values,
      owners,
      impl: IMPLEMENTATION,
      comments: sent.comments ?? '',
    });
    stage.addRelation({ namespace, name: scope.relation, fromId: record.id, toId: scope.holder.id });
    return record;
  });
  return mergedRecord(context, reread(context, made));
}

function update(context: Context, scope: Scope, inPath: string | undefined, sent: SentRecord): object {
  const variable = locateVariable(context, scope, identifierOf(inPath, sent));
  const values = patchValues(
    knownClass(context.catalogue, scope.className),
    scope.className,
    variable.values,
    sent.ciAttributes ?? {},
  );
  return mergedRecord(context, updateDesign(context, scope.design, variable, patchOf(sent, values)));
}

function remove(context: Context, scope: Scope, identifier: string): object | undefined {
  const variable = locateVariable(context, scope, identifier);
  const before = mergedRecord(context, variable);
  writeDesign(context, scope.design, (stage) => stage.remove(variable));
  return deletedAnswer(context.voice, before);
}

function template(context: Context, { namespace, className }: Scope): object {
  const values = defaultAttributes(knownClass(context.catalogue, className));
  return templateAnswer(context, { name: '', className, namespace, values }, 'merged');
}

/** Attribute that holds a variable's text, and that a lock is put on. */
const lockedAttribute = (variable: StoredRecord): string =>
  variable.values['secure'] === 'true' ? 'encrypted_value' : 'value';

/** Locks variables against their pack, or unlocks them (service-facts §2.1.5). Throws a Refusal (404) for one that is not of this scope. */
function setLock(context: Context, scope: Scope, ids: readonly (string | number)[], locked: boolean): object[] {
  const variables = ids.map((id) => {
    const variable = locateVariable(context, scope, String(id));
    if (variable.namespace !== scope.namespace) throw notFound(`variable ${id} is not in namespace ${scope.namespace}`);
    return variable;
  });
  writeDesign(context, scope.design, (stage) => {
    for (const variable of variables)
      stage.update(variable, { owners: locked ? { ...variable.owners, [lockedAttribute(variable)]: 'design' } : {} });
  });
  return variables.map((variable) => mergedRecord(context, reread(context, variable)));
}

/** Handlers of design variables, of both scopes. */
export const variableHandlers: HandlerTable = {
  ...handlersOf(routes.designVariables, {
    list: (context) => list(context, globalScope(context, context.address.assembly)),
    read: (context) => {
      const scope = globalScope(context, context.address.assembly);
      return mergedRecord(context, locateVariable(context, scope, context.address.variable));
    },
    template: (context) => template(context, globalScope(context, context.address.assembly)),
    create: (context) => create(context, globalScope(context, context.address.assembly), context.body.cms_dj_ci),
    lock: (context) => setLock(context, globalScope(context, context.address.assembly), context.body.ciIds, true),
    unlock: (context) => setLock(context, globalScope(context, context.address.assembly), context.body.ciIds, false),
    update: (context) =>
      update(context, globalScope(context, context.address.assembly), context.address.variable, context.body.cms_dj_ci),
    delete: (context) => remove(context, globalScope(context, context.address.assembly), context.address.variable),
  }),
  ...handlersOf(routes.platformVariables, {
    list: (context) => list(context, localScope(context, context.address)),
    read: (context) => {
      const scope = localScope(context, context.address);
      return mergedRecord(context, locateVariable(context, scope, context.address.variable));
    },
    template: (context) => template(context, localScope(context, context.address)),
    create: (context) => create(context, localScope(context, context.address), context.body.cms_dj_ci),
    lock: (context) => setLock(context, localScope(context, context.address), context.body.ciIds, true),
    unlock: (context) => setLock(context, localScope(context, context.address), context.body.ciIds, false),
    update: (context) =>
      update(context, localScope(context, context.address), context.address.variable, context.body.cms_dj_ci),
    delete: (context) => remove(context, localScope(context, context.address), context.address.variable),
  }),
};

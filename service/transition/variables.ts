// Variables of an environment and of its platforms: read, changed for one environment, locked against pulls (service-facts §2.2.7, §4.7.5).
// It must not know where variables are used.
import { routes } from '../../api/contract';
import { mergedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf, notFound } from '../handler';
import { locate } from '../locate';
import { stage, type StoredRecord } from '../store';
import { locatePlace, type Place } from './place';
import { locatePlatform, updateRecord } from './platforms';

interface Scope {
  readonly place: Place;
  readonly namespace: string;
  readonly className: string;
}

function globalScope(context: Context<{ readonly assembly: string; readonly environment: string }>): Scope {
  const place = locatePlace(context);
  return { place, namespace: place.manifest, className: 'manifest.Globalvar' };
}

function localScope(
  context: Context<{ readonly assembly: string; readonly environment: string; readonly platform: string }>,
): Scope {
  const place = locatePlace(context);
  const { namespace } = locatePlatform(context, place, context.address.platform);
  return { place, namespace, className: 'manifest.Localvar' };
}

function locateVariable(context: Context, { namespace, className }: Scope, identifier: string): StoredRecord {
  return locate(context, identifier, { noun: 'variable', namespace, className });
}

const list = (context: Context, { namespace, className }: Scope): object[] =>
  context.store.records.list({ namespace, className }).map((variable) => mergedRecord(context, variable));

/** Locks variables against the next pull, or unlocks them (service-facts §2.1.5). Throws a Refusal (404) for one that is not of this scope. */
function setLock(context: Context, scope: Scope, ids: readonly (string | number)[], locked: boolean): object[] {
  const variables = ids.map((id) => {
    const variable = locateVariable(context, scope, String(id));
    if (variable.namespace !== scope.namespace) throw notFound(`variable ${id} is not in namespace ${scope.namespace}`);
    return variable;
  });
  const manifest = stage(context.store, scope.place.manifest, context);
  return variables.map((variable) => {
    const attribute = variable.values['secure'] === 'true' ? 'encrypted_value' : 'value';
    const owners = locked ? { ...variable.owners, [attribute]: 'manifest' } : {};
    return mergedRecord(context, manifest.update(variable, { owners }));
  });
}

/** Handlers of an environment's variables, of both scopes. */
export const variableHandlers: HandlerTable = {
  ...handlersOf(routes.environmentVariables, {
    list: (context) => list(context, globalScope(context)),
    read: (context) => mergedRecord(context, locateVariable(context, globalScope(context), context.address.variable)),
    update: (context) => {
      const scope = globalScope(context);
      return updateRecord(context, scope.place, locateVariable(context, scope, context.address.variable));
    },
    lock: (context) => setLock(context, globalScope(context), context.body.ciIds, true),
    unlock: (context) => setLock(context, globalScope(context), context.body.ciIds, false),
  }),
  ...handlersOf(routes.environmentPlatformVariables, {
    list: (context) => list(context, localScope(context)),
    read: (context) => mergedRecord(context, locateVariable(context, localScope(context), context.address.variable)),
    update: (context) => {
      const scope = localScope(context);
      return updateRecord(context, scope.place, locateVariable(context, scope, context.address.variable));
    },
    lock: (context) => setLock(context, localScope(context), context.body.ciIds, true),
    unlock: (context) => setLock(context, localScope(context), context.body.ciIds, false),
  }),
};

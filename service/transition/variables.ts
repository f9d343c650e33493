// Variables of an environment and of its platforms: read, changed for one environment, locked against pulls (service-facts §2.2.7, §4.7.5).
// They come with the pull of a design: no request adds or deletes one.
import { routes } from '../../api/contract';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { asSent, stagedCollection, type StagedCollection } from '../staged-collection';
import {
  type EnvironmentAddress,
  locatePlace,
  manifestStage,
  type EnvironmentPlace,
  type PlatformAddress,
} from './place';
import { locatePlatformPlace } from './platforms';

function variablesOf(
  context: Context<unknown>,
  place: EnvironmentPlace,
  of: { readonly namespace: string; readonly className: string },
): StagedCollection {
  return {
    ...of,
    noun: 'variable',
    lockedBy: 'manifest',
    write: (work) => work(manifestStage(context, place)),
  };
}

type Named<A> = A & { readonly variable: string };

const globalVariables = stagedCollection({
  collection: (context: Context<EnvironmentAddress>) => {
    const place = locatePlace(context);
    return variablesOf(context, place, { namespace: place.manifest, className: 'manifest.Globalvar' });
  },
  identifier: (address: Named<EnvironmentAddress>) => address.variable,
  sent: asSent,
});

const localVariables = stagedCollection({
  collection: (context: Context<PlatformAddress>) => {
    const { place, platform } = locatePlatformPlace(context);
    return variablesOf(context, place, { namespace: platform.namespace, className: 'manifest.Localvar' });
  },
  identifier: (address: Named<PlatformAddress>) => address.variable,
  sent: asSent,
});

/** Handlers of an environment's variables, of both scopes. */
export const environmentVariableHandlers: HandlerTable = {
  ...handlersOf(routes.environmentVariables, {
    list: globalVariables.records.list,
    read: globalVariables.records.read,
    update: globalVariables.records.update,
    ...globalVariables.locks,
  }),
  ...handlersOf(routes.environmentPlatformVariables, {
    list: localVariables.records.list,
    read: localVariables.records.read,
    update: localVariables.records.update,
    ...localVariables.locks,
  }),
};

// Resources and functions over one configuration, loaded when the first of them is used.
import type { Api } from '../../../api/client';
import { openApi } from '../../session/client';
import { newConnection, type Connection } from '../dynamic/connection';
import type { Engine } from '../engine';
import { FunctionFailed, functions, newCaller, wrapSecrets, type Caller } from '../../functions';
import { canBeFound, recordsWithin } from '../../import';
import { kinds } from '../../kinds';
import type { Resolved, Settings } from '../../session/settings';
import { pluginFace, type PluginFace } from './face';
import { CallFailed } from './failures';
import { enveloped, type PropertyValues } from './properties';
import { stoppable, stoppableReads } from './stopping';
import type { Texts } from '../../values/plain';

interface Listed {
  readonly id: string;
  readonly name: string;
}

export interface Contents {
  /** The verbs of a resource type, by its bare name. */
  face(token: string): PluginFace | undefined;
  /** Calls a function. `secrets`: arguments that no message may hold. Secrets come in envelopes. */
  invoke(token: string, args: PropertyValues, secrets: PropertyValues): Promise<PropertyValues> | undefined;
  /** The records of a resource type whose addresses have the given names. */
  list(token: string, narrowed: Texts): AsyncIterable<Listed> | undefined;
}

interface Sources {
  readonly connection: Connection;
  readonly caller: Caller;
  /** Aborts when the engine cancels. */
  readonly stop: AbortSignal;
}

export function contentsOf({ connection, caller, stop }: Sources): Contents {
  const host = { configure: () => undefined, connection: () => stoppable(connection, stop) };
  const faces = new Map(kinds.map((of) => [of.token, pluginFace(of, host)] as const));
  return {
    face: (token) => faces.get(token),
    invoke(token, args, secrets) {
      const of = functions.find((each) => each.token === token);
      if (of === undefined) return undefined;
      return caller.call(of, args, secrets).then(
        (result) => wrapSecrets(of.result, { ...result }, enveloped),
        (error: unknown) => {
          throw error instanceof FunctionFailed ? new CallFailed(error.message) : error;
        },
      );
    },
    list(token, narrowed) {
      const of = kinds.find((kind) => kind.token === token);
      return of === undefined || !canBeFound(of) ? undefined : listed();
      async function* listed(): AsyncGenerator<Listed> {
        const api = await connection.connect();
        if (of !== undefined) yield* recordsWithin(stoppableReads(api, stop), of, narrowed);
      }
    },
  };
}

/** The contents over the service that settings name. */
export function openContents(resolved: Resolved, engine: Engine | undefined, stop: AbortSignal): Contents {
  const open = async (settings: Settings): Promise<Api> => stoppableReads(await openApi(settings), stop);
  return contentsOf({
    connection: newConnection(resolved, openApi, engine),
    caller: newCaller(resolved, open),
    stop,
  });
}

// The plugin as a process: its settings, its connection to the service and to the engine, and the port it serves at.
// It knows no request of the protocol. Nothing is written to standard output but the port.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { newConnection, type Connection } from '../dynamic/connection';
import { openEngine, type Engine } from '../engine';
import { functions, newCaller, type Caller } from '../functions';
import { kinds } from '../kinds';
import { openApi } from '../api-layers';
import { resolveSettings, type Configuration, type Resolved } from '../settings';
import { pluginFace } from './face';
import type { Values } from './properties';
import { resourceProvider, type Plugin } from './resource-provider';

/** State of 100 MB passes, as with Pulumi's own plugins. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

/** Serves the resource provider protocol for the engine at an address; without one, the engine attaches itself. */
export function serve(engineAddress: string | undefined): void {
  const server = new Server({
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    'grpc.max_send_message_length': LARGEST_MESSAGE,
  });
  server.addService(ResourceProviderService, resourceProvider(newPlugin(engineAddress)));
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
}

/** A plugin of this process. Its configuration arrives before its first resource. */
function newPlugin(engineAddress: string | undefined): Plugin {
  let engine: Engine | undefined;
  let resolved: Resolved = resolveSettings(() => undefined, process.env);
  let connection: Connection | undefined;
  let caller: Caller | undefined;
  const attach = (address: string): void => {
    engine = openEngine(address);
    // A plugin outlives a killed engine and would finish its work alone.
    engine.whenGone(() => process.exit(1));
  };
  if (engineAddress !== undefined) attach(engineAddress);
  const host = {
    configure: () => undefined,
    connection: (): Connection => (connection ??= newConnection(resolved, openApi, engine)),
  };
  const faces = new Map(kinds.map((of) => [of.token, pluginFace(of, host)] as const));
  const required = createRequire(__filename);
  return {
    version: (required('pulumi-oneops/package.json') as { readonly version: string }).version,
    schema: () => readFileSync(required.resolve('pulumi-oneops/schema.json'), 'utf8'),
    face(token) {
      const face = faces.get(token);
      if (face === undefined) throw new TypeError(`there is no kind ${token}`);
      return face;
    },
    configure(configuration, explicit) {
      resolved = resolveSettings(keyIn(configuration, explicit), process.env);
      connection = undefined;
      caller = undefined;
    },
    invoke(token, args, secrets) {
      const of = functions.find((each) => each.token === token);
      if (of === undefined) throw new TypeError(`there is no function ${token}`);
      return (caller ??= newCaller(resolved)).call(of, args, secrets);
    },
    attach,
  };
}

const keyIn =
  (values: Values, explicit: boolean): Configuration =>
  (key) =>
    key === 'oneops:explicit' ? explicit : values[key.replace('oneops:', '')];

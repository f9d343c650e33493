// Pulumi's resource provider protocol. It loads messages alone at first: kinds and functions come
// with the first call that needs them.
import type { ServerWritableStream, UntypedServiceImplementation } from '@grpc/grpc-js';
import { type PluginAttach, PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { answering, statusOf } from '../served';
import type { Contents } from './contents';
import { received, withMembers } from './properties';
import type { Values } from '../../values/plain';

export interface Plugin {
  readonly version: string;
  /** Text of schema.json. */
  schema(): string;
  /** Resources and functions, under the configuration of this process; loaded by the first call. */
  contents(): Promise<Contents>;
  /** Takes the configuration: values by names without `oneops:`. `explicit`: of a program. */
  configure(configuration: Values, explicit: boolean): void;
  /** The engine exists, and was answered: what takes its time begins. */
  greeted(): void;
  /** Connects to the engine at another address: a debugger started this process. */
  attach(address: string): Promise<void>;
  /** Ends every call that is being answered. */
  cancel(): void;
}

/** A configuration without what only Pulumi keeps there. */
const ownConfiguration = (values: Values): Values => {
  const { version: _, pluginDownloadURL: __, ...own } = values;
  return own;
};

/** The default provider of a run is `default`, with a version or address behind it. */
const isExplicit = (name: string): boolean => name !== '' && !/^default(_|$)/.test(name);

/** The first resource judges the settings: a schema or an empty plan needs none. */
const checkConfig = (request: provider.CheckRequest): provider.CheckResponse =>
  withMembers(new provider.CheckResponse(), { inputs: request.getNews() });

function diffConfig(request: provider.DiffRequest): provider.DiffResponse {
  const olds = received(request.getOlds()).values;
  const news = received(request.getNews()).values;
  const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name]),
  );
  // Another address or organization never replaces: the next read says what exists.
  const changes = names.length > 0 ? DIFF_SOME : DIFF_NONE;
  return withMembers(new provider.DiffResponse(), { changes, diffsList: names });
}

/** The service for a gRPC server. A missing method is UNIMPLEMENTED: "not offered". */
export function resourceProvider(plugin: Plugin): UntypedServiceImplementation {
  return {
    handshake: answering(() => {
      setImmediate(() => plugin.greeted());
      return withMembers(new provider.ProviderHandshakeResponse(), { acceptSecrets: true });
    }),
    attach: answering(async (request: PluginAttach) => {
      await plugin.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: answering(() => withMembers(new PluginInfo(), { version: plugin.version })),
    getSchema: answering(() => withMembers(new provider.GetSchemaResponse(), { schema: plugin.schema() })),
    checkConfig: answering(checkConfig),
    diffConfig: answering(diffConfig),
    configure: answering((request: provider.ConfigureRequest) => {
      plugin.configure(ownConfiguration(received(request.getArgs()).values), isExplicit(request.getName() ?? ''));
      return withMembers(new provider.ConfigureResponse(), { acceptsecrets: true, supportspreview: true });
    }),
    check: answering(async (request: provider.CheckRequest) => (await plugin.contents()).check(request)),
    diff: answering(async (request: provider.DiffRequest) => (await plugin.contents()).diff(request)),
    create: answering(async (request: provider.CreateRequest) => (await plugin.contents()).create(request)),
    read: answering(async (request: provider.ReadRequest) => (await plugin.contents()).read(request)),
    update: answering(async (request: provider.UpdateRequest) => (await plugin.contents()).update(request)),
    delete: answering(async (request: provider.DeleteRequest) => (await plugin.contents()).delete(request)),
    invoke: answering(async (request: provider.InvokeRequest) => (await plugin.contents()).invoke(request)),
    list: (call: ServerWritableStream<provider.ListRequest, provider.ListResponse>) => {
      const sending = plugin.contents().then((contents) => contents.list(call));
      sending.then(
        () => call.end(),
        (error: unknown) => call.emit('error', statusOf(error)),
      );
    },
    // The engine calls it at the end of every run, too.
    cancel: answering(() => {
      plugin.cancel();
      return new Empty();
    }),
  };
}

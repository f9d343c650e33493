// Pulumi's resource provider protocol over the kinds. It loads messages alone at first.
import {
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type PluginAttach, PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { messageOf } from '../../../api/errors';
import { UNKNOWN } from '../../values/plain';
import type { Contents } from './contents';
import type { PluginFace } from './face';
import { bareName, callFailed, CallFailed, notOffered } from './failures';
import { joined, type PropertyValues, received, type SecretPlaces, sent, withMembers } from './properties';

export interface Plugin {
  readonly version: string;
  /** Text of schema.json. */
  schema(): string;
  /** Resources and functions, under the configuration of this process; loaded by the first call. */
  contents(): Promise<Contents>;
  /** Takes the configuration: values by names without `oneops:`. `explicit`: of a program. */
  configure(configuration: PropertyValues, explicit: boolean): void;
  /** The engine exists, and was answered: what takes its time begins. */
  greeted(): void;
  /** Connects to the engine at another address: a debugger started this process. */
  attach(address: string): Promise<void>;
  /** Ends every call that is being answered. */
  cancel(): void;
}

type Unary<Request, Response> = (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => void;

/** Answers a call by what a job returns, or with the status it throws. */
const answering =
  <Request, Response>(job: (request: Request) => Response | Promise<Response>): Unary<Request, Response> =>
  ({ request }, callback) => {
    void Promise.resolve()
      .then(() => job(request))
      .then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(statusOf(error)),
      );
  };

const statusOf = (error: unknown): CallFailed =>
  error instanceof CallFailed ? error : new CallFailed(messageOf(error));

/** `oneops:index:Component` from a URN: the last type of the parents' chain. */
const typeOf = (urn: string): string => (urn.split('::')[2] ?? '').split('$').at(-1) ?? '';

interface Asked {
  readonly urn: string;
  readonly face: PluginFace;
}

/** Runs a verb of a resource; what it throws becomes a status. */
async function asking<T>(
  plugin: Plugin,
  urn: string,
  inputs: PropertyValues,
  job: (asked: Asked) => Promise<T>,
): Promise<T> {
  const type = typeOf(urn);
  const face = (await plugin.contents()).face(bareName(type));
  if (face === undefined) throw notOffered('resource type', type, status.INVALID_ARGUMENT);
  try {
    return await job({ urn, face });
  } catch (error) {
    throw callFailed(error, inputs, (values) => face.secrets(values));
  }
}

const structOf = (face: PluginFace, values: PropertyValues, asked?: SecretPlaces): Struct =>
  sent(values, joined(face.secrets(values), asked));

/** A configuration without what only Pulumi keeps there. */
const ownConfiguration = (values: PropertyValues): PropertyValues => {
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

const check = (plugin: Plugin, request: provider.CheckRequest): Promise<provider.CheckResponse> => {
  const news = received(request.getNews());
  return asking(plugin, request.getUrn(), news.values, async ({ urn, face }) => {
    const { inputs, failures } = await face.check(urn, received(request.getOlds()).values, news.values);
    return withMembers(new provider.CheckResponse(), {
      inputs: structOf(face, inputs, news.secrets),
      failuresList: failures.map(({ property, reason }) =>
        withMembers(new provider.CheckFailure(), { property, reason }),
      ),
    });
  });
};

const diff = (plugin: Plugin, request: provider.DiffRequest): Promise<provider.DiffResponse> => {
  const news = received(request.getNews()).values;
  return asking(plugin, request.getUrn(), news, async ({ urn, face }) => {
    const olds = received(request.getOlds()).values;
    const answer = await face.diff(urn, request.getId(), olds, news, request.getIgnorechangesList());
    return diffResponse(answer);
  });
};

function diffResponse({ changes, names, replaces, differences }: Awaited<ReturnType<PluginFace['diff']>>) {
  const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = provider.DiffResponse.DiffChanges;
  const { Kind } = provider.PropertyDiff;
  const words = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  } as const;
  const answer = withMembers(new provider.DiffResponse(), {
    changes: { none: DIFF_NONE, some: DIFF_SOME, unknown: DIFF_UNKNOWN }[changes],
    replacesList: [...replaces],
    deletebeforereplace: replaces.length > 0,
    diffsList: [...names],
    hasdetaileddiff: differences.length > 0,
  });
  for (const { path, kind: change, replaces: isReplacing } of differences) {
    const kind = words[change][isReplacing ? 1 : 0];
    answer.getDetaileddiffMap().set(path, withMembers(new provider.PropertyDiff(), { kind, inputdiff: true }));
  }
  return answer;
}

const create = (plugin: Plugin, request: provider.CreateRequest): Promise<provider.CreateResponse> => {
  const inputs = received(request.getProperties());
  return asking(plugin, request.getUrn(), inputs.values, async ({ urn, face }) => {
    const { id, outputs } = await face.create(urn, inputs.values, request.getPreview());
    return withMembers(new provider.CreateResponse(), { id, properties: structOf(face, outputs, inputs.secrets) });
  });
};

const read = (plugin: Plugin, request: provider.ReadRequest): Promise<provider.ReadResponse> => {
  const known = received(request.getProperties());
  const inputs = received(request.getInputs());
  return asking(plugin, request.getUrn(), inputs.values, async ({ urn, face }) => {
    const found = await face.read(urn, request.getId(), known.values, inputs.values);
    if (found === undefined) return new provider.ReadResponse();
    const secrets = joined(known.secrets, inputs.secrets);
    return withMembers(new provider.ReadResponse(), {
      id: found.id,
      properties: structOf(face, found.outputs, secrets),
      inputs: structOf(face, found.inputs, secrets),
    });
  });
};

const update = (plugin: Plugin, request: provider.UpdateRequest): Promise<provider.UpdateResponse> => {
  const news = received(request.getNews());
  const olds = received(request.getOlds()).values;
  return asking(plugin, request.getUrn(), news.values, async ({ urn, face }) => {
    const { outputs } = await face.update(urn, request.getId(), {
      olds,
      news: news.values,
      preview: request.getPreview(),
      ignored: request.getIgnorechangesList(),
    });
    return withMembers(new provider.UpdateResponse(), { properties: structOf(face, outputs, news.secrets) });
  });
};

const remove = (plugin: Plugin, request: provider.DeleteRequest): Promise<Empty> =>
  asking(plugin, request.getUrn(), {}, async ({ urn, face }) => {
    const outputs = received(request.getProperties()).values;
    await face.delete(urn, request.getId(), outputs, received(request.getOldInputs()).values);
    return new Empty();
  });

async function invoke(plugin: Plugin, request: provider.InvokeRequest): Promise<provider.InvokeResponse> {
  const { values, secrets } = received(request.getArgs());
  const result = (await plugin.contents()).invoke(bareName(request.getTok()), values, secrets ? values : {});
  if (result === undefined) throw notOffered('function', request.getTok());
  return withMembers(new provider.InvokeResponse(), { return: sent(await result) });
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
    check: answering((request: provider.CheckRequest) => check(plugin, request)),
    diff: answering((request: provider.DiffRequest) => diff(plugin, request)),
    create: answering((request: provider.CreateRequest) => create(plugin, request)),
    read: answering((request: provider.ReadRequest) => read(plugin, request)),
    update: answering((request: provider.UpdateRequest) => update(plugin, request)),
    delete: answering((request: provider.DeleteRequest) => remove(plugin, request)),
    invoke: answering((request: provider.InvokeRequest) => invoke(plugin, request)),
    list: (call: ServerWritableStream<provider.ListRequest, provider.ListResponse>) => {
      sendList(() => plugin.contents(), call).then(
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

// The records of a resource type, as the protocol streams them: for `pulumi do … list`.

/** Sends the records of a type, one message each. The complete list is one page. */
async function sendList(
  contents: () => Promise<Contents>,
  call: ServerWritableStream<provider.ListRequest, provider.ListResponse>,
): Promise<void> {
  const { request } = call;
  const { values } = received(request.getQuery());
  if (Object.values(values).includes(UNKNOWN)) {
    call.write(withMembers(new provider.ListResponse(), { computed: new provider.ListResponse.Computed() }));
    return;
  }
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  const found = (await contents()).list(
    bareName(request.getToken()),
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  );
  if (found === undefined) throw notOffered('list of', request.getToken(), status.UNIMPLEMENTED);
  let left = request.getLimit() || Infinity;
  for await (const { id, name } of found) {
    const result = withMembers(new provider.ListResponse.Result(), { id, name });
    call.write(withMembers(new provider.ListResponse(), { result }));
    left -= 1;
    if (left <= 0 || call.cancelled) return;
  }
}

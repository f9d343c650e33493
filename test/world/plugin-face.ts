// The plugin without a socket: calls of its protocol as the engine sends them, and verbs of kinds.
import type { handleServerStreamingCall, handleUnaryCall, ServiceError } from '@grpc/grpc-js';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import type { Message } from 'google-protobuf';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { IGNORED, type Inputs, type Kind } from '../../provider';
import { secretPathsIn } from '../../provider/secrets';
import type { Face, Host } from '../../provider/faces/dynamic/face';
import type { Connection } from '../../provider/faces/dynamic/connection';
import { contentsOf } from '../../provider/faces/plugin/contents';
import { joined, received, sent, type SecretPlaces } from '../../provider/faces/plugin/properties';
import { resourceProvider } from '../../provider/faces/plugin/resource-provider';

const REQUESTS = {
  check: provider.CheckRequest,
  diff: provider.DiffRequest,
  create: provider.CreateRequest,
  read: provider.ReadRequest,
  update: provider.UpdateRequest,
  delete: provider.DeleteRequest,
  list: provider.ListRequest,
} as const;

interface Answers {
  readonly check: provider.CheckResponse;
  readonly diff: provider.DiffResponse;
  readonly create: provider.CreateResponse;
  readonly read: provider.ReadResponse;
  readonly update: provider.UpdateResponse;
  readonly delete: object;
  readonly list: readonly provider.ListResponse[];
}

type Name = keyof Answers;

/** Fields of a request by the names of their setters: `{ urn }` is set by `setUrn`. */
type Fields<Of extends Name> = {
  readonly [field in keyof ReturnType<InstanceType<(typeof REQUESTS)[Of]>['toObject']>]?:
    string | number | boolean | readonly string[] | Inputs | Struct;
};

/** One call of the protocol. Rejects with the error that the plugin answers. */
export type Call = <Of extends Name>(name: Of, fields: Fields<Of>) => Promise<Answers[Of]>;

/** A plugin over a connection, as the engine calls it. */
export function pluginClient(connection: Connection): Call {
  const stop = new AbortController();
  const caller = { call: () => Promise.reject(new Error('this plugin calls no function')) };
  const contents = contentsOf({ connection, caller, stop: stop.signal });
  const service = resourceProvider({
    version: '0.0.0',
    schema: () => '{}',
    contents: () => Promise.resolve(contents),
    configure: () => undefined,
    greeted: () => undefined,
    attach: () => Promise.resolve(),
    cancel: () => stop.abort(),
  });
  return (name, fields) =>
    new Promise((resolve, reject) => {
      const request = requestOf(name, fields);
      const fail = (error: Partial<ServiceError>): void => reject(Object.assign(new Error(error.details), error));
      const settle = resolve as (answer: unknown) => void;
      if (name !== 'list') {
        const handler = service[name] as handleUnaryCall<Message, Message>;
        handler({ request } as never, (error, answer) => (error ? fail(error) : settle(answer)));
        return;
      }
      const answers: Message[] = [];
      const write = (answer: Message): number => answers.push(answer);
      const call = { request, cancelled: false, write, end: () => settle(answers), destroy: fail };
      (service[name] as handleServerStreamingCall<Message, Message>)(call as never);
    });
}

function requestOf(name: Name, fields: object): Message {
  const request = new REQUESTS[name]();
  const setters = request as object as { readonly [setter: string]: (value: unknown) => void };
  for (const [field, value] of Object.entries(fields) as readonly (readonly [string, unknown])[]) {
    const isPlain = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Struct);
    const setter = `set${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    setters[setter]?.call(request, isPlain ? sent(value as Inputs) : value);
  }
  return request;
}

/** `urn:pulumi:dev::story::oneops:index:Platform::web` */
export const urnOf = (token: string, name = 'sample'): string =>
  `urn:pulumi:dev::story::oneops:index:${token}::${name}`;

/** The plugin in place of the dynamic provider. */
interface PluginFaces {
  /** The verbs of a kind in a process: as `face` of the dynamic provider. */
  readonly faceOf: (of: Kind, host: Host) => Face;
  /** Answers that held a secret in clear: `Component outputs`. */
  readonly leaks: readonly string[];
}

/** `secret`: what no answer may hold outside of an envelope. */
export function pluginFaces(secret: RegExp): PluginFaces {
  const leaks: string[] = [];
  const clients = new WeakMap<Connection, Call>();
  return {
    leaks,
    faceOf(of, host) {
      const connection = host.connection(of.token);
      const client = clients.get(connection) ?? pluginClient(connection);
      clients.set(connection, client);
      const call: Call = (name, fields) =>
        client(name, { urn: urnOf(of.token), ...fields }).catch((error: ServiceError) => {
          throw failure(error);
        });
      return pluginFace(of, call, (where, struct) => {
        if (secret.test(inClear(struct))) leaks.push(`${of.token} ${where}`);
        return received(struct).values;
      });
    },
  };
}

/** The verbs of a kind as messages with secrets in envelopes. `opened`: the values of an answer. */
function pluginFace(of: Kind, call: Call, opened: (where: string, struct: Struct | undefined) => Inputs): Face {
  const declared = ({ [IGNORED]: ignored = {}, ...given }: Inputs): { news: Struct; ignorechangesList: string[] } => ({
    news: marked(of, given),
    ignorechangesList: Object.keys(ignored as Inputs),
  });
  return {
    configure: () => Promise.resolve(),
    async check(olds, news) {
      const answer = await call('check', {
        olds: marked(of, withoutText(olds)),
        news: marked(of, withoutText(news)),
      });
      const failures = answer.getFailuresList().map((each) => ({
        property: each.getProperty(),
        reason: each.getReason(),
      }));
      return { inputs: opened('checked', answer.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const answer = await call('diff', { id, olds: marked(of, olds), ...declared(withoutText(news)) });
      const replaces = answer.getReplacesList();
      const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
      if (answer.getChanges() === DIFF_NONE) return { changes: false };
      if (answer.getChanges() === DIFF_SOME && replaces.length === 0) return { changes: true };
      return { replaces, deleteBeforeReplace: answer.getDeletebeforereplace() };
    },
    async create(inputs) {
      const answer = await call('create', { properties: marked(of, inputs) });
      return { id: answer.getId(), outs: opened('outputs', answer.getProperties()) };
    },
    async read(id, properties = {}) {
      const answer = await call('read', { id, properties: marked(of, properties) });
      if (answer.getId() === '') return {};
      const props = opened('read outputs', answer.getProperties());
      return { id: answer.getId(), props, inputs: opened('read inputs', answer.getInputs()) };
    },
    async update(id, olds, news) {
      const answer = await call('update', { id, olds: marked(of, olds), ...declared(news) });
      return { outs: opened('updated outputs', answer.getProperties()) };
    },
    async delete(id, properties) {
      await call('delete', { id, properties: marked(of, properties) });
    },
  };
}

/** Inputs without the text of the dynamic provider, which the engine sends to no plugin. */
const withoutText = ({ __provider: _, ...rest }: Inputs): Inputs => rest;

/** Properties with their secrets in envelopes, as the engine has them from a program. */
function marked(of: Kind, values: Inputs): Struct {
  const places = secretPathsIn(of, values).map(([name = '', entry]) => ({
    [name]: entry === undefined ? (true as const) : { [entry]: true as const },
  }));
  return sent(values, places.reduce<SecretPlaces | undefined>(joined, undefined));
}

/** What a message holds outside of envelopes. */
function inClear(struct: Struct | undefined): string {
  return JSON.stringify(struct?.toJavaScript() ?? {}, (_, value: unknown) =>
    typeof value === 'object' && value !== null && '4dabf18193072939515e22adb298388d' in value ? 'sealed' : value,
  );
}

/** What is known of a resource that exists and is not right; undefined for other errors. */
export function initFailureOf({ metadata }: ServiceError): provider.ErrorResourceInitFailed | undefined {
  const [packed] = metadata.get('grpc-status-details-bin') as readonly Buffer[];
  if (packed === undefined) return undefined;
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  return provider.ErrorResourceInitFailed.deserializeBinary(
    (detail as { getValue_asU8(): Uint8Array }).getValue_asU8(),
  );
}

/** The error of a verb, with what is known of a resource that exists and is not right. */
function failure(error: ServiceError): Error {
  const kept = initFailureOf(error);
  if (kept === undefined) return new Error(error.details);
  const properties = received(kept.getProperties()).values;
  return Object.assign(new Error(error.details), { id: kept.getId(), properties, reasons: kept.getReasonsList() });
}

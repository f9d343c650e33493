// The plugin behind a real gRPC server, as the engine of engine-simulation.ts asks it: each verb goes over the wire with its secrets in envelopes, and an
// answer that contains one in clear is remembered.
import { credentials, Server, ServerCredentials, type ServiceError } from '@grpc/grpc-js';
import { ResourceProviderClient, ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { IGNORED, secretNames, type Inputs, type Kind } from '../../provider';
import { secretAttributes } from '../../provider/secrets';
import type { Face, Host } from '../../provider/faces/dynamic/face';
import type { Connection } from '../../provider/faces/dynamic/connection';
import { contentsOf, type Contents } from '../../provider/faces/plugin/contents';
import { received, sent, type PropertyValues, type SecretPlaces } from '../../provider/faces/plugin/properties';
import { resourceProvider } from '../../provider/faces/plugin/resource-provider';
import { requests, urnOf } from './plugin-client';

/** A plugin that runs. */
export interface ServedPlugin {
  /** The verbs of a kind in a process: as `face` of the dynamic provider. */
  readonly faceOf: (of: Kind, host: Host) => Face;
  /** Paths of the differences that a kind's diff shows. */
  differences(of: Kind, host: Host, ...asked: Parameters<Face['diff']>): Promise<readonly string[]>;
  /** Answers that held a secret in clear: `Component outputs`. */
  readonly leaks: readonly string[];
  close(): void;
}

/** Starts it. `secret`: what no answer may hold outside of an envelope. */
export async function servePlugin(secret: RegExp): Promise<ServedPlugin> {
  const leaks: string[] = [];
  let served: { readonly connection: Connection; readonly contents: Contents } | undefined;
  const server = new Server();
  server.addService(
    ResourceProviderService,
    resourceProvider({
      version: '0.0.0',
      schema: () => '{}',
      contents: () => Promise.resolve(served?.contents as Contents),
      configure: () => undefined,
      greeted: () => undefined,
      attach: () => Promise.resolve(),
      cancel: () => undefined,
    }),
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const caller = { call: () => Promise.reject(new Error('this plugin calls no function')) };
  const ask = <Answer>(host: Host, { token }: Kind, send: Send<Answer>): Promise<Answer> => {
    const connection = host.connection(token);
    if (served?.connection !== connection)
      served = { connection, contents: contentsOf({ connection, caller, stop: new AbortController().signal }) };
    return new Promise<Answer>((resolve, reject) => {
      send(client, (error, answer) => (error ? reject(failure(error)) : resolve(answer)));
    });
  };
  const opened = (of: Kind, where: string, struct: Struct | undefined): Inputs => {
    if (secret.test(inClear(struct))) leaks.push(`${of.token} ${where}`);
    return received(struct).values;
  };
  const diff = (
    of: Kind,
    host: Host,
    ...[id, olds, news]: Parameters<Face['diff']>
  ): Promise<provider.DiffResponse> => {
    const request = requests.diff(urnOf(of.token), id, olds, {});
    request.setOlds(marked(of, olds));
    request.setNews(marked(of, withoutText(news)));
    return ask<provider.DiffResponse>(host, of, (plugin, done) => plugin.diff(request, done));
  };
  return {
    leaks,
    differences: async (of, host, ...asked) =>
      ((await diff(of, host, ...asked)).getDetaileddiffMap().toArray() as [string, unknown][]).map(([path]) => path),
    faceOf: (of, host) => servedFace(of, host, { ask, opened, diff }),
    close() {
      client.close();
      server.forceShutdown();
    },
  };
}

interface Wire {
  ask<Answer>(host: Host, of: Kind, send: Send<Answer>): Promise<Answer>;
  opened(of: Kind, where: string, struct: Struct | undefined): Inputs;
  diff(of: Kind, host: Host, ...asked: Parameters<Face['diff']>): Promise<provider.DiffResponse>;
}

/** The verbs of a kind over the wire. */
function servedFace(of: Kind, host: Host, { ask, opened, diff }: Wire): Face {
  return {
    configure: () => Promise.resolve(),
    async check(olds, news) {
      const request = requests.check(urnOf(of.token), {}, {});
      request.setOlds(marked(of, withoutText(olds)));
      request.setNews(marked(of, withoutText(news)));
      const answer = await ask<provider.CheckResponse>(host, of, (plugin, done) => plugin.check(request, done));
      const failures = answer.getFailuresList().map((each) => ({
        property: each.getProperty(),
        reason: each.getReason(),
      }));
      return { inputs: opened(of, 'checked', answer.getInputs()), failures };
    },
    async diff(...asked) {
      const answer = await diff(of, host, ...asked);
      const replaces = answer.getReplacesList();
      const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
      if (answer.getChanges() === DIFF_NONE) return { changes: false };
      if (answer.getChanges() === DIFF_SOME && replaces.length === 0) return { changes: true };
      return { replaces, deleteBeforeReplace: answer.getDeletebeforereplace() };
    },
    async create(inputs) {
      const request = requests.create(urnOf(of.token), {});
      request.setProperties(marked(of, inputs));
      const answer = await ask<provider.CreateResponse>(host, of, (plugin, done) => plugin.create(request, done));
      return { id: answer.getId(), outs: opened(of, 'outputs', answer.getProperties()) };
    },
    async read(id, properties = {}) {
      const request = requests.read(urnOf(of.token), id);
      request.setProperties(marked(of, properties));
      const answer = await ask<provider.ReadResponse>(host, of, (plugin, done) => plugin.read(request, done));
      if (answer.getId() === '') return {};
      const props = opened(of, 'read outputs', answer.getProperties());
      return { id: answer.getId(), props, inputs: opened(of, 'read inputs', answer.getInputs()) };
    },
    async update(id, olds, news) {
      const request = requests.update(urnOf(of.token), id, {}, {});
      request.setOlds(marked(of, olds));
      const { [IGNORED]: ignored = {}, ...given } = news;
      request.setNews(marked(of, given));
      request.setIgnorechangesList(Object.keys(ignored as Inputs));
      const answer = await ask<provider.UpdateResponse>(host, of, (plugin, done) => plugin.update(request, done));
      return { outs: opened(of, 'updated outputs', answer.getProperties()) };
    },
    async delete(id, properties) {
      const request = requests.delete(urnOf(of.token), id, {});
      request.setProperties(marked(of, properties));
      await ask<unknown>(host, of, (plugin, done) => plugin.delete(request, done));
    },
  };
}

/** Sends one request to the plugin. */
type Send<Answer> = (
  plugin: ResourceProviderClient,
  done: (error: ServiceError | null, answer: Answer) => void,
) => unknown;

/** The engine sends no text of the dynamic provider to a plugin, but for what the plugin itself put into outputs. */
const withoutText = ({ __provider: _, ...rest }: PropertyValues): PropertyValues => rest;

/** Properties with their secrets in envelopes, as the engine has them from a program. */
function marked(of: Kind, values: PropertyValues): Struct {
  const { argument = '', names = [] } = secretAttributes(of, values) ?? {};
  const places: { [name: string]: SecretPlaces } = {
    ...Object.fromEntries(secretNames(of).map((name) => [name, true as const])),
    ...(names.length > 0 ? { [argument]: Object.fromEntries(names.map((name) => [name, true as const])) } : {}),
  };
  return sent(values, places);
}

/** What a message holds outside of envelopes. */
function inClear(struct: Struct | undefined): string {
  return JSON.stringify(struct?.toJavaScript() ?? {}, (_, value: unknown) =>
    typeof value === 'object' && value !== null && '4dabf18193072939515e22adb298388d' in value ? 'sealed' : value,
  );
}

/** The error of a verb, with what is known of a resource that exists and not right. */
function failure(error: ServiceError): Error {
  const [packed] = error.metadata.get('grpc-status-details-bin') as readonly Buffer[];
  if (packed === undefined) return new Error(error.details);
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  const kept = provider.ErrorResourceInitFailed.deserializeBinary(
    (detail as { getValue_asU8(): Uint8Array }).getValue_asU8(),
  );
  return Object.assign(new Error(error.details), {
    id: kept.getId(),
    properties: received(kept.getProperties()).values,
    reasons: kept.getReasonsList(),
  });
}

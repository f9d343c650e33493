// The plugin as the engine of engine-simulation.ts asks it: each verb is a message of the protocol with its secrets in envelopes, and an answer that
// contains one in clear is remembered.
import type { ServiceError } from '@grpc/grpc-js';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import type { Message } from 'google-protobuf';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { IGNORED, type Inputs, type Kind } from '../../provider';
import { secretPathsIn } from '../../provider/secrets';
import type { Face, Host } from '../../provider/faces/dynamic/face';
import type { Connection } from '../../provider/faces/dynamic/connection';
import { joined, received, sent, type PropertyValues, type SecretPlaces } from '../../provider/faces/plugin/properties';
import { type Call, pluginClient, requests, urnOf } from './plugin-client';

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
  const ask = <Answer>(host: Host, { token }: Kind, name: string, request: Message): Promise<Answer> => {
    const connection = host.connection(token);
    const call = clients.get(connection) ?? pluginClient(connection);
    clients.set(connection, call);
    return call<Answer>(name, request).catch((error: ServiceError) => {
      throw failure(error);
    });
  };
  const opened = (of: Kind, where: string, struct: Struct | undefined): Inputs => {
    if (secret.test(inClear(struct))) leaks.push(`${of.token} ${where}`);
    return received(struct).values;
  };
  return { leaks, faceOf: (of, host) => pluginFace(of, host, { ask, opened }) };
}

interface Wire {
  ask<Answer>(host: Host, of: Kind, name: string, request: Message): Promise<Answer>;
  opened(of: Kind, where: string, struct: Struct | undefined): Inputs;
}

/** The verbs of a kind as messages. */
function pluginFace(of: Kind, host: Host, { ask, opened }: Wire): Face {
  return {
    configure: () => Promise.resolve(),
    async check(olds, news) {
      const request = requests.check(urnOf(of.token), {}, {});
      request.setOlds(marked(of, withoutText(olds)));
      request.setNews(marked(of, withoutText(news)));
      const answer = await ask<provider.CheckResponse>(host, of, 'check', request);
      const failures = answer.getFailuresList().map((each) => ({
        property: each.getProperty(),
        reason: each.getReason(),
      }));
      return { inputs: opened(of, 'checked', answer.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const request = requests.diff(urnOf(of.token), id, olds, {});
      request.setOlds(marked(of, olds));
      const { [IGNORED]: ignored = {}, ...given } = news;
      request.setNews(marked(of, withoutText(given)));
      request.setIgnorechangesList(Object.keys(ignored as Inputs));
      const answer = await ask<provider.DiffResponse>(host, of, 'diff', request);
      const replaces = answer.getReplacesList();
      const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
      if (answer.getChanges() === DIFF_NONE) return { changes: false };
      if (answer.getChanges() === DIFF_SOME && replaces.length === 0) return { changes: true };
      return { replaces, deleteBeforeReplace: answer.getDeletebeforereplace() };
    },
    async create(inputs) {
      const request = requests.create(urnOf(of.token), {});
      request.setProperties(marked(of, inputs));
      const answer = await ask<provider.CreateResponse>(host, of, 'create', request);
      return { id: answer.getId(), outs: opened(of, 'outputs', answer.getProperties()) };
    },
    async read(id, properties = {}) {
      const request = requests.read(urnOf(of.token), id);
      request.setProperties(marked(of, properties));
      const answer = await ask<provider.ReadResponse>(host, of, 'read', request);
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
      const answer = await ask<provider.UpdateResponse>(host, of, 'update', request);
      return { outs: opened(of, 'updated outputs', answer.getProperties()) };
    },
    async delete(id, properties) {
      const request = requests.delete(urnOf(of.token), id, {});
      request.setProperties(marked(of, properties));
      await ask<unknown>(host, of, 'delete', request);
    },
  };
}

/** The engine sends no text of the dynamic provider to a plugin, but for what the plugin itself put into outputs. */
const withoutText = ({ __provider: _, ...rest }: PropertyValues): PropertyValues => rest;

/** Properties with their secrets in envelopes, as the engine has them from a program. */
function marked(of: Kind, values: PropertyValues): Struct {
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

/** The error of a verb, with what is known of a resource that exists and not right. */
function failure(error: ServiceError): Error {
  const [packed] = (error.metadata?.get('grpc-status-details-bin') ?? []) as readonly Buffer[];
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

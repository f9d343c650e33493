// The plugin protocol without a socket: what the engine would send, handed to the plugin's service as messages that went over the wire.
import type { handleServerStreamingCall, handleUnaryCall, ServiceError } from '@grpc/grpc-js';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import type { Message } from 'google-protobuf';
import type { Connection } from '../../provider/faces/dynamic/connection';
import { contentsOf } from '../../provider/faces/plugin/contents';
import { sent, type SecretPlaces, type PropertyValues } from '../../provider/faces/plugin/properties';
import { resourceProvider, type Plugin } from '../../provider/faces/plugin/resource-provider';

/** One call of the protocol by its name: `check`, `create`; one that streams answers a list. Rejects with the error that the plugin answers. */
export type Call = <Answer>(name: string, request: Message) => Promise<Answer>;

/** A plugin over a connection, as the engine calls it. */
export function pluginClient(connection: Connection, plugin: Partial<Plugin> = {}): Call {
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
    ...plugin,
  });
  return <Answer>(name: string, request: Message) =>
    new Promise<Answer>((resolve, reject) => {
      if (name === 'list') return streamed(service[name] as Streaming, request, resolve as Settled, reject);
      const handler = service[name] as handleUnaryCall<Message, Answer>;
      const call = { request } as Parameters<typeof handler>[0];
      handler(call, (error, answer) => {
        if (error) reject(Object.assign(new Error(error.details), error));
        else resolve(answer as Answer);
      });
    });
}

type Streaming = handleServerStreamingCall<Message, Message>;
type Settled = (answers: readonly Message[]) => void;

function streamed(handler: Streaming, request: Message, resolve: Settled, reject: (error: Error) => void): void {
  const answers: Message[] = [];
  const call = {
    request,
    cancelled: false,
    write: (answer: Message) => answers.push(answer),
    end: () => resolve(answers),
    destroy: (error: ServiceError) => reject(Object.assign(new Error(error.details), error)),
  };
  handler(call as object as Parameters<Streaming>[0]);
}

/** `urn:pulumi:dev::story::oneops:index:Platform::web` */
export const urnOf = (token: string, name = 'sample'): string =>
  `urn:pulumi:dev::story::oneops:index:${token}::${name}`;

/** Requests of the protocol from plain values; `secrets` says which of them come in envelopes. */
export const requests = {
  check(urn: string, olds: PropertyValues, news: PropertyValues, secrets?: SecretPlaces): provider.CheckRequest {
    const request = new provider.CheckRequest();
    request.setUrn(urn);
    request.setOlds(sent(olds));
    request.setNews(sent(news, secrets));
    return request;
  },
  diff(urn: string, id: string, olds: PropertyValues, news: PropertyValues): provider.DiffRequest {
    const request = new provider.DiffRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(sent(olds));
    request.setNews(sent(news));
    return request;
  },
  create(urn: string, inputs: PropertyValues, preview = false, secrets?: SecretPlaces): provider.CreateRequest {
    const request = new provider.CreateRequest();
    request.setUrn(urn);
    request.setProperties(sent(inputs, secrets));
    request.setPreview(preview);
    return request;
  },
  read(urn: string, id: string, outputs: PropertyValues = {}, inputs: PropertyValues = {}): provider.ReadRequest {
    const request = new provider.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(sent(outputs));
    request.setInputs(sent(inputs));
    return request;
  },
  update(urn: string, id: string, olds: PropertyValues, news: PropertyValues, preview = false): provider.UpdateRequest {
    const request = new provider.UpdateRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(sent(olds));
    request.setNews(sent(news));
    request.setPreview(preview);
    return request;
  },
  delete(urn: string, id: string, outputs: PropertyValues): provider.DeleteRequest {
    const request = new provider.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(sent(outputs));
    return request;
  },
  list(token: string, query: PropertyValues, limit = 0): provider.ListRequest {
    const request = new provider.ListRequest();
    request.setToken(`oneops:index:${token}`);
    request.setQuery(sent(query));
    request.setLimit(limit);
    return request;
  },
};

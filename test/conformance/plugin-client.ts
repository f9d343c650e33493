// The plugin protocol without a socket: what the engine would send, handed to the plugin's service as messages that went over the wire.
import type { handleUnaryCall } from '@grpc/grpc-js';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import type { Message } from 'google-protobuf';
import type { Host } from '../../provider/dynamic/face';
import { kinds } from '../../provider/kinds';
import { pluginFace } from '../../provider/plugin/face';
import { sent, type SecretPlaces, type Values } from '../../provider/plugin/properties';
import { resourceProvider, type Plugin } from '../../provider/plugin/resource-provider';

/** One call of the protocol by its name: `check`, `create`. Rejects with the error that the plugin answers. */
export type Call = <Answer>(name: string, request: Message) => Promise<Answer>;

/** A plugin over a host, as the engine calls it. */
export function pluginClient(host: Host, plugin: Partial<Plugin> = {}): Call {
  const service = resourceProvider({
    version: '0.0.0',
    schema: () => '{}',
    face: (token) => {
      const of = kinds.find((kind) => kind.token === token);
      if (of === undefined) throw new Error(`there is no kind ${token}`);
      return pluginFace(of, host);
    },
    configure: () => undefined,
    invoke: () => Promise.reject(new Error('this plugin calls no function')),
    attach: () => undefined,
    ...plugin,
  });
  return <Answer>(name: string, request: Message) =>
    new Promise<Answer>((resolve, reject) => {
      const handler = service[name] as handleUnaryCall<Message, Answer>;
      const call = { request } as Parameters<typeof handler>[0];
      handler(call, (error, answer) => {
        if (error) reject(Object.assign(new Error(error.details), error));
        else resolve(answer as Answer);
      });
    });
}

/** `urn:pulumi:dev::story::oneops:index:Platform::web` */
export const urnOf = (token: string, name = 'sample'): string =>
  `urn:pulumi:dev::story::oneops:index:${token}::${name}`;

/** Requests of the protocol from plain values; `secrets` says which of them come in envelopes. */
export const requests = {
  check(urn: string, olds: Values, news: Values, secrets?: SecretPlaces): provider.CheckRequest {
    const request = new provider.CheckRequest();
    request.setUrn(urn);
    request.setOlds(sent(olds));
    request.setNews(sent(news, secrets));
    return request;
  },
  diff(urn: string, id: string, olds: Values, news: Values): provider.DiffRequest {
    const request = new provider.DiffRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(sent(olds));
    request.setNews(sent(news));
    return request;
  },
  create(urn: string, inputs: Values, preview = false, secrets?: SecretPlaces): provider.CreateRequest {
    const request = new provider.CreateRequest();
    request.setUrn(urn);
    request.setProperties(sent(inputs, secrets));
    request.setPreview(preview);
    return request;
  },
  read(urn: string, id: string, outputs: Values = {}, inputs: Values = {}): provider.ReadRequest {
    const request = new provider.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(sent(outputs));
    request.setInputs(sent(inputs));
    return request;
  },
  update(urn: string, id: string, olds: Values, news: Values, preview = false): provider.UpdateRequest {
    const request = new provider.UpdateRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(sent(olds));
    request.setNews(sent(news));
    request.setPreview(preview);
    return request;
  },
  delete(urn: string, id: string, outputs: Values): provider.DeleteRequest {
    const request = new provider.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(sent(outputs));
    return request;
  },
};

// Every question of the engine has an answer, and a stream that fails ends with its reason.
import { credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { LanguageRuntimeClient, LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import * as language from '@pulumi/pulumi/proto/language_pb';
import type { Message } from 'google-protobuf';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { once } from 'node:events';
import { languageRuntime } from './language-runtime';

const parts: Parameters<typeof languageRuntime>[0] = {
  version: '0.0.0',
  dependencies: {},
  prepare: () => ({ problem: 'not asked for' }),
  run: () => Promise.reject(new Error('not asked for')),
  install: () => Promise.resolve(undefined),
  plugin: () => Promise.reject(new Error('not asked for')),
  stop: () => undefined,
};

/** Asks a host with these parts, and ends it. */
async function asking<T>(own: typeof parts, ask: (client: LanguageRuntimeClient) => Promise<T>): Promise<T> {
  const server = new Server();
  server.addService(LanguageRuntimeService, languageRuntime(own));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await ask(client);
  } finally {
    client.close();
    server.forceShutdown();
  }
}

test('a plugin that cannot be served, and packages that cannot be installed, end the stream with the reason', async () => {
  const failing = {
    ...parts,
    install: () => Promise.resolve('npm ended with 1'),
    plugin: () => Promise.resolve({ problem: 'oneops.yaml cannot be used' }),
  };
  const errors = await asking(failing, (client) => {
    const streams = [
      client.runPlugin(new language.RunPluginRequest()),
      client.installDependencies(new language.InstallDependenciesRequest()),
    ];
    return Promise.all(streams.map((stream) => once(stream.resume(), 'error')));
  });
  expect(errors.flat().map((error: Error) => error.message)).toEqual([
    expect.stringContaining('oneops.yaml cannot be used'),
    expect.stringContaining('npm ended with 1'),
  ]);
});

/** What the engine asks of a host before, during and after a run. */
const QUESTIONS = [
  ['handshake', new language.LanguageHandshakeRequest(), {}],
  ['getPluginInfo', new Empty(), { version: '1.2.3' }],
  ['about', new language.AboutRequest(), { executable: process.execPath, version: process.version }],
  ['runtimeOptionsPrompts', new language.RuntimeOptionsRequest(), { promptsList: [] }],
  ['template', new language.TemplateRequest(), {}],
  ['getRequiredPackages', new language.GetRequiredPackagesRequest(), { packagesList: [] }],
  ['getRequiredPlugins', new language.GetRequiredPluginsRequest(), { pluginsList: [] }],
  [
    'getProgramDependencies',
    new language.GetProgramDependenciesRequest(),
    { dependenciesList: [{ name: 'pulumi-oneops', version: '1.2.3' }] },
  ],
] as const;

test.each(QUESTIONS)('%s has an answer', async (question, request, expected) => {
  const own = { ...parts, version: '1.2.3', dependencies: { 'pulumi-oneops': '1.2.3' } };
  const answer = await asking(own, (client) => {
    const { path, requestSerialize, responseDeserialize } = LanguageRuntimeService[question];
    return new Promise<Message>((resolve, reject) =>
      client.makeUnaryRequest(
        path,
        requestSerialize as (value: Message) => Buffer,
        responseDeserialize,
        request,
        (error, value) => (value === undefined ? reject(error ?? new Error('no answer')) : resolve(value)),
      ),
    );
  });
  expect(answer.toObject()).toMatchObject(expected);
});

test('every question of the protocol is answered, but those of packages that other languages write', () => {
  const answered = Object.keys(languageRuntime(parts));
  expect(Object.keys(LanguageRuntimeService).filter((name) => !answered.includes(name))).toEqual(['pack']);
});

// A stream that fails ends with its reason.
import { credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { LanguageRuntimeClient, LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import { InstallDependenciesRequest, RunPluginRequest } from '@pulumi/pulumi/proto/language_pb';
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

test('a plugin that cannot be served, and packages that cannot be installed, end the stream with the reason', async () => {
  const failing = {
    ...parts,
    install: () => Promise.resolve('npm ended with 1'),
    plugin: () => Promise.resolve({ problem: 'oneops.yaml cannot be used' }),
  };
  const server = new Server();
  server.addService(LanguageRuntimeService, languageRuntime(failing));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    const streams = [
      client.runPlugin(new RunPluginRequest()),
      client.installDependencies(new InstallDependenciesRequest()),
    ];
    const errors = await Promise.all(streams.map((stream) => once(stream.resume(), 'error')));
    expect(errors.flat().map((error: Error) => error.message)).toEqual([
      expect.stringContaining('oneops.yaml cannot be used'),
      expect.stringContaining('npm ended with 1'),
    ]);
  } finally {
    client.close();
    server.forceShutdown();
  }
});

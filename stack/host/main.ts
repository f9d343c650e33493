// `pulumi-language-oneops <engine address>`: the program behind `runtime: oneops`. Prints its port
// and serves until its engine ends.
import { LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import { version as sdkVersion } from '@pulumi/pulumi/version';
import { createRequire } from 'node:module';
import { endOrphans, openEngine } from '../../provider/faces/engine';
import { servePlugin } from '../../provider/faces/served';
import { COMPONENT, installPackages, languageRuntime, type PluginRequest } from './language-runtime';

/**
 * Serves the language protocol for the engine at an address. The engine starts the host twice in
 * each command, once only to ask which Node it has: what a program needs is loaded for a program.
 */
function serveLanguageHost(engineAddress: string): void {
  const engine = openEngine(engineAddress);
  const stop = (): void => server.tryShutdown(() => process.exit(0));
  const warn = (text: string): void => engine.log({ text, severity: 'warning', ephemeral: false });
  const server = servePlugin(
    LanguageRuntimeService,
    languageRuntime({
      version,
      dependencies: { 'pulumi-oneops': version, '@pulumi/pulumi': sdkVersion },
      prepare: async (request) => (await import('./prepare.js')).prepare(request, warn),
      run: async (request, prepared) => (await import('./sdk-run.js')).runProgram(request, engineAddress, prepared),
      install: installPackages,
      plugin: async (request) => (await import('./component.js')).startPlugin(request, engineAddress),
      stop,
    }),
    // The language host outlives a CLI that is killed (engine-facts A §6).
    () =>
      engine.whenGone(() => {
        endOrphans(engineAddress);
        process.exit(1);
      }),
  );
}

// Resolved at run time: in the plugin cache, package.json is next to the bundled host.
const { version } = createRequire(__filename)('pulumi-oneops/package.json') as { readonly version: string };

const [word, request = ''] = process.argv.slice(2);
const engineAddress = process.argv.slice(2).at(-1);
if (engineAddress === undefined) {
  process.stderr.write(
    'usage: pulumi-language-oneops <engine address>\nThe Pulumi engine starts it for projects with "runtime: oneops".\n',
  );
  process.exitCode = 1;
} else if (word === COMPONENT) {
  void import('./component.js').then(({ serveComponent }) =>
    serveComponent(JSON.parse(request) as PluginRequest, engineAddress),
  );
} else {
  serveLanguageHost(engineAddress);
}

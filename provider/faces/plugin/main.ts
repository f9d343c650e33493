// `pulumi-resource-oneops <engine address>`: the resource plugin, which the engine starts: its
// settings and its connection to the engine. Kinds, functions and the client are loaded later,
// because the engine waits for the port.
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Engine } from '../engine';
import { servePlugin } from '../served';
import { resolveSettings, type Configuration } from '../../session/settings';
import type { Contents } from './contents';
import { resourceProvider, type Plugin } from './resource-provider';
import type { Values } from '../../values/plain';

/** An engine that has not greeted by then, in milliseconds after the port, is looked for. */
const LATEST_GREETING = 2000;

/** Serves the protocol for the engine at an address; without one, the engine attaches itself. */
function serve(engineAddress: string | undefined): void {
  const plugin = newPlugin(engineAddress);
  servePlugin(ResourceProviderService, resourceProvider(plugin), () => {
    // An engine that is killed before it greets would leave this process behind.
    setTimeout(() => plugin.greeted(), LATEST_GREETING);
  });
}

/** A plugin of this process. Its configuration arrives before its first resource. */
function newPlugin(engineAddress: string | undefined): Plugin {
  let engine: Promise<Engine | undefined> | undefined;
  let resolved = resolveSettings(() => undefined, process.env);
  let contents: Promise<Contents> | undefined;
  let stop = new AbortController();
  // A plugin outlives a killed engine and would finish its work alone.
  const started = (): Promise<Engine | undefined> => (engine ??= engineAt(engineAddress, () => process.exit(1)));
  const required = createRequire(__filename);
  return {
    version: (required('pulumi-oneops/package.json') as { readonly version: string }).version,
    schema: () => readFileSync(required.resolve('pulumi-oneops/schema.json'), 'utf8'),
    contents: () => (contents ??= opened()),
    configure(configuration, explicit) {
      const keys = Object.keys(configuration).map((name) => `oneops:${name}`);
      // What a program gives its own provider is never configuration of a project.
      const project = explicit ? undefined : process.env['PULUMI_PROJECT'];
      resolved = resolveSettings(keyIn(configuration, explicit), process.env, { keys, project });
      // A debugged process serves several runs: each configures it, and the end of each cancels it.
      stop = new AbortController();
      contents = undefined;
    },
    greeted: () => void started(),
    async attach(address) {
      (await engine)?.close();
      // A debugged process waits for the next engine.
      engine = engineAt(address, () => stop.abort());
      await engine;
    },
    cancel: () => stop.abort(),
  };

  async function opened(): Promise<Contents> {
    const [{ openContents }, known] = await Promise.all([import('./contents.js'), started()]);
    return openContents(resolved, known, stop.signal);
  }
}

/** The engine at an address; `gone` is called once nobody listens there any more. */
async function engineAt(address: string | undefined, gone: () => void): Promise<Engine | undefined> {
  if (address === undefined) return undefined;
  const { openEngine } = await import('../engine.js');
  const engine = openEngine(address);
  engine.whenGone(gone);
  return engine;
}

const keyIn =
  (values: Values, explicit: boolean): Configuration =>
  (key) =>
    key === 'oneops:explicit' ? explicit : values[key.replace('oneops:', '')];

serve(process.argv.slice(2).find((word) => !word.startsWith('-')));

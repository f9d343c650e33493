// A folder with `PulumiPlugin.yaml` and `runtime: oneops` as a plugin: finds its files, and serves them in a separate process.
// It must not know what a component answers.
import { main } from '@pulumi/pulumi/provider/server';
import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { openEngine } from '../../provider/faces/engine';
import { componentProvider, type ComponentFolder } from '../component/provider';
import { readSource } from '../load';
import { wordIn } from '../project-file';
import { readYaml } from '../reader/read-yaml';
import { sourceFile } from '../reader/source';
import { readTextFile } from '../text-file';
import type { PluginRequest, RunningPlugin } from './language-runtime';
import { filesOf, savedCatalogueOf } from './prepare';

/** Starts a process that serves a folder as a plugin. Resolves to its port, or to the reason why it cannot be served. */
export async function startPlugin(
  request: PluginRequest,
  engineAddress: string,
): Promise<RunningPlugin | { readonly problem: string }> {
  const component = componentIn(request);
  if ('problem' in component) return component;
  // The SDK serves one component package in a process, and keeps its state there.
  const words = [process.argv[1] ?? '', COMPONENT, JSON.stringify(request), engineAddress];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  return new Promise((resolve) => {
    const end = (reason: string): void => resolve({ problem: `${component.directory} cannot be served: ${reason}` });
    child.on('error', ({ message }) => end(message));
    child.on('exit', (code) => end(`its process ended with ${code}\n${printed}`));
    child.stdout.once('data', (line: Buffer) =>
      resolve({ port: Number(line.toString()), stop: () => void child.kill() }),
    );
  });
}

/** The process that a folder is served in. */
export async function serveComponent(request: PluginRequest, engineAddress: string): Promise<void> {
  const component = componentIn(request);
  if ('problem' in component) throw new Error(component.problem);
  const engine = openEngine(engineAddress);
  engine.whenGone(() => process.exit(1));
  // The SDK shows what nobody awaits with its stack, before the run ends.
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error: unknown) => error instanceof Error && Object.assign(error, { stack: error.message }));
  await main(componentProvider(component), [engineAddress]);
}

/** The word that makes a language host serve one component. */
export const COMPONENT = 'component';

/** The package of a folder: named in `PulumiPlugin.yaml`, or as the folder. */
function componentIn({ directory, options }: PluginRequest): ComponentFolder | { readonly problem: string } {
  const files = filesOf(options, MANIFEST);
  if ('problem' in files) return files;
  const saved = savedCatalogueOf(options, directory, MANIFEST);
  if ('problem' in saved) return saved;
  const read = readSource({ files: files.names, directory, config: {}, ...saved });
  if ('problem' in read) return { problem: read.problem };
  const manifest = readTextFile(join(directory, MANIFEST));
  const { root } = readYaml(sourceFile(MANIFEST, 'text' in manifest ? manifest.text : ''));
  const word = (key: string): string => (root?.form === 'map' ? wordIn(root, key) : '');
  const name = word('name') || basename(directory);
  if (!/^[a-z][a-z0-9-]*$/i.test(name))
    return {
      problem: `${MANIFEST}: "${name}" cannot be the name of a package: set name to letters, digits and dashes`,
    };
  return { name, version: word('version') || '0.0.0', directory, files: files.names, plan: read.plan, ...saved };
}

const MANIFEST = 'PulumiPlugin.yaml';

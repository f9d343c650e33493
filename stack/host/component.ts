// A stack file as a component of programs in any language: a folder with `PulumiPlugin.yaml` and
// `runtime: oneops` is a plugin, which a separate process serves.
import { main } from '@pulumi/pulumi/provider/server';
import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { RunError } from '@pulumi/pulumi/errors';
import { warn } from '@pulumi/pulumi/log';
import { isSecret } from '@pulumi/pulumi/output';
import type { Provider } from '@pulumi/pulumi/provider';
import { ComponentResource } from '@pulumi/pulumi/resource';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { getProject, getStack } from '@pulumi/pulumi/runtime/settings';
import type { KnownCatalogue } from '../../provider/kinds/catalogue';
import { openEngine } from '../../provider/faces/engine';
import { chooseFace } from '../../sdk';
import type { ConfigDeclaration, ConfigType, StackPlan } from '../plan';
import { loadStack, readSource } from '../run/load';
import { splitConfig } from '../run/program';
import { catalogueOfRun, wordIn } from '../run/project';
import { registerInTurns } from '../run/register';
import { readTextFile } from '../yaml/text-file';
import { readYaml } from '../yaml/read';
import { sourceFile } from '../yaml/source';
import { COMPONENT, type PluginRequest, type RunningPlugin } from './language-runtime';
import { filesOf, savedCatalogueOf } from './prepare';

/** Serves a folder as a plugin in a process. Resolves to its port, or to a reason. */
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
  const word = (key: string): string => wordIn(root, key);
  const name = word('name') || basename(directory);
  if (!/^[a-z][a-z0-9-]*$/i.test(name))
    return {
      problem: `${MANIFEST}: "${name}" cannot be the name of a package: set name to letters, digits and dashes`,
    };
  return { name, version: word('version') || '0.0.0', directory, files: files.names, plan: read.plan, ...saved };
}

const MANIFEST = 'PulumiPlugin.yaml';

/** A folder that runs as a plugin. */
interface ComponentFolder {
  /** Of the package that it is. */
  readonly name: string;
  readonly version: string;
  readonly directory: string;
  readonly files: readonly string[];
  readonly plan: StackPlan;
  /** What packs and arguments are judged by; default: the packaged catalogue. */
  readonly known?: KnownCatalogue;
}

class StackComponent extends ComponentResource {
  end(outputs: object): void {
    this.registerOutputs(outputs);
  }
}

/** The SDK's server of a folder. Each component of a program reads the files again. */
export const componentProvider = (folder: ComponentFolder): Provider => ({
  version: folder.version,
  schema: JSON.stringify(schemaOfComponent(folder, folder.plan)),
  async construct(name, type, inputs, options) {
    const { directory, files, known } = folder;
    const { plain, later } = splitConfig(inputs);
    const secrets = await Promise.all([...later].map(async ([key, value]) => ((await isSecret(value)) ? [key] : [])));
    const { providers, dependsOn = [] } = options;
    const provider = Array.isArray(providers) ? undefined : providers?.['oneops'];
    // Nobody can read the settings of an explicit provider here.
    const judging = provider === undefined ? catalogueOfRun(allConfig(), known) : { known };
    if ('problem' in judging) throw new RunError(judging.problem);
    const loaded = loadStack({
      ...{ files, directory, config: plain, secretConfig: new Set(secrets.flat()), later },
      ...{ project: getProject(), stack: getStack(), ...judging },
      howToSet: (argument) => `give ${type} the argument ${argument.name}`,
    });
    if ('problem' in loaded) throw new RunError(`${type} "${name}", declared in ${directory}: ${loaded.problem}`);
    if (loaded.warnings !== '') void warn(loaded.warnings);
    chooseFace('plugin');
    const component = new StackComponent(type, name, {}, options);
    const { outputs } = await registerInTurns({
      ...loaded,
      within: { component, name, dependsOn, provider },
    });
    component.end(outputs);
    return { urn: component.urn, state: outputs };
  },
});

/** The package's schema, as data of Pulumi's schema format. Its one component: `web:index:Stack`. */
export function schemaOfComponent(
  { name, version }: Pick<ComponentFolder, 'name' | 'version'>,
  plan: StackPlan,
): object {
  const inputs = Object.fromEntries(plan.config.map((declaration) => [declaration.name, inputOf(declaration)]));
  const outputs = Object.fromEntries(plan.outputs.map((output) => [output.name, ANY]));
  return {
    name,
    version,
    resources: {
      [`${name}:index:Stack`]: {
        isComponent: true,
        inputProperties: inputs,
        requiredInputs: plan.config.filter((each) => each.default === undefined).map((each) => each.name),
        properties: outputs,
        required: Object.keys(outputs),
      },
    },
    language: Object.fromEntries(LANGUAGES.map((language) => [language, { respectSchemaVersion: true }])),
  };
}

/** Generators that write another version than the package's into an SDK. */
const LANGUAGES = ['nodejs', 'python', 'go', 'csharp', 'java'];

const ANY = { $ref: 'pulumi.json#/Any' };

const TYPES: { readonly [type in ConfigType]: object } = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  list: { type: 'array', items: ANY },
  map: { type: 'object', additionalProperties: ANY },
};

const inputOf = ({ type, description, secret }: ConfigDeclaration): object => ({
  ...TYPES[type],
  ...(description === undefined ? {} : { description }),
  ...(secret ? { secret } : {}),
});

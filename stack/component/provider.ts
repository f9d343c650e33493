// A stack file as a component of programs in any language: the resources of the file are its children, and the plugin carries them out.
// It must not know the protocol: the SDK serves what is here.
import { RunError } from '@pulumi/pulumi/errors';
import { warn } from '@pulumi/pulumi/log';
import { isSecret } from '@pulumi/pulumi/output';
import type { Provider } from '@pulumi/pulumi/provider';
import { ComponentResource } from '@pulumi/pulumi/resource';
import { getProject, getStack } from '@pulumi/pulumi/runtime/settings';
import { resolve } from 'node:path';
import type { KnownCatalogue } from '../../provider';
import { chooseFace } from '../../sdk';
import { loadStack } from '../load';
import { splitConfig } from '../program';
import { registerInTurns } from '../register';
import type { StackPlan } from '../values/plan';
import { schemaOfComponent, type ComponentPackage } from './schema';

/** A folder that runs as a plugin. */
export interface ComponentFolder extends ComponentPackage {
  readonly directory: string;
  /** Names of its stack files. */
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

/** What the SDK serves for a folder. Each component that a program declares reads the files again, with its own configuration. */
export const componentProvider = (folder: ComponentFolder): Provider => ({
  version: folder.version,
  schema: JSON.stringify(schemaOfComponent(folder, folder.plan)),
  async construct(name, type, inputs, options) {
    const { directory, files, known } = folder;
    const { plain, later } = splitConfig(inputs);
    const secrets = await Promise.all([...later].map(async ([key, value]) => ((await isSecret(value)) ? [key] : [])));
    const secretConfig = new Set(secrets.flat());
    const loaded = loadStack({
      ...{ files, directory, config: plain, secretConfig, later: new Set(later.keys()) },
      ...{ project: getProject(), stack: getStack(), ...(known ? { known } : {}) },
      howToSet: (argument) => `give ${type} the argument ${argument.name}`,
    });
    if ('problem' in loaded) throw new RunError(`${type} "${name}", declared in ${directory}: ${loaded.problem}`);
    if (loaded.warnings !== '') void warn(loaded.warnings);
    chooseFace('plugin');
    const { providers, dependsOn = [] } = options;
    const component = new StackComponent(type, name, {}, options);
    const { outputs } = await registerInTurns({
      ...loaded,
      config: { ...loaded.config, ...Object.fromEntries(later) },
      secretConfig,
      pathOf: (file) => resolve(directory, file),
      within: { component, name, dependsOn, provider: Array.isArray(providers) ? undefined : providers?.['oneops'] },
    });
    component.end(outputs);
    return { urn: component.urn, state: outputs };
  },
});

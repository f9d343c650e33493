// `stack('oneops.yaml')` in a program: declares the resources of a stack file beside those of the program.
// It must not know the language host.
import { RunError } from '@pulumi/pulumi/errors';
import { warn } from '@pulumi/pulumi/log';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import * as runtimeConfig from '@pulumi/pulumi/runtime/config';
import { getProject, getStack } from '@pulumi/pulumi/runtime/settings';
import { resolve } from 'node:path';
import type { ResourceClasses, Stack } from '../sdk';
import { catalogueLevel } from '../provider';
import { loadStack } from './load';
import { register } from './register';
import { resourceKey } from './values/value';

/**
 * Declares everything in a stack file, or in several files that describe one assembly. Paths are relative to the working directory. Throws RunError
 * with all findings before it declares anything.
 */
export function stack(...files: readonly [string, ...string[]]): Stack {
  const directory = process.cwd();
  const { values, secrets } = projectConfig();
  const catalogue = catalogueLevel(allConfig()['oneops:catalogue']);
  if ('problem' in catalogue) throw new RunError(catalogue.problem);
  const overlay = allConfig()['oneops:overlay'];
  const loaded = loadStack({
    ...{ files, directory, config: values, secretConfig: secrets, catalogue: catalogue.level },
    ...{ project: getProject(), stack: getStack() },
    ...(overlay === undefined ? {} : { overlay }),
  });
  if ('problem' in loaded) throw new RunError(loaded.problem);
  if (loaded.warnings !== '') void warn(loaded.warnings);
  const { resources, outputs } = register({
    ...loaded,
    secretConfig: secrets,
    pathOf: (file) => resolve(directory, file),
  });
  return {
    outputs,
    resource(kind, logicalName) {
      const found = resources.get(resourceKey(kind, logicalName));
      if (found === undefined) throw new RunError(`${files.join(', ')} declares no ${kind} "${logicalName}"`);
      return found as ResourceClasses[typeof kind];
    },
  };
}

/** Configuration in the project's namespace, and the names of the values that are secrets. */
function projectConfig(): {
  readonly values: { readonly [name: string]: string };
  readonly secrets: ReadonlySet<string>;
} {
  const prefix = `${getProject()}:`;
  const own = Object.entries(allConfig()).filter(([key]) => key.startsWith(prefix));
  const { isConfigSecret } = runtimeConfig as { readonly isConfigSecret?: (key: string) => boolean };
  const secrets = own.filter(([key]) => isConfigSecret?.(key) === true);
  const name = ([key]: readonly [string, string]): string => key.slice(prefix.length);
  return {
    values: Object.fromEntries(own.map((entry) => [name(entry), entry[1]])),
    secrets: new Set(secrets.map(name)),
  };
}

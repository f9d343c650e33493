// `stack('oneops.yaml')` in a program: a stack file's resources beside the program's own.
// It must not know the language host.
import { RunError } from '@pulumi/pulumi/errors';
import { warn } from '@pulumi/pulumi/log';
import type { Output } from '@pulumi/pulumi/output';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import * as runtimeConfig from '@pulumi/pulumi/runtime/config';
import { getProject } from '@pulumi/pulumi/runtime/settings';
import { resolve } from 'node:path';
import type * as classes from '../sdk';
import { loadStack } from './load';
import { register } from './register';
import { resourceKey } from './values/value';

/** Resource classes by kind. */
interface Classes {
  readonly Assembly: classes.Assembly;
  readonly Platform: classes.Platform;
  readonly Component: classes.Component;
  readonly Attachment: classes.Attachment;
  readonly DesignRelease: classes.DesignRelease;
  readonly Environment: classes.Environment;
  readonly CloudConfiguration: classes.CloudConfiguration;
  readonly Deployment: classes.Deployment;
}

/** What a stack file declared. */
export interface Stack {
  /**
   * A resource by kind and logical name, to be a parent of the program's own: `resource('Component', 'web/deployer')`. Throws RunError when
   * the file declares none.
   */
  resource<K extends keyof Classes>(kind: K, logicalName: string): Classes[K];
  /** The file's `outputs`. */
  readonly outputs: { readonly [name: string]: Output<unknown> };
}

/**
 * Declares everything in a stack file, or in several that describe one assembly. Paths start from the working directory. Throws RunError with
 * all findings before anything is declared.
 */
export function stack(...files: readonly [string, ...string[]]): Stack {
  const directory = process.cwd();
  const { values, secrets } = projectConfig();
  const loaded = loadStack({ files, directory, config: values });
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
      return found as Classes[typeof kind];
    },
  };
}

/** Configuration of the project's own namespace, and the names of those the engine keeps as secrets. */
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

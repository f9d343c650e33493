// `pulumi-oneops setup` in the home of a project: what its language host, plugin and converters come from, where Pulumi.yaml names no folder.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './engine';
import type { Project } from './project';

/** Installs the plugins that were built. Rejects with what was printed when that fails. */
export const setUp = ({ dir, environment }: Project): Promise<unknown> =>
  promisify(execFile)(process.execPath, [join(REPOSITORY, 'bin', 'pulumi-oneops'), 'setup'], {
    cwd: dir,
    env: environment,
  });

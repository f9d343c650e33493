// Where the Pulumi CLI is.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Root of this repository. */
export const REPOSITORY = join(__dirname, '..', '..', '..');

export interface Engine {
  /** Folder with `bin/pulumi`, as the Automation API wants it. */
  readonly root: string;
  /** The CLI itself. */
  readonly pulumi: string;
  readonly version: string;
}

/** Finds the CLI, or makes one; `make engine` has done so before. Throws with what to do when none can be had. */
export async function findEngine(): Promise<Engine> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(REPOSITORY, 'engine', 'provide.mjs'), '--json']);
  return JSON.parse(stdout) as Engine;
}

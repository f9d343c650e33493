// The `pulumi` on PATH: whether it exists, and its version.
// It must not know what a command does with it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Oldest version of Pulumi's CLI that is tried. */
export const OLDEST_PULUMI = [3, 259] as const;

/** The version that the CLI prints, such as `v3.259.0`, or what is wrong with it. */
export async function pulumiVersion(): Promise<{ readonly version: string } | { readonly problem: string }> {
  try {
    const { stdout } = await promisify(execFile)('pulumi', ['version'], { encoding: 'utf8', env: process.env });
    return { version: stdout.trim() };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { problem: isMissing ? 'there is no pulumi on PATH' : 'the pulumi on PATH does not print its version' };
  }
}

/** Whether a version, with or without a `v`, is at least the given one. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ours = '0', its = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(ours) > major || (Number(ours) === major && Number(its) >= minor);
}

/** The version of a CLI that a command can use. Throws with what to do when it is missing or too old. */
export async function usablePulumi(command: string): Promise<string> {
  const found = await pulumiVersion();
  if ('version' in found && isAtLeast(found.version, OLDEST_PULUMI)) return found.version;
  const problem = 'problem' in found ? found.problem : `the pulumi on PATH is ${found.version}`;
  throw new Error(
    [
      `${command} needs Pulumi's CLI ${OLDEST_PULUMI.join('.')} or later, and ${problem}`,
      `  install it: https://www.pulumi.com/docs/install/, then repeat pulumi-oneops ${command}`,
    ].join('\n'),
  );
}

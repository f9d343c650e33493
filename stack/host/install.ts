// Installs the packages of a project that has a package.json, with the package manager whose lock
// file is next to it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The command for each lock file; the first one that exists decides. */
const BY_LOCK_FILE: readonly (readonly [file: string, ...command: readonly string[]])[] = [
  ['package-lock.json', 'npm', 'ci'],
  ['npm-shrinkwrap.json', 'npm', 'ci'],
  ['pnpm-lock.yaml', 'pnpm', 'install', '--frozen-lockfile'],
  ['yarn.lock', 'yarn', 'install'],
  ['package.json', 'npm', 'install'],
];

/** Gets what a package manager prints. */
export type Show = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;

/** Installs the packages of a package.json, if there is one. Resolves to a failure's reason. */
export async function installPackages(folder: string, show: Show): Promise<string | undefined> {
  const found = BY_LOCK_FILE.find(([file]) => existsSync(join(folder, file)));
  if (found === undefined || !existsSync(join(folder, 'package.json'))) return undefined;
  const [, program = '', ...words] = found;
  const command = [program, ...words].join(' ');
  return new Promise((resolve) => {
    // On Windows, package managers are scripts, which only a shell starts.
    const child = spawn(program, words, {
      cwd: folder,
      env: process.env,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (bytes: Buffer) => show('stdout', bytes));
    child.stderr.on('data', (bytes: Buffer) => show('stderr', bytes));
    child.on('error', ({ message }) =>
      resolve(`${command} in ${folder} cannot be started: ${message}; install ${program}`),
    );
    child.on('close', (code) => resolve(code === 0 ? undefined : `${command} in ${folder} ended with ${code}`));
  });
}

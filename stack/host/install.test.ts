// What is run for `pulumi install`: the package manager of the project, once, with its output and its failure.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installPackages } from './install';

const path = process.env['PATH'];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-install-'));
  mkdirSync(join(folder, 'bin'));
  process.env['PATH'] = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter);
});
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

async function install(...files: readonly string[]): Promise<readonly [problem: string | undefined, output: string]> {
  for (const file of files) writeFileSync(join(folder, file), '{}');
  let output = '';
  const problem = await installPackages(folder, (stream, bytes) => {
    output += `${stream}: ${Buffer.from(bytes).toString()}`;
  });
  return [problem?.replace(folder, 'FOLDER'), output];
}

test.each<[readonly string[], string]>([
  [[], ''],
  [['package-lock.json'], ''],
  [['package.json'], 'stdout: npm install\n'],
  [['package.json', 'package-lock.json'], 'stdout: npm ci\n'],
  [['package.json', 'pnpm-lock.yaml'], 'stdout: pnpm install --frozen-lockfile\n'],
  [['package.json', 'yarn.lock'], 'stdout: yarn install\n'],
])('%j', async (files, expected) => {
  for (const name of ['npm', 'pnpm', 'yarn']) program(name, `echo ${name} "$@"`);
  expect(await install(...files)).toEqual([undefined, expected]);
});

test('a failure comes with its output, and a missing package manager with what to do', async () => {
  program('npm', 'echo no such version >&2; exit 7');
  expect(await install('package.json')).toEqual(['npm install in FOLDER ended with 7', 'stderr: no such version\n']);
  expect((await install('package.json', 'pnpm-lock.yaml'))[0]).toMatch(
    /^pnpm install --frozen-lockfile in FOLDER cannot be started: .*ENOENT; install pnpm$/,
  );
});

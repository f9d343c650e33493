// The init command: a project that check accepts, from any values, and nothing over what is there.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runCommand } from '../../test/run-command';
import { checkCommand } from './check';
import { fmtCommand } from './fmt';
import { initCommand } from './init';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const init = (...words: readonly string[]) => runCommand(initCommand, {}, ...words);
const FILES = ['Pulumi.yaml', 'oneops.yaml', 'package.json', '.gitignore'];

test.each([
  ['nothing more', []],
  ['everything', ['--name', 'shop', '--organization', 'acme', '--pack', 'oneops/mysql:1', '--cloud', 'east']],
])('check accepts a project with %s, and its layout is the standard one', async (_, words) => {
  const { code, stdout } = await init('My shop!', '--owner', 'team@acme.io', ...words);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`written: ${FILES.join(', ')}\nnext:\n  cd My shop!\n`)]);
  process.chdir('My shop!');
  expect(await runCommand(checkCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: nothing wrong\n' });
  expect((await runCommand(fmtCommand, {}, 'Pulumi.yaml', 'oneops.yaml', '--check')).code).toBe(0);
});

test('values are only values, whatever signs they hold', async () => {
  const organization = 'a: ${config.x} #"';
  expect((await init('--owner', 'team@acme.io', '--name', 'no', '--organization', organization, '--json')).code).toBe(
    0,
  );
  expect(parse(readFileSync('Pulumi.yaml', 'utf8'))).toMatchObject({
    name: 'no',
    config: { 'oneops:organization': { value: organization } },
  });
  expect((await runCommand(checkCommand, {})).stdout).toBe('oneops.yaml: nothing wrong\n');
});

test('a file that is there already stays as it is, and nothing else is written', async () => {
  writeFileSync('.gitignore', 'mine\n');
  await expect(async () => init('--owner', 'a@b.c')).rejects.toThrow('already has .gitignore');
  expect(readFileSync('.gitignore', 'utf8')).toBe('mine\n');
  expect(existsSync('oneops.yaml')).toBe(false);
});

test('a link that leads nowhere is a file, and a file is no folder', async () => {
  symlinkSync('elsewhere', '.gitignore');
  await expect(async () => init('--owner', 'team@acme.io')).rejects.toThrow('already has .gitignore');
  writeFileSync('file', '');
  await expect(async () => init('file', '--owner', 'team@acme.io')).rejects.toThrow(
    /nothing was written: .*file is no folder$/,
  );
  expect(readdirSync('.').sort()).toEqual(['.gitignore', 'file']);
});

test('a value that makes a wrong file is refused with its finding, and no owner is an error', async () => {
  await expect(async () => init('--owner', 'team@acme.io', '--name', 'no name')).rejects.toThrow(
    /nothing was written\noneops.yaml:3:9/,
  );
  await expect(async () => init()).rejects.toThrow('--owner');
  expect(existsSync('Pulumi.yaml')).toBe(false);
});

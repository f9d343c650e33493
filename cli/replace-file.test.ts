// Laws of writing a file in one step: mode and links stay, and nothing is left next to it.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from './replace-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a new file is made, and one that existed keeps its mode', () => {
  const file = join(folder, 'oneops.yaml');
  replaceFile(file, 'one');
  expect(readFileSync(file, 'utf8')).toBe('one');
  chmodSync(file, 0o666);
  replaceFile(file, 'two');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([
    'two',
    0o666,
    ['oneops.yaml'],
  ]);
});

test('a link stays one, and what it leads to is replaced', () => {
  mkdirSync(join(folder, 'shared'));
  writeFileSync(join(folder, 'shared', 'stack.yaml'), 'one');
  const link = join(folder, 'oneops.yaml');
  symlinkSync(join('shared', 'stack.yaml'), link);
  replaceFile(link, 'two');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'shared', 'stack.yaml'), 'utf8')).toBe('two');
});

test('what cannot be written leaves nothing next to it', () => {
  const file = join(folder, 'taken');
  mkdirSync(join(file, 'inside'), { recursive: true });
  expect(() => replaceFile(file, 'two')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(['taken']);
});

// The files that a pattern of `include` finds, in a folder on disk.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { includedFiles } from './load';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'include-'));
  const names = [
    'a.yaml',
    'b.yml',
    'x/a.yaml',
    'x/y/z.yaml',
    'x/y/.hidden.yaml',
    '.git/a.yaml',
    'node_modules/p/a.yaml',
  ];
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${name}: {}`);
  }
  symlinkSync('..', join(folder, 'x', 'ring'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each<[string, readonly string[] | string]>([
  ['*.yaml', ['a.yaml']],
  ['x/?/z.yaml', ['x/y/z.yaml']],
  ['**/*.yaml', ['a.yaml', 'x/a.yaml', 'x/y/z.yaml']],
  ['x/**/*.yaml', ['x/a.yaml', 'x/y/z.yaml']],
  ['**/**/a.yaml', ['a.yaml', 'x/a.yaml']],
  ['**/y/*.yaml', ['x/y/z.yaml']],
  ['*/a.yaml', ['x/a.yaml']],
  ['none.yaml', ['none.yaml']],
  ['**/none-*.yaml', 'no file matches'],
  ['../**/*.yaml', "it is outside of the project's folder"],
])('%s', (pattern, expected) => {
  const found = includedFiles(folder, 'oneops.yaml')(pattern, 'oneops.yaml');
  const names = 'problem' in found ? found.problem : found.files.map(({ name }) => name);
  if (typeof expected === 'string') expect(names).toContain(expected);
  else expect(names).toEqual(expected);
});

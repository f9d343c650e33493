// The fmt command: what it writes, what it leaves as it is, and its exit codes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../test/run-command';
import { fmtCommand } from './fmt';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fmt-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const UGLY = 'assembly:   {name: shop}  # ours\n';
const FORMATTED = 'assembly: { name: shop } # ours\n';

test('writes the files of the project, and changes nothing the second time', async () => {
  writeFileSync('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
  writeFileSync('oneops.yaml', UGLY);
  expect(await runCommand(fmtCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: formatted\n' });
  expect(readFileSync('oneops.yaml', 'utf8')).toBe(FORMATTED);
  expect(await runCommand(fmtCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: unchanged\n' });
});

test('without a name, included files are formatted too', async () => {
  writeFileSync('oneops.yaml', 'include: [variables.yaml]\n');
  writeFileSync('variables.yaml', 'variables:   {A: 1}\n');
  expect(await runCommand(fmtCommand, {}, '--check')).toMatchObject({
    code: 2,
    stdout: 'oneops.yaml: unchanged\nvariables.yaml: has another layout; run: pulumi-oneops fmt variables.yaml\n',
  });
  expect(await runCommand(fmtCommand, {})).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync('variables.yaml', 'utf8')).toBe('variables: { A: 1 }\n');
});

test('--check writes nothing, and exits with 3 for a file of another layout', async () => {
  writeFileSync('a.yaml', UGLY);
  writeFileSync('b.yaml', FORMATTED);
  const checked = await runCommand(fmtCommand, {}, 'a.yaml', 'b.yaml', '--check', '--json');
  expect(checked.code).toBe(2);
  expect(JSON.parse(checked.stdout)).toEqual([
    { file: 'a.yaml', result: 'formatted' },
    { file: 'b.yaml', result: 'unchanged' },
  ]);
  expect(readFileSync('a.yaml', 'utf8')).toBe(UGLY);
  expect((await runCommand(fmtCommand, {}, 'b.yaml', '--check')).code).toBe(0);
});

test('a file that is not valid YAML stays as it is, with its finding; the others are formatted', async () => {
  writeFileSync('a.yaml', 'a: [1\n');
  writeFileSync('b.yaml', UGLY);
  const { code, stdout, stderr } = await runCommand(fmtCommand, {}, 'a.yaml', 'b.yaml');
  expect(code).toBe(3);
  expect(stdout).toBe('a.yaml: left as it is\nb.yaml: formatted\n');
  expect(stderr).toContain('a.yaml:1:4: error ONE1004:');
});

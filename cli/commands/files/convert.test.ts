// The convert command: what it prints and writes, what it writes over, and its exit codes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../test/run-command';
import { explanationOf } from '../../../stack';
import { checkCommand } from './check';
import { convertCommand } from './convert';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'));
  process.chdir(folder);
  writeFileSync('design.yaml', DESIGN);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const DESIGN = `variables: { LEVEL: info }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user/oneops.1.User:
        deployer: { username: deployer }
`;

const convert = (...words: readonly string[]) => runCommand(convertCommand, {}, ...words);

test('prints a file that check accepts, and what became of the settings', async () => {
  const { code, stdout, stderr } = await convert('design.yaml', '--assembly', 'shop');
  expect(code).toBe(0);
  expect(stderr).toContain('carried');
  writeFileSync('oneops.yaml', stdout);
  const checked = await runCommand(checkCommand, {});
  expect(checked.code).toBe(0);
});

test('--out writes three new files, and nothing over one of them', async () => {
  const { code, stdout, stderr } = await convert('design.yaml', '--out', 'new');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain(
    'written in new: oneops.yaml, configure.sh, report.txt, Pulumi.yaml, .gitignore\nnext:\n  cd new\n',
  );
  const all = ['.gitignore', 'Pulumi.yaml', 'configure.sh', 'oneops.yaml', 'report.txt'];
  expect(readdirSync('new').sort()).toEqual(all);
  expect(readFileSync('new/configure.sh', 'utf8')).toContain('pulumi stack select --create dev\n');
  // The values of secrets with several lines are in such files, and those of an import.
  expect(readFileSync('new/.gitignore', 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['*.secret', 'import.json']),
  );
  writeFileSync('new/report.txt', 'mine\n');
  rmSync('new/oneops.yaml');
  const again = convert('design.yaml', '--out', 'new', '--json');
  await expect(again).rejects.toThrow('nothing was written: new already has configure.sh, report.txt');
  expect(readdirSync('new').sort()).toEqual(all.filter((name) => name !== 'oneops.yaml'));
  expect(readFileSync('new/report.txt', 'utf8')).toBe('mine\n');
  await expect(convert('design.yaml', '--out', 'design.yaml')).rejects.toThrow('design.yaml is no folder');
});

test('every line of the report has a code that explain knows, in text and JSON', async () => {
  writeFileSync('design.yaml', DESIGN.replace('LEVEL: info', 'LEVEL: yes }\nwhatever: { X: 1'));
  const { stderr } = await convert('design.yaml');
  expect(stderr).toContain('design.yaml:1  variables.LEVEL  changed ONE1802: what YAML 1.1 reads\n');
  expect(stderr).toContain('design.yaml:2  whatever.X  left behind ONE1807: not known here\n');
  const { settings, findings } = JSON.parse((await convert('design.yaml', '--json')).stdout) as {
    readonly settings: readonly { readonly id: string; readonly code: string }[];
    readonly findings: readonly { readonly id: string; readonly code: string }[];
  };
  expect(findings.length).toBeGreaterThan(0);
  for (const { id, code } of [...settings, ...findings]) expect([code, explanationOf(code)?.id]).toEqual([code, id]);
});

test('a setting that is left behind is exit code 3, with its line', async () => {
  writeFileSync('design.yaml', DESIGN.replace('LEVEL: info', 'LEVEL: info }\nwhatever: { X: 1'));
  const { code, stderr } = await convert('design.yaml');
  expect(code).toBe(6);
  expect(stderr).toMatch(/design\.yaml:2 .*whatever/);
});

test('a file that is not valid is exit code 2, and nothing is written', async () => {
  writeFileSync('design.yaml', 'platforms: [1\n');
  expect(await convert('design.yaml', '--out', 'new')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/error\nnothing was written\n$/) as string,
  });
  expect(readdirSync('.')).toEqual(['design.yaml']);
});

test('a line of a profile that may contain a secret is not shown', async () => {
  writeFileSync('p.ini', '[default]\npassword canary\nlevel info\n');
  const { code, stderr } = await convert('design.yaml', '--from', 'boo', '--profile', 'p.ini');
  expect(code).toBe(3);
  expect(stderr).toContain('p.ini:2:1: error');
  expect(stderr).toContain('level info');
  expect(stderr).not.toContain('canary');
});

test('partials are read next to the file with the tag, also without their ending', async () => {
  mkdirSync('parts/more', { recursive: true });
  writeFileSync('boo.yaml', 'assembly: { name: shop }\nplatforms:\n  {{> parts/web}}\n  {{> parts/none}}\n');
  writeFileSync('parts/web.yaml', 'web:\n  {{> more/pack.txt}}\n');
  writeFileSync('parts/more/pack.txt', 'pack: oneops/tomcat:1');
  const { code, stdout, stderr } = await convert('boo.yaml');
  expect(code).toBe(6);
  expect(stdout).toContain('  web:\n    pack: oneops/tomcat:1\n');
  const problem = '{{> parts/none}}: there is no file parts/none, with or without .yaml';
  expect(stderr).toContain(`boo.yaml:4:3: warning`);
  expect(stderr).toContain(problem);
});

test('a partial that cannot be read is left behind, and says why', async () => {
  writeFileSync('boo.yaml', 'assembly: { name: shop }\nplatforms:\n  {{> latin}}\n  {{> loop}}\n');
  writeFileSync('latin.yaml', Buffer.from('web: caf\xe9\n', 'latin1'));
  symlinkSync('loop', 'loop');
  const { code, stderr } = await convert('boo.yaml');
  expect(code).toBe(6);
  expect(stderr).toContain('{{> latin}}: cannot read latin.yaml: it is not UTF-8: byte E9 at line 1, column 9');
  expect(stderr).toContain('{{> loop}}: cannot read loop: ELOOP');
});

test.each([
  [['none.yaml'], 'cannot read none.yaml: there is no such file'],
  [[], 'convert takes one file'],
  [['design.yaml', '--from', 'dsign'], 'there are boo and design'],
  [['design.yaml', '--profile', 'none.ini:x'], 'cannot read none.ini: there is no such file'],
])('convert %j is refused', async (words, message) => {
  await expect(async () => convert(...words)).rejects.toThrow(message);
});

test('a result that check refuses is reported with its line in the result, exit code 3', async () => {
  writeFileSync('design.yaml', DESIGN.replace('  web:', '  web_one:'));
  const { code, stdout, stderr } = await convert('design.yaml');
  expect(code).toBe(6);
  const line = stdout.split('\n').findIndex((each) => each.includes('web_one')) + 1;
  expect(stderr).toContain('check refuses the result');
  expect(stderr).toContain(`oneops.yaml:${line}:`);
  const json = JSON.parse((await convert('design.yaml', '--json')).stdout) as { readonly refused: readonly object[] };
  expect(json.refused).not.toEqual([]);
});

// The command line itself, in a separate process: version, help, and what it says to a wrong command.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from './table';

const ROOT = join(__dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };

function run(...words: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
} {
  const source = ['--require', './test/run-source.cjs', 'cli/main.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...source, ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

test('--version prints the version of the package', () => {
  expect(run('--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
});

test('--help lists every command', () => {
  const { status, out } = run('--help');
  expect(status).toBe(0);
  const words = out.replace(/\s+/g, ' ');
  for (const { name, summary } of COMMANDS) expect(words).toContain(` ${name} ${summary} `);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('a command that does not exist is one sentence, and exit code 1', () => {
  const { status, out, err } = run('chek');
  expect([status, out]).toEqual([1, '']);
  expect(err).toBe(
    'pulumi-oneops: there is no command "chek"; did you mean "check"?\npulumi-oneops --help lists the commands\n',
  );
});

test.each([
  [['check', '--fromat', 'json'], 'there is no option --fromat; did you mean "--format"?', 'check'],
  [['plan', 'verify', '--lve'], 'there is no option --lve; did you mean "--live"?', 'plan verify'],
  [['plan', 'verify', '--quick'], 'there is no option --quick', 'plan verify'],
])('%j names what does not exist, what was meant, and whose help to read', (words, message, path) => {
  const advice = `pulumi-oneops ${path} --help says how to call it`;
  expect(run(...words)).toEqual({ status: 1, out: '', err: `pulumi-oneops: ${message}\n${advice}\n` });
});

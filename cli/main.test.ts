// The command line itself, in a separate process: version, help, and what it says to a wrong command.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { takesPath } from './command';
import { reviewCommand } from './commands/drift/review';
import { wordsFrom } from './here/project-folder';
import { allCommands, COMMANDS } from './table';

const ROOT = join(__dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const run = (...words: readonly string[]): Ended => runIn(ROOT, words);

/** Runs the command line in a folder, with its standard output in a pipe, or in an open file. */
function runIn(cwd: string, words: readonly string[], stdout: 'pipe' | number = 'pipe'): Ended {
  const source = ['--require', join(ROOT, 'test', 'run-source.cjs'), join(ROOT, 'cli', 'main.ts')];
  const done = spawnSync(process.execPath, [...source, ...words], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
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

test('a command that does not exist is one sentence, and exit code 3', () => {
  const { status, out, err } = run('chek');
  expect([status, out]).toEqual([3, '']);
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
  expect(run(...words)).toEqual({ status: 3, out: '', err: `pulumi-oneops: ${message}\n${advice}\n` });
});

test('an output that cannot be written is one message, and exit code 1', () => {
  const full = openSync('/dev/full', 'w');
  try {
    const { status, err } = runIn(ROOT, ['schema'], full);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^pulumi-oneops: cannot write to the standard output: .*\n$/),
    ]);
  } finally {
    closeSync(full);
  }
});

test('a reader that closes its end stops the output without a message', () => {
  const line = `"${process.execPath}" --require ./test/run-source.cjs cli/main.ts schema | head -c 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: ROOT, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['{', '']);
});

describe('in a folder below the one of Pulumi.yaml', () => {
  let folder: string;
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'oneops-below-'));
    write('Pulumi.yaml', 'name: shop\nruntime: { name: oneops, options: { file: [a.yaml, infra/b.yaml] } }\n');
    write('Pulumi.dev.yaml', 'config: { oneops:readonly: true }\n');
    write('a.yaml', 'assembly: { name: shop }\n');
    write('infra/b.yaml', 'variables: { SIZE: M }\n');
    write('infra/wrong.yaml', 'assembly: { nmae: shop }\n');
    write('alone/oneops.yaml', 'assembly: { name: alone }\n');
    write('infra/dev', '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a command finds the project, and the files that it is given', () => {
    const below = join(folder, 'infra');
    const whole = runIn(below, ['check']);
    expect(whole).toEqual(runIn(folder, ['check']));
    expect(whole.err).toContain('Pulumi.dev.yaml:1:11: error');
    expect(runIn(below, ['check', 'wrong.yaml', '--stack', 'dev']).err).toContain('infra/wrong.yaml:1:13: error');
    expect(runIn(below, ['doctor']).out).toContain('the configuration of the stack was not read');
    expect(runIn(join(folder, 'alone'), ['check']).out).toBe('oneops.yaml: nothing wrong\n');
  });
});

test('every option whose value is a path is named from the folder of the call', async () => {
  const at = { folder: '/shop/infra', project: '/shop' };
  const all = (await allCommands()).flatMap(({ command: { options } }) =>
    Object.entries(options).flatMap(([name, option]) => (takesPath(option) ? [{ name, options }] : [])),
  );
  expect(all.length).toBeGreaterThan(15);
  for (const { name, options } of all) {
    const [before, after] = name === 'report' ? ['sarif=x', 'sarif=infra/x'] : ['x', 'infra/x'];
    expect(wordsFrom([`--${name}`, before, 'word'], options, at)).toEqual([`--${name}`, after, 'word']);
    expect(wordsFrom([`--${name}=${before}`], options, at)).toEqual([`--${name}=${after}`]);
  }
  const words = ['--report', 'json', '--stack', 'dev', '-'];
  expect(wordsFrom(words, reviewCommand.options, at)).toEqual(words);
});

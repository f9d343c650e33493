// The init command: a project that check accepts, from any values, and nothing over what exists.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import ts from 'typescript';
import { parse } from 'yaml';
import { runCommand } from '../../../test/run-command';
import { checkCommand } from './check';
import { fmtCommand } from './fmt';
import { initCommand } from './init';
import { version } from '../../../package.json';

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
const FILES = ['Pulumi.yaml', 'oneops.yaml'];

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

test('the next commands bring the language host where it is missing, and Pulumi.yaml names no folder for it', async () => {
  const environment = { PULUMI_HOME: join(folder, 'home') };
  const next = async (name: string): Promise<string> =>
    (await runCommand(initCommand, environment, name, '--owner', 'team@acme.io')).stdout;
  expect(await next('one')).toContain('next:\n  cd one\n  npx pulumi-oneops setup\n  pulumi stack init dev\n');
  mkdirSync(join(folder, 'home', 'plugins', `language-oneops-v${version}`), { recursive: true });
  expect(await next('two')).toContain('next:\n  cd two\n  pulumi stack init dev\n');
  expect(parse(readFileSync(join('one', 'Pulumi.yaml'), 'utf8'))).toEqual({ name: 'one', runtime: 'oneops' });
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

test('a file that already exists stays as it is, and nothing else is written', async () => {
  writeFileSync('Pulumi.yaml', 'mine\n');
  await expect(async () => init('--owner', 'a@b.c')).rejects.toThrow('already has Pulumi.yaml');
  expect(readFileSync('Pulumi.yaml', 'utf8')).toBe('mine\n');
  expect(existsSync('oneops.yaml')).toBe(false);
});

test('a link that leads nowhere is a file, and a file is no folder', async () => {
  symlinkSync('elsewhere', 'Pulumi.yaml');
  await expect(async () => init('--owner', 'team@acme.io')).rejects.toThrow('already has Pulumi.yaml');
  writeFileSync('file', '');
  await expect(async () => init('file', '--owner', 'team@acme.io')).rejects.toThrow(
    /nothing was written: .*file is no folder$/,
  );
  expect(readdirSync('.').sort()).toEqual(['Pulumi.yaml', 'file']);
});

test('a value that makes a wrong file is refused with its finding, and no owner is an error', async () => {
  await expect(async () => init('--owner', 'team@acme.io', '--name', 'no name')).rejects.toThrow(
    /nothing was written\noneops.yaml:2:9/,
  );
  await expect(async () => init()).rejects.toThrow('--owner');
  expect(existsSync('Pulumi.yaml')).toBe(false);
});

/** Runs init as on a terminal, where somebody gives these answers, and returns what was asked. An answer of `\u0004` ends the input. */
async function onTerminal(answers: readonly string[], ...words: readonly string[]): Promise<readonly string[]> {
  const asked: string[] = [];
  const next = answers.values();
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        const question = /(\w[^\n]*): $/.exec(stripVTControlCharacters(chunk.toString()))?.[1];
        if (question !== undefined) {
          asked.push(question);
          const { value = '\u0004' } = next.next();
          setImmediate(() => stdin.write(value === '\u0004' ? value : `${value}\n`));
        }
        done();
      },
    }),
    { isTTY: true },
  );
  const streams = { stdin, stderr };
  const before = Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { configurable: true, value });
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(await initCommand.run(words)).toBe(0);
    return asked;
  } finally {
    stdout.mockRestore();
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor);
  }
}

const QUESTIONS = [
  'name of the assembly [story]',
  'mail address of its owner',
  'organization of the service (empty: set it later)',
  'pack of the first platform [oneops/tomcat:1]',
  'cloud of an environment "dev" (empty: no environment)',
];

test('on a terminal, asks what no option says, and an answer is what the option would be', async () => {
  expect(await onTerminal(['', 'team@acme.io', 'acme', '', 'east'], 'story')).toEqual(QUESTIONS);
  await init('other', '--name', 'story', '--owner', 'team@acme.io', '--organization', 'acme', '--cloud', 'east');
  for (const file of FILES)
    expect(readFileSync(join('story', file), 'utf8')).toBe(readFileSync(join('other', file), 'utf8'));
  const rest = ['--name', 'shop', '--pack', 'oneops/mysql:1'];
  expect(await onTerminal(['team@acme.io', '', ''], 'third', ...rest)).toEqual([
    QUESTIONS[1],
    QUESTIONS[2],
    QUESTIONS[4],
  ]);
  process.chdir('third');
  expect(await runCommand(checkCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: nothing wrong\n' });
});

test('a question without a default is asked again, a wrong answer is a finding, and the end of the input writes nothing', async () => {
  expect(await onTerminal(['', '', ' ', 'team@acme.io', '', '', ''], 'story')).toEqual([
    QUESTIONS[0],
    ...[1, 1, 1].map((index) => QUESTIONS[index]),
    ...QUESTIONS.slice(2),
  ]);
  const wrong = onTerminal(['no name', 'team@acme.io', '', '', ''], 'wrong');
  await expect(wrong).rejects.toThrow(/nothing was written\noneops.yaml:2:9/);
  const ended = onTerminal(['shop', 'team@acme.io', '\u0004'], 'ended');
  await expect(ended).rejects.toThrow('nothing was written: the input ended before all questions were answered');
  expect(readdirSync('.')).toEqual(['story']);
});

test('a program in TypeScript compiles, whatever values it has, and needs its packages', async () => {
  const words = ['made', '--name', 'shop', '--owner', "o'brien@acme.io", '--cloud', 'east', '--typescript'];
  const { code, stdout } = await init(...words);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(
      'written: Pulumi.yaml, index.ts, package.json, tsconfig.json, .gitignore\nnext:\n  cd made\n  npm install\n',
    ),
  ]);
  const program = readFileSync(join('made', 'index.ts'), 'utf8');
  const { diagnostics } = ts.transpileModule(program, { reportDiagnostics: true });
  expect([program, diagnostics]).toEqual([expect.stringContaining("owner: 'o\\'brien@acme.io'"), []]);
  expect(parse(readFileSync(join('made', 'Pulumi.yaml'), 'utf8'))).toMatchObject({ runtime: { name: 'nodejs' } });
});

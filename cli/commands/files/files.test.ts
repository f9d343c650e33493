// Commands that read and write stack files, in sessions and in laws.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import ts from 'typescript';
import { parse } from 'yaml';
import { runCommand } from '../../../test/run-command';
import { command as checkCommand } from './check';
import { command as fmtCommand } from './fmt';
import { command as initCommand } from './init';
import { version } from '../../../package.json';
import { CONVERSION_CODES, explanationOf, EXPLANATIONS } from '../../../stack';
import { command as convertCommand } from './convert';
import { graphMermaid, graphText } from './graph';
import { command as explainCommand } from './explain';
import { command as schemaCommand } from './schema';
import { play, sessionsIn } from '../../../test/command-sessions';
import { eachFolder } from '../../../test/folder';

const folder = eachFolder({ isHere: true });

test.each(sessionsIn('files.txt'))('%s', (_, steps) => play(steps));

// A project that check accepts, from any values, and nothing over what exists.
describe('init', () => {
  const init = (...words: readonly string[]) => runCommand(initCommand, {}, ...words);
  const FILES = ['Pulumi.yaml', 'oneops.yaml'];

  test.each([
    ['nothing more', []],
    ['everything', ['--name', 'shop', '--organization', 'acme', '--pack', 'oneops/mysql:1', '--cloud', 'east']],
  ])('check accepts a project with %s, and its layout is the standard one', async (_, words) => {
    expect(await init('My shop!', '--owner', 'team@acme.io', ...words)).toExitWith(0, {
      stdout: `written: ${FILES.join(', ')}\nnext:\n  cd My shop!\n`,
    });
    process.chdir('My shop!');
    expect(await runCommand(checkCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: nothing wrong\n' });
    expect(await runCommand(fmtCommand, {}, 'Pulumi.yaml', 'oneops.yaml', '--check')).toExitWith(0);
  });

  test('the next commands bring the language host where it is missing, and Pulumi.yaml names no folder for it', async () => {
    const environment = { PULUMI_HOME: join(folder.path, 'home') };
    const next = async (name: string): Promise<string> =>
      (await runCommand(initCommand, environment, name, '--owner', 'team@acme.io')).stdout;
    expect(await next('one')).toContain('next:\n  cd one\n  npx pulumi-oneops setup\n  pulumi stack init dev\n');
    mkdirSync(join(folder.path, 'home', 'plugins', `language-oneops-v${version}`), { recursive: true });
    expect(await next('two')).toContain('next:\n  cd two\n  pulumi stack init dev\n');
    expect(parse(readFileSync(join('one', 'Pulumi.yaml'), 'utf8'))).toEqual({ name: 'one', runtime: 'oneops' });
  });

  test('values are only values, whatever signs they hold', async () => {
    const organization = 'a: ${config.x} #"';
    expect(await init('--owner', 'team@acme.io', '--name', 'no', '--organization', organization, '--json')).toExitWith(
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
    await expect(async () => init('--owner', 'team@acme.io', '--cloud', 'a b')).rejects.toThrow(
      'nothing was written: --cloud "a b" is no name of a cloud; name one without',
    );
    await expect(async () => init()).rejects.toThrow('--owner');
    expect(existsSync('Pulumi.yaml')).toBe(false);
  });

  /** Runs init as on a terminal, where somebody gives these answers, and returns what was asked. An answer of `\u0004` ends the input. */
  async function onTerminal(answers: readonly string[], ...words: readonly string[]): Promise<readonly string[]> {
    const asked: string[] = [];
    const next = answers.values();
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const stderr = Object.assign(
      new Writable({
        write(chunk: Buffer, _, done) {
          const shown = /([◆▲]) {2}(\w[^\n]*)/.exec(stripVTControlCharacters(chunk.toString()));
          const [, mark, question = ''] = shown ?? [];
          // A key takes the mark of a wrong answer away again.
          if (mark === '▲' || (mark === '◆' && question !== asked.at(-1))) {
            asked.push(question);
            const { value = '\u0004' } = next.next();
            setImmediate(() => stdin.write(value === '\u0004' ? value : `${value}\r`));
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
    expect(await init(...words)).toExitWith(0, {
      stdout:
        'written: Pulumi.yaml, index.ts, package.json, tsconfig.json, .gitignore\nnext:\n  cd made\n  npm install\n',
    });
    const program = readFileSync(join('made', 'index.ts'), 'utf8');
    const { diagnostics } = ts.transpileModule(program, { reportDiagnostics: true });
    expect([program, diagnostics]).toEqual([expect.stringContaining("owner: 'o\\'brien@acme.io'"), []]);
    expect(parse(readFileSync(join('made', 'Pulumi.yaml'), 'utf8'))).toMatchObject({ runtime: { name: 'nodejs' } });
  });

  test('a program goes into the folder of a new repository, and its .gitignore stays', async () => {
    folder.write({ '.gitignore': 'notes\n' });
    expect(await init('--owner', 'team@acme.io', '--typescript')).toExitWith(0);
    expect(existsSync('index.ts') && readFileSync('.gitignore', 'utf8')).toBe('notes\n');
  });
});

test('every line of the report of convert has a code that explain knows; of a profile, a line that may be a secret is not shown', async () => {
  folder.write({
    'design.yaml': 'variables: { LEVEL: yes }\nwhatever: { X: 1 }\nplatforms: { web: { pack: oneops/tomcat:1 } }\n',
    'p.ini': '[default]\npassword canary\nlevel info\n',
  });
  const { settings, findings } = JSON.parse((await runCommand(convertCommand, {}, 'design.yaml', '--json')).stdout) as {
    readonly [list in 'settings' | 'findings']: readonly { readonly id: string; readonly code: string }[];
  };
  expect(findings.length).toBeGreaterThan(0);
  for (const { id, code } of [...settings, ...findings]) expect([code, explanationOf(code)?.id]).toEqual([code, id]);
  expect(await runCommand(convertCommand, {}, 'design.yaml', '--from', 'boo', '--profile', 'p.ini')).toExitWith(3, {
    stderr: ['p.ini:2:1: error', 'level info'],
    without: 'canary',
  });
});

// Names in a graph, which may be long, or hold signs of a format.
describe('graph', () => {
  test('no line of text cuts a name', () => {
    const names = ['a', 'b', 'c'].map((sign) => sign.repeat(75));
    const web = { name: 'web', pack: 'oneops/tomcat:1', dependsOn: names };
    const lines = graphText({ assembly: 'shop', platforms: [web], environments: [] }).split('\n');
    expect(lines.slice(2).map((line) => line.replace('depends on', '').trim())).toEqual([
      `${names[0]},`,
      `${names[1]},`,
      names[2],
    ]);
  });

  test('no name is read as syntax', () => {
    const graph = {
      assembly: '<b>&"',
      platforms: [{ name: '"]--><script>', pack: 'a/b:1', dependsOn: [] }],
      environments: [],
    };
    expect(graphMermaid(graph)).not.toMatch(/<script|<b>|"\]-/);
  });
});

// The explain command: what it prints for an id and for a word, and what it says to a code that does not exist.

const explain = async (...words: readonly string[]): Promise<string> =>
  (await runCommand(explainCommand, {}, ...words)).stdout;

test('an id and its word print the same: meaning, the mistake with its finding, what is right', async () => {
  const text = await explain('ONE1207');
  expect(await explain('unknown-platform')).toBe(text);
  expect(await explain('1207')).toBe(text);
  expect(text).toMatch(/^ONE1207 unknown-platform\n\nThe file declares no platform/);
  expect(text).toContain('oneops.yaml:6:18: error ONE1207: there is no platform "wbe"\n');
  expect(text).toMatch(/\nRight:\n\n {2}assembly: \{ name: shop \}\n/);
});

test.each(CONVERSION_CODES.map((each): [string, typeof each] => [each.id, each]))(
  '%s is explained with an old file and what convert says of it',
  async (id, { code, meaning, old }) => {
    const text = await explain(id);
    expect(await explain(code)).toBe(text);
    expect(text.replace(/\s+/g, ' ')).toContain(meaning);
    for (const line of old.trim().split('\n')) expect(text).toContain(`  ${line}`.trimEnd());
    expect(text.slice(text.indexOf('What convert says:'))).toContain(id);
  },
);

test('without a code, all are listed', async () => {
  const text = await explain();
  for (const { explanations } of [...EXPLANATIONS, { explanations: CONVERSION_CODES }])
    for (const { id, code } of explanations) expect(text).toContain(`  ${id}  ${code}\n`);
});

test('JSON for programs', async () => {
  expect(JSON.parse(await explain('ONE1207', '--json'))).toMatchObject({ id: 'ONE1207', code: 'unknown-platform' });
});

test('a code that does not exist is answered with the nearest one', async () => {
  await expect(async () => explain('unknown-plattform')).rejects.toThrow('did you mean "unknown-platform"?');
});

test('meanings and examples fit a terminal of 80 columns', async () => {
  for (const { id, meaning } of EXPLANATIONS.flatMap(({ explanations }) => explanations)) {
    const lines = (await explain(id)).split('\n');
    const prose = lines.slice(2, lines.indexOf('Wrong:'));
    expect(prose.join(' ').trim()).toBe(meaning);
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
  }
});

// The schema command prints the schema that the package contains, byte for byte.

test('prints the schema of stack files', async () => {
  const { code, stdout, stderr } = await runCommand(schemaCommand, {});
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(readFileSync(join(__dirname, '..', '..', '..', 'schemas', 'stack.schema.json'), 'utf8'));
});

// The command line itself, in a separate process: version, help, and what it says to a wrong command.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { exitsOf, helpOf, plain, takesPath, type Command } from './command';
import { command as driftCommand } from './commands/drift/drift';
import { wordsFrom } from './here/project';
import { allCommands, COMMANDS } from './table';
import { runCommand, runToEnd } from '../test/run-command';
import { command as capabilitiesCommand } from './commands/tool/capabilities';
import { EXIT } from './exit';
import { replaceFile } from './here/replace-file';
import { classMetadata, knownPacks, registeredClass } from '../api/contract';
import { loadCatalogue, templates } from '../service';
import { CONVERSION_CODES, EXPLANATIONS } from '../stack';
import { command as explainCommand } from './commands/files/explain';
import { commandsPage, generatedFromCatalogue, stalePages } from './generate/pages';
import { eachFolder } from '../test/folder';

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

test.each(['help', '--help'])('%s prints the help of the command that follows', (word) => {
  expect(run(word, 'plan', 'verify')).toEqual(run('plan', 'verify', '--help'));
  expect(run(word, 'drfit').err).toContain('there is no command "drfit"; did you mean "drift"?');
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
  [['drift', 'accept', '--all'], 'there is no option --all', 'drift accept'],
  [['status', '--stack'], '--stack needs a value: --stack=NAME', 'status'],
  [['status', '--stack', '--json'], '--stack needs a value: --stack=NAME', 'status'],
  [['status', '--json=1'], '--json takes no value', 'status'],
])('%j names what does not exist or lacks a value, what was meant, and whose help to read', (words, message, path) => {
  const advice = `pulumi-oneops ${path} --help says how to call it`;
  expect(run(...words)).toEqual({ status: 3, out: '', err: `pulumi-oneops: ${message}\n${advice}\n` });
});

test('a folder that does not exist is refused like other wrong input', () => {
  expect(run('test', 'no-such-folder')).toMatchObject({
    status: 3,
    err: expect.stringMatching(
      /^pulumi-oneops: cannot read the project in .*no-such-folder: there is no such folder\n$/,
    ),
  });
});

test('every command refuses words that it does not take: exit code 3', async () => {
  const several = ({ usage }: Command): boolean => usage.some((call) => call.includes('...'));
  for (const { path, command } of (await allCommands()).filter((each) => !several(each.command))) {
    const { code, stdout } = await runToEnd(command, {}, ...'abcdef');
    expect([path, code, stdout]).toEqual([path, 3, '']);
  }
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
  const folder = eachFolder({
    files: {
      'Pulumi.yaml': 'name: shop\nruntime: { name: oneops, options: { file: [a.yaml, infra/b.yaml] } }\n',
      'Pulumi.dev.yaml': 'config: { oneops:readonly: true }\n',
      'a.yaml': 'assembly: { name: shop }\n',
      'infra/b.yaml': 'variables: { SIZE: M }\n',
      'infra/wrong.yaml': 'assembly: { nmae: shop }\n',
      'alone/oneops.yaml': 'assembly: { name: alone }\n',
      'infra/dev': '',
    },
  });

  test('a command finds the project, and the files that it is given', () => {
    const below = join(folder.path, 'infra');
    const whole = runIn(below, ['check']);
    expect(whole).toEqual(runIn(folder.path, ['check']));
    expect(whole.out).toContain('Pulumi.dev.yaml:1:11: error');
    expect(runIn(below, ['check', 'wrong.yaml', '--stack', 'dev']).out).toContain('infra/wrong.yaml:1:13: error');
    expect(runIn(below, ['doctor']).out).toContain('the configuration of the stack was not read');
    expect(runIn(join(folder.path, 'alone'), ['check']).out).toBe('oneops.yaml: nothing wrong\n');
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
  expect(wordsFrom(words, driftCommand.options, at)).toEqual(words);
});

// The table of commands: the help of each fits a terminal and names everything, and what programs and readers get is made of it.

test('init, which asks no service, has no exit code for one that lets nobody in', async () => {
  const found = (await allCommands()).find(({ path }) => path.join(' ') === 'init');
  expect(found && exitsOf(found.command).map(([code]) => code)).toEqual([EXIT.done, EXIT.failed, EXIT.wrong]);
});

test('a help fits 80 columns, and has every option, its words and every exit code', async () => {
  const all = await allCommands();
  expect(all.length).toBeGreaterThan(25);
  for (const { path, command } of all) {
    const help = helpOf(command);
    expect([path, help.split('\n').filter((line) => line.length > 80)]).toEqual([path, []]);
    const text = plain(help);
    for (const [name, { type, value, words }] of Object.entries(command.options)) {
      expect([path, name, value === undefined]).toEqual([path, name, type === 'boolean']);
      expect(text).toContain(`--${name}${value === undefined ? '' : ` ${value}`} ${plain(words)}`);
    }
    for (const [code, words] of exitsOf(command)) expect(text).toContain(`${code} ${plain(words)}`);
    expect(exitsOf(command).map(([code]) => code)).toEqual(expect.arrayContaining([EXIT.done, EXIT.wrong]));
  }
});

describe('a project whose stack a program declares', () => {
  const folder = eachFolder({ files: { 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' } });

  test.each(['test', 'rehearse'])('%s says what to do with it', (command) => {
    const { status, err } = runIn(folder.path, [command]);
    expect(status).toBe(EXIT.wrong);
    expect(err).toMatch(/^pulumi-oneops: .* takes a project with runtime: oneops.*pulumi-oneops serve\n$/);
  });
});

test('capabilities has every command with its options, and schemas that exist', async () => {
  const { code, stdout } = await runCommand(capabilitiesCommand, {}, '--json');
  expect(code).toBe(EXIT.done);
  const listed = JSON.parse(stdout) as {
    readonly schemas: readonly { readonly file: string }[];
    readonly commands: readonly { readonly name: string; readonly options: readonly { readonly name: string }[] }[];
  };
  for (const { file } of listed.schemas) JSON.parse(readFileSync(join(__dirname, '..', file), 'utf8'));
  expect(listed.commands.map(({ name, options }) => [name, ...options.map((option) => option.name)])).toEqual(
    (await allCommands()).map(({ path, command }) => [
      path.join(' '),
      ...Object.keys(command.options).map((name) => `--${name}`),
    ]),
  );
});

test('the page on commands is up to date: run npm run generate', async () => {
  const [path, text] = await commandsPage();
  expect(readFileSync(join(__dirname, '..', path), 'utf8')).toBe(text);
});

// What the flags do to a heap whose objects live long and are then replaced, and which commands set them.
describe('heap flags', () => {
  const ROOT = join(__dirname, '..');

  /** Holds some tens of megabytes, replaces each object ten times, and prints the largest heap in bytes. */
  const CHURN = `
  const live = Array.from({ length: 200_000 }, (_, number) => ({ number, text: 'kept ' + number }));
  let largest = 0;
  for (let number = 0; number < 2_000_000; number += 1) {
    live[number % live.length] = { number, text: 'kept ' + number };
    if (number % 40_000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal);
  }
  console.log(largest);
`;

  const largestHeap = (before: string): number => {
    const words = ['--require', './test/run-source.cjs', '-e', `${before};${CHURN}`];
    return Number.parseInt(execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }), 10);
  };

  test('a heap with the flags stays well below one without them', () => {
    const bounded = largestHeap("require('./cli/start.ts').setHeapFlags()");
    expect(bounded).toBeGreaterThan(10e6);
    expect(bounded).toBeLessThan(0.8 * largestHeap(''));
  });

  /** Whether the installed program sets the flags when it is called with these words; nothing else of it is loaded. */
  function isBounded(words: readonly string[]): boolean {
    const program = `
    const { _load: load } = require('node:module');
    require('node:module')._load = (name, ...rest) => {
      if (name.endsWith('/start.js')) return { setHeapFlags: () => console.log('bounded'), keepCompiledCode() {} };
      return name.endsWith('/main.js') ? {} : load(name, ...rest);
    };
    require('./bin/pulumi-oneops');
  `;
    return execFileSync(process.execPath, ['-e', program, ...['pulumi-oneops', ...words]], {
      cwd: ROOT,
      encoding: 'utf8',
    }).includes('bounded');
  }

  test.each([
    ['serve', true],
    ['drift --all stacks/*', true],
    ['drift --fail-on high --backend', true],
    ['drift', false],
    ['drift merge shards/*.json', false],
    ['check --all', false],
  ])('pulumi-oneops %s: flags %s', (words, expected) => {
    expect(isBounded(words.split(' '))).toBe(expected);
  });
});

// Laws of writing a file in one step: mode and links stay, and nothing is left next to it.
describe('replace file', () => {
  const folder = eachFolder();

  test('a new file is made, and one that existed keeps its mode', () => {
    const file = join(folder.path, 'oneops.yaml');
    replaceFile(file, 'one');
    expect(readFileSync(file, 'utf8')).toBe('one');
    chmodSync(file, 0o666);
    replaceFile(file, 'two');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777, readdirSync(folder.path)]).toEqual([
      'two',
      0o666,
      ['oneops.yaml'],
    ]);
  });

  test('a link stays one, and what it leads to is replaced', () => {
    mkdirSync(join(folder.path, 'shared'));
    writeFileSync(join(folder.path, 'shared', 'stack.yaml'), 'one');
    const link = join(folder.path, 'oneops.yaml');
    symlinkSync(join('shared', 'stack.yaml'), link);
    replaceFile(link, 'two');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder.path, 'shared', 'stack.yaml'), 'utf8')).toBe('two');
  });

  test('what cannot be written leaves nothing next to it', () => {
    const file = join(folder.path, 'taken');
    mkdirSync(join(file, 'inside'), { recursive: true });
    expect(() => replaceFile(file, 'two')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder.path)).toEqual(['taken']);
  });
});

// The files that are generated from the catalogue are what a fresh run makes, byte for byte, and lead a reader somewhere.
describe('generate', () => {
  const ROOT = join(__dirname, '..');
  const files = generatedFromCatalogue(ROOT);

  test.each([...files])('%s is up to date: run npm run generate', (path, text) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  });

  test('no page of a pack that no longer exists is left', () => expect(stalePages(ROOT, files)).toEqual([]));

  test('the contract knows every pack, and every template as the service has it', () => {
    const served = loadCatalogue()
      .packs()
      .map((pack) => ({
        source: pack.source,
        name: pack.name,
        version: pack.version,
        description: pack.description,
        templates: Object.fromEntries(
          pack.templates.map(({ name, class: className, constraint, modes, defaults }) => [
            name,
            {
              class: className,
              constraint,
              design: modes.includes('design'),
              scaled: pack.edges.redundant.some(({ to, flex }) => flex && to === name),
              needs: Object.entries(classMetadata(registeredClass('catalog', className))?.attributes ?? {}).flatMap(
                ([attribute, rule]) => (rule.required && !rule.default && !defaults[attribute] ? [attribute] : []),
              ),
            },
          ]),
        ),
      }));
    expect(knownPacks.map((pack) => ({ ...pack, templates: { ...pack.templates } }))).toEqual(served);
  });

  test('every template of every pack is on the page of its pack', () => {
    for (const pack of loadCatalogue().packs()) {
      const page = files.get(`docs/reference/packs/${pack.name}.md`) ?? '';
      for (const { name } of templates(pack, 'design')) expect(page).toContain(`| \`${name}\` |`);
    }
  });

  test('each code has a section, with what explain prints', async () => {
    const [, ...sections] = (files.get('docs/findings.md') ?? '').split(/^### /m);
    const codes = EXPLANATIONS.flatMap(({ explanations }) => explanations);
    expect(sections).toHaveLength(codes.length + CONVERSION_CODES.length);
    for (const { id, code } of codes) {
      const { stdout } = await runCommand(explainCommand, {}, id);
      const explained = stdout.slice(stdout.indexOf('Wrong:'), stdout.indexOf('In the reference:'));
      const section = sections.find((each) => each.startsWith(`${id}\n\n\`${code}\`: `)) ?? '';
      const [, written = ''] = /^(Wrong:[^]*?```\n[^]*?)(?=\n## |$(?![^]))/m.exec(section) ?? [];
      // On a terminal, the number of findings is below them.
      expect(
        explained
          .replaceAll(/^ {2}/gm, '')
          .replace(/^\d+ (error|warning)s?\n/m, '')
          .trim(),
      ).toBe(written.replaceAll(/^```.*\n/gm, '').trim());
    }
  });
});

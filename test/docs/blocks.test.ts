// The README and the pages of docs: every shell block runs, in order, as it is written; those that are not run say why.
// The tutorial needs the engine: test/engine/tutorial.test.ts runs it.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { runInThisContext } from 'node:vm';
import * as ts from 'typescript';
import { secret } from '@pulumi/pulumi/output';
import { openTerminal, refusalsIn, type ShellBlock, shellBlocks, type Terminal } from './shell-blocks';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack } from '../../stack';
import { createService, fastClock, listen, type Listening, type Service } from '../../service';
import * as sdk from '../../sdk';
import { recorded, type Registered } from '../recording-monitor';

const ROOT = join(__dirname, '..', '..');
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
const PAGES = ['README.md', ...['docs', 'docs/skills'].flatMap(pagesIn)].filter(
  (name) => name.endsWith('.md') && name !== 'docs/tutorial.md',
);

const pages = PAGES.map((page): [string, readonly ShellBlock[]] => [
  page,
  shellBlocks(readFileSync(join(ROOT, page), 'utf8')),
]);
const run = pages.map(([page, blocks]): [string, readonly ShellBlock[]] => [
  page,
  blocks.filter(({ notRun }) => notRun === undefined),
]);

/** Pages that show what their blocks print. */
const WITH_OUTPUT: readonly string[] = ['docs/operating.md', 'docs/rollback.md'];

/** A text without what differs from run to run: numbers, times, and the columns that follow from them. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0').replace(/ +/g, ' ');

test('the blocks that are not run say why', () => {
  const excused = pages.flatMap(([page, blocks]) =>
    blocks.flatMap(({ line, notRun }) => (notRun === undefined ? [] : [`${page}:${line}: not run: ${notRun}`])),
  );
  if (excused.length > 0) console.log(excused.join('\n'));
  expect(excused.filter((line) => /: not run: .{10,}/.test(line))).toEqual(excused);
});

describe.each(run.filter(([, blocks]) => blocks.length > 0))('%s', (page, blocks) => {
  let terminal: Terminal;
  /** A block after one that failed would only fail for that. */
  let failed: string | undefined;
  beforeAll(async () => {
    terminal = await openTerminal();
  });
  afterAll(() => terminal.close());

  test.each(blocks.map((block): [number, ShellBlock] => [block.line, block]))(
    'the block in line %d',
    async (line, block) => {
      expect(failed).toBeUndefined();
      failed = `${page}:${line}`;
      const { code, output } = await terminal.run(block);
      expect({ code, output }).toExitWith(0);
      // Refusals are shown on purpose or not at all.
      expect({ refusals: refusalsIn(output), output }).toMatchObject({ refusals: block.refusals.length });
      if (WITH_OUTPUT.includes(page)) expect(withoutNumbers(output)).toContain(withoutNumbers(block.shown ?? ''));
      failed = undefined;
    },
    30_000,
  );
});

// Every stack file in the docs and the examples reads without a finding. The page of findings shows wrong files.
describe('yaml blocks', () => {
  const FOLDERS = ['docs', join('docs', 'reference', 'kinds')];
  const PAGES = [
    'README.md',
    ...FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name))),
  ].filter((name) => name.endsWith('.md') && !name.endsWith('findings.md'));

  /** Blocks that are stack files: Pulumi.yaml and pieces are recognized by what they lack. */
  const blocks = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```yaml\n([^]*?)```/g)]
      .map((match) => match[1] as string)
      .filter((text) => /^assembly:/m.test(text) && !text.startsWith('# file: '))
      .map((text, index): [string, string] => [`${page} block ${index + 1}`, text]),
  );

  /** Files that a page shows next to its blocks: each begins with `# file: NAME`. */
  const filesOf = (name: string): { readonly name: string; readonly content: { readonly text: string } }[] =>
    [
      ...readFileSync(join(ROOT, name.replace(/ block \d+$/, '')), 'utf8').matchAll(
        /```yaml\n# file: ([^\n]+)\n([^]*?)```/g,
      ),
    ].map(([, file = '', text = '']) => ({ name: file, content: { text } }));

  const examples = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'examples', entry.name, 'oneops.yaml')))
    .map((entry): [string, string] => [
      `examples/${entry.name}`,
      readFileSync(join(ROOT, 'examples', entry.name, 'oneops.yaml'), 'utf8'),
    ]);

  test('there are blocks to read', () => {
    expect(blocks.map(([name]) => name)).toEqual(expect.arrayContaining(['README.md block 1', 'docs/yaml.md block 1']));
  });

  test.each([...blocks, ...examples])('%s', (name, text) => {
    const { findings, plan } = readStack([{ name, text }], {
      classMetadata,
      templateClass,
      readFile: () => ({ text: 'a file that the page names' }),
      env: { REGION: 'east' },
      choices: {
        stack: 'dev',
        include: (pattern) => {
          const matches = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
          return { files: filesOf(name).filter((file) => matches.test(file.name)) };
        },
      },
    });
    // A page of a kind shows every argument, whatever the others are.
    const isWhole = name.startsWith(join('docs', 'reference', 'kinds'));
    expect(findings.filter(({ code }) => !isWhole || code !== 'idle-setting')).toEqual([]);
    expect(plan?.resources.length).toBeGreaterThan(1);
  });
});

// The TypeScript blocks of the page of the client: together one program, which compiles and prints what the page says.
describe('program blocks', () => {
  const PAGE = readFileSync(join(ROOT, 'docs', 'client.md'), 'utf8');
  const TOKEN = 'token-of-the-page';

  const blocks = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1] ?? '');
  const lines = blocks.join('\n').split('\n');
  const isImport = (line: string): boolean => line.startsWith('import ');
  const program = [
    ...lines.filter(isImport).map((line) => line.replace('pulumi-oneops/client', join(ROOT, 'api', 'client'))),
    'void (async () => {',
    ...lines.filter((line) => !isImport(line)),
    '})();',
  ].join('\n');
  const promised = [...program.matchAll(/\/\/ prints: (.*)$/gm)].map((match) => match[1]);

  let folder: string;
  let file: string;
  let service: Service;
  let listening: Listening;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneops-program-'));
    file = join(folder, 'page.ts');
    writeFileSync(file, program);
    service = createService({
      database: ':memory:',
      dialect: 'documented',
      clock: fastClock(200),
      users: [{ name: 'admin', token: TOKEN }],
    });
    listening = await listen(service, { port: 0 });
  });

  afterAll(async () => {
    await listening.close();
    service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the blocks have no type errors', () => {
    const compiled = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      esModuleInterop: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules', '@types')],
    });
    const source = compiled.getSourceFile(file);
    const findings = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
    expect(findings.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  }, 120_000);

  test('every call that prints says what', () => {
    expect(promised.length).toBeGreaterThan(5);
    expect(program.match(/console\.log\(/g)).toHaveLength(promised.length);
  });

  test('they run, and print what the page says', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--require', join(ROOT, 'test', 'run-source.cjs'), file],
      { env: { ...process.env, ONEOPS_URL: listening.url, ONEOPS_TOKEN: TOKEN } },
    );
    expect(stdout.trimEnd().split('\n')).toEqual(promised);
  }, 60_000);
});

// The blocks of the page on programs: its stack files and its program, run together, declare what the page says.
describe('program page', () => {
  const PAGE = readFileSync(join(ROOT, 'docs', 'programs.md'), 'utf8');
  const program = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1]).join('\n');
  const files = [...PAGE.matchAll(/^```yaml\n# file: (\S+)\n([^]*?)^```$/gm)];

  const before = process.cwd();
  let folder: string;
  let all: readonly Registered[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneops-program-page-'));
    for (const [, name = '', text = ''] of files) writeFileSync(join(folder, name), text);
    const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
    const wrapped = `(function (require, exports) {${outputText}
})`;
    const run = runInThisContext(wrapped) as (require: (name: string) => unknown, exports: object) => void;
    process.chdir(folder);
    all = await recorded(() => run((name) => (name === 'pulumi-oneops' ? sdk : { secret }), {}));
  });

  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });

  test('the files and the program declare one stack', () => {
    expect(files.map(([, name]) => name)).toEqual(['assembly.yaml', 'web.yaml']);
    const keys = all.map(({ key }) => key);
    for (const key of [
      'Assembly::shop',
      'Platform::web',
      'Environment::prod',
      'Deployment::prod',
      'Component::web/compute',
    ])
      expect(keys).toContain(key);
    const inputsOf = (key: string) => all.find((each) => each.key === key)?.inputs;
    expect(inputsOf('Attachment::motd')).toMatchObject({ platform: 'web', component: 'deployer' });
    expect(inputsOf('Environment::prod')).toMatchObject({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
    expect(inputsOf('Variable::platforms/web/variables/KEY')).toMatchObject({ encryptedValue: { secret: 's3cret' } });
  });

  test('the kinds that the page lists are declared on it', () => {
    const kinds = ['Cloud', 'CloudService', 'Relay', 'Monitor', 'InstanceReplacement', 'Procedure', 'Team'];
    const declared = all.map(({ key }) => key.split('::')[0]);
    for (const kind of kinds) {
      expect(declared).toContain(kind);
      expect(PAGE).toContain(`| \`${kind}\` |`);
    }
  });

  test('what is declared with another provider, and what is in it, goes to the other service', () => {
    const providers = all.filter(({ key }) => key.includes('theirs')).map(({ provider }) => provider);
    expect(providers.length).toBeGreaterThan(1);
    expect(providers.filter((provider) => !provider.includes('other'))).toEqual([]);
  });
});

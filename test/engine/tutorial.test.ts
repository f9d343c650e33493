// The tutorial, run as a reader would: every block in order, on the real engine, and what the page shows
// is what is printed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { openTerminal, type Terminal } from '../docs/shell-blocks';
import { findEngine, REPOSITORY } from '../world/engine';

const PAGE = readFileSync(join(REPOSITORY, 'docs', 'tutorial.md'), 'utf8');
const INSTALL = 'npm install pulumi-oneops @pulumi/pulumi@3.276.0';

interface Block {
  readonly language: string;
  /** Line of the page at which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Those that are run here: a block that is not says which test runs it. */
const blocks: readonly Block[] = [...PAGE.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
  .map((match) => ({
    language: match[1] ?? '',
    line: PAGE.slice(0, match.index).split('\n').length,
    text: match[2] ?? '',
  }))
  .filter(({ text }) => !text.startsWith('# not run: '));

let terminal: Terminal;
let home: string;
/** Where the reader is after the first block. */
let project: string;
/** What was printed since the last block of text. */
let output = '';

beforeAll(async () => {
  const engine = await findEngine();
  home = mkdtempSync(join(tmpdir(), 'oneops-tutorial-home-'));
  terminal = await openTerminal({
    path: [join(engine.root, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
    environment: { PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: 'true', NO_COLOR: '1' },
    patience: 120_000,
  });
  project = join(terminal.folder, 'shop');
});

afterAll(async () => {
  await terminal.close();
  rmSync(home, { recursive: true, force: true });
});

/** The package as npm would install it: package.test.ts installs it for real. */
function linkPackages(): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(REPOSITORY, join(modules, 'pulumi-oneops'));
  symlinkSync(join(REPOSITORY, 'node_modules', '@pulumi'), join(modules, '@pulumi'));
  symlinkSync(join('..', 'pulumi-oneops', 'bin', 'pulumi-oneops'), join(modules, '.bin', 'pulumi-oneops'));
}

async function runShell({ text }: Block): Promise<void> {
  const ended = await terminal.run({ text: text.replace(INSTALL, ':') });
  if (text.includes(INSTALL)) linkPackages();
  expect(ended).toExitWith(0);
  output += ended.output;
}

/** Creates the file that the block's first line names. */
function writeFile({ text }: Block): void {
  const name = /^# file: (\S+)\n/.exec(text)?.[1] ?? 'no name';
  writeFileSync(join(project, name), text.replace(/^.*\n/, ''));
}

/** Edits the stack file as the block says: one line for another. */
function editFile({ text }: Block): void {
  const [, before = '', after = ''] = /^-(.*\n)\+(.*\n)$/.exec(text) ?? [];
  const file = join(project, 'oneops.yaml');
  const parts = readFileSync(file, 'utf8').split(before);
  expect(parts).toHaveLength(2);
  writeFileSync(file, parts.join(after));
}

/** Lines that were not printed. Numbers differ from run to run, and `…` stands for any text. */
function missing({ text }: Block): readonly string[] {
  const patternOf = (line: string): RegExp =>
    new RegExp(
      line
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/…/g, '.*')
        .replace(/\d+/g, '\\d+'),
    );
  const lines = text.trimEnd().split('\n');
  return lines.filter((line) => !patternOf(line).test(output));
}

test('the page shows what it does', () => {
  expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['diff', 'sh', 'text', 'yaml']);
});

test.each(blocks.map((block): [string, number, Block] => [block.language, block.line, block]))(
  'the %s in line %d',
  async (language, _line, block) => {
    if (language === 'sh') return runShell(block);
    if (language === 'yaml') return writeFile(block);
    if (language === 'diff') return editFile(block);
    const absent = missing(block);
    expect({ missing: absent, output: absent.length === 0 ? '' : output }).toEqual({ missing: [], output: '' });
    output = '';
  },
);

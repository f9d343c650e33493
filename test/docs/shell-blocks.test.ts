// The README and the pages of docs: every shell block runs, in order, as it is written; those that are not run say why.
// The tutorial needs the engine: test/engine/tutorial.test.ts runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTerminal, refusalsIn, type ShellBlock, shellBlocks, type Terminal } from './shell-blocks';

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
      failed = undefined;
    },
    30_000,
  );
});

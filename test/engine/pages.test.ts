// The README and the pages of docs: every shell block runs as it is written; those that do not say
// why. The tutorial needs the engine: tutorial.test.ts runs it.
import { pagesIn, textOf } from '../docs/page-blocks';
import { openTerminal, refusalsIn, type ShellBlock, shellBlocks, type Terminal } from '../docs/shell-blocks';

const PAGES = ['README.md', ...['docs', 'docs/skills'].flatMap(pagesIn)].filter((name) => name !== 'docs/tutorial.md');

const pages = PAGES.map((page): [string, readonly ShellBlock[]] => [page, shellBlocks(textOf(page))]);
const run = pages.map(([page, blocks]): [string, readonly ShellBlock[]] => [
  page,
  blocks.filter(({ notRun }) => notRun === undefined),
]);

/** Pages that show what their blocks print. */
const WITH_OUTPUT: readonly string[] = ['docs/operating.md', 'docs/rollback.md'];

/** A text without what differs from run to run: numbers, times, and columns that follow from them. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0').replace(/ +/g, ' ');

test('the blocks that are not run say why', () => {
  const excused = pages.flatMap(([page, blocks]) =>
    blocks.flatMap(({ line, notRun }) => (notRun === undefined ? [] : [`${page}:${line}: not run: ${notRun}`])),
  );
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

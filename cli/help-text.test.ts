// Every help fits a terminal of 80 columns, and loses no word by it.
import { helpText } from './help-text';
import { COMMANDS } from './table';
import type { Command, CommandEntry } from './command';

const words = (text: string): string => text.replace(/\s+/g, ' ');

async function all(entries: readonly CommandEntry[]): Promise<readonly Command[]> {
  const commands = await Promise.all(entries.map((entry) => entry.load()));
  const below = await Promise.all(commands.map((command) => all(command.commands ?? [])));
  return [...commands, ...below.flat()];
}

test('the help of every command fits 80 columns', async () => {
  const helps = (await all(COMMANDS)).map(({ help }) => help);
  expect(helps.length).toBeGreaterThan(25);
  for (const help of helps) {
    expect(
      helpText(help)
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
    expect(words(helpText(help))).toBe(words(help));
    expect(helpText(helpText(help))).toBe(helpText(help));
  }
});

test.each([
  ['what fits stays as it is', 'usage: a\n\n  --b  c\n', 'usage: a\n\n  --b  c\n'],
  ['a paragraph', `${'word '.repeat(17)}end\nof it\n\nnext`, `${'word '.repeat(16).trimEnd()}\nword end of it\n\nnext`],
  [
    'the text of an option',
    `  --name NAME  ${'word '.repeat(14)}end\n               of it\n  --other  one`,
    `  --name NAME  ${'word '.repeat(13).trimEnd()}\n               word end of it\n  --other  one`,
  ],
])('%s', (_, help, expected) => expect(helpText(help)).toBe(expected));

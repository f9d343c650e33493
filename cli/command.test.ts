// The table of commands: the help of each fits a terminal and names everything, and what programs and readers are told is made of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../test/run-command';
import { exitsOf, helpOf, plain } from './command';
import { capabilitiesCommand } from './commands/tool/capabilities';
import { EXIT } from './exit';
import { commandsPage } from './generate/pages';
import { allCommands } from './table';

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

test('capabilities has every command with its options, and schemas that exist', async () => {
  const { code, stdout } = await runCommand(capabilitiesCommand, {}, '--json');
  expect(code).toBe(EXIT.done);
  const told = JSON.parse(stdout) as {
    readonly schemas: readonly { readonly file: string }[];
    readonly commands: readonly { readonly name: string; readonly options: readonly { readonly name: string }[] }[];
  };
  for (const { file } of told.schemas) JSON.parse(readFileSync(join(__dirname, '..', file), 'utf8'));
  expect(told.commands.map(({ name, options }) => [name, ...options.map((option) => option.name)])).toEqual(
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

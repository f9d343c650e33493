// The completion scripts know every command and every option, and bash offers them where they can be.
import { execFileSync } from 'node:child_process';
import { SHELLS } from '../completion/scripts';
import { runCommand } from '../../test/run-command';
import { COMMANDS } from '../table';
import { completedCommands, completionCommand } from './completion';

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(completionCommand, {}, shell);
  expect(code).toBe(0);
  return stdout;
}

/** What bash offers for the last of some words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const typed = ['pulumi-oneops', ...words];
  const call = [
    `COMP_WORDS=(${typed.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${typed.length - 1}`,
    '_pulumi_oneops',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  return execFileSync('bash', ['-euc', [await script('bash'), ...call].join('\n')], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

test('every command has a table of options, and every option of a help text is in it', async () => {
  const commands = await completedCommands();
  expect(commands.map(({ path }) => path[0])).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
  for (const { name, load } of COMMANDS) {
    const command = await load();
    const all = [
      { path: [name], own: command.itself === undefined ? command : await command.itself() },
      ...(await Promise.all(
        (command.commands ?? []).map(async (entry) => ({ path: [name, entry.name], own: await entry.load() })),
      )),
    ];
    for (const { path, own } of all) {
      expect([path, own.options === undefined]).toEqual([path, false]);
      const told = [...own.help.matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1] as string);
      expect([path, Object.keys(own.options ?? {})]).toEqual([path, expect.arrayContaining(told)]);
    }
  }
});

test.each(SHELLS)('%s: every command and option is in the script', async (shell) => {
  const text = await script(shell);
  for (const { path, options, words } of await completedCommands())
    for (const word of [...path, ...options.map(({ name }) => name), ...words]) expect(text).toContain(word);
});

test('bash offers what can be at the place', async () => {
  expect(await offered('')).toEqual([...COMMANDS.map(({ name }) => name), '--help', '--version']);
  expect(await offered('ch')).toEqual(['check']);
  expect(await offered('check', '--cat')).toEqual(['--catalogue', '--catalogue-file']);
  expect(await offered('check', 'a.yaml', '--js')).toEqual(['--json']);
  expect(await offered('drift', 'acc')).toEqual(['accept']);
  expect(await offered('drift', '--fail')).toEqual(['--fail-on']);
  expect(await offered('drift', 'accept', '--par')).toEqual(['--partial']);
  expect(await offered('packs', 'tom')).toEqual(['tomcat']);
  expect(await offered('completion', 'f')).toEqual(['fish']);
});

test.each([[[]], [['tcsh']], [['bash', 'zsh']]])('%j is refused', async (words) => {
  await expect(completionCommand.run(words)).rejects.toThrow('completion takes bash, zsh or fish');
});

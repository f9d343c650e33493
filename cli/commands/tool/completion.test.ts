// The completion scripts know every command and every option, and bash offers them where they can be.
import { execFileSync } from 'node:child_process';
import { SHELLS, command as completionCommand, wordsOf } from './completion';
import { runCommand } from '../../../test/run-command';
import { allCommands, COMMANDS } from '../../table';

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

test.each(SHELLS)('%s: every command and option is in the script', async (shell) => {
  const text = await script(shell);
  for (const { path, command } of await allCommands())
    for (const word of [...path, ...Object.keys(command.options), ...wordsOf(command)]) expect(text).toContain(word);
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

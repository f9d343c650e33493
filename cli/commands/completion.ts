// `pulumi-oneops completion`: a script that completes commands and options in a shell, made from the commands' own tables of options.
// It must not know any single command.
import { parseWords, UsageError, type Command } from '../command';
import { SHELLS, scriptFor, type CompletedCommand } from '../completion/scripts';
import { COMMANDS } from '../table';

const OPTIONS = {} as const;

const HELP = `usage: pulumi-oneops completion bash|zsh|fish

Prints a script that completes commands and options. Load it in the shell's start file:

  bash   source <(pulumi-oneops completion bash)
  zsh    source <(pulumi-oneops completion zsh)      (after compinit)
  fish   pulumi-oneops completion fish | source

exit codes: 0 printed, 1 there is no script for this shell`;

/** The completion command. */
export const completionCommand: Command = {
  help: HELP,
  options: OPTIONS,
  words: SHELLS,
  async run(words) {
    const { positionals } = parseWords(words, OPTIONS);
    const shell = SHELLS.find((each) => each === positionals[0]);
    if (shell === undefined || positionals.length > 1) throw new UsageError('completion takes bash, zsh or fish');
    process.stdout.write(scriptFor(shell, await completedCommands()));
    return 0;
  },
};

/** Every command with its options, those of other commands by both names: `drift accept`. */
export async function completedCommands(): Promise<readonly CompletedCommand[]> {
  const found = await Promise.all(
    COMMANDS.map(async (own) => {
      const command = await own.load();
      const inner = command.commands ?? [];
      const completedInner = await Promise.all(
        inner.map(async (each) => completed([own.name, each.name], each.summary, await each.load())),
      );
      const itself = completed([own.name], own.summary, (await command.itself?.()) ?? command);
      return [{ ...itself, words: [...inner.map(({ name }) => name), ...itself.words] }, ...completedInner];
    }),
  );
  return found.flat();
}

const completed = (path: readonly string[], summary: string, command: Command): CompletedCommand => ({
  path,
  summary,
  options: Object.entries(command.options ?? {}).map(([name, { type }]) => ({ name, takesValue: type === 'string' })),
  words: command.words ?? [],
});

// A command run in this process, and what it printed.
import type { Command } from '../cli/command';
import { exitCodeOf } from '../cli/exit';

/** How a command ended, and what it wrote. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with nothing but these variables; this repository is no Pulumi project. */
export async function runCommand(
  command: Pick<Command, 'run'>,
  environment: { readonly [name: string]: string },
  ...words: readonly string[]
): Promise<Outcome> {
  const before = process.env;
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  process.env = { PATH: before['PATH'], ...environment };
  try {
    return { code: await command.run(words), ...written };
  } finally {
    process.env = before;
    spies.forEach((spy) => spy.mockRestore());
  }
}

/** The same, with what the entry point makes of an error: one message, and its exit code. */
export function runToEnd(
  command: Pick<Command, 'run'>,
  environment: { readonly [name: string]: string },
  ...words: readonly string[]
): Promise<Outcome> {
  const run = async (given: readonly string[]): Promise<number> => {
    try {
      return await command.run(given);
    } catch (error) {
      process.stderr.write(`pulumi-oneops: ${String((error as Error).message)}\n`);
      return exitCodeOf(error);
    }
  };
  return runCommand({ run }, environment, ...words);
}

// What a command of the CLI is.
// It must not know any single command.
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A table of options, as Node's parser takes it. */
export type Options = NonNullable<ParseArgsConfig['options']>;

export interface Command {
  readonly help: string;
  /** Its own options, for completion. */
  readonly options?: Options;
  /** Words it takes besides options, where they are a closed set. */
  readonly words?: readonly string[];
  /** Commands of its own, which print their own help. */
  readonly commands?: readonly CommandEntry[];
  /** What it runs without one of its own commands. */
  itself?(): Promise<Command>;
  /** Runs with the words after the command's name; resolves to the exit code (architecture §7). */
  run(words: readonly string[]): Promise<number>;
}

/** A command by name. It is loaded when it is called: the service needs none of the engine's libraries, and memory is what it is measured by. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** A command was called in a way it does not take. Exit code 1. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

type Parsed<T extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** Options and positionals of a command; throws UsageError for what it does not know. */
export function parseWords<T extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: T,
): Parsed<T> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(reasonOf(error));
  }
}

/** Node's words; for an unknown option without its advice on words that begin with a dash. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const unknown = /^Unknown option '(--?[^']+)'/.exec(error.message)?.[1];
  return unknown === undefined ? error.message : `there is no option ${unknown}`;
}

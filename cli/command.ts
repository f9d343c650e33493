// The interface of a command of the CLI, and the errors that decide its exit code.
// It must not know any single command.
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Options by name, as `parseArgs` takes them. */
type Options = NonNullable<ParseArgsConfig['options']>;

export interface Command {
  readonly help: string;
  /** Its own options, for completion. */
  readonly options?: Options;
  /** The arguments it takes besides options, when they are a closed set. */
  readonly words?: readonly string[];
  /** Commands of its own, which print their own help. */
  readonly commands?: readonly CommandEntry[];
  /** The command that runs when none of its own commands is named. */
  itself?(): Promise<Command>;
  /** Runs with the words after the command's name. Resolves to the exit code. */
  run(words: readonly string[]): Promise<number>;
}

/** A command by name. It is loaded when it runs, so that `serve` does not keep the engine's libraries in memory. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** A word that nothing is called, and the words that it may be a mistake for. */
interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
}

/** A command was called with wrong arguments. Exit code 1. `unknown`: the message continues with the nearest known word. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly unknown?: UnknownWord,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}

/** There is no token, or the service refuses it. Exit code 4. */
export class Unauthorized extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unauthorized';
  }
}

type Parsed<T extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** Parses options and positional arguments. Throws UsageError for an unknown option. */
export function parseWords<T extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: T,
): Parsed<T> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageErrorOf(error, Object.keys(options));
  }
}

/** The error of `parseArgs`; for an unknown option without its advice on words that begin with a dash. */
function usageErrorOf(error: unknown, known: readonly string[]): UsageError {
  if (!(error instanceof Error)) return new UsageError(String(error));
  const word = /^Unknown option '(--?[^']+)'/.exec(error.message)?.[1];
  if (word === undefined) return new UsageError(error.message);
  return new UsageError(`there is no option ${word}`, { word, known: known.map((name) => `--${name}`) });
}

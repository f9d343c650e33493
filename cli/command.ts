// A command of the CLI: its options with their words, its help, and how a call is read.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { folded } from '../api/errors';
import { EXIT, EXIT_WORDS, UsageError, type ExitName } from './exit';

/** An option, as `parseArgs` takes it, with what people read about it. */
interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean | string[];
  /** The word for the value in a help text: `FILE`, `NAME`. */
  readonly value?: string;
  readonly words: string;
  /** A heading before the option, where options are listed in groups. */
  readonly heading?: string;
}

export interface OptionTable {
  readonly [name: string]: Option;
}

/** Values that are paths, relative to the folder of the call. */
const PATHS: readonly string[] = ['FILE', 'FOLDER', 'FOLDERS', 'DIR', 'REVIEW', 'FORMAT=FILE'];

/** Whether the value of an option is a path, or ends in one. */
export const takesPath = ({ value = '' }: Option): boolean => PATHS.includes(value);

export interface Command {
  /** Calls, without the name of the program: `check [FILE...] [options]`. */
  readonly usage: readonly string[];
  /** Paragraphs. Lines that begin with a space stay as they are. */
  readonly about: string;
  /** What the arguments mean, where the paragraphs do not say so. */
  readonly arguments?: { readonly [name: string]: string };
  readonly options: OptionTable;
  /** Meanings of exit codes; `failed` and `wrong` are those of every command. */
  readonly exits: { readonly [name in ExitName]?: string };
  /** The end of a help text: examples. */
  readonly after?: string;
  /** The arguments it takes besides options, when they are a closed set. */
  readonly words?: readonly string[];
  readonly commands?: readonly CommandEntry[];
  /** Runs with the words after the command's name. Resolves to the exit code. */
  run(words: readonly string[]): Promise<number>;
}

/** A command by name. Its code is loaded when it runs, so that `serve` needs little memory. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const entry = (name: string, summary: string, load: () => Command | Promise<Command>): CommandEntry => ({
  name,
  summary,
  load: async () => load(),
});

/** Options and arguments as they are parsed. */
export type Parsed<T extends OptionTable> = Pick<
  ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>>,
  'values' | 'positionals'
>;

export type ValuesOf<T extends OptionTable> = {
  readonly [K in keyof Parsed<T>['values']]:
    Parsed<T>['values'][K] | (T[K & string] extends { readonly default: unknown } ? never : undefined);
};

/** Prints a result as JSON where the call has --json, and else as text. */
export type Print = <V>(result: V, textOf: (result: V) => string) => void;

/** What the words of a call mean. */
interface Call<T extends OptionTable> extends Parsed<T> {
  readonly print: Print;
}

type Code = number | void;

/** A command whose words are read by its own options. Without an exit code, its work is done. */
export function commandOf<const T extends OptionTable>({
  most,
  run,
  ...command
}: Omit<Command, 'options' | 'run'> & {
  readonly options: T;
  /** Largest number of arguments. Default: any. */
  readonly most?: number;
  readonly run: (call: Call<T>) => Code | Promise<Code>;
}): Command {
  return {
    ...command,
    async run(words) {
      const parsed = parseWords(words, command.options, most);
      const isJson = 'json' in parsed.values && parsed.values.json === true;
      const print: Print = (result, textOf) =>
        void process.stdout.write(isJson ? `${JSON.stringify(result, null, 2)}\n` : textOf(result));
      return (await run({ ...parsed, print })) ?? EXIT.done;
    },
  };
}

/** Parses options and arguments. Throws UsageError for unknown options and too many arguments. */
export function parseWords<T extends OptionTable>(words: readonly string[], options: T, most = Infinity): Parsed<T> {
  try {
    const parsed: Parsed<T> = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    const excess = parsed.positionals[most];
    if (excess === undefined) return parsed;
    throw new UsageError(`"${excess}" is one argument too many`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof Error)) throw error;
    const word = /^Unknown option '(--?[^']+)'/.exec(error.message)?.[1];
    if (word === undefined) throw new UsageError(wrongValue(error.message, options));
    // Without the advice of parseArgs on words that begin with a dash.
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`there is no option ${word}`, { word, known });
  }
}

/** What parseArgs says of the value of an option, in one line. */
function wrongValue(message: string, options: OptionTable): string {
  const name = /^Option '(?:-\w, )?--([\w-]+)/.exec(message)?.[1] ?? '';
  const option = options[name];
  if (option === undefined) return message;
  return option.type === 'boolean' ? `--${name} takes no value` : `--${name} needs a value: --${name}=${option.value}`;
}

/** The value of an option that takes one of several words. Throws UsageError for another one. */
export function knownWord<const W extends string>(option: string, known: readonly W[], word: string): W {
  const found = known.find((each) => each === word);
  if (found !== undefined) return found;
  const message = `${option} takes one of ${known.join(', ')}, not ${JSON.stringify(word)}`;
  throw new UsageError(message, { word, known });
}

/** The command that words mean, the words after its name, and its path: `['plan', 'verify']`. */
export async function innermost(
  entry: CommandEntry,
  words: readonly string[],
): Promise<{ readonly command: Command; readonly words: readonly string[]; readonly path: readonly string[] }> {
  const command = await entry.load();
  const inner = command.commands?.find(({ name }) => name === words[0]);
  return inner === undefined
    ? { command, words, path: [entry.name] }
    : { command: await inner.load(), words: words.slice(1), path: [entry.name, inner.name] };
}

/** A group of commands, of which the first word names one. `run`: what the group does itself. */
export const groupOf = (
  group: string,
  {
    run: itself,
    ...command
  }: Omit<Command, 'run'> & Pick<Partial<Command>, 'run'> & { readonly commands: readonly CommandEntry[] },
): Command => ({
  ...command,
  async run(words) {
    const [name, ...rest] = words;
    const found = command.commands.find((each) => each.name === name);
    if (found !== undefined) return (await found.load()).run(rest);
    const known = command.commands.map((each) => each.name);
    // It may name a file, or be an option.
    if (itself !== undefined && (name === undefined || name.startsWith('-') || existsSync(name) || /[./]/.test(name)))
      return itself(words);
    throw name === undefined
      ? new UsageError(`${group} takes one of ${known.join(', ')}`)
      : new UsageError(`there is no command "${group} ${name}"`, { word: name, known });
  },
});

const WIDTH = 80;
/** Column at which the words on an option begin. */
const COLUMN = 24;

export function helpOf({ usage, about, arguments: given = {}, options, commands = [], exits, after }: Command): string {
  const listed = [
    ...Object.entries(given).map(([name, words]) => [`  ${name}`, words] as const),
    ...commands.map(({ name, summary }) => [`  ${name}`, summary] as const),
  ];
  const codes = exitsOf({ exits, options }).map(([code, words]) => `${code} ${plain(words)}`);
  return [
    ...usage.map((call, index) => `${index === 0 ? 'usage:' : '      '} pulumi-oneops ${call}`),
    '',
    ...paragraphs(about).flatMap((line) => (/^ |^$/.test(line) ? [line] : folded(line, WIDTH))),
    '',
    ...listed.flatMap(([label, words]) => labelled(label, words)),
    ...(listed.length > 0 && Object.keys(options).length > 0 ? [''] : []),
    ...Object.entries(options).flatMap(([name, { value, words, heading }]) => [
      ...(heading === undefined ? [] : ['', heading]),
      ...labelled(`  --${name}${value === undefined ? '' : ` ${value}`}`, words),
    ]),
    '',
    ...folded(`exit codes: ${codes.join('; ')}`, WIDTH),
    ...(after === undefined ? [] : ['', after]),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** The exit codes of a command with their words, by number. */
export const exitsOf = ({
  exits,
  options,
}: Pick<Command, 'exits' | 'options'>): readonly (readonly [number, string])[] =>
  (Object.keys(EXIT) as ExitName[]).flatMap((name) => {
    const isUsual = name === 'failed' || name === 'wrong' || (name === 'notLetIn' && 'url' in options);
    const words = exits[name] ?? (isUsual ? EXIT_WORDS[name] : undefined);
    return words === undefined ? [] : [[EXIT[name], words] as const];
  });

/** A label with words in their own column, or below a label that is too long for it. */
export function labelled(label: string, words: string): readonly string[] {
  const [first = '', ...more] = folded(plain(words), WIDTH - COLUMN).map((line) => `${' '.repeat(COLUMN)}${line}`);
  const isLong = label.length > COLUMN - 2;
  return [...(isLong ? [label, first] : [label.padEnd(COLUMN) + first.trimStart()]), ...more];
}

/** Running text of a help on one line: in the source it is broken at will. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Paragraphs with their lines joined; lines that begin with a space stay as they are. */
const paragraphs = (text: string): readonly string[] =>
  text.split('\n').reduce<string[]>((lines, line) => {
    const isRunning = [line, lines.at(-1) ?? ''].every((each) => /^\S/.test(each));
    return isRunning ? [...lines.slice(0, -1), `${lines.at(-1)} ${line}`] : [...lines, line];
  }, []);

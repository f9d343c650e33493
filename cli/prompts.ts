// Questions on a terminal; undefined for Ctrl-C, Ctrl-D, Escape and the end of the input.
import type { ReadStream, WriteStream } from 'node:tty';
import type * as Clack from '@clack/prompts' with { 'resolution-mode': 'import' };

export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

export interface Choice {
  readonly id: string;
  /** One line that names it. */
  readonly title: string;
  /** What is known of it; it is shown while the line is chosen. */
  readonly details: string;
}

type Prompts = typeof Clack;
type Ends = Terminal & { readonly signal: AbortSignal };

const CTRL_D = '\u0004';

async function asked<Answer extends NonNullable<unknown>>(
  { input, output }: Terminal,
  ask: (prompts: Prompts, ends: Ends) => Promise<Answer>,
): Promise<Exclude<Answer, symbol> | undefined> {
  // Loaded by the commands that ask only: the others start without it.
  const prompts = await import('@clack/prompts');
  prompts.updateSettings({ aliases: { [CTRL_D]: 'cancel' } });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  input.once('end', end);
  try {
    const answer = await ask(prompts, { input, output, signal: ended.signal });
    return prompts.isCancel(answer) ? undefined : (answer as Exclude<Answer, symbol>);
  } finally {
    input.removeListener('end', end);
  }
}

/** The ids of the chosen lines, perhaps none. Typed words filter; Tab takes a line. */
export const chosenOf = (
  message: string,
  choices: readonly Choice[],
  terminal: Terminal,
): Promise<readonly string[] | undefined> =>
  asked(terminal, (prompts, ends) =>
    prompts.autocompleteMultiselect<string>({
      ...ends,
      message,
      options: choices.map(({ id, title, details }) => ({ value: id, label: title, hint: details })),
      filter: (search, { value, label, hint }) => {
        const text = `${value} ${label} ${hint}`.toLowerCase();
        return search
          .toLowerCase()
          .split(' ')
          .every((word) => text.includes(word));
      },
      maxItems: 10,
      required: false,
    }),
  );

/** A text without space around it. Asks until `wrongWith` finds nothing. */
export async function textOf(
  message: string,
  wrongWith: (text: string) => string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  const validate = (text = ''): string | undefined => wrongWith(text.trim());
  return (await asked(terminal, (prompts, ends) => prompts.text({ ...ends, message, validate })))?.trim();
}

/** Yes or no; no is chosen at first. */
export const agreement = (message: string, terminal: Terminal): Promise<boolean | undefined> =>
  asked(terminal, (prompts, ends) => prompts.confirm({ ...ends, message, initialValue: false }));

/** Whether the user agrees. Without a terminal, prints how to agree, and returns false. */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('nothing was sent: agree with --yes\n');
    return false;
  }
  return (await agreement(question, { input: process.stdin, output: process.stderr })) === true;
}

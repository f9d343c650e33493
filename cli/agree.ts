// Asks for confirmation before a request that cannot be undone.
import { createInterface } from 'node:readline/promises';

/** Asks on a terminal, and returns whether the user agreed. Without a terminal it prints how to agree, and returns false. */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('nothing was sent: agree with --yes\n');
    return false;
  }
  return /^y(es)?$/i.test((await answerTo(`${question} (yes/no)`)) ?? '');
}

/** The answer to a question, without space around it; undefined when the input ends without a line, and at Ctrl-C. */
export async function answerTo(
  question: string,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output });
  try {
    // A last line is read before the end.
    const ended = new Promise<undefined>(
      (resolve) => void terminal.once('close', () => setImmediate(resolve, undefined)),
    );
    return (await Promise.race([terminal.question(`${question} `), ended]))?.trim();
  } catch (error) {
    // What readline throws at Ctrl-C and Ctrl-D.
    if ((error as Error).name === 'AbortError') return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

// Asks for confirmation before a request that cannot be undone.
import { createInterface } from 'node:readline/promises';

/** Asks on a terminal, and returns whether the user agreed. Without a terminal it prints how to agree, and returns false. */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('nothing was sent: agree with --yes\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // A last line is read before the end.
    const ended = new Promise<string>((resolve) => void terminal.once('close', () => setImmediate(resolve, '')));
    return /^y(es)?$/i.test((await Promise.race([terminal.question(`${question} (yes/no) `), ended])).trim());
  } catch (error) {
    // What readline throws at Ctrl-C and Ctrl-D.
    if ((error as Error).name === 'AbortError') return false;
    throw error;
  } finally {
    terminal.close();
  }
}

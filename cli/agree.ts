// Asks a person before something is sent that cannot be taken back.
// It must not know what is sent.
import { createInterface } from 'node:readline/promises';

/** Whether a person agrees, on a terminal. Without one nobody is asked: says how to agree, and answers false. */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('nothing was sent: agree with --yes\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // An input that ends answers nothing; a last line comes before its end.
    const ended = new Promise<string>((resolve) => void terminal.once('close', () => setImmediate(resolve, '')));
    const answer = terminal.question(`${question} (yes/no) `);
    return /^y(es)?$/i.test((await Promise.race([answer, ended])).trim());
  } finally {
    terminal.close();
  }
}

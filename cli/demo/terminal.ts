// Runs the command lines of the demo, one after the other, and shows each with what it prints.
// It must not know what they do.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { DemoStage } from './stage';

/** A command line of the demo. */
export interface Line {
  /** `pulumi` or `pulumi-oneops`, and its words. */
  readonly words: readonly string[];
  /** Exit code of a success; default: 0. */
  readonly expected?: number;
  /** Not shown unless it fails. */
  readonly quiet?: boolean;
  /** Text for its standard input. */
  readonly input?: string;
}

/** The demo was stopped by a person. */
export class Stopped extends Error {}

/** Prints a text with a line break. */
export const say = (text = ''): void => void process.stdout.write(`${text}\n`);

/** Lines of Pulumi that show the progress, a resource that stays as it is, or the stack as a whole. */
const PROGRESS =
  /^\s*$|^@ |^(Updating|Duration)|pulumi:pulumi:Stack|oneops:index:(?!.* (created|updated|deleted|replaced) \()/;

/** What Pulumi printed, as far as it says what was done. */
const resultsIn = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .filter((line) => !PROGRESS.test(line))
    .map((line) => line.replace(/ \[diff: .*/, ''));

/** Runs a line in the project of the stage. Throws with everything it printed when it ends otherwise than expected, and Stopped when it is stopped. */
export async function run(line: Line, stage: DemoStage, stop: AbortSignal): Promise<void> {
  const { words, expected = 0, quiet = false } = line;
  const shown = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  if (!quiet) say(process.stdout.isTTY ? `\u001b[1m$ ${shown}\u001b[0m` : `$ ${shown}`);
  const { code, printed } = await finished(line, stage, stop);
  if (code !== expected) throw new Error(`"${shown}" ended with ${code}:\n${printed.trimEnd()}`);
  if (quiet) return;
  const lines = words[0] === 'pulumi' ? resultsIn(printed) : printed.trimEnd().split('\n');
  say(`${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`);
}

function finished(
  { words, input = '' }: Line,
  { project, environment }: DemoStage,
  stop: AbortSignal,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  if (stop.aborted) return Promise.reject(new Stopped());
  const [program = '', ...rest] = words;
  const ours = [process.execPath, join(__dirname, '..', 'main.js')] as const;
  const [file, args] = program === 'pulumi' ? [program, [...rest, '--non-interactive']] : [ours[0], [ours[1], ...rest]];
  // In its own group: Ctrl-C reaches this process alone, which then ends what it started.
  const child = spawn(file, args, { cwd: project, env: environment, detached: process.platform !== 'win32' });
  return new Promise((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += String(bytes)));
    const end = (): void => killGroup(child);
    stop.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    // A killed CLI leaves plugins behind, which keep its output open until they notice.
    child.once('exit', () => stop.aborted && reject(new Stopped()));
    child.once('close', (code) => {
      stop.removeEventListener('abort', end);
      resolve({ code, printed });
    });
    child.stdin.end(input);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

// A process that listens: started, read while it runs, and ended by its id.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

export interface ListeningProcess {
  readonly url: string;
  readonly pid: number;
  /** Until it listened, in ms. */
  readonly startedIn: number;
  /** What it has printed. */
  output(): string;
  errors(): string;
  /** Resolves to its exit code when it no longer exists. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program, which listens when it prints an address. Rejects when it ends before. */
export async function startListening(
  words: readonly string[],
  { program = process.execPath, environment = {} }: { readonly program?: string; readonly environment?: object } = {},
): Promise<ListeningProcess> {
  const began = performance.now();
  const env = { ...process.env, ...environment };
  const child = spawn(program, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const said = { output: '', errors: '' };
  child.stderr.on('data', (chunk: Buffer) => (said.errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said.output += chunk.toString();
      const found = /http:\/\/[\d.]+:\d+(?=\s)/.exec(said.output)?.[0];
      if (found !== undefined) resolve(found);
    });
    ended.then((code) => reject(new Error(`ended with ${code}: ${said.errors}${said.output}`)), reject);
  });
  return {
    url,
    pid: child.pid ?? 0,
    startedIn: performance.now() - began,
    output: () => said.output,
    errors: () => said.errors,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

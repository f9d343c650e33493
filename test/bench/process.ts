// Processes that answer while they are measured: started, asked for memory, ended by their id.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Token of the service's administrator in every bench. */
export const TOKEN = 'token-of-bench';

/** A process that listens. */
export interface Listener {
  readonly url: string;
  /** Until it listened, in ms. */
  readonly startedIn: number;
  /** Resident memory in bytes. */
  memory(): number;
  close(): Promise<void>;
}

/** Starts node with these words; the process is ready when it prints an address. */
async function start(words: readonly string[]): Promise<Listener> {
  const began = performance.now();
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    gone.then(() => reject(new Error(`the process ended before it listened: ${said}`)), reject);
  });
  return {
    url,
    startedIn: performance.now() - began,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) * 1024,
    close: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** The built service on a database file, as a user starts it. */
export function startService(database: string): Promise<Listener> {
  const words = ['serve', '--port', '0', '--db', database, '--user', `admin:${TOKEN}`];
  return start(['bin/pulumi-oneops', ...words]);
}

/** An answer to send again and again: headers, names and values by turns, and a body. */
interface Constant {
  readonly head: readonly string[];
  readonly body: string;
}

/** What a service answers to a request, to be sent by a handler that does nothing else. */
export async function answerOf(url: string, headers: { readonly [name: string]: string }): Promise<Constant> {
  const response = await fetch(url, { headers });
  const body = await response.text();
  // Those that every server of node's adds by itself are left out.
  const own = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { head: own.flat(), body };
}

/** A listener of node's own HTTP server that answers every request with the same. */
export function startEmptyHandler(constant: Constant): Promise<Listener> {
  return start(['--require', './test/run-source.cjs', 'test/bench/empty-handler.ts', JSON.stringify(constant)]);
}

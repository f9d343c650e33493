// Starts the service in a child process and kills it without a warning.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** A service in a separate process. */
export interface Served {
  readonly url: string;
  /** From the start of the process until it listened, in ms. */
  readonly startedIn: number;
  /** Ends the process by its id with SIGKILL; resolves when it no longer exists. */
  kill(): Promise<void>;
}

/** When the service's time begins and how fast it goes. */
interface ServedTime {
  /** ms since 1970 */
  readonly start: number;
  readonly speed: number;
}

/** Serves a database file; rejects with what the process said when it ends before it listens. */
export async function serve(file: string, time: ServedTime): Promise<Served> {
  const start = performance.now();
  const words = [file, String(time.start), String(time.speed)];
  const child = spawn(process.execPath, ['--require', './test/run-source.cjs', 'test/soak/serve.ts', ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    gone.then(() => reject(new Error(`the service ended before it listened: ${errors.join('')}`)), reject);
  });
  return {
    url,
    startedIn: performance.now() - start,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

// Runs a program to its end, can end it with all it started, and shows that something happens.
import { spawn } from 'node:child_process';

const KEPT_LINES = 40;
const GRACE_MILLISECONDS = 2_000;
const LOG_SECONDS = 20;

/**
 * How a program ended.
 * @typedef {object} Ended
 * @property {number | null} code exit code; null when a signal ended it
 * @property {string} stdout all of its standard output
 * @property {readonly string[]} lines the last 40 lines of both outputs together
 */

/**
 * Runs a program in a process group of its own.
 * @param {string} command a path, or a name looked up on PATH
 * @param {readonly string[]} args
 * @param {object} options
 * @param {AbortSignal} options.stop ends the program and everything it started; the call then
 * throws the signal's reason
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @param {(line: string) => void} [options.onLine] hears each line of both outputs
 * @returns {Promise<Ended>}
 * @throws NodeJS.ErrnoException when it cannot be started (code ENOENT: not there)
 */
export function run(command, args, { stop, env = process.env, cwd, onLine = () => undefined }) {
  return new Promise((resolve, reject) => {
    stop.throwIfAborted();
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = [];
    let stdout = '';
    let killing;
    const end = () => {
      signalGroup(child.pid, 'SIGTERM');
      killing = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MILLISECONDS);
    };
    const hear = (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      onLine(line);
    };
    child.stdout.on('data', (chunk) => (stdout += chunk));
    splitLines(child.stdout, hear);
    splitLines(child.stderr, hear);
    stop.addEventListener('abort', end, { once: true });
    const settle = () => {
      clearTimeout(killing);
      stop.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      if (stop.aborted) reject(stop.reason);
      else resolve({ code, stdout, lines });
    });
  });
}

function splitLines(stream, hear) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split(/\r\n|\r|\n/);
    rest = parts.pop();
    parts.forEach(hear);
  });
  stream.on('end', () => {
    if (rest !== '') hear(rest);
  });
}

function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: it ended by itself in the meantime.
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Shows that something happens until it is ended: a live line on a terminal, else a line every 20
 * seconds.
 * @param {() => string} describe what goes on; asked each time
 * @param {NodeJS.WriteStream} [stream]
 * @returns {{ end: () => string }} `end` takes the live line away and shows the time that passed
 */
export function showProgress(describe, stream = process.stderr) {
  const started = Date.now();
  const line = () => `engine: ${describe()}, ${formatSeconds(Date.now() - started)}`;
  const timer = stream.isTTY
    ? setInterval(() => stream.write(`\r\x1b[2K${line().slice(0, (stream.columns || 80) - 1)}`), 500)
    : setInterval(() => stream.write(`${line()}\n`), LOG_SECONDS * 1_000);
  return {
    end: () => {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\x1b[2K');
      return formatSeconds(Date.now() - started);
    },
  };
}

/**
 * @param {number} milliseconds
 * @returns {string} such as `4 min 9 s` or `12 s`
 */
export function formatSeconds(milliseconds) {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

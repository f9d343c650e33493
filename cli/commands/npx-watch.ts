// Notices that the npx which started this command was killed: npx passes on no signal that it cannot catch.
// It must not know what is stopped then.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Time between two looks at the ancestors, in ms. */
const INTERVAL = 1000;

/** A process and its parent. While both live, the one is the parent of the other; when the parent ends, the system gives the child another. */
interface Link {
  readonly child: number;
  readonly parent: number;
}

/**
 * Whether the environment is that of a command of ours that npx runs. A script of npm is left alone: it may end and leave a service behind on
 * purpose. So is a command that another tool starts, which inherits the variables of its own npx.
 */
export function runsUnderNpx(environment: NodeJS.ProcessEnv): boolean {
  return (
    environment['npm_command'] === 'exec' &&
    environment['npm_lifecycle_event'] === 'npx' &&
    /\bpulumi-oneops\b/.test(environment['npm_lifecycle_script'] ?? '')
  );
}

/**
 * Calls `ended` once when the npx that started this process has ended; never without npx, nor where ancestors cannot be found, as on Windows.
 * Keeps no process running. Returns what ends the watch.
 */
export function whenNpxEnds(environment: NodeJS.ProcessEnv, ended: () => void): () => void {
  if (!runsUnderNpx(environment) || process.platform === 'win32') return () => undefined;
  const links = linksToNpx();
  const timer = setInterval(() => {
    if (links.every(({ child, parent }) => parentOf(child) === parent)) return;
    clearInterval(timer);
    ended();
  }, INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}

/** From this process up to npx: npx starts a command by a shell, and some shells stay in between. */
function linksToNpx(): readonly Link[] {
  const own = { child: process.pid, parent: process.ppid };
  if (!isShell(own.parent)) return [own];
  const above = parentOf(own.parent);
  return above === undefined ? [own] : [own, { child: own.parent, parent: above }];
}

/** The number of a process's parent; undefined when there is no such process. */
function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  // The name of the program, in parentheses, may contain anything; the state and then the parent follow it.
  const text = existsSync('/proc/self/stat') ? /\) \S (\d+)[^)]*$/.exec(fileOf(pid, 'stat'))?.[1] : ps(pid, 'ppid');
  return text === undefined || text === '' ? undefined : Number(text);
}

/** Whether a process is a shell that was given one command: `sh -c COMMAND`. */
function isShell(pid: number): boolean {
  const words = existsSync('/proc/self/stat') ? fileOf(pid, 'cmdline').split('\0') : ps(pid, 'args').split(' ');
  return words[1] === '-c';
}

function fileOf(pid: number, name: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

function ps(pid: number, column: 'ppid' | 'args'): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // The process has ended.
    return '';
  }
}

// Processes of this machine: what a process started, and its sudden end.
// Only ids that a test has from its own children are ever killed.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Ids of everything a process started, and what that started, whatever process group it is in. */
export function descendantsOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = pairs.filter(([, parent]) => parents.includes(parent ?? -1)).map(([child]) => child ?? -1);
    found.push(...children);
    parents = children;
  }
  return found;
}

/** Ends processes immediately, without a warning; those that have ended already do not matter. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Whether a process is still there, and not only waiting to be noticed as ended. */
export function isThere(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

/** How long what lost its engine may take to notice under load, in ms (engine-facts A §6). */
const PATIENCE = 30_000;

/** Ends the processes that are still there when they should have noticed, and answers them. */
export async function survivorsOf(pids: readonly number[]): Promise<readonly number[]> {
  const end = Date.now() + PATIENCE;
  let left = pids.filter(isThere);
  while (left.length > 0 && Date.now() < end) {
    await delay(50);
    left = left.filter(isThere);
  }
  killAll(left);
  return left;
}

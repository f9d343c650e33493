// Provider processes that an engine left behind before they could notice that it no longer exists.
// It must not know which provider runs in them, nor how an end is noticed.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process of this machine, with the words it was started with. */
interface Running {
  readonly pid: number;
  readonly words: readonly string[];
}

/** The SDK's host of dynamic providers, and the shell script that starts it. */
const HOST = /(^|\/)(pulumi-resource-pulumi-nodejs|dynamic-provider)(\/|$)/;

/**
 * Ends the hosts of dynamic providers that the engine at an address started. Call it only when that engine has ended: such a host watches its engine
 * from its first call on, because then our code is loaded in it; one that got no call would wait for good. Processes that may not be ended are left.
 */
export function endOrphans(engineAddress: string): void {
  const orphans = runningProcesses().filter(
    ({ pid, words }) => pid !== process.pid && words.at(-1) === engineAddress && words.some((word) => HOST.test(word)),
  );
  for (const { pid } of orphans) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself, or belongs to another user.
    }
  }
}

function runningProcesses(): readonly Running[] {
  // Small images have no `ps`.
  if (existsSync('/proc/self/cmdline'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), words: wordsOf(name) }));
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), words };
  });
}

function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

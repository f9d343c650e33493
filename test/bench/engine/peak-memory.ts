// The most memory a run's provider process had, watched from outside (Linux): a process that the engine kills tells nothing at its end.
// It must not know what the process does.
import { readFileSync, readdirSync } from 'node:fs';

/** How often a process is looked at, in ms: its high-water mark only grows, so the last look misses little. */
const INTERVAL = 100;

export interface Watch {
  /** Ends the watch; bytes, 0 when no such process was seen. */
  stop(): number;
}

/** Watches the first process below `root` whose command line holds `text`. */
export function watchPeakMemory(root: number, text: string): Watch {
  let most = 0;
  let watched: number | undefined;
  const look = (): void => {
    watched ??= processesBelow(root).find((pid) => textOf(pid, 'cmdline').includes(text));
    if (watched === undefined) return;
    const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(textOf(watched, 'status'))?.[1] ?? 0) * 1024;
    most = Math.max(most, peak);
  };
  const timer = setInterval(look, INTERVAL);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

/** A file of /proc; nothing when the process is gone. */
function textOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

function processesBelow(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = /\) \S (\d+)/.exec(textOf(Number(name), 'stat'))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    for (let next = parents.get(pid); next !== undefined; next = parents.get(next)) if (next === root) return true;
    return false;
  };
  return [...parents.keys()].filter(isBelow);
}

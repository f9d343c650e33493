// What a run's processes cost, watched from outside (Linux): one that the engine kills shows nothing at its end.
import { readFileSync, readdirSync } from 'node:fs';

/** How often processes are looked at, in ms. What a process used after the last look is missed. */
const INTERVAL = 100;

/** Clock ticks a second, in which Linux counts processors' time for programs. */
const TICKS = 100;

/** What was seen. */
export interface Cost {
  /** Bytes that the one process had at most: its high-water mark, which only grows. */
  readonly memory: number;
  /** ms of processor time of all processes: unlike the wall's it hardly depends on what else the machine does. */
  readonly cpu: number;
}

/** Watches a process and everything below it; `text` is in the command line of the one whose memory is requested. */
export function watchProcesses(root: number, text: string): { stop(): Cost } {
  const ticks = new Map<number, number>();
  let memory = 0;
  const look = (): void => {
    for (const { pid, used } of processesFrom(root)) {
      ticks.set(pid, used);
      if (!textOf(pid, 'cmdline').includes(text)) continue;
      const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(textOf(pid, 'status'))?.[1] ?? 0) * 1024;
      memory = Math.max(memory, peak);
    }
  };
  look();
  const timer = setInterval(look, INTERVAL);
  return {
    stop() {
      clearInterval(timer);
      const used = [...ticks.values()].reduce((sum, each) => sum + each, 0);
      return { memory, cpu: (used / TICKS) * 1000 };
    },
  };
}

/** A file of /proc; nothing when the process has ended. */
function textOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Ticks. */
  readonly used: number;
}

function processesFrom(root: number): readonly Process[] {
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // After the name in brackets: state, parent, and, as 12th and 13th, time in the program and in the kernel.
    const fields = textOf(Number(name), 'stat').split(') ').at(-1)?.split(' ') ?? [];
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
    const pid = Number(name);
    if (parent !== undefined && !Number.isNaN(parent)) all.set(pid, { pid, parent, used: (user ?? 0) + (system ?? 0) });
  }
  const isBelow = (process: Process): boolean => {
    for (let next: Process | undefined = process; next !== undefined; next = all.get(next.parent))
      if (next.pid === root) return true;
    return false;
  };
  return [...all.values()].filter(isBelow);
}

// What a run's processes cost, watched from outside (Linux): one that the engine kills shows nothing at its end.
import { readFileSync } from 'node:fs';
import { descendantsOf } from '../../world/engine';

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
    for (const pid of [root, ...descendantsOf(root)]) {
      // After the name in brackets, 12th and 13th: time in the program and in the kernel.
      const fields = textOf(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
      ticks.set(pid, Math.max(ticks.get(pid) ?? 0, Number(fields[11] ?? 0) + Number(fields[12] ?? 0)));
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

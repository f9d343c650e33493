// Measures several ways of doing one thing in one run, by turns, so that what else the machine does
// falls on all of them.

/** One way of doing it. */
interface Contender {
  readonly name: string;
  /** Does it so many times. */
  readonly run: (calls: number) => Promise<void>;
}

interface Turns {
  readonly turns: number;
  /** Calls of each contender per turn. */
  readonly calls: number;
  /** Calls of the first turn, which only warms up; default: as many as in the others. */
  readonly first?: number;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** One turn of one contender, per call. */
async function once(contender: Contender, calls: number): Promise<{ readonly wall: number; readonly cpu: number }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await contender.run(calls);
  const wall = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { wall: wall / calls, cpu: (user + system) / calls };
}

/** What was measured of several contenders: microseconds of one call, and how they compare. */
interface Comparison {
  /** Median over the turns; `cpu` is that of this process, all of its threads. */
  of(name: string, figure?: 'wall' | 'cpu'): number;
  /** Median over the turns of the first contender's figure by the second's in the same turn. */
  ratio(of: string, to: string, figure?: 'wall' | 'cpu'): number;
}

/** Lets the contenders take turns, the first one too, which only warms up and does not count. */
export async function measure(
  contenders: readonly Contender[],
  { turns, calls, first = calls }: Turns,
): Promise<Comparison> {
  const seen = new Map(contenders.map(({ name }) => [name, { wall: [] as number[], cpu: [] as number[] }]));
  for (let turn = 0; turn <= turns; turn += 1) {
    const order = turn % 2 === 0 ? contenders : [...contenders].reverse();
    for (const contender of order) {
      const { wall, cpu } = await once(contender, turn === 0 ? first : calls);
      if (turn === 0) continue;
      seen.get(contender.name)?.wall.push(wall);
      seen.get(contender.name)?.cpu.push(cpu);
    }
  }
  const series = (name: string, figure: 'wall' | 'cpu'): readonly number[] => {
    const found = seen.get(name);
    if (found === undefined) throw new Error(`nothing is called ${name}`);
    return found[figure];
  };
  return {
    of: (name, figure = 'wall') => median(series(name, figure)),
    ratio: (of, to, figure = 'wall') => {
      const below = series(to, figure);
      return median(series(of, figure).map((value, turn) => value / (below[turn] ?? Number.NaN)));
    },
  };
}

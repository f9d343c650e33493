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
function median(values: readonly number[]): number {
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

/** Figures of several contenders, turn by turn. */
export function figuresOf<F extends { readonly [figure in keyof F]: number }>(): {
  note(name: string, figures: F): void;
  /** What a contender had in each turn. */
  all(name: string): readonly F[];
  /** Median over the turns. */
  of(name: string, figure: keyof F): number;
  /** Median over the turns of a contender's figure by another's and `beside` in the same turn. */
  ratio(of: string, to: string, figure: keyof F, beside?: number): number;
} {
  const seen = new Map<string, readonly F[]>();
  const all = (name: string): readonly F[] => seen.get(name) ?? [];
  return {
    note: (name, figures) => void seen.set(name, [...all(name), figures]),
    all,
    of: (name, figure) => median(all(name).map((figures) => figures[figure])),
    ratio: (of, to, figure, beside = 0) =>
      median(
        all(to).flatMap((below, turn) => {
          const above = all(of)[turn];
          return above === undefined ? [] : [above[figure] / (below[figure] + beside)];
        }),
      ),
  };
}

/** Microseconds of one call; `cpu` is that of this process, all of its threads. */
type Cost = Awaited<ReturnType<typeof once>>;

/** Lets the contenders take turns, the first one too, which only warms up and does not count. */
export async function measure(contenders: readonly Contender[], { turns, calls, first = calls }: Turns) {
  const figures = figuresOf<Cost>();
  for (let turn = 0; turn <= turns; turn += 1)
    for (const contender of turn % 2 === 0 ? contenders : [...contenders].reverse()) {
      const cost = await once(contender, turn === 0 ? first : calls);
      if (turn > 0) figures.note(contender.name, cost);
    }
  return {
    of: (name: string, figure: keyof Cost = 'wall') => figures.of(name, figure),
    ratio: (of: string, to: string, figure: keyof Cost = 'wall') => figures.ratio(of, to, figure),
  };
}

// kill -9 at the boundaries of the storefront's requests, on the real engine: the recipe of docs/recovery.md, and everything is as declared.
// CRASH_POINTS says how many (`all`: every boundary of every run, as in `make soak`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS, type Dialect } from '../../api/contract';
import { differenceOf, type Standing } from '../conformance/standing';
import { findEngine, pendingOperations, type Engine } from '../engine';
import { openBench, type Bench, type Boundary } from './crash-bench';
import { TOKEN } from './live-service';

const ROOT = join(__dirname, '..', '..');
const POINTS = process.env['CRASH_POINTS'] ?? '16';

const STOREFRONT = readFileSync(join(ROOT, 'examples', 'storefront', 'oneops.yaml'), 'utf8');

/** A value of an attachment, one of a component and one of a cloud changed, a platform taken out. */
const EDITED = (
  [
    ['Welcome to the storefront.', 'Welcome back.'],
    ['max_threads: 100', 'max_threads: 150'],
    ['pct_scale: 50', 'pct_scale: 60'],
    ['  cache:\n    pack: oneops/redisio:1\n\n', ''],
  ] as const
).reduce((file, [from, to]) => file.replace(from, to), STOREFRONT);

/** A run that is killed. */
interface Scenario {
  readonly name: string;
  readonly from: 'nothing' | 'kept';
  readonly file: string;
  readonly words: readonly string[];
  /** State is written at the end alone: a kill loses all of it. */
  readonly loses?: boolean;
}

const UP = ['up', '--skip-preview'];

const SCENARIOS: readonly Scenario[] = [
  { name: 'first up', from: 'nothing', file: STOREFRONT, words: UP },
  { name: 'first up, state lost', from: 'nothing', file: STOREFRONT, words: UP, loses: true },
  { name: 'edit', from: 'kept', file: EDITED, words: UP },
  { name: 'destroy', from: 'kept', file: STOREFRONT, words: ['destroy', '--skip-preview'] },
];

interface Point extends Boundary {
  readonly scenario: Scenario;
}

/** What a run comes to when nobody kills it. */
interface Reference {
  readonly requests: number;
  readonly standing: readonly Standing[];
}

/** The commands of the recipe, as docs/recovery.md gives them. */
const RECIPE = /^```sh\n# not run: [^\n]*\n([^]*?)^```$/m
  .exec(readFileSync(join(ROOT, 'docs', 'recovery.md'), 'utf8'))![1]!
  .trim()
  .split('\n')
  .map((line) =>
    line
      .replace(/ *#.*$/, '')
      .split(' ')
      .slice(1)
      .filter((word) => word !== '--yes'),
  );

const COMBINATIONS = (['everything', 'the CLI alone'] as const).flatMap((whom) =>
  (['before', 'after'] as const).map((when) => ({ whom, when })),
);

/** Every boundary of a scenario, or so many of them, spread over its requests and, from a turn on, over who is killed when. */
function pointsOf(scenario: Scenario, requests: number, count: number, turn: number): readonly Point[] {
  if (count === Infinity) {
    const numbers = Array.from({ length: requests }, (_, index) => index + 1);
    return numbers.flatMap((nth) => COMBINATIONS.map((combination) => ({ scenario, nth, ...combination })));
  }
  return Array.from({ length: count }, (_, index) => ({
    scenario,
    nth: 1 + Math.floor(((index + (turn % 4) / 4) * requests) / count),
    ...COMBINATIONS[(index + turn) % COMBINATIONS.length]!,
  }));
}

const nameOf = ({ scenario, nth, when, whom }: Point): string =>
  `${scenario.name}: ${whom} killed ${when} request ${nth}`;

interface Verdict {
  readonly point: Point;
  /** Not undefined when the run ended before its boundary came. */
  readonly missed?: true;
  readonly duplicates: readonly string[];
  readonly orphans: readonly string[];
  /** Everything else that is not as it should be. */
  readonly wrong: readonly string[];
}

/** Carries one kill out, and what a person does after it. */
async function trial(bench: Bench, point: Point, reference: Reference): Promise<Verdict> {
  const { project } = bench;
  const { scenario } = point;
  const wrong: string[] = [];
  await bench.restart(scenario.from);
  await project.write('oneops.yaml', scenario.file);
  const crash = await bench.crash(scenario.words, point, scenario.loses ? { PULUMI_SKIP_CHECKPOINTS: 'true' } : {});
  if (!crash.killed) return { point, missed: true, duplicates: [], orphans: [], wrong: [] };
  if (crash.survivors > 0) wrong.push(`${crash.survivors} processes went on by themselves`);
  for (const words of RECIPE) {
    const [command = '', ...flags] = words;
    const isUp = command === 'up';
    // Clearing takes a run of its own and proves nothing where nothing is pending.
    if (command === 'refresh' && (await pendingOperations(project)) === 0) continue;
    const { code, output } = await project.run(...(isUp ? scenario.words : [command, ...flags]));
    if (code !== 0) wrong.push(`pulumi ${words.join(' ')} ended with ${code}:\n${output}`);
  }
  if (scenario.words[0] === 'up') {
    const preview = await project.run('preview', '--refresh', '--expect-no-changes', '--diff');
    if (preview.code !== 0) wrong.push(`preview --refresh finds changes:\n${preview.output}`);
  }
  if ((await pendingOperations(project)) > 0) wrong.push('operations are still pending');
  const difference = differenceOf(await bench.standing(), reference.standing);
  return { point, ...difference, wrong: [...wrong, ...difference.wrong, ...(await bench.left())] };
}

/** Every scenario once without a kill: how many requests it has, and what stands there afterwards. */
async function references(bench: Bench): Promise<ReadonlyMap<Scenario, Reference>> {
  const found = new Map<Scenario, Reference>();
  for (const scenario of SCENARIOS) {
    if (scenario.loses) continue;
    await bench.restart(scenario.from);
    await bench.project.write('oneops.yaml', scenario.file);
    const { requests, run } = await bench.crash(scenario.words);
    if (run.code !== 0) throw new Error(run.output);
    found.set(scenario, { requests, standing: await bench.standing() });
    if (scenario.from === 'nothing') await bench.keep();
  }
  const [first, lost] = SCENARIOS as readonly [Scenario, Scenario];
  return new Map([...found, [lost, found.get(first)!]]);
}

/** A dialect's share of the points. */
async function matrix(dialect: Dialect, engine: Engine): Promise<readonly Verdict[]> {
  const bench = await openBench(
    dialect,
    engine,
    TOKEN,
    { 'oneops.yaml': STOREFRONT },
    { downloadPassword: 'not told' },
  );
  try {
    const known = await references(bench);
    const share = POINTS === 'all' ? Infinity : Math.ceil(Number(POINTS) / DIALECTS.length / SCENARIOS.length);
    const verdicts: Verdict[] = [];
    for (const [index, scenario] of SCENARIOS.entries()) {
      const reference = known.get(scenario)!;
      const turn = (Number.isFinite(share) ? index * share : 0) + 2 * DIALECTS.indexOf(dialect);
      for (const point of pointsOf(scenario, reference.requests, share, turn))
        verdicts.push(await trial(bench, point, reference));
    }
    return verdicts;
  } finally {
    await bench.close();
  }
}

test(
  'killed at any request, a stack is as declared after the recipe, nothing twice and nothing left over',
  async () => {
    const engine = await findEngine();
    const all = (await Promise.all(DIALECTS.map((dialect) => matrix(dialect, engine)))).flat();
    const verdicts = all.filter(({ missed }) => !missed);
    const sum = (name: 'duplicates' | 'orphans'): number =>
      verdicts.reduce((total, each) => total + each[name].length, 0);
    const isWrong = ({ duplicates, orphans, wrong }: Verdict): boolean =>
      [...duplicates, ...orphans, ...wrong].length > 0;
    const converged = verdicts.filter((verdict) => !isWrong(verdict)).length;
    process.stdout.write(
      `points ${verdicts.length}, converged ${converged}, duplicates ${sum('duplicates')}, orphans ${sum('orphans')}\n`,
    );
    expect(verdicts.filter(isWrong).map((verdict) => ({ ...verdict, point: nameOf(verdict.point) }))).toEqual([]);
    // The last requests of a run are polls, and their number depends on the machine.
    expect(verdicts.length).toBeGreaterThanOrEqual(all.length * 0.9);
  },
  POINTS === 'all' ? 24 * 3_600_000 : 30 * 60_000,
);

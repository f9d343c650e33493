// kill -9 at the boundaries of the storefront's requests, on the real engine: the recipe of docs/recovery.md, and everything is as declared.
// CRASH_POINTS says how many. A run is killed, the run that continues from there is killed too, and so on, until the last one may end and is judged:
// a point costs half as much. Up to ten points, as in `make test`, each scenario has one dialect. `all` takes every boundary of every run, each
// judged by itself, and needs hours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS, type Dialect } from '../../api/contract';
import { differenceOf, type Standing } from '../world/standing';
import { findEngine, pendingOperations, type Engine } from '../world/engine';
import { openBench, type Bench, type Boundary } from './crash-bench';
import { TOKEN } from './live-service';

const ROOT = join(__dirname, '..', '..');
const POINTS = process.env['CRASH_POINTS'] ?? '10';

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

/** One single record changed: nothing else makes the run go on. */
const ONE_EDITED = STOREFRONT.replace('Welcome to the storefront.', 'Welcome back.');

/** A run that is killed. */
interface Scenario {
  readonly name: string;
  readonly from: 'nothing' | 'kept';
  readonly file: string;
  readonly words: readonly string[];
  /** State is written at the end alone: a kill loses all of it. */
  readonly loses?: boolean;
  /** In a sample, killed once alone, right after its first write. */
  readonly once?: boolean;
}

const UP = ['up', '--skip-preview'];

const SCENARIOS: readonly Scenario[] = [
  { name: 'first up', from: 'nothing', file: STOREFRONT, words: UP },
  // Without its state, a run says that it takes over what it finds.
  {
    name: 'first up, state lost',
    from: 'nothing',
    file: STOREFRONT.replace('  name: storefront\n', '  name: storefront\n  adopt: true\n'),
    words: UP,
    loses: true,
  },
  { name: 'edit', from: 'kept', file: EDITED, words: UP },
  { name: 'one record edited', from: 'kept', file: ONE_EDITED, words: UP, once: true },
  { name: 'destroy', from: 'kept', file: STOREFRONT, words: ['destroy', '--skip-preview'] },
];

/** Kills, one after the other, before a run may end. */
interface Trial {
  readonly scenario: Scenario;
  readonly kills: readonly Boundary[];
}

/** What a run comes to when nobody kills it. */
interface Reference {
  readonly requests: number;
  readonly firstWrite: number | undefined;
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

/** The first of them: the lock of a killed run is removed before anything else. */
const CANCEL = RECIPE[0]!;

const WHOM = ['everything', 'the CLI alone'] as const;

const COMBINATIONS = WHOM.flatMap((whom) => (['before', 'after'] as const).map((when) => ({ whom, when })));

/**
 * Every boundary of a scenario in a separate trial, or so many of them in one: each run is killed as many requests further on, counted from its
 * own first one, so that the last ends near the end. `turn`: with which of the combinations it begins.
 */
function trialsOf(
  scenario: Scenario,
  { requests, firstWrite = 1 }: Reference,
  count: number,
  turn: number,
): readonly Trial[] {
  if (count === Infinity) {
    const numbers = Array.from({ length: requests }, (_, index) => index + 1);
    return numbers.flatMap((nth) =>
      COMBINATIONS.map((combination) => ({ scenario, kills: [{ nth, ...combination }] })),
    );
  }
  if (scenario.once) return [{ scenario, kills: [{ nth: firstWrite, when: 'after', whom: WHOM[turn % 2]! }] }];
  const stride = Math.max(1, Math.floor(requests / (count + 1)));
  const kills = Array.from({ length: count }, (_, index) => ({
    // What lost its state begins from the start again.
    nth: Math.max(1, (scenario.loses ? index + 1 : 1) * stride - (turn % 2)),
    ...COMBINATIONS[(index + turn) % COMBINATIONS.length]!,
  }));
  return [{ scenario, kills }];
}

const nameOf = ({ scenario, kills }: Trial): string =>
  `${scenario.name}: ${kills.map(({ nth, when, whom }) => `${whom} killed ${when} request ${nth}`).join(', then ')}`;

interface Verdict {
  readonly trial: Trial;
  /** Kills that came to pass; the others' runs ended before their boundary. */
  readonly points: number;
  readonly duplicates: readonly string[];
  readonly orphans: readonly string[];
  /** Everything else that is not as it should be. */
  readonly wrong: readonly string[];
}

/** Lines of each wrong trial that a failure shows. */
const SHOWN = 12;

/** What the CLI reports at the end of a run that failed; all of its output when it reports nothing. */
const diagnosticsOf = (output: string): string => output.slice(Math.max(0, output.indexOf('Diagnostics:')));

const isWrong = ({ duplicates, orphans, wrong }: Verdict): boolean =>
  duplicates.length + orphans.length + wrong.length > 0;

/** The trial, and below it what is wrong, the commands that failed first, cut to what can be read at the end of a long log. */
function textOf({ trial, duplicates, orphans, wrong }: Verdict): string {
  const lines = [
    ...wrong,
    ...duplicates.map((what) => `twice: ${what}`),
    ...orphans.map((what) => `left over: ${what}`),
  ].map((line) => `  ${line.slice(0, 1500).trimEnd().replaceAll('\n', '\n    ')}`);
  const more = lines.length > SHOWN ? [`  … and ${lines.length - SHOWN} more`] : [];
  return [nameOf(trial), ...lines.slice(0, SHOWN), ...more].join('\n');
}

/** Carries the kills of a trial out, and what a person does after each. */
async function judged(bench: Bench, trial: Trial, reference: Reference): Promise<Verdict> {
  const { project } = bench;
  const { scenario } = trial;
  const wrong: string[] = [];
  const mustRun = async (words: readonly string[]): Promise<void> => {
    const { code, output } = await project.run(...words);
    if (code !== 0) wrong.push(`pulumi ${words.join(' ')} ended with ${code}: ${diagnosticsOf(output)}`);
  };
  await bench.restart(scenario.from);
  await project.write('oneops.yaml', scenario.file);
  let points = 0;
  let ended = false;
  for (const boundary of trial.kills) {
    if (points > 0) await mustRun(CANCEL);
    const crash = await bench.crash(
      scenario.words,
      boundary,
      scenario.loses ? { PULUMI_SKIP_CHECKPOINTS: 'true' } : {},
    );
    if (crash.survivors > 0) wrong.push(`${crash.survivors} processes went on by themselves`);
    ended = !crash.killed;
    if (ended) break;
    points += 1;
  }
  for (const words of RECIPE) {
    const [command = '', ...flags] = words;
    // Clearing takes a separate run and proves nothing where nothing is pending; a run that ended leaves no lock.
    if (command === 'refresh' && (await pendingOperations(project)) === 0) continue;
    if (command === 'cancel' && ended) continue;
    await mustRun(command === 'up' ? scenario.words : [command, ...flags]);
  }
  if (scenario.words[0] === 'up') {
    const preview = await project.run('preview', '--refresh', '--expect-no-changes', '--diff');
    if (preview.code !== 0) wrong.push(`preview --refresh finds changes: ${preview.output}`);
  }
  if ((await pendingOperations(project)) > 0) wrong.push('operations are still pending');
  const difference = differenceOf(await bench.standing(), reference.standing);
  return { trial, points, ...difference, wrong: [...wrong, ...difference.wrong, ...(await bench.left())] };
}

/** Dialects that play a scenario. */
const dialectsOf = (scenario: Scenario): readonly Dialect[] =>
  Number(POINTS) <= 10
    ? DIALECTS.filter((_, index) => index === SCENARIOS.indexOf(scenario) % DIALECTS.length)
    : DIALECTS;

/** Every scenario once without a kill: how many requests it has, and what exists there afterwards. */
async function references(bench: Bench, dialect: Dialect): Promise<ReadonlyMap<Scenario, Reference>> {
  const found = new Map<Scenario, Reference>();
  for (const scenario of SCENARIOS) {
    // The first one is what the others begin with.
    if (scenario.loses || (scenario.from === 'kept' && !dialectsOf(scenario).includes(dialect))) continue;
    await bench.restart(scenario.from);
    await bench.project.write('oneops.yaml', scenario.file);
    const { requests, firstWrite, run } = await bench.crash(scenario.words);
    if (run.code !== 0) throw new Error(run.output);
    found.set(scenario, { requests, firstWrite, standing: await bench.standing() });
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
    const known = await references(bench, dialect);
    const chains = SCENARIOS.filter(({ once }) => !once).flatMap(dialectsOf).length;
    const share = POINTS === 'all' ? Infinity : Math.ceil(Number(POINTS) / chains);
    const verdicts: Verdict[] = [];
    for (const [index, scenario] of SCENARIOS.entries()) {
      if (!dialectsOf(scenario).includes(dialect)) continue;
      const reference = known.get(scenario)!;
      const turn = index + DIALECTS.indexOf(dialect) * (scenario.once ? 1 : 2);
      for (const trial of trialsOf(scenario, reference, share, turn))
        verdicts.push(await judged(bench, trial, reference));
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
    const verdicts = (await Promise.all(DIALECTS.map((dialect) => matrix(dialect, engine)))).flat();
    const sum = (count: (verdict: Verdict) => number): number =>
      verdicts.reduce((total, verdict) => total + count(verdict), 0);
    const points = sum((verdict) => verdict.points);
    const converged = sum((verdict) => (isWrong(verdict) ? 0 : verdict.points));
    const duplicates = sum((verdict) => verdict.duplicates.length);
    const orphans = sum((verdict) => verdict.orphans.length);
    process.stdout.write(
      `points ${points}, converged ${converged}, duplicates ${duplicates}, orphans ${orphans}; judged ${verdicts.length} times, after so many kills each: ${verdicts.map((verdict) => verdict.points).join(' ')}\n`,
    );
    expect(verdicts.filter(isWrong).map(textOf).join('\n')).toBe('');
    // The last requests of a run are polls, and their number depends on the machine.
    const planned = sum(({ trial }) => trial.kills.length);
    expect(points).toBeGreaterThanOrEqual(POINTS === 'all' ? planned * 0.9 : Number(POINTS));
  },
  POINTS === 'all' ? 24 * 3_600_000 : 60 * 60_000,
);

// kill -9 at the boundaries of a run's requests, on the real engine: the recipe of
// docs/recovery.md, and everything is as declared. CRASH_POINTS says how many. A run is killed, the
// run that continues from there is killed too, and so on, until the last one may end and is judged:
// a point costs half as much. Up to ten points, as in `make test`, each run has one dialect. `all`
// takes every boundary of every run, each judged by itself, and needs hours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS, type Dialect } from '../../api/contract';
import { findEngine, pendingOperations, REPOSITORY, type Engine } from '../world/engine';
import { KILLED_RUNS, type KilledRun } from '../world/killed-runs';
import { documentOf, yamlText } from '../world/stack-yaml';
import { openBench, type Bench, type Boundary } from './crash-bench';

const POINTS = process.env['CRASH_POINTS'] ?? '10';

/** The stack file of a run; without its state, it says that it takes over what it finds. */
function fileOf({ from = {}, to = from, loses }: KilledRun): string {
  const { assembly, ...rest } = documentOf(to);
  return yamlText({ assembly: { ...(assembly as object), ...(loses ? { adopt: true } : {}) }, ...rest });
}

const wordsOf = ({ to }: KilledRun): readonly string[] => [to ? 'up' : 'destroy', '--skip-preview'];

/** Kills, one after the other, before a run may end. */
interface Trial {
  readonly run: KilledRun;
  readonly kills: readonly Boundary[];
}

/** What a run asks when nobody kills it. */
type Reference = Pick<Awaited<ReturnType<Bench['crash']>>, 'requests' | 'firstWrite'>;

/** The commands of the recipe, as docs/recovery.md gives them. */
const RECIPE = /^```sh\n# not run: [^\n]*\n([^]*?)^```$/m
  .exec(readFileSync(join(REPOSITORY, 'docs', 'recovery.md'), 'utf8'))![1]!
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
 * Every boundary of a run in a separate trial, or so many of them in one: each run is killed as
 * many requests further on, counted from its own first one, so that the last ends near the end.
 * `turn`: with which of the combinations it begins.
 */
function trialsOf(
  run: KilledRun,
  { requests, firstWrite = 1 }: Reference,
  count: number,
  turn: number,
): readonly Trial[] {
  if (count === Infinity) {
    const numbers = Array.from({ length: requests }, (_, index) => index + 1);
    return numbers.flatMap((nth) => COMBINATIONS.map((combination) => ({ run, kills: [{ nth, ...combination }] })));
  }
  if (run.once) return [{ run, kills: [{ nth: firstWrite, when: 'after', whom: WHOM[turn % 2]! }] }];
  const stride = Math.max(1, Math.floor(requests / (count + 1)));
  const kills = Array.from({ length: count }, (_, index) => ({
    // What lost its state begins from the start again.
    nth: Math.max(1, (run.loses ? index + 1 : 1) * stride - (turn % 2)),
    ...COMBINATIONS[(index + turn) % COMBINATIONS.length]!,
  }));
  return [{ run, kills }];
}

interface Verdict {
  readonly trial: Trial;
  /** Kills that came to pass; the others' runs ended before their boundary. */
  readonly points: number;
  /** What is not as it should be, the commands that failed first. */
  readonly wrong: readonly string[];
}

/** Lines of each wrong trial that a failure shows. */
const SHOWN = 12;

/** What the CLI reports at the end of a failed run; all of its output when it reports nothing. */
const diagnosticsOf = (output: string): string => output.slice(Math.max(0, output.indexOf('Diagnostics:')));

/** The trial, and below it what is wrong, cut to what can be read at the end of a long log. */
function textOf({ trial: { run, kills }, wrong }: Verdict): string {
  const killed = kills.map(({ nth, when, whom }) => `${whom} killed ${when} request ${nth}`).join(', then ');
  const lines = wrong.map((line) => `  ${line.slice(0, 1500).trimEnd().replaceAll('\n', '\n    ')}`);
  const more = lines.length > SHOWN ? [`  … and ${lines.length - SHOWN} more`] : [];
  return [`${run.name}: ${killed}`, ...lines.slice(0, SHOWN), ...more].join('\n');
}

/** Carries the kills of a trial out, and what a person does after each. */
async function judged(bench: Bench, trial: Trial): Promise<Verdict> {
  const { project } = bench;
  const { run } = trial;
  const wrong: string[] = [];
  const mustRun = async (words: readonly string[]): Promise<void> => {
    const { code, output } = await project.run(...words);
    if (code !== 0) wrong.push(`pulumi ${words.join(' ')} ended with ${code}: ${diagnosticsOf(output)}`);
  };
  await bench.restart(run.from ? 'kept' : 'nothing');
  await project.write('oneops.yaml', fileOf(run));
  let points = 0;
  let ended = false;
  for (const boundary of trial.kills) {
    if (points > 0) await mustRun(CANCEL);
    const environment = run.loses ? { PULUMI_SKIP_CHECKPOINTS: 'true' } : {};
    const crash = await bench.crash(wordsOf(run), boundary, environment);
    if (crash.survivors > 0) wrong.push(`${crash.survivors} processes went on by themselves`);
    ended = !crash.killed;
    if (ended) break;
    points += 1;
  }
  for (const words of RECIPE) {
    const [command = ''] = words;
    // Clearing proves nothing where nothing is pending; a run that ended leaves no lock.
    if (command === 'refresh' && (await pendingOperations(project)) === 0) continue;
    if (command === 'cancel' && ended) continue;
    await mustRun(command === 'up' ? wordsOf(run) : words);
  }
  if (run.to) {
    const preview = await project.run('preview', '--refresh', '--expect-no-changes', '--diff');
    if (preview.code !== 0) wrong.push(`preview --refresh finds changes: ${preview.output}`);
  }
  if ((await pendingOperations(project)) > 0) wrong.push('operations are still pending');
  wrong.push(...(await bench.differences(run.to)));
  return { trial, points, wrong };
}

/** Dialects that play a run. */
const dialectsOf = (run: KilledRun): readonly Dialect[] =>
  Number(POINTS) <= 10 ? DIALECTS.filter((_, index) => index === KILLED_RUNS.indexOf(run) % DIALECTS.length) : DIALECTS;

/** Every run once without a kill: how many requests it has. */
async function references(bench: Bench, dialect: Dialect): Promise<ReadonlyMap<KilledRun, Reference>> {
  const found = new Map<KilledRun, Reference>();
  for (const run of KILLED_RUNS) {
    // The first one is what the others begin with.
    if (run.loses || (run.from && !dialectsOf(run).includes(dialect))) continue;
    await bench.restart(run.from ? 'kept' : 'nothing');
    await bench.project.write('oneops.yaml', fileOf(run));
    const { requests, firstWrite, run: ended } = await bench.crash(wordsOf(run));
    if (ended.code !== 0) throw new Error(ended.output);
    found.set(run, { requests, firstWrite });
    if (!run.from) await bench.keep();
  }
  const [first, lost] = KILLED_RUNS as readonly [KilledRun, KilledRun];
  return new Map([...found, [lost, found.get(first)!]]);
}

/** A dialect's share of the points. */
async function matrix(dialect: Dialect, engine: Engine): Promise<readonly Verdict[]> {
  const bench = await openBench(dialect, engine);
  try {
    const known = await references(bench, dialect);
    const chains = KILLED_RUNS.filter(({ once }) => !once).flatMap(dialectsOf).length;
    const share = POINTS === 'all' ? Infinity : Math.ceil(Number(POINTS) / chains);
    const verdicts: Verdict[] = [];
    for (const [index, run] of KILLED_RUNS.entries()) {
      if (!dialectsOf(run).includes(dialect)) continue;
      const reference = known.get(run)!;
      const turn = index + DIALECTS.indexOf(dialect) * (run.once ? 1 : 2);
      for (const trial of trialsOf(run, reference, share, turn)) verdicts.push(await judged(bench, trial));
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
    const wrong = verdicts.filter((verdict) => verdict.wrong.length > 0);
    const pointsOf = (all: readonly Verdict[]): number => all.reduce((sum, { points }) => sum + points, 0);
    const points = pointsOf(verdicts);
    process.stdout.write(
      `points ${points}, converged ${points - pointsOf(wrong)}; judged ${verdicts.length} times, after so many kills each: ${verdicts.map((verdict) => verdict.points).join(' ')}\n`,
    );
    expect(wrong.map(textOf).join('\n')).toBe('');
    // The last requests of a run are polls, and their number depends on the machine.
    const planned = verdicts.reduce((sum, { trial }) => sum + trial.kills.length, 0);
    expect(points).toBeGreaterThanOrEqual(POINTS === 'all' ? planned * 0.9 : Number(POINTS));
  },
  POINTS === 'all' ? 24 * 3_600_000 : 60 * 60_000,
);

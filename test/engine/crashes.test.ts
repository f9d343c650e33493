// kill -9 at requests of runs, on the real engine: the recipe of docs/recovery.md brings everything
// back. A run and its continuations are killed until one ends; CRASH_POINTS says about how often.
// Every boundary of a request is judged in process (runs/crashes).
import { readFileSync } from 'node:fs';
import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fastClock } from '../../service';
import { descendantsOf, killAll, pendingOperations, REPOSITORY, survivorsOf, type Project } from '../world/engine';
import { KILLED_RUNS, type KilledRun } from '../world/killed-runs';
import { documentOf, yamlText } from '../world/stack-yaml';
import { differences } from '../world/stands-as-declared';
import { rowsInTurn } from '../dialects-in-turn';
import { startService, TOKEN, type LiveService } from './live-service';
import { openStories } from './story';

const POINTS = Number(process.env['CRASH_POINTS'] ?? '10');

/** Requests of a run before it is killed first. */
const STRIDE = Math.max(2, Math.round(240 / POINTS));

/** Service time goes this many times as fast as real. */
const SPEED = 2000;

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

/** How a run ends: before the service carries the fatal request out, or after, without an answer. */
const ENDS = (['everything', 'the CLI alone'] as const).flatMap((whom) =>
  (['before', 'after'] as const).map((when) => ({ whom, when })),
);

/** The stack file of a run; without its state, it says that it takes over what it finds. */
function fileOf({ from = {}, to = from, loses }: KilledRun): string {
  const { assembly, ...rest } = documentOf(to);
  return yamlText({ assembly: { ...(assembly as object), ...(loses ? { adopt: true } : {}) }, ...rest });
}

/** Runs a command and kills it at a request; answers whether it came to that, and what survived. */
async function killed(
  { live, project }: { readonly live: LiveService; readonly project: Project },
  words: readonly string[],
  isFatal: (request: number, method: string) => boolean,
  { whom, when }: (typeof ENDS)[number],
  environment: { readonly [name: string]: string },
): Promise<{ readonly isKilled: boolean; readonly survivors: number }> {
  const running = project.start(words, environment);
  let requests = 0;
  let started: readonly number[] | undefined;
  const kill = (): void => {
    started = descendantsOf(running.pid);
    killAll(whom === 'everything' ? [running.pid, ...started] : [running.pid]);
  };
  live.intercept(async (request, next) => {
    requests += 1;
    const isLast = started === undefined && isFatal(requests, request.method);
    if (isLast && when === 'before') kill();
    // A request that was on its way when its sender died is not carried out.
    if (started !== undefined && (whom === 'everything' || when === 'before'))
      return { status: 503, headers: {}, body: '' };
    const answer = await next(request);
    if (isLast) kill();
    return answer;
  });
  await running.ended;
  const survivors = (await survivorsOf(started ?? [])).length;
  live.intercept();
  if (started !== undefined)
    await restoreCutState(join(project.dir, 'state', '.pulumi', 'stacks', 'story', 'dev.json'));
  return { isKilled: started !== undefined, survivors };
}

/**
 * The engine's file backend may be killed while it writes the state, or the file of metadata next
 * to it. docs/recovery.md says what to do: take the previous state, which the backend keeps, and
 * remove empty metadata.
 */
async function restoreCutState(file: string): Promise<void> {
  const isEmpty = (path: string): Promise<boolean> =>
    stat(path).then(
      ({ size }) => size === 0,
      () => false,
    );
  if (await isEmpty(`${file}.attrs`)) await rm(`${file}.attrs`);
  if (await isEmpty(file)) await copyFile(`${file}.bak`, file);
}

const { open } = openStories();
let points = 0;
afterAll(() => void process.stdout.write(`points ${points}, all of them converged unless a test failed\n`));

const cases = rowsInTurn(KILLED_RUNS.map((run, turn) => [run.name, run, turn] as const));

test.each(cases)(
  '%s, %s: killed again and again, a stack is as declared after the recipe, nothing twice and nothing left over',
  async (dialect, _, run, turn) => {
    const live = await startService(dialect, TOKEN, fastClock(SPEED));
    try {
      const project = await open({ at: live });
      const wrong: string[] = [];
      const mustRun = async (words: readonly string[]): Promise<void> => {
        const { code, output } = await project.run(...words);
        // What the CLI reports of a failed run is at its end.
        const reported = output.slice(Math.max(0, output.indexOf('Diagnostics:'))).slice(0, 1500);
        if (code !== 0) wrong.push(`pulumi ${words.join(' ')} ended with ${code}: ${reported}`);
      };
      if (run.from) {
        await project.write('oneops.yaml', fileOf({ name: '', to: run.from }));
        await mustRun(['up', '--skip-preview']);
      }
      await project.write('oneops.yaml', fileOf(run));
      const words = [run.to ? 'up' : 'destroy', '--skip-preview'];
      const environment = run.loses ? { PULUMI_SKIP_CHECKPOINTS: 'true' } : {};
      let kills = 0;
      for (let isOver = false; !isOver;) {
        if (kills > 0) await mustRun(RECIPE[0]!);
        const end = run.once ? { ...ENDS[turn % 4]!, when: 'after' as const } : ENDS[(kills + turn) % 4]!;
        // What lost its state begins from the start again; every other run gets a little farther.
        const fatal = run.loses ? (kills + 1) * STRIDE : STRIDE + kills;
        const isFatal = (request: number, method: string) => (run.once ? method !== 'GET' : request === fatal);
        const { isKilled, survivors } = await killed({ live, project }, words, isFatal, end, environment);
        if (survivors > 0) wrong.push(`${survivors} processes went on by themselves`);
        kills += isKilled ? 1 : 0;
        if (isKilled && run.once) await mustRun(RECIPE[0]!);
        isOver = !isKilled || run.once === true;
      }
      for (const recipe of RECIPE.slice(1)) {
        // Clearing proves nothing where nothing is pending.
        if (recipe[0] === 'refresh' && (await pendingOperations(project)) === 0) continue;
        await mustRun(recipe[0] === 'up' ? words : recipe);
      }
      if (run.to) {
        const preview = await project.run('preview', '--refresh', '--expect-no-changes', '--diff');
        if (preview.code !== 0) wrong.push(`preview --refresh finds changes: ${preview.output}`);
      }
      if ((await pendingOperations(project)) > 0) wrong.push('operations are still pending');
      // Time passes by itself.
      wrong.push(...(await differences({ api: live.other, clock: { advance: () => undefined } }, run.to)));
      expect(wrong.join('\n')).toBe('');
      expect(kills).toBeGreaterThan(0);
      points += kills;
    } finally {
      await live.stop();
    }
  },
  30 * 60_000,
);

// The laws of ownership on random histories of two stacks and another user: nothing is taken away, or brought along, that the run's file does not say.
// HISTORIES and SEED in the environment say how many, and which; HISTORY plays the one of this number alone, and prints it.
import fc from 'fast-check';
import { histories, type History } from '../world/ownership-history';
import { type Mutation, play } from '../world/ownership-play';

const COUNT = Number(process.env['HISTORIES'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const ONLY = process.env['HISTORY'];

test(
  'no run takes away, or brings along, what its file does not say, and a destroy leaves what another stack runs',
  async () => {
    const total = { runs: 0, complete: 0, deletes: 0 };
    const failures: string[] = [];
    for (const [index, history] of fc.sample(histories, { seed: SEED, numRuns: COUNT }).entries()) {
      if (ONLY !== undefined && Number(ONLY) !== index) continue;
      const { broken, story, counts } = await play(history);
      for (const name of ['runs', 'complete', 'deletes'] as const) total[name] += counts[name];
      if (broken.length > 0)
        failures.push(`history ${index} (${history.dialect}, ${history.second}): ${broken.join('; ')}`);
      if (ONLY !== undefined) process.stdout.write(`${story.join('\n')}\n`);
    }
    process.stdout.write(
      `histories ${COUNT}: ${total.runs} runs, ${total.complete} complete, ${total.deletes} deletes, seed ${SEED}\n`,
    );
    expect(failures).toEqual([]);
    expect(total.complete).toBeGreaterThan(0);
  },
  60_000 + COUNT * 20_000,
);

// Each law of ownership can fail: without the question for causes, the rule of taking over, or the state as the only list, a random history breaks one.
// MUTATED in the environment says within how many histories, SEED which.
describe('ownership mutations', () => {
  const MOST = Number(process.env['MUTATED'] ?? 12);

  /** Histories in which what is taken out has something to do. */
  const FITTING: { readonly [mutation in Mutation]: (history: History) => boolean } = {
    causes: ({ acts }) =>
      acts.some(({ act }) => act === 'foreign') && acts.filter(({ act }) => act === 'up').length > 1,
    'taking over': ({ second }) => second === 'copy',
    'state list': ({ second, acts }) =>
      second !== 'copy' &&
      acts.some(
        (each, at) => each.act === 'state' && each.what === 'move' && acts.slice(at).some(({ act }) => act === 'up'),
      ),
  };

  test.each<readonly [Mutation, RegExp]>([
    ['causes', /: (lost|came|less): /],
    ['taking over', /which the other stack owns/],
    ['state list', /: deleted: /],
  ])(
    'without %s a law fails',
    async (mutation, expected) => {
      const all = fc.sample(histories, { seed: SEED, numRuns: 20 * MOST });
      const fitting = all.filter(FITTING[mutation]).slice(0, MOST);
      for (const [index, history] of fitting.entries()) {
        const { broken } = await play(history, mutation);
        if (!broken.some((law) => expected.test(law))) continue;
        process.stdout.write(`without ${mutation}: history ${index + 1} of ${fitting.length}, seed ${SEED}\n`);
        return;
      }
      throw new Error(`no law failed within ${fitting.length} histories`);
    },
    60_000 + MOST * 20_000,
  );
});

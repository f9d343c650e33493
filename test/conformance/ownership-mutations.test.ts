// Each law of ownership can fail: without the question for causes, the rule of taking over, or the state as the only list, a random history breaks one.
// MUTATED in the environment says after how many histories at most, SEED which.
import fc from 'fast-check';
import { histories } from './ownership-history';
import { play, type Mutation } from './ownership-play';

const MOST = Number(process.env['MUTATED'] ?? 40);
const SEED = Number(process.env['SEED'] ?? 20_261_126);

test.each<readonly [Mutation, RegExp]>([
  ['causes', /: (lost|came|less): /],
  ['taking over', /which the other stack owns/],
  ['state list', /: deleted: /],
])(
  'without %s a law fails',
  async (mutation, expected) => {
    const all = fc.sample(histories(), { seed: SEED, numRuns: MOST });
    const fitting = mutation === 'taking over' ? all.filter(({ second }) => second === 'copy') : all;
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

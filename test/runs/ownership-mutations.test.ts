// Each law of ownership can fail: without the question for causes, the rule of taking over, or the state as the only list, a random history breaks one.
// MUTATED in the environment says within how many histories, SEED which.
import fc from 'fast-check';
import { histories, type History } from '../world/ownership-history';
import { play, type Mutation } from '../world/ownership-play';

const MOST = Number(process.env['MUTATED'] ?? 12);
const SEED = Number(process.env['SEED'] ?? 20_261_126);

/** Histories in which what is taken out has something to do. */
const FITTING: { readonly [mutation in Mutation]: (history: History) => boolean } = {
  causes: ({ acts }) => acts.some(({ act }) => act === 'foreign') && acts.filter(({ act }) => act === 'up').length > 1,
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

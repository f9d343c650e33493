// The law of every stack on the real engine. STACKS and SEED in the environment say how many
// stacks, and which; their dialects alternate.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { DIALECTS, routes } from '../../api/contract';
import { expectConverges, randomVersions, REFUSED } from '../world/random-lives';
import { keyOfUrn, stateOf } from '../world/engine';
import { type Done, type EngineStack, openStack } from './engine-stack';
import { stacksOf } from '../world/random-stacks';

const STACKS = Number(process.env['STACKS'] ?? 8);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

/** An edit of a stack is another stack: together they are two of the stacks there are. */
const EDITS = 2;

test(
  'random stacks and edits of them converge, and leave nothing',
  async () => {
    const lives = fc.sample(randomVersions(EDITS), { seed: SEED, numRuns: Math.ceil(STACKS / EDITS) });
    for (const [index, versions] of lives.entries()) {
      const stack = await openStack(DIALECTS[index % DIALECTS.length]!);
      const failure = ({ errors, code }: Done): readonly string[] => (code === 0 ? [] : [errors]);
      try {
        await expectConverges(
          {
            other: stack.live.other,
            up: async (spec, { refresh }) => failure(await stack.up(spec, ...(refresh ? ['--refresh'] : []))),
            wrong: (spec) => stack.wrong(spec),
            destroy: async () => {
              const failed = failure(await stack.destroy());
              return [...failed, ...(await stateOf(stack.project)).map(({ key }) => key)];
            },
          },
          versions,
        );
      } catch (error) {
        // The seed and the place in the row make it again.
        (error as Error).message = `life ${index} of seed ${SEED}\n${(error as Error).message}`;
        throw error;
      } finally {
        await stack.close();
      }
    }
    process.stdout.write(`random stacks on the engine ${lives.length * EDITS}, seed ${SEED}\n`);
  },
  10 * 60_000 + STACKS * 5 * 60_000,
);

// The law of approved plans on the real engine: over random stacks and edits, `up --plan` takes no
// step that is not in the plan, whatever was edited after the approval. PLANS_APPLIED and SEED in
// the environment say how many plans, and of which stacks.
describe('approved plans', () => {
  const PLANS = Number(process.env['PLANS_APPLIED'] ?? 4);
  const SEED = Number(process.env['SEED'] ?? 20_261_123);

  /** What happens between the approval and the apply of the plans of one stack, in this order. */
  const BETWEEN = ['nothing', 'an edit of the file', 'nothing', 'a write by another user'] as const;

  const specs = stacksOf(['web', 'cache'], ['prod']);
  const lives = fc.array(fc.tuple(specs, specs), { minLength: BETWEEN.length, maxLength: BETWEEN.length });

  const PLAN = 'plan.json';

  /** `create Platform::web`, for each step of a saved plan. */
  async function plannedSteps(stack: EngineStack): Promise<readonly string[]> {
    const text = await readFile(join(stack.project.dir, PLAN), 'utf8');
    const { resourcePlans } = JSON.parse(text) as {
      readonly resourcePlans: { readonly [urn: string]: { readonly steps: readonly string[] } };
    };
    return Object.entries(resourcePlans).flatMap(([urn, { steps }]) => {
      const key = keyOfUrn(urn);
      return key === undefined ? [] : steps.map((op) => `${op} ${key}`);
    });
  }

  /** Another user gives the assembly another owner. */
  const writeAsMaria = ({ live }: EngineStack): Promise<unknown> =>
    live.other.call(routes.assemblies.update, {
      address: { assembly: 'shop' },
      body: { cms_ci: { ciAttributes: { owner: 'maria@example.com' } } },
    });

  test(
    'no step outside the plan runs, and a plan whose start and file are as they were runs whole',
    async () => {
      const count = { plans: 0, whole: 0, refused: 0, outside: 0 };
      for (const [index, life] of fc
        .sample(lives, { seed: SEED, numRuns: Math.ceil(PLANS / BETWEEN.length) })
        .entries()) {
        const stack = await openStack(DIALECTS[(SEED + index) % DIALECTS.length]!);
        try {
          expect((await stack.up({})).code).toBe(0);
          for (const [turn, [approved, edited]] of life.entries()) {
            const between = BETWEEN[turn]!;
            const preview = await stack.preview(approved, '--save-plan', PLAN);
            // What a preview refuses has no plan.
            if (preview.code !== 0) continue;
            const planned = await plannedSteps(stack);
            if (between === 'a write by another user') await writeAsMaria(stack);
            const done = await stack.up(between === 'an edit of the file' ? edited : approved, '--plan', PLAN);
            const outside = done.steps.filter((step) => !planned.includes(step));
            expect({ index, turn, between, planned, outside }).toEqual({ index, turn, between, planned, outside: [] });
            count.plans += 1;
            count.outside += outside.length;
            if (done.code === 0) count.whole += 1;
            else count.refused += 1;
            if (between !== 'nothing') continue;
            const refusals = done.errors.split('\n').filter((line) => !REFUSED.test(line));
            expect(done.code === 0 || refusals.length === 0 ? [] : refusals).toEqual([]);
            if (done.code === 0) expect(await stack.wrong(approved)).toEqual([]);
          }
        } finally {
          await stack.close();
        }
      }
      expect(count.whole).toBeGreaterThan(0);
      process.stdout.write(
        `plans applied on the engine ${count.plans}, whole ${count.whole}, refused ${count.refused}, steps outside a plan ${count.outside}, seed ${SEED}\n`,
      );
    },
    5 * 60_000 + PLANS * 2 * 60_000,
  );
});

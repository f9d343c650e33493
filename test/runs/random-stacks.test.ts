// The law of every stack, in process, also of runs that are killed. RUNS, SEED and FROM (a path
// that a failure printed) in the environment say how many stacks, and which.
import fc from 'fast-check';
import { DIALECTS, type Dialect } from '../../api/contract';
import { wrongIn } from '../world/each-stack';
import { emptyStack, run, type Run, type RunOptions } from '../world/engine-simulation';
import { expectConverges, randomVersions, type Versions } from '../world/random-lives';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld } from '../world/world';

const RUNS = Number(process.env['RUNS'] ?? 6);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

/** A stack's life: its versions, and after how many writes the run to each is killed, if it is. */
interface Life {
  readonly dialect: Dialect;
  readonly versions: Versions;
  readonly kills: readonly (number | undefined)[];
}

const EDITS = 2;

const life: fc.Arbitrary<Life> = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  versions: randomVersions(EDITS),
  kills: fc.array(fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined, freq: 2 }), {
    minLength: EDITS,
    maxLength: EDITS,
  }),
});

async function live({ dialect, versions, kills }: Life): Promise<number> {
  const world = makeWorld(dialect);
  let stack = emptyStack;
  const up = async (spec: StackSpec | undefined, options: RunOptions): Promise<Run> => {
    const done = await run(world, stack, spec ? resourcesOf(spec) : [], options);
    stack = done.stack;
    return done.killed ? up(spec, {}) : done;
  };
  const lived = {
    other: world.other,
    up: async (spec: StackSpec, options: RunOptions) => (await up(spec, options)).errors,
    wrong: (spec: StackSpec) => wrongIn(world, stack, spec),
    destroy: async () => [...(await up(undefined, {})).errors, ...stack.keys()],
  };
  // In another stack's assembly whose writes are committed at once, what a killed run made is
  // refused until `adopt: true`.
  const isKilled = !(versions.isShared && dialect === 'documented');
  try {
    return await expectConverges(lived, versions, isKilled ? kills : []);
  } finally {
    world.close();
  }
}

test(
  'random stacks and edits of them converge, killed or not, and leave nothing',
  async () => {
    let refusals = 0;
    const law = async (of: Life): Promise<void> => {
      refusals += await live(of);
    };
    await fc.assert(fc.asyncProperty(life, law), {
      numRuns: RUNS,
      seed: SEED,
      endOnFailure: true,
      ...(process.env['FROM'] ? { path: process.env['FROM'] } : {}),
    });
    process.stdout.write(`random stacks ${RUNS * EDITS}, in steps ${refusals}, seed ${SEED}\n`);
  },
  60_000 + RUNS * 20_000,
);

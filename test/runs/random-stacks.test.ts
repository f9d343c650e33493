// The law of every stack: after `up` nothing is left to do, the service holds and runs what is declared, also when a run was killed; after
// destroy it contains nothing. RUNS, SEED and FROM (a path that a failure printed) in the environment say how many stacks, and which.
import fc from 'fast-check';
import { DIALECTS, type Dialect } from '../../api/contract';
import { drift, emptyStack, preview, run, type RunOptions, type Stack } from '../world/engine-simulation';
import {
  gently,
  leftBeside,
  makeShared,
  randomVersions,
  REFUSED,
  withoutMarks,
  type Versions,
} from '../world/random-lives';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { makeWorld, type World } from '../world/world';

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

/** A stack that is as declared; or one whose run was refused before an environment was written. */
type Reached = { readonly stack: Stack } | { readonly refused: Stack };

async function reach(world: World, before: Stack, spec: StackSpec, options: RunOptions = {}): Promise<Reached> {
  const resources = resourcesOf(spec);
  const first = await run(world, before, resources, options);
  const done = first.killed ? await run(world, first.stack, resources) : first;
  if (done.errors.length > 0 && done.errors.every((error) => REFUSED.test(error))) return { refused: done.stack };
  expect(done.errors).toEqual([]);
  world.requests();
  expect(await preview(world, done.stack, resources)).toEqual({ steps: [], errors: [] });
  expect(world.requests()).toEqual(['GET clouds.list']);
  expect(await drift(world, done.stack)).toEqual([]);
  expect(world.writes()).toEqual([]);
  expect(await differences(world, spec)).toEqual([]);
  expect(world.service.outages()).toEqual([]);
  return { stack: done.stack };
}

/** The same stack, whose deployments include open changes of others. */
const takingAlong = (spec: StackSpec): StackSpec => ({
  ...spec,
  environments: Object.fromEntries(
    Object.entries(spec.environments ?? {}).map(([name, environment]) => [
      name,
      environment.deploy === false
        ? environment
        : { ...environment, deploy: { ...environment.deploy, whenBusy: 'proceed' } },
    ]),
  ),
});

/** Up to a declaration, step by step where it is refused immediately. Answers how often that was. */
async function upTo(
  world: World,
  before: Stack,
  from: StackSpec,
  spec: StackSpec,
  killAfter?: number,
): Promise<{ readonly stack: Stack; readonly refused: number }> {
  const reached = await reach(world, before, spec, killAfter === undefined ? {} : { killAfter });
  if ('stack' in reached) return { stack: reached.stack, refused: 0 };
  expect(world.service.outages()).toEqual([]);
  let stack = reached.refused;
  // What the refused run took out of the design already, the state still has. What a killed one wrote, and these steps do not declare, looks like
  // another user's: the user has to say that it may be included.
  const steps = gently(from, spec);
  for (const step of steps) {
    const isOnTheWay = killAfter !== undefined && step !== steps.at(-1);
    const next = await reach(world, stack, isOnTheWay ? takingAlong(step) : step, { refresh: true });
    if (!('stack' in next)) throw new Error(`refused although it is gentle: ${JSON.stringify(step)}`);
    stack = next.stack;
  }
  return { stack, refused: 1 };
}

async function live({ dialect, versions: { specs, isShared }, kills }: Life): Promise<number> {
  const world = makeWorld(dialect);
  try {
    if (isShared) await makeShared(world.other);
    let stack = emptyStack;
    let refusals = 0;
    // In another stack's assembly whose writes are committed at once, what a killed run made is refused until `adopt: true`.
    const isKilled = !(isShared && dialect === 'documented');
    for (const [index, spec] of specs.entries()) {
      const reached = await upTo(world, stack, specs[index - 1] ?? spec, spec, isKilled ? kills[index] : undefined);
      stack = reached.stack;
      refusals += reached.refused;
    }
    // What is protected, or retained, would stay.
    const last = specs.at(-1) as StackSpec;
    const unmarked = withoutMarks(last);
    if (JSON.stringify(unmarked) !== JSON.stringify(last)) {
      const done = await run(world, stack, resourcesOf(unmarked));
      expect(done.errors).toEqual([]);
      stack = done.stack;
    }
    const gone = await run(world, stack, []);
    expect([gone.errors, [...gone.stack.keys()]]).toEqual([[], []]);
    expect(await leftBeside(world.api, isShared)).toEqual([]);
    return refusals;
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
    process.stdout.write(
      `random stacks ${RUNS * EDITS}, converged ${RUNS * EDITS}, in steps ${refusals}, seed ${SEED}\n`,
    );
  },
  60_000 + RUNS * 20_000,
);

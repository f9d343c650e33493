// The law of every stack: after `up` nothing is left to do, the service holds and runs what is declared, also when a run was killed; after
// destroy it holds nothing. RUNS and SEED in the environment say how many stacks, and which.
import fc from 'fast-check';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { drift, emptyStack, preview, run, type Stack } from './engine-simulation';
import { randomStack } from './random-stacks';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld, type World } from './world';

const RUNS = Number(process.env['RUNS'] ?? 100);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

/** A stack's life: each of its versions, and after how many writes the run to it is killed, if it is. */
interface Life {
  readonly dialect: Dialect;
  readonly versions: readonly { readonly spec: StackSpec; readonly killAfter: number | undefined }[];
}

const life: fc.Arbitrary<Life> = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  versions: fc.array(
    fc.record({
      spec: randomStack,
      killAfter: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined, freq: 2 }),
    }),
    { minLength: 2, maxLength: 2 },
  ),
});

async function upTo(world: World, before: Stack, spec: StackSpec, killAfter: number | undefined): Promise<Stack> {
  const resources = resourcesOf(spec);
  const first = await run(world, before, resources, killAfter === undefined ? {} : { killAfter });
  const done = first.killed ? await run(world, first.stack, resources) : first;
  expect(done.errors).toEqual([]);
  world.requests();
  expect(await preview(world, done.stack, resources)).toEqual({ steps: [], errors: [] });
  expect(world.requests()).toEqual([]);
  expect(await drift(world, done.stack)).toEqual([]);
  expect(world.writes()).toEqual([]);
  expect(await differences(world, spec)).toEqual([]);
  expect(world.service.outages()).toEqual([]);
  return done.stack;
}

async function live({ dialect, versions }: Life): Promise<void> {
  const world = makeWorld(dialect);
  try {
    let stack = emptyStack;
    for (const { spec, killAfter } of versions) stack = await upTo(world, stack, spec, killAfter);
    const gone = await run(world, stack, []);
    expect([gone.errors, [...gone.stack.keys()]]).toEqual([[], []]);
    expect(await world.api.call(routes.assemblies.list, {})).toEqual([]);
  } finally {
    world.close();
  }
}

test(
  'random stacks and edits of them converge, killed or not, and leave nothing',
  async () => {
    await fc.assert(fc.asyncProperty(life, live), { numRuns: RUNS, seed: SEED, endOnFailure: true });
    process.stdout.write(`random stacks ${RUNS * 2}, converged ${RUNS * 2}\n`);
  },
  60_000 + RUNS * 10_000,
);

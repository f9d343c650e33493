// The outage law: no sequence of up to six writes of another user to an environment that leaves fewer instances running ends in a review with
// exit code 0; and one that changes nothing ends in a review that is in sync.
// OUTAGES in the environment says how many sequences, SEED which, FROM from where fast-check continues.
import fc from 'fast-check';
import { type Dialect, routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { commitByHand, deployByHand } from '../world/by-hand';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import {
  carryOut,
  carryOutQuietly,
  DECIDING,
  type OutageWrite,
  QUIET_ROUTES,
  settled,
  shown,
  TRANSITION_WRITES,
  unlessGone,
} from '../world/outage-writes';
import { OUTAGE_STACKS, STACK_NAMES, type StackName } from '../world/outage-stacks';
import { resourcesOf } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';

const COUNT = Number(process.env['OUTAGES'] ?? 12);
const SEED = Number(process.env['SEED'] ?? 20_261_201);

const PROD = { assembly: 'shop', environment: 'prod' };

const THEN = fc.constantFrom(
  'nothing' as const,
  'nothing' as const,
  'commit' as const,
  'deploy' as const,
  'deploy' as const,
);

const writesTo = (route: fc.Arbitrary<string>): fc.Arbitrary<readonly OutageWrite[]> =>
  fc.array(fc.record({ route, draw: fc.nat(100_000), then: THEN }), { minLength: 1, maxLength: 6 });

/** Every other write is one of those that decide what runs: sequences of the rest alone seldom take anything away. */
const anyWrites = writesTo(
  fc.oneof(fc.constantFrom(...TRANSITION_WRITES.map(({ name }) => name)), fc.constantFrom(...DECIDING)),
);
const quietWrites = writesTo(fc.constantFrom(...QUIET_ROUTES));

const dialect = fc.constantFrom<Dialect>(...dialectsInTurn(0));
/** STACK in the environment names one of them. */
const spec = fc.constantFrom(
  ...STACK_NAMES.filter((name) => [undefined, name as string].includes(process.env['STACK'])),
);

/** Instances of each platform. */
async function running({ other }: World): Promise<ReadonlyMap<string, number>> {
  const query = { instances_state: 'all' };
  const instances = await other
    .call(routes.operations.environmentInstances, { address: PROD, query })
    .catch(unlessGone);
  const counts = new Map<string, number>();
  for (const { nsPath } of instances ?? []) {
    const platform = nsPath.split('/')[5] ?? '';
    counts.set(platform, (counts.get(platform) ?? 0) + 1);
  }
  return counts;
}

/** What comes of writes: platforms of which fewer instances run, the review's outcome, and what it found. */
async function play(of: Dialect, name: StackName, act: (world: World) => Promise<void>) {
  const world = makeWorld(of);
  const stackSpec = OUTAGE_STACKS[name];
  try {
    const made = await run(world, emptyStack, resourcesOf(stackSpec));
    expect(made.errors).toEqual([]);
    const stack: Stack = made.stack;
    if (stackSpec.environments?.['prod']?.deploy === false) {
      await commitByHand(world);
      await deployByHand(world);
    }
    const before = await running(world);
    world.clock.advance(60_000);
    await act(world);
    await settled(world);
    const after = await running(world);
    const fewer = [...before.keys()].filter((platform) => (after.get(platform) ?? 0) < (before.get(platform) ?? 0));
    const { outcome, findings } = await reviewIn(world, keptOf(stack));
    return { fewer, outcome, findings };
  } finally {
    world.close();
  }
}

const parameters = (numRuns: number) => ({
  numRuns,
  seed: SEED,
  endOnFailure: true,
  ...(process.env['FROM'] ? { path: process.env['FROM'] } : {}),
});

test(
  'no sequence of writes that leaves fewer instances running ends in a review that is in sync',
  async () => {
    const unseen: string[] = [];
    const taken = new Set<string>();
    let lowered = 0;
    const law = async (of: Dialect, name: StackName, sequence: readonly OutageWrite[]): Promise<void> => {
      const { fewer, outcome } = await play(of, name, async (world) => {
        for (const one of sequence) if (await carryOut(world, one)) taken.add(one.route);
      });
      if (fewer.length > 0) lowered += 1;
      if (fewer.length > 0 && outcome === 'in-sync')
        unseen.push(`${of} ${name}, fewer of ${fewer.join(', ')}: ${sequence.map(shown).join('; ')}`);
    };
    await fc.assert(fc.asyncProperty(dialect, spec, anyWrites, law), parameters(COUNT));
    process.stdout.write(
      `sequences ${COUNT}, unseen ${unseen.length}; ${lowered} left fewer instances running, ${taken.size} of ${TRANSITION_WRITES.length} routes took a write, seed ${SEED}\n`,
    );
    expect(unseen).toEqual([]);
    expect(lowered).toBeGreaterThan(0);
  },
  60_000 + COUNT * 5_000,
);

const QUIET_COUNT = Math.min(Math.ceil(COUNT / 4), 300);

test(
  'a sequence of writes that changes nothing ends in a review that is in sync',
  async () => {
    const law = async (of: Dialect, name: StackName, sequence: readonly OutageWrite[]): Promise<void> => {
      const { fewer, outcome, findings } = await play(of, name, (world) => carryOutQuietly(world, sequence));
      const reported = findings.map(({ classification, address, attribute, live }) => [
        classification,
        address,
        attribute,
        live,
      ]);
      expect([fewer, outcome, outcome === 'in-sync' ? [] : reported]).toEqual([[], 'in-sync', []]);
    };
    await fc.assert(fc.asyncProperty(dialect, spec, quietWrites, law), parameters(QUIET_COUNT));
    process.stdout.write(`quiet sequences ${QUIET_COUNT}, in sync ${QUIET_COUNT}, seed ${SEED}\n`);
  },
  60_000 + QUIET_COUNT * 5_000,
);

// The outage law draws from every route below `transition/` that writes: for each one there is a draw that the service takes as another user's write,
// or a reason why none is taken.

/** Routes that take no write of another user, and why. */
const NEVER_TAKEN: { readonly [route: string]: string } = {
  'deployments.settle': 'no deployment of these stacks waits for an approval',
  'environments.create': 'it makes another environment, and takes nothing from this one',
};

const one = (route: string, then: OutageWrite['then'] = 'nothing', draw = 0): OutageWrite => ({ route, draw, then });

/** What goes before: nothing, a change that is open, one that is committed, and what needs others. */
const BEFORE: readonly (readonly OutageWrite[])[] = [
  [],
  [one('environmentPlatforms.touchComponents')],
  [one('environmentPlatforms.touchComponents', 'commit')],
  [one('environmentPlatforms.touchComponents', 'commit'), one('deployments.create')],
  // Nothing runs any more.
  [one('environments.disable', 'deploy')],
  // The environment deploys continuously, and keeps its clouds.
  [one('environments.update', 'nothing', 38)],
];

/** The draws that are tried. */
const DRAWS = Array.from({ length: 12 }, (_, index) => index * 7);

async function isTaken(dialect: Dialect, route: string): Promise<boolean> {
  for (const before of BEFORE) {
    const world = makeWorld(dialect);
    try {
      const made = await run(world, emptyStack, resourcesOf(OUTAGE_STACKS.redundant));
      expect(made.errors).toEqual([]);
      await settled(world);
      for (const each of before) await carryOut(world, each);
      for (const draw of DRAWS) if (await carryOut(world, one(route, 'nothing', draw))) return true;
    } finally {
      world.close();
    }
  }
  return false;
}

test.each(TRANSITION_WRITES.map(({ name }, turn) => [name, dialectsInTurn(turn)[0] as Dialect] as const))(
  'the outage law draws %s',
  async (route, dialect) => {
    expect([route, await isTaken(dialect, route)]).toEqual([route, !(route in NEVER_TAKEN)]);
  },
  60_000,
);

test('each exception is a route', () => {
  const names = TRANSITION_WRITES.map(({ name }) => name);
  expect(Object.keys(NEVER_TAKEN).filter((name) => !names.includes(name))).toEqual([]);
});

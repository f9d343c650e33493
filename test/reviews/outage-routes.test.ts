// The outage law draws from every route below `transition/` that writes: for each one there is a draw that the service takes as another user's write,
// or a reason why none is taken.
import type { Dialect } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { emptyStack, run } from '../world/engine-simulation';
import { carryOut, settled, TRANSITION_WRITES, type OutageWrite } from '../world/outage-writes';
import { OUTAGE_STACKS } from '../world/outage-stacks';
import { resourcesOf } from '../world/stack-spec';
import { makeWorld } from '../world/world';

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

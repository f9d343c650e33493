// A stack in an assembly of another user: what it created there is deleted by a destroy, committed, and what is theirs stays. In both dialects.
import { DIALECTS } from '../../api/contract';
import { emptyStack, run } from './engine-simulation';
import { leftBeside, makeShared } from './random-lives';
import { SHOP } from './shop-spec';
import { resourcesOf, type StackSpec } from './stack-spec';
import { makeWorld } from './world';

const SHARED: StackSpec = {
  ...SHOP,
  existing: true,
  variables: { LEVEL: 'info' },
  platforms: { ...SHOP.platforms, shared: { existing: true } },
};

test.each(DIALECTS)('%s: destroyed, nothing of it is left and no release is open', async (dialect) => {
  const world = makeWorld(dialect);
  try {
    await makeShared(world.other);
    const { stack, errors } = await run(world, emptyStack, resourcesOf(SHARED));
    expect(errors).toEqual([]);
    const gone = await run(world, stack, []);
    expect([gone.errors, [...gone.stack.keys()]]).toEqual([[], []]);
    expect(await leftBeside(world.api, true)).toEqual([]);
  } finally {
    world.close();
  }
});

// A baseline through complete reviews: what was there when it was made does not count, what changes later does, in both dialects.
import { DIALECTS } from '../../api/contract';
import { baselineOf } from '../../drift';
import { lifecycle } from '../../provider';
import { reviewIn } from './drift-world';
import { emptyStack, run } from './engine-simulation';
import { resourcesOf } from './stack-spec';
import { ROW, kindOf, makeWorld, type World } from './world';

const SPEC = { platforms: { web: { pack: 'custom' } }, environments: {} };

async function describeAs(world: World, description: string): Promise<void> {
  world.clock.advance(1000);
  const life = lifecycle(kindOf('Platform'), () => Promise.resolve(world.other), world.freshSession());
  const live = await life.read('acme/shop/web', undefined, ROW);
  await life.update('acme/shop/web', live?.outputs ?? {}, { ...live?.inputs, description }, ROW);
}

test.each(DIALECTS)('%s: a review with a baseline shows what came since', async (dialect) => {
  const world = makeWorld(dialect);
  const spec = { ...SPEC, platforms: { web: { ...SPEC.platforms.web, description: 'a shop' } } };
  const { stack } = await run(world, emptyStack, resourcesOf(spec));
  const kept = [...stack.values()].map(({ key, token, id, inputs, outputs }) => ({
    token,
    name: key.slice(token.length + 2),
    id,
    inputs,
    outputs,
  }));
  await describeAs(world, 'a warehouse');
  const first = await reviewIn(world, kept);
  expect(first).toMatchObject({ outcome: 'drift', findings: [{ attribute: 'description' }] });

  const baseline = { name: 'drift-baseline.json', text: baselineOf(first) };
  const second = await reviewIn(world, kept, { baseline });
  expect(second).toMatchObject({ outcome: 'in-sync', findings: [] });
  expect(second.ignored).toMatchObject([{ finding: { attribute: 'description' }, owner: 'drift-baseline.json' }]);

  await describeAs(world, 'a harbour');
  const third = await reviewIn(world, kept, { baseline });
  expect(third).toMatchObject({ outcome: 'drift', findings: [{ attribute: 'description' }], ignored: [] });
  world.close();
});

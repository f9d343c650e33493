// A platform that leaves the design together with its own settings of clouds: its links are not set back, because nothing of it stays.
import { DIALECTS } from '../../api/contract';
import { emptyStack, preview, run } from './engine-simulation';
import { SHOP, withProd } from './shop-spec';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld } from './world';

const WEST_FIRST = { west: { priority: 1 }, east: { priority: 2 } };
const EAST_FIRST = { east: { priority: 1 }, west: { priority: 2 } };

const BEFORE: StackSpec = withProd({
  clouds: { west: { priority: 1 } },
  platforms: { db: { west: { pctScale: 50, dpmtOrder: 1 } } },
});

const withoutDb = (of: StackSpec): StackSpec => {
  const { db: _, ...platforms } = of.platforms ?? {};
  const { web } = platforms;
  return { ...of, platforms: { ...platforms, web: { ...web, links: [] } } };
};

describe.each(DIALECTS)('%s', (dialect) => {
  test.each([
    ['other clouds', EAST_FIRST],
    ['the same clouds', WEST_FIRST],
  ])('with %s', async (_, clouds) => {
    const world = makeWorld(dialect);
    const first = await run(world, emptyStack, resourcesOf(BEFORE));
    expect(first.errors).toEqual([]);
    const after = withoutDb(withProd({ clouds, platforms: {} }, SHOP));
    // The first run is refused after its pull; the next one finds the platform on its way out.
    const refused = withProd({ clouds, platforms: { web: { west: { priority: 1, adminstatus: 'inactive' } } } }, after);
    const tried = await run(world, first.stack, resourcesOf(refused));
    const done = await run(world, tried.stack, resourcesOf(after), { refresh: true });
    expect(done.errors).toEqual([]);
    expect(await preview(world, done.stack, resourcesOf(after))).toEqual({ steps: [], errors: [] });
    expect(await differences(world, after)).toEqual([]);
    world.close();
  });
});

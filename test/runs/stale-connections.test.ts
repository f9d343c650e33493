// Creates that meet a kept connection which the service has closed: no run fails, whether the service carried them out or not.
import { DIALECTS } from '../../api/contract';
import { StaleConnection } from '../../api/errors';
import { emptyStack, preview, run } from '../world/engine-simulation';
import { SHOP, withProd, withWeb } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { makeWorld, type World } from '../world/world';

/** The shop with a variable of each scope. */
const SPEC: StackSpec = withProd(
  { variables: { LEVEL: 'warn' } },
  withWeb({ variables: { HEAP: '1g' } }, { ...SHOP, variables: { LEVEL: 'info' } }),
);

/** The same world, where the first answer to each create is lost on a kept connection. */
function losing(world: World, isCarriedOut: boolean): { readonly world: World; readonly lost: Set<string> } {
  const { api } = world;
  const lost = new Set<string>();
  const call: typeof api.call = async (route, input) => {
    const key = `${route.name} ${JSON.stringify(input)}`;
    if (route.repeat !== 'create' || lost.has(key)) return api.call(route, input);
    lost.add(key);
    if (isCarriedOut) await api.call(route, input);
    throw new StaleConnection('closed a kept connection', undefined, route, 'unknown');
  };
  return { world: { ...world, api: { ...api, call } }, lost };
}

test.each(DIALECTS.flatMap((dialect) => [true, false].map((isCarriedOut) => [dialect, isCarriedOut] as const)))(
  '%s, each create was carried out: %s',
  async (dialect, isCarriedOut) => {
    const world = makeWorld(dialect);
    const broken = losing(world, isCarriedOut);
    const done = await run(broken.world, emptyStack, resourcesOf(SPEC));
    expect(done.errors).toEqual([]);
    expect(broken.lost.size).toBeGreaterThan(6);
    expect(await preview(world, done.stack, resourcesOf(SPEC))).toEqual({ steps: [], errors: [] });
    expect(await differences(world, SPEC)).toEqual([]);
    world.close();
  },
);

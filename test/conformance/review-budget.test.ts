// How many requests the review of a large stack sends: one for each collection, and six more, whatever the number of records; and its export.
// ENVIRONMENTS, PLATFORMS and COMPONENTS in the environment say how large it is.
import { routes, type Dialect } from '../../api/contract';
import { survey } from '../../provider';
import { dialectsInTurn } from '../dialects-in-turn';
import { countingCollections } from './counted-collections';
import { keptOf, reviewIn } from './drift-world';
import { emptyStack, run, type Stack } from './engine-simulation';
import { resourcesOf, type StackSpec } from './stack-spec';
import { makeWorld, type World } from './world';

const countOf = (name: string, least: number): number => Number(process.env[name] ?? least);
const ENVIRONMENTS = countOf('ENVIRONMENTS', 2);
const PLATFORMS = countOf('PLATFORMS', 3);
const COMPONENTS = countOf('COMPONENTS', 4);

/** Requests next to those for the collections: so few that a request that two environments repeat is one too many. */
const BESIDE = 6;

const named = <T>(count: number, noun: string, make: () => T): { readonly [name: string]: T } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${noun}${index}`, make()]));

const spec: StackSpec = {
  platforms: named(PLATFORMS, 'p', () => ({
    pack: 'custom',
    components: {
      compute: { monitors: { heap: { cmd: 'check_heap' } } },
      ...named(COMPONENTS, 'user', () => ({ type: 'user', attributes: { username: 'deployer' } })),
    },
  })),
  environments: named(ENVIRONMENTS, 'e', () => ({ clouds: { east: { priority: 1 } } })),
};

/** How many lists of monitors were requested since a request. */
function asked(world: World, since: number): readonly (string | number)[] {
  const names = world.service.journal().slice(since);
  return [routes.monitors.list, routes.environmentMonitors.list].flatMap(({ name }) => [
    name,
    names.filter(({ route }) => route === name).length,
  ]);
}

/** A monitor that somebody changes in one environment is found, and costs its own list and that of the design. */
async function expectOneMore(world: World, stack: Stack, calls: number): Promise<void> {
  const address = { assembly: 'shop', environment: 'e0', platform: 'p0', component: 'compute' };
  const [monitor] = await world.other.call(routes.environmentMonitors.list, { address });
  const ciName = monitor?.ciName ?? '';
  const body = { cms_dj_ci: { ciName, ciAttributes: { sample_interval: '7' } } };
  await world.other.call(routes.environmentMonitors.update, { address: { ...address, monitor: ciName }, body });
  const { findings, calls: more } = await reviewIn(world, keptOf(stack));
  expect(findings.filter(({ classification }) => classification === 'unexpected')).toMatchObject([
    { kind: 'Monitor', attribute: 'sampleInterval', live: { value: 7 }, author: { who: 'maria' } },
  ]);
  expect(more).toBeLessThanOrEqual(calls + 6);
}

/** No list shows what these depend on: an export reads each. */
const BY_ITSELF: readonly (string | null)[] = [routes.platforms.read.name, routes.components.read.name];

/** An export sends no request twice, and asks for each collection once, for what no list shows, and once for each template of a platform. */
async function expectExportOnce(world: World): Promise<void> {
  const { api, collections } = countingCollections(world.api);
  const before = world.service.journal().length;
  const { leftOut } = await survey(api, { address: 'Assembly:acme/shop', isWanted: () => true });
  expect(leftOut).toEqual([]);
  const asked = world.service.journal().slice(before);
  // The journal does not show which template a request names.
  const rest = asked.filter(({ route }) => route !== routes.components.template.name);
  const single = rest.filter(({ route }) => BY_ITSELF.includes(route)).length;
  process.stdout.write(
    `export: ${asked.length} requests for ${collections.size} collections, ${single} records by themselves and ${asked.length - rest.length} templates\n`,
  );
  expect(new Set(rest.map(({ path }) => path)).size).toBe(rest.length);
  expect(rest.length).toBeLessThanOrEqual(collections.size + single + PLATFORMS + BESIDE);
  // Of each component its name and its class may be a template.
  expect(asked.length - rest.length).toBeLessThanOrEqual(PLATFORMS * (COMPONENTS + 8));
}

test.each(dialectsInTurn(1))(
  '%s: the review of a large stack asks for each collection once, and six requests more',
  async (dialect: Dialect) => {
    const world = makeWorld(dialect);
    try {
      const made = await run(world, emptyStack, resourcesOf(spec));
      expect(made.errors).toEqual([]);
      const { api, collections } = countingCollections(world.api);
      const before = world.service.journal().length;
      const review = await reviewIn(world, keptOf(made.stack), { api });
      expect([review.outcome, review.findings]).toEqual(['in-sync', []]);
      process.stdout.write(
        `${ENVIRONMENTS} environments, ${PLATFORMS} platforms, ${COMPONENTS} components each: ${review.calls} requests for ${collections.size} collections\n`,
      );
      expect(review.calls).toBeLessThanOrEqual(collections.size + BESIDE);
      // Of all components with monitors, only those with a declared one are asked.
      expect(asked(world, before)).toEqual(['monitors.list', PLATFORMS, 'environmentMonitors.list', 0]);
      // No record is read by itself: another component for each platform costs nothing.
      expect(review.calls).toBeLessThanOrEqual(20 + 8 * PLATFORMS + ENVIRONMENTS * (16 + 3 * PLATFORMS));
      await expectOneMore(world, made.stack, review.calls);
      await expectExportOnce(world);
    } finally {
      world.close();
    }
  },
  60_000 + ENVIRONMENTS * PLATFORMS * COMPONENTS * 500,
);

// Whether a platform of an environment is enabled, how that is known, and who switched it: whatever another user does, and whatever the service does not show.
import { DIALECTS, routes, type Dialect, type Route } from '../../api/contract';
import { Unprocessable } from '../../api/errors';
import type { Api } from '../../api/client';
import {
  forgetSwitches,
  platformSwitches,
  type PlatformSwitch,
  type PlatformSwitches,
} from '../../provider/history/platform-switch';
import { deployByHand } from './by-hand';
import { emptyStack, run } from './engine-simulation';
import { resourcesOf, type StackSpec } from './stack-spec';
import { eachWorld } from './world';

const SPEC: StackSpec = {
  platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};
const PROD = { assembly: 'shop', environment: 'prod' };
const WEB = { ...PROD, platform: 'web' };

/** A service that answers no changes of a release except those of the bom, and no plan where `plans` is false. */
const reticent = (api: Api, plans = true): Api => ({
  ...api,
  call: async (route: Route, input: never) => {
    if (!plans && route.name === routes.deployments.preview.name)
      throw new Unprocessable({ method: 'GET', path: '/bom', status: 422, messages: ['no plan'] });
    const answer: unknown = await api.call(route, input);
    if (route.name !== routes.environmentReleases.latest.name && route.name !== routes.environmentReleases.read.name)
      return answer as never;
    const { rfc_relations: _, ...rest } = answer as { rfc_relations?: unknown };
    return rest as never;
  },
});

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const world = eachWorld(dialect);

  beforeEach(async () => {
    const { errors } = await run(world, emptyStack, resourcesOf(SPEC));
    expect(errors).toEqual([]);
  });

  /** By name: what a run that begins now finds. */
  const switches = async (api: Api = world.api) => {
    const found = await platformSwitches({ api, session: world.freshSession(), at: { organization: 'acme', ...PROD } });
    return Object.fromEntries(
      [...found.values()].map(({ platform, enabled, knownBy, reach, switched, committed }) => [
        platform.ciName,
        { enabled, knownBy, reach, by: switched?.by, committed },
      ]),
    );
  };

  const idsOf = async (name: string): Promise<readonly string[]> =>
    (await world.other.call(routes.environmentPlatforms.list, { address: PROD }))
      .filter(({ ciName }) => ciName === name)
      .map(({ ciId }) => String(ciId));
  const disable = async (name = 'web') =>
    world.other.call(routes.environments.disable, { address: PROD, body: { platformCiIds: await idsOf(name) } });
  const toggle = () => world.other.call(routes.environmentPlatforms.toggle, { address: WEB });
  const commit = async (exclude?: string) => {
    const body = exclude === undefined ? {} : { exclude_platforms: exclude };
    await world.other.call(routes.environments.commit, { address: PROD, body });
    world.clock.advance(10_000);
    await world.other.call(routes.environments.read, { address: PROD });
  };
  const touchDb = async () => {
    const address = { ...PROD, platform: 'db', component: 'compute' };
    await world.other.call(routes.environmentPlatforms.touchComponent, { address });
  };

  const RUNS = { enabled: true, knownBy: 'plan', reach: 'deployed', by: undefined, committed: true };

  test('platforms that run are enabled, which costs a list each of platforms and instances, the newest release and a plan', async () => {
    world.requests();
    expect((await switches())['db']?.enabled).toBe(true);
    expect(world.requests().filter((line) => !line.includes('timeline')).length).toBeLessThanOrEqual(5);
    expect((await switches(reticent(world.api)))['web']).toEqual(RUNS);
  });

  test.each([
    ['disable', () => disable()],
    ['toggle', toggle],
  ] as const)('%s by somebody, through commit and deployment, and back', async (_, switchOff) => {
    await switchOff();
    const off = { enabled: false, knownBy: 'change', by: 'maria' };
    expect((await switches())['web']).toEqual({ ...off, reach: 'open', committed: true });
    await commit();
    expect((await switches())['web']).toEqual({ ...off, reach: 'committed', committed: false });
    await deployByHand(world);
    expect((await switches())['web']).toEqual({ ...off, reach: 'deployed', committed: false });
    // A release that is newer says nothing of web: the one that disabled it is found all the same.
    await touchDb();
    await commit();
    await deployByHand(world);
    expect((await switches())['web']).toEqual({ ...off, reach: 'deployed', committed: false });
    expect((await switches())['db']?.enabled).toBe(true);
    await toggle();
    expect((await switches())['web']).toMatchObject({ enabled: true, reach: 'open', by: 'maria', committed: false });
    await commit();
    expect((await switches())['web']).toMatchObject({ enabled: true, reach: 'committed' });
    await deployByHand(world);
    expect((await switches())['web']).toMatchObject({ enabled: true, reach: 'deployed', committed: true });
  });

  test('a disabled platform that a commit left out runs on, and is not called enabled', async () => {
    await disable();
    const [web = ''] = await idsOf('web');
    await commit(web);
    await touchDb();
    await commit(web);
    await deployByHand(world);
    expect((await switches())['web']).toMatchObject({ enabled: false, reach: 'committed', by: 'maria' });
    expect((await switches(reticent(world.api)))['web']).toMatchObject({ enabled: false, knownBy: 'plan' });
  });

  test('a run asks once, until it has written something', async () => {
    const asking = { api: world.api, session: world.freshSession(), at: { organization: 'acme', ...PROD } };
    const web = (found: PlatformSwitches): PlatformSwitch | undefined =>
      [...found.values()].find(({ platform }) => platform.ciName === 'web');
    expect(web(await platformSwitches(asking))?.enabled).toBe(true);
    await disable();
    world.requests();
    expect(web(await platformSwitches(asking))?.enabled).toBe(true);
    expect(world.requests()).toEqual([]);
    forgetSwitches(asking);
    expect(web(await platformSwitches(asking))?.reason).toMatch(
      /^maria disabled it in release \d+, not committed yet$/,
    );
  });

  test('a switch that was discarded is none', async () => {
    await disable();
    await world.other.call(routes.environments.discard, { address: PROD, body: {} });
    expect((await switches())['web']).toMatchObject({ enabled: true, reach: 'deployed' });
  });

  test('where the service shows no changes of releases, what is open is unknown, and what is deployed follows from the plan', async () => {
    const api = reticent(world.api);
    await disable();
    expect((await switches(api))['web']).toMatchObject({ enabled: undefined, knownBy: 'nothing', committed: true });
    await commit();
    expect((await switches(api))['web']).toMatchObject({ enabled: false, knownBy: 'plan', reach: 'committed' });
    await deployByHand(world);
    expect((await switches(api))['web']).toMatchObject({ enabled: false, knownBy: 'plan', reach: 'deployed' });
    expect((await switches(api))['db']).toEqual(RUNS);
    // Without a plan nothing is known, and that is what it says.
    const silent = await switches(reticent(world.api, false));
    expect([silent['web']?.enabled, silent['db']?.enabled]).toEqual([undefined, undefined]);
  });
});

// Writes of one design, and of environments, side by side: they leave what serial ones leave, also when another user writes and commits in between. Only the
// first one, which opens the release, goes alone. A destroy takes environments down side by side.
import type { Api } from '../../api/client';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { ServerError } from '../../api/errors';
import type { Inputs } from '../../provider';
import { lifecycle, type Lifecycle } from '../../provider/lifecycle';
import { opening } from '../../provider/session/opening';
import { standingStack } from '../world/each-stack';
import { EAST, SHOP } from '../world/shop-spec';
import { kindOf, makeWorld, ROW, type World } from '../world/world';

const PLATFORMS = ['web', 'db', 'cache'];
const USERS = ['one', 'two', 'three', 'four'];

/** What each wave declares, after the one before it. */
type Wave = readonly (readonly [token: string, inputs: Inputs])[];

const WAVES: readonly Wave[] = [
  PLATFORMS.map((name) => [
    'Platform',
    { assembly: 'shop', name, source: 'oneops', pack: 'custom', version: '1', description: `of ${name}` },
  ]),
  PLATFORMS.flatMap((platform) => [
    ...USERS.map((name): [string, Inputs] => [
      'Component',
      { assembly: 'shop', platform, name, type: 'user', attributes: { username: name } },
    ]),
    ['Variable', { assembly: 'shop', platform, name: 'SIZE', value: platform }] as [string, Inputs],
  ]),
  PLATFORMS.flatMap((platform) =>
    USERS.map((component): [string, Inputs] => [
      'Attachment',
      { assembly: 'shop', platform, component, name: `of-${component}`, path: `/tmp/${component}`, content: platform },
    ]),
  ),
];

const ENVIRONMENTS = ['prod', 'stage'];
const CLOUDS = { east: { priority: 1 }, west: { priority: 1 } };

/** What is declared of environments once their design is committed. */
const IN_ENVIRONMENTS: readonly Wave[] = [
  [['DesignRelease', { assembly: 'shop', stamps: 'new' }]],
  ENVIRONMENTS.map((name) => ['Environment', { assembly: 'shop', name, clouds: CLOUDS, designRelease: 'first' }]),
  ENVIRONMENTS.flatMap((environment) =>
    PLATFORMS.flatMap((platform): Wave => {
      const at = { assembly: 'shop', environment, platform };
      return [
        ['Variable', { ...at, name: 'SIZE', value: environment }],
        ['EnvironmentComponent', { ...at, component: 'one', type: 'user', attributes: { username: environment } }],
        ['EnvironmentPlatform', { ...at, autorepair: false }],
        ['CloudConfiguration', { ...at, cloud: 'west', pctScale: 50 }],
      ];
    }),
  ),
];

/** A run whose requests pass through `around`; answers how many writes were under way at the same time. */
async function create(
  world: World,
  atOnce: boolean,
  around: (api: Api) => Api = (api) => api,
  waves = WAVES,
): Promise<number> {
  let underWay = 0;
  let most = 0;
  const counting: Api = {
    ...world.api,
    call: async (route, input) => {
      if (route.repeat === 'read') return world.api.call(route, input);
      underWay += 1;
      most = Math.max(most, underWay);
      // Another turn of the loop: what is sent at the same time is under way at the same time.
      await new Promise((resolve) => setImmediate(resolve));
      return world.api.call(route, input).finally(() => (underWay -= 1));
    },
  };
  const api = around(counting);
  const session = world.freshSession();
  const life = (token: string): Lifecycle => lifecycle(kindOf(token), () => Promise.resolve(api), session);
  const make = ([token, inputs]: readonly [string, Inputs]): Promise<unknown> =>
    life(token).create(life(token).check(inputs).inputs, ROW);
  await make(['Assembly', { name: 'shop', owner: 'team@acme.io' }]);
  for (const wave of waves)
    if (atOnce) await Promise.all(wave.map(make));
    else for (const each of wave) await make(each);
  return most;
}

/** The design as the service has it, without numbers and times. */
const designOf = async ({ api }: World): Promise<unknown> => {
  const { platforms = {}, ...rest } = await api.call(routes.design.extract, { address: { assembly: 'shop' } });
  return { ...rest, platforms };
};

/** The environments as the service has them, without numbers and times. */
async function environmentsOf({ api }: World): Promise<unknown> {
  const found: unknown[] = [];
  for (const environment of ENVIRONMENTS) {
    const address = { assembly: 'shop', environment };
    found.push(await api.call(routes.environments.extract, { address }));
    for (const platform of PLATFORMS) {
      const own = await api.call(routes.environmentPlatforms.read, { address: { ...address, platform } });
      found.push(
        own.ciAttributes,
        own.consumes?.map(({ toCi, relationAttributes }) => [toCi?.ciName, relationAttributes]),
      );
    }
  }
  return found;
}

/** Before the write of this number, another user writes, and commits all that is open in the environment prod. */
const committedBetween =
  (world: World, at: number) =>
  (api: Api): Api => {
    let writes = 0;
    const call: Api['call'] = async (route, input) => {
      if (input?.address?.['environment'] !== undefined && route.repeat !== 'read' && (writes += 1) === at) {
        await world.maria.configure('web', 'east', { dpmt_order: '3' });
        await world.maria.commitEnvironment();
      }
      return api.call(route, input);
    };
    return { ...api, call };
  };

/** Before the write of this number, another user writes, and commits all that is open. */
const interrupted =
  (world: World, at: number) =>
  (api: Api): Api => {
    let writes = 0;
    const call: Api['call'] = async (route, input) => {
      if (route.repeat !== 'read' && (writes += 1) === at) {
        await world.maria.commit(world.maria.create('$THEIRS', { value: 'x' }));
      }
      return api.call(route, input);
    };
    return { ...api, call };
  };

const worlds: World[] = [];
const made = (dialect: Dialect): World => {
  const world = makeWorld(dialect);
  worlds.push(world);
  return world;
};
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

describe.each(DIALECTS)('%s', (dialect) => {
  test.each([undefined, 3, 7, 15])('leave what serial ones leave; another user commits before write %p', async (at) => {
    const [serial, parallel] = [made(dialect), made(dialect)];
    const around = (world: World) => (at === undefined ? undefined : interrupted(world, at));
    expect(await create(serial, false, around(serial))).toBe(1);
    expect(await create(parallel, true, around(parallel))).toBeGreaterThan(3);
    expect(await designOf(parallel)).toEqual(await designOf(serial));
  });

  test.each([undefined, 3, 9])('of environments end as serial ones do; others commit before write %p', async (at) => {
    const [serial, parallel] = [made(dialect), made(dialect)];
    const around = (world: World) => (at === undefined ? undefined : committedBetween(world, at));
    const waves = [...WAVES.slice(0, 2), ...IN_ENVIRONMENTS];
    expect(await create(serial, false, around(serial), waves)).toBe(1);
    expect(await create(parallel, true, around(parallel), waves)).toBeGreaterThan(3);
    expect(await environmentsOf(parallel)).toEqual(await environmentsOf(serial));
  });

  test.each([
    ['components', ['web/one', 'web/two', 'web/three'], 1],
    ['attachments', ['web/one/of-one', 'web/two/of-two', 'web/three/of-three'], 2],
    ['platforms', ['web', 'db', 'cache'], 0],
  ])('create %s again of which the deletions wait for a commit', async (_, places, from) => {
    const world = made(dialect);
    await create(world, true);
    const before = await designOf(world);
    await world.admin.commit();
    for (const place of places) await world.admin.delete(place);
    const session = world.freshSession();
    const life = (token: string): Lifecycle => lifecycle(kindOf(token), () => Promise.resolve(world.api), session);
    for (const wave of WAVES.slice(from)) {
      const gone = wave.filter(([, { platform, component, name }]) => {
        const own = [platform, component, name].filter((part) => typeof part === 'string').join('/');
        return places.some((place) => `${own}/`.startsWith(`${place}/`));
      });
      await Promise.all(gone.map(([token, inputs]) => life(token).create(life(token).check(inputs).inputs, ROW)));
    }
    expect(await designOf(world)).toEqual(before);
    await world.admin.commit();
    expect(await designOf(world)).toEqual(before);
  });

  test('a destroy takes environments down side by side', async () => {
    const world = made(dialect);
    const prod = { clouds: EAST };
    const stack = await standingStack(world, { ...SHOP, environments: { prod, stage: prod } });
    const active = new Set<string>();
    let most = 0;
    const watching: Api = {
      ...world.api,
      call: async (route, input) => {
        const answer = await world.api.call(route, input);
        const { deploymentState } = Object(answer) as { readonly deploymentState?: string };
        const environment = input?.address?.['environment'] ?? '';
        if (deploymentState === 'active') active.add(environment);
        else if (deploymentState !== undefined) active.delete(environment);
        most = Math.max(most, active.size);
        return answer;
      },
    };
    const session = { ...world.freshSession(), isDestroy: () => true };
    const life = lifecycle(kindOf('Deployment'), () => Promise.resolve(watching), session);
    const deployments = [...stack.values()].filter(({ token }) => token === 'Deployment');
    await Promise.all(deployments.map(({ id, outputs }) => life.delete(id, outputs, ROW)));
    expect([deployments.length, most]).toEqual([2, 2]);
    const above = deployments.flatMap(({ after }) => after);
    expect(above.filter((key) => key.startsWith('Deployment::'))).toEqual([]);
  });

  test('a write that lost the race for the release is sent again', async () => {
    const world = made(dialect);
    let lost = 0;
    const losing = (api: Api): Api => ({
      ...api,
      call: (route, input) =>
        route.name === 'components.create' && (lost += 1) === 2
          ? Promise.reject(
              new ServerError({ method: 'POST', path: '/', status: 500, messages: ['violates unique index'] }),
            )
          : api.call(route, input),
    });
    await create(world, true, losing);
    const address = { assembly: 'shop', platform: 'web' };
    const names = (await world.api.call(routes.components.list, { address })).map(({ ciName }) => ciName);
    expect(names).toEqual(expect.arrayContaining(USERS));
  });
});

test('the first write of a design goes alone', async () => {
  const world = made('classic');
  const begun: string[] = [];
  const watching = (api: Api): Api => ({
    ...api,
    call: async (route, input) => {
      begun.push(`> ${route.name}`);
      return api.call(route, input).finally(() => begun.push(`< ${route.name}`));
    },
  });
  await create(world, true, watching);
  expect(begun.filter((each) => each.endsWith('platforms.create')).slice(0, 3)).toEqual([
    '> platforms.create',
    '< platforms.create',
    '> platforms.create',
  ]);
});

test('a write that is refused opens no release: the next one goes alone', async () => {
  const world = made('classic');
  await create(world, false, undefined, []);
  const begun: string[] = [];
  const watching: Api['call'] = async (route, input) => {
    const { ciName } = Object(Object(input?.body)['cms_dj_ci']) as { readonly ciName?: string };
    begun.push(`> ${ciName}`);
    return world.api.call(route, input).finally(() => begun.push(`< ${ciName}`));
  };
  const api = opening({ ...world.api, call: watching }, new Map());
  const writes = ['no name', ...USERS].map((ciName) => {
    const body = { cms_dj_ci: { ciName, ciAttributes: { value: 'x' } } };
    return api.call(routes.designVariables.create, { address: { assembly: 'shop' }, body });
  });
  expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
    'rejected',
    ...USERS.map(() => 'fulfilled'),
  ]);
  expect(begun.slice(0, 5)).toEqual(['> no name', '< no name', '> one', '< one', '> two']);
});

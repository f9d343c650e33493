// What a refresh may ask: each list once, a proof for each kind of list, and by themselves only the records no list carries completely (flows §7).
// Counted in the service's journal, exactly.
import type { Api } from '../../api/client';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { kinds, lifecycle, newSession, type Inputs, type Lifecycle, type State } from '../../provider';
import { eachWorld, kindOf, ROW, type World } from './world';

interface Made {
  readonly token: string;
  readonly state: State;
}

/** Two linked platforms, each with components that have attachments, on two clouds, deployed. */
async function makeStack(world: World): Promise<readonly Made[]> {
  const made: Made[] = [];
  const make = async (token: string, inputs: Inputs): Promise<void> => {
    const life = world.life(token);
    made.push({ token, state: await life.create(life.check(inputs).inputs, ROW) });
  };
  await make('Assembly', { name: 'shop', owner: 'team@acme.io' });
  for (const platform of ['db', 'web']) {
    const links = platform === 'web' ? { links: ['db'] } : {};
    await make('Platform', {
      assembly: 'shop',
      name: platform,
      source: 'oneops',
      pack: 'custom',
      version: '1',
      ...links,
    });
    for (const component of ['one', 'two', 'three']) {
      const at = { assembly: 'shop', platform };
      const depends = component === 'three' ? { depends: ['one'] } : {};
      await make('Component', {
        ...at,
        name: component,
        type: 'user',
        attributes: { username: component },
        ...depends,
      });
      for (const file of ['a', 'b', 'c'])
        await make('Attachment', {
          ...at,
          component,
          name: `${component}-${file}`,
          content: file,
          path: `/tmp/${file}`,
        });
    }
  }
  await make('DesignRelease', { assembly: 'shop', stamps: 'new' });
  await make('Environment', {
    assembly: 'shop',
    name: 'prod',
    clouds: { east: { priority: 1 }, west: { priority: 2 } },
    designRelease: 'first',
  });
  for (const platform of ['db', 'web'])
    for (const cloud of ['east', 'west'])
      await make('CloudConfiguration', { assembly: 'shop', environment: 'prod', platform, cloud, pctScale: 50 });
  await make('Deployment', { assembly: 'shop', environment: 'prod', stamps: '' });
  return made;
}

/** Reads all at the same time, as a refresh does; answers how often each route was asked. */
async function refreshed(world: World, made: readonly Made[], life: (token: string) => Lifecycle): Promise<Inputs> {
  world.requests();
  const states = await Promise.all(made.map(({ token, state }) => life(token).read(state.id, state.outputs, ROW)));
  expect(states.map((state) => state?.inputs)).toEqual(made.map(({ state }) => state.inputs));
  const counts: { [request: string]: number } = {};
  for (const request of world.requests()) counts[request] = (counts[request] ?? 0) + 1;
  return counts;
}

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const world = eachWorld(dialect);
  let made: readonly Made[];

  beforeEach(async () => {
    made = await makeStack(world);
    world.nextRun();
  });

  test('each list is read once, each kind of list proved once, and by itself only what no list carries completely', async () => {
    expect(await refreshed(world, made, world.life)).toEqual({
      'GET assemblies.list': 1,
      'GET platforms.list': 1,
      'GET components.list': 2,
      'GET attachments.list': 6,
      // Proofs: one record of each kind of list. Among platforms it is the one that declares no links.
      'GET assemblies.read': 1,
      'GET attachments.read': 1,
      // A proof, and those that declare `depends`, in each platform.
      'GET components.read': 1 + 2,
      'GET platforms.read': 1 + 1,
      // No list shows an environment's clouds, a platform's links to them, or the newest deployment.
      'GET environments.read': 1,
      'GET environmentPlatforms.read': 2,
      'GET deployments.latest': 1,
      // Nor whether all of it runs, or a plan waits that nobody deployed.
      'GET environmentReleases.bom': 1,
      'GET environmentPlatforms.list': 1,
      'GET operations.environmentInstances': 1,
      // Names of clouds, once a run.
      'GET clouds.list': 1,
    });
  });

  test('what a commit moves shows in no row', async () => {
    for (const { token, state } of made) {
      const read = await world.life(token).read(state.id, state.outputs, ROW);
      // The release gets its number when it is committed.
      const expected = token === 'DesignRelease' ? { ...state.outputs, ciId: read?.outputs['ciId'] } : state.outputs;
      expect([state.id, read?.outputs]).toEqual([state.id, expected]);
    }
  });

  test('twice as many records in the same lists cost nothing more', async () => {
    const before = await refreshed(world, made, world.life);
    const more: Made[] = [];
    for (const { token, state } of made.filter(({ token }) => token === 'Attachment')) {
      const inputs = { ...state.inputs, name: `${state.inputs['name'] as string}-2`, path: '/tmp/2' };
      more.push({ token, state: await world.life(token).create(inputs, ROW) });
    }
    world.nextRun();
    expect(await refreshed(world, [...made, ...more], world.life)).toEqual(before);
  });

  test('with readCache off every record is read by itself', async () => {
    const session = newSession(kinds, world.freshSession().clock, false);
    const life = (token: string): Lifecycle => lifecycle(kindOf(token), () => Promise.resolve(world.api), session);
    expect(await refreshed(world, made, life)).toEqual({
      'GET assemblies.read': 2,
      'GET platforms.read': 2,
      'GET components.read': 6,
      // By name the live service finds an attachment under any component: its own component's list shows.
      'GET attachments.list': 18,
      'GET environments.read': 2,
      'GET environmentPlatforms.read': 4,
      'GET deployments.latest': 1,
      'GET environmentReleases.bom': 1,
      'GET environmentPlatforms.list': 1,
      'GET operations.environmentInstances': 1,
      'GET clouds.list': 1,
    });
  });

  test('what a refresh read decides no write: an update reads again, and what it wrote is read again', async () => {
    const { token, state } = made.find((each) => each.token === 'Attachment') as Made;
    const life = world.life(token);
    await refreshed(world, made, world.life);
    const address = { assembly: 'shop', platform: 'db', component: 'one', attachment: 'one-a' };
    const body = { cms_dj_ci: { ciAttributes: { content: 'of somebody else' } } };
    await world.other.call(routes.attachments.update, { address, body });
    const wanted = { ...state.inputs, content: 'ours' };
    await expect(life.update(state.id, state.outputs, wanted, ROW)).rejects.toThrow(/content was changed by maria/);
    await life.update(state.id, state.outputs, { ...wanted, overwrite: true }, ROW);
    expect((await life.read(state.id, state.outputs, ROW))?.inputs).toMatchObject({ content: 'ours' });
  });

  test('a list whose records are not complete is not relied on', async () => {
    const poorer: Api = {
      ...world.api,
      call: async (route, input) => {
        const answer = await world.api.call(route, input);
        if (route.name !== 'attachments.list') return answer;
        return (answer as { ciAttributes: object }[]).map((record) => ({
          ...record,
          ciAttributes: {},
        })) as typeof answer;
      },
    };
    const session = world.freshSession();
    const life = (token: string): Lifecycle => lifecycle(kindOf(token), () => Promise.resolve(poorer), session);
    expect(await refreshed(world, made, life)).toMatchObject({ 'GET attachments.list': 6, 'GET attachments.read': 18 });
  });
});

// What was deployed and does not run any more, whoever took it away: a refresh shows it as drift of the Deployment and says what is missing, and the
// next run that refreshes brings back what is declared. What changes nothing of what runs is no drift.
import { DIALECTS, layered, routes, type Dialect, type Layer } from '../../api/contract';
import { commitByHand, configureByHand, deployByHand, switchByHand } from '../world/by-hand';
import { drift, emptyStack, run, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { resourcesOf, type EnvironmentSpec, type StackSpec } from '../world/stack-spec';
import { makeWorld, ROW, type World } from '../world/world';

const PROD = { assembly: 'shop', environment: 'prod' };
const WEB = { ...PROD, platform: 'web' };
const ALL = { instances_state: 'all' };
const BOTH = { east: { priority: 1 }, west: { priority: 1 } };

const shopOn = (environment: EnvironmentSpec): StackSpec => ({
  platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
  environments: { prod: { clouds: BOTH, ...environment } },
});

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  let world: World;
  let spec: StackSpec;
  let stack: Stack;

  const begin = async (environment: EnvironmentSpec = {}): Promise<void> => {
    world = makeWorld(dialect);
    spec = shopOn(environment);
    stack = emptyStack;
    expect((await up()).errors).toEqual([]);
    expect(await drift(world, stack)).toEqual([]);
  };
  afterEach(() => world.close());

  const up = async (options?: RunOptions): Promise<Run> => {
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };

  /** How many instances there are: `web/east 7, …`. */
  const running = async (): Promise<string> => {
    const instances = await world.other.call(routes.operations.environmentInstances, { address: PROD, query: ALL });
    const keys = instances.map(({ nsPath, deployedTo }) => `${nsPath.split('/')[5]}/${deployedTo?.ciName}`);
    return [...new Set(keys)]
      .sort()
      .map((key) => `${key} ${keys.filter((each) => each === key).length}`)
      .join(', ');
  };

  const rollOutByHand = async (): Promise<void> => {
    await commitByHand(world);
    await deployByHand(world);
  };
  const disable = (...names: readonly string[]): Promise<void> => switchByHand(world, 'disable', ...names);
  const configure = (cloud: string, attributes: { readonly [name: string]: string }): Promise<void> =>
    configureByHand(world, 'web', cloud, attributes);

  /** What a refresh says of the Deployment. */
  const stateFound = async (): Promise<unknown> => {
    expect(await drift(world, stack)).toEqual(['Deployment::prod state']);
    const kept = stack.get('Deployment::prod');
    if (kept === undefined) throw new Error('no deployment in the stack');
    world.nextRun();
    return (await world.life('Deployment').read(kept.id, kept.outputs, ROW))?.inputs['state'];
  };

  /** A refresh says it, the next run with one brings everything back, and nothing is left to say. */
  const expectRepaired = async (words: RegExp): Promise<Run> => {
    const before = stack.get('Deployment::prod')?.outputs['running'];
    expect(await stateFound()).toMatch(words);
    const done = await up({ refresh: true });
    expect(done.errors).toEqual([]);
    expect(await running()).toBe(before);
    await expectClean();
    return done;
  };

  const expectClean = async (): Promise<void> => {
    expect(await drift(world, stack)).toEqual([]);
    expect((await up({ refresh: true })).steps).toEqual([]);
  };

  test('the state shows what ran after the roll-out', async () => {
    await begin();
    const { outputs } = stack.get('Deployment::prod') ?? {};
    expect(outputs?.['running']).toBe(await running());
    expect(outputs?.['addresses']).toMatchObject({ web: expect.arrayContaining([expect.stringMatching(/^10\./)]) });
  });

  test('a platform that somebody disabled, committed and deployed', async () => {
    await begin();
    await disable('web');
    await rollOutByHand();
    await expectRepaired(/^nothing runs of web since deployment \d+ of maria$/);
  });

  test('the same, only committed: the plan is not carried out as it is', async () => {
    await begin();
    await disable('web', 'db');
    await commitByHand(world);
    await expectRepaired(/^what maria committed is not deployed$/);
    expect(world.service.outages()).toEqual([]);
  });

  test('some instances of a platform were deleted', async () => {
    await begin();
    const instances = await world.other.call(routes.operations.platformInstances, { address: WEB, query: ALL });
    const compute = instances.find(
      ({ ciName, deployedTo }) => ciName.startsWith('compute-') && deployedTo?.ciName === 'west',
    );
    const address = { ...WEB, component: 'compute', instance: String(compute?.ciId) };
    await world.other.call(routes.operations.deleteInstance, { address });
    await expectRepaired(/^web: \d+ of \d+ instances run in west$/);
  });

  test('a declared cloud that somebody took offline is set back, and deployed', async () => {
    await begin({ platforms: { web: { west: { pctScale: 100, adminstatus: 'active' } } } });
    await configure('west', { adminstatus: 'offline' });
    await rollOutByHand();
    expect(await drift(world, stack)).toEqual([
      'CloudConfiguration::prod/web/west adminstatus',
      'Deployment::prod state',
    ]);
    const before = stack.get('Deployment::prod')?.outputs['running'];
    expect((await up({ refresh: true })).errors).toEqual([]);
    expect(await running()).toBe(before);
    await expectClean();
  });

  test('a cloud of the environment of which the platform declares nothing is in use: a refresh sets it back', async () => {
    await begin();
    await configure('west', { adminstatus: 'offline' });
    await rollOutByHand();
    expect(await stateFound()).toMatch(
      /^web: 0 of \d+ instances run in west, because the cloud is offline for it since deployment \d+ of maria$/,
    );
    const { errors, notices } = await up({ refresh: true });
    expect(errors).toEqual([]);
    expect(notices.join()).toMatch(
      /set back as the file declares: maria set adminstatus of cloud west of platform web/,
    );
    expect(await running()).toMatch(/web\/west/);
    await expectClean();
  });

  /** Scales web by another user. */
  const scale = async (current: number, autoscale: boolean): Promise<void> => {
    const {
      depends_on: [relation],
    } = await world.other.call(routes.environmentPlatforms.edit, { address: WEB });
    const relationAttributes = { ...relation?.relationAttributes, current: String(current), min: '1', max: '9' };
    const body = {
      cms_dj_ci: { ciAttributes: { autoscale: String(autoscale) } },
      depends_on: { [String(relation?.toCiId)]: { relationAttributes } },
    };
    await world.other.call(routes.environmentPlatforms.update, { address: WEB, body });
    await commitByHand(world);
  };

  test('less of a platform, as somebody scaled it; by load within its range it is no drift', async () => {
    await begin({ availability: 'redundant' });
    await scale(6, false);
    await deployByHand(world);
    expect(await drift(world, stack)).toEqual([]);
    await scale(1, false);
    await deployByHand(world);
    expect(await stateFound()).toMatch(
      /^web: \d+ of \d+ instances run in east, because compute is scaled to 1; web: .* of maria$/,
    );
    await scale(1, true);
    expect(await drift(world, stack)).toEqual([]);
  });

  test('a list of instances that comes shortened is not taken for an outage', async () => {
    await begin();
    const shortened: Layer = (next) => async (route, input) => {
      const answer = await next(route, input);
      return route.name === 'operations.environmentInstances' ? (answer as readonly unknown[]).slice(3) : answer;
    };
    expect(await drift({ ...world, api: layered(world.api, shortened) }, stack)).toEqual([]);
  });

  test('a deployment of another user that deletes nothing is no drift', async () => {
    await begin();
    const address = { ...WEB, component: 'tomcat' };
    await world.other.call(routes.environmentPlatforms.touchComponent, { address, body: {} });
    await rollOutByHand();
    await expectClean();
  });
});

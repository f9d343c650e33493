// Deployed instances that somebody took away: a refresh shows drift of the Deployment, with what is
// missing, and the next run that refreshes brings it back. Harmless changes are no drift.
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import { answering } from '../world/between';
import { drift, emptyStack, preview, run, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { eachStack, instancesIn, standingStack } from '../world/each-stack';
import { type EnvironmentSpec, resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, ROW, type World } from '../world/world';
import { dialectsInTurn } from '../dialects-in-turn';
import { eachDialect } from '../world/each-dialect';
import { differences } from '../world/stands-as-declared';
import { PROD } from '../world/shop-spec';

const WEB = { assembly: 'shop', environment: 'prod', platform: 'web' };
const ALL = { instances_state: 'all' };
const BOTH = { east: { priority: 1 }, west: { priority: 1 } };

const shopOn = (environment: EnvironmentSpec): StackSpec => ({
  platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
  environments: { prod: { clouds: BOTH, ...environment } },
});

eachDialect('%s', (test, world) => {
  const own = eachStack(world);
  let spec: StackSpec;

  const begin = async (environment: EnvironmentSpec = {}): Promise<void> => {
    spec = shopOn(environment);
    expect((await up()).errors).toEqual([]);
    expect(await drift(world, own.stack)).toEqual([]);
  };

  const up = (options?: RunOptions): Promise<Run> => own.up(spec, options);

  /** How many instances there are: `web/east 7, …`. */
  const running = async (): Promise<string> => {
    const instances = await instancesIn(world);
    const keys = instances.map(({ nsPath, deployedTo }) => `${nsPath.split('/')[5]}/${deployedTo?.ciName}`);
    return [...new Set(keys)]
      .sort()
      .map((key) => `${key} ${keys.filter((each) => each === key).length}`)
      .join(', ');
  };

  /** What a refresh says of the Deployment. */
  const stateFound = async (): Promise<unknown> => {
    expect(await drift(world, own.stack)).toEqual(['Deployment::prod state']);
    const kept = own.stack.get('Deployment::prod');
    if (kept === undefined) throw new Error('no deployment in the stack');
    world.nextRun();
    return (await world.life('Deployment').read(kept.id, kept.outputs, ROW))?.inputs['state'];
  };

  /** A refresh says it, the next run with one brings everything back, and no drift is left. */
  const expectRepaired = async (words: RegExp): Promise<void> => {
    const before = own.stack.get('Deployment::prod')?.outputs['running'];
    expect(await stateFound()).toMatch(words);
    const done = await up({ refresh: true });
    expect(done.errors).toEqual([]);
    expect(await running()).toBe(before);
    await expectClean();
  };

  const expectClean = async (): Promise<void> => {
    expect(await drift(world, own.stack)).toEqual([]);
    expect((await up({ refresh: true })).steps).toEqual([]);
  };

  test('the state shows what ran after the roll-out', async () => {
    await begin();
    const { outputs } = own.stack.get('Deployment::prod') ?? {};
    expect(outputs?.['running']).toBe(await running());
    expect(outputs?.['addresses']).toMatchObject({ web: expect.arrayContaining([expect.stringMatching(/^10\./)]) });
  });

  const deleteInstance = async (): Promise<void> => {
    const instances = await world.other.call(routes.operations.platformInstances, { address: WEB, query: ALL });
    const compute = instances.find(
      ({ ciName, deployedTo }) => ciName.startsWith('compute-') && deployedTo?.ciName === 'west',
    );
    const address = { ...WEB, component: 'compute', instance: String(compute?.ciId) };
    await world.other.call(routes.operations.deleteInstance, { address });
  };

  const rolledOut = (act: () => Promise<void>) => async (): Promise<void> => {
    await act();
    await world.maria.rollOut();
  };

  test.each<readonly [string, () => Promise<void>, RegExp]>([
    [
      'disabled a platform',
      rolledOut(() => world.maria.switch('disable', 'web')),
      /^nothing runs of web since deployment \d+ of maria$/,
    ],
    ['deleted some instances', deleteInstance, /^web: \d+ of \d+ instances run in west$/],
    [
      'took a cloud offline of which the platform declares nothing',
      rolledOut(() => world.maria.configure('web', 'west', { adminstatus: 'offline' })),
      /^web: 0 of \d+ instances run in west, because the cloud is offline for it since deployment \d+ of maria$/,
    ],
  ])('somebody %s: a refresh says it, and brings it back', async (_, take, words) => {
    await begin();
    await take();
    await expectRepaired(words);
  });

  test('somebody disabled platforms and committed that: the plan is not carried out as it is', async () => {
    await begin();
    await world.maria.switch('disable', 'web', 'db');
    await world.maria.commitEnvironment();
    await expectRepaired(/^what maria committed is not deployed$/);
    expect(world.service.outages()).toEqual([]);
  });

  /** Scales web by another user. */
  const scale = async (current: number, autoscale: boolean): Promise<void> => {
    await world.maria.set('prod:web', { autoscale: String(autoscale) });
    await world.maria.scale({ current: String(current), min: '1', max: '9' }, false);
    await world.maria.commitEnvironment();
  };

  test('less of a platform, as somebody scaled it; by load within its range it is no drift', async () => {
    await begin({ availability: 'redundant' });
    await scale(6, false);
    await world.maria.deploy();
    expect(await drift(world, own.stack)).toEqual([]);
    await scale(1, false);
    await world.maria.deploy();
    expect(await stateFound()).toMatch(
      /^web: \d+ of \d+ instances run in east, because compute is scaled to 1; web: .* of maria$/,
    );
    await world.maria.scale({ current: '6' }, false);
    expect(await stateFound()).toMatch(
      /^web: \d+ of \d+ instances run in east, because compute is scaled to 1, and 6 is not committed; /,
    );
    await scale(1, true);
    expect(await drift(world, own.stack)).toEqual([]);
  });

  test('what somebody scaled up and back again takes nothing away', async () => {
    await begin({ availability: 'redundant' });
    const before = await running();
    for (const current of [6, 2]) {
      await scale(current, false);
      await world.maria.deploy();
    }
    expect(await running()).toBe(before);
    spec = shopOn({ availability: 'redundant', description: 'the shop' });
    expect((await up()).errors).toEqual([]);
    await scale(1, false);
    spec = shopOn({ availability: 'redundant', description: 'a shop' });
    expect((await up()).errors.join()).toMatch(/maria scaled compute of platform web to 1/);
  });

  test('values that somebody locked, this stack edited, and somebody unlocked again', async () => {
    const edited = (text: string): StackSpec => ({
      ...shopOn({}),
      variables: { LEVEL: text },
      platforms: { web: { pack: 'tomcat', components: { tomcat: { attributes: { max_threads: text } } } } },
    });
    const lock = async (owner: string): Promise<void> => {
      await world.maria.set('prod:web/tomcat', {}, { owner: { max_threads: owner } });
      await world.maria.set('prod:$LEVEL', {}, { owner: { value: owner } });
      await world.maria.commitEnvironment();
    };
    await begin();
    for (const [text, owner] of [
      ['100', 'manifest'],
      ['200', 'manifest'],
      ['200', ''],
    ] as const) {
      spec = edited(text);
      expect((await up()).errors).toEqual([]);
      await lock(owner);
      // A locked value shows once the file declares another one.
      expect((await drift(world, own.stack)).length).toBe(text === '200' ? 1 : 0);
    }
    expect((await up({ refresh: true })).errors).toEqual([]);
    await expectClean();
    expect(await differences(world, spec)).toEqual([]);
  });

  test('a list of instances that comes shortened is not taken for an outage', async () => {
    await begin();
    const api = answering(world.api, routes.operations.environmentInstances, (all) => all.slice(3));
    expect(await drift({ ...world, api }, own.stack)).toEqual([]);
  });

  test('a deployment of another user that deletes nothing is no drift', async () => {
    await begin();
    await world.maria.touch('web/tomcat');
    await world.maria.rollOut();
    await expectClean();
  });
});

// A destroy that is cut off: what is declared runs again once the stack continues. Judged by
// instances, never by what a preview says. CRASH_POINTS=all takes every boundary; else a sample.
describe('tear-downs', () => {
  const shopOf = (max_threads: string): StackSpec => ({
    platforms: {
      web: { pack: 'tomcat', components: { tomcat: { attributes: { max_threads } } } },
      db: { pack: 'mysql' },
    },
    environments: { prod: { clouds: { east: { priority: 1 } } } },
  });
  const SHOP = shopOf('100');
  const EDITED = shopOf('90');

  describe.each(dialectsInTurn(1))('%s', (dialect: Dialect) => {
    let world: World;
    afterEach(() => world.close());

    const up = (stack: Stack, spec: StackSpec | undefined, options?: RunOptions) =>
      run(world, stack, spec ? resourcesOf(spec) : [], options);

    const begin = (): Promise<Stack> => {
      world = makeWorld(dialect);
      return standingStack(world, SHOP);
    };

    const count = async (): Promise<number> => (await instancesIn(world)).length;

    const isPlanning = async (): Promise<boolean> =>
      (await world.api.call(routes.environments.read, { address: PROD })).ciState === 'locked';

    /** Lets every job of the service come to its end. */
    const settle = async (): Promise<void> => {
      for (let round = 0; round < 100; round += 1) {
        world.clock.advance(5_000);
        const { ciState } = await world.api.call(routes.environments.read, { address: PROD });
        const latest = await world.api.call(routes.deployments.latest, { address: PROD });
        if (ciState === 'default' && ['complete', 'failed', 'canceled'].includes(latest.deploymentState)) return;
      }
    };

    /** A kill of a destroy, what comes after it, and whether the service has come to rest. */
    interface Case {
      readonly killAt: NonNullable<RunOptions['killAt']>;
      readonly settles: boolean;
      readonly refresh: boolean;
      readonly spec: StackSpec;
    }

    /** What is not as it should be after the next run. */
    const wrongAfter = async ({ killAt, settles, refresh, spec }: Case, disabledOnly: boolean): Promise<object> => {
      const stack = await begin();
      const before = await count();
      const killed = await up(stack, undefined, { killAt });
      expect(killed.killed).toBe(true);
      // While the service makes a plan, nothing shows yet what the plan will be.
      if (settles || (await isPlanning())) await settle();
      const next = await up(killed.stack, spec, { refresh });
      const shown = await preview(world, next.stack, resourcesOf(spec));
      const left = await drift(world, next.stack);
      // Nobody but the next commit sees what was disabled and never committed.
      const wrong = disabledOnly && spec === SHOP ? [] : await differences(world, spec);
      const gone = before - (await count());
      world.close();
      return { errors: next.errors, wrong, steps: shown.steps, left, gone };
    };

    test('a destroy killed at any request: the next edit, and the next run with --refresh, bring everything back', async () => {
      const first = await begin();
      world.requests();
      expect((await up(first, undefined)).errors).toEqual([]);
      const writes = world.requests().flatMap((line, index) => (line.startsWith('GET') ? [] : [index + 1]));
      world.close();
      // Disable, commit and deploy: once the environment itself goes, nothing can be brought back.
      const points = writes.slice(0, 3).flatMap((request) => [
        { request, when: 'before' as const },
        { request, when: 'after' as const },
      ]);
      const all = process.env['CRASH_POINTS'] === 'all';
      const taken = points.filter((_, index) => all || index % 2 === 1 - DIALECTS.indexOf(dialect));
      for (const killAt of taken)
        for (const settles of all ? [true, false] : [killAt.request !== writes[2]])
          for (const [refresh, spec] of [
            [true, SHOP],
            [true, EDITED],
            [false, EDITED],
          ] as const) {
            const disabledOnly = points.findIndex(
              ({ request, when }) => request === killAt.request && when === killAt.when,
            );
            const about = { killAt, settles, refresh, edited: spec === EDITED };
            const found = await wrongAfter({ killAt, settles, refresh, spec }, [1, 2].includes(disabledOnly));
            expect({ about, found }).toEqual({ about, found: { errors: [], wrong: [], steps: [], left: [], gone: 0 } });
          }
      world = makeWorld(dialect);
    }, 300_000);

    test('what is offline or wanted nowhere is not missed', async () => {
      world = makeWorld(dialect);
      const spec: StackSpec = {
        platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
        environments: {
          prod: {
            clouds: { east: { priority: 1 }, west: { priority: 2 } },
            platforms: { web: { east: { pctScale: 0 }, west: { pctScale: 0 } } },
          },
        },
      };
      const { errors, stack, notices } = await up(emptyStack, spec);
      expect(errors).toEqual([]);
      expect(notices).toEqual([]);
      expect(await drift(world, stack)).toEqual([]);
    });
  });
});

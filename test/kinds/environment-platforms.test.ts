// What is declared of platforms in an environment: down stays down, another user's switch is found
// and repaired, what is scaled follows its bounds.
import { type Instance, routes, type Record as WireRecord } from '../../api/contract';
import { reticent } from '../world/between';
import { keptOf, reviewIn } from '../world/drift-world';
import { drift, preview, type Run, type RunOptions } from '../world/engine-simulation';
import { eachStack, instancesIn } from '../world/each-stack';
import {
  type ComponentSpec,
  type OverrideSpec,
  resourcesOf,
  type StackSpec,
  type SwitchesSpec,
} from '../world/stack-spec';
import type { Api } from '../../api/client';
import { EAST, PROD } from '../world/shop-spec';
import { eachDialect } from '../world/each-dialect';

const WEB = { ...PROD, platform: 'web' };

const specOf = (switches?: SwitchesSpec): StackSpec => ({
  platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
  environments: {
    prod: {
      clouds: { east: { priority: 1 } },
      platformAvailability: { web: 'redundant' },
      ...(switches ? { switches: { web: switches } } : {}),
    },
  },
});

eachDialect('%s', (test, world) => {
  const shop = eachStack(world);
  const up = (switches?: SwitchesSpec, options?: RunOptions) => shop.up(specOf(switches), options);
  const upWell = async (switches?: SwitchesSpec, options?: RunOptions) => {
    const done = await up(switches, options);
    expect(done.errors).toEqual([]);
    return done;
  };
  const instances = (): Promise<readonly Instance[]> => instancesIn(world);
  /** How many machines each platform has. */
  const machines = async () => {
    const computes = (await instances()).filter(({ ciClassName }) => ciClassName.endsWith('.Compute'));
    const of = (platform: string) => computes.filter(({ nsPath }) => nsPath.split('/')[5] === platform).length;
    return { web: of('web'), db: of('db') };
  };
  test('a platform that is declared to be down goes with the deployment, stays down, and comes back', async () => {
    await upWell();
    expect(await machines()).toEqual({ web: 2, db: 1 });
    await upWell({ enabled: false });
    expect(await machines()).toEqual({ web: 0, db: 1 });
    // Neither another run nor a refresh takes it for an outage.
    expect((await upWell({ enabled: false })).steps).toEqual([]);
    expect((await upWell({ enabled: false }, { refresh: true })).steps).toEqual([]);
    // Something else is deployed next to it.
    await upWell({ enabled: false, autorepair: false });
    expect(await machines()).toEqual({ web: 0, db: 1 });
    await upWell({ enabled: true });
    expect(await machines()).toEqual({ web: 2, db: 1 });
  });

  test('declared down from the start, it never runs; no longer declared, it does', async () => {
    await upWell({ enabled: false });
    expect(await machines()).toEqual({ web: 0, db: 1 });
    await upWell();
    expect(await machines()).toEqual({ web: 2, db: 1 });
  });

  /** Another user locks how many instances web has, and deploys that. */
  const scaledTo = async (current: string, bounds: { readonly min?: string } = {}, locks = true) => {
    await world.maria.scale({ current, ...bounds }, locks);
    await world.maria.rollOut();
  };
  const web = () => world.api.call(routes.environmentPlatforms.read, { address: WEB });

  test.each([
    [{ enabled: true }, { autorepair: 'false', replace_after_minutes: '30' }, 4],
    [{ autorepair: false, scale: { compute: { stepUp: 2 } } }, { autorepair: 'true', replace_after_minutes: '30' }, 4],
    [{ scale: { compute: { current: 3 } } }, { autorepair: 'false', replace_after_minutes: '30' }, 2],
  ] as const)(
    'what %j gives back when it leaves is what was declared, and nothing that another user set',
    async (switches, left, number) => {
      await upWell(switches);
      await world.maria.set('prod:web', { autorepair: 'false', replace_after_minutes: '30' });
      await scaledTo('4');
      await upWell();
      expect((await web()).ciAttributes).toMatchObject(left);
      expect(await machines()).toEqual({ web: number, db: 1 });
      expect((await upWell(undefined, { refresh: true })).steps).toEqual([]);
    },
  );

  test.each([[undefined], [{ enabled: true }], [{ scale: { compute: { current: 3 } } }]] as const)(
    'what another user scaled and did not commit is not deployed where %j is declared, and named',
    async (switches) => {
      await upWell(switches);
      const before = await machines();
      await world.maria.scale({ current: '5' });
      // The deployment alone, and a pull before it.
      const spec = specOf(switches);
      const prod = { ...spec.environments?.['prod'], platforms: { db: { east: { pctScale: 50 } } } };
      const platforms = { ...spec.platforms, web: { pack: 'tomcat', description: 'shop' } };
      for (const changed of [
        { ...spec, environments: { prod } },
        { ...spec, platforms },
      ]) {
        const { errors } = await shop.up(changed);
        expect(errors.join()).toContain('scaling of compute in platform web: update by maria');
        expect(errors.join()).toContain('current there "5"');
        expect(await machines()).toEqual(before);
      }
    },
  );

  test('a platform that is declared without its scaling does not hide that somebody scaled it down', async () => {
    await upWell({ enabled: true });
    await scaledTo('1', { min: '1' });
    expect(await drift(world, shop.stack)).toEqual(['Deployment::prod state']);
  });

  test('scaled, and within its bounds left to scaling by load', async () => {
    const scale = { compute: { current: 3, min: 2, max: 5 } };
    await upWell({ scale, autoscale: true });
    expect(await machines()).toEqual({ web: 3, db: 1 });
    await scaledTo('4');
    expect((await upWell({ scale, autoscale: true }, { refresh: true })).steps).not.toContain(
      'update EnvironmentPlatform::prod/web',
    );
    expect(await machines()).toEqual({ web: 4, db: 1 });
    // Another value of the same component takes no instance away.
    await upWell({ scale: { compute: { ...scale.compute, pctDpmt: 50 } }, autoscale: true });
    expect(await machines()).toEqual({ web: 4, db: 1 });
    // Bounds alone leave the number open.
    await upWell({ scale: { compute: { min: 2, max: 6 } }, autoscale: true });
    await scaledTo('9');
    await upWell({ scale: { compute: { current: 5, min: 2, max: 6 } }, autoscale: true }, { refresh: true });
    expect(await machines()).toEqual({ web: 5, db: 1 });
    // No longer declared, it is as the pack has it.
    await upWell();
    expect(await machines()).toEqual({ web: 2, db: 1 });
  });

  /** Another user sets what the service does by itself, and leaves nothing to deploy. */
  const repairByHand = async (ciAttributes: { readonly [name: string]: string }) => {
    await world.maria.set('prod:web', ciAttributes);
    await world.maria.commitEnvironment();
  };

  test.each([
    ['scaled', { scale: { compute: { current: 2 } } }, () => scaledTo('4'), /scale: there .*current.*4.*, declared/],
    ['switched off', { autorepair: true }, () => repairByHand({ autorepair: 'false' }), /autorepair: there "false"/],
    [
      'scaled, beside a switch that nobody set',
      { enabled: true, autorepair: false, scale: { compute: { current: 2 } } },
      () => scaledTo('4'),
      /scale: there [^]*adopt: true/,
    ],
  ] as const)(
    'what another user %s is theirs when it is declared for the first time, until it is adopted',
    async (_, switches, set, named) => {
      await upWell();
      await set();
      const before = [(await web()).ciAttributes, await machines()];
      expect((await up(switches)).errors.join()).toMatch(named);
      expect([(await web()).ciAttributes, await machines()]).toEqual(before);
      await upWell({ ...switches, adopt: true });
      expect(await machines()).toEqual({ web: 2, db: 1 });
      const { autorepair = true } = switches as SwitchesSpec;
      expect((await web()).ciAttributes['autorepair']).toBe(String(autorepair));
      expect((await upWell({ ...switches, adopt: true }, { refresh: true })).steps).toEqual([]);
      // What was taken over is ours from then on.
      await upWell();
      expect(await machines()).toEqual({ web: 2, db: 1 });
    },
  );

  test('what another user set as it is declared is taken over, and what they set next to it stays', async () => {
    await upWell();
    await repairByHand({ autorepair: 'false', autoreplace: 'false' });
    await scaledTo('4');
    await upWell({ autorepair: false, scale: { compute: { current: 4, pctDpmt: 50 } } });
    expect((await web()).ciAttributes).toMatchObject({ autorepair: 'false', autoreplace: 'false' });
    expect(await machines()).toEqual({ web: 4, db: 1 });
    await upWell();
    expect((await web()).ciAttributes).toMatchObject({ autorepair: 'true', autoreplace: 'false' });
    expect(await machines()).toEqual({ web: 2, db: 1 });
  });

  test.each([['open'], ['committed']])(
    'a switch set before the first commit of the platform cannot be attributed (%s): a notice names the old value',
    async (reach) => {
      const { prod } = specOf().environments ?? {};
      await shop.up({ ...specOf(), environments: { prod: { ...prod, deploy: false } } });
      await world.maria.set('prod:web', { autorepair: 'false' });
      if (reach === 'committed') await world.maria.commitEnvironment();
      expect((await upWell({ autorepair: true })).notices.join('\n')).toContain(
        'EnvironmentPlatform: autorepair was "false" and is now "true": the service does not show whether another user set it',
      );
    },
  );

  test('where scaling by load ends, the declared number is written in the same run', async () => {
    const scale = { compute: { current: 3, min: 2, max: 5 } };
    await upWell({ scale, autoscale: true });
    await scaledTo('5');
    await upWell({ scale, autoscale: false });
    expect(await machines()).toEqual({ web: 3, db: 1 });
    expect((await upWell({ scale, autoscale: false }, { refresh: true })).steps).toEqual([]);
  });

  test.each([['1'], ['5']])(
    'a number of %s that another user sets without a lock is found where it is declared, set back, and refused at its first declaration',
    async (current) => {
      const scale = { compute: { current: 3 } };
      await upWell();
      await upWell({ scale });
      await scaledTo(current, {}, false);
      expect(await drift(world, shop.stack)).toContain('EnvironmentPlatform::prod/web scale');
      await upWell({ scale }, { refresh: true });
      expect(await machines()).toEqual({ web: 3, db: 1 });
      await upWell();
      await scaledTo(current, {}, false);
      expect((await up({ scale })).errors.join()).toMatch(/scale: there .*set by maria.*adopt: true/s);
      await upWell({ scale: { compute: { current: 3 } }, adopt: true });
      expect(await machines()).toEqual({ web: 3, db: 1 });
    },
  );

  test('scaling of a platform that is single, or of what its pack does not scale, is refused before anything is written', async () => {
    const { prod } = specOf().environments ?? {};
    const switches = { db: { scale: { compute: { current: 2 } } } };
    const single: StackSpec = { ...specOf(), environments: { prod: { ...prod, switches } } };
    const says = /platform db is single in prod: it has one of everything, and nothing to scale/;
    const foreseen = async (spec: StackSpec) => (await preview(world, shop.stack, resourcesOf(spec))).errors.join();
    expect(await foreseen(single)).toMatch(says);
    await upWell();
    world.writes();
    for (const [spec, reason] of [
      [single, says],
      [specOf({ scale: { os: { current: 2 } } }), /platform web has no component "os" [^]*it scales compute/],
    ] as const)
      expect([await foreseen(spec), (await shop.up(spec)).errors.join()]).toEqual(
        Array(2).fill(expect.stringMatching(reason)),
      );
    expect(world.writes()).toEqual([]);
  });

  describe('declared from the first pull on, a switch is given back as the class has it', () => {
    const declared: SwitchesSpec = { enabled: true, autorepair: false };
    const autorepair = async () => {
      const all = await world.other.call(routes.environmentPlatforms.list, { address: PROD });
      return all.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['autorepair'], ciAttributes['autoreplace']]);
    };
    // Load-balanced databases are the packs that say something of it themselves.
    const BORN = [
      ['web', 'true', 'true'],
      ['db', 'true', 'false'],
    ];

    test.each([undefined, 1, 2, 3])('with its record, killed after %s writes', async (killAfter) => {
      await upWell(declared);
      if (killAfter !== undefined) await up(undefined, { killAfter });
      await upWell();
      expect(await autorepair()).toEqual(BORN);
    });

    test.each([undefined, { enabled: true }])('changed in between, then removed: %j stays declared', async (left) => {
      await upWell({ ...declared, replaceAfterMinutes: 30 });
      await upWell({ enabled: true, autorepair: true, replaceAfterMinutes: 45 });
      await upWell(left);
      expect(await autorepair()).toEqual(BORN);
      const [web] = await world.other.call(routes.environmentPlatforms.list, { address: PROD });
      expect(web?.ciAttributes['replace_after_minutes']).toBe('60');
      expect((await reviewIn(world, keptOf(shop.stack))).findings).toEqual([]);
    });
  });

  test("pulled and not committed yet, its pack's own switches are not taken for set", async () => {
    const prod = { ...specOf().environments?.['prod'], deploy: false } as const;
    await shop.up({ ...specOf(), environments: { prod } });
    expect((await reviewIn(world, keptOf(shop.stack))).findings).toEqual([]);
    const switched = { ...prod, switches: { db: { autorepair: false } } };
    const next = await shop.up({ ...specOf(), environments: { prod: switched } });
    expect(next.errors).toEqual([]);
    expect(next.notices.join()).not.toContain('autoreplace');
  });

  test("where the service lists no changes of releases, a pack's own switches are not taken for set", async () => {
    await upWell();
    expect((await reviewIn({ ...world, api: reticent(world.api) }, keptOf(shop.stack))).findings).toEqual([]);
  });
});

// What an environment lays over the components, attachments and variables of its platforms: written
// over the design's values, kept by every pull, given back when it leaves, and nobody else's values
// committed or overwritten unseen. In both dialects.
describe('overrides', () => {
  const TOMCAT = { ...PROD, platform: 'web', component: 'tomcat' };

  const CPU = 'web-os-cpu';
  const MOTD = { path: '/etc/motd', content: 'hello' };
  const DEPLOYER: ComponentSpec = { type: 'user', attributes: { username: 'deployer' }, attachments: { motd: MOTD } };
  const LAID: OverrideSpec = {
    variables: { HEAP: '4g' },
    components: {
      tomcat: { attributes: { max_threads: 300 } },
      deployer: { type: 'user', attachments: { motd: { content: 'hello, prod', priority: 3 } } },
      // It comes with the pack.
      os: { monitors: { [CPU]: { sampleInterval: 10, thresholds: { High: { metric: 'CpuIdle', trigger: '<=5' } } } } },
    },
  };

  /** A tomcat with a user, a file and a variable; what `prod` lays over them. */
  const shop = (laid: OverrideSpec = LAID, tomcat: ComponentSpec['attributes'] = { max_threads: 100 }): StackSpec => ({
    platforms: {
      web: {
        pack: 'tomcat',
        variables: { HEAP: '2g' },
        components: { tomcat: { attributes: tomcat ?? {} }, deployer: DEPLOYER },
      },
    },
    environments: { prod: { clouds: EAST, overrides: { web: laid } } },
  });

  const tomcat = (attributes: object, more: object = {}): OverrideSpec => ({
    components: { tomcat: { attributes: { ...attributes }, ...more } },
  });

  eachDialect('%s', (test, world) => {
    const { fine, settles } = eachStack(world);

    const componentOf = (api: Api): Promise<WireRecord> =>
      api.call(routes.environmentPlatforms.component, { address: TOMCAT });

    /** Another user writes attributes of the component in prod, without a lock. */
    const byMaria = (texts: { readonly [name: string]: string }): Promise<unknown> =>
      world.maria.set('prod:web/tomcat', texts);

    test('a whole life: laid over, kept by pulls, changed, given back', async () => {
      await settles(shop());
      expect((await componentOf(world.api)).ciAttributes['max_threads']).toBe('300');
      // The design continues: what is laid over it stays, and the rest follows.
      const design = { max_threads: 150, min_spare_threads: 33 };
      await settles(shop(LAID, design));
      await settles(shop(LAID, { ...design, min_spare_threads: 34 }));
      expect((await componentOf(world.api)).ciAttributes['max_threads']).toBe('300');
      const less: OverrideSpec = {
        components: {
          tomcat: { attributes: { max_threads: 300, min_spare_threads: 50 } },
          deployer: { type: 'user', attachments: { motd: { priority: 4 } } },
          os: { monitors: { [CPU]: { sampleInterval: 20 } } },
        },
      };
      await settles(shop(less, design));
      await settles(shop(tomcat({ min_spare_threads: 50 }), design));
      const done = await settles(shop({}, design));
      expect(done.steps).toContain('update Deployment::prod');
      expect((await componentOf(world.api)).ciAttributes['max_threads']).toBe('150');
    });

    test.each(['open', 'committed'] as const)(
      'what is in a component, changed by another user and %s, is set back by an up --refresh that pulls a design, too',
      async (reach) => {
        const deployer = {
          type: 'user',
          attachments: { motd: { content: 'hello, prod' } },
          monitors: { up: { duration: 4 } },
        };
        const spec = (username: string): StackSpec => {
          const design = { ...DEPLOYER, attributes: { username }, monitors: { up: { cmd: 'check_up' } } };
          const { platforms, environments } = shop({ components: { deployer } });
          return {
            platforms: { web: { ...platforms?.['web'], components: { deployer: design } } },
            environments: environments!,
          };
        };
        await settles(spec('deployer'));
        await world.maria.set('prod:web/deployer/motd', { content: 'of Maria' });
        await world.maria.set('prod:web/deployer!up', { duration: '9' });
        if (reach === 'committed') await world.maria.commitEnvironment();
        const done = await settles(spec('robot'), { refresh: true });
        expect(done.steps).toEqual(
          expect.arrayContaining([
            'update Environment::prod',
            'update EnvironmentAttachment::prod/web/motd',
            'update Monitor::prod/web/components/deployer/monitors/up',
          ]),
        );
      },
    );

    const replacing = ({ notices }: Run): readonly string[] => notices.filter((each) => each.includes('replaces it'));

    test('what another user set without a lock is named, with the writer, when a first declaration replaces it', async () => {
      expect(replacing(await settles(shop({})))).toEqual([]);
      await byMaria({ max_threads: '55' });
      await world.maria.set('prod:web/$HEAP', { secure: 'true', value: '', encrypted_value: 'hidden-word' });
      await world.maria.commitEnvironment();
      const done = await settles(shop(LAID));
      // In no order: both are written together.
      expect([...replacing(done)].sort()).toEqual([
        expect.stringContaining(
          'max_threads was "55" in the environment, and "100" in the design: the declared value replaces it; maria wrote the record last',
        ),
        expect.stringContaining('encrypted_value was a secret in the environment, and empty in the design'),
      ]);
      expect(done.notices.join()).not.toContain('hidden-word');
    });

    test('a first declaration over values that only the design gave, or that are as declared, says nothing', async () => {
      expect(replacing(await settles(shop({})))).toEqual([]);
      await byMaria({ max_threads: '300' });
      expect(replacing(await settles(shop(LAID)))).toEqual([]);
    });

    test('another text of touch deploys the component again, although nothing changed', async () => {
      const touched = (touch: string): StackSpec => shop(tomcat({ max_threads: 300 }, { touch }));
      await settles(shop(tomcat({ max_threads: 300 })));
      const deployments = async (): Promise<number> =>
        (await world.api.call(routes.deployments.list, { address: PROD })).length;
      for (const text of ['one', 'two']) {
        const before = await deployments();
        world.writes();
        const done = await fine(touched(text));
        expect(done.steps).toEqual(['update EnvironmentComponent::prod/web/tomcat', 'update Deployment::prod']);
        expect(world.writes().filter((write) => write.includes('touchComponent'))).toHaveLength(1);
        expect(await deployments()).toBe(before + 1);
      }
      await settles(shop(tomcat({ max_threads: 300 })));
    });
  });
});

// What an environment lays over the components, attachments and variables of its platforms: written over the design's values, kept by every pull,
// given back when it leaves, and nobody else's values committed or overwritten unseen. In both dialects.
import { DIALECTS, routes, type Record as WireRecord } from '../../api/contract';
import type { Api } from '../../api/client';
import { testInTurn } from '../dialects-in-turn';
import { emptyStack, drift, preview, run, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { leftToDeploy } from '../world/left-to-deploy';
import { EAST } from '../world/shop-spec';
import { resourcesOf, type ComponentSpec, type OverrideSpec, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld } from '../world/world';

const PROD = { assembly: 'shop', environment: 'prod' };
const TOMCAT = { ...PROD, platform: 'web', component: 'tomcat' };

const MOTD = { path: '/etc/motd', content: 'hello' };
const DEPLOYER: ComponentSpec = { type: 'user', attributes: { username: 'deployer' }, attachments: { motd: MOTD } };
const LAID: OverrideSpec = {
  variables: { HEAP: '4g' },
  components: {
    tomcat: { attributes: { max_threads: 300 } },
    deployer: { type: 'user', attachments: { motd: { content: 'hello, prod', priority: 3 } } },
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

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(() => {
    stack = emptyStack;
  });

  async function up(spec: StackSpec, options?: RunOptions): Promise<Run> {
    world.clock.advance(1000);
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  }

  /** One run that ends with everything as declared, deployed, and nothing left to do. */
  async function settles(spec: StackSpec, options?: RunOptions): Promise<Run> {
    const done = await up(spec, options);
    expect(done.errors).toEqual([]);
    expect(await differences(world, spec)).toEqual([]);
    expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(await drift(world, stack)).toEqual([]);
    expect(await leftToDeploy(world.api, PROD, () => world.clock.advance(1000))).toEqual([]);
    return done;
  }

  const componentOf = (api: Api): Promise<WireRecord> =>
    api.call(routes.environmentPlatforms.component, { address: TOMCAT });

  /** Another user writes attributes of the component in prod, locked or not. */
  async function byMaria(texts: { readonly [name: string]: string }, isLocked = true): Promise<void> {
    const { ciId, ciName, ciAttrProps } = await componentOf(world.other);
    const owners = Object.fromEntries(Object.keys(texts).map((name) => [name, 'manifest']));
    const owner = isLocked ? { ciAttrProps: { owner: { ...ciAttrProps?.owner, ...owners } } } : {};
    const body = { cms_dj_ci: { ciId, ciName, ciAttributes: texts, ...owner } };
    await world.other.call(routes.environmentPlatforms.updateComponent, { address: TOMCAT, body });
  }

  async function commitProd(): Promise<void> {
    await world.other.call(routes.environments.commit, { address: PROD, body: {} });
    world.clock.advance(5000);
  }

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
      },
    };
    await settles(shop(less, design));
    await settles(shop(tomcat({ min_spare_threads: 50 }), design));
    const done = await settles(shop({}, design));
    expect(done.steps).toContain('update Deployment::prod');
    expect((await componentOf(world.api)).ciAttributes['max_threads']).toBe('150');
  });

  test.each([1, 4, 7, 10])('killed after %s writes, the next run finishes it', async (killAfter) => {
    await settles(shop({}));
    await up(shop(LAID, { max_threads: 120 }), { killAfter });
    await settles(shop(LAID, { max_threads: 120 }));
    await up(shop({ variables: { HEAP: '5g' } }), { killAfter });
    await settles(shop({ variables: { HEAP: '5g' } }));
  });

  test.each([true, false])(
    'another user changes what is declared (locked: %s): seen by a refresh, and set back',
    async (isLocked) => {
      await settles(shop());
      await byMaria({ max_threads: '55' }, isLocked);
      await commitProd();
      expect(await drift(world, stack)).toContain('EnvironmentComponent::prod/web/tomcat attributes');
      const refused = await up(shop(tomcat({ max_threads: 301 })));
      expect(refused.errors.join('\n')).toMatch(/max_threads was changed by maria at /);
      const done = await settles(shop(), { refresh: true });
      expect(done.steps).toContain('update EnvironmentComponent::prod/web/tomcat');
    },
  );

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
      const inside = { ...PROD, platform: 'web', component: 'deployer' };
      const write = (ciName: string, ciAttributes: object): { readonly body: object } => ({
        body: { cms_dj_ci: { ciName, ciAttributes } },
      });
      await world.other.call(routes.environmentAttachments.update, {
        address: { ...inside, attachment: 'motd' },
        ...write('motd', { content: 'of Maria' }),
      });
      await world.other.call(routes.environmentMonitors.update, {
        address: { ...inside, monitor: 'up' },
        ...write('up', { duration: '9' }),
      });
      if (reach === 'committed') await commitProd();
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

  test('what another user locked is theirs, until it is adopted', async () => {
    await settles(shop({}));
    await byMaria({ max_threads: '55' });
    await commitProd();
    const { errors } = await up(shop(tomcat({ max_threads: 300 })));
    expect(errors.join('\n')).toMatch(/max_threads: there "55", declared 300/);
    await settles(shop(tomcat({ max_threads: 300 }, { adopt: true })));
  });

  const replacing = ({ notices }: Run): readonly string[] => notices.filter((each) => each.includes('replaces it'));

  test('what another user set without a lock is named, with the writer, when a first declaration replaces it', async () => {
    expect(replacing(await settles(shop({})))).toEqual([]);
    await byMaria({ max_threads: '55' }, false);
    const address = { ...PROD, platform: 'web', variable: 'HEAP' };
    const heap = await world.other.call(routes.environmentPlatformVariables.read, { address });
    await world.other.call(routes.environmentPlatformVariables.update, {
      address,
      body: {
        cms_dj_ci: {
          ciId: heap.ciId,
          ciName: 'HEAP',
          ciAttributes: { secure: 'true', value: '', encrypted_value: 'hidden-word' },
        },
      },
    });
    await commitProd();
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
    await byMaria({ max_threads: '300' }, false);
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
      const done = await settles(touched(text));
      expect(done.steps).toEqual(['update EnvironmentComponent::prod/web/tomcat', 'update Deployment::prod']);
      expect(world.writes().filter((write) => write.includes('touchComponent'))).toHaveLength(1);
      expect(await deployments()).toBe(before + 1);
    }
    await settles(shop(tomcat({ max_threads: 300 })));
  });
});

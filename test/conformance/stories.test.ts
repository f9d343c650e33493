// Edits, removals, failures and kills of a stack, without an engine: what a run makes of the service is compared with what the stack declares.
import { DIALECTS, routes } from '../../api/contract';
import { createApi } from '../../api/client';
import { testInTurn } from '../dialects-in-turn';
import { drift, emptyStack, preview, run, type Run, type RunOptions, type Stack } from './engine-simulation';
import {
  CHANGED,
  DEPLOYER,
  EAST,
  MOTD,
  SHOP,
  WEB,
  WEST,
  withComponents,
  withDeployer,
  withoutWeb,
  withProd,
  withWeb,
} from './shop-spec';
import { resourcesOf, type StackSpec, type Variables } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld, type World } from './world';

const AT = { assembly: 'shop', environment: 'prod' };

describe.each(DIALECTS)('%s', (dialect) => {
  // Promises that are the same in both dialects are played in one of them; what differs is a test of jest's own, and is played in both.
  const story = testInTurn(dialect);
  let world: World;
  let stack: Stack;

  beforeEach(() => {
    world = makeWorld(dialect);
    stack = emptyStack;
  });

  afterEach(() => {
    world.close();
  });

  const up = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    world.requests();
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };

  /** Up, and everything is as declared: in the service, for a second run, and for a refresh. */
  const upTo = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    const done = await up(spec, options);
    expect(done.errors).toEqual([]);
    await expectClean(spec);
    return done;
  };

  const expectClean = async (spec: StackSpec): Promise<void> => {
    world.requests();
    expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(world.requests()).toEqual(['GET organizations.read']);
    expect(await drift(world, stack)).toEqual([]);
    expect(world.writes()).toEqual([]);
    const again = await up(spec);
    expect([again.steps, again.errors, world.requests()]).toEqual([[], [], ['GET organizations.read']]);
    expect(await differences(world, spec)).toEqual([]);
    expect(world.service.outages()).toEqual([]);
  };

  const fails = async (spec: StackSpec, message: RegExp, options?: RunOptions): Promise<Run> => {
    const done = await up(spec, options);
    expect(done.errors.join('\n')).toMatch(message);
    return done;
  };

  const destroy = async (): Promise<Run> => {
    world.requests();
    const done = await run(world, stack, []);
    stack = done.stack;
    return done;
  };

  const expectDestroyed = async (): Promise<void> => {
    expect([...stack.keys()]).toEqual([]);
    expect(await world.api.call(routes.assemblies.list, {})).toEqual([]);
  };

  const failing = (match: string, times?: number): void =>
    world.service.failures.set([{ match, message: 'no room', ...(times === undefined ? {} : { times }) }]);

  const mended = (): void => world.service.failures.set([]);

  /** A fresh world that is as a stack says. */
  const standing = async (spec: StackSpec): Promise<void> => {
    world.close();
    world = makeWorld(dialect);
    stack = emptyStack;
    const done = await up(spec);
    expect(done.errors).toEqual([]);
    world.requests();
  };

  /**
   * For every n, a run from one stack to the next that is killed after its nth write; then `then`. Answers how many writes there were.
   */
  const killedAfterEach = async (from: StackSpec, to: StackSpec, then: () => Promise<void>): Promise<number> => {
    for (let n = 1; ; n += 1) {
      await standing(from);
      const done = await up(to, { killAfter: n });
      if (!done.killed) return n - 1;
      try {
        await then();
      } catch (error) {
        (error as Error).message = `killed after write ${n} (${done.steps.at(-1)})\n${(error as Error).message}`;
        throw error;
      }
    }
  };

  const newest = () => world.api.call(routes.deployments.latest, { address: AT });

  story('first up with two environments; a no-op; a refresh', async () => {
    const spec: StackSpec = {
      platforms: { web: { ...WEB, pack: 'tomcat' }, db: { pack: 'mysql' } },
      environments: {
        staging: { clouds: EAST },
        prod: {
          clouds: { east: { priority: 1 }, west: { priority: 2 } },
          platforms: { web: { west: { pctScale: 50 } }, db: { west: { dpmtOrder: 2 }, east: { pctScale: 80 } } },
        },
      },
    };
    await upTo(spec);
    const again = await up(spec, { refresh: true });
    expect([again.steps, world.writes()]).toEqual([[], []]);
  });

  test('an attachment changed', async () => {
    await upTo(SHOP);
    const changed = await up(CHANGED);
    expect(changed.steps).toEqual([
      'update Attachment::web/motd',
      'update DesignRelease::shop',
      'update Environment::prod',
      'update Deployment::prod',
    ]);
    expect(world.writes()).toHaveLength(dialect === 'classic' ? 5 : 4);
    await expectClean(CHANGED);
  });

  story('what another user changed is repaired and deployed', async () => {
    await upTo(SHOP);
    const address = { assembly: 'shop', platform: 'web', component: 'compute' };
    const compute = await world.other.call(routes.components.read, { address });
    const record = { ciId: compute.ciId, ciName: 'compute', ciAttributes: { size: 'L' } };
    await world.other.call(routes.components.update, { address, body: { cms_dj_ci: record } });
    expect(await drift(world, stack)).toEqual(['Component::web/compute attributes']);
    const repaired = await up(SHOP, { refresh: true });
    expect([repaired.errors, repaired.steps]).toEqual([
      [],
      [
        'update Component::web/compute',
        'update DesignRelease::shop',
        'update Environment::prod',
        'update Deployment::prod',
      ],
    ]);
  });

  story('what another user changed and the file then says, too, reaches the machines', async () => {
    await upTo(SHOP);
    const address = { assembly: 'shop', platform: 'web', component: 'compute' };
    for (const size of ['L', 'XL']) {
      const { ciId } = await world.other.call(routes.components.read, { address });
      const record = { ciId, ciName: 'compute', ciAttributes: { size } };
      await world.other.call(routes.components.update, { address, body: { cms_dj_ci: record } });
      const accepted = withComponents({ compute: { attributes: { size } } });
      const done = await up(accepted, { refresh: true });
      expect([done.errors, done.steps]).toEqual([
        [],
        ['update DesignRelease::shop', 'update Environment::prod', 'update Deployment::prod'],
      ]);
      await expectClean(accepted);
    }
  });

  story('an attachment removed; an adopted component no longer declared', async () => {
    await upTo(SHOP);
    const less = withWeb({ components: { deployer: { ...DEPLOYER, attachments: {} } } });
    await upTo(less);
    await upTo(withWeb({ components: {} }));
  });

  story('an adopted component with an attachment is given back, and the attachment no longer exists', async () => {
    const spec = withComponents({
      compute: { attributes: { size: 'M' }, attachments: { swap: { path: '/etc/swap' } } },
    });
    await upTo(spec);
    await upTo(withWeb({ components: { deployer: DEPLOYER } }));
  });

  story('a running platform with its link and cloud configurations removed', async () => {
    const spec = withProd({
      clouds: { east: { priority: 1 }, west: { priority: 2 } },
      platforms: { web: { west: { pctScale: 50 } }, db: { west: { pctScale: 40 }, east: { dpmtOrder: 3 } } },
    });
    await upTo(spec);
    const { db: _, ...rest } = spec.platforms ?? {};
    const { db: __, ...platforms } = spec.environments?.['prod']?.platforms ?? {};
    await upTo(withProd({ platforms }, withWeb({ links: [] }, { ...spec, platforms: rest })));
    await upTo(withProd({ platforms: {} }, withWeb({ links: [] }, { ...spec, platforms: rest })));
  });

  story('only a link removed, and only a link added', async () => {
    await upTo(SHOP);
    await upTo(withWeb({ links: [] }));
    await upTo(SHOP);
  });

  story('a platform added later with cloud configurations; a configuration removed', async () => {
    const spec = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
    await upTo(spec);
    const more: StackSpec = { ...spec, platforms: { ...spec.platforms, cache: { pack: 'redisio' } } };
    const configured = withProd({ platforms: { cache: { west: { pctScale: 50 }, east: { pctScale: 70 } } } }, more);
    await upTo(configured);
    await upTo(withProd({ platforms: { cache: { east: { pctScale: 70 } } } }, configured));
    await upTo(withProd({ platforms: { cache: { west: { adminstatus: 'inactive' } } } }, configured));
    await upTo(withProd({ platforms: {} }, configured));
  });

  describe('from one cloud to another', () => {
    const NEXT = withProd({ clouds: WEST });
    const TWO: StackSpec = { ...SHOP, environments: { prod: { clouds: EAST }, staging: { clouds: EAST } } };

    story('in two environments, without an outage, with one deployment each', async () => {
      await upTo(TWO);
      const done = await upTo({ ...TWO, environments: { prod: { clouds: WEST }, staging: { clouds: WEST } } });
      expect(done.steps.filter((step) => step.includes('Deployment'))).toHaveLength(2);
    });

    story('killed after each write: the next run finishes it', async () => {
      await killedAfterEach(SHOP, NEXT, () => upTo(NEXT).then());
    });

    story('killed after each write: taken back, with a refresh', async () => {
      await killedAfterEach(SHOP, NEXT, () => upTo(SHOP, { refresh: true }).then());
    });

    story('the new one fails: the old one keeps running; then it is repaired', async () => {
      await upTo(SHOP);
      failing('web/compute@west');
      await fails(NEXT, /no room/);
      expect(world.service.outages()).toEqual([]);
      await fails(NEXT, /no room/);
      mended();
      await upTo(NEXT);
    });

    story('the new one fails, and the change is taken back', async () => {
      await upTo(SHOP);
      failing('web/compute@west');
      await fails(NEXT, /no room/);
      mended();
      await upTo(SHOP);
    });

    story('and back again', async () => {
      await upTo(SHOP);
      await upTo(NEXT);
      await upTo(SHOP);
    });

    story('together with a change of the design and a new platform', async () => {
      await upTo(SHOP);
      await upTo({
        ...CHANGED,
        platforms: { ...CHANGED.platforms, cache: {} },
        environments: { prod: { clouds: WEST } },
      });
    });

    story('only on one platform the new one would be inactive: refused, then taken back', async () => {
      await upTo(SHOP);
      await fails(
        withProd({ clouds: WEST, platforms: { web: { west: { adminstatus: 'inactive' } } } }),
        /without a cloud/,
      );
      await upTo(SHOP);
    });

    story('one platform keeps the old one as its own only active one: refused before anything is written', async () => {
      const both = { east: { priority: 1 }, west: { priority: 1 } };
      const own = { web: { west: { adminstatus: 'inactive' } } };
      const spec = withProd({ clouds: both, platforms: own });
      await upTo(spec);
      await fails(withProd({ clouds: WEST, platforms: own }), /without a cloud that is active with priority 1/);
      expect(world.writes()).toEqual([]);
      await upTo(spec);
    });
  });

  describe('priorities swapped', () => {
    const BEFORE = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
    const AFTER = withProd({ clouds: { east: { priority: 2 }, west: { priority: 1 } } });

    story('for the environment, and back', async () => {
      await upTo(BEFORE);
      await upTo(AFTER);
      await upTo(BEFORE);
    });

    story('killed after each write', async () => {
      await killedAfterEach(BEFORE, AFTER, () => upTo(AFTER).then());
    });

    story('a new cloud takes over the first place, and the old one stays', async () => {
      await upTo(SHOP);
      await upTo(AFTER);
    });

    story('killed after each write while a new cloud takes over the first place', async () => {
      await killedAfterEach(SHOP, AFTER, () => upTo(AFTER).then());
    });

    story.each([
      ['east first', { east: { priority: 2 }, west: { priority: 1 } }],
      ['west first', { west: { priority: 1 }, east: { priority: 2 } }],
    ])('for one platform, and taken out again: %s', async (_, web) => {
      await upTo(BEFORE);
      await upTo(withProd({ platforms: { web } }, BEFORE));
      await upTo(BEFORE);
      await upTo(withProd({ platforms: { web } }, BEFORE));
      await upTo(withProd({ platforms: { web: { east: { priority: 1 }, west: { priority: 2 } } } }, BEFORE));
    });

    story('for one platform, taken out in the other order than it was put in', async () => {
      const swapped = withProd(
        {
          clouds: { east: { priority: 2 }, west: { priority: 1 } },
          platforms: { web: { east: { priority: 1 }, west: { priority: 2 } } },
        },
        BEFORE,
      );
      await upTo(swapped);
      await upTo(withProd({ platforms: {} }, swapped));
    });

    story('a changed default reaches the platforms that follow it, killed after each write', async () => {
      const more = withProd({ clouds: { east: { priority: 1, dpmtOrder: 2 }, west: { priority: 2, pctScale: 50 } } });
      await killedAfterEach(BEFORE, more, () => upTo(more).then());
    });
  });

  story('a cloud that is not active cannot be the only one', async () => {
    await upTo(SHOP);
    await fails(withProd({ clouds: { west: { priority: 1, adminstatus: 'inactive' } } }), /no cloud is active/);
    expect(world.requests()).toEqual(['GET organizations.read']);
  });

  describe('a logical rename', () => {
    const RENAMED = withWeb({ logical: 'front' });

    story('destroys nothing and writes nothing', async () => {
      await upTo(SHOP);
      const renamed = await up(RENAMED);
      expect(renamed.errors).toEqual([]);
      expect(renamed.notices.join('\n')).toMatch(/add an alias/);
      expect(await differences(world, RENAMED)).toEqual([]);
      expect(world.service.outages()).toEqual([]);
      await expectClean(RENAMED);
    });

    story('with an alias nothing happens at all', async () => {
      await upTo(SHOP);
      const renamed = resourcesOf(RENAMED).map((each) => {
        const former = each.key.replace('::front', '::web');
        return former === each.key ? each : { ...each, alias: former };
      });
      const done = await run(world, stack, renamed);
      expect([done.errors, done.steps, done.notices]).toEqual([[], [], []]);
      stack = done.stack;
      await expectClean(RENAMED);
    });

    story('together with a change: an error with advice, and nothing is lost', async () => {
      await upTo(SHOP);
      const both = withWeb({ logical: 'front', description: 'front' });
      await fails(both, /add an alias/);
      expect(await differences(world, SHOP)).toEqual([]);
      await upTo(SHOP);
    });

    story('while the deployment fails: the next run destroys nothing either', async () => {
      await upTo(SHOP);
      failing('web/deployer');
      const renamed = withWeb({ logical: 'front' }, withDeployer({ attributes: { username: 'robot' } }));
      await fails(renamed, /.+/);
      mended();
      await up(renamed);
      const taken = await up(withWeb({ logical: 'front' }));
      expect(taken.errors.concat(taken.notices).join('\n')).toMatch(/alias/);
      expect((await world.api.call(routes.platforms.list, { address: AT })).map(({ ciName }) => ciName).sort()).toEqual(
        ['db', 'web'],
      );
    });
  });

  describe('replacements', () => {
    const without = { ...SHOP, environments: {} };

    /** The platform web under another name, and the same logical name. */
    const renamed = (of: StackSpec): StackSpec => {
      const { web, ...rest } = of.platforms ?? {};
      return { ...of, platforms: { front: { ...web, logical: 'web' }, ...rest } };
    };

    const logical = (of: StackSpec): StackSpec => withWeb({ logical: 'web' }, of);

    story('a platform renamed while it runs, with its cloud configurations', async () => {
      const spec = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
      const own = { east: { priority: 2, pctScale: 50 }, west: { priority: 1 } };
      await upTo(withProd({ platforms: { web: own } }, logical(spec)));
      await upTo(withProd({ platforms: { front: own } }, renamed(spec)));
    });

    story('renamed, and back, and again: each time it is a platform that has not run yet', async () => {
      await upTo(SHOP);
      for (const spec of [renamed(SHOP), SHOP, renamed(SHOP)]) await upTo(spec);
    });

    story('an attachment moved to another component, and back', async () => {
      const two: StackSpec = withComponents({ helper: { type: 'user', attributes: { username: 'helper' } } });
      const moved = withComponents({
        deployer: { ...DEPLOYER, attachments: {} },
        helper: { type: 'user', attributes: { username: 'helper' }, attachments: { motd: MOTD } },
      });
      await upTo(two);
      await upTo(moved);
      await upTo(two);
    });

    story('an attachment moved, killed after each write', async () => {
      const two: StackSpec = withComponents({ helper: { type: 'user', attributes: { username: 'helper' } } });
      const moved = withComponents({
        deployer: { ...DEPLOYER, attachments: {} },
        helper: { type: 'user', attributes: { username: 'helper' }, attachments: { motd: MOTD } },
      });
      await killedAfterEach(two, moved, () => upTo(moved).then());
    });

    story('another pack without an environment', async () => {
      await upTo(without);
      await upTo(withWeb({ pack: 'tomcat' }, without));
    });

    story('another pack while an environment has the platform: refused in preview, and nothing happens', async () => {
      await upTo(SHOP);
      const next = withWeb({ pack: 'tomcat' });
      world.requests();
      const { errors } = await preview(world, stack, resourcesOf(next));
      expect(errors.join('\n')).toMatch(/prod has it running/);
      await fails(next, /prod has it running/);
      expect(world.writes()).toEqual([]);
      await upTo(SHOP);
      await upTo(withoutWeb());
      // That is an outage: the platform was gone in between.
      expect((await up(next)).errors).toEqual([]);
      expect(await differences(world, next)).toEqual([]);
    });

    story('a platform cannot be created again: repaired, or taken back', async () => {
      for (const end of [withWeb({ pack: 'tomcat' }, without), without]) {
        await standing(without);
        world.service.faults.set([
          { effect: 'status', status: 422, route: 'platforms.create', body: { errors: ['no'] } },
        ]);
        await fails(withWeb({ pack: 'tomcat' }, without), /no/);
        world.service.faults.set([]);
        await upTo(end);
      }
    });

    story('a rename of a running platform fails half way: repaired, or taken back', async () => {
      for (const end of [renamed(SHOP), logical(SHOP)]) {
        await standing(logical(SHOP));
        world.service.faults.set([
          { effect: 'status', status: 422, route: 'platforms.create', body: { errors: ['no'] } },
        ]);
        await fails(renamed(SHOP), /no/);
        world.service.faults.set([]);
        await upTo(end);
      }
    });

    story('a component of another template under the same name, killed after each write', async () => {
      const job = withDeployer({ type: 'job', attributes: { minute: '5' } }, without);
      await killedAfterEach(without, job, () => upTo(job).then());
      await upTo(job);
      await upTo(without);
    });

    story('a component of another template whose commit fails, and that is taken out', async () => {
      await upTo(without);
      const job = withDeployer({ type: 'job', attributes: { minute: '5' } }, without);
      world.service.faults.set([
        { effect: 'status', status: 422, route: 'designReleases.commit', body: { errors: ['no'] } },
      ]);
      await up(job);
      world.service.faults.set([]);
      await upTo(withWeb({ components: {} }, without));
    });

    story('what was declared for one born component is declared for another, with its attachment', async () => {
      const named = (name: string): StackSpec => {
        const { compute: _, ...rest } = WEB.components ?? {};
        return withWeb({ components: { ...rest, [name]: { attachments: { swap: { path: '/etc/swap' } } } } });
      };
      await upTo(named('compute'));
      await upTo(named('os'));
    });

    story('an assembly renamed: everything is taken down and created again', async () => {
      await upTo(SHOP);
      const store = { ...SHOP, assembly: 'store', logical: 'shop' };
      const done = await up(store);
      expect(done.errors).toEqual([]);
      expect((await world.api.call(routes.assemblies.list, {})).map(({ ciName }) => ciName)).toEqual(['store']);
      await expectClean(store);
    });

    story('an environment renamed: it is taken down and created again', async () => {
      await upTo(SHOP);
      const live: StackSpec = { ...SHOP, environments: { live: { clouds: EAST, logical: 'prod' } } };
      await upTo(live);
    });

    story('a new pack version in place; one that does not exist is named', async () => {
      await upTo(SHOP);
      await fails(withWeb({ version: '7' }), /7/);
      await upTo(SHOP);
    });
  });

  describe('killed', () => {
    story('during the first up, after each write: the next one finishes it, and nothing exists twice', async () => {
      const spec = withProd({ platforms: { web: { east: { pctScale: 50 } } } });
      await killedAfterEach({}, spec, () => upTo(spec).then());
    });

    story('during the first up, after each write: then destroyed', async () => {
      await killedAfterEach({}, SHOP, async () => {
        await upTo(SHOP);
        expect((await destroy()).errors).toEqual([]);
        await expectDestroyed();
      });
    });

    story('with optional components named like their templates: they go when they leave the file', async () => {
      const spec = withComponents(
        { hostname: {}, user: { attributes: { username: 'robot' } } },
        { ...SHOP, environments: {} },
      );
      await killedAfterEach({}, spec, async () => {
        await upTo(spec);
        await upTo({ ...SHOP, environments: {} });
      });
    });

    story('during a change and removals, after each write', async () => {
      const next: StackSpec = {
        ...withDeployer({ attributes: { username: 'robot' }, attachments: { issue: { path: '/etc/issue' } } }),
        environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
      };
      await killedAfterEach(SHOP, next, () => upTo(next).then());
    });

    story('during the edit of one single record, after each write', async () => {
      await killedAfterEach(SHOP, CHANGED, () => upTo(CHANGED).then());
    });

    story('while it is destroyed, after each write', async () => {
      for (let n = 1; ; n += 1) {
        await standing(SHOP);
        const done = await run(world, stack, [], { killAfter: n });
        stack = done.stack;
        if (!done.killed) break;
        expect([n, (await destroy()).errors]).toEqual([n, []]);
        await expectDestroyed();
      }
    });
  });

  describe('a deployment fails', () => {
    beforeEach(async () => {
      await upTo(SHOP);
      failing('web/deployer');
      await fails(CHANGED, /deployment \d+ failed[^]*no room/);
    });

    story('and is retried', async () => {
      const failed = await newest();
      mended();
      const again = await upTo(CHANGED);
      expect(again.steps).toEqual(['update Deployment::prod']);
      expect((await newest()).deploymentId).toBe(failed.deploymentId);
    });

    story('and is retried after a refresh, which shows it', async () => {
      expect(await drift(world, stack)).toEqual(['Deployment::prod state']);
      mended();
      await upTo(CHANGED, { refresh: true });
    });

    story('and fails again, as clearly as before', async () => {
      await fails(CHANGED, /deployment \d+ failed[^]*web\/deployer-\d+-1 failed: no room/);
    });

    story('and something else is changed', async () => {
      mended();
      await upTo(
        withDeployer({ attributes: { username: 'robot' }, attachments: { motd: { ...MOTD, content: 'bye' } } }),
      );
    });

    story('and the change is taken back', async () => {
      mended();
      await upTo(SHOP);
    });

    story('and the change is taken back, still failing', async () => {
      const back = await up(SHOP);
      mended();
      if (back.errors.length > 0) await upTo(SHOP);
      else await expectClean(SHOP);
    });

    story('and everything is destroyed', async () => {
      mended();
      expect((await destroy()).errors).toEqual([]);
      await expectDestroyed();
    });
  });

  describe('a deployment fails the first time', () => {
    story('nothing ever ran, and the environment is taken out', async () => {
      failing('web/compute');
      await fails(SHOP, /no room/);
      mended();
      await upTo({ ...SHOP, environments: {} });
    });

    story('and it is repaired', async () => {
      failing('web/compute');
      await fails(SHOP, /no room/);
      await fails(SHOP, /no room/);
      mended();
      await upTo(SHOP);
    });
  });

  describe('a removal is taken back after the run failed', () => {
    const OTHER = { helper: { type: 'user', attributes: { username: 'helper' } } };
    const clouds = { east: { priority: 1 }, west: { priority: 2 } };
    const removals: readonly (readonly [string, StackSpec, StackSpec])[] = [
      ['an attachment', SHOP, withDeployer({ attachments: {}, attributes: { username: 'robot' } })],
      ['a component', SHOP, withWeb({ description: 'less', components: {} })],
      [
        'an adopted component',
        SHOP,
        withWeb({ components: { deployer: { ...DEPLOYER, attributes: { username: 'robot' } } } }),
      ],
      [
        'a platform',
        { ...SHOP, platforms: { ...SHOP.platforms, cache: {} } },
        withDeployer({ attributes: { username: 'robot' } }),
      ],
      [
        'a variable of the assembly',
        { ...SHOP, variables: { LEVEL: 'info' } },
        withDeployer({ attributes: { username: 'robot' } }),
      ],
      [
        'a variable of a platform',
        withWeb({ variables: { HEAP: '2g' } }),
        withDeployer({ attributes: { username: 'robot' } }),
      ],
      [
        "a pack's own variable",
        withWeb({ pack: 'play', variables: { HEAP: '2g' } }),
        withWeb({ pack: 'play' }, withDeployer({ attributes: { username: 'robot' } })),
      ],
      [
        'a variable of an environment',
        withProd({ variables: { LEVEL: 'warn' } }, { ...SHOP, variables: { LEVEL: 'info' } }),
        { ...withDeployer({ attributes: { username: 'robot' } }), variables: { LEVEL: 'info' } },
      ],
      [
        'a cloud configuration',
        withComponents(OTHER, withProd({ clouds, platforms: { web: { west: { pctScale: 50 } } } })),
        withComponents(OTHER, withProd({ clouds, platforms: {} }, withDeployer({ attributes: { username: 'robot' } }))),
      ],
    ];

    story.each(removals)('%s: the deployment fails', async (_, before, after) => {
      await upTo(before);
      failing('web/deployer');
      await up(after);
      mended();
      await takenBack(before);
    });

    story.each(removals)('%s: the pull fails', async (_, before, after) => {
      await upTo(before);
      world.service.faults.set([
        { effect: 'status', status: 422, route: 'environments.pull', body: { errors: ['no'] } },
      ]);
      await up(after);
      world.service.faults.set([]);
      await takenBack(before);
    });

    story.each(removals)('%s: the commit fails', async (_, before, after) => {
      await upTo(before);
      world.service.faults.set([
        { effect: 'status', status: 422, route: 'environments.commit', body: { errors: ['no'] } },
        { effect: 'status', status: 422, route: 'designReleases.commit', body: { errors: ['no'] } },
      ]);
      await up(after);
      world.service.faults.set([]);
      await takenBack(before);
    });

    /** It may be refused, loudly, until a refresh finds what is missing; it must not pass for done. */
    const takenBack = async (before: StackSpec): Promise<void> => {
      const back = await up(before);
      if (back.errors.length === 0) return expectClean(before);
      expect(back.errors.join('\n')).toMatch(/pulumi up --refresh/);
      await upTo(before, { refresh: true });
    };
  });

  describe('one request of a change fails, and the next run continues after a refresh', () => {
    const clouds = { east: { priority: 1 }, west: { priority: 2 } };
    const BEFORE = withProd({ clouds, platforms: { web: { west: { pctScale: 50 } } } });
    const AFTER = withProd(
      { clouds: { ...clouds, east: { priority: 1, dpmtOrder: 2 } }, platforms: {}, description: 'live' },
      withDeployer({ attributes: { username: 'robot' }, attachments: {} }),
    );

    story.each([
      'designReleases.commit',
      'environments.update',
      'environments.pull',
      'environmentPlatforms.configureCloud',
      'environments.commit',
      'deployments.create',
    ])('%s', async (route) => {
      for (const nth of [1, 2]) {
        await standing(BEFORE);
        world.service.faults.set([{ effect: 'status', status: 422, route, nth, body: { errors: ['no'] } }]);
        await up(AFTER);
        world.service.faults.set([]);
        await upTo(AFTER, { refresh: true });
        await upTo(BEFORE);
      }
    });

    story.each([
      'designReleases.commit',
      'environments.update',
      'environments.pull',
      'environmentPlatforms.configureCloud',
      'environments.commit',
      'deployments.create',
    ])('%s, and the change is taken back', async (route) => {
      for (const nth of [1, 2]) {
        await standing(BEFORE);
        world.service.faults.set([{ effect: 'status', status: 422, route, nth, body: { errors: ['no'] } }]);
        // A refresh forgets that a changed default was tried, so platforms that got it keep it as their own.
        await up({ ...AFTER, environments: { prod: { ...AFTER.environments?.['prod'], clouds } } });
        world.service.faults.set([]);
        const back = await up(BEFORE);
        if (back.errors.length > 0) expect(back.errors.join('\n')).toMatch(/pulumi up --refresh/);
        await upTo(BEFORE, { refresh: back.errors.length > 0 });
      }
    });
  });

  describe('answers are lost', () => {
    const spec = withProd({ platforms: { web: { east: { pctScale: 50 } } } });
    const next = withProd(
      { clouds: { east: { priority: 1 }, west: { priority: 2 } } },
      withDeployer({ attributes: { username: 'robot' }, attachments: {} }),
    );

    story.each([true, false])('each POST in turn, carried out: %s', async (applied) => {
      for (let nth = 1; nth < 20; nth += 1) {
        await standing({});
        world.service.faults.set([{ effect: 'drop', method: 'POST', nth, applied }]);
        let done = await up(spec);
        if (done.errors.length > 0) done = await up(spec);
        world.service.faults.set([]);
        expect([nth, done.errors]).toEqual([nth, []]);
        await expectClean(spec);
        world.service.faults.set([{ effect: 'drop', method: 'POST', nth, applied }]);
        done = await up(next);
        if (done.errors.length > 0) done = await up(next);
        world.service.faults.set([]);
        expect([nth, done.errors]).toEqual([nth, []]);
        await expectClean(next);
        if (!world.service.journal().some(({ fault }) => fault !== undefined)) break;
      }
    });
  });

  describe('destroyed', () => {
    story('in order, with one delete for the assembly', async () => {
      await upTo(withProd({ platforms: { web: { east: { pctScale: 50 } } } }));
      const done = await destroy();
      expect(done.errors).toEqual([]);
      expect(world.writes().filter((write) => write.startsWith('DELETE'))).toEqual([
        'DELETE environments.delete',
        'DELETE assemblies.delete',
      ]);
      await expectDestroyed();
    });

    story('the last environments and an attachment removed together', async () => {
      await upTo(SHOP);
      await upTo({ ...withDeployer({ attachments: {} }), environments: {} });
    });

    story('an environment of another user stops it; then up takes over what exists', async () => {
      const { prod: _, ...rest } = SHOP.environments ?? {};
      await upTo({ ...SHOP, environments: rest });
      const ids = (await world.other.call(routes.clouds.list, {})).map(({ ciId }) => [String(ciId), '1']);
      await world.other.call(routes.environments.create, {
        address: { assembly: 'shop', environment: 'theirs' },
        body: {
          clouds: Object.fromEntries(ids.slice(0, 1)) as { [id: string]: string },
          platform_availability: { none: 'default' },
          cms_ci: { ciName: 'theirs', ciAttributes: {} },
        },
      });
      expect((await destroy()).errors.join('\n')).toMatch(/theirs/);
      const back = await up({ ...SHOP, environments: rest });
      expect(back.errors).toEqual([]);
    });

    story('a tear-down fails: what failed is reported, and the next one continues', async () => {
      await upTo(SHOP);
      failing('web/deployer');
      const done = await destroy();
      expect(done.errors.join('\n')).toMatch(/deployment \d+ failed[^]*no room/);
      expect(done.errors.join('\n')).not.toMatch(/defect/);
      mended();
      expect((await destroy()).errors).toEqual([]);
      await expectDestroyed();
    });
  });

  describe('targets', () => {
    story('one attachment: the next up finishes it', async () => {
      await upTo(SHOP);
      expect((await up(CHANGED, { targets: ['Attachment::web/motd'] })).steps).toEqual(['update Attachment::web/motd']);
      await upTo(CHANGED);
    });

    story('an environment torn down by target comes back', async () => {
      await upTo(SHOP);
      const targets = ['Deployment::prod', 'Environment::prod', 'DesignRelease::shop', 'Attachment::web/motd'];
      const done = await run(world, stack, [], { targets });
      stack = done.stack;
      expect(done.errors).toEqual([]);
      await upTo(SHOP);
    });

    story('a deployment torn down by target runs again', async () => {
      await upTo(SHOP);
      const done = await run(world, stack, [], { targets: ['Deployment::prod'] });
      stack = done.stack;
      expect(done.errors).toEqual([]);
      expect(
        await world.api.call(routes.operations.environmentInstances, {
          address: AT,
          query: { instances_state: 'all' },
        }),
      ).toEqual([]);
      const back = await up(SHOP);
      expect(back.errors).toEqual([]);
      expect(await differences(world, SHOP)).toEqual([]);
    });
  });

  describe('protected and retained', () => {
    const marked = (mark: 'protect' | 'retain'): StackSpec =>
      withDeployer({ attachments: { motd: { ...MOTD, mark } } });

    story.each([
      ['an attachment', withDeployer({ attachments: {} })],
      ['its component', withWeb({ components: { compute: { attributes: { size: 'M' } } } })],
      ['its platform', withoutWeb()],
    ])('a protected attachment leaves with %s: it is not deleted', async (_, less) => {
      await upTo(marked('protect'));
      await fails(less, /Attachment::web\/motd: it is protected/);
      const address = { assembly: 'shop', platform: 'web', component: 'deployer' };
      expect(await world.api.call(routes.attachments.list, { address })).toHaveLength(1);
      await upTo(marked('protect'), { refresh: true });
    });

    story('a retained attachment stays', async () => {
      await upTo(marked('retain'));
      const done = await up(withDeployer({ attachments: {} }));
      expect(done.errors).toEqual([]);
      expect(await differences(world, marked('retain'))).toEqual([]);
    });

    story('a retained platform stays with everything below it', async () => {
      const spec = withWeb({ mark: 'retain' });
      await upTo(spec);
      const done = await up({ ...withoutWeb(), platforms: { db: {} } });
      expect(done.errors).toEqual([]);
      expect(await differences(world, spec)).toEqual([]);
      expect(world.service.outages()).toEqual([]);
    });

    story('a retained attachment below a platform that goes', async () => {
      await upTo(marked('retain'));
      const done = await up({ ...withoutWeb(), platforms: { db: {} } });
      expect(done.errors).toEqual([]);
      await expectClean({ ...withoutWeb(), platforms: { db: {} } });
    });
  });

  describe('another user deploys', () => {
    /** Maria changes something in the environment, and plans its deployment. */
    const plan = async (size = 'XL') => {
      const { other } = world;
      const address = { ...AT, platform: 'db', component: 'compute' };
      const { ciId } = await other.call(routes.environmentPlatforms.component, { address });
      const body = { cms_dj_ci: { ciId, ciName: 'compute', ciAttributes: { size } } };
      await other.call(routes.environmentPlatforms.updateComponent, { address, body });
      await other.call(routes.environments.commit, { address: AT, body: {} });
      world.clock.advance(5000);
      return other.call(routes.environmentReleases.bom, { address: AT });
    };

    /** And deploys it. */
    const foreign = async (): Promise<number> => {
      const { releaseId } = await plan();
      const cms_deployment = { releaseId: String(releaseId), nsPath: '/acme/shop/prod/bom' };
      const { deploymentId } = await world.other.call(routes.deployments.create, {
        address: AT,
        body: { cms_deployment },
      });
      return deploymentId;
    };

    const state = async (deploymentId: number): Promise<string> =>
      (await world.api.call(routes.deployments.status, { address: { ...AT, deployment: String(deploymentId) } }))
        .deploymentState;

    const busy = (whenBusy: string): StackSpec => withProd({ deploy: { whenBusy } }, CHANGED);

    story('and by default it fails: who deploys is named, and the environment is left as it is', async () => {
      await upTo(SHOP);
      const id = await foreign();
      await fails(CHANGED, new RegExp(`deployment ${id} of maria is active since`));
      expect(await state(id)).toBe('active');
      world.clock.advance(600_000);
      expect(await state(id)).toBe('complete');
      const done = await up(CHANGED);
      expect(done.errors).toEqual([]);
    });

    story('and it waits', async () => {
      await upTo(SHOP);
      const id = await foreign();
      expect((await up(busy('wait'))).errors).toEqual([]);
      expect(await state(id)).toBe('complete');
    });

    story('and it waits, but theirs fails: it is theirs to decide', async () => {
      await upTo(SHOP);
      failing('db/compute');
      const id = await foreign();
      await fails(busy('wait'), /of maria is failed/);
      expect(await state(id)).toBe('failed');
    });

    story('and it waits, but theirs is canceled: ours continues', async () => {
      await upTo(SHOP);
      const id = await foreign();
      const move = (deploymentState: string) =>
        world.other.call(routes.deployments.update, {
          address: { ...AT, deployment: String(id) },
          body: { cms_deployment: { deploymentState } },
        });
      await move('paused');
      await newest();
      world.clock.advance(10_000);
      await move('canceled');
      expect((await up(busy('wait'))).errors).toEqual([]);
    });

    story('and it cancels', async () => {
      await upTo(SHOP);
      const id = await foreign();
      expect((await up(busy('proceed'))).errors).toEqual([]);
      expect(await state(id)).toBe('canceled');
    });

    story('and theirs has failed: the pull does not cancel it', async () => {
      const spec = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
      await upTo(spec);
      failing('db/compute');
      const id = await foreign();
      world.clock.advance(600_000);
      expect(await state(id)).toBe('failed');
      const clouds = await world.other.call(routes.clouds.list, {});
      await world.other.call(routes.environmentPlatforms.configureCloud, {
        address: { ...AT, platform: 'web' },
        body: {
          cloud_id: String(clouds.find(({ ciName }) => ciName === 'west')?.ciId),
          attributes: { pct_scale: '30' },
        },
      });
      await fails(withProd({ clouds: spec.environments?.['prod']?.clouds ?? {} }, CHANGED), /maria/);
      expect(await state(id)).toBe('failed');
    });
  });

  describe('an environment', () => {
    story('is taken down and comes back', async () => {
      await upTo(SHOP);
      await upTo({ ...SHOP, environments: {} });
      await upTo(SHOP);
    });

    story('stays while only its deployment is taken out, and runs again with it', async () => {
      await upTo(SHOP);
      const down = await up(withProd({ deploy: false }));
      expect(down.errors).toEqual([]);
      expect(
        await world.api.call(routes.operations.environmentInstances, {
          address: AT,
          query: { instances_state: 'all' },
        }),
      ).toEqual([]);
      expect((await up(SHOP)).errors).toEqual([]);
      expect(await differences(world, SHOP)).toEqual([]);
    });

    story('taken down before anything ran there runs when its deployment is back', async () => {
      await up({ ...SHOP, environments: { prod: {} } });
      await up({ ...SHOP, environments: { prod: { deploy: false } } });
      expect((await up(SHOP)).errors).toEqual([]);
      expect(await differences(world, SHOP)).toEqual([]);
    });

    story('keeps what runs when its deployment says so, also when it said so only lately', async () => {
      await upTo(SHOP);
      await upTo(withProd({ deploy: { onDelete: 'retain' } }));
      expect((await up(withProd({ deploy: false }))).errors).toEqual([]);
      expect(await differences(world, SHOP)).toEqual([]);
    });

    story('keeps what runs when everything is destroyed, and says so', async () => {
      const spec = withProd({ deploy: { onDelete: 'retain' } });
      await upTo(spec);
      const done = await destroy();
      expect([done.errors, [...stack.keys()]]).toEqual([[], []]);
      expect(done.notices.join('\n')).toMatch(/acme\/shop\/prod[^]*onDelete: retain/);
      expect(world.writes()).toEqual([]);
      expect(await differences(world, spec)).toEqual([]);
    });

    story('without clouds is possible', async () => {
      const { clouds: _, ...rest } = SHOP.environments?.['prod'] ?? {};
      const done = await up({ ...SHOP, environments: { prod: rest } });
      expect(done.errors).toEqual([]);
      await upTo(SHOP);
    });

    story('whose attributes changed along with clouds that are refused is as it was, once taken back', async () => {
      await upTo(SHOP);
      await fails(withProd({ description: 'live', clouds: { nowhere: { priority: 1 } } }), /no cloud "nowhere"/);
      await upTo(SHOP);
    });

    story('follows availability only of platforms that come', async () => {
      await upTo(withProd({ platformAvailability: { web: 'redundant' } }));
      await fails(withProd({ platformAvailability: { web: 'single' } }), /cannot become single in place/);
      await upTo(withProd({ platformAvailability: { web: 'redundant' } }));
    });
  });

  describe('who owns what', () => {
    story('a platform that becomes existing is let go, not swept', async () => {
      await upTo(SHOP);
      const let_go: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, db: { existing: true } } };
      expect((await up(let_go)).errors).toEqual([]);
      expect(await differences(world, SHOP)).toEqual([]);
      const { db: _, ...platforms } = let_go.platforms ?? {};
      expect((await up(withWeb({ links: ['db'] }, { ...let_go, platforms }))).errors).toEqual([]);
      expect((await world.api.call(routes.platforms.list, { address: AT })).map(({ ciName }) => ciName).sort()).toEqual(
        ['db', 'web'],
      );
    });

    story('a platform that was existing and is owned now goes when it leaves the file', async () => {
      await upTo(SHOP);
      const existing: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, db: { existing: true } } };
      await up(existing);
      await up(SHOP);
      await upTo(withWeb({ links: [] }, { ...SHOP, platforms: { web: WEB } }));
    });

    story('an assembly of another stack: its open design release is not ours to commit', async () => {
      const { prod: _, ...rest } = SHOP.environments ?? {};
      await upTo({ ...SHOP, environments: rest });
      stack = emptyStack;
      await world.other.call(routes.platforms.update, {
        address: { assembly: 'shop', platform: 'db' },
        body: { cms_dj_ci: { ciName: 'db', ciAttributes: { description: 'half done' } } },
      });
      const before = await world.api.call(routes.designReleases.latest, { address: { assembly: 'shop' } });
      const theirs: StackSpec = { existing: true, environments: { prod: { clouds: { east: { priority: 1 } } } } };
      expect((await up(theirs)).errors).toEqual([]);
      expect(await world.api.call(routes.designReleases.latest, { address: { assembly: 'shop' } })).toEqual(before);
      expect((await up(theirs)).steps).toEqual([]);
      expect((await destroy()).errors).toEqual([]);
      expect(await world.api.call(routes.designReleases.latest, { address: { assembly: 'shop' } })).toEqual(before);
    });

    story('a resource of one organization is never looked for in another', async () => {
      await upTo(SHOP);
      const elsewhere: World = {
        ...world,
        api: createApi({
          url: 'http://127.0.0.1',
          organization: 'globex',
          token: 'admin-token',
          dialect: 'auto',
          send: world.service.handle,
        }),
      };
      world.requests();
      const done = await run(elsewhere, stack, resourcesOf(CHANGED));
      expect(done.errors.join('\n')).toMatch(
        /organization "globex" not found|a redirect to its page for what is not there/,
      );
      expect(world.requests()).toEqual(['GET organizations.read']);
      const gone = await run(elsewhere, stack, []);
      expect(gone.errors.join('\n')).toMatch(/not .* in organization globex/);
      expect(world.requests()).toEqual([]);
    });

    test('a component of another template that another user made is not taken for ours', async () => {
      const bare = withWeb({ components: {} }, { ...SHOP, environments: {} });
      await upTo(bare);
      const address = { assembly: 'shop', platform: 'web' };
      await world.other.call(routes.components.create, {
        address,
        body: { cms_dj_ci: { ciName: 'deployer', ciAttributes: {} }, template_name: 'job' },
      });
      const foreign = async () => {
        const all = await world.api.call(routes.components.list, { address });
        return all.find(({ ciName, ciClassName }) => ciName === 'deployer' && ciClassName.endsWith('.Job'));
      };
      const before = await foreign();
      const declared = withWeb({ components: { deployer: DEPLOYER } }, bare);
      // Ours is made next to it; where it is not committed, the commit would include it.
      if (dialect === 'classic') await fails(declared, /component web\/deployer: add by maria/);
      else expect((await up(declared)).errors).toEqual([]);
      expect(before).toBeDefined();
      expect(await foreign()).toEqual(before);
    });
  });

  describe('variables', () => {
    const BARE = withWeb({ pack: 'play', links: [] }, { ...SHOP, platforms: { web: WEB } });
    const of = (assembly: Variables = {}, web: Variables = {}, prod: Variables = {}): StackSpec => ({
      ...withWeb({ variables: web }, withProd({ variables: prod }, BARE)),
      variables: assembly,
    });
    const secret = (encryptedValue: string) => ({ encryptedValue });

    story('added, changed and removed, in every place', async () => {
      await upTo(BARE);
      const added = of({ LEVEL: 'info', ZONE: 'a' }, { SIZE: '1' }, { LEVEL: 'warn' });
      await upTo(added);
      const changed = await up(of({ LEVEL: 'debug', ZONE: 'a' }, { SIZE: '2' }, { LEVEL: 'error' }));
      expect(changed.steps).toEqual([
        'update Variable::variables/LEVEL',
        'update Variable::platforms/web/variables/SIZE',
        'update DesignRelease::shop',
        'update Environment::prod',
        'update Variable::environments/prod/variables/LEVEL',
        'update Deployment::prod',
      ]);
      await expectClean(of({ LEVEL: 'debug', ZONE: 'a' }, { SIZE: '2' }, { LEVEL: 'error' }));
      await upTo(of({ LEVEL: 'debug' }));
      await upTo(BARE);
    });

    story("an environment's own value goes, and follows the design again", async () => {
      await upTo(of({ LEVEL: 'info' }, {}, { LEVEL: 'warn' }));
      await upTo(of({ LEVEL: 'info' }));
      await upTo(of({ LEVEL: 'debug' }));
    });

    story("a secret of the design is what an environment's own value gives way to, on the machines too", async () => {
      const reading = (spec: StackSpec): StackSpec =>
        withComponents({ deployer: { ...DEPLOYER, attributes: { username: '$OO_GLOBAL{USER}' } } }, spec);
      await upTo(reading(of({ USER: secret('s3cret-one') }, {}, { USER: 'prod' })));
      await upTo(reading(of({ USER: secret('s3cret-one') })));
      await upTo(reading(of({ USER: secret('s3cret-one') }, {}, { USER: secret('s3cret-two') })));
      await upTo(reading(of({ USER: secret('s3cret-one') })));
    });

    story("a pack's own are adopted and given back", async () => {
      await upTo(of({}, { HEAP: '2g' }));
      expect(stack.get('Variable::platforms/web/variables/HEAP')?.outputs['origin']).toBe('pack');
      await upTo(of({}, { HEAP: '3g' }));
      await upTo(BARE);
    });

    story('a secret of a pack is left as it is when it is given back, and that is said', async () => {
      await upTo(of({}, { SESSION_KEY: secret('s3cret-one') }));
      const done = await upTo(BARE);
      expect(done.notices.join('\n')).toMatch(/SESSION_KEY is a secret that nobody can read/);
    });

    story('a secret changes, becomes plain, and a secret again', async () => {
      await upTo(of({ KEY: secret('s3cret-one') }, { KEY: secret('s3cret-two') }));
      const next = of({ KEY: secret('s3cret-3') }, { KEY: secret('s3cret-four') });
      await up(next);
      expect(world.writes()).toEqual(
        expect.arrayContaining(['PUT designVariables.update', 'PUT platformVariables.update']),
      );
      await expectClean(next);
      await upTo(of({ KEY: 'plain' }, { KEY: 'plain' }, { KEY: secret('s3cret-5') }));
      await upTo(of({ KEY: secret('s3cret-6') }, { KEY: secret('s3cret-7') }, { KEY: 'plain' }));
    });

    story('what another user made of one is found, refused, and set back with a refresh', async () => {
      const spec = of({ LEVEL: 'info', KEY: secret('s3cret-one') }, { HEAP: '2g' }, { LEVEL: 'warn' });
      await upTo(spec);
      const put = (name: string, ciAttributes: { readonly [name: string]: string }) =>
        world.other.call(routes.designVariables.update, {
          address: { assembly: 'shop', variable: name },
          body: { cms_dj_ci: { ciName: name, ciAttributes } },
        });
      await put('LEVEL', { value: 'trace' });
      await put('KEY', { secure: 'false', value: 'open', encrypted_value: '' });
      expect(await drift(world, stack)).toEqual([
        'Variable::variables/LEVEL value',
        'Variable::variables/KEY encryptedValue',
      ]);
      const mine = of({ LEVEL: 'debug', KEY: secret('s3cret-one') }, { HEAP: '2g' }, { LEVEL: 'warn' });
      await fails(mine, /value was changed by maria/);
      await upTo(spec, { refresh: true });
    });

    story('one that exists with another value is reported, and taken over when asked', async () => {
      await upTo(BARE);
      const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'theirs' } } };
      await world.other.call(routes.designVariables.create, { address: { assembly: 'shop' }, body });
      await fails(of({ LEVEL: 'info' }), /already there and differs[^]*"theirs"/);
      await upTo(of({ LEVEL: { value: 'info', ...{ adopt: true } } }));
    });

    story('one of an environment that the design does not have is reported', async () => {
      await fails(of({}, {}, { LEVEL: 'warn' }), /the environment has no variable "LEVEL"/);
    });

    story('killed after each write', async () => {
      const before = of({ LEVEL: 'info', OLD: 'x' }, { HEAP: '2g', SIZE: '1' }, { LEVEL: 'warn' });
      const after = of({ LEVEL: 'debug', KEY: secret('s3cret-one') }, { SIZE: '2' }, { KEY: 'prod' });
      await killedAfterEach(before, after, () => upTo(after).then());
    });

    story('protected and retained ones stay', async () => {
      const marked = (mark: 'protect' | 'retain') => of({}, { SIZE: { value: '1', mark } });
      await upTo(marked('protect'));
      await fails(BARE, /SIZE: it is protected/);
      await upTo(marked('retain'));
      expect((await up(BARE)).errors).toEqual([]);
      expect(await differences(world, marked('retain'))).toEqual([]);
    });
  });

  describe('values', () => {
    story('a cloud that another user adds with nothing but defaults shows', async () => {
      await upTo(SHOP);
      const { clouds } = await world.other.call(routes.environments.read, { address: AT });
      const west = (await world.other.call(routes.clouds.list, {})).find(({ ciName }) => ciName === 'west');
      await world.other.call(routes.environments.update, {
        address: AT,
        body: {
          cms_ci: { ciName: 'prod', ciAttributes: {} },
          clouds: { ...(clouds as { [id: string]: { [name: string]: string } }), [String(west?.ciId)]: '1' },
        },
      });
      expect(await drift(world, stack)).toEqual(['Environment::prod clouds']);
      await upTo(SHOP, { refresh: true });
    });

    story('a component that the pack makes depend on another of its class is written all the same', async () => {
      const volumes = (size: string): StackSpec => ({
        platforms: { cache: { pack: 'redisio', components: { 'volume-log': { attributes: { size } } } } },
      });
      await upTo(volumes('5G'));
      await upTo(volumes('6G'));
      await upTo({ platforms: { cache: { pack: 'redisio' } } });
    });

    story('components depend on each other, and no longer', async () => {
      const users = (depends?: readonly string[]): StackSpec =>
        withComponents({
          helper: { type: 'user', attributes: { username: 'helper' }, ...(depends ? { depends } : {}) },
        });
      await upTo(users(['deployer']));
      await upTo(users([]));
      await upTo(users(['deployer']));
    });

    story('a secret attribute of a component is written when it changes', async () => {
      const secret = (password: string): StackSpec => ({
        platforms: { db: { pack: 'mysql', components: { mysql: { attributes: { password } } } } },
      });
      await upTo(secret('one'));
      await up(secret('two'));
      expect(world.writes()).toContain('PUT components.update');
      await expectClean(secret('two'));
    });

    story('a link to a platform that does not exist is reported, and repaired in place', async () => {
      const bare = { ...SHOP, environments: {} };
      await fails(withWeb({ links: ['nowhere'] }, bare), /nowhere/);
      await upTo(bare);
    });
  });
});

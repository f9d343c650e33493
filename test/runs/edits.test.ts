// Edits, removals and failures of a stack, without an engine: the service is compared with the
// file. CRASH_POINTS=all loses every answer (as `make soak` does); else a sample.
import { DIALECTS, routes } from '../../api/contract';
import { createApi } from '../../api/client';
import { answering } from '../world/between';
import { readRelease } from '../../provider/history/environment-releases';
import { testInTurn } from '../dialects-in-turn';
import {
  type Declared,
  drift,
  emptyStack,
  preview,
  run,
  type Run,
  type RunOptions,
  type Stack,
  without,
} from '../world/engine-simulation';
import { eachStack, instancesIn, wrongIn } from '../world/each-stack';
import { BOTH, CHANGED, DEPLOYER, DESIGN, EAST, PROD, SHOP, WEST, priorities } from '../world/shop-spec';
import { helper, withCache, withComponents, withDeployer, withProd, withWeb } from '../world/shop-spec';
import { BARE, type LifeRun, secret, STACK_LIVES, variables } from '../world/stack-lives';
import { pluginFaces } from '../world/plugin-face';
import { type CloudSpec, type EnvironmentSpec, resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, makeWorld, type World } from '../world/world';

const POINTS = process.env['CRASH_POINTS'];
const STEP = POINTS === 'all' ? 1 : POINTS === undefined ? 4 : 2;

const ROBOT = { attributes: { username: 'robot' } };

/** The web of the shop under another name for the engine. */
const RENAMED = withWeb({ logical: 'front' });

const ROBOTS = withDeployer(ROBOT);
/** What leaves a stack, with something else to deploy. */
const REMOVALS: readonly (readonly [title: string, before: StackSpec, after: StackSpec])[] = [
  ['an attachment', SHOP, withDeployer({ attachments: {}, ...ROBOT })],
  ['a component', SHOP, withWeb({ description: 'less', components: {} })],
  ['an adopted component', SHOP, withWeb({ components: { deployer: { ...DEPLOYER, ...ROBOT } } })],
  ['a platform', withCache({}, SHOP), ROBOTS],
  ['a variable of the assembly', { ...SHOP, variables: { LEVEL: 'info' } }, ROBOTS],
  ['a variable of a platform', withWeb({ variables: { HEAP: '2g' } }), ROBOTS],
  ["a pack's own variable", withWeb({ pack: 'play', variables: { HEAP: '2g' } }), withWeb({ pack: 'play' }, ROBOTS)],
  [
    'a variable of an environment',
    withProd({ variables: { LEVEL: 'warn' } }, { ...SHOP, variables: { LEVEL: 'info' } }),
    { ...ROBOTS, variables: { LEVEL: 'info' } },
  ],
  [
    'a cloud configuration',
    withProd({ clouds: priorities(1, 2), platforms: { web: { west: { pctScale: 50 } } } }, helper()),
    withProd(
      { clouds: priorities(1, 2), platforms: {} },
      withComponents({ deployer: { ...DEPLOYER, ...ROBOT } }, helper()),
    ),
  ],
];

test.each(DIALECTS)('%s: a service that begins with the image of another one goes on as that one', async (dialect) => {
  const first = makeWorld(dialect);
  await run(first, emptyStack, resourcesOf(SHOP));
  const copy = makeWorld(dialect, [], first.clock.now(), first.service.image());
  const lives = [];
  for (const { maria, service } of [first, copy]) {
    await maria.useClouds({ west: '1' });
    await maria.configure('web', 'west', { adminstatus: 'inactive' });
    await maria.configure('web', 'east', { adminstatus: 'offline' });
    await maria.rollOut();
    lives.push([service.journal().map(({ ms: _, ...entry }) => entry), service.outages()]);
    service.close();
  }
  expect(lives[1]).toEqual(lives[0]);
  expect(first.service.outages().map(({ what }) => what)).toEqual(['no-active-primary', 'nothing-runs']);
});

describe.each(DIALECTS)('%s', (dialect) => {
  // What both dialects promise is played in one of them; what they do each in its own way in both.
  const story = testInTurn(dialect);
  const world = eachWorld(dialect);
  const own = eachStack(world);

  const up: typeof own.up = (...of) => {
    world.requests();
    return own.up(...of);
  };

  const expectClean = async (spec: StackSpec): Promise<void> => {
    expect(await wrongIn(world, own.stack, spec)).toEqual([]);
    const again = await up(spec);
    expect([again.steps, again.errors, world.requests()]).toEqual([[], [], ['GET clouds.list']]);
  };

  /** Up, and everything is as declared. Lives judge most stacks that stories begin with. */
  const upTo = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    const done = await up(spec, options);
    expect(done.errors).toEqual([]);
    await expectClean(spec);
    return done;
  };

  // What another user or the pack set, no file says.
  for (const by of ['the file', 'maria'])
    story(`with a pctDpmt below 100 of ${by}, runs go on until what runs is the file`, async () => {
      const pctDpmt = by === 'maria' ? {} : { pctDpmt: 25 };
      const sized = (size: string): StackSpec => ({
        platforms: { web: { pack: 'tomcat', components: { compute: { attributes: { size } } } } },
        environments: {
          prod: {
            availability: 'redundant',
            clouds: EAST,
            switches: { web: { scale: { compute: { current: 4, max: 4, ...pctDpmt } } } },
          },
        },
      });
      await upTo(sized('S'));
      if (by === 'maria') {
        await world.maria.scale({ pct_dpmt: '25' });
        await world.maria.rollOut();
      }
      const said =
        'Deployment acme/shop/prod: the deployment left instances of web for the next pulumi up: a pctDpmt below 100, or a later commit';
      for (const [left, refresh] of [[1], [1], [1, true], [0]] as [number, boolean?][]) {
        const { errors, notices } = await up(sized('M'), { refresh: refresh === true });
        expect([errors, notices.filter((notice) => notice === said).length]).toEqual([[], left]);
        const { steps } = await preview(world, own.stack, resourcesOf(sized('M')));
        expect(steps).toEqual(left === 0 ? [] : ['update Deployment::prod']);
      }
      const left = await differences(world, sized('M'));
      expect(left.filter((each) => by === 'the file' || !each.includes('pct_dpmt'))).toEqual([]);
    });

  const expectDestroyed = async (): Promise<void> =>
    expect([[...own.stack.keys()], await differences(world, undefined)]).toEqual([[], []]);

  /** Deployments fail on records whose path contains this. */
  const failing = (record: string): void =>
    world.service.faults.set([
      ...world.service.faults.list(),
      { effect: 'fail-deployment', record, message: 'no room' },
    ]);
  /** The service refuses routes: each request, or the nth. */
  const refusing = (all: readonly string[], nth?: number): void =>
    world.service.faults.set([
      ...world.service.faults.list(),
      ...all.map((route) => {
        const fault = { effect: 'status', status: 422, route, body: { errors: ['no'] } } as const;
        return nth === undefined ? fault : { ...fault, nth };
      }),
    ]);
  const mended = (): void => world.service.faults.set([]);

  /** A fresh world that is as a stack says. */
  const standing = async (spec: StackSpec): Promise<void> => {
    world.close();
    Object.assign(world, makeWorld(dialect));
    own.stack = emptyStack;
    await own.said(spec);
    world.requests();
  };

  /** The state from before the last run of a life. */
  let earlier: Stack;
  /** One run of a life, with all that it promises. */
  const play = async (wanted: LifeRun): Promise<void> => {
    const { to, targets, dependents = [], refused, fails = refused } = wanted;
    await wanted.after?.(world.other);
    own.stack = without(wanted.restores ? earlier : own.stack, ...(wanted.forgets ?? []));
    earlier = own.stack;
    mended();
    if (wanted.failing !== undefined) failing(wanted.failing);
    if (wanted.refusing !== undefined) refusing([wanted.refusing]);
    if (wanted.previewed && to) {
      const { errors } = await preview(world, own.stack, resourcesOf(to));
      expect(errors.join('\n')).toMatch(fails ?? /^$/);
    }
    const only = targets ? { targets: [...targets, ...dependents] } : {};
    const { steps, errors } = await up(to, { refresh: wanted.refresh === true, ...only });
    expect(errors.join('\n')).toMatch(fails ?? /^$/);
    expect(errors.join('\n')).not.toMatch(/defect/);
    if (wanted.steps) expect(steps).toEqual(wanted.steps);
    if (refused) expect(world.writes()).toEqual([]);
    if (fails) expect(world.service.outages()).toEqual([]);
    if (wanted.stands) expect(await differences(world, wanted.stands)).toEqual([]);
    else if (fails) return;
    else if (to === undefined && !targets) await expectDestroyed();
    else if (to && !targets) await expectClean(to);
  };

  story.each(STACK_LIVES.map(({ title, runs }) => [title, runs] as const))('%s', async (_, runs) => {
    for (const each of runs) await play(each);
  });

  test('an attachment changed', async () => {
    await own.said(SHOP);
    expect((await up(CHANGED)).steps).toEqual(['update Attachment::web/motd', ...DEPLOYS]);
    expect(world.writes()).toHaveLength(dialect === 'classic' ? 5 : 4);
    await expectClean(CHANGED);
  });

  const newest = () => world.api.call(routes.deployments.latest, { address: PROD });

  const DEPLOYS = ['update DesignRelease::shop', 'update Environment::prod', 'update Deployment::prod'];

  story('what another user changed and the file then says, too, reaches the machines', async () => {
    await own.said(SHOP);
    for (const size of ['L', 'XL']) {
      await world.maria.set('web/compute', { size });
      const accepted = withComponents({ compute: { attributes: { size } } });
      const done = await up(accepted, { refresh: true });
      expect([done.errors, done.steps]).toEqual([[], DEPLOYS]);
      await expectClean(accepted);
    }
  });

  story('from one cloud to another in two environments, with one deployment each', async () => {
    const on = (clouds: typeof EAST | typeof WEST): StackSpec => ({
      ...SHOP,
      environments: { prod: { clouds }, staging: { clouds } },
    });
    await own.said(on(EAST));
    const done = await upTo(on(WEST));
    expect(done.steps.filter((step) => step.includes('Deployment'))).toHaveLength(2);
  });

  describe('a logical rename', () => {
    beforeEach(async () => void (await own.said(SHOP)));

    story('destroys nothing and writes nothing', async () => {
      const { notices } = await own.fine(RENAMED);
      expect(notices.join('\n')).toMatch(/add an alias/);
      await expectClean(RENAMED);
    });

    story('with an alias nothing happens at all', async () => {
      const aliased = resourcesOf(RENAMED).map((each) => {
        const former = each.key.replace('::front', '::web');
        return former === each.key ? each : { ...each, alias: former };
      });
      const done = await run(world, own.stack, aliased);
      expect([done.errors, done.steps, done.notices]).toEqual([[], [], []]);
      own.stack = done.stack;
      await expectClean(RENAMED);
    });

    story('together with a change: an error with advice, and nothing is lost', async () => {
      expect(await own.refused(withWeb({ logical: 'front', description: 'front' }))).toMatch(/add an alias/);
      expect(await differences(world, SHOP)).toEqual([]);
      await upTo(SHOP);
    });

    story('while the deployment fails: the next run destroys nothing either', async () => {
      failing('web/deployer');
      const changed = withWeb({ logical: 'front' }, ROBOTS);
      expect(await own.refused(changed)).toMatch(/.+/);
      mended();
      await up(changed);
      const taken = await up(RENAMED);
      expect(taken.errors.concat(taken.notices).join('\n')).toMatch(/alias/);
      const platforms = await world.api.call(routes.platforms.list, { address: PROD });
      expect(platforms.map(({ ciName }) => ciName).sort()).toEqual(['db', 'web']);
    });
  });

  story('a component of another template whose commit fails, and that is taken out', async () => {
    await own.said(DESIGN);
    refusing(['designReleases.commit']);
    await up(withDeployer({ type: 'job', attributes: { minute: '5' } }, DESIGN));
    mended();
    await upTo(withWeb({ components: {} }, DESIGN));
  });

  story.each(['the run', 'somebody'])('a deployment fails: a refresh shows it, and %s retries it', async (by) => {
    await own.said(SHOP);
    failing('web/deployer');
    expect(await own.refused(CHANGED)).toMatch(/no room/);
    // The state has the inputs before the failed update. A terminal does not show the hidden one.
    expect(await drift(world, own.stack)).toEqual(['Deployment::prod stamps', 'Deployment::prod state']);
    const failed = await newest();
    mended();
    if (by === 'somebody') await world.admin.move('active');
    await upTo(CHANGED);
    expect((await newest()).deploymentId).toBe(failed.deploymentId);
  });

  story.each(
    REMOVALS.flatMap(([title, before, after]) =>
      [['deployment'], ['environments.pull'], ['environments.commit', 'designReleases.commit']].map(
        (refused) => [title, refused, before, after] as const,
      ),
    ),
  )('a removal of %s is taken back after the run failed: %p', async (_, refused, before, after) => {
    await own.said(before);
    if (refused[0] === 'deployment') failing('web/deployer');
    else refusing(refused);
    await up(after);
    const all = resourcesOf(before);
    expect((await preview(world, own.stack, all)).errors).toEqual([]);
    // A run that fails, too, changes nothing of that.
    if (refused.length > 1) await up(before);
    mended();
    // Also where an option is all that differs.
    if (refused[0] === 'environments.pull') await own.said(all.map((each) => ({ ...each, mark: 'protect' })));
    await upTo(before);
  });

  test.each([false, true])('the delete of a run that failed is discarded; refreshed: %s', async (refresh) => {
    const key = 'Component::web/deployer';
    await own.said(SHOP);
    await world.maria.commit(world.maria.set('web/deployer', { home_directory: '/x' }));
    const kept = own.stack.get(key) as NonNullable<ReturnType<(typeof own.stack)['get']>>;
    own.stack = new Map([...own.stack, [key, { ...kept, outputs: { ...kept.outputs, origin: 'adopted' } }]]);
    refusing(['designReleases.commit', 'environments.commit']);
    await up(withWeb({ components: {} }));
    mended();
    await world.admin.discard();
    await own.said(SHOP, { refresh });
    expect(own.stack.get(key)?.outputs['origin']).toBe(dialect === 'classic' ? 'adopted' : 'created');
  });

  const onTwo = (web: { readonly [cloud: string]: CloudSpec }): StackSpec =>
    withProd({ clouds: priorities(1, 2), platforms: { web } });
  story.each<readonly [StackSpec, EnvironmentSpec, string, number]>([
    [SHOP, { clouds: priorities(1, 2), platforms: { web: { west: { dpmtOrder: 3 } } } }, '', 2],
    [withProd({ switches: { db: { enabled: false } } }), { description: 'live' }, 'admin enabled platform db', 2],
    [onTwo({ west: { pctScale: 50 } }), {}, '', 5],
    [onTwo({ east: { priority: 2 }, west: { priority: 1 } }), {}, '', 4],
  ])(
    'values of a cloud, and a switch, of a run that was killed are taken back: %#',
    async (before, prod, words, killAfter) => {
      await own.said(before);
      await up(withProd(prod), { killAfter });
      expect((await upTo(before)).notices.join()).toContain(words);
    },
  );

  story.each([
    'designReleases.commit',
    'environments.update',
    'environments.pull',
    'environmentPlatforms.configureCloud',
    'environments.commit',
    'deployments.create',
  ])(
    'one request of a change fails, %s: the next run continues after a refresh, or the change is taken back',
    async (route) => {
      const clouds = priorities(1, 2);
      const BEFORE = withProd({ clouds, platforms: { web: { west: { pctScale: 50 } } } });
      const AFTER = withProd(
        { clouds: { ...clouds, east: { priority: 1, dpmtOrder: 2 } }, platforms: {}, description: 'live' },
        withDeployer({ ...ROBOT, attachments: {} }),
      );
      for (const nth of POINTS === undefined ? [1 + DIALECTS.indexOf(dialect)] : [1, 2]) {
        await standing(BEFORE);
        refusing([route], nth);
        await up(AFTER);
        mended();
        await upTo(AFTER, { refresh: true });
        await upTo(BEFORE);
        await standing(BEFORE);
        refusing([route], nth);
        // A refresh forgets that a changed default was tried: platforms that got it keep it.
        await up({ ...AFTER, environments: { prod: { ...AFTER.environments?.['prod'], clouds } } });
        mended();
        await upTo(BEFORE);
      }
    },
  );

  story.each([true, false])('the answer of each POST in turn is lost, carried out: %s', async (applied) => {
    const spec = withProd({ platforms: { web: { east: { pctScale: 50 } } } });
    const next = withProd({ clouds: priorities(1, 2) }, withDeployer({ ...ROBOT, attachments: {} }));
    for (let nth = 1; nth < 20; nth += Math.ceil(STEP / 2)) {
      await standing({});
      for (const to of [spec, next]) {
        world.service.faults.set([{ effect: 'drop', method: 'POST', nth, applied }]);
        let done = await up(to);
        if (done.errors.length > 0) done = await up(to);
        mended();
        expect([nth, done.errors]).toEqual([nth, []]);
        await expectClean(to);
      }
      if (!world.service.journal().some(({ fault }) => fault !== undefined)) break;
    }
  });

  describe('destroyed', () => {
    story('in order, with one delete for the assembly', async () => {
      await upTo(withProd({ platforms: { web: { east: { pctScale: 50 } } } }));
      expect((await up()).errors).toEqual([]);
      expect(world.writes().filter((write) => write.startsWith('DELETE'))).toEqual([
        'DELETE environments.delete',
        'DELETE assemblies.delete',
      ]);
      await expectDestroyed();
    });

    story('an environment of another user stops it; then up takes over what exists', async () => {
      await own.said(DESIGN);
      const [cloud] = await world.other.call(routes.clouds.list, {});
      await world.other.call(routes.environments.create, {
        address: { assembly: 'shop', environment: 'theirs' },
        body: {
          clouds: { [String(cloud?.ciId)]: '1' },
          platform_availability: { none: 'default' },
          cms_ci: { ciName: 'theirs', ciAttributes: {} },
        },
      });
      expect(await own.refused(undefined)).toMatch(/theirs/);
      await own.said(DESIGN);
    });
  });

  describe('another user deploys', () => {
    /** Maria changes something in the environment, and deploys it. */
    const foreign = async (): Promise<number> => {
      await world.maria.set('prod:db/compute', { size: 'XL' });
      await world.maria.commitEnvironment();
      return world.maria.begin();
    };

    const state = async (deploymentId: number): Promise<string> =>
      (await world.api.call(routes.deployments.status, { address: { ...PROD, deployment: String(deploymentId) } }))
        .deploymentState;

    const busy = (whenBusy: string): StackSpec => withProd({ deploy: { whenBusy } }, CHANGED);

    story('and by default it fails: who deploys is named, and the environment is left as it is', async () => {
      await own.said(SHOP);
      const id = await foreign();
      expect(await own.refused(CHANGED)).toMatch(new RegExp(`deployment ${id} of maria is active since`));
      expect(await state(id)).toBe('active');
      world.clock.advance(600_000);
      expect(await state(id)).toBe('complete');
      await own.said(CHANGED);
    });

    story.each(['active', 'paused'])('and the preview says so in the words of the run: %s', async (to) => {
      await own.said(SHOP);
      const id = await foreign();
      if (to === 'paused') await world.maria.move(to);
      const words = new RegExp(`the environment is busy: deployment ${id} of maria is ${to} since`);
      const shown = await preview(world, own.stack, resourcesOf(CHANGED));
      expect(shown[to === 'paused' ? 'errors' : 'notices'].join()).toMatch(words);
      const waiting = await preview(world, own.stack, resourcesOf(busy('wait')));
      expect([...waiting.errors, ...waiting.notices]).toEqual([]);
    });

    story.each([
      ['wait', 'complete', false],
      ['proceed', 'canceled', true],
    ])('with whenBusy: %s, theirs ends as %s, and the row says so: %s', async (whenBusy, end, isSaid) => {
      await own.said(SHOP);
      const id = await foreign();
      expect(/canceled: deployment \d+ of maria/.test(await own.said(busy(whenBusy)))).toBe(isSaid);
      expect(await state(id)).toBe(end);
    });

    story('and it waits, but theirs fails: it is theirs to decide', async () => {
      await own.said(SHOP);
      failing('db/compute');
      const id = await foreign();
      expect(await own.refused(busy('wait'))).toMatch(/of maria is failed/);
      expect(await state(id)).toBe('failed');
    });

    story('and theirs has failed: the pull does not cancel it', async () => {
      await own.said(BOTH);
      failing('db/compute');
      const id = await foreign();
      world.clock.advance(600_000);
      expect(await state(id)).toBe('failed');
      await world.maria.configure('web', 'west', { pct_scale: '30' });
      expect(await own.refused(withProd({ clouds: priorities(1, 2) }, CHANGED))).toMatch(/maria/);
      expect(await state(id)).toBe('failed');
    });
  });

  describe('an environment', () => {
    story('stays while only its deployment is taken out, and runs again with it', async () => {
      await own.said(SHOP);
      await own.said(withProd({ deploy: false }));
      expect(await instancesIn(world)).toEqual([]);
      await own.fine(SHOP);
    });

    story('keeps what runs when everything is destroyed, and says so', async () => {
      const spec = withProd({ deploy: { onDelete: 'retain' } });
      await own.said(spec);
      const done = await up();
      expect([done.errors, [...own.stack.keys()]]).toEqual([[], []]);
      expect(done.notices.join('\n')).toMatch(/acme\/shop\/prod[^]*onDelete: retain/);
      expect(world.writes()).toEqual([]);
      expect(await differences(world, spec)).toEqual([]);
    });
  });

  describe('who owns what', () => {
    story('an assembly of another stack: its open design release is not ours to commit', async () => {
      await own.said(DESIGN);
      own.stack = emptyStack;
      await world.maria.set('db', { description: 'half done' });
      const { release } = world.admin;
      const before = await release();
      const theirs: StackSpec = { existing: true, environments: { prod: { clouds: EAST } } };
      await own.said(theirs);
      expect(await release()).toEqual(before);
      expect((await up(theirs)).steps).toEqual([]);
      expect((await up()).errors).toEqual([]);
      expect(await release()).toEqual(before);
    });

    /** The world as other settings reach it. */
    const reached = (settings: { readonly url?: string; readonly organization?: string }, of: World): World => ({
      ...of,
      api: createApi({
        url: 'http://127.0.0.1',
        organization: 'acme',
        token: 'admin-token',
        dialect: 'auto',
        send: of.service.handle,
        ...settings,
      }),
    });

    const EDGE = { key: 'Cloud::edge', token: 'Cloud', args: { name: 'edge', location: 'aws' } };
    const TEAM = { key: 'Team::ops', token: 'Team', args: { name: 'ops' } };
    const GUEST = resourcesOf({ ...SHOP, platforms: {}, existing: true });

    story.each<readonly [string, mine: readonly Declared[], there: readonly Declared[]]>([
      ['a stack: nothing', resourcesOf(SHOP), []],
      ['a stack: a part of it', resourcesOf(SHOP), resourcesOf(withWeb({ components: {} }))],
      ['a stack: all of it', resourcesOf(SHOP), resourcesOf(SHOP)],
      ['a cloud: nothing', [EDGE], []],
      ['a cloud: one of its name', [EDGE], [EDGE]],
      ["an environment: the owner's design", GUEST, resourcesOf(DESIGN)],
      ["an environment: the owner's design, and one of its name", GUEST, resourcesOf(SHOP)],
    ])('another service refuses %s is there', async (_, mine, there) => {
      if (mine === GUEST) await run(world, emptyStack, resourcesOf(DESIGN));
      await own.said(mine);
      const other = makeWorld(dialect, [], Date.UTC(2026, 0, 6));
      const at = reached({ url: 'http://other.example' }, other);
      expect((await run(at, emptyStack, there)).errors).toEqual([]);
      other.writes();
      const without = (...keys: string[]): Stack => new Map([...own.stack].filter(([key]) => !keys.includes(key)));
      const one = { targets: ['Component::web/deployer'] };
      const all: [Stack, readonly Declared[], RunOptions][] = [false, true].flatMap((refresh) => [
        [own.stack, mine, { refresh }],
        [own.stack, [], { refresh }],
        [own.stack, [TEAM, ...mine], refresh ? { targets: [TEAM.key] } : {}],
      ]);
      if (own.stack.has('Platform::web'))
        all.push(
          [without('Assembly::shop'), mine, { refresh: true }],
          [own.stack, resourcesOf(withDeployer(ROBOT)), one],
          [without('Component::web/deployer', 'Attachment::web/motd'), mine, one],
          [without('Assembly::shop', 'Component::web/deployer', 'Attachment::web/motd'), mine, one],
          [own.stack, [], { targets: ['Deployment::prod'] }],
        );
      for (const faces of [{}, { faceOf: pluginFaces(/never/).faceOf }])
        for (const [stack, declared, options] of all) {
          const done = await run({ ...at, ...faces }, stack, declared, options);
          const says = /of this stack is at http:\/\/127.0.0.1\/acme, and not at http:\/\/other.example\/acme/;
          expect(done.errors).toContainEqual(expect.stringMatching(says));
          expect([[...done.stack.keys()], other.writes()]).toEqual([[...stack.keys()], []]);
        }
      other.close();
    });

    story('a service under another address is known by its oldest cloud', async () => {
      await own.said(SHOP);
      world.writes();
      const moved = reached({ url: 'http://new.example' }, world);
      for (const refresh of [false, true]) {
        const { steps, stack, errors, notices } = await run(moved, own.stack, resourcesOf(SHOP), { refresh });
        expect([errors, steps, stack.size, world.writes()]).toEqual([[], [], own.stack.size, []]);
        expect(notices).toEqual([expect.stringMatching(/was at http:\/\/127.0.0.1; http:\/\/new.example has/)]);
      }
      const unknown = { ...moved, api: answering(moved.api, routes.clouds.list, (all) => all.slice(1)) };
      expect((await run(unknown, own.stack, [])).errors[0]).toMatch(/, and not at http:\/\/new.example\/acme/);
      const less = withWeb({ components: {} });
      let { stack } = await run(moved, own.stack, resourcesOf(less));
      expect(await differences(world, less)).toEqual([]);
      // Somebody deletes all of it.
      await run(world, stack, []);
      ({ stack } = await run(moved, stack, resourcesOf(less), { refresh: true }));
      expect(await differences(world, less)).toEqual([]);
      await run(world, stack, []);
      expect(await run(moved, stack, [])).toMatchObject({ errors: [], stack: emptyStack });
      // The destroy deletes the only cloud first.
      for (const cloud of ['east', 'west']) await world.api.call(routes.clouds.delete, { address: { cloud } });
      await own.said([EDGE]);
      await own.said([TEAM, { ...EDGE, args: { ...EDGE.args, description: 'new' } }]);
      expect(await run(moved, own.stack, [])).toMatchObject({ errors: [], stack: emptyStack });
    });

    story('a cloud that an environment uses stays with its services, here and in the state', async () => {
      const attributes = { endpoint: 'https://nova', tenant: 'a', username: 'b', password: 'c' };
      const args = { cloud: 'edge', name: 'nova', attributes };
      const service = { key: 'CloudService::nova', token: 'CloudService', args, after: [EDGE.key] };
      const shop = resourcesOf(withProd({ clouds: { ...EAST, edge: { priority: 2 } }, deploy: false }));
      const all = [EDGE, service, ...shop];
      await own.said(all);
      const made = own.stack;
      expect(await own.refused(shop)).toMatch(
        /CloudService::nova: [^]*shop\/prod still uses the cloud[^]*declare the cloud without/,
      );
      expect(own.stack.get(service.key)).toEqual(made.get(service.key));
      expect((await own.up(all)).steps).toEqual([]);
      const left = [{ ...EDGE, args: { name: 'edge', existing: true } }, ...shop];
      // A limited run does not see that the cloud stays.
      const limited = await own.refused(left, { targets: [service.key] });
      expect(limited).toMatch(/still uses the cloud[^]*run pulumi up without --target, which deletes it/);
      await own.said(left);
      expect(await world.api.call(routes.cloudServices.list, { address: { cloud: 'edge' } })).toEqual([]);
    });

    story.each([false, true])('a resource of one organization is never looked for in another: %s', async (isThere) => {
      await own.said(SHOP);
      if (isThere) await world.api.call(routes.organizations.create, { body: { name: 'globex' } });
      const elsewhere = reached({ organization: 'globex' }, world);
      world.requests();
      const says = /is at http:\/\/127.0.0.1\/acme, and not at http:\/\/127.0.0.1\/globex/;
      const lacks = /organization "globex" not found|a redirect to its page for what is not there/;
      for (const [all, refresh] of [
        [CHANGED, false],
        [CHANGED, true],
        [undefined, true],
        [undefined, false],
      ] as const) {
        const done = await run(elsewhere, own.stack, all ? resourcesOf(all) : [], { refresh });
        const asks = all !== undefined && !refresh;
        expect(done.errors.join('\n')).toMatch(asks && !isThere ? lacks : says);
        expect([done.stack, world.requests()]).toEqual([own.stack, asks ? ['GET clouds.list'] : []]);
      }
    });
  });

  describe('variables', () => {
    story("a pack's own are adopted and given back", async () => {
      await upTo(variables({}, { HEAP: '2g' }));
      expect(own.stack.get('Variable::platforms/web/variables/HEAP')?.outputs['origin']).toBe('pack');
      await upTo(variables({}, { HEAP: '3g' }));
      await upTo(BARE);
    });

    story('a secret of a pack is left as it is when it is given back, and that is said', async () => {
      await upTo(variables({}, { SESSION_KEY: secret('s3cret-one') }));
      const done = await upTo(BARE);
      expect(done.notices.join('\n')).toMatch(/SESSION_KEY is a secret that nobody can read/);
    });
  });

  describe('a preview', () => {
    /** Platforms of which the newest deployment made, changed or took away an instance. */
    const deployedPlatforms = async (): Promise<readonly string[]> => {
      const { releaseId } = await world.api.call(routes.deployments.latest, { address: PROD });
      const { rfc_cis: changes = [] } = await readRelease({ api: world.api, at: PROD }, releaseId);
      return [...new Set(changes.map(({ nsPath }) => nsPath.split('/')[5] ?? ''))].sort();
    };

    const ALL = withCache({ pack: 'redisio' }, SHOP);
    const withPlatform = (name: string): StackSpec => ({ ...ALL, platforms: { ...ALL.platforms, [name]: {} } });
    const { db: _, ...withoutDb } = withWeb({ links: [] }, ALL).platforms ?? {};
    const bothFirst = withProd({ clouds: priorities(1, 1) });
    const inProd = withProd({ overrides: { web: { components: { compute: { attributes: { size: 'L' } } } } } }, ALL);
    const inWeb = withComponents({ helper: { type: 'user', attributes: ROBOT.attributes } }, ALL);

    story.each<readonly [string, StackSpec, string, string, readonly string[]]>([
      ['a new platform', withPlatform('front'), '+front', 'new platform front; ~prod', ['front']],
      [
        'a new platform to which another one links',
        withWeb({ links: ['db', 'front'] }, withPlatform('front')),
        '+front ~web',
        'new platform front; ~prod',
        ['front'],
      ],
      [
        'a new platform and a variable of all platforms that nothing uses',
        { ...withPlatform('front'), variables: { LEVEL: 'warn' } },
        '+$LEVEL +front',
        'new platform front; ~prod',
        ['front'],
      ],
      [
        'a platform that leaves, and one that linked to it',
        { ...ALL, platforms: withoutDb },
        '-db ~web',
        'leaving platform db (5 of 20 instances); ~prod',
        ['db'],
      ],
      ['a new component', inWeb, '+web/helper', '~prod in platform web (6 of 20 instances)', ['web']],
      ['a component that leaves', ALL, '-web/helper', '~prod in platform web (7 of 21 instances)', ['web']],
      ['a description of the environment', withProd({ description: 'the shop' }, ALL), '', '~prod', []],
      [
        'a cloud of the environment',
        withProd({ clouds: priorities(1, 1) }, ALL),
        '',
        '~prod perhaps in platforms cache, db, web (20 instances)',
        ['cache', 'db', 'web'],
      ],
    ])('says which platforms it is about: %s', async (_, spec, commits, deploys, about) => {
      await own.said(spec === ALL ? inWeb : ALL);
      const deployed = await deployedPlatforms();
      const { shown } = await preview(world, own.stack, resourcesOf(spec));
      expect(shown.filter((row) => /will (commit|deploy)/.test(row))).toEqual([
        ...(commits === '' ? [] : [`DesignRelease acme/shop: will commit: ${commits}`]),
        `Deployment acme/shop/prod: will deploy: ${deploys}`,
      ]);
      await own.fine(spec);
      expect(await deployedPlatforms()).toEqual(about.length === 0 ? deployed : about);
    });

    test('says which platforms it is about after runs that stopped before their commits and their pull', async () => {
      await upTo(ALL);
      const { db: __, ...platforms } = withWeb({ links: [] }, inWeb).platforms ?? {};
      const spec: StackSpec = { ...inWeb, platforms: { ...platforms, front: {} } };
      const isStaged = dialect === 'classic';
      // The commit of the design, the pull, the commit of the environment, the deployment.
      for (const refuseWrite of [5, isStaged ? 2 : 1, 2, 2]) {
        expect((await up(spec, { refuseWrite })).errors).toHaveLength(1);
        const { shown } = await preview(world, own.stack, resourcesOf(spec));
        expect(shown).toContain(
          `Deployment acme/shop/prod: will deploy: leaving platform db (5 of 20 instances); new platform front; ~prod in platform web (6 of 20 instances)`,
        );
      }
      await own.fine(spec);
      expect(await deployedPlatforms()).toEqual(['db', 'front', 'web']);
      // The next run changes nothing of its own.
      const again = withWeb(
        { links: [], description: 'again', variables: { HEAP: '3g' } },
        { ...spec, platforms: { ...spec.platforms, late: {} } },
      );
      expect((await up(again, { refuseWrite: isStaged ? 6 : 5 })).errors).toHaveLength(1);
      const { shown } = await preview(world, own.stack, resourcesOf(again));
      expect(shown).toEqual([
        'Deployment acme/shop/prod: will deploy: new platform late; changes of an earlier run in platform web (7 of 21 instances)',
      ]);
    });

    if (dialect === 'classic')
      test('says that links alone wait for a commit, and of a record that somebody committed nothing', async () => {
        await own.said(ALL);
        const spec = withWeb({ links: [] }, ALL);
        const committing = async () => (await preview(world, own.stack, resourcesOf(spec))).shown.join('\n');
        expect((await up(spec, { refuseWrite: 2 })).errors).toHaveLength(1);
        expect(await committing()).toContain('will commit: ~web');
        await world.maria.commit();
        await world.maria.set('db/compute', { size: 'XL' });
        expect(await committing()).not.toContain('~web');
      });

    story.each<readonly [string, StackSpec, StackSpec, number, string]>([
      ['a component of the environment', ALL, inProd, 3, 'in platform web (6 of 20 instances)'],
      ['a cloud, written', BOTH, bothFirst, 4, 'perhaps in platforms db, web (22 instances)'],
      ['a cloud', SHOP, BOTH, 3, 'in platforms db, web (11 instances)'],
    ])('says which platforms it is about after a run that stopped: %s', async (_, before, spec, refuseWrite, about) => {
      await own.said(before);
      // What others made and deployed before waits no longer.
      await world.maria.touch('db/compute');
      await world.maria.rollOut();
      expect((await up(spec, { refuseWrite })).errors).toHaveLength(1);
      const { shown } = await preview(world, own.stack, resourcesOf(spec));
      expect(shown.at(-1)).toBe(`Deployment acme/shop/prod: will deploy: changes of an earlier run ${about}`);
      await own.fine(spec);
    });

    story.each([true, false])('names who made what waits after a moved stamp; committed: %s', async (isCommitted) => {
      const described = (description: string): StackSpec => withProd({ description }, ALL);
      await upTo(described('ours'));
      const body = { cms_ci: { ciName: 'prod', ciAttributes: { description: 'hers' } } };
      await world.other.call(routes.environments.update, { address: PROD, body });
      await world.maria.set('prod:db/compute', { size: 'XL' });
      if (isCommitted) await world.maria.commitEnvironment();
      await up(described('ours'), { refresh: true, refuseWrite: 1 });
      const { shown, errors } = await preview(world, own.stack, resourcesOf(described('hers')));
      expect([...shown, ...errors].join()).toMatch(
        isCommitted ? /will deploy: changes of maria in platform db \(/ : /component db\/compute: update by maria/,
      );
    });

    story('says that a platform leaves of which no earlier run saw an instance', async () => {
      await upTo(ALL);
      await world.maria.commit(world.maria.create('evil', { source: 'oneops', pack: 'custom', version: '1' }));
      await world.maria.pull({ evil: 'single' });
      await world.maria.rollOut();
      await world.maria.commit(world.maria.delete('evil'));
      const spec = { ...ALL, variables: { LEVEL: 'warn' } };
      expect((await up(spec, { refuseWrite: dialect === 'classic' ? 5 : 4 })).errors).toHaveLength(1);
      const { shown } = await preview(world, own.stack, resourcesOf(spec));
      expect(shown.at(-1)).toMatch(/^Deployment acme\/shop\/prod: will deploy: leaving platform evil(;|$)/);
    });

    story.each([false, true])(
      'says which platforms it is about, with what others changed of the design; accepted: %s',
      async (isAccepted) => {
        await own.said(ALL);
        await world.maria.create('db/hers', { username: 'hers' }, { template_name: 'user' });
        await world.maria.create('evil', { source: 'oneops', pack: 'custom', version: '1' });
        await world.maria.commit(world.maria.delete('cache'));
        const accept = [`cache: design release ${(await world.maria.release()).releaseId}`];
        const { cache: __, ...platforms } = inWeb.platforms ?? {};
        const spec = isAccepted ? withProd({ deploy: { accept } }, inWeb) : { ...inWeb, platforms };
        const first = await preview(world, own.stack, resourcesOf(spec));
        expect(first.notices.some((notice) => notice.includes('accepted: maria deleted platform cache'))).toBe(
          isAccepted,
        );
        for (const { shown } of [first, await own.up(spec)])
          expect(shown.filter((row) => row.includes('will deploy'))).toEqual([
            'Deployment acme/shop/prod: will deploy: leaving platform cache (9 of 20 instances); new platform evil; ~prod in platforms db, web (11 of 20 instances)',
          ]);
        expect(await deployedPlatforms()).toEqual(['cache', 'db', 'evil', 'web']);
      },
    );
  });
});

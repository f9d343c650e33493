// Edits, removals, failures and kills of a stack, without an engine: what a run makes of the service is compared with what the stack declares.
// CRASH_POINTS=all kills after every write (as `make soak` does); else each dialect takes every other one, and in `make test` every fourth.
import { DIALECTS, routes } from '../../api/contract';
import { createApi } from '../../api/client';
import { testInTurn } from '../dialects-in-turn';
import {
  drift,
  emptyStack,
  preview,
  previewWithInputs,
  run,
  type Run,
  type RunOptions,
  type Stack,
} from '../world/engine-simulation';
import { instancesIn } from '../world/each-stack';
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
} from '../world/shop-spec';
import { resourcesOf, type PlatformSpec, type StackSpec, type Variables } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { makeWorld, type World } from '../world/world';

const AT = { assembly: 'shop', environment: 'prod' };

const POINTS = process.env['CRASH_POINTS'];
const STEP = POINTS === 'all' ? 1 : POINTS === undefined ? 4 : 2;

/** The priorities of east and west. */
const priorities = (east: number, west: number) => ({ east: { priority: east }, west: { priority: west } });
const BOTH = withProd({ clouds: priorities(1, 2) });
const SWAPPED = withProd({ clouds: priorities(2, 1) });
const ON_WEST = withProd({ clouds: WEST });
/** Two environments. */
const TWO: StackSpec = { ...SHOP, environments: { prod: { clouds: EAST }, staging: { clouds: EAST } } };
const DESIGN: StackSpec = { ...SHOP, environments: {} };
const DB_ONLY: StackSpec = { ...withoutWeb(), platforms: { db: {} } };
const ROBOT = { attributes: { username: 'robot' } };

/** A second user of web. */
const helper = (more: object = {}): StackSpec =>
  withComponents({ helper: { type: 'user', attributes: { username: 'helper' }, ...more } });
const MOVED = withComponents({ deployer: { ...DEPLOYER, attachments: {} } }, helper({ attachments: { motd: MOTD } }));

const withCache = (cache: PlatformSpec, of: StackSpec): StackSpec => ({
  ...of,
  platforms: { ...of.platforms, cache },
});
const MORE = withCache({ pack: 'redisio' }, BOTH);
const LINKED = withProd({
  clouds: priorities(1, 2),
  platforms: { web: { west: { pctScale: 50 } }, db: { west: { pctScale: 40 }, east: { dpmtOrder: 3 } } },
});
const webAlone = (platforms: object): StackSpec =>
  withProd({ platforms: platforms as Record<string, never> }, { ...LINKED, platforms: { web: { ...WEB, links: [] } } });

/** The platform web under another name, and the same logical name. */
const renamed = (of: StackSpec): StackSpec => {
  const { web, ...rest } = of.platforms ?? {};
  return { ...of, platforms: { front: { ...web, logical: 'web' }, ...rest } };
};
const OWN = { east: { priority: 2, pctScale: 50 }, west: { priority: 1 } };

/** What is born with web, declared under a name, with an attachment. */
const born = (name: string): StackSpec =>
  withWeb({ components: { deployer: DEPLOYER, [name]: { attachments: { swap: { path: '/etc/swap' } } } } });
const TOMCAT = withWeb({ pack: 'tomcat' }, DESIGN);
const JOB = withDeployer({ type: 'job', attributes: { minute: '5' } }, DESIGN);
const volumes = (size: string): StackSpec => ({
  platforms: { cache: { pack: 'redisio', components: { 'volume-log': { attributes: { size } } } } },
});

const BARE = withWeb({ pack: 'play', links: [] }, { ...SHOP, platforms: { web: WEB } });
/** Variables of the assembly, of the platform and of the environment. */
const variables = (assembly: Variables = {}, web: Variables = {}, prod: Variables = {}): StackSpec => ({
  ...withWeb({ variables: web }, withProd({ variables: prod }, BARE)),
  variables: assembly,
});
const secret = (encryptedValue: string) => ({ encryptedValue });
/** The same, which a component reads. */
const reading = (prod: Variables): StackSpec =>
  withComponents(
    { deployer: { ...DEPLOYER, attributes: { username: '$OO_GLOBAL{USER}' } } },
    variables({ USER: secret('s3cret-one') }, {}, prod),
  );

/** Stacks that a user brings up one after the other: each run succeeds, and everything is as declared after it. */
const WAYS: readonly (readonly [title: string, ...stacks: StackSpec[]])[] = [
  [
    'an attachment removed; an adopted component no longer declared',
    SHOP,
    withWeb({ components: { deployer: { ...DEPLOYER, attachments: {} } } }),
    withWeb({ components: {} }),
  ],
  [
    'an adopted component with an attachment is given back, and the attachment no longer exists',
    withComponents({ compute: { attributes: { size: 'M' }, attachments: { swap: { path: '/etc/swap' } } } }),
    withWeb({ components: { deployer: DEPLOYER } }),
  ],
  [
    'a running platform with its link and cloud configurations removed',
    LINKED,
    webAlone({ web: { west: { pctScale: 50 } } }),
    webAlone({}),
  ],
  ['only a link removed, and only a link added', SHOP, withWeb({ links: [] }), SHOP],
  [
    'a platform added later with cloud configurations; a configuration removed',
    BOTH,
    withProd({ platforms: { cache: { west: { pctScale: 50 }, east: { pctScale: 70 } } } }, MORE),
    withProd({ platforms: { cache: { east: { pctScale: 70 } } } }, MORE),
    withProd({ platforms: { cache: { west: { adminstatus: 'inactive' } } } }, MORE),
    withProd({ platforms: {} }, MORE),
  ],
  ['from one cloud to another, and back again', SHOP, ON_WEST, SHOP],
  [
    'another cloud together with a change of the design and a new platform',
    SHOP,
    { ...withCache({}, CHANGED), environments: { prod: { clouds: WEST } } },
  ],
  ['priorities of the environment swapped, and back', BOTH, SWAPPED, BOTH],
  ['a new cloud takes over the first place, and the old one stays', SHOP, SWAPPED],
  ...[priorities(2, 1), { west: { priority: 1 }, east: { priority: 2 } }].map((web) => {
    const own = withProd({ platforms: { web } }, BOTH);
    const back = withProd({ platforms: { web: priorities(1, 2) } }, BOTH);
    return [`priorities of one platform swapped: ${Object.keys(web)[0]} first`, BOTH, own, BOTH, own, back] as const;
  }),
  [
    'priorities of one platform taken out in the other order than they were put in',
    withProd({ platforms: { web: priorities(1, 2) } }, SWAPPED),
    withProd({ platforms: {} }, SWAPPED),
  ],
  [
    'a platform renamed while it runs, with its cloud configurations',
    withProd({ platforms: { web: OWN } }, withWeb({ logical: 'web' }, BOTH)),
    withProd({ platforms: { front: OWN } }, renamed(BOTH)),
  ],
  [
    'a platform renamed, and back, and again: each time it is a platform that has not run yet',
    SHOP,
    renamed(SHOP),
    SHOP,
    renamed(SHOP),
  ],
  ['an attachment moved to another component, and back', helper(), MOVED, helper()],
  ['another pack without an environment', DESIGN, TOMCAT],
  ['what was declared for one born component is declared for another', born('compute'), born('os')],
  [
    'an environment renamed: it is taken down and created again',
    SHOP,
    { ...SHOP, environments: { live: { clouds: EAST, logical: 'prod' } } },
  ],
  [
    'the last environments and an attachment removed together',
    SHOP,
    { ...withDeployer({ attachments: {} }), environments: {} },
  ],
  ['an environment is taken down and comes back', SHOP, DESIGN, SHOP],
  [
    "a variable of an environment's own goes, and follows the design again",
    variables({ LEVEL: 'info' }, {}, { LEVEL: 'warn' }),
    variables({ LEVEL: 'info' }),
    variables({ LEVEL: 'debug' }),
  ],
  [
    "a secret of the design is what an environment's own value gives way to, on the machines too",
    reading({ USER: 'prod' }),
    reading({}),
    reading({ USER: secret('s3cret-two') }),
    reading({}),
  ],
  [
    'a secret becomes plain, and a secret again',
    variables({ KEY: secret('s3cret-3') }, { KEY: secret('s3cret-four') }),
    variables({ KEY: 'plain' }, { KEY: 'plain' }, { KEY: secret('s3cret-5') }),
    variables({ KEY: secret('s3cret-6') }, { KEY: secret('s3cret-7') }, { KEY: 'plain' }),
  ],
  [
    'a component that the pack makes depend on another of its class is written all the same',
    volumes('5G'),
    volumes('6G'),
    { platforms: { cache: { pack: 'redisio' } } },
  ],
  [
    'components depend on each other, and no longer',
    helper({ depends: ['deployer'] }),
    helper({ depends: [] }),
    helper({ depends: ['deployer'] }),
  ],
];

/**
 * Runs from one stack to the next that are killed after each of their writes: the next run to `then` ends as a whole one does. First ups, single
 * edits, removals and destroys that are killed are in `crashes` and among the random stacks.
 */
const KILLED: readonly (readonly [
  title: string,
  from: StackSpec,
  to: StackSpec,
  then?: RunOptions & { to: StackSpec },
])[] = [
  ['from one cloud to another', SHOP, ON_WEST],
  ['from one cloud to another, taken back with a refresh', SHOP, ON_WEST, { to: SHOP, refresh: true }],
  ['priorities swapped', BOTH, SWAPPED],
  ['a new cloud takes over the first place', SHOP, SWAPPED],
  [
    'a changed default reaches the platforms that follow it',
    BOTH,
    withProd({ clouds: { east: { priority: 1, dpmtOrder: 2 }, west: { priority: 2, pctScale: 50 } } }),
  ],
  ['an attachment moved', helper(), MOVED],
];

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

  const up = async (spec: StackSpec | undefined, options?: RunOptions): Promise<Run> => {
    world.requests();
    const done = await run(world, stack, spec ? resourcesOf(spec) : [], options);
    stack = done.stack;
    return done;
  };
  const destroy = (options?: RunOptions): Promise<Run> => up(undefined, options);

  const expectClean = async (spec: StackSpec): Promise<void> => {
    world.requests();
    expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(world.requests()).toEqual(['GET clouds.list']);
    expect(await drift(world, stack)).toEqual([]);
    expect(world.writes()).toEqual([]);
    const again = await up(spec);
    expect([again.steps, again.errors, world.requests()]).toEqual([[], [], ['GET clouds.list']]);
    expect(await differences(world, spec)).toEqual([]);
    expect(world.service.outages()).toEqual([]);
  };

  /** Up, and everything is as declared: in the service, for a second run, and for a refresh. */
  const upTo = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    const done = await up(spec, options);
    expect(done.errors).toEqual([]);
    await expectClean(spec);
    return done;
  };

  /** Up, and the service is as declared; another run may do more. */
  const fine = async (spec: StackSpec, of: StackSpec = spec): Promise<Run> => {
    const done = await up(spec);
    expect(done.errors).toEqual([]);
    expect(await differences(world, of)).toEqual([]);
    return done;
  };

  const fails = async (spec: StackSpec | undefined, message: RegExp, options?: RunOptions): Promise<Run> => {
    const done = await up(spec, options);
    expect(done.errors.join('\n')).toMatch(message);
    return done;
  };

  const expectDestroyed = async (): Promise<void> => {
    expect((await destroy()).errors).toEqual([]);
    expect([...stack.keys()]).toEqual([]);
    expect(await world.api.call(routes.assemblies.list, {})).toEqual([]);
  };

  /** Deployments fail on records whose path contains this. */
  const failing = (match: string): void => world.service.failures.set([{ match, message: 'no room' }]);
  /** The service refuses routes: each request, or the nth. */
  const refusing = (all: readonly string[], nth?: number): void =>
    world.service.faults.set(
      all.map((route) => ({
        effect: 'status',
        status: 422,
        route,
        body: { errors: ['no'] },
        ...(nth === undefined ? {} : { nth }),
      })),
    );
  const mended = (): void => {
    world.service.failures.set([]);
    world.service.faults.set([]);
  };

  /** A fresh world that is as a stack says. */
  const standing = async (spec: StackSpec): Promise<void> => {
    world.close();
    world = makeWorld(dialect);
    stack = emptyStack;
    expect((await up(spec)).errors).toEqual([]);
    world.requests();
  };

  /** Runs from one stack to the next, each killed after another of its writes; then `then`. */
  const killedAfterEach = async (from: StackSpec, to: StackSpec, then: () => Promise<unknown>): Promise<void> => {
    for (let n = 1 + (DIALECTS.indexOf(dialect) % STEP); ; n += STEP) {
      await standing(from);
      const done = await up(to, { killAfter: n });
      if (!done.killed) return;
      try {
        await then();
      } catch (error) {
        (error as Error).message = `killed after write ${n} (${done.steps.at(-1)})\n${(error as Error).message}`;
        throw error;
      }
    }
  };

  const newest = () => world.api.call(routes.deployments.latest, { address: AT });
  const platforms = async (): Promise<readonly string[]> =>
    (await world.api.call(routes.platforms.list, { address: AT })).map(({ ciName }) => ciName).sort();
  const instances = () => instancesIn(world);

  story.each(WAYS.map(([title, ...stacks]) => [title, stacks] as const))('%s', async (_, stacks) => {
    for (const spec of stacks as readonly StackSpec[]) await upTo(spec);
  });

  story.each(KILLED.map(([title, from, to, then]) => ({ title, from, to, then })))(
    'killed after each write: $title',
    ({ from, to, then }) => killedAfterEach(from, to, () => upTo(then?.to ?? to, then)),
  );

  story('killed with optional components named like their templates: they go when they leave the file', async () => {
    const spec = withComponents({ hostname: {}, user: { attributes: { username: 'robot' } } }, DESIGN);
    await killedAfterEach({}, spec, async () => {
      await upTo(spec);
      await upTo(DESIGN);
    });
  });

  story('first up with two environments; a no-op; a refresh', async () => {
    const spec: StackSpec = {
      platforms: { web: { ...WEB, pack: 'tomcat' }, db: { pack: 'mysql' } },
      environments: {
        staging: { clouds: EAST },
        prod: {
          clouds: priorities(1, 2),
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

  const DEPLOYS = ['update DesignRelease::shop', 'update Environment::prod', 'update Deployment::prod'];

  story('what another user changed and the file then says, too, reaches the machines', async () => {
    await upTo(SHOP);
    for (const size of ['L', 'XL']) {
      await world.maria.set('web/compute', { size });
      const accepted = withComponents({ compute: { attributes: { size } } });
      const done = await up(accepted, { refresh: true });
      expect([done.errors, done.steps]).toEqual([[], DEPLOYS]);
      await expectClean(accepted);
    }
  });

  describe('from one cloud to another', () => {
    story('in two environments, without an outage, with one deployment each', async () => {
      await upTo(TWO);
      const done = await upTo({ ...TWO, environments: { prod: { clouds: WEST }, staging: { clouds: WEST } } });
      expect(done.steps.filter((step) => step.includes('Deployment'))).toHaveLength(2);
    });

    story.each([
      ['repaired', ON_WEST],
      ['taken back', SHOP],
    ])('the new one fails, and the old one keeps running: %s', async (_, end) => {
      await upTo(SHOP);
      failing('web/compute@west');
      await fails(ON_WEST, /no room/);
      expect(world.service.outages()).toEqual([]);
      if (end === ON_WEST) await fails(ON_WEST, /no room/);
      mended();
      await upTo(end);
    });

    story('only on one platform the new one would be inactive: refused, then taken back', async () => {
      await upTo(SHOP);
      const inactive = { web: { west: { adminstatus: 'inactive' } } };
      await fails(withProd({ clouds: WEST, platforms: inactive }), /without a cloud/);
      await upTo(SHOP);
    });

    story.each([
      [
        'one platform keeps the old one as its own only active one',
        withProd({ clouds: priorities(1, 1), platforms: { web: { west: { adminstatus: 'inactive' } } } }),
        withProd({ clouds: WEST, platforms: { web: { west: { adminstatus: 'inactive' } } } }),
        /without a cloud that is active with priority 1/,
      ],
      [
        'a cloud that is not active is the only one',
        SHOP,
        withProd({ clouds: { west: { priority: 1, adminstatus: 'inactive' } } }),
        /no cloud is active/,
      ],
    ])('%s: refused before anything is written', async (_, before, after, message) => {
      await upTo(before);
      await fails(after, message);
      expect(world.writes()).toEqual([]);
      await upTo(before);
    });
  });

  describe('a logical rename', () => {
    const RENAMED = withWeb({ logical: 'front' });

    beforeEach(() => upTo(SHOP));

    story('destroys nothing and writes nothing', async () => {
      const { notices } = await fine(RENAMED);
      expect(notices.join('\n')).toMatch(/add an alias/);
      await expectClean(RENAMED);
    });

    story('with an alias nothing happens at all', async () => {
      const aliased = resourcesOf(RENAMED).map((each) => {
        const former = each.key.replace('::front', '::web');
        return former === each.key ? each : { ...each, alias: former };
      });
      const done = await run(world, stack, aliased);
      expect([done.errors, done.steps, done.notices]).toEqual([[], [], []]);
      stack = done.stack;
      await expectClean(RENAMED);
    });

    story('together with a change: an error with advice, and nothing is lost', async () => {
      await fails(withWeb({ logical: 'front', description: 'front' }), /add an alias/);
      expect(await differences(world, SHOP)).toEqual([]);
      await upTo(SHOP);
    });

    story('while the deployment fails: the next run destroys nothing either', async () => {
      failing('web/deployer');
      const changed = withWeb({ logical: 'front' }, ROBOTS);
      await fails(changed, /.+/);
      mended();
      await up(changed);
      const taken = await up(RENAMED);
      expect(taken.errors.concat(taken.notices).join('\n')).toMatch(/alias/);
      expect(await platforms()).toEqual(['db', 'web']);
    });
  });

  describe('replacements', () => {
    story('another pack while an environment has the platform: refused in preview, and nothing happens', async () => {
      await upTo(SHOP);
      const next = withWeb({ pack: 'tomcat' });
      const { errors } = await preview(world, stack, resourcesOf(next));
      expect(errors.join('\n')).toMatch(/prod has it running/);
      await fails(next, /prod has it running/);
      expect(world.writes()).toEqual([]);
      await upTo(SHOP);
      await upTo(withoutWeb());
      // That is an outage: the platform was gone in between.
      await fine(next);
    });

    story.each([
      ['a platform of another pack, mended', DESIGN, TOMCAT, TOMCAT],
      ['a platform of another pack, taken back', DESIGN, TOMCAT, DESIGN],
      ['a running platform that is renamed, mended', withWeb({ logical: 'web' }), renamed(SHOP), renamed(SHOP)],
      [
        'a running platform that is renamed, taken back',
        withWeb({ logical: 'web' }),
        renamed(SHOP),
        withWeb({ logical: 'web' }),
      ],
    ])('cannot be created again: %s', async (_, from, to, end) => {
      await standing(from);
      refusing(['platforms.create']);
      await fails(to, /no/);
      mended();
      await upTo(end);
    });

    story('a component of another template whose commit fails, and that is taken out', async () => {
      await upTo(DESIGN);
      refusing(['designReleases.commit']);
      await up(JOB);
      mended();
      await upTo(withWeb({ components: {} }, DESIGN));
    });

    story('an assembly renamed: everything is taken down and created again', async () => {
      await upTo(SHOP);
      const store = { ...SHOP, assembly: 'store', logical: 'shop' };
      expect((await up(store)).errors).toEqual([]);
      expect((await world.api.call(routes.assemblies.list, {})).map(({ ciName }) => ciName)).toEqual(['store']);
      await expectClean(store);
    });

    story('a pack version that does not exist is named', async () => {
      await upTo(SHOP);
      await fails(withWeb({ version: '7' }), /7/);
      await upTo(SHOP);
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

    story.each([
      ['something else is changed', withDeployer({ ...ROBOT, attachments: { motd: { ...MOTD, content: 'bye' } } })],
      ['the change is taken back', SHOP],
    ])('and %s', async (_, next) => {
      mended();
      await upTo(next);
    });

    story('and everything is destroyed', async () => {
      mended();
      await expectDestroyed();
    });
  });

  story.each([
    ['the environment is taken out: nothing ever ran', DESIGN],
    ['it is repaired', SHOP],
  ])('a deployment fails the first time, and %s', async (_, end) => {
    failing('web/compute');
    await fails(SHOP, /no room/);
    if (end === SHOP) await fails(SHOP, /no room/);
    mended();
    await upTo(end);
  });

  /** A removal whose run failed is taken back. It may be refused, loudly, until a refresh finds what is missing; it must not pass for done. */
  const takenBack = async (before: StackSpec): Promise<void> => {
    mended();
    const back = await up(before);
    if (back.errors.length === 0) return expectClean(before);
    expect(back.errors.join('\n')).toMatch(/pulumi up --refresh/);
    await upTo(before, { refresh: true });
  };

  story.each(
    REMOVALS.flatMap(([title, before, after]) =>
      [['deployment'], ['environments.pull'], ['environments.commit', 'designReleases.commit']].map(
        (refused) => [title, refused, before, after] as const,
      ),
    ),
  )('a removal of %s is taken back after the run failed: %p', async (_, refused, before, after) => {
    await upTo(before);
    if (refused[0] === 'deployment') failing('web/deployer');
    else refusing(refused);
    await up(after);
    await takenBack(before);
  });

  describe('one request of a change fails', () => {
    const clouds = priorities(1, 2);
    const BEFORE = withProd({ clouds, platforms: { web: { west: { pctScale: 50 } } } });
    const AFTER = withProd(
      { clouds: { ...clouds, east: { priority: 1, dpmtOrder: 2 } }, platforms: {}, description: 'live' },
      withDeployer({ ...ROBOT, attachments: {} }),
    );

    story.each([
      'designReleases.commit',
      'environments.update',
      'environments.pull',
      'environmentPlatforms.configureCloud',
      'environments.commit',
      'deployments.create',
    ])('%s: the next run continues after a refresh, or the change is taken back', async (route) => {
      for (const nth of POINTS === undefined ? [1 + DIALECTS.indexOf(dialect)] : [1, 2]) {
        await standing(BEFORE);
        refusing([route], nth);
        await up(AFTER);
        mended();
        await upTo(AFTER, { refresh: true });
        await upTo(BEFORE);
        await standing(BEFORE);
        refusing([route], nth);
        // A refresh forgets that a changed default was tried, so platforms that got it keep it as their own.
        await up({ ...AFTER, environments: { prod: { ...AFTER.environments?.['prod'], clouds } } });
        await takenBack(BEFORE);
      }
    });
  });

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
      expect((await destroy()).errors).toEqual([]);
      expect(world.writes().filter((write) => write.startsWith('DELETE'))).toEqual([
        'DELETE environments.delete',
        'DELETE assemblies.delete',
      ]);
      await expectDestroyed();
    });

    story('an environment of another user stops it; then up takes over what exists', async () => {
      await upTo(DESIGN);
      const [cloud] = await world.other.call(routes.clouds.list, {});
      await world.other.call(routes.environments.create, {
        address: { assembly: 'shop', environment: 'theirs' },
        body: {
          clouds: { [String(cloud?.ciId)]: '1' },
          platform_availability: { none: 'default' },
          cms_ci: { ciName: 'theirs', ciAttributes: {} },
        },
      });
      await fails(undefined, /theirs/);
      expect((await up(DESIGN)).errors).toEqual([]);
    });

    story('a tear-down fails: what failed is reported, and the next one continues', async () => {
      await upTo(SHOP);
      failing('web/deployer');
      const done = await fails(undefined, /deployment \d+ failed[^]*no room/);
      expect(done.errors.join('\n')).not.toMatch(/defect/);
      mended();
      await expectDestroyed();
    });
  });

  describe('targets', () => {
    beforeEach(() => upTo(SHOP));

    story('one attachment: the next up finishes it', async () => {
      expect((await up(CHANGED, { targets: ['Attachment::web/motd'] })).steps).toEqual(['update Attachment::web/motd']);
      await upTo(CHANGED);
    });

    story('an environment torn down by target comes back', async () => {
      const targets = ['Deployment::prod', 'Environment::prod', 'DesignRelease::shop', 'Attachment::web/motd'];
      expect((await destroy({ targets })).errors).toEqual([]);
      await upTo(SHOP);
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

    story.each([
      ['attachment', marked('retain'), withDeployer({ attachments: {} })],
      ['platform, with everything below it,', withWeb({ mark: 'retain' }), DB_ONLY],
    ])('a retained %s stays', async (_, spec, less) => {
      await upTo(spec);
      await fine(less, spec);
      expect(world.service.outages()).toEqual([]);
    });

    story('a retained attachment below a platform that goes', async () => {
      await upTo(marked('retain'));
      expect((await up(DB_ONLY)).errors).toEqual([]);
      await expectClean(DB_ONLY);
    });
  });

  describe('another user deploys', () => {
    /** Maria changes something in the environment, and deploys it. */
    const foreign = async (): Promise<number> => {
      const { maria, other } = world;
      await maria.set('prod:db/compute', { size: 'XL' });
      await maria.commitEnvironment();
      const { releaseId } = await other.call(routes.environmentReleases.bom, { address: AT });
      const cms_deployment = { releaseId: String(releaseId), nsPath: '/acme/shop/prod/bom' };
      const { deploymentId } = await other.call(routes.deployments.create, { address: AT, body: { cms_deployment } });
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
      expect((await up(CHANGED)).errors).toEqual([]);
    });

    story.each([
      ['wait', 'complete'],
      ['proceed', 'canceled'],
    ])('with whenBusy: %s, theirs ends as %s', async (whenBusy, end) => {
      await upTo(SHOP);
      const id = await foreign();
      expect((await up(busy(whenBusy))).errors).toEqual([]);
      expect(await state(id)).toBe(end);
    });

    story('and it waits, but theirs fails: it is theirs to decide', async () => {
      await upTo(SHOP);
      failing('db/compute');
      const id = await foreign();
      await fails(busy('wait'), /of maria is failed/);
      expect(await state(id)).toBe('failed');
    });

    story('and theirs has failed: the pull does not cancel it', async () => {
      await upTo(BOTH);
      failing('db/compute');
      const id = await foreign();
      world.clock.advance(600_000);
      expect(await state(id)).toBe('failed');
      await world.maria.configure('web', 'west', { pct_scale: '30' });
      await fails(withProd({ clouds: priorities(1, 2) }, CHANGED), /maria/);
      expect(await state(id)).toBe('failed');
    });
  });

  describe('an environment', () => {
    story('stays while only its deployment is taken out, and runs again with it', async () => {
      await upTo(SHOP);
      expect((await up(withProd({ deploy: false }))).errors).toEqual([]);
      expect(await instances()).toEqual([]);
      await fine(SHOP);
    });

    story('keeps what runs when its deployment says so, also when it said so only lately', async () => {
      await upTo(SHOP);
      await upTo(withProd({ deploy: { onDelete: 'retain' } }));
      await fine(withProd({ deploy: false }), SHOP);
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

    story('whose attributes changed along with clouds that are refused is as it was, once taken back', async () => {
      await upTo(SHOP);
      await fails(withProd({ description: 'live', clouds: { nowhere: { priority: 1 } } }), /no cloud "nowhere"/);
      await upTo(SHOP);
    });
  });

  describe('who owns what', () => {
    const LET_GO: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, db: { existing: true } } };

    story('a platform that becomes existing is let go, not swept', async () => {
      await upTo(SHOP);
      await fine(LET_GO, SHOP);
      expect((await up(withWeb({ links: ['db'] }, { ...LET_GO, platforms: { web: WEB } }))).errors).toEqual([]);
      expect(await platforms()).toEqual(['db', 'web']);
    });

    story('a platform that was existing and is owned now goes when it leaves the file', async () => {
      await upTo(SHOP);
      await up(LET_GO);
      await up(SHOP);
      await upTo(withWeb({ links: [] }, { ...SHOP, platforms: { web: WEB } }));
    });

    story('an assembly of another stack: its open design release is not ours to commit', async () => {
      await upTo(DESIGN);
      stack = emptyStack;
      await world.maria.set('db', { description: 'half done' });
      const { release } = world.admin;
      const before = await release();
      const theirs: StackSpec = { existing: true, environments: { prod: { clouds: EAST } } };
      expect((await up(theirs)).errors).toEqual([]);
      expect(await release()).toEqual(before);
      expect((await up(theirs)).steps).toEqual([]);
      expect((await destroy()).errors).toEqual([]);
      expect(await release()).toEqual(before);
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
      expect(world.requests()).toEqual(['GET clouds.list']);
      const gone = await run(elsewhere, stack, []);
      expect(gone.errors.join('\n')).toMatch(/not .* in organization globex/);
      expect(world.requests()).toEqual([]);
    });
  });

  describe('variables', () => {
    story("a pack's own are adopted and given back", async () => {
      await upTo(variables({}, { HEAP: '2g' }));
      expect(stack.get('Variable::platforms/web/variables/HEAP')?.outputs['origin']).toBe('pack');
      await upTo(variables({}, { HEAP: '3g' }));
      await upTo(BARE);
    });

    story('a secret of a pack is left as it is when it is given back, and that is said', async () => {
      await upTo(variables({}, { SESSION_KEY: secret('s3cret-one') }));
      const done = await upTo(BARE);
      expect(done.notices.join('\n')).toMatch(/SESSION_KEY is a secret that nobody can read/);
    });

    story('one of an environment that the design does not have is reported', () =>
      fails(variables({}, {}, { LEVEL: 'warn' }), /the environment has no variable "LEVEL"/).then(),
    );
  });

  describe('values', () => {
    story('a link to a platform that does not exist is reported, and repaired in place', async () => {
      await fails(withWeb({ links: ['nowhere'] }, DESIGN), /nowhere/);
      await upTo(DESIGN);
    });
  });

  describe('a preview', () => {
    /** Platforms of which the newest deployment made, changed or took away an instance. */
    const deployedPlatforms = async (): Promise<readonly string[]> => {
      const { releaseId } = await world.api.call(routes.deployments.latest, { address: AT });
      const address = { ...AT, release: String(releaseId) };
      const { rfc_cis: changes = [] } = await world.api.call(routes.environmentReleases.read, {
        address,
        query: { include_rfcs: 'true' },
      });
      return [...new Set(changes.map(({ nsPath }) => nsPath.split('/')[5] ?? ''))].sort();
    };

    const ALL = withCache({ pack: 'redisio' }, SHOP);
    const withPlatform = (name: string): StackSpec => ({ ...ALL, platforms: { ...ALL.platforms, [name]: {} } });
    const { db: _, ...withoutDb } = withWeb({ links: [] }, ALL).platforms ?? {};
    const inWeb = withComponents({ helper: { type: 'user', attributes: ROBOT.attributes } }, ALL);

    story.each<readonly [string, StackSpec, StackSpec, string, string, readonly string[]]>([
      ['a new platform', ALL, withPlatform('front'), '+front', 'new platform front; ~prod', ['front']],
      [
        'a new platform to which another one links',
        ALL,
        withWeb({ links: ['db', 'front'] }, withPlatform('front')),
        '+front ~web',
        'new platform front; ~prod',
        ['front'],
      ],
      [
        'a new platform and a variable of all platforms that nothing uses',
        ALL,
        { ...withPlatform('front'), variables: { LEVEL: 'warn' } },
        '+$LEVEL +front',
        'new platform front; ~prod',
        ['front'],
      ],
      [
        'a platform that leaves, and one that linked to it',
        ALL,
        { ...ALL, platforms: withoutDb },
        '~web -db',
        'leaving platform db (5 of 20 instances); ~prod',
        ['db'],
      ],
      ['a new component', ALL, inWeb, '+web/helper', '~prod in platform web (6 of 20 instances)', ['web']],
      ['a component that leaves', inWeb, ALL, '-web/helper', '~prod in platform web (7 of 21 instances)', ['web']],
      ['a description of the environment', ALL, withProd({ description: 'the shop' }, ALL), '', '~prod', []],
      [
        'a cloud of the environment',
        ALL,
        withProd({ clouds: priorities(1, 1) }, ALL),
        '',
        '~prod perhaps in platforms cache, db, web (20 instances)',
        ['cache', 'db', 'web'],
      ],
    ])('says which platforms it is about: %s', async (_, before, spec, commits, deploys, about) => {
      await upTo(before);
      const deployed = await deployedPlatforms();
      const { shown } = await previewWithInputs(world, stack, resourcesOf(spec));
      expect(shown.filter((row) => /will (commit|deploy)/.test(row))).toEqual([
        ...(commits === '' ? [] : [`DesignRelease acme/shop: will commit: ${commits}`]),
        `Deployment acme/shop/prod: will deploy: ${deploys}`,
      ]);
      await fine(spec);
      expect(await deployedPlatforms()).toEqual(about.length === 0 ? deployed : about);
    });
  });
});

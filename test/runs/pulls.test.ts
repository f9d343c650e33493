// What is given back in an environment comes with a pull, and an environment takes one job at a
// time: rows of one run that pull at once, and jobs of another user that run meanwhile.
import { routes } from '../../api/contract';
import { rowsInTurn } from '../dialects-in-turn';
import { through } from '../world/between';
import { emptyStack, preview, run, type RunOptions } from '../world/engine-simulation';
import { eachStack, standingStack, wrongIn } from '../world/each-stack';
import { type EnvironmentSpec, resourcesOf, type StackSpec, type VariableSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, kindOf, makeWorld, type World } from '../world/world';
import { CHANGED, EAST, PROD, SHOP, withProd, withWeb } from '../world/shop-spec';
import { timeoutArgument } from '../../provider';
import { kinds } from '../../provider/kinds';
import { newSession } from '../../provider/session';
import { StaleConnection } from '../../api/errors';
import { eachDialect } from '../world/each-dialect';

describe('at once', () => {
  const withProd = (prod: EnvironmentSpec): StackSpec => ({
    variables: { KEY: { encryptedValue: 'canary-design' } },
    platforms: {
      web: { pack: 'tomcat', variables: { PIN: { encryptedValue: 'canary-web' } } },
      blog: { pack: 'tomcat' },
      db: { pack: 'mysql' },
      log: { pack: 'mysql' },
    },
    environments: { prod: { availability: 'redundant', clouds: { east: { priority: 1 } }, ...prod } },
  });

  const SCALED = { scale: { compute: { current: 3 } } };
  const KEY = { KEY: { encryptedValue: 'canary-prod' } };
  const threads = (max_threads: number) => ({ components: { tomcat: { attributes: { max_threads } } } });

  /** Rows whose values only a pull brings back, and one that writes in addition to them. */
  const DECLARED = withProd({
    variables: KEY,
    switches: { web: SCALED, blog: SCALED, db: SCALED, log: SCALED },
    overrides: { web: { variables: { PIN: { encryptedValue: 'canary-pin' } }, ...threads(100) } },
  });

  /** Nothing of that is declared any more, except for what is written next to. */
  const LEFT = withProd({ overrides: { web: threads(200) } });

  const UNSCALED = { autorepair: false };
  /** The same rows, with less in them. */
  const LESS = withProd({
    variables: KEY,
    switches: { web: UNSCALED, blog: UNSCALED, db: UNSCALED, log: UNSCALED },
    overrides: { web: { variables: { PIN: { encryptedValue: 'canary-pin' } }, ...threads(300) } },
  });

  const withoutDeployment = (spec: StackSpec): StackSpec => withProd({ ...spec.environments?.['prod'], deploy: false });

  eachDialect('%s', (test, world) => {
    const own = eachStack(world);

    const begin = async (spec: StackSpec = DECLARED): Promise<void> => {
      own.stack = await standingStack(world, spec);
      world.writes();
    };

    test('rows that declare less pull one after the other, and share a pull where they can', async () => {
      await begin();
      await own.settles(LESS);
      const pulls = world.writes().filter((write) => write === 'POST environments.pull');
      // Of two pulls the first meets what the rows wrote, and is sent again once that is committed.
      expect(pulls.length).toBeLessThanOrEqual(4);
    });

    test('a pull continues while other rows of the run write to the environment, one after another', async () => {
      await begin();
      // Writes that arrive each between a commit and the pull after it.
      let late = 6;
      const racing = through(world, (next) => async (route, input) => {
        if (route.name === routes.environments.pull.name && late > 0) {
          late -= 1;
          await world.admin.set('prod:web', { replace_after_minutes: String(61 + late) });
        }
        return next(route, input);
      });
      const done = await own.up(LESS, {}, racing);
      expect([done.errors, late]).toEqual([[], 0]);
    });

    /** A cloud, with other values for one platform, that comes in the run that gives back. */
    const WITH_WEST: StackSpec = withProd({
      ...LESS.environments?.['prod'],
      clouds: { east: { priority: 1 }, west: { priority: 2 } },
      platforms: { blog: { west: { dpmtOrder: 2 } } },
    });

    test.each([1, 2, 3, 4])(
      'a cloud that a run adds is no change of another user when it is killed after %d writes',
      async (killAfter) => {
        await begin();
        expect((await own.up(WITH_WEST, { killAfter })).killed).toBe(true);
        world.nextRun();
        expect((await preview(world, own.stack, resourcesOf(WITH_WEST))).errors).toEqual([]);
        await own.settles(WITH_WEST);
      },
    );

    const CONFIGURED = withProd({ platforms: { blog: { east: { dpmtOrder: 2 } } } });
    test.each([
      ['gives back', DECLARED, LESS],
      ['gives back without a deployment', withoutDeployment(DECLARED), withoutDeployment(LESS)],
      ['configures clouds no longer', CONFIGURED, withProd({})],
    ])('a cloud that another user adds is not committed by a run that %s', async (_, before, after) => {
      await begin(before);
      if (before.environments?.['prod']?.deploy === false) await world.maria.rollOut();
      await world.maria.useClouds({ west: '1' });
      const { errors } = await own.up(after);
      expect(errors.join()).toMatch(/changes that are not of this stack[^]*cloud west of platform blog/);
    });

    test.each([
      ['pull', () => world.other.call(routes.environments.pull, { address: PROD, body: { async: 'true' } })],
      ['commit', () => world.other.call(routes.environments.commit, { address: PROD, body: {} })],
    ])('a %s of another user is waited for', async (_, act) => {
      await begin();
      await act();
      await own.settles(LEFT);
    });
  });
});

// A variable of the design and its value in an environment, both changed by somebody: the pull of
// the run that sets the first one back writes the second one, and is no change of another user.

const shop = (level: VariableSpec, inProd: VariableSpec): StackSpec => ({
  variables: { LEVEL: level },
  platforms: { web: {} },
  environments: { prod: { clouds: EAST, variables: { LEVEL: inProd } } },
});

/** The same for values in clear and for secrets. */
const SPECS = [
  ['values', shop('info', 'warn'), { value: 'trace' }, { value: 'debug' }],
  [
    'secrets',
    shop({ encryptedValue: 'canary-design' }, { encryptedValue: 'canary-prod' }),
    { encrypted_value: 'foreign-design' },
    { encrypted_value: 'foreign-prod' },
  ],
  [
    'a value and a secret',
    shop('info', { encryptedValue: 'canary-prod' }),
    { value: 'trace' },
    { encrypted_value: 'foreign' },
  ],
] as const;

const cases = rowsInTurn(
  SPECS.flatMap((spec) => ['', 'manifest'].map((owner) => [spec[0], owner || 'no lock', owner, spec] as const)),
);

describe.each(cases)('%s: %s, changed with %s', (dialect, _, __, owner, [, spec, inDesign, inProd]) => {
  const world = eachWorld(dialect);
  const own = eachStack(world);

  beforeEach(async () => {
    own.stack = await standingStack(world, spec);
    world.clock.advance(1000);
  });

  const changeDesign = async (attributes: { readonly [name: string]: string }): Promise<void> => {
    await world.maria.commit(world.maria.set('$LEVEL', attributes));
  };

  const changeProd = async (attributes: { readonly [name: string]: string }): Promise<void> => {
    await world.maria.set('prod:$LEVEL', attributes, {
      owner: { secure: owner, value: owner, encrypted_value: owner },
    });
    await world.maria.commitEnvironment();
  };

  test('one run with a refresh sets both back', async () => {
    await changeDesign(inDesign);
    await changeProd(inProd);
    await own.settles(spec, { refresh: true });
  });

  // The guard against lost updates is about values that can be read.
  if (spec !== SPECS[0][1]) return;

  test.each(owner === '' ? [1, 2, 3, 4] : [2])(
    'killed after %s writes, the next run finishes it, without a refresh, too',
    async (killAfter) => {
      await changeDesign(inDesign);
      await changeProd(inProd);
      await own.up(spec, { refresh: true, targets: [] });
      expect((await own.up(spec, { killAfter })).killed).toBe(true);
      await own.settles(spec);
    },
  );

  test("somebody's own value in the environment is not taken for what a pull brought", async () => {
    await changeProd({ secure: 'false', value: 'debug', encrypted_value: '' });
    const edited = shop(spec.variables?.['LEVEL'] ?? '', 'error');
    expect(await own.refused(edited)).toMatch(/ was changed by maria at /);
  });
});

// Waits that take too long, and runs that are killed while they wait: what was begun is in the
// state, the next run joins it, and destroying the stack takes it down.

/** How long a deployment is waited for, as Pulumi's own option says it. */
const LIMIT = timeoutArgument(kindOf('Deployment'), {}, { customTimeouts: { create: '45s', update: '1m' } });

const limited = (spec: StackSpec): StackSpec => withProd({ deploy: LIMIT }, spec);

/** The world whose service does not move from an answer on, while the run's own time continues. */
function stalledAt(world: World, route: string): World {
  const { clock, service } = world;
  let beyond = 0;
  const begun = service.journal().length;
  const stands = (): boolean =>
    service
      .journal()
      .slice(begun)
      .some((entry) => entry.route === route && entry.status === 200);
  const pass = (milliseconds: number): void => {
    if (stands()) beyond += milliseconds;
    else clock.advance(milliseconds);
  };
  const own = {
    now: () => clock.now() + beyond,
    sleep: (milliseconds: number) => Promise.resolve(pass(Math.ceil(milliseconds))),
  };
  return { ...world, clock: { ...clock, advance: pass }, freshSession: () => newSession(kinds, own) };
}

eachDialect('%s', (test, world, dialect) => {
  const own = eachStack(world);
  const { up: go, settles: upTo } = own;

  const destroyed = async (): Promise<void> => {
    expect((await go(undefined)).errors).toEqual([]);
    expect([[...own.stack.keys()], await differences(world, undefined)]).toEqual([[], []]);
  };

  const deployments = (): number =>
    world.service.journal().filter(({ route, status }) => route === 'deployments.create' && status === 200).length;

  /** What exists before; what is declared; whose answer is the last one; what the run says. */
  const waits: readonly (readonly [string, StackSpec | undefined, StackSpec, string, RegExp])[] = [
    ['the first deployment', undefined, SHOP, 'deployments.create', /deployment \d+ took longer than 1 minute$/m],
    ['a later deployment', SHOP, CHANGED, 'deployments.create', /deployment \d+ took longer than 1 minute$/m],
    ['the first commit', undefined, SHOP, 'environments.commit', /planning the deployment took longer than 15 min/],
    ['a later commit', SHOP, CHANGED, 'environments.commit', /planning the deployment took longer than 15 min/],
    ['the first pull', undefined, SHOP, 'environments.create', /pulling the design took longer than 15 min/],
    ['a later pull', SHOP, CHANGED, 'environments.pull', /pulling the design took longer than 15 min/],
  ];

  describe.each(waits)('%s takes too long', (_, before, spec, route, says) => {
    beforeEach(async () => {
      if (before) await upTo(limited(before));
      const done = await go(limited(spec), {}, stalledAt(world, route));
      expect(done.errors).toEqual([expect.stringMatching(says)]);
      expect(done.errors.join()).toContain('run pulumi up again to join it');
    });

    test('it is in the state, and destroying takes everything down', async () => {
      const isPull = route === 'environments.create' || route === 'environments.pull';
      expect(own.stack.get(isPull ? 'Environment::prod' : 'Deployment::prod')).toMatchObject({ incomplete: true });
      await destroyed();
    });

    test('the next run continues, and deploys once', async () => {
      const begun = deployments();
      await upTo(limited(spec));
      expect(deployments()).toBe(route === 'deployments.create' ? begun : begun + 1);
    });

    test('it ends by itself, and a refresh comes first', async () => {
      world.clock.advance(10 * 60_000);
      await upTo(limited(spec), { refresh: true });
    });
  });

  test('a deployment that is joined takes too long: it is in the state', async () => {
    await go(limited(SHOP), { killAt: afterStart() });
    const joined = await go(limited(SHOP), {}, stalledAt(world, 'deployments.status'));
    expect(joined.errors).toEqual([expect.stringMatching(/deployment \d+ took longer than 1 minute$/m)]);
    const { deploymentId } = await world.api.call(routes.deployments.latest, { address: PROD });
    expect(own.stack.get('Deployment::prod')).toMatchObject({ incomplete: true, outputs: { deploymentId } });
    await destroyed();
  });

  test('a tear-down takes too long: the next one continues', async () => {
    await upTo(limited(SHOP));
    const done = await go(undefined, {}, stalledAt(world, 'deployments.create'));
    expect(done.errors).toEqual([expect.stringMatching(/deployment \d+ took longer than 1 minute$/m)]);
    await destroyed();
  });

  test('killed while the first deployment runs, then destroyed: says what to run, and that works', async () => {
    await go(SHOP, { killAt: afterStart() });
    const refused = await go(undefined);
    expect(refused.errors.join('\n')).toMatch(
      /environment acme\/shop\/prod: [^]*deployment, \d+ by admin, is active\n.*run pulumi up, .*then pulumi destroy/,
    );
    world.clock.advance(10 * 60_000);
    expect((await go(undefined)).errors.join('\n')).toMatch(/\d+ instances exist, .*is complete/);
    await upTo(SHOP);
    expect(deployments()).toBe(1);
    await destroyed();
  });

  /** The boundary right after a deployment was started, in a run that begins with nothing. */
  const afterStart = (): NonNullable<RunOptions['killAt']> => ({ request: startedAt, when: 'after' });

  let startedAt = 0;

  beforeAll(async () => {
    const reference = makeWorld(dialect);
    await run(reference, emptyStack, resourcesOf(limited(SHOP)));
    const requests = reference.requests();
    startedAt = requests.indexOf('POST deployments.create') + 1;
    reference.close();
  });
});

// Creates that meet a kept connection which the service has closed: no run fails, whether the
// service carried them out or not.

/** The shop with a variable of each scope. */
const SPEC: StackSpec = withProd(
  { variables: { LEVEL: 'warn' } },
  withWeb({ variables: { HEAP: '1g' } }, { ...SHOP, variables: { LEVEL: 'info' } }),
);

/** The same world, where the first answer to each create is lost on a kept connection. */
function losing(world: World, isCarriedOut: boolean): { readonly world: World; readonly lost: Set<string> } {
  const lost = new Set<string>();
  const broken = through(world, (next) => async (route, input) => {
    const key = `${route.name} ${JSON.stringify(input)}`;
    if (route.repeat !== 'create' || lost.has(key)) return next(route, input);
    lost.add(key);
    if (isCarriedOut) await next(route, input);
    throw new StaleConnection('closed a kept connection', undefined, route, 'unknown');
  });
  return { world: broken, lost };
}

eachDialect('%s', (test, world) => {
  test.each([true, false])('each create was carried out: %s', async (isCarriedOut) => {
    const broken = losing(world, isCarriedOut);
    const done = await run(broken.world, emptyStack, resourcesOf(SPEC));
    expect(done.errors).toEqual([]);
    expect(broken.lost.size).toBeGreaterThan(6);
    expect(await wrongIn(world, done.stack, SPEC)).toEqual([]);
  });
});

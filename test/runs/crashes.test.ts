// A run killed at a request's boundary, before the service has it and once it is carried out, in process: the next run finishes it, nothing is
// there twice and nothing is left over. CRASH_POINTS=all takes every boundary of every run (as `make soak` does); else a sample of each.
import { DIALECTS, type Dialect } from '../../api/contract';
import { emptyStack, preview, run, type Declared, type RunOptions, type Stack } from '../world/engine-simulation';
import { STOREFRONT } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { standing, differenceOf, type Standing } from '../world/standing';
import { differences } from '../world/stands-as-declared';
import { makeWorld, type World } from '../world/world';

const POINTS = process.env['CRASH_POINTS'];

/** Boundaries of each scenario in each dialect; more of them when a number of points is requested, as by `make verify`. */
const SHARE = POINTS === 'all' ? Infinity : POINTS === undefined ? 2 : 4;

const { cache: _, ...WITHOUT_CACHE } = STOREFRONT.platforms!;

/** A value of a component and one of a cloud changed, a platform taken out. */
const EDITED: StackSpec = {
  ...STOREFRONT,
  platforms: { ...WITHOUT_CACHE, db: { pack: 'mysql', components: { mysql: { attributes: { port: '3308' } } } } },
  environments: {
    ...STOREFRONT.environments,
    prod: {
      ...STOREFRONT.environments?.['prod'],
      clouds: { east: { priority: 1 }, west: { priority: 2, pctScale: 60 } },
    },
  },
};

/** One single record changed: nothing else makes the run go on. */
const ONE_EDITED: StackSpec = {
  ...STOREFRONT,
  platforms: { ...STOREFRONT.platforms, db: EDITED.platforms!['db']! },
};

/** A record of each kind that an environment sets. */
const SETTINGS: StackSpec = {
  platforms: {
    web: {
      pack: 'tomcat',
      variables: { PIN: { encryptedValue: 'k3y-design' } },
      components: {
        deployer: {
          type: 'user',
          attributes: { username: 'deployer' },
          attachments: { motd: { path: '/etc/motd', content: 'Welcome.' } },
          monitors: { logins: { cmd: 'check_logins', metrics: { used: { unit: '%' } } } },
        },
      },
    },
  },
  environments: {
    prod: {
      availability: 'redundant',
      clouds: { east: { priority: 1 } },
      switches: { web: { autorepair: false, scale: { compute: { current: 3 } } } },
      overrides: {
        web: {
          variables: { PIN: { encryptedValue: 'k3y-prod' } },
          components: {
            tomcat: { attributes: { max_threads: 300 } },
            deployer: {
              type: 'user',
              attachments: { motd: { content: 'Welcome to prod.' } },
              monitors: { logins: { sampleInterval: 30 } },
            },
          },
        },
      },
      relays: { ops: { emails: ['ops@acme.io'] } },
    },
  },
};

const NOTHING: StackSpec | undefined = undefined;

const SCENARIOS: readonly (readonly [
  name: string,
  from: StackSpec | undefined,
  to: StackSpec | undefined,
  loses: boolean,
])[] = [
  ['first up', NOTHING, STOREFRONT, false],
  ['first up, state lost', NOTHING, STOREFRONT, true],
  ['edit', STOREFRONT, EDITED, false],
  ['one record edited', STOREFRONT, ONE_EDITED, false],
  ['destroy', STOREFRONT, NOTHING, false],
  ['first up with settings of an environment', NOTHING, SETTINGS, false],
];

const total = { points: 0, converged: 0, duplicates: 0, orphans: 0 };

afterAll(() => {
  const { points, converged, duplicates, orphans } = total;
  process.stdout.write(
    `points ${points}, converged ${converged}, duplicates ${duplicates}, orphans ${orphans}; each judged by itself\n`,
  );
  expect(points).toBeGreaterThanOrEqual(20);
});

const cases = DIALECTS.flatMap((dialect) => SCENARIOS.map((scenario) => [dialect, ...scenario] as const));

describe.each(cases)('%s, %s', (dialect, _name, from, to, loses) => {
  /** A run without the state that it had says that it takes over what it finds: `adopt` holds for all below. */
  const declared = (spec: StackSpec | undefined, adopt: boolean): readonly Declared[] =>
    (spec ? resourcesOf(spec) : []).map((each) =>
      adopt && ['Assembly', 'Environment'].includes(each.token)
        ? { ...each, args: { ...each.args, adopt: true } }
        : each,
    );

  const go = (world: World, stack: Stack, spec: StackSpec | undefined, options?: RunOptions & { adopt?: boolean }) =>
    run(world, stack, declared(spec, options?.adopt ?? false), options);

  /** A world that is as the scenario begins. */
  const begin = async (): Promise<{ readonly world: World; readonly stack: Stack }> => {
    const world = makeWorld(dialect);
    if (!from) return { world, stack: emptyStack };
    const { stack, errors } = await go(world, emptyStack, from);
    expect(errors).toEqual([]);
    return { world, stack };
  };

  /** What the run asks when nobody kills it, and what exists there afterwards. */
  const reference = async (): Promise<{
    readonly requests: readonly string[];
    readonly stands: readonly Standing[];
  }> => {
    const { world, stack } = await begin();
    world.requests();
    const { errors } = await go(world, stack, to);
    const requests = world.requests();
    expect(errors).toEqual([]);
    const stands = await standing(world.api);
    world.close();
    return { requests, stands };
  };

  /** Kills at a boundary, runs again, and says what is not as it should be. */
  const trial = async (
    killAt: NonNullable<RunOptions['killAt']>,
    stands: readonly Standing[],
  ): Promise<readonly string[]> => {
    const { world, stack } = await begin();
    const crashed = await go(world, stack, to, { killAt });
    if (!crashed.killed) return [];
    const again = await go(world, loses ? stack : crashed.stack, to, { adopt: loses });
    const difference = differenceOf(await standing(world.api), stands);
    const shown = to
      ? await preview(world, again.stack, declared(to, loses))
      : { steps: [...again.stack.keys()], errors: [] };
    const wrong = [
      ...again.errors,
      ...shown.steps,
      ...shown.errors,
      ...difference.wrong,
      ...difference.duplicates,
      ...difference.orphans,
      ...(to ? await differences(world, to) : []),
    ];
    total.points += 1;
    total.converged += wrong.length === 0 ? 1 : 0;
    total.duplicates += difference.duplicates.length;
    total.orphans += difference.orphans.length;
    world.close();
    return wrong;
  };

  test('killed at any request, the next run finishes it', async () => {
    const { requests, stands } = await reference();
    const boundaries = requests.flatMap((_, index) =>
      (['before', 'after'] as const).map((when) => ({ request: index + 1, when })),
    );
    // What the first write did, and nobody saw, is in any sample.
    const unseen = requests.findIndex((request) => !request.startsWith('GET')) + 1;
    const chosen = boundaries.filter(
      ({ request, when }, index) =>
        index % Math.max(1, Math.ceil(boundaries.length / SHARE)) === shift(dialect) ||
        (request === unseen && when === 'after'),
    );
    for (const boundary of chosen) {
      const wrong = await trial(boundary, stands);
      expect({ boundary, wrong }).toEqual({ boundary, wrong: [] });
    }
  }, 600_000);
});

/** Both dialects together see both sides of a request. */
const shift = (dialect: Dialect): number => (SHARE === Infinity ? 0 : DIALECTS.indexOf(dialect));

// Runs that are killed before or after a request, or lose a write, in process: the next run
// finishes the work, and nothing is there twice or left over. CRASH_POINTS=all takes every request
// of every run (as `make soak` does); else a sample of each.
import { DIALECTS, type Dialect } from '../../api/contract';
import type { Inputs } from '../../provider';
import { standingStack, wrongIn } from '../world/each-stack';
import { emptyStack, run, type Declared, type RunOptions, type Stack } from '../world/engine-simulation';
import { KILLED_RUNS, type KilledRun } from '../world/killed-runs';
import { dialectsInTurn } from '../dialects-in-turn';
import { BOTH, DESIGN, helper, MOVED, ON_WEST, SHOP, SWAPPED } from '../world/shop-spec';
import { withComponents, withProd } from '../world/shop-spec';
import { type EnvironmentSpec, resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';

const POINTS = process.env['CRASH_POINTS'];

/** Boundaries of each run in each dialect; more where points are requested, as by `make verify`. */
const SHARE = POINTS === 'all' ? Infinity : POINTS === undefined ? 2 : 4;

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

/** Secrets of the design, in place of which prod has its own. */
const replacing = (prod: EnvironmentSpec): StackSpec => ({
  variables: { USER: { encryptedValue: 'k3y-design' } },
  platforms: {
    db: {
      pack: 'mysql',
      components: {
        mysql: { attributes: { password: 'k3y-design' } },
        deployer: { type: 'user', attributes: { username: '$OO_GLOBAL{USER}' } },
      },
    },
  },
  environments: { prod: { clouds: { east: { priority: 1 } }, ...prod } },
});
const withMysql = (attributes: Inputs): StackSpec =>
  replacing({ overrides: { db: { components: { mysql: { attributes } } } } });

/** A killed run, and what is declared after it, if it is not the same. */
interface KilledLife extends KilledRun {
  readonly then?: readonly (RunOptions & { readonly to: StackSpec })[];
}

/** Optional components that are named like their templates: they go when they leave the file. */
const OPTIONAL = withComponents({ hostname: {}, user: { attributes: { username: 'robot' } } }, DESIGN);

const RUNS: readonly KilledLife[] = [
  ...KILLED_RUNS,
  { name: 'first up with settings of an environment', to: SETTINGS },
  { name: 'from one cloud to another', from: SHOP, to: ON_WEST },
  {
    name: 'from one cloud to another, taken back with a refresh',
    from: SHOP,
    to: ON_WEST,
    then: [{ to: SHOP, refresh: true }],
  },
  { name: 'priorities swapped', from: BOTH, to: SWAPPED },
  { name: 'a new cloud takes over the first place', from: SHOP, to: SWAPPED },
  {
    name: 'a changed default reaches the platforms that follow it',
    from: BOTH,
    to: withProd({ clouds: { east: { priority: 1, dpmtOrder: 2 }, west: { priority: 2, pctScale: 50 } } }),
  },
  { name: 'an attachment moved', from: helper(), to: MOVED },
  {
    name: 'the secret of a variable in an environment gives way',
    from: replacing({ variables: { USER: { encryptedValue: 'k3y-prod' } } }),
    to: replacing({}),
  },
  {
    name: 'the secret of a component in an environment gives way',
    from: withMysql({ port: '3310', password: 'k3y-prod' }),
    to: withMysql({ port: '3310' }),
  },
  { name: 'optional components', to: OPTIONAL, then: [{ to: OPTIONAL }, { to: DESIGN }] },
];

const total = { points: 0, converged: 0 };

afterAll(() => {
  process.stdout.write(`points ${total.points}, converged ${total.converged}; each judged by itself\n`);
  expect(total.points).toBeGreaterThanOrEqual(20);
});

const cases = DIALECTS.flatMap((dialect) => RUNS.map((each, turn) => [dialect, each.name, each, turn] as const));

describe.each(cases)('%s, %s', (dialect, _name, { from, to, loses = false, then }, turn) => {
  /** A run without its state says that it takes over what it finds: `adopt` holds for all below. */
  const declared = (spec: StackSpec | undefined, adopt: boolean): readonly Declared[] =>
    (spec ? resourcesOf(spec) : []).map((each) =>
      adopt && ['Assembly', 'Environment'].includes(each.token)
        ? { ...each, args: { ...each.args, adopt: true } }
        : each,
    );

  /** A world that is as the run begins. */
  const begin = async (): Promise<{ readonly world: World; readonly stack: Stack }> => {
    const world = makeWorld(dialect);
    return { world, stack: from ? await standingStack(world, from) : emptyStack };
  };

  /** What the run asks when nobody kills it. */
  let reference: readonly string[];
  beforeAll(async () => {
    const { world, stack } = await begin();
    world.requests();
    const { errors } = await run(world, stack, declared(to, false));
    reference = world.requests();
    expect(errors).toEqual([]);
    world.close();
  });

  /** Stops a run, runs again, and says what is not as it should be. */
  const trial = async (stops: RunOptions): Promise<readonly string[]> => {
    const begun = await begin();
    const { world } = begun;
    const crashed = await run(world, begun.stack, declared(to, false), stops);
    if (stops.killAt && !crashed.killed) return [];
    const wrong: string[] = [];
    let stack = loses ? begun.stack : crashed.stack;
    for (const { to: next, ...options } of then ?? [{ to }]) {
      const again = await run(world, stack, declared(next, loses), options);
      stack = again.stack;
      wrong.push(...again.errors, ...(await wrongIn(world, stack, next, declared(next, loses))));
    }
    total.points += 1;
    total.converged += wrong.length === 0 ? 1 : 0;
    world.close();
    return wrong;
  };

  test('killed at any request, the next run finishes it', async () => {
    const boundaries = reference.flatMap((_, index) =>
      (['before', 'after'] as const).map((when) => ({ request: index + 1, when })),
    );
    // What the first write did, and nobody saw, is in any sample.
    const unseen = reference.findIndex((request) => !request.startsWith('GET')) + 1;
    const chosen = boundaries.filter(
      ({ request, when }, index) =>
        index % Math.max(1, Math.ceil(boundaries.length / SHARE)) === shift(dialect) ||
        (request === unseen && when === 'after'),
    );
    for (const boundary of chosen) {
      const wrong = await trial({ killAt: boundary });
      expect({ boundary, wrong }).toEqual({ boundary, wrong: [] });
    }
  }, 600_000);

  const isPlayed = POINTS === 'all' || dialectsInTurn(turn).includes(dialect);
  if (isPlayed)
    test('with any write refused, the next run finishes it', async () => {
      const writes = reference.filter((request) => !request.startsWith('GET'));
      // The second one often ends what the first began.
      for (const refuseWrite of POINTS === 'all' ? writes.map((_, index) => index + 1) : [Math.min(2, writes.length)]) {
        const wrong = await trial({ refuseWrite });
        expect({ refuseWrite, wrong }).toEqual({ refuseWrite, wrong: [] });
      }
    }, 600_000);
});

/** Both dialects together see both sides of a request. */
const shift = (dialect: Dialect): number => (SHARE === Infinity ? 0 : DIALECTS.indexOf(dialect));

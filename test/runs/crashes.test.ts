// A run killed at a request's boundary, before the service has it and once it is carried out, in
// process: the next run finishes it, nothing is there twice and nothing is left over.
// CRASH_POINTS=all takes every boundary of every run (as `make soak` does); else a sample of each.
import { DIALECTS, type Dialect } from '../../api/contract';
import { standingStack } from '../world/each-stack';
import { emptyStack, preview, run, type Declared, type RunOptions, type Stack } from '../world/engine-simulation';
import { KILLED_RUNS, type KilledRun } from '../world/killed-runs';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { standing, differenceOf, type Standing } from '../world/standing';
import { differences } from '../world/stands-as-declared';
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

const RUNS: readonly KilledRun[] = [...KILLED_RUNS, { name: 'first up with settings of an environment', to: SETTINGS }];

const total = { points: 0, converged: 0 };

afterAll(() => {
  process.stdout.write(`points ${total.points}, converged ${total.converged}; each judged by itself\n`);
  expect(total.points).toBeGreaterThanOrEqual(20);
});

const cases = DIALECTS.flatMap((dialect) => RUNS.map((each) => [dialect, each.name, each] as const));

describe.each(cases)('%s, %s', (dialect, _name, { from, to, loses = false }) => {
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

  /** What the run asks when nobody kills it, and what exists there afterwards. */
  const reference = async (): Promise<{
    readonly requests: readonly string[];
    readonly stands: readonly Standing[];
  }> => {
    const { world, stack } = await begin();
    world.requests();
    const { errors } = await run(world, stack, declared(to, false));
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
    const crashed = await run(world, stack, declared(to, false), { killAt });
    if (!crashed.killed) return [];
    const again = await run(world, loses ? stack : crashed.stack, declared(to, loses));
    const difference = differenceOf(await standing(world.api), stands);
    const shown = to
      ? await preview(world, again.stack, declared(to, loses))
      : { steps: [...again.stack.keys()], errors: [] };
    const undone = to ? await differences(world, to) : [];
    const wrong = [...again.errors, ...shown.steps, ...shown.errors, ...difference, ...undone];
    total.points += 1;
    total.converged += wrong.length === 0 ? 1 : 0;
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

// The engine against its simulation (test/world/engine-simulation.ts): the same runs on both take
// the same steps, send the same writes, and fail alike. What a run makes of the service is judged
// in process; this story shows that the simulation is right.
import type { Api } from '../../api/client';
import { handOf } from '../world/hand';
import { emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { CHANGED, DEPLOYER, EAST, MOTD, SHOP, WEB, withComponents, withDeployer } from '../world/shop-spec';
import { withoutWeb, withProd, withWeb } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';
import { dialectsInTurn } from '../dialects-in-turn';
import { openStack, type EngineStack } from './engine-stack';

/** One run on both; nothing declared is a destroy. */
interface Both {
  readonly to?: StackSpec;
  /** What another user does before it. */
  readonly after?: (other: Api) => Promise<void>;
  readonly refresh?: true;
  /** Whether a preview comes first. */
  readonly previewed?: true;
  /** Keys of the only resources of the run, and those that depend on them. */
  readonly targets?: readonly string[];
  readonly dependents?: readonly string[];
  /** Deployments fail on records whose path contains this. */
  readonly failing?: string;
  /** The service refuses this route. */
  readonly refusing?: string;
  /** Why the run fails. */
  readonly fails?: RegExp;
  /** What a failed run deleted to replace it is pending: the engine forgets it without a step. */
  readonly isPending?: true;
  /** What the service holds afterwards, where it is not all that is declared. */
  readonly stands?: StackSpec;
}

interface Row {
  readonly title: string;
  /** What exists when it begins; what the row before left, when it is left out. */
  readonly from?: StackSpec;
  readonly runs: readonly Both[];
}

/** Two platforms, two environments, two clouds. */
const TWO: StackSpec = {
  ...SHOP,
  environments: {
    staging: { clouds: EAST },
    prod: {
      clouds: { east: { priority: 1 }, west: { priority: 2 } },
      platforms: { web: { west: { pctScale: 50 } }, db: { west: { dpmtOrder: 2 }, east: { pctScale: 80 } } },
    },
  },
};
const EDITED = withComponents({ deployer: { ...DEPLOYER, attachments: { motd: { ...MOTD, content: 'bye' } } } }, TWO);
const { db: _, ...OF_WEB } = TWO.environments!['prod']!.platforms!;
const MORE: StackSpec = { ...TWO, platforms: { ...TWO.platforms, cache: { pack: 'redisio' } } };
const DB_ONLY: StackSpec = { ...withoutWeb(), platforms: { db: {} } };
const DESIGN: StackSpec = { ...SHOP, environments: {} };
const TOMCAT = withWeb({ pack: 'tomcat' }, DESIGN);

/** The platform web under another name, and the same logical name. */
const renamed = (of: StackSpec): StackSpec => {
  const { web, ...rest } = of.platforms ?? {};
  return { ...of, platforms: { front: { ...web, logical: 'web' }, ...rest } };
};
const ON_TWO = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
const OWN = { east: { priority: 2, pctScale: 50 }, west: { priority: 1 } };

const marked = (mark: 'protect' | 'retain'): StackSpec => withDeployer({ attachments: { motd: { ...MOTD, mark } } });
const failed = (to: StackSpec): Both => ({ to, failing: 'web/deployer', fails: /deployment \d+ failed[^]*no room/ });
const OTHERWISE = withDeployer({
  attributes: { username: 'robot' },
  attachments: { motd: { ...MOTD, content: 'bye' } },
});
const MOTD_KEY = 'Attachment::web/motd';
const DEPENDENTS = ['DesignRelease::shop', 'Environment::prod', 'Deployment::prod'];

/** Maria changes a component of the design. */
async function resize(other: Api): Promise<void> {
  const maria = handOf(other);
  await maria.set('web/compute', { size: 'L' });
  await maria.commit();
}

const ROWS: readonly Row[] = [
  {
    title: 'the first up, and again, with a refresh too',
    runs: [{ to: TWO }, { to: TWO }, { to: TWO, refresh: true }],
  },
  { title: 'an attachment changed', runs: [{ to: EDITED, previewed: true }] },
  { title: 'what another user changed is repaired', runs: [{ to: EDITED, after: resize, refresh: true }] },
  {
    title: 'an attachment removed, and an adopted component no longer declared',
    runs: [{ to: withWeb({ components: { deployer: { ...DEPLOYER, attachments: {} } } }, TWO) }],
  },
  {
    title: 'a running platform with its link and cloud configurations removed',
    from: TWO,
    runs: [{ to: withProd({ platforms: OF_WEB }, { ...TWO, platforms: { web: { ...WEB, links: [] } } }) }],
  },
  {
    title: 'a platform that comes later with cloud configurations; one of them removed',
    from: TWO,
    runs: [
      { to: withProd({ platforms: { cache: { west: { pctScale: 50 }, east: { pctScale: 70 } } } }, MORE) },
      { to: withProd({ platforms: { cache: { east: { pctScale: 70 } } } }, MORE) },
    ],
  },
  {
    title: 'a deployment fails: retried, retried with a refresh, something else changed, and taken back',
    from: SHOP,
    runs: [
      ...[failed(CHANGED), { to: CHANGED }],
      ...[failed(SHOP), { to: SHOP, refresh: true as const }],
      ...[failed(CHANGED), { to: OTHERWISE }],
      ...[failed(SHOP), { to: OTHERWISE }],
    ],
  },
  {
    title: 'targets: one attachment, and a destroy of it with its dependents',
    from: SHOP,
    runs: [
      { to: CHANGED, targets: [MOTD_KEY] },
      { to: CHANGED },
      { targets: [MOTD_KEY], dependents: DEPENDENTS },
      { to: CHANGED },
    ],
  },
  {
    title: 'a protected attachment leaves alone, with its component or with its platform: it is not deleted',
    from: marked('protect'),
    runs: [
      ...[
        withDeployer({ attachments: {} }),
        withWeb({ components: { compute: { attributes: { size: 'M' } } } }),
        withoutWeb(),
      ].map((to) => ({ to, fails: /protected/ })),
      { to: marked('protect') },
    ],
  },
  {
    title: 'a retained attachment stays, alone or below a platform that goes; a retained platform stays and runs',
    from: marked('retain'),
    runs: [
      { to: withDeployer({ attachments: {} }), stands: SHOP },
      { to: marked('retain') },
      { to: DB_ONLY },
      { to: withWeb({ mark: 'retain' }) },
      { to: DB_ONLY, stands: SHOP },
      { to: withWeb({ adopt: true }) },
      { to: SHOP },
    ],
  },
  {
    title: 'a platform renamed while it runs, with its cloud configurations',
    from: withProd({ platforms: { web: OWN } }, ON_TWO),
    runs: [{ to: withProd({ platforms: { front: OWN } }, renamed(ON_TWO)) }],
  },
  {
    title: 'a rename fails half way: taken back, and then mended',
    from: SHOP,
    runs: [
      { to: renamed(SHOP), refusing: 'platforms.create', fails: /no/ },
      { to: SHOP, isPending: true },
      { to: renamed(SHOP), refusing: 'platforms.create', fails: /no/ },
      { to: renamed(SHOP), isPending: true },
    ],
  },
  {
    title: 'another pack where an environment runs the platform: refused in preview, and nothing happens',
    from: SHOP,
    runs: [{ to: withWeb({ pack: 'tomcat' }), previewed: true, fails: /prod has it running/ }, { to: SHOP }],
  },
  {
    title: 'a tear-down fails and says what; the next one leaves nothing',
    from: SHOP,
    runs: [{ failing: 'web/deployer', fails: /deployment \d+ failed[^]*no room/ }, {}],
  },
  {
    title: 'another pack without an environment cannot be made: taken back, and then mended',
    from: DESIGN,
    runs: [
      { to: TOMCAT, refusing: 'platforms.create', fails: /no/ },
      { to: DESIGN, isPending: true },
      { to: TOMCAT, refusing: 'platforms.create', fails: /no/ },
      { to: TOMCAT, isPending: true },
      {},
    ],
  },
];

/** A stack on the engine, and the same in this process. */
interface Pair {
  readonly engine: EngineStack;
  readonly world: World;
  stack: Stack;
}

/** A URN has the types of all parents before its own: the engine takes a pattern. */
const urnOf = (key: string): string => `**/oneops:${key}`;

/** The engine's words for the parts of a replacement, as the simulation has them. */
const WORDS: { readonly [op: string]: string } = { 'create-replacement': 'create', 'delete-replaced': 'delete' };

const asSimulated = (steps: readonly string[]): readonly string[] =>
  steps
    .map((step) => step.split(' ') as [string, string])
    .filter(([op]) => op !== 'replace')
    .map(([op, key]) => `${WORDS[op] ?? op} ${key}`)
    .sort();

/** Requests that were no reads, and were carried out. */
const writesIn = (journal: ReturnType<World['service']['journal']>): string[] =>
  journal
    .filter(({ method, status }) => method !== 'GET' && status < 400)
    .map(({ method, route, path }) => `${method} ${route ?? path}`);

async function playOn(pair: Pair, { to, after, targets = [], dependents = [], fails, ...rest }: Both): Promise<void> {
  const { engine, world } = pair;
  const declared = to ? resourcesOf(to) : [];
  for (const { service, other } of [engine.live, world]) {
    await after?.(other);
    service.failures.set(rest.failing === undefined ? [] : [{ match: rest.failing, message: 'no room' }]);
    const body = { errors: ['no'] };
    service.faults.set(
      rest.refusing === undefined ? [] : [{ effect: 'status', status: 422, route: rest.refusing, body }],
    );
  }
  if (rest.previewed && to) {
    const shown = await engine.preview(to);
    const { steps, errors } = await preview(world, pair.stack, declared);
    expect([shown.code === 0, shown.writes]).toEqual([errors.length === 0, []]);
    if (fails) expect([shown.errors, errors.join('\n')]).toEqual(Array(2).fill(expect.stringMatching(fails)));
    else expect([...shown.steps].sort()).toEqual([...steps].sort());
  }
  const words = [
    ...(rest.refresh ? ['--refresh'] : []),
    ...targets.flatMap((key) => ['--target', urnOf(key)]),
    ...(dependents.length > 0 ? ['--target-dependents'] : []),
  ];
  const done = await (to ? engine.up(to, ...words) : engine.destroy(...words));
  const before = world.service.journal().length;
  const simulated = await run(world, pair.stack, declared, {
    ...(rest.refresh ? { refresh: true } : {}),
    ...(targets.length > 0 ? { targets: [...targets, ...dependents] } : {}),
  });
  pair.stack = simulated.stack;
  if (fails) {
    expect([done.code, done.errors, simulated.errors.join('\n')]).toEqual([
      1,
      ...(Array(2).fill(expect.stringMatching(fails)) as string[]),
    ]);
    expect([engine.outages(), world.service.outages()]).toEqual([[], []]);
    return;
  }
  expect([done.code, done.errors, simulated.errors]).toEqual([0, '', []]);
  expect({ steps: asSimulated(done.steps), writes: [...done.writes].sort() }).toEqual({
    steps: simulated.steps.filter((step) => !(rest.isPending && step.startsWith('delete '))).sort(),
    writes: writesIn(world.service.journal().slice(before)).sort(),
  });
  if (rest.stands) expect(await engine.differences(rest.stands)).toEqual([]);
  else if (to === undefined) expect(targets.length > 0 ? [] : await engine.left()).toEqual([]);
  else if (targets.length === 0) expect(await engine.wrong(to)).toEqual([]);
}

/** What a row of many runs takes on a machine that has much else to do, in ms. */
const PATIENCE = 30 * 60_000;

describe.each(dialectsInTurn(0))('the engine and its simulation, %s', (dialect) => {
  let pair: Pair | undefined;

  /** After a row that failed, the next one begins with new stacks. */
  const closed = async (): Promise<void> => {
    const old = pair;
    pair = undefined;
    old?.world.close();
    await old?.engine.close();
  };

  afterAll(closed);

  test.each(ROWS)(
    '$title',
    async ({ from, runs }) => {
      pair ??= {
        engine: await openStack(dialect),
        world: makeWorld(dialect),
        stack: emptyStack,
      };
      const current = pair;
      try {
        for (const each of from ? [{ to: from }, ...runs] : runs) await playOn(current, each);
      } catch (error) {
        await closed();
        throw error;
      }
    },
    PATIENCE,
  );
});

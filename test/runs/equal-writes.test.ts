// What is declared already exists when its update comes, written by a run that was killed or by another user: it reaches the machines all
// the same.
import { DIALECTS, routes } from '../../api/contract';
import { scopeAt, scopesOf } from '../../provider';
import { kinds } from '../../provider/kinds';
import { dialectsInTurn, rowsInTurn, testInTurn } from '../dialects-in-turn';
import { emptyStack, preview, run, type Run, type Stack } from '../world/engine-simulation';
import { leftToDeploy } from '../world/left-to-deploy';
import { BOTH, EAST, MOTD, ON_WEST, PROD, SHOP, SWAPPED, WEB, withProd, withWeb } from '../world/shop-spec';
import { resourcesOf, type OverrideSpec, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { closedAfterEach, kindOf, makeWorld, titleOf, type World } from '../world/world';

const ROBOT = { type: 'user', attributes: { username: 'robot' } };

/** What prod lays over web. */
const LAID: OverrideSpec = {
  variables: { HEAP: '3g' },
  components: {
    deployer: {
      type: 'user',
      attributes: { home_directory: '/srv' },
      attachments: { motd: { content: 'hello, prod' } },
      monitors: { logins: { sampleInterval: 30 } },
    },
  },
};

/** A check that the design adds to a component. */
const LOGINS = { description: 'who came', cmd: 'check_logins', sampleInterval: 60 };

const laid = (of: StackSpec, change: OverrideSpec): StackSpec =>
  withProd({ overrides: { web: { ...of.environments!['prod']!.overrides!['web'], ...change } } }, of);
const laidDeployer = (of: StackSpec, change: object): StackSpec => {
  const { components } = of.environments!['prod']!.overrides!['web']!;
  return laid(of, { components: { deployer: { ...components!['deployer']!, ...change } } });
};

/** The shop with a record of each kind and scope. */
const WHOLE: StackSpec = withProd(
  {
    description: 'live',
    clouds: { ...EAST, west: { priority: 2 } },
    platforms: { web: { west: { pctScale: 50 } } },
    overrides: { web: LAID },
    switches: { web: { autorepair: false } },
    variables: { LEVEL: 'warn' },
  },
  withWeb(
    {
      description: 'front',
      variables: { HEAP: '1g' },
      components: {
        ...WEB.components,
        deployer: { ...WEB.components!['deployer'], monitors: { logins: LOGINS } },
        robot: ROBOT,
      },
    },
    { ...SHOP, variables: { LEVEL: 'info' } },
  ),
);

const web = (of: StackSpec, change: object): StackSpec => withWeb(change, of);
const prod = (of: StackSpec, change: object): StackSpec => withProd(change, of);
const deployer = (of: StackSpec, change: object): StackSpec => {
  const { components } = of.platforms!['web']!;
  return web(of, { components: { ...components, deployer: { ...components!['deployer'], ...change } } });
};

/** What prod switches in web, beside that it repairs. */
const switched = (of: StackSpec, change: object): StackSpec =>
  prod(of, { switches: { web: { autorepair: true, ...change } } });

/** Edits of one single record, each on top of those before: its key, and what is declared then. */
const EDITS: readonly (readonly [key: string, edit: (of: StackSpec) => StackSpec])[] = [
  ['Attachment::web/motd', (of) => deployer(of, { attachments: { motd: { ...MOTD, content: 'bye' } } })],
  // Less of it.
  ['Attachment::web/motd', (of) => deployer(of, { attachments: { motd: { path: MOTD.path } } })],
  ['Component::web/deployer', (of) => deployer(of, { attributes: { username: 'clerk' } })],
  ['Component::web/deployer', (of) => deployer(of, { depends: ['robot'] })],
  ['Variable::variables/LEVEL', (of) => ({ ...of, variables: { LEVEL: 'debug' } })],
  ['Variable::platforms/web/variables/HEAP', (of) => web(of, { variables: { HEAP: '2g' } })],
  ['Variable::environments/prod/variables/LEVEL', (of) => prod(of, { variables: { LEVEL: 'error' } })],
  ['Variable::environments/prod/platforms/web/variables/HEAP', (of) => laid(of, { variables: { HEAP: '4g' } })],
  [
    'EnvironmentComponent::prod/web/deployer',
    (of) => laidDeployer(of, { attributes: { home_directory: '/srv/home' } }),
  ],
  [
    'EnvironmentAttachment::prod/web/motd',
    (of) => laidDeployer(of, { attachments: { motd: { content: 'bye, prod' } } }),
  ],
  [
    'Monitor::web/deployer/monitors/logins',
    (of) => deployer(of, { monitors: { logins: { ...LOGINS, description: 'who came in' } } }),
  ],
  [
    'Monitor::prod/web/components/deployer/monitors/logins',
    (of) => laidDeployer(of, { monitors: { logins: { sampleInterval: 20 } } }),
  ],
  ['EnvironmentPlatform::prod/web', (of) => switched(of, {})],
  ['EnvironmentPlatform::prod/web', (of) => switched(of, { enabled: false })],
  ['EnvironmentPlatform::prod/web', (of) => switched(of, { enabled: true })],
  ['Platform::web', (of) => web(of, { description: 'shop front' })],
  ['Platform::web', (of) => web(of, { links: [] })],
  ['CloudConfiguration::prod/web/west', (of) => prod(of, { platforms: { web: { west: { pctScale: 60 } } } })],
  ['Environment::prod', (of) => prod(of, { description: 'live shop' })],
  ['Environment::prod', (of) => prod(of, { clouds: { ...EAST, west: { priority: 2, dpmtOrder: 3 } } })],
  // One cloud less.
  ['Environment::prod', (of) => prod(of, { clouds: EAST, platforms: {} })],
];

/** Writes what is declared, of which our state then knows nothing; `key`: what is written when another user does it. */
type Write = (world: World, stack: Stack, to: StackSpec, key: string) => Promise<Run>;

const bySomebody: Write = (world, stack, to, key) =>
  run({ ...world, api: world.other }, stack, resourcesOf(to), { targets: [key] });

const byAKilledRun: Write = (world, stack, to) => run(world, stack, resourcesOf(to), { killAfter: 1 });

const WRITERS = [
  ['somebody else', bySomebody, {}],
  ['somebody else, seen by a refresh', bySomebody, { refresh: true }],
  ['a run that was killed', byAKilledRun, {}],
  ['a run that was killed, seen by a refresh', byAKilledRun, { refresh: true }],
] as const;

const cases = rowsInTurn(WRITERS);

describe.each(cases)('%s, written by %s', (dialect, _, write, options) => {
  let world: World;
  let stack: Stack = emptyStack;
  let spec = WHOLE;

  beforeAll(async () => {
    world = makeWorld(dialect);
    const done = await run(world, stack, resourcesOf(spec));
    expect(done.errors).toEqual([]);
    stack = done.stack;
  });

  afterAll(async () => {
    expect(await differences(world, spec)).toEqual([]);
    world.close();
  });

  test.each(EDITS)('%s', async (key, edit) => {
    const to = edit(spec);
    world.writes();
    await write(world, stack, to, key);
    expect(world.writes()).not.toEqual([]);
    const shown = await preview(world, stack, resourcesOf(to));
    const done = await run(world, stack, resourcesOf(to), options);
    ({ stack } = done);
    spec = to;
    expect(done.errors).toEqual([]);
    expect(done.steps).toContain('update Deployment::prod');
    if (!('refresh' in options)) expect([...done.steps].sort()).toEqual([...shown.steps].sort());
    expect(await preview(world, stack, resourcesOf(to))).toMatchObject({ steps: [], errors: [] });
    const release = await world.api.call(routes.designReleases.latest, { address: PROD });
    expect(release.releaseState).toBe('closed');
    expect(await leftToDeploy(world.api, PROD, () => world.clock.advance(1000))).toEqual([]);
  });
});

test('every kind whose writes wait for a commit is among the edits, in each of its scopes', () => {
  const edited = resourcesOf(WHOLE).filter(({ key }) => EDITS.some(([each]) => each === key));
  const titles = edited.map(({ token, args }) => titleOf(scopeAt(kindOf(token), args) ?? kindOf(token)));
  const waiting = kinds.flatMap(scopesOf).filter(({ stage }) => stage !== 'none');
  // What is marked to be replaced is no value that could exist there already.
  const expected = waiting.map(titleOf).filter((title) => title !== 'InstanceReplacement');
  expect([...new Set(titles)].sort()).toEqual(expected.sort());
});

const open = closedAfterEach();

test.each(dialectsInTurn(0))('%s: what steers our own work alone moves nothing', async (dialect) => {
  const world = open(dialect);
  const { stack } = await run(world, emptyStack, resourcesOf(WHOLE));
  const isMember = ({ token }: { readonly token: string }): boolean =>
    scopesOf(kindOf(token)).some(({ stage }) => stage !== 'none');
  // The engine updates what a failure left incomplete, whatever its diff says.
  const asked = new Map([...stack].map(([key, kept]) => [key, { ...kept, incomplete: isMember(kept) }]));
  const steered = resourcesOf(WHOLE).map((each) =>
    'overwrite' in kindOf(each.token).fields ? { ...each, args: { ...each.args, overwrite: true } } : each,
  );
  world.writes();
  const done = await run(world, asked, steered);
  expect(done.errors).toEqual([]);
  const members = steered.filter(isMember).map(({ key }) => `update ${key}`);
  expect(done.steps.filter((step) => step !== 'update Assembly::shop').sort()).toEqual(members.sort());
  expect(world.writes()).toEqual([]);
});

const LINKED: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, cache: {} } };

describe.each(DIALECTS)('%s: an update that is troubled after a write is finished by the next run', (dialect) => {
  const test = testInTurn(dialect);
  test.each<readonly [string, StackSpec, StackSpec, string, number]>([
    [
      'when the links are read to verify them',
      LINKED,
      withWeb({ links: ['db', 'cache'] }, LINKED),
      'platforms.read',
      2,
    ],
    ['between two platforms of an environment', BOTH, SWAPPED, 'environmentPlatforms.configureCloud', 2],
    ['after a cloud joined', SHOP, ON_WEST, 'environmentPlatforms.configureCloud', 1],
  ])('%s', async (_, from, to, route, nth) => {
    const world = open(dialect);
    let { stack } = await run(world, emptyStack, resourcesOf(from));
    for (const [next, options] of [
      [to, {}],
      [to, { refresh: true }],
      [from, {}],
    ] as const) {
      world.service.faults.set([{ effect: 'status', status: 403, route, nth }]);
      const failed = await run(world, stack, resourcesOf(to));
      world.service.faults.set([]);
      expect(failed.errors).toEqual([expect.stringContaining('403')]);
      const done = await run(world, failed.stack, resourcesOf(next), options);
      expect(done.errors).toEqual([]);
      expect(await preview(world, done.stack, resourcesOf(next))).toMatchObject({ steps: [], errors: [] });
      expect(await differences(world, next)).toEqual([]);
      ({ stack } = await run(world, done.stack, resourcesOf(from)));
    }
  });

  test('of clouds with three values in a row, of which two failed: the state shows none of them', async () => {
    const world = open(dialect);
    const configured = (pctScale: number) => withProd({ clouds: { east: { priority: 1, pctScale } } }, BOTH);
    let { stack } = await run(world, emptyStack, resourcesOf(configured(91)));
    for (const pctScale of [82, 73]) {
      world.service.faults.set([
        { effect: 'status', status: 403, route: 'environmentPlatforms.configureCloud', nth: 2 },
      ]);
      const failed = await run(world, stack, resourcesOf(configured(pctScale)));
      world.service.faults.set([]);
      expect(failed.errors).toEqual([expect.stringContaining('403')]);
      ({ stack } = failed);
    }
    const kept = JSON.stringify(stack.get('Environment::prod')?.outputs['__before']);
    expect(kept).toMatch(/clouds/);
    expect(kept).not.toMatch(/pctScale|91|82/);
    const done = await run(world, stack, resourcesOf(configured(64)));
    expect(done.errors).toEqual([]);
    expect(await differences(world, configured(64))).toEqual([]);
  });
});

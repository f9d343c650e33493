// Limits of requests, counted in the service's journal: for each verb of each kind, each step of a
// stack's life, a refresh, and the review of a large stack. A commit that raises a limit says why. A
// repeated poll counts once. ENVIRONMENTS, PLATFORMS and COMPONENTS size the stack under review.
import type { Api } from '../../api/client';
import { DIALECTS, routes } from '../../api/contract';
import { survey } from '../../provider/import';
import type { Inputs, Kind } from '../../provider';
import { lifecycle, type Lifecycle, type State } from '../../provider/lifecycle';
import { dialectsInTurn, testInTurn } from '../dialects-in-turn';
import { answering } from '../world/between';
import { eachDialect, kindsInTurn } from '../world/each-dialect';
import { countingCollections } from '../world/counted-collections';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { standingStack } from '../world/each-stack';
import { STOREFRONT } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { closedAfterEach, eachWorld, kindOf, ROW, titleOf, type World } from '../world/world';

type Verb = 'create' | 'update' | 'delete';

/**
 * Reads and writes of most verbs. A delete reads first: another record may have the name by now.
 */
const USUAL: { readonly [verb in Verb]: readonly [reads: number, writes: number] } = {
  create: [0, 1],
  update: [1, 1],
  delete: [1, 1],
};

/** What a kind, or a kind in one scope, may send beyond that, and why. */
const MORE: { readonly [what: string]: readonly [reads: number, writes: number, why: string] } = {
  'Assembly delete': [2, 1, 'the service would take environments along without a word'],
  'Cloud create': [1, 1, 'a location is given by name, and names become paths once a run'],
  'Platform create': [1, 1, 'a link to a platform that is not there is dropped without a word'],
  'Platform delete': [2, 1, 'an environment of another stack may run it'],
  'Component create': [2, 1, 'values of the template, which the service does not fill in; depends by number'],
  'Component delete': [2, 1, 'an environment of another stack may run it'],
  'Monitor create': [2, 1, 'a pack may bring one under a longer name; the number of the component'],
  'Monitor delete': [2, 1, 'an environment of another stack may run it'],
  'Variable delete': [2, 1, 'an environment of another stack may use it'],
  'Attachment create': [1, 1, 'the number of the component: a name may be that of another one'],
  'Attachment delete': [2, 1, 'an environment of another stack may run it'],
  'DesignRelease create': [1, 0, 'nothing is open to be committed'],
  'DesignRelease update': [3, 0, 'what others committed is looked at before nothing is committed'],
  'DesignRelease delete': [0, 0, 'a commit cannot be taken back'],
  'Environment create': [4, 1, 'names become numbers, and it waits for the pull'],
  'Environment update': [8, 3, 'a changed cloud reaches each platform, and no platform loses its last primary'],
  'CloudService create': [2, 1, 'made from the template of its name, which the cloud must offer'],
  'CloudService delete': [2, 1, 'an environment may use the cloud, which leaves with it'],
  'Procedure create': [7, 1, 'found in the list before it is sent, and followed to its end'],
  'Procedure update': [8, 1, 'a changed trigger runs it again'],
  'Procedure delete': [0, 0, 'what was done is not undone'],
  'InstanceReplacement create': [2, 1, 'marks the instances there are, all in one request'],
  'InstanceReplacement update': [3, 1, 'a changed trigger marks them again'],
  'InstanceReplacement delete': [2, 1, 'takes back the marks that no deployment acted on'],
  'EnvironmentPlatform create': [2, 2, 'the switch has a request of its own'],
  'EnvironmentPlatform update': [2, 2, 'the switch has a request of its own'],
  'EnvironmentPlatform delete': [16, 5, "a pull brings the pack's scaling, which no read shows"],
  'CloudConfiguration create': [2, 1, 'names become numbers, once a run'],
  'CloudConfiguration update': [2, 1, 'names become numbers, once a run'],
  'CloudConfiguration delete': [3, 1, "it follows the environment's own values again"],
  'Variable of Environment create': [1, 1, 'adopted: it came with its environment'],
  'Variable of Platform in Environment create': [1, 1, 'adopted: it came with its platform'],
  'EnvironmentComponent create': [1, 1, 'adopted: it came with its platform'],
  'EnvironmentComponent delete': [2, 1, 'it has the values of the design again'],
  'EnvironmentAttachment create': [1, 1, 'adopted: it came with its component'],
  'EnvironmentAttachment delete': [2, 1, 'it has the values of the design again'],
  'Deployment create': [19, 2, 'nothing shows what an earlier tear-down disabled, nor what others left open'],
  'Deployment update': [9, 1, 'commits nothing of others, and sees that what is declared runs'],
  'Deployment delete': [6, 3, 'takes down what runs'],
};

const isRead = (request: string): boolean => request.startsWith('GET ');

/** Expects no more requests than a limit; says which there were. */
function expectAtMost(limit: number, requests: readonly string[], step?: string): void {
  const beyond = requests.length > limit ? requests : [];
  expect({ step, limit, beyond }).toEqual({ step, limit, beyond: [] });
}

/** Expects that a verb stays within its budget. */
function expectWithin(of: Kind, verb: Verb, requests: readonly string[]): void {
  const [reads, writes] = MORE[`${titleOf(of)} ${verb}`] ?? MORE[`${of.token} ${verb}`] ?? USUAL[verb];
  const once = requests.filter((request, index) => request !== requests[index - 1]);
  expectAtMost(reads, once.filter(isRead));
  expectAtMost(
    writes,
    once.filter((request) => !isRead(request)),
  );
}

const open = closedAfterEach();

describe.each(kindsInTurn())('%s %s', (dialect, _, of) => {
  const { token } = of;
  const world = eachWorld(dialect);

  test('create, check, diff, update and delete', async () => {
    // Once per process, before its first write: how the service speaks.
    await world.api.dialect();
    const address = await world.prepare(of);
    const next = (): Lifecycle => {
      world.nextRun();
      world.requests();
      return world.life(token);
    };
    const { inputs } = next().check({ ...address, ...of.sample.create });
    const made = await world.life(token).create(inputs, ROW);
    expectWithin(of, 'create', world.requests());
    const news = { ...inputs, ...of.sample.update };
    for (const declared of [inputs, news])
      await next().diff(made.id, made.outputs, world.life(token).check(declared).inputs);
    // A preview says what other people deleted, which only the list of releases shows.
    expectAtMost(token === 'DesignRelease' ? 1 : 0, world.requests());
    const { outputs } = await next().update(made.id, made.outputs, news, ROW);
    expectWithin(of, 'update', world.requests());
    await next().delete(made.id, outputs, ROW);
    expectWithin(of, 'delete', world.requests());
  });
});

/** The storefront with a text in an attachment; `less`: without an attachment and a platform. */
function storefront(content: string, less = false): StackSpec {
  const { web, db, cache } = STOREFRONT.platforms!;
  const { deployer, ...components } = web!.components!;
  const { motd, licences } = deployer!.attachments!;
  const attachments = { motd: { ...motd, content }, ...(less ? {} : { licences: licences! }) };
  return {
    ...STOREFRONT,
    platforms: {
      web: { ...web, components: { ...components, deployer: { ...deployer, attachments } } },
      db: db!,
      ...(less ? {} : { cache: cache! }),
    },
  };
}

/**
 * Requests of a run in their order, without polls: of a deployment, and of an environment from the
 * write that starts a job until the job has ended.
 */
function besidePolls(world: World): { readonly watched: World; readonly asked: () => readonly string[] } {
  const all: string[] = [];
  const held = new Set<string>();
  const call: Api['call'] = async (route, input) => {
    const address = JSON.stringify(input?.address ?? {});
    const isRead = route.name === 'environments.read';
    if (route.name !== 'deployments.status' && !(isRead && held.has(address))) all.push(`${route.name} ${address}`);
    const answer = await world.api.call(route, input);
    const { ciState = '' } = Object(answer) as { readonly ciState?: string };
    if (['locked', 'manifest_locked'].includes(ciState)) held.add(address);
    else if (isRead) held.delete(address);
    return answer;
  };
  return { watched: { ...world, api: { ...world.api, call } }, asked: () => all.splice(0) };
}

/** Answers requests together, once nothing goes on without an answer: how often one has to wait. */
function inRounds(api: Api): { readonly watched: Api; readonly rounds: () => number } {
  let [asked, count] = [0, 0];
  let round: Promise<void> | undefined;
  const underWay: Promise<unknown>[] = [];
  const quiet = async (): Promise<void> => {
    for (let seen = -1; seen !== asked; await new Promise(setImmediate)) {
      seen = asked;
      await Promise.allSettled(underWay);
    }
    round = undefined;
    count += 1;
  };
  const call: Api['call'] = async (route, input) => {
    asked += 1;
    await (round ??= quiet());
    const answer = api.call(route, input);
    underWay.push(answer);
    return answer;
  };
  return { watched: { ...api, call }, rounds: () => count };
}

const user = (attachments: readonly string[], depends: readonly string[] = []) => ({
  type: 'user',
  attributes: { username: 'app' },
  ...(depends.length > 0 ? { depends } : {}),
  attachments: Object.fromEntries(attachments.map((name) => [name, { path: `/tmp/${name}`, content: name }])),
});

const named = <T>(count: number, noun: string, make: () => T): { readonly [name: string]: T } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${noun}${index}`, make()]));

const WIDE = 20;

/** As many environments as platforms. */
const wide = (value: string): StackSpec => ({
  variables: { LEVEL: value },
  platforms: named(WIDE, 'p', () => ({})),
  environments: named(WIDE, 'e', () => ({ clouds: { east: { priority: 1 } } })),
});

/** Two platforms, four components, two variables and one environment. */
const small = (size: string): StackSpec => ({
  variables: { ONE: 'a', TWO: 'b' },
  platforms: {
    web: { links: ['db'], components: { compute: { attributes: { size } }, one: user([]) } },
    db: { components: { compute: { attributes: { size: 'M' } }, two: user([]) } },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
});

/** What is asked of a stack, one after the other: runs of these specs, and a review. */
type Step = readonly [title: string, most: number, spec: StackSpec | undefined, how?: 'refresh' | 'repair' | 'review'];

const lifeOf = (of: (value: string) => StackSpec, most: readonly [number, number, number, number]): readonly Step[] => [
  ['the first up', most[0], of('M')],
  ['an edit of one attribute', most[1], of('L')],
  ['nothing to do', 1, of('L')],
  ['nothing to do, with a refresh', most[2], of('L'), 'refresh'],
  ['a review', most[3], of('L'), 'review'],
];

/**
 * A refresh reads one record of each form alone: an assembly, and one of a design. What others took
 * away is looked for when the design and each environment are compared, and again before their
 * commits. A delete reads the record first. A list of assemblies shows whether what is new exists,
 * and one of environments who else runs what leaves.
 */
const STACKS: readonly (readonly [stack: string, steps: readonly Step[]])[] = [
  [
    'the storefront',
    [
      ...lifeOf(storefront, [37, 23, 16, 39]),
      ['a repair', 37, storefront('L'), 'repair'],
      ['an attachment and a platform leave', 37, storefront('L', true)],
      ['destroy', 24, undefined],
    ],
  ],
  ['a small stack', lifeOf(small, [26, 15, 12, 24])],
  ['a wide stack', lifeOf(wide, [127, 108, 48, 231])],
];

/** Another user writes in the storefront and commits that. */
async function tamper(world: World): Promise<void> {
  const maria = world.maria.at({ assembly: 'storefront' });
  await maria.set('web/tomcat', { max_threads: '5' });
  await maria.commit();
}

describe.each(DIALECTS)('%s: what runs ask', (dialect) => {
  testInTurn(dialect).each(STACKS)(
    '%s',
    async (_, steps) => {
      const world = open(dialect);
      await world.api.dialect();
      const { watched, asked } = besidePolls(world);
      let stack = emptyStack;
      for (const [title, most, spec, how] of steps) {
        if (how === 'repair') await tamper(world);
        if (how === 'review') expect((await reviewIn(watched, keptOf(stack))).findings).toEqual([]);
        else {
          const done = await run(watched, stack, spec ? resourcesOf(spec) : [], how ? { refresh: true } : {});
          expect(done.errors).toEqual([]);
          stack = done.stack;
        }
        expectAtMost(most, asked(), title);
      }
    },
    300_000,
  );
});

/**
 * How often a run waits, with all that it asks at a time answered together: for who it is and what
 * exists, the assembly, the write that opens the design, the platform, the template, the component,
 * the attachment, the newest release and the commit; and after a change for who it is, the
 * attachment as it is, its write, the releases, the newest one, and the commit.
 */
test.each([
  ['documented', 8, 4],
  ['classic', 9, 6],
] as const)('%s: creation waits %i times, and a change of an attachment %i times', async (dialect, create, change) => {
  const world = open(dialect);
  await world.api.dialect();
  const { watched, rounds } = inRounds(world.api);
  const specOf = (username: string): StackSpec => ({
    variables: { LEVEL: 'a' },
    platforms: { web: { components: { one: { ...user(['motd']), attributes: { username } } } } },
  });
  const made = await run({ ...world, api: watched }, emptyStack, resourcesOf(specOf('app')));
  expect([made.errors, rounds()]).toEqual([[], create]);
  const changed = await run({ ...world, api: watched }, made.stack, resourcesOf(specOf('web')));
  expect([changed.errors, rounds() - create]).toEqual([[], change]);
});

/** Two linked platforms, each with components that have attachments, on two clouds, deployed. */
function shopOf(files: readonly string[]): StackSpec {
  const platform = (links: readonly string[]) => ({
    ...(links.length > 0 ? { links } : {}),
    components: Object.fromEntries(
      ['one', 'two', 'three'].map((name) => [
        name,
        user(
          files.map((file) => `${name}-${file}`),
          name === 'three' ? ['one'] : [],
        ),
      ]),
    ),
  });
  const clouds = { east: { pctScale: 50 }, west: { pctScale: 50 } };
  return {
    platforms: { db: platform([]), web: platform(['db']) },
    environments: {
      prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } }, platforms: { db: clouds, web: clouds } },
    },
  };
}

/** Inputs without what the engine adds. */
const declaredIn = ({ __provider: _, __kept: __, ...inputs }: Inputs): Inputs => inputs;

eachDialect('%s: a refresh', (test, world) => {
  let stack: Stack;

  const up = async (spec: StackSpec): Promise<void> => {
    const done = await run(world, stack, resourcesOf(spec));
    expect(done.errors).toEqual([]);
    stack = done.stack;
    world.nextRun();
  };

  beforeEach(async () => {
    await world.api.dialect();
    stack = emptyStack;
    await up(shopOf(['a', 'b', 'c']));
  });

  const attachment = () => stack.get('Attachment::db/one-a') as State & { readonly token: string };

  /** Reads all at once, as a refresh does, and finds what was written; answers the requests. */
  const refreshed = async (life: (token: string) => Lifecycle = world.life): Promise<readonly string[]> => {
    const before = world.service.journal().length;
    const all = [...stack.values()];
    const states = await Promise.all(all.map(({ token, id, outputs }) => life(token).read(id, outputs, ROW)));
    expect(states.map((state) => state?.inputs)).toMatchObject(all.map(({ inputs }) => declaredIn(inputs)));
    return world.service
      .journal()
      .slice(before)
      .map(({ route, path }) => `${route} ${path}`);
  };

  test('reads each list once, and by itself only what no list carries, however many records there are', async () => {
    const requests = await refreshed();
    expect(requests.filter((each, index) => requests.indexOf(each) !== index)).toEqual([]);
    expectAtMost(25, requests);
    await up(shopOf(['a', 'b', 'c', 'd', 'e', 'f']));
    expect((await refreshed()).length).toBe(requests.length);
  });

  test('waits for three rounds of requests, although the engine has few records read at a time', async () => {
    const members = ['a', 'b', 'c', 'd', 'e'];
    const each = <T>(make: (name: string) => T) => Object.fromEntries(members.map((name) => [name, make(name)]));
    const components = each((name) => user('ab'.includes(name) ? members.map((file) => `${name}-${file}`) : []));
    const platform = { variables: each((name) => name), components };
    await up({ assembly: 'wide', platforms: { db: platform, web: platform } });
    const { watched, rounds } = inRounds(world.api);
    const session = world.freshSession();
    const kinds = ['Assembly', 'Platform', 'Variable', 'Component', 'Attachment'];
    const left = kinds.flatMap((kind) => [...stack.values()].filter(({ token }) => token === kind)).values();
    const readInTurn = async (): Promise<void> => {
      for (const { token, id, outputs } of left)
        await lifecycle(kindOf(token), () => Promise.resolve(watched), session).read(id, outputs, ROW);
    };
    await Promise.all([1, 2, 3, 4].map(readInTurn));
    // Assembly, platforms, variables and components; then the attachments of each of two components.
    expect(rounds()).toBe(3);
  });

  test('shows in no row what a commit moves', async () => {
    for (const { token, id, outputs } of stack.values()) {
      const read = await world.life(token).read(id, outputs, ROW);
      // The release gets its number when it is committed.
      const { ciId, ...rest } = read?.outputs ?? {};
      expect([id, { ...outputs, ...rest }]).toEqual([id, outputs]);
      if (token !== 'DesignRelease') expect([id, ciId]).toEqual([id, outputs['ciId']]);
    }
  });

  test('with readCache off reads every record by itself', async () => {
    const session = { ...world.freshSession(), readCache: false };
    expectAtMost(39, await refreshed((token) => lifecycle(kindOf(token), () => Promise.resolve(world.api), session)));
  });

  test('decides no write: an update reads again, and what it wrote is read again', async () => {
    const { token, id, inputs, outputs } = attachment();
    const life = world.life(token);
    await refreshed();
    await world.maria.set('db/one/one-a', { content: 'of somebody else' });
    const wanted: Inputs = { ...declaredIn(inputs), content: 'ours' };
    await expect(life.update(id, outputs, wanted, ROW)).rejects.toThrow(/content was changed by maria/);
    await life.update(id, outputs, { ...wanted, overwrite: true }, ROW);
    expect((await life.read(id, outputs, ROW))?.inputs).toMatchObject({ content: 'ours' });
  });

  test.each([
    ['attributes', { ciAttributes: {} }],
    ['a member', { ciAttrProps: undefined }],
  ])('does not rely on one list whose records lack %s, although others are complete', async (_, without) => {
    const poorer = answering(world.api, routes.attachments.list, (records): unknown =>
      JSON.parse(JSON.stringify(records.map((record) => ({ ...record, ...without })))),
    );
    const session = world.freshSession();
    const asked = await refreshed((token) => lifecycle(kindOf(token), () => Promise.resolve(poorer), session));
    expect(asked.filter((each) => each.startsWith('attachments.read '))).toHaveLength(18);
  });
});

test.each(dialectsInTurn(0))(
  '%s: a deployment of half an hour is polled at most ten times a minute after the first',
  async (dialect) => {
    const MINUTE = 60_000;
    const world = open(dialect);
    await world.prepare(kindOf('Deployment'));
    const end = world.clock.now() + 30 * MINUTE;
    const slow = answering(world.api, routes.deployments.status, (answer) =>
      world.clock.now() > end ? answer : { ...answer, deploymentState: 'active' },
    );
    await world.lifeOf('Deployment', slow).create({ assembly: 'shop', environment: 'prod', stamps: '' }, ROW);
    const polls = world.service.journal().filter(({ route }) => route === 'deployments.status');
    const later = polls.map(({ at }) => at - (polls[0]?.at ?? 0)).filter((at) => at >= MINUTE);
    expect(Math.max(...later)).toBeGreaterThan(29 * MINUTE);
    for (const from of later)
      expect(later.filter((at) => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(10);
  },
);

const countOf = (name: string, least: number): number => Number(process.env[name] ?? least);
const ENVIRONMENTS = countOf('ENVIRONMENTS', 2);
const PLATFORMS = countOf('PLATFORMS', 3);
const COMPONENTS = countOf('COMPONENTS', 4);

/** Requests of a review beside those for collections: one that is repeated is one too many. */
const BESIDE = 6;

const LARGE: StackSpec = {
  platforms: named(PLATFORMS, 'p', () => ({
    components: {
      compute: { monitors: { heap: { cmd: 'check_heap' } } },
      ...named(COMPONENTS, 'user', () => user([])),
    },
  })),
  environments: named(ENVIRONMENTS, 'e', () => ({ clouds: { east: { priority: 1 } } })),
};

/** A monitor that somebody changes is found, and costs its own list and that of the design. */
async function expectOneMore(world: World, stack: Stack, calls: number): Promise<void> {
  const address = { assembly: 'shop', environment: 'e0', platform: 'p0', component: 'compute' };
  const [monitor] = await world.other.call(routes.environmentMonitors.list, { address });
  await world.maria.set(`e0:p0/compute!${monitor?.ciName}`, { sample_interval: '7' });
  const { findings, calls: more } = await reviewIn(world, keptOf(stack));
  expect(findings.filter(({ classification }) => classification === 'unexpected')).toMatchObject([
    { kind: 'Monitor', attribute: 'sampleInterval', live: { value: 7 }, author: { who: 'maria' } },
  ]);
  expect(more).toBeLessThanOrEqual(calls + 6);
}

/** No list shows what these depend on: an export reads each. */
const BY_ITSELF: readonly (string | null)[] = [routes.platforms.read.name, routes.components.read.name];

/**
 * An export sends no request twice: one for each collection, for what no list shows, and for each
 * template of a platform.
 */
async function expectExportOnce(world: World): Promise<void> {
  const { api, collections } = countingCollections(world.api);
  const before = world.service.journal().length;
  const { leftOut } = await survey(api, { address: 'Assembly:acme/shop', isWanted: () => true });
  expect(leftOut).toEqual([]);
  const asked = world.service.journal().slice(before);
  // The journal does not show templates. The name and the class of a component may be one.
  const rest = asked.filter(({ route }) => route !== routes.components.template.name);
  const single = rest.filter(({ route }) => BY_ITSELF.includes(route)).length;
  expect(new Set(rest.map(({ path }) => path)).size).toBe(rest.length);
  expect(rest.length).toBeLessThanOrEqual(collections.size + single + PLATFORMS + BESIDE);
  expect(asked.length - rest.length).toBeLessThanOrEqual(PLATFORMS * (COMPONENTS + 8));
}

test.each(dialectsInTurn(1))(
  '%s: the review of a large stack asks for each collection once, and six requests more',
  async (dialect) => {
    const world = open(dialect);
    const stack = await standingStack(world, LARGE);
    const { api, collections } = countingCollections(world.api);
    const before = world.service.journal().length;
    const review = await reviewIn(world, keptOf(stack), { api });
    expect([review.outcome, review.findings]).toEqual(['in-sync', []]);
    expect(review.calls).toBeLessThanOrEqual(collections.size + BESIDE);
    // Of all components with monitors, only those with a declared one are asked.
    const lists = world.service.journal().slice(before);
    const count = (name: string): number => lists.filter(({ route }) => route === name).length;
    expect([count('monitors.list'), count('environmentMonitors.list')]).toEqual([PLATFORMS, 0]);
    // No record is read by itself: another component for each platform costs nothing.
    expect(review.calls).toBeLessThanOrEqual(20 + 8 * PLATFORMS + ENVIRONMENTS * (16 + 3 * PLATFORMS));
    await expectOneMore(world, stack, review.calls);
    await expectExportOnce(world);
  },
  60_000 + ENVIRONMENTS * PLATFORMS * COMPONENTS * 500,
);

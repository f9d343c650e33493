// What is read from the engine's document: operations, attributes, secrets, deployments and risks. The real engine's own documents are
// read by test/engine/gitops.test.ts.
import fc from 'fast-check';
import { parsers } from 'prettier/plugins/markdown';
import { UNKNOWN } from '../provider/values';
import { LEFT, type Plan, type ResourceChange } from './plan';
import { plannedResources, readPlanFile, readStart } from './plan-file';
import { readPreview } from './read-preview';
import { type Api, createApi } from '../api/client';
import { routes, type WireRequest } from '../api/contract';
import { dialectsInTurn } from '../test/dialects-in-turn';
import { ADMIN_TOKEN } from '../test/service-caller';
import { type Shop, shopOf } from '../test/shop';
import { NASTY } from '../test/world/nasty';
import { withLive } from './live';
import { commentMarker, LONGEST_COMMENT, previewMarkdown } from './markdown';
import { code, newLiveReader, type Shown, waitingReleases, words } from '../drift';
import { verifiedOutcome } from './verify';

type Values = { readonly [name: string]: unknown };

const urn = (token: string, name: string): string =>
  `urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:${token}::${name}`;

interface Facts {
  readonly id?: string;
  readonly before?: Values;
  readonly after?: Values;
  readonly outputs?: Values;
  readonly diff?: readonly string[];
  readonly replaces?: readonly string[];
  readonly secrets?: readonly string[];
}

function step(op: string, token: string, name: string, facts: Facts): object {
  const { id, before, after, outputs, diff, replaces, secrets } = facts;
  const kept = { sourcePosition: 'project:///oneops.yaml#17,7', additionalSecretOutputs: secrets ?? [] };
  return {
    op,
    urn: urn(token, name),
    ...(before ? { oldState: { ...kept, id, inputs: before, outputs: { ...before, ...outputs } } } : {}),
    ...(after ? { newState: { ...kept, inputs: after } } : {}),
    ...(replaces ? { replaceReasons: replaces } : {}),
    detailedDiff: diff ? Object.fromEntries(diff.map((path) => [path, { kind: 'update', inputDiff: true }])) : null,
  };
}

const read = (...steps: readonly object[]): Plan =>
  readPreview(JSON.stringify({ config: { 'oneops:organization': 'acme' }, steps, changeSummary: { same: 1 } }));

const risksIn = (plan: Plan): readonly string[] =>
  plan.risks.map(({ severity, address, message }) => `${severity} ${address}: ${message}`);

const COMPUTE = { assembly: 'shop', platform: 'web', name: 'compute', type: 'compute', attributes: { size: 'M' } };

test('an update: each attribute before and after, with its place', () => {
  const after = { ...COMPUTE, attributes: { size: 'L' } };
  const facts = { id: 'acme/shop/web/compute', before: COMPUTE, after, diff: ['attributes.size'] };
  const size = { before: { is: 'value', value: 'M' }, after: { is: 'value', value: 'L' } };
  expect(read(step('update', 'Component', 'web/compute', facts)).changes).toEqual([
    {
      ...{ operation: 'update', kind: 'Component', address: 'acme/shop/web/compute', logicalName: 'web/compute' },
      at: 'oneops.yaml:17:7',
      attributes: [{ path: 'attributes.size', ...size, replaces: false }],
    },
  ]);
});

test('a creation: its future id, and every argument but its address', () => {
  const after = { ...COMPUTE, attributes: { size: 'L', label: `${UNKNOWN}-x` } };
  const [change] = read(step('create', 'Component', 'web/compute', { after })).changes;
  expect(change).toMatchObject({ operation: 'create', address: 'acme/shop/web/compute' });
  expect(change?.attributes.map(({ path, after: { is } }) => [path, is])).toEqual([
    ['type', 'value'],
    ['attributes.size', 'value'],
    ['attributes.label', 'unknown'],
  ]);
});

test('a replacement is one change, and says by which attribute', () => {
  const before = { assembly: 'shop', platform: 'web', component: 'deployer', name: 'motd', path: '/etc/motd' };
  const moved = { before, after: { ...before, component: 'root' }, diff: ['component'], replaces: ['component'] };
  const facts = { id: 'acme/shop/web/deployer/motd', ...moved };
  const steps = ['delete-replaced', 'replace', 'create-replacement'].map((op) => step(op, 'Attachment', 'motd', facts));
  const plan = read(...steps);
  expect(plan.changes).toHaveLength(1);
  expect(plan.changes[0]).toMatchObject({ operation: 'replace', attributes: [{ path: 'component', replaces: true }] });
  expect(risksIn(plan)).toEqual([
    'medium acme/shop/web/deployer/motd: Attachment is deleted and created again because of component, with everything below it',
  ]);
});

describe('secrets', () => {
  const CANARY = 'canary-of-preview';

  test('of the kind, of open maps, and those the program names are hidden, even when the document shows them', () => {
    const at = { assembly: 'shop', platform: 'web', component: 'deployer', name: 'motd' };
    const attachment = { ...at, basicAuthPassword: CANARY, content: CANARY };
    const mysql = { assembly: 'shop', platform: 'db', name: 'mysql', type: 'mysql', attributes: { password: CANARY } };
    const plan = read(
      step('create', 'Attachment', 'motd', { after: attachment, secrets: ['content'] }),
      step('create', 'Component', 'mysql', { after: mysql }),
      step('update', 'Component', 'other', {
        id: 'acme/shop/db/other',
        before: { ...mysql, type: 'unheard-of', attributes: { api_token: CANARY } },
        after: { ...mysql, type: 'unheard-of', attributes: { api_token: `${CANARY}2` } },
        diff: ['attributes.api_token'],
      }),
    );
    expect(plan.changes).toHaveLength(3);
    expect(JSON.stringify(plan)).not.toContain(CANARY);
  });

  test("the engine's own mask is a secret", () => {
    const masked = { name: 'shop', owner: '[secret]' };
    const facts = { id: 'acme/shop', before: masked, after: masked };
    const plan = read(step('update', 'Assembly', 'shop', { ...facts, diff: ['owner'] }));
    expect(plan.changes[0]?.attributes).toMatchObject([{ before: { is: 'secret' }, after: { is: 'secret' } }]);
  });
});

describe('deployments', () => {
  const release = [
    step('update', 'Component', 'web/compute', {
      id: 'acme/shop/web/compute',
      before: COMPUTE,
      after: { ...COMPUTE, attributes: { size: 'L' } },
      diff: ['attributes.size'],
    }),
    step('delete', 'Component', 'web/cron', { id: 'acme/shop/web/cron', before: { ...COMPUTE, name: 'cron' } }),
    step('update', 'DesignRelease', 'shop', {
      id: 'acme/shop',
      before: { assembly: 'shop', stamps: '1 2' },
      after: { assembly: 'shop', stamps: UNKNOWN },
      diff: ['stamps'],
    }),
  ];
  const environment = (designRelease: unknown): object =>
    step('update', 'Environment', 'prod', {
      id: 'acme/shop/prod',
      before: { assembly: 'shop', name: 'prod', designRelease: '1' },
      after: { assembly: 'shop', name: 'prod', designRelease },
      diff: ['designRelease'],
    });
  const deployment = (op: string, after: Values | undefined, more: Values = {}): object =>
    step(op, 'Deployment', 'prod', {
      id: 'acme/shop/prod',
      ...(op === 'create' ? {} : { before: { assembly: 'shop', environment: 'prod', stamps: '1 3', ...more } }),
      ...(after ? { after } : {}),
      diff: ['stamps'],
    });

  test('an environment deploys what the design commits and what it lost itself', () => {
    const west = { assembly: 'shop', environment: 'prod', platform: 'web', cloud: 'west', dpmtOrder: 2 };
    const plan = read(
      ...release,
      environment(UNKNOWN),
      step('delete', 'CloudConfiguration', 'prod/web/west', { id: 'acme/shop/prod/web/west', before: west }),
      deployment('update', { assembly: 'shop', environment: 'prod', stamps: UNKNOWN }),
    );
    expect(plan.commits).toEqual({ 'acme/shop': ['~web/compute', '-web/cron'] });
    const because = ['~web/compute', '-web/cron', '-web/west'];
    expect(plan.deployments).toEqual([{ environment: 'acme/shop/prod', does: 'deploys', because, pulls: true }]);
  });

  test('one that deploys without any change says that something is left, and nobody knows of which instances', () => {
    const values = { assembly: 'shop', environment: 'prod', stamps: '1 3' };
    expect(read(deployment('update', values)).deployments).toMatchObject([{ does: 'deploys', because: [LEFT] }]);
    const own = { id: 'acme/shop/prod', before: values, after: { ...values, comment: 'again' }, diff: ['comment'] };
    expect(read(step('update', 'Deployment', 'prod', own)).deployments).toMatchObject([{ because: [] }]);
  });

  test('an environment without a deployment only pulls', () => {
    expect(read(...release, environment(UNKNOWN)).deployments).toMatchObject([{ does: 'pulls' }]);
  });

  test('the first one, a tear-down, and one that lets go', () => {
    const first = deployment('create', { assembly: 'shop', environment: 'prod', stamps: '' });
    expect(read(first).deployments).toEqual([{ environment: 'acme/shop/prod', does: 'first', because: [] }]);
    const down = read(deployment('delete', undefined));
    expect(down.deployments).toMatchObject([{ does: 'tears-down' }]);
    expect(risksIn(down)).toEqual([expect.stringMatching(/^high acme\/shop\/prod: .*taken down/)]);
    expect(read(deployment('delete', undefined, { onDelete: 'retain' })).deployments).toMatchObject([
      { does: 'lets-go' },
    ]);
  });

  test.each([{ retainOnDelete: true }, { outputs: { __kept: 'retain' } }])('what is retained stays: %j', (kept) => {
    const design = step('delete', 'Platform', 'web', {
      id: 'acme/shop/web',
      before: { assembly: 'shop', name: 'web' },
    });
    const retained = (of: object): object => {
      const { oldState } = of as { readonly oldState: object };
      return { ...of, oldState: { ...oldState, ...kept } };
    };
    const of = release.at(-1);
    const ofRelease = of as object;
    expect(read(ofRelease, design).commits).toEqual({ 'acme/shop': ['-web'] });
    const plan = read(ofRelease, retained(design), retained(deployment('delete', undefined)));
    expect(plan.commits).toEqual({ 'acme/shop': [] });
    expect(plan.deployments).toMatchObject([{ does: 'lets-go' }]);
    expect(risksIn(plan).join()).not.toMatch(/delete|taken down/);
  });
});

describe('risks', () => {
  const EAST = { east: { priority: 1 } };
  const BOTH = { east: { priority: 1 }, west: { priority: 2 } };
  const OFF = { east: { priority: 1, adminstatus: 'inactive' }, west: { priority: 1 } };
  const IDLE = { east: { priority: 1 }, west: { priority: 1, adminstatus: 'offline' } };
  const LAST = [
    /^high acme\/shop\/prod: the last active cloud is removed/,
    /^medium acme\/shop\/prod: cloud east leaves/,
  ];

  test.each<[what: string, before: object, after: object, risks: readonly RegExp[]]>([
    ['the last active one is removed', EAST, { west: { priority: 1 } }, LAST],
    ['one of two goes', BOTH, EAST, [/^medium acme\/shop\/prod: cloud west leaves/]],
    ['one comes', EAST, BOTH, []],
    ['two that run swap their roles', BOTH, { east: { priority: 2 }, west: { priority: 1 } }, []],
    ['one that runs takes over', BOTH, OFF, []],
    ['one that does not run yet brings new instances', IDLE, OFF, [/^high .*new instances in one deployment/]],
  ])('of clouds: %s', (_, before, after, risks) => {
    const own = { assembly: 'shop', name: 'prod' };
    const facts = { id: 'acme/shop/prod', before: { ...own, clouds: before }, after: { ...own, clouds: after } };
    const plan = read(step('update', 'Environment', 'prod', { ...facts, diff: ['clouds'] }));
    expect(risksIn(plan)).toEqual(risks.map((each) => expect.stringMatching(each) as string));
  });

  test.each([
    [4, 2, ['medium acme/shop/prod/web: compute is scaled from 4 to 2']],
    [4, 0, ['high acme/shop/prod/web: compute is scaled to 0: all its instances are deleted']],
    [4, 4, []],
    [4, 6, []],
    [undefined, 2, []],
  ])('of scaling from %s to %s', (from, to, risks) => {
    const of = (current: number | undefined): object => ({
      ...{ assembly: 'shop', environment: 'prod', platform: 'web', scale: { compute: { current } } },
    });
    const facts = { id: 'acme/shop/prod/web', before: of(from), after: of(to), diff: ['scale.compute.current'] };
    expect(risksIn(read(step('update', 'EnvironmentPlatform', 'web', facts as Facts)))).toEqual(risks);
  });

  test('what goes with its parent is reported once', () => {
    const gone = ['acme/shop', 'acme/shop/web', 'acme/shop/web/compute'];
    const tokens = ['Assembly', 'Platform', 'Component'];
    const plan = read(
      ...gone.map((id, index) => step('delete', tokens[index] ?? '', id, { id, before: { name: id } })),
    );
    expect(risksIn(plan)).toEqual([expect.stringMatching(/^high acme\/shop: the assembly is deleted/)]);
  });
});

describe('a preview that failed', () => {
  test('shows its errors without colours, errors first; lines before the document do no harm', () => {
    const diagnostics = [
      { urn: urn('Platform', 'db'), severity: 'warning', message: 'warning: old\n' },
      { urn: urn('Platform', 'web'), severity: 'error', message: '<{%fg 1%}>error: <{%reset%}>no such pack\n' },
      { severity: 'info', message: 'seen' },
    ];
    expect(readPreview(`warning: a new version\n${JSON.stringify({ diagnostics })}`)).toMatchObject({
      stack: 'dev',
      failed: true,
      diagnostics: [
        { severity: 'error', subject: 'web', message: 'no such pack' },
        { severity: 'warning', subject: 'db', message: 'old' },
      ],
    });
  });

  test.each([
    ['', 'printed nothing'],
    ['error: no stack selected\n', 'error: no stack selected'],
    ['{"steps": [', 'cannot be read'],
    ['[1, 2]', '[1, 2]'],
    ['{"hello": 1}', 'cannot be read'],
    ['{\n  "steps": []\n}\nerror: the end', 'error: the end'],
    [`${'x'.repeat(10_000)}the end`, 'the end'],
  ])('a text that is no preview is shown: %j', (text, shown) => {
    const plan = readPreview(text, { stack: 'dev' });
    expect(plan).toMatchObject({ stack: 'dev', failed: true });
    expect([plan.records, plan.unlisted]).toEqual([undefined, undefined]);
    expect(plan.diagnostics[0]?.message).toContain(shown);
    expect(plan.diagnostics[0]?.message.length).toBeLessThan(5_000);
  });

  test('a document that ends in the middle shows nothing of itself: it may contain secrets', () => {
    const whole = JSON.stringify({ steps: [{ op: 'create', newState: { inputs: { password: 'canary' } } }] }, null, 2);
    const plan = readPreview(`warning: slow\n${whole.slice(0, -9)}`, { stack: 'dev' });
    expect(plan.failed).toBe(true);
    expect(plan.diagnostics[0]?.message).toContain('warning: slow');
    expect(JSON.stringify(plan)).not.toContain('canary');
  });

  test('of a saved plan, what the engine only discards is not declared, and a place is that of the state', () => {
    const [kept, gone] = ['web', 'db'].map((name) => urn('Platform', name));
    const of = (name = '', line = 0): object => ({
      ...{ urn: name, id: name, inputs: { name }, sourcePosition: `project:///oneops.yaml#${line},7` },
    });
    const start = readStart({ deployment: { resources: [of(kept, 3), of(gone, 4)] } });
    const plan = readPlanFile({
      manifest: { time: '2026-01-05T00:00:00Z' },
      resourcePlans: { [kept ?? '']: { goal: {}, steps: ['same'] }, [gone ?? '']: { steps: ['discard-replaced'] } },
    });
    expect(plannedResources(plan, start)).toMatchObject([{ logicalName: 'web', at: 'oneops.yaml:3:7' }]);
  });
});

// What the service adds to a plan: instances, costs by offerings, and platforms left without a cloud. Only GETs, and gaps are said.

const PLAN: Plan = {
  ...{ version: 1, stack: 'dev', project: 'story', organization: 'acme', failed: false, diagnostics: [], counts: {} },
  ...{ actions: [], changes: [], commits: {}, deployments: [], risks: [] },
};

const update = (kind: string, address: string, path: string, before: unknown, after: unknown): ResourceChange => ({
  operation: 'update',
  kind,
  address,
  logicalName: address,
  attributes: [{ path, before: { is: 'value', value: before }, after: { is: 'value', value: after }, replaces: false }],
});

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  let shop: Shop;
  let sent: WireRequest[];
  let api: Api;

  beforeAll(async () => {
    shop = shopOf(dialect);
    await shop.assembly();
    await shop.platform('web', { pack: 'tomcat' });
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1', west: '2' }));
    await shop.pull('prod');
    expect(await shop.deploy('prod')).toBe('complete');
  }, 30_000);
  afterAll(() => shop.service.close());

  const apiOf = (token: string): Api =>
    createApi({
      ...{ url: 'http://127.0.0.1', organization: 'acme', token, dialect, readOnly: true },
      send: (request) => {
        sent.push(request);
        return shop.service.handle(request);
      },
    });

  beforeEach(() => {
    sent = [];
    api = apiOf(ADMIN_TOKEN);
  });

  const live = async (plan: Partial<Plan>): Promise<Plan> => withLive({ ...PLAN, ...plan }, api);
  const deploys = (...because: readonly string[]): Pick<Plan, 'deployments'> => ({
    deployments: [{ environment: 'acme/shop/prod', does: 'deploys', because }],
  });

  test.each([
    ['in the design', '~web/compute', 'Component', 'acme/shop/web/compute'],
    ['in one environment', '~web/+compute', 'EnvironmentComponent', 'acme/shop/prod/web/components/compute'],
  ])('a new size %s: its machines, and the difference by the offerings', async (_, because, kind, address) => {
    const changes = [update(kind, address, 'attributes.size', 'S', 'M')];
    const plan = await live({ ...deploys(because), changes });
    const [touched] = plan.live?.touched ?? [];
    expect(touched).toMatchObject({ environment: 'acme/shop/prod', effect: 'change' });
    expect(Object.keys(touched?.instances ?? {})).toEqual(['web/compute']);
    const names = touched?.instances['web/compute'] ?? [];
    expect(names.length).toBe((await shop.running('prod')).filter((place) => place.startsWith('web/compute@')).length);
    expect(plan.live).toMatchObject({ unread: [], withoutOffering: 0, units: ['USD'], unpriced: [] });
    const [cost] = plan.live?.costs ?? [];
    expect(cost).toMatchObject({ unit: 'USD', machines: names.length });
    expect(cost?.after).toBeGreaterThan((cost?.before ?? 0) * 2);
    expect(previewMarkdown(plan)).toMatch(/Cost by the clouds' offerings: \+\S+ USD per hour</);
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
    // Instances and offerings, and what others committed: the releases of the design, and the timeline of the environment.
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  test('of unchanged records that the preview does not list it is not known whether others deleted them', async () => {
    const { unlisted = 0 } = readPreview(JSON.stringify({ steps: [], changeSummary: { same: 3 } }));
    const says = 'what others took away of 2 unchanged records: the preview does not list them';
    const plan = await live({ ...deploys('~web/compute'), unlisted });
    expect(plan.live?.unread).toEqual([expect.stringContaining(says)]);
    expect((await live({ deployments: [], unlisted })).live?.unread).toEqual([]);
  });

  test('what a killed run left is not counted as nothing', async () => {
    const plan = await live(deploys(LEFT));
    expect(plan.live?.unread).toEqual([`${LEFT} in acme/shop/prod: which instances it touches is not known`]);
    expect(previewMarkdown(plan)).not.toContain('No running instance is touched');
  });

  const made = (kind: string, address: string): ResourceChange => ({
    ...update(kind, address, 'description', '', ''),
    operation: 'create',
  });

  test.each<[string, ResourceChange, isUnpriced: boolean]>([
    ['a platform', made('Platform', 'acme/shop/big'), true],
    ['a scale', update('EnvironmentPlatform', 'acme/shop/prod/web', 'scale.compute.current', 2, 50), true],
    ['a platform switched on', update('EnvironmentPlatform', 'acme/shop/prod/web', 'enabled', false, true), true],
    ['a cloud', update('Environment', 'acme/shop/prod', 'clouds.south.priority', 2, 1), true],
    ['a share', update('CloudConfiguration', 'acme/shop/prod/web/west', 'pctScale', 50, 100), true],
    ['a platform of another assembly', made('Platform', 'acme/mail/big'), false],
    ['a user', made('Component', 'acme/shop/web/deployer'), false],
    ['a smaller scale', update('EnvironmentPlatform', 'acme/shop/prod/web', 'scale.compute.current', 4, 2), false],
    ['a smaller share', update('CloudConfiguration', 'acme/shop/prod/web/west', 'pctScale', 100, 50), false],
    ['another environment', update('EnvironmentPlatform', 'acme/shop/dev/web', 'scale.compute.current', 2, 4), false],
  ])('%s makes instances that no sum contains, or none', async (_, change, isUnpriced) => {
    const plan = await live({ ...deploys('~environment'), changes: [change] });
    expect(plan.live?.unpriced).toEqual(isUnpriced ? ['acme/shop/prod'] : []);
    expect(previewMarkdown(plan).includes('gets new instances: what they cost is in no sum')).toBe(isUnpriced);
  });

  test('a first deployment makes instances, and touches none; where something runs, it is not the first', async () => {
    const first = (environment: string) => live({ deployments: [{ environment, does: 'first', because: [] }] });
    expect((await first('acme/shop/new')).live?.unpriced).toEqual(['acme/shop/new']);
    expect((await first('acme/fresh/prod')).live).toMatchObject({ touched: [], costs: [], unread: [] });
    const plan = await first('acme/shop/prod');
    expect(plan.deployments).toMatchObject([{ does: 'deploys', because: [LEFT] }]);
    expect(previewMarkdown(plan)).not.toMatch(/first time|No running instance/);
  });

  test('a tear-down: everything there goes, and costs nothing any more', async () => {
    const plan = await live({
      deployments: [{ environment: 'acme/shop/prod', does: 'tears-down', because: [] }],
      risks: [{ severity: 'high', address: 'acme/shop/prod', message: 'the environment is deleted' }],
    });
    const all = await shop.instances('prod');
    expect(plan.live?.touched).toMatchObject([{ effect: 'go' }]);
    expect(plan.risks[0]?.message).toBe(`the environment is deleted (${all.length} instances now)`);
    expect(plan.live?.costs[0]?.after).toBe(0);
  });

  test('a cloud that goes offline takes its instances only', async () => {
    const plan = await live({
      ...deploys('~web/west'),
      changes: [update('CloudConfiguration', 'acme/shop/prod/web/west', 'adminstatus', 'active', 'offline')],
    });
    const west = (await shop.instances('prod')).filter(({ deployedTo }) => deployedTo?.ciName === 'west');
    expect(west.length).toBeGreaterThan(0);
    const touched = Object.values(plan.live?.touched[0]?.instances ?? {}).flat();
    expect(touched.toSorted()).toEqual(west.map(({ ciName }) => ciName).sort());
    expect(plan.risks).toEqual([]);
  });

  test('a list of releases that does not go back to the one that an environment has is no complete one', async () => {
    const unreadFrom = async (pulled: number): Promise<readonly string[]> => {
      const reader = newLiveReader();
      const known = { designs: {}, environments: { 'acme/shop/new': { pulled, plan: 0 } } };
      const reached = [{ environment: 'acme/shop/new', pulls: true, deploys: false }];
      await waitingReleases({ api, reader, known }, reached);
      return reader.unread;
    };
    const { releaseId } = await api.call(routes.designReleases.latest, { address: { assembly: 'shop' } });
    expect(await unreadFrom(releaseId)).toEqual([]);
    expect(await unreadFrom(1)).toEqual([expect.stringMatching(/newer than the one that acme\/shop\/new has$/)]);
  });

  test('what cannot be read is said, and nothing is made up for it', async () => {
    const plan = await withLive({ ...PLAN, ...deploys('~web/compute') }, apiOf('unknown-token'));
    expect(plan.live).toMatchObject({ touched: [], costs: [], authentication: true });
    expect(plan.live?.unread.map((line) => line.split(':')[0])).toEqual([
      'instances of assembly shop',
      'the releases of acme/shop',
      'the releases of acme/shop/prod',
    ]);
    expect(previewMarkdown(plan)).toContain('Not everything could be read');
  });
});

// Laws of the comment: no text of others can change its structure, it is never too long, and what it contains is what the plan says.

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

const treeOf = (markdown: string): Node => parsers.markdown.parse(markdown, {} as never) as Node;

/** Types of nodes, and the tags of HTML: everything but words. */
const shapeOf = ({ type, value, children }: Node): string => {
  const tags =
    type === 'html'
      ? (value ?? '').replace(/(<pre>)[^]*?(<\/pre>)/g, '$1$2').replace(/(<summary>)[^]*?(<\/summary>)/g, '$1$2')
      : '';
  return `${type}${tags}${children === undefined ? '' : `[${children.map(shapeOf).join(' ')}]`}`;
};

const value = (text: string): Shown => ({ is: 'value', value: text });

/** A plan in which every text of another user is `text`. */
function planWith(text: string, failed = false): Plan {
  const attribute = { path: text, before: value(text), after: value(text), replaces: true };
  const change = (operation: ResourceChange['operation']): ResourceChange => ({
    operation,
    kind: text,
    address: text,
    logicalName: text,
    at: text,
    attributes: [attribute, { ...attribute, after: { is: 'secret' } }],
  });
  return {
    ...PLAN,
    ...{ project: text, organization: text },
    failed,
    diagnostics: [
      { severity: 'error', subject: text, message: text },
      { severity: 'warning', subject: text, message: text },
    ],
    counts: { same: 3 },
    changes: (['create', 'update', 'replace', 'delete', 'import'] as const).map(change),
    commits: { [text]: [text] },
    deployments: [{ environment: text, does: 'deploys', because: [text, text] }],
    risks: [{ severity: 'high', address: text, message: text }],
    live: {
      waiting: [],
      touched: [{ environment: text, effect: 'go', instances: { [text]: [text] } }],
      costs: [{ unit: text, before: 1, after: 2, machines: 1 }],
      withoutOffering: 1,
      unpriced: [text],
      unread: [text],
      authentication: false,
    },
  };
}

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 6 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
  .filter((text) => text.length <= 80 && text.trim() !== '');

test('no text changes the structure of the comment', () => {
  const shapes = [false, true].map((failed) => shapeOf(treeOf(previewMarkdown(planWith('x', failed), { title: 'x' }))));
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, failed) => {
      const markdown = previewMarkdown(planWith(text, failed), { title: text });
      expect(shapeOf(treeOf(markdown))).toBe(shapes[Number(failed)]);
      expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
      // What platforms would make a link or a mention of.
      expect(markdown.replace(commentMarker('dev'), '')).not.toMatch(/@|https?:\/\/|www\.|#\d(?!\d*;)/);
    }),
    { numRuns: 50 },
  );
}, 60_000);

test('running text calls nobody: what is shown is no name and no number of anything', () => {
  expect(words('see #12, @maria')).toBe('see &#35;&#8203;12, &#64;&#8203;maria');
});

test('a text without hidden characters is shown as it is', () => {
  const decoded = (html: string): string =>
    html.replace(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (text) => {
      fc.pre(!/[\p{C}\p{Zl}\p{Zp}]/u.test(text));
      expect(decoded(code(text))).toBe(`<code>${text}</code>`);
    }),
  );
});

test.each([
  ['many changes', 1_500, 3],
  ['long values', 200, 5_000],
  ['one endless value', 1, 2_000_000],
])('%s: the comment stays within its length, and says what it leaves out', (_, count, length) => {
  for (const failed of [false, true]) {
    const one = planWith('|'.repeat(length), failed);
    const times = <T>(list: readonly T[]): readonly T[] => Array.from({ length: count }, () => list).flat();
    const plan: Plan = {
      ...one,
      diagnostics: times(one.diagnostics),
      changes: times(one.changes),
      deployments: times(one.deployments),
      risks: times(one.risks),
    };
    const markdown = previewMarkdown(plan, { title: '#'.repeat(100_000) });
    expect(markdown.length).toBeLessThanOrEqual(LONGEST_COMMENT);
    expect(markdown.startsWith(`${commentMarker('dev')}\n`)).toBe(true);
    expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
    if (count > 1) expect(markdown).toMatch(/and \d+ (?:changes )?more/);
  }
});

test('the marker contains any name of a stack', () => {
  expect(commentMarker('acme/shop/dev')).toBe('<!-- pulumi-oneops preview acme/shop/dev -->');
  expect(commentMarker('a --> b')).toBe('<!-- pulumi-oneops preview a_-__b -->');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (stack) => {
      expect(commentMarker(stack)).toMatch(/^<!-- pulumi-oneops preview (?:(?!--)[\w./-])* -->$/);
    }),
  );
});

test('changes are counted as the engine counts them, with how many of them are records', () => {
  const plan = planWith('x');
  const changes = plan.changes.filter(({ operation }) => operation === 'update');
  const said = (counts: Plan['counts']): string | undefined =>
    previewMarkdown({ ...plan, changes, counts })
      .split('\n')
      .find((line) => line.startsWith('**'));
  expect([said({ same: 3, update: 4, create: 1 }), said({ update: 1 })]).toEqual([
    '**4 to change** (1 record and what follows), **1 to create** (no record), 3 unchanged.',
    '**1 to change**.',
  ]);
});

test('nothing to do says so', () => {
  const plan: Plan = { ...planWith('x'), changes: [], deployments: [], risks: [], diagnostics: [], commits: {} };
  const { live: _, ...still } = plan;
  expect(previewMarkdown(still)).toBe(
    '<!-- pulumi-oneops preview dev -->\n\n## Preview of dev\n\nNothing changes. 3 unchanged.\n\n**No environment deploys.**\n',
  );
});

// What a broken policy comes to, next to a start that was read or not.

const POLICY = { of: 'policy', address: 'web', message: 'it is disabled' } as const;
const STATE = { of: 'state', address: 'web', message: 'it is gone' } as const;
const UNREAD = { kind: 'Platform', address: 'web', reason: 'the service answered 500' };

test.each([
  { title: 'all was read', unread: [], outcome: 'refused' },
  { title: 'something could not be read', unread: [UNREAD], outcome: 'incomplete' },
  { title: 'the token was refused', unread: [UNREAD, { ...UNREAD, authentication: true }], outcome: 'authentication' },
])('a broken policy, and $title: $outcome', ({ unread, outcome }) => {
  expect(verifiedOutcome([POLICY], unread)).toBe(outcome);
  expect(verifiedOutcome([POLICY, STATE], unread)).toBe('stale');
});

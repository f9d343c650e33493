// What the service adds to a plan: instances, costs by offerings, and platforms left without a cloud. Only GETs, and gaps are said.
import { createApi, type Api } from '../api/client';
import { DIALECTS, type Dialect, type WireRequest } from '../api/contract';
import { ADMIN_TOKEN } from '../test/service-caller';
import { shopOf, type Shop } from '../test/shop';
import { withLive } from './live';
import { previewMarkdown } from './markdown';
import type { Plan, ResourceChange } from './plan';

const PLAN: Plan = {
  version: 1,
  stack: 'dev',
  project: 'story',
  organization: 'acme',
  failed: false,
  diagnostics: [],
  counts: {},
  actions: [],
  changes: [],
  commits: {},
  deployments: [],
  risks: [],
};

const update = (kind: string, address: string, path: string, before: unknown, after: unknown): ResourceChange => ({
  operation: 'update',
  kind,
  address,
  logicalName: address,
  attributes: [{ path, before: { is: 'value', value: before }, after: { is: 'value', value: after }, replaces: false }],
});

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
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

  beforeEach(() => {
    sent = [];
    api = createApi({
      url: 'http://127.0.0.1',
      organization: 'acme',
      token: ADMIN_TOKEN,
      dialect,
      readOnly: true,
      send: (request) => {
        sent.push(request);
        return shop.service.handle(request);
      },
    });
  });

  const live = async (plan: Partial<Plan>): Promise<Plan> => withLive({ ...PLAN, ...plan }, api);
  const deploys = (...because: readonly string[]): Pick<Plan, 'deployments'> => ({
    deployments: [{ environment: 'acme/shop/prod', does: 'deploys', because }],
  });

  test('a new size: its machines, and the difference by the offerings of each cloud', async () => {
    const plan = await live({
      ...deploys('~web/compute'),
      changes: [update('Component', 'acme/shop/web/compute', 'attributes.size', 'S', 'M')],
    });
    const [touched] = plan.live?.touched ?? [];
    expect(touched).toMatchObject({ environment: 'acme/shop/prod', effect: 'change' });
    const names = touched?.instances['web/compute'] ?? [];
    expect(names.length).toBe((await shop.running('prod')).filter((place) => place.startsWith('web/compute@')).length);
    expect(Object.keys(touched?.instances ?? {})).toEqual(['web/compute']);
    expect(plan.live).toMatchObject({ unread: [], withoutOffering: 0 });
    const [cost] = plan.live?.costs ?? [];
    expect(cost).toMatchObject({ unit: 'USD', machines: names.length });
    expect(cost?.after).toBeGreaterThan((cost?.before ?? 0) * 2);
    expect(previewMarkdown(plan)).toMatch(/Cost by the clouds' offerings: \+\S+ USD per hour</);
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
    // Instances and offerings, and what others committed: the releases of the design, and the timeline of the environment.
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  test('a new size in one environment alone: its machines, and the difference', async () => {
    const plan = await live({
      ...deploys('~web/+compute'),
      changes: [update('EnvironmentComponent', 'acme/shop/prod/web/components/compute', 'attributes.size', 'S', 'M')],
    });
    expect(Object.keys(plan.live?.touched[0]?.instances ?? {})).toEqual(['web/compute']);
    const [cost] = plan.live?.costs ?? [];
    expect(cost?.after).toBeGreaterThan((cost?.before ?? 0) * 2);
    expect(plan.live).toMatchObject({ units: ['USD'], unpriced: [] });
  });

  const made = (kind: string, address: string): ResourceChange => ({
    ...update(kind, address, 'description', '', ''),
    operation: 'create',
  });

  test.each<[string, ResourceChange]>([
    ['a platform', made('Platform', 'acme/shop/big')],
    ['a scale', update('EnvironmentPlatform', 'acme/shop/prod/web', 'scale.compute.current', 2, 50)],
    ['a platform that is switched on', update('EnvironmentPlatform', 'acme/shop/prod/web', 'enabled', false, true)],
    ['a cloud', update('Environment', 'acme/shop/prod', 'clouds.south.priority', 2, 1)],
    ['a share', update('CloudConfiguration', 'acme/shop/prod/web/west', 'pctScale', 50, 100)],
  ])('%s makes instances that no sum contains', async (_, change) => {
    const plan = await live({ ...deploys('~environment'), changes: [change] });
    expect(plan.live?.unpriced).toEqual(['acme/shop/prod']);
    expect(previewMarkdown(plan)).toMatch(/gets new instances: what they cost is in no sum/);
  });

  test.each<[string, ResourceChange]>([
    ['a platform of another assembly', made('Platform', 'acme/mail/big')],
    ['a user', made('Component', 'acme/shop/web/deployer')],
    ['a smaller scale', update('EnvironmentPlatform', 'acme/shop/prod/web', 'scale.compute.current', 4, 2)],
    ['a smaller share', update('CloudConfiguration', 'acme/shop/prod/web/west', 'pctScale', 100, 50)],
    ['another environment', update('EnvironmentPlatform', 'acme/shop/dev/web', 'scale.compute.current', 2, 4)],
  ])('%s makes none', async (_, change) => {
    const plan = await live({ ...deploys('~environment'), changes: [change] });
    expect(plan.live?.unpriced).toEqual([]);
  });

  test('an environment that is deployed for the first time makes instances', async () => {
    const plan = await live({ deployments: [{ environment: 'acme/shop/new', does: 'first', because: [] }] });
    expect(plan.live?.unpriced).toEqual(['acme/shop/new']);
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
    expect(
      Object.values(plan.live?.touched[0]?.instances ?? {})
        .flat()
        .sort(),
    ).toEqual(west.map(({ ciName }) => ciName).sort());
    expect(plan.risks).toEqual([]);
  });

  test('the last active primary goes', async () => {
    const plan = await live({
      ...deploys('~web/east'),
      changes: [update('CloudConfiguration', 'acme/shop/prod/web/east', 'adminstatus', 'active', 'inactive')],
    });
    expect(plan.risks).toMatchObject([{ severity: 'high', address: 'acme/shop/prod/web' }]);
    const moved = await live({
      ...deploys('~web/east', '~web/west'),
      changes: [
        update('CloudConfiguration', 'acme/shop/prod/web/east', 'adminstatus', 'active', 'inactive'),
        update('CloudConfiguration', 'acme/shop/prod/web/west', 'priority', 2, 1),
      ],
    });
    expect(moved.risks).toEqual([]);
  });

  test('what the environment gives its platforms in the same plan counts: a swap is no outage, and losing both is one', async () => {
    const off = update('CloudConfiguration', 'acme/shop/prod/web/east', 'adminstatus', 'active', 'inactive');
    const promoted = update('Environment', 'acme/shop/prod', 'clouds.west.priority', 2, 1);
    expect((await live({ ...deploys('~web/east'), changes: [off, promoted] })).risks).toEqual([]);
    const joined: ResourceChange = {
      ...promoted,
      attributes: [
        {
          path: 'clouds.north',
          before: { is: 'absent' },
          after: { is: 'value', value: { priority: 1 } },
          replaces: false,
        },
      ],
    };
    expect((await live({ ...deploys('~web/east'), changes: [off, joined] })).risks).toEqual([]);
    const demoted = update('Environment', 'acme/shop/prod', 'clouds.east.priority', 1, 2);
    const west = update('CloudConfiguration', 'acme/shop/prod/web/west', 'adminstatus', 'active', 'inactive');
    expect((await live({ ...deploys('~web/west'), changes: [demoted, west] })).risks).toMatchObject([
      { severity: 'high', address: 'acme/shop/prod/web' },
    ]);
  });

  test('an assembly that does not exist yet touches nothing', async () => {
    const plan = await live({ deployments: [{ environment: 'acme/fresh/prod', does: 'first', because: [] }] });
    expect(plan.live).toMatchObject({ touched: [], costs: [], unread: [] });
  });

  test('what cannot be read is said, and nothing is made up for it', async () => {
    const broken = createApi({
      url: 'http://127.0.0.1',
      organization: 'acme',
      token: 'unknown-token',
      dialect,
      send: shop.service.handle,
    });
    const plan = await withLive({ ...PLAN, ...deploys('~web/compute') }, broken);
    expect(plan.live).toMatchObject({ touched: [], costs: [], authentication: true });
    expect(plan.live?.unread.map((line) => line.split(':')[0])).toEqual([
      'instances of assembly shop',
      'the releases of acme/shop',
      'the releases and deployments of acme/shop/prod',
    ]);
    expect(previewMarkdown(plan)).toContain('Not everything could be read');
  });
});

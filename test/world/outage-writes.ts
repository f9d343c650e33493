// Writes of another person to an environment, as data: each writing route below `transition/` has a
// body of its own, or the usual one. A request that the service refuses changes nothing.
import { allRoutes, parametersOf, routes, type Record as WireRecord, type Route } from '../../api/contract';
import { attempted, committed, drawFrom, settled, type Draw, type Person } from './foreign-writer';
import type { World } from './world';
import { PROD } from './shop-spec';

/** One write: which route, and a number from which its addressee and its values are drawn. */
export interface OutageWrite {
  readonly route: string;
  readonly draw: number;
  /** What the person does next. */
  readonly then: 'nothing' | 'commit' | 'deploy';
}

/** A request, but for what its path names. */
interface Sent {
  readonly body?: unknown;
  readonly address?: { readonly [parameter: string]: string };
}

/** What is there to be written to, as the person reads it. */
interface Around {
  readonly world: World;
  readonly draw: Draw;
  readonly platforms: readonly WireRecord[];
  readonly clouds: readonly WireRecord[];
  /** The path names this one. */
  readonly platform: WireRecord;
}

type Write = (around: Around) => Sent | Promise<Sent>;

const NUMBERS = ['0', '1', '2', '3'] as const;
const LINK: readonly { readonly [name: string]: string }[] = [
  ...['0', '10', '50', '100'].map((pct_scale) => ({ pct_scale })),
  ...['offline', 'inactive', 'active'].map((adminstatus) => ({ adminstatus })),
  ...['1', '2'].map((priority) => ({ priority })),
  { pct_scale: '0', adminstatus: 'active', dpmt_order: '2' },
];
const SWITCHES = ['autorepair', 'autoreplace', 'autoscale', 'is_active', 'availability'] as const;

const changed = (ciAttributes: { readonly [name: string]: string }) => ({ cms_dj_ci: { ciAttributes } });

/** Some platforms, one of them at least. */
const some = ({ draw, platforms }: Around): readonly string[] =>
  draw.of([platforms, platforms.slice(0, 1), platforms.slice(-1)]).map(({ ciId }) => String(ciId));

const withContent = (draw: Draw): Sent => ({
  address: { platform: 'web', component: 'compute', attachment: 'motd' },
  body: changed({ content: draw.of(['hers', 'nothing']) }),
});

async function variableIds({ other }: World): Promise<Sent> {
  const variables = await other.call(routes.environmentVariables.list, { address: PROD });
  return { body: { ciIds: variables.map(({ ciId }) => ciId) } };
}

/** Ids of the variables of the platform that the path names. */
async function platformVariableIds({ world: { other }, platform }: Around): Promise<Sent> {
  const address = { ...PROD, platform: platform.ciName };
  const variables = await other.call(routes.environmentPlatformVariables.list, { address });
  return { body: { ciIds: variables.map(({ ciId }) => ciId) } };
}

/** A change of a monitor that the platform has. */
async function monitored({ world: { other }, draw, platform }: Around): Promise<Sent> {
  const component = draw.of(['compute', 'os']);
  const address = { ...PROD, platform: platform.ciName, component };
  const { ciName: monitor } = draw.of(await other.call(routes.environmentMonitors.list, { address }));
  return { address: { component, monitor }, body: changed({ sample_interval: draw.of(['7', '17']) }) };
}

const scaled = (draw: Draw): { readonly [name: string]: string } => ({
  ...draw.of([{}, { min: '1' }, { min: '0', max: '5' }, { pct_dpmt: '50' }]),
  current: draw.of(NUMBERS),
});

/** Bodies that do something; of other routes a body says nothing. */
const WRITES: { readonly [route: string]: Write } = {
  'environments.update': ({ draw, clouds }) => ({
    body: {
      cms_ci: { ciAttributes: draw.of([{}, { availability: 'single' }, { autorepair: 'false' }, { codpmt: 'true' }]) },
      ...draw.of([
        { clouds: Object.fromEntries(clouds.slice(0, 1).map(({ ciId }) => [ciId, '1'])) },
        { clouds: Object.fromEntries(clouds.slice(1, 2).map(({ ciId }) => [ciId, '1'])) },
        { clouds: Object.fromEntries(clouds.slice(0, 2).map(({ ciId }, at) => [ciId, String(at + 1)])) },
        { clouds: Object.fromEntries(clouds.slice(0, 2).map(({ ciId }) => [ciId, { priority: '1', pct_scale: '0' }])) },
        {},
      ]),
    },
  }),
  'environments.pull': () => ({ body: { async: 'true' } }),
  'environments.commit': ({ draw, platforms }) => ({
    body: draw.of([{}, {}, { exclude_platforms: String(platforms[0]?.ciId) }]),
  }),
  'environments.disable': (around) => ({ body: { platformCiIds: some(around) } }),
  'environments.enable': (around) => ({ body: { platformCiIds: some(around) } }),
  'environments.load': ({ draw, platform }) => ({
    body: {
      data: JSON.stringify({
        variables: {},
        platforms: {
          [platform.ciName]: { components: { 'oneops.1.Compute': { compute: { size: draw.of(['S', 'L', 'XL']) } } } },
        },
      }),
    },
  }),
  'environmentPlatforms.update': async ({ world, draw, platform }) => {
    const address = { ...PROD, platform: platform.ciName };
    const { depends_on: relations = [] } = await world.other.call(routes.environmentPlatforms.edit, { address });
    const relation = relations.length === 0 ? undefined : draw.of(relations);
    const relationAttributes = { ...relation?.relationAttributes, ...scaled(draw) };
    return {
      body: {
        ...changed(draw.of([{}, ...SWITCHES.map((name) => ({ [name]: draw.of(['true', 'false', 'single']) }))])),
        ...(relation ? { depends_on: { [String(relation.toCiId)]: { relationAttributes } } } : {}),
      },
    };
  },
  'environmentPlatforms.delete': async ({ world, platform }) => {
    // Only a version of a platform that is not active can be deleted.
    const address = { ...PROD, platform: platform.ciName };
    await world.other.call(routes.environmentPlatforms.update, { address, body: changed({ is_active: 'false' }) });
    return {};
  },
  'environmentPlatforms.configureCloud': ({ draw, clouds }) => ({
    body: { cloud_id: String(draw.of(clouds.slice(0, 2)).ciId), attributes: draw.of(LINK) },
  }),
  'environmentPlatforms.cloudPriority': ({ draw, clouds }) => ({
    body: { cloud_id: String(draw.of(clouds.slice(0, 2)).ciId), priority: draw.of(['1', '2']) },
  }),
  'environmentPlatforms.updateComponent': ({ draw }) =>
    draw.of([
      { address: { component: 'compute' }, body: changed({ size: draw.of(['S', 'L']) }) },
      {
        address: { component: 'lb' },
        body: { ...changed({}), depends_on: { compute: { relationAttributes: scaled(draw) } } },
      },
    ]),
  'environmentPlatforms.updateDependsOn': ({ draw }) => {
    const [component, below] = draw.of([
      ['lb', 'compute'],
      ['lb', 'compute'],
      ['compute', 'secgroup'],
      ['fqdn', 'lb'],
      ['os', 'compute'],
    ] as const);
    return { address: { component }, body: { depends_on: { [below]: { relationAttributes: scaled(draw) } } } };
  },
  'environmentAttachments.update': ({ draw }) => withContent(draw),
  'environmentAttachments.updateInPlatform': ({ draw }) => withContent(draw),
  'environmentVariables.lock': ({ world }) => variableIds(world),
  'environmentVariables.unlock': ({ world }) => variableIds(world),
  'environmentMonitors.update': monitored,
  'environmentPlatformVariables.lock': platformVariableIds,
  'environmentPlatformVariables.unlock': platformVariableIds,
  'relays.create': () => ({ body: { cms_ci: { ciName: 'hers', ciAttributes: { emails: 'maria@acme.io' } } } }),
  'relays.update': () => ({ body: { cms_ci: { ciAttributes: { emails: 'maria@acme.io' } } } }),
  'environmentPlatforms.touchComponents': async ({ world, platform }) => {
    const components = await world.other.call(routes.environmentPlatforms.components, {
      address: { ...PROD, platform: platform.ciName },
    });
    return { body: { componentCiIds: components.map(({ ciId }) => ciId) } };
  },
  'deployments.create': async ({ world }) => {
    const { releaseId } = await world.other.call(routes.environmentReleases.bom, { address: PROD });
    return { body: { cms_deployment: { releaseId: String(releaseId), nsPath: '/acme/shop/prod/bom' } } };
  },
  'deployments.createFromCommitted': ({ draw, platforms }) => ({
    body: { cms_deployment: {}, exclude_platforms: draw.of(['', String(platforms[0]?.ciId)]) },
  }),
  'deployments.plan': ({ draw }) => ({ body: { commit: draw.of(['true', 'false']) } }),
  'deployments.update': async ({ world, draw }) => {
    const { deploymentId } = await world.other.call(routes.deployments.latest, { address: PROD });
    const deploymentState = draw.of(['paused', 'active', 'canceled', 'failed']);
    return { address: { deployment: String(deploymentId) }, body: { cms_deployment: { deploymentState } } };
  },
  'environmentReleases.restore': async ({ world, draw }) => {
    const all = await world.other.call(routes.environmentReleases.list, { address: PROD });
    const manifests = all.filter(({ nsPath }) => nsPath.endsWith('/manifest'));
    return { address: { release: String(draw.of(manifests).releaseId) } };
  },
  'environmentReleases.discard': async ({ world }) => {
    const { releaseId } = await world.other.call(routes.environmentReleases.bom, { address: PROD });
    return { address: { release: String(releaseId) } };
  },
};

/** Bodies of writes that change nothing: what exists is written again, or taken back. */
const QUIET: { readonly [route: string]: Write } = {
  'environments.update': () => ({ body: { cms_ci: { ciAttributes: {} } } }),
  'environments.pull': () => ({ body: { async: 'true' } }),
  'environments.commit': () => ({ body: {} }),
  'environments.forceDeploy': () => ({ body: {} }),
  'environments.enable': (around) => ({ body: { platformCiIds: some(around) } }),
  'environments.load': () => ({ body: { data: '{}' } }),
  'environmentPlatforms.update': async ({ world, platform }) => {
    const address = { ...PROD, platform: platform.ciName };
    const { depends_on: relations } = await world.other.call(routes.environmentPlatforms.edit, { address });
    const same = relations.map(({ toCiId, relationAttributes }) => [String(toCiId), { relationAttributes }] as const);
    return { body: { ...changed({}), depends_on: Object.fromEntries(same) } };
  },
  'environmentPlatforms.configureCloud': async ({ world, platform }) => {
    const address = { ...PROD, platform: platform.ciName };
    const { consumes } = await world.other.call(routes.environmentPlatforms.read, { address });
    const link = consumes?.[0];
    return { body: { cloud_id: String(link?.toCiId), attributes: { ...link?.relationAttributes } } };
  },
  'environmentPlatforms.touchComponent': () => ({ address: { component: 'compute' } }),
  'environmentPlatforms.updateComponent': () => ({ address: { component: 'compute' }, body: changed({}) }),
  'deployments.createFromCommitted': () => ({ body: { cms_deployment: {} } }),
  'deployments.plan': () => ({ body: {} }),
};

/** Routes of which some writes change nothing. */
export const QUIET_ROUTES: readonly string[] = Object.keys(QUIET);

/** Whether a request to a route writes: some GETs do (service-facts §4.7.5). */
const isWrite = ({ method, repeat }: Route): boolean => method !== 'GET' || repeat !== 'read';

/** The routes that are drawn from: every one below `transition/` that writes. */
export const TRANSITION_WRITES: readonly Route[] = allRoutes.filter(
  (route) => route.path.includes('/transition/') && isWrite(route),
);

/** Those that change what a plan wants, or what it is made of. */
export const DECIDING: readonly string[] = [
  'environments.update',
  'environments.disable',
  'environmentPlatforms.toggle',
  'environmentPlatforms.update',
  'environmentPlatforms.updateComponent',
  'environmentPlatforms.updateDependsOn',
  'environmentPlatforms.configureCloud',
  'environmentPlatforms.cloudPriority',
  'environmentReleases.restore',
  'deployments.createFromCommitted',
];

/** Names and values that stand for a path's parameters where the write says nothing. */
const NAMES: { readonly [parameter: string]: readonly string[] } = {
  component: ['compute', 'lb', 'os', 'fqdn', 'tomcat'],
  attachment: ['motd'],
  variable: ['LEVEL', 'HEAP'],
  relay: ['default', 'hers'],
  release: ['1'],
  deployment: ['1'],
};

async function write(world: World, { route: name, draw: number }: OutageWrite, bodies = WRITES): Promise<void> {
  const route = TRANSITION_WRITES.find((each) => each.name === name);
  if (route === undefined) throw new Error(`no route ${name}`);
  const draw = drawFrom(number);
  const platforms = await world.other.call(routes.environmentPlatforms.list, { address: PROD });
  const clouds = await world.other.call(routes.clouds.list, {});
  const around = { world, draw, platforms, clouds, platform: draw.of(platforms) };
  const { body, address } = (await bodies[name]?.(around)) ?? { body: changed({ value: 'hers' }) };
  const named = Object.fromEntries(
    parametersOf(route.path)
      .filter((parameter) => NAMES[parameter] !== undefined)
      .map((parameter) => [parameter, draw.of(NAMES[parameter] ?? [])]),
  );
  const full = { ...PROD, platform: around.platform.ciName, ...named, ...address };
  await world.other.call(route, { address: full, body });
}

/** The other user, whose ticks are ten seconds of the service. */
const mariaIn = ({ other, clock }: World): Person => ({ api: other, tick: () => void clock.advance(10_000) });

/** Lets time go by until no job and no deployment of the environment is under way. */
export const settledIn = (world: World): Promise<void> => settled(mariaIn(world), PROD);

/** Carries out one write, and what comes with it; says whether the service took it. */
export async function carryOut(world: World, one: OutageWrite): Promise<boolean> {
  const isTaken = await attempted(() => write(world, one));
  if (one.then !== 'nothing') await committed(mariaIn(world), PROD, one.then);
  return isTaken;
}

/** Carries out writes that change nothing, and commits and deploys what came of them. */
export async function carryOutQuietly(world: World, sequence: readonly OutageWrite[]): Promise<void> {
  for (const one of sequence) {
    await attempted(() => write(world, one, QUIET));
    if (one.then !== 'nothing') await committed(mariaIn(world), PROD, one.then);
  }
  await committed(mariaIn(world), PROD, 'deploy');
}

/** A write as a person reads it: `environments.disable 3, deploy`. */
export const shown = ({ route, draw, then }: OutageWrite): string =>
  `${route} ${draw}${then === 'nothing' ? '' : `, ${then}`}`;

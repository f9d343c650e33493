// The law of organizations: no request, by name or by number, shows or changes what is another's.
import {
  allRoutes,
  type Dialect,
  methodIn,
  parametersOf,
  pathIn,
  type Record as WireRecord,
  type Route,
  dialectRules,
} from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { basic, type Caller, type Reply, callerFor, sending } from '../../test/service-caller';
import { type Shop, shopOf, record, named, change, ofTemplate } from '../../test/shop';

const THEIRS = 'acme';
const OURS = 'ours';
const TOKEN = 'token-of-ours';

/** The same caller in another organization, as a user of that one alone. */
function inOurs(caller: Caller): Caller {
  const headers = { authorization: basic(TOKEN) };
  return {
    ...caller,
    ...sending((method, path, body) => {
      const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('/acme/', `/${OURS}/`);
      return caller.send(method, path.replace(/^\/acme\//, `/${OURS}/`), text, headers);
    }),
  };
}

/** Makes our organization, with clouds like theirs. */
async function found(caller: Caller): Promise<void> {
  const reads = async <T>(path: string): Promise<T> => (await caller.send('GET', path)).body as T;
  await caller.send('POST', '/account/organizations', { name: OURS });
  for (const cloud of await reads<WireRecord[]>('/acme/clouds')) {
    const { ciName, ciAttributes } = cloud;
    await caller.send('POST', `/${OURS}/clouds`, record(ciName, ciAttributes));
    for (const service of await reads<WireRecord[]>(`/acme/clouds/${ciName}/services`)) {
      const attributes = Object.entries(service.ciAttributes).map(([name, value]) => [
        name,
        value === '--ENCRYPTED--' ? 'x' : value,
      ]);
      const record = { ciName: service.ciName, ciAttributes: Object.fromEntries(attributes) as object };
      const available = await reads<{ [type: string]: WireRecord[] }>(
        `/${OURS}/clouds/${ciName}/services/available.json`,
      );
      const template = Object.values(available)
        .flat()
        .find((each) => each.ciName === service.ciName);
      const wrapped = caller.service.dialect === 'classic';
      const made = await caller.send(
        'POST',
        `/${OURS}/clouds/${ciName}/services`,
        wrapped ? { cms_ci: record, mgmtCiId: template?.ciId } : record,
      );
      if (made.status !== 200) throw new Error(made.text);
    }
  }
}

/** A shop that runs, with an open change, a variable and an attachment. */
async function furnish(shop: Shop, value: string): Promise<void> {
  await shop.assembly();
  await shop.platform('web');
  const user = ofTemplate('user', 'deployer', { username: 'deployer' });
  const region = named('region', { value });
  await shop.ok(shop.design('POST', '/platforms/web/components', user));
  await shop.ok(shop.attach('web/deployer', 'motd', { path: '/etc/motd' }, 'after-add'));
  await shop.ok(shop.design('POST', '/variables', region));
  await shop.ok(shop.design('POST', '/platforms/web/variables', region));
  await shop.commitDesign();
  await shop.ok(shop.createEnvironment('prod', { east: '1', west: '2' }));
  expect(await shop.deploy('prod')).toBe('complete');
  await shop.ok(shop.design('PUT', '/variables/region', change({ value: `${value}-changed` })));
}

const A = '/acme/assemblies/shop';
const E = `${A}/transition/environments/prod`;

/** Everything of theirs, as they see it. */
async function picture(caller: Caller): Promise<{ readonly [path: string]: unknown }> {
  const places = [
    '/acme/organization',
    '/acme/clouds',
    '/acme/clouds/east/services',
    '/acme/organization/teams',
    '/acme/assemblies',
    `${A}/design/platforms/web`,
    `${A}/design/platforms/web/components`,
    `${A}/design/platforms/web/variables`,
    `${A}/design/variables`,
    `${A}/design/platforms/web/components/deployer/attachments`,
    `${A}/design/releases/latest`,
    `${A}/transition/environments`,
    E,
    `${E}/platforms`,
    `${E}/platforms/web`,
    `${E}/platforms/web/components`,
    `${E}/variables`,
    `${E}/deployments`,
    `${E}/releases/latest`,
    `${A}/operations/environments/prod/instances?instances_state=all`,
  ];
  const seen = await Promise.all(places.map(async (path) => [path, (await caller.send('GET', path)).body] as const));
  return Object.fromEntries(seen);
}

/** Their numbers, by the path parameter that might take them. */
function numbersIn(all: { readonly [path: string]: unknown }): { readonly [parameter: string]: readonly string[] } {
  const read = <T = WireRecord>(path: string): readonly T[] => [all[path] ?? []].flat() as T[];
  const ids = (path: string): string[] => read(path).map(({ ciId }) => String(ciId));
  const first = (path: string): string[] => ids(path).slice(0, 1);
  const releases = read<{ releaseId: number }>(`${A}/design/releases/latest`).map(({ releaseId }) => String(releaseId));
  return {
    assembly: ids('/acme/assemblies'),
    platform: [...ids(`${A}/design/platforms/web`), ...ids(`${E}/platforms`)],
    component: [...first(`${A}/design/platforms/web/components`), ...first(`${E}/platforms/web/components`)],
    variable: [...ids(`${A}/design/variables`), ...ids(`${E}/variables`)],
    attachment: ids(`${A}/design/platforms/web/components/deployer/attachments`),
    environment: ids(E),
    cloud: first('/acme/clouds'),
    service: first('/acme/clouds/east/services'),
    release: [
      ...releases,
      ...read<{ releaseId: number }>(`${E}/releases/latest`).map(({ releaseId }) => String(releaseId)),
    ],
    deployment: read<{ deploymentId: number }>(`${E}/deployments`).map(({ deploymentId }) => String(deploymentId)),
    instance: first(`${A}/operations/environments/prod/instances?instances_state=all`),
    team: read<{ id: number }>('/acme/organization/teams').map(({ id }) => String(id)),
    id: read<WireRecord>('/acme/organization').map(({ ciId }) => String(ciId)),
  };
}

/** What stands for a path parameter in our own shop. */
const OWN: { readonly [parameter: string]: string } = {
  organization: OURS,
  assembly: 'shop',
  platform: 'web',
  component: 'deployer',
  variable: 'region',
  attachment: 'motd',
  environment: 'prod',
  cloud: 'east',
};

/** A body for any route in which every number is theirs; `plain`: its record cannot be refused. */
function bodyOf(numbers: ReturnType<typeof numbersIn>, plain = false): object {
  const one = (parameter: string): string => numbers[parameter]?.at(-1) ?? '0';
  const definition = JSON.stringify({
    flow: [{ relationName: 'base.RealizedAs', direction: 'from', actions: [{ actionName: 'status', stepNumber: 1 }] }],
  });
  const record = plain
    ? { ciAttributes: {} }
    : { ciId: one('component'), ciName: 'taken', ciAttributes: { description: 'taken' } };
  return {
    ciId: one('component'),
    cms_ci: record,
    cms_dj_ci: record,
    clouds: { [one('cloud')]: '1' },
    links_to: numbers['platform'],
    sibling_depends_on: numbers['component'],
    platformCiIds: numbers['platform'],
    componentCiIds: numbers['component'],
    ciIds: numbers['component'],
    cloud_id: one('cloud'),
    attributes: { adminstatus: 'offline' },
    cms_deployment: { releaseId: one('release'), deploymentState: 'canceled', nsPath: '/acme/shop/prod/bom' },
    cms_procedure: { ciId: one('component'), procedureCiId: '0', procedureState: 'canceled', definition },
    ids: numbers['instance'],
    state: 'replace',
    status: 'disable',
    org_id: THEIRS,
    version: '1',
    nsPath: '/acme/shop/_design/web',
  };
}

type Address = { readonly [parameter: string]: string };

const pathOf = (dialect: Dialect, route: Route, address: Address): string =>
  pathIn(dialect, route).replace(/\{([^}]+)\}/g, (_, name: string) => address[name] ?? '1');

/** Every route; what ends the own ground, or the being there, is last. */
const orderedRoutes = [...allRoutes].sort(
  (one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
);

/** Addresses of a route in which one parameter has a number of theirs. */
const foreignAddresses = (
  dialect: Dialect,
  route: Route,
  own: Address,
  numbers: ReturnType<typeof numbersIn>,
): readonly Address[] =>
  parametersOf(pathIn(dialect, route))
    .filter((parameter) => parameter !== 'organization')
    .flatMap((parameter) =>
      (numbers[parameter] ?? Object.values(numbers).flatMap((each) => each.slice(0, 1))).map((number) => ({
        ...own,
        [parameter]: number,
      })),
    );

/** Asks as somebody who may learn nothing of theirs: what leaked, and how often each status was the answer. */
function asking(caller: Caller, token: string, leaks: (route: Route, reply: Reply) => boolean) {
  const leaked: string[] = [];
  const answered = new Map<number, number>();
  const { dialect } = caller.service;
  const ask = async (route: Route, address: Address, body?: object, query = ''): Promise<void> => {
    const [method, path] = [methodIn(dialectRules[dialect], route), `${pathOf(dialect, route, address)}${query}`];
    const sent = route.method === 'GET' ? undefined : body;
    const reply = await caller.send(method, path, sent, { authorization: basic(token) });
    answered.set(reply.status, (answered.get(reply.status) ?? 0) + 1);
    if (leaks(route, reply)) leaked.push(`${route.name} ${method} ${path}: ${reply.text.slice(0, 300)}`);
  };
  return { ask, answered, leaked };
}

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  let ours: Caller;
  let before: Awaited<ReturnType<typeof picture>>;
  let numbers: ReturnType<typeof numbersIn>;
  const caller: Caller = callerFor(
    'all',
    dialect,
    async () => {
      ours = inOurs(caller);
      await found(caller);
      await furnish(shopOf(dialect, {}, caller), 'canary');
      await furnish(shopOf(dialect, {}, ours), 'own');
      before = await picture(caller);
      numbers = numbersIn(before);
    },
    { users: [{ name: 'ours', token: TOKEN, organizations: [OURS] }] },
  );

  /**
   * Whether an answer has anything of theirs. Refusals may repeat what was requested, and what everybody may read without a token (the OpenAPI
   * document, whose examples are of an organization of the same name) contains nothing of anybody.
   */
  const leaks = (route: Route, { status, text }: Reply): boolean =>
    text.includes('canary') || (status === 200 && !route.open && /\/acme\b/.test(text));

  test('there is something of theirs to take', () => {
    for (const values of Object.values(numbers)) expect(values.filter((value) => /^\d+$/.test(value))).not.toEqual([]);
    expect(JSON.stringify(before)).toContain('canary');
  });

  test('no route takes their organization from us', async () => {
    const routes = allRoutes.filter((route) => route.path.includes('{organization}'));
    // Not by the caller of ours: that would turn the path to us.
    const { ask, answered } = asking(caller, TOKEN, () => false);
    for (const route of routes) await ask(route, { ...OWN, organization: THEIRS }, bodyOf(numbers));
    expect([...answered]).toEqual([[dialectRules[dialect].forbiddenStatus, routes.length]]);
    expect(routes.length).toBeGreaterThan(80);
  }, 30_000);

  test('no number of theirs in a path or body shows or changes anything', async () => {
    const { ask, answered, leaked } = asking(caller, TOKEN, leaks);
    for (const route of orderedRoutes) {
      for (const address of foreignAddresses(dialect, route, OWN, numbers)) await ask(route, address, bodyOf(numbers));
      if (route.method === 'DELETE') continue;
      await ask(route, OWN, bodyOf(numbers));
      await ask(route, OWN, bodyOf(numbers, true));
    }
    expect(leaked).toEqual([]);
    expect(await picture(caller)).toEqual(before);
    // Our own ground was there to be on.
    expect(answered.get(200)).toBeGreaterThan(50);
  }, 60_000);
});

describe.each(dialectsInTurn(0))('%s: a member of a team', (dialect) => {
  const MEMBER = 'token-of-member';
  const MINE = 'vault';
  let before: Awaited<ReturnType<typeof picture>>;
  let numbers: ReturnType<typeof numbersIn>;

  /** The same caller, for whom the assembly has another name. */
  const inMine = (): Caller => ({
    ...caller,
    ...sending((method, path, body) => {
      const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('shop', MINE);
      return caller.send(method, path.replaceAll('/shop', `/${MINE}`), text);
    }),
  });

  /** Everything but the member's own assembly. */
  const theirs = async (): Promise<typeof before> => {
    const all = await picture(caller);
    const assemblies = all['/acme/assemblies'] as readonly WireRecord[];
    return { ...all, '/acme/assemblies': assemblies.filter(({ ciName }) => ciName !== MINE) };
  };

  const caller: Caller = callerFor(
    'all',
    dialect,
    async () => {
      await furnish(shopOf(dialect, {}, caller), 'canary');
      await furnish(shopOf(dialect, {}, inMine()), 'own');
      const rights = { name: 'builders', design: true, transition: true, operations: true };
      const team = (await caller.send('POST', '/acme/organization/teams', { team: rights })).body as { id: number };
      await caller.send('PUT', `/acme/assemblies/${MINE}/update_teams`, { teams: [team.id] });
      before = await theirs();
      numbers = numbersIn(before);
    },
    { users: [{ name: 'member', token: MEMBER, teams: ['builders'] }] },
  );

  test('learns and changes nothing of an assembly that no team of theirs reaches, by name, number or list', async () => {
    const leaks = ({ name, open }: Route, { status, text }: Reply): boolean => {
      // A template repeats the name that it was requested.
      const shown = name === 'components.template' ? text.replace(/"ciName":"[^"]*"/, '') : text;
      return shown.includes('canary') || (status === 200 && !open && /\bshop\b/.test(shown));
    };
    const { ask, answered, leaked } = asking(caller, MEMBER, leaks);
    const own = { ...OWN, organization: 'acme', assembly: MINE };
    const values = ['shop', '/acme/shop', 'cloud', 'all', ...Object.values(numbers).map(([first = '']) => first)];
    for (const route of orderedRoutes) {
      await ask(route, { ...own, assembly: 'shop' }, bodyOf(numbers));
      for (const address of foreignAddresses(dialect, route, own, numbers)) await ask(route, address, bodyOf(numbers));
      if (route.method !== 'GET') continue;
      await ask(route, own);
      for (const name of route.query)
        for (const value of values) await ask(route, own, undefined, `?${name}=${encodeURIComponent(value)}`);
    }
    expect(leaked).toEqual([]);
    expect(await theirs()).toEqual(before);
    expect(answered.get(200)).toBeGreaterThan(50);
  }, 60_000);
});

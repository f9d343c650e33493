// Laws of functions: they only read, answer alike in both dialects, and with what they describe.
import { createApi, type Api } from '../../api/client';
import { DIALECTS, type Dialect, type Instance, routes } from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { ADMIN_TOKEN } from '../../test/service-caller';
import { named, shopOf, type Shop } from '../../test/shop';
import { newProcedure } from '../kinds';
import { resolveSettings, type Settings } from '../session/settings';
import type { Ask } from './api-function';
import { functions, newCaller, wrapSecrets, type Caller, type Results, type ResultShape } from './index';

type Given = { readonly [name: string]: unknown };

/** What is asked of a design and of an environment. */
const both = (args: Given): readonly Given[] => [args, { ...args, environment: 'prod' }];

const SHOP = { assembly: 'shop' };
const WEB = { ...SHOP, platform: 'web' };
const PROD = { ...SHOP, environment: 'prod' };

/** Calls of every function: together they ask for everything it can be asked for. */
const SAMPLES: { readonly [token: string]: readonly Given[] } = {
  getOrganizations: [{}],
  getClouds: [{}],
  getCloud: [{ name: 'east' }],
  getLocations: [{}],
  getAvailableServices: [{ cloud: 'east' }],
  getServiceTemplate: [
    { cloud: 'east', service: 'us-east-1' },
    { cloud: 'west', service: 'elb' },
  ],
  getServices: [{}, { cloud: 'east' }, { public: true }],
  getOfferings: [{}, { cloud: 'west' }, { public: 'true' }],
  getComputeReport: [{}, { assembly: 'shop' }, { grouping: 'cloud' }, { grouping: 'cloud', cloud: 'east' }],
  getAssemblies: [{}],
  getAssembly: [{ name: 'shop' }],
  getPlatforms: both(SHOP),
  getPlatform: both({ ...SHOP, name: 'web' }),
  getComponents: both(WEB),
  getComponent: both({ ...WEB, name: 'tomcat' }),
  getAttachments: both({ ...WEB, component: 'tomcat' }),
  getAttachment: both({ ...WEB, component: 'tomcat', name: 'tune' }),
  getVariables: [...both(SHOP), ...both(WEB)],
  getEnvironment: [{ ...SHOP, name: 'prod' }],
  // In one dialect each design write is a separate release: only the newest ones are the same.
  getReleases: [
    { ...SHOP, size: 1 },
    { ...PROD, size: 2 },
  ],
  getRelease: [],
  getLatestRelease: both(SHOP),
  getDeploymentStatus: [PROD],
  getInstances: [
    SHOP,
    { ...PROD, opsState: 'good,unhealthy' },
    { ...PROD, platform: 'web' },
    { ...PROD, platform: 'web', component: 'tomcat' },
  ],
  getComputes: [{ ...PROD, platform: 'web' }],
  getActions: [{ ...PROD, platform: 'web', component: 'compute' }],
  getProcedure: [],
};

interface World {
  readonly shop: Shop;
  readonly caller: Caller;
  /** Requests since the last call, as the service saw them. */
  requests(): readonly string[];
  /** Number of a procedure that ran. */
  readonly procedureId: number;
  /** The number of a release of the design, and of one of the environment. */
  readonly releases: readonly [number, number];
}

function settings(dialect: Dialect): Settings {
  const given = { url: 'http://127.0.0.1', organization: 'acme', token: ADMIN_TOKEN, dialect };
  const resolved = resolveSettings((key) => given[key.slice('oneops:'.length) as keyof typeof given], {});
  if ('problem' in resolved) throw new Error(resolved.problem);
  return resolved.settings;
}

/** A shop with a platform that runs on two clouds, and a procedure that was run on it. */
async function newWorld(dialect: Dialect): Promise<World> {
  const shop = shopOf(dialect);
  await shop.assembly();
  await shop.platform('db', { pack: 'mysql' });
  await shop.platform('web', { pack: 'tomcat', links: ['db'] });
  await shop.ok(
    shop.design('POST', '/platforms/web/components/tomcat/attachments', {
      cms_dj_ci: {
        ciName: 'tune',
        ciAttributes: {
          path: '/opt/tune.sh',
          content: 'echo hi',
          headers: JSON.stringify({ Accept: 'text/plain' }),
          [dialect === 'classic' ? 'run_on' : 'runs_on']: 'after-add,after-update',
          priority: '2',
          basic_auth_user: 'reader',
          basic_auth_password: 'demo-secret-attachment',
        },
        ciAttrProps: { owner: { path: 'design', [dialect === 'classic' ? 'run_on' : 'runs_on']: 'design' } },
      },
    }),
  );
  await shop.ok(shop.design('POST', '/variables', named('REGION', { value: 'east' })));
  const secret = named('KEY', { secure: 'true', encrypted_value: 'demo-secret-variable' });
  await shop.ok(shop.design('POST', '/platforms/web/variables', secret));
  await shop.commitDesign();
  await shop.ok(shop.createEnvironment('prod', { east: '1', west: '2' }));
  await shop.settled('prod');
  expect(await shop.deploy('prod')).toBe('complete');
  const isCompute = ({ ciName, nsPath }: Instance): boolean =>
    ciName.startsWith('compute-') && nsPath.includes('/web/');
  const computes = (await shop.instances('prod')).filter(isCompute);
  const path = '/acme/assemblies/shop/operations/environments/prod/platforms/web/components/compute';
  const component = await shop.ok(shop.send('GET', path));
  const procedure = await shop.ok<{ readonly procedureId: number }>(
    shop.send('POST', '/acme/operations/procedures', {
      cms_procedure: newProcedure({ name: 'reboot', ciId: component.ciId }, computes, { actionName: 'reboot' }),
    }),
  );
  const release = await shop.ok<{ readonly releaseId: number }>(shop.design('GET', '/releases/latest'));
  const [plan] = await shop.ok<readonly { readonly releaseId: number }[]>(
    shop.send('GET', shop.at('prod', '/releases')),
  );
  const open = (): Promise<Api> => Promise.resolve(createApi({ ...settings(dialect), send: shop.service.handle }));
  let seen = 0;
  return {
    shop,
    caller: newCaller({ settings: settings(dialect) }, open),
    procedureId: procedure.procedureId,
    releases: [release.releaseId, plan?.releaseId ?? 0],
    requests: () => {
      const fresh = shop.service.journal().slice(seen);
      seen = shop.service.journal().length;
      return fresh.map(({ method, route, path: at }) => `${method} ${route ?? at}`);
    },
  };
}

const worlds = new Map<Dialect, World>();

beforeAll(async () => {
  for (const dialect of DIALECTS) worlds.set(dialect, await newWorld(dialect));
}, 60_000);

afterAll(() => worlds.forEach(({ shop }) => shop.close()));

const worldOf = (dialect: Dialect): World => worlds.get(dialect) as World;
const functionOf = (token: string) => functions.find((of) => of.token === token)!;
function samplesOf(token: string, { procedureId, releases: [released, deployed] }: World): readonly Given[] {
  if (token === 'getProcedure') return [{ procedureId }];
  if (token !== 'getRelease') return SAMPLES[token] ?? [];
  return [
    { assembly: 'shop', releaseId: released },
    { assembly: 'shop', environment: 'prod', releaseId: deployed },
  ];
}

/** Whether a value is of a shape: no member too many, none missing. */
function misfits(shape: ResultShape, value: unknown, path: string): readonly string[] {
  const wrong = (fits: boolean): readonly string[] => (fits ? [] : [`${path} is ${JSON.stringify(value)}`]);
  switch (shape.type) {
    case 'text':
      return wrong(typeof value === 'string' && (shape.allowed?.includes(value) ?? true));
    case 'int':
      return wrong(Number.isSafeInteger(value));
    case 'number':
      return wrong(typeof value === 'number' && Number.isFinite(value));
    case 'flag':
      return wrong(typeof value === 'boolean');
    case 'list':
      if (!Array.isArray(value)) return wrong(false);
      return value.flatMap((item, index) => misfits(shape.items, item, `${path}[${index}]`));
    case 'map':
      return Object.entries(value as Given).flatMap(([key, item]) => misfits(shape.values, item, `${path}.${key}`));
    case 'record':
      return misfitsOf(shape.of.members, value as Given, path);
  }
}

function misfitsOf(results: Results, values: Given, path: string): readonly string[] {
  const strangers = Object.keys(values).filter((key) => !Object.hasOwn(results, key));
  const inside = Object.entries(results).flatMap(([key, { shape, always }]) =>
    values[key] === undefined && !always ? [] : misfits(shape, values[key], `${path}.${key}`),
  );
  return [...strangers.map((key) => `${path}.${key} is not described`), ...inside];
}

/** Facts of a machine that the service makes up from the number of its record. */
const MADE_UP = [
  'availability_zone',
  'availabilityZone',
  'host_id',
  'hypervisor',
  'instance_id',
  'instanceId',
  'group_id',
];

/** What each service counts for itself: numbers, times, and names and addresses made of them. */
function withoutCounts(value: unknown): unknown {
  if (typeof value === 'number') return value >= 1000 ? 'a number' : value;
  if (typeof value === 'string') return value.replace(/\d+(\.\d+){3}/g, 'an address').replace(/\d{4,}/g, 'a number');
  if (Array.isArray(value)) return value.map(withoutCounts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      withoutCounts(key),
      MADE_UP.includes(key) ? 'made up' : withoutCounts(item),
    ]),
  );
}

test('there are 27 functions, each with a sample, its own name, and arguments that are plain names', () => {
  expect(functions).toHaveLength(27);
  expect(functions.map(({ token }) => token).sort()).toEqual(Object.keys(SAMPLES).sort());
});

describe.each(functions.map(({ token }) => token))('%s', (token) => {
  const of = functionOf(token);

  test('sends GETs alone, and answers with what it describes, the same in both dialects', async () => {
    const answers: unknown[] = [];
    for (const dialect of DIALECTS) {
      const world = worldOf(dialect);
      const samples = samplesOf(token, world);
      world.requests();
      const results: Given[] = [];
      for (const sample of samples) results.push(await world.caller.call(of, sample));
      const sent = world.requests();
      expect(sent.length).toBeGreaterThanOrEqual(samples.length);
      expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([]);
      expect(results.flatMap((result) => misfitsOf(of.result, result, token))).toEqual([]);
      answers.push(withoutCounts(results));
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  test('finds an argument nobody knows before it asks, with the nearest name', async () => {
    const world = worldOf('documented');
    const [sample = {}] = samplesOf(token, world);
    world.requests();
    const known = Object.keys(of.arguments);
    const misspelt = `${known[0] ?? 'nothin'}x`;
    const failure = world.caller.call(of, { ...sample, [misspelt]: 'x' });
    await expect(failure).rejects.toThrow(
      known.length > 0
        ? new RegExp(`^${token}: unknown key "${misspelt}": did you mean "${known[0]}"\\?$`)
        : `${token}: unknown key "${misspelt}": the function takes no arguments`,
    );
    expect(world.requests()).toEqual([]);
  });

  test('finds a required argument that is missing before it asks', async () => {
    const world = worldOf('documented');
    const required = Object.keys(of.arguments).filter((name) => of.arguments[name]?.required === true);
    world.requests();
    for (const name of required) await expect(world.caller.call(of, {})).rejects.toThrow(`"${name}" is required`);
    if (required.length > 0) expect(world.requests()).toEqual([]);
  });
});

test.each<[string, Given, string]>([
  ['getCloud', { name: 'a/b' }, 'name must be a name, without slashes and spaces, not "a/b"'],
  ['getCloud', { name: '..' }, 'name must be a name'],
  ['getComputeReport', { grouping: 'clouds' }, '"clouds" is not allowed here: did you mean "cloud"?'],
  ['getComputeReport', { cloud: 'east' }, '"cloud" narrows the grouping "cloud" only'],
  ['getComputeReport', { grouping: 'cloud', assembly: 'shop' }, '"assembly" narrows the grouping "assembly" only'],
  ['getOfferings', { cloud: 'east', public: true }, '"public" and "cloud" exclude each other'],
  ['getInstances', { assembly: 'shop', component: 'x' }, '"component" needs "environment" and "platform"'],
  ['getInstances', { assembly: 'shop', opsState: 'good, bad' }, 'opsState must be "all", or names of health states'],
  [
    'getDeploymentStatus',
    { assembly: 'shop', environment: 'prod', deploymentId: 0 },
    'deploymentId must be at least 1',
  ],
])('what is wrong with arguments is reported before the first request: %s %j', async (token, args, message) => {
  const world = worldOf('classic');
  world.requests();
  await expect(world.caller.call(functionOf(token), args)).rejects.toThrow(message);
  expect(world.requests()).toEqual([]);
});

describe.each(dialectsInTurn(1))('what comes back when it does not go well, %s', (dialect) => {
  const failureOf = async (
    token: string,
    args: Given,
    caller = worldOf(dialect).caller,
    secrets?: Given,
  ): Promise<string> => {
    const answered = caller.call(functionOf(token), args, secrets);
    return answered.then(
      () => 'it went well',
      (error: unknown) => (error as Error).message,
    );
  };

  const NONE = { ...WEB, name: 'tomcatt' };
  test.each<[string, Given, string]>([
    ['getPlatform', { ...SHOP, name: 'none' }, 'none): the service answered 404'],
    [
      'getPlatform',
      { ...SHOP, name: 'none' },
      '(GET /acme/assemblies/shop/design/platforms/none)\n  check the names in',
    ],
    ['getPlatform', { ...SHOP, name: 'none' }, 'give a reference to the resource as the argument'],
    [
      'getServiceTemplate',
      { cloud: 'east', service: 'rout53' },
      'east, service: rout53): no service template is called "rout53"\n  did you mean "route53"?',
    ],
    ['getAssembly', { name: 'shpo' }, 'no assembly is called "shpo": did you mean "shop"?'],
    ['getEnvironment', { ...SHOP, name: 'prd' }, 'no environment is called "prd": did you mean "prod"?'],
    ['getPlatforms', { ...SHOP, environment: 'prd' }, 'did you mean "prod"?'],
    ['getPlatform', { ...SHOP, name: 'webb' }, 'no platform is called "webb": did you mean "web"?'],
    ['getComponents', { ...PROD, platform: 'wep' }, 'did you mean "web"?'],
    ['getCloud', { name: 'eats' }, 'no cloud is called "eats": did you mean "east"?'],
    ['getComponent', NONE, 'platform shop/web has no component "tomcatt"\n  did you mean "tomcat"?'],
    ['getComponent', { ...NONE, environment: 'prod' }, 'platform shop/prod/web has no component "tomcatt"'],
    [
      'getAttachment',
      { ...WEB, component: 'tomcat', name: 'tunes' },
      'component shop/web/tomcat has no attachment "tunes"\n  did you mean "tune"?',
    ],
    // Those of other components do not count.
    ['getAttachment', { ...WEB, component: 'os', name: 'tune' }, 'has no attachment "tune"\n  there are none'],
    ['getAttachments', { ...WEB, component: 'none' }, 'platform shop/web has no component "none"\n  known are '],
  ])('%s %j: %s', async (token, args, says) => {
    const message = await failureOf(token, args);
    expect(message).toContain(says);
    expect(message).toMatch(new RegExp(`^${token}\\(\\w+: \\w+[^)]*\\): `));
  });

  test('a number that does not exist has no near one', async () => {
    expect(await failureOf('getRelease', { ...SHOP, releaseId: 99_999_999 })).not.toContain('did you mean');
  });

  test('no message contains the token, nor a secret argument', async () => {
    const { service } = worldOf(dialect).shop;
    const wrong = newCaller({ settings: { ...settings(dialect), token: 'wrong-token-77' } }, ({ token }) =>
      Promise.resolve(createApi({ ...settings(dialect), token, send: service.handle })),
    );
    const refused = await failureOf('getClouds', {}, wrong);
    expect(refused).toMatch(/^getClouds\(\): the service answered 401/);
    expect(refused).not.toContain('wrong-token-77');
    const args = { name: 'hidden-cloud' };
    const message = await failureOf('getCloud', args, undefined, args);
    expect(message).toContain('getCloud(name: [secret]): the service answered 404');
    expect(message).not.toContain('hidden-cloud');
  });

  test('nothing configured: what is missing, and how to set it', async () => {
    expect(await failureOf('getClouds', {}, newCaller({ problem: 'oneops:url is missing', lacksToken: false }))).toBe(
      'getClouds: oneops:url is missing',
    );
  });
});

test.each(dialectsInTurn(0))(
  'what the service contains as a secret is in no result, or only where it is described so: %s',
  async (dialect) => {
    const world = worldOf(dialect);
    for (const of of functions) {
      for (const sample of samplesOf(of.token, world)) {
        const result = await world.caller.call(of, sample);
        const shown = JSON.stringify(wrapSecrets(of.result, result, () => '[secret]'));
        expect(shown).not.toMatch(/east-key|demo-secret|ENCRYPTED/);
        if (of.token === 'getCloud') expect(result['auth']).toBe('east-key');
      }
    }
  },
);

describe.each(dialectsInTurn(1))('what the functions for designs and releases return, %s', (dialect) => {
  const ask = (token: string, args: Given): Promise<Given> => worldOf(dialect).caller.call(functionOf(token), args);
  test('an attachment with its events, its headers and what is locked', async () => {
    const tune = {
      name: 'tune',
      path: '/opt/tune.sh',
      content: 'echo hi',
      headers: { Accept: 'text/plain' },
      basicAuthUser: 'reader',
      runsOn: ['after-add', 'after-update'],
      priority: 2,
      locked: ['path', 'runs_on'],
      change: '',
    };
    const answered = await ask('getAttachment', { ...WEB, component: 'tomcat', name: 'tune' });
    expect(answered).toMatchObject(tune);
    expect(await ask('getAttachments', { ...WEB, component: 'tomcat' })).toEqual({ attachments: [answered] });
  });

  test('variables of each scope; the value of a secure one is left out', async () => {
    const own = await ask('getVariables', WEB);
    expect(own['variables']).toContainEqual(expect.objectContaining({ name: 'KEY', secure: true, value: '' }));
    const pulled = await ask('getVariables', PROD);
    expect(pulled['variables']).toMatchObject([{ name: 'REGION', secure: false, value: 'east' }]);
  });

  test('a component with what it depends on, in the design and in the environment', async () => {
    const expected = { name: 'tomcat', dependsOn: expect.arrayContaining(['os']) as unknown };
    expect(await ask('getComponent', { ...WEB, name: 'tomcat' })).toMatchObject(expected);
    const running = await ask('getComponent', { ...WEB, name: 'tomcat', environment: 'prod' });
    expect(running).toMatchObject(expected);
    expect(running['className']).toMatch(/^manifest\./);
    expect(await ask('getComponent', { ...WEB, name: String(running['ciId']), environment: 'prod' })).toEqual(running);
  });

  test('releases, including the open one, each with what it belongs to', async () => {
    const { shop } = worldOf(dialect);
    const { releases } = await ask('getReleases', PROD);
    const kinds = (releases as readonly { readonly kind: string; readonly state: string }[]).map(
      ({ kind, state }) => `${kind} ${state}`,
    );
    expect(kinds).toEqual(['bom closed', 'manifest closed']);
    await shop.ok(shop.configure('prod', 'web', 'west', { pct_scale: '50' }));
    expect((await ask('getReleases', { ...PROD, size: 1 }))['releases']).toMatchObject([
      { kind: 'manifest', state: 'open' },
      { kind: 'bom', state: 'closed' },
    ]);
    await shop.ok(shop.send('POST', shop.at('prod', '/discard')));
    if (dialect === 'documented') return;
    // A change to the design waits in an open release; in `documented` each is committed immediately.
    await shop.ok(shop.design('POST', '/variables', { cms_dj_ci: { ciName: 'OPEN', ciAttributes: { value: 'x' } } }));
    const open = await ask('getReleases', SHOP);
    expect(open['releases']).toMatchObject([{ kind: 'design', state: 'open' }, { state: 'closed' }]);
    const { variables } = await ask('getVariables', SHOP);
    expect(variables).toMatchObject([
      { name: 'OPEN', change: 'add' },
      { name: 'REGION', change: '' },
    ]);
    await shop.ok(
      shop.design('POST', `/releases/${(open['releases'] as readonly { releaseId: number }[])[0]?.releaseId}/discard`),
    );
  });
});

test('a procedure has all that the service returns of it', async () => {
  const world = worldOf('classic');
  const raw = await world.shop.ok<{ readonly [member: string]: unknown }>(
    world.shop.send('GET', `/acme/operations/procedures/${world.procedureId}`),
  );
  const returned = await world.caller.call(functionOf('getProcedure'), { procedureId: world.procedureId });
  const membersIn = (record: unknown): readonly string[] =>
    Object.keys(record as Given)
      .map((member) => RENAMED[member] ?? member)
      .sort();
  expect(membersIn(raw)).toEqual(membersIn(returned));
  const [first, answered] = [raw, returned].map(({ actions }) => (actions as readonly Given[])[0]);
  expect(membersIn(first)).toEqual(membersIn(answered));
});

const RENAMED: { readonly [member: string]: string } = {
  procedureName: 'name',
  procedureState: 'state',
  actionName: 'name',
  actionState: 'state',
};

test('a function cannot send what changes something', async () => {
  const { caller, requests } = worldOf('documented');
  const of = functionOf('getCloud');
  const greedy = { ...of, read: (ask: Ask) => ask(routes.clouds.delete, { address: { cloud: 'east' } }) as never };
  requests();
  await expect(caller.call(greedy, { name: 'east' })).rejects.toThrow('getCloud may not send DELETE clouds.delete');
  expect(requests()).toEqual([]);
});

test('one client serves every call of a caller, and none is made before the first', async () => {
  let made = 0;
  const caller = newCaller({ settings: settings('documented') }, () => {
    made += 1;
    return Promise.resolve(createApi({ ...settings('documented'), send: worldOf('documented').shop.service.handle }));
  });
  expect(made).toBe(0);
  await Promise.all([caller.call(functionOf('getClouds'), {}), caller.call(functionOf('getCloud'), { name: 'east' })]);
  expect(made).toBe(1);
});

test("of several templates with one name, that of the cloud's own location is the one", async () => {
  const template = (ciId: number, nsPath: string) => ({
    ciId,
    ciName: 'dns',
    ciClassName: 'x',
    nsPath,
    ciAttributes: {},
  });
  const answers: { readonly [route: string]: unknown } = {
    'cloudServices.available': { dns: [template(1, '/public/aws'), template(2, '/public/home')] },
    'clouds.read': { ...template(3, '/acme/_clouds'), ciAttributes: { location: '/public/home' } },
    'cloudServices.template': { ...template(0, ''), ciAttributes: { key: '' } },
  };
  const sent: unknown[] = [];
  const result = await functionOf('getServiceTemplate').read(
    (route, question) => {
      sent.push([route.name, question?.query]);
      return Promise.resolve(answers[route.name] as never);
    },
    { cloud: 'east', service: 'dns' },
    'acme',
  );
  expect(result).toMatchObject({ name: 'dns', ciId: 2, type: 'dns', attributes: { key: '' } });
  expect(sent.at(-1)).toEqual(['cloudServices.template', { mgmtCiId: '2' }]);
});

// The routes of the API's description as data, and the law of every route: it is served, answers
// what it promises, and can be called by the client.
import fc from 'fast-check';
import {
  allRoutes,
  type Dialect,
  dialectRules,
  DIALECTS,
  fillPath,
  JSON_MEDIA,
  methodIn,
  pathIn,
  type Route,
  routes,
} from '../../api/contract';
import { OneOps } from '../../api/client';
import { described } from '../described';
import { basic, type Caller, callerOf } from '../service-caller';
import { DIFFERENCES } from './dialect-differences';
import { type Call, exercise, type Sent, USERS } from './exercise';
import { shopOf } from '../shop';
import { readStack, type ReadStack, resolvedLines, type StackPlan } from '../../stack';
import { pclOf } from '../../stack/export/pcl';
import { emptyStack, run } from '../world/engine-simulation';
import { programOf } from '../world/plan-program';
import { makeWorld, sampleAddress, titleOf } from '../world/world';
import { formatId, scopeAt, scopesOf } from '../../provider';
import { kinds } from '../../provider/kinds';
import { yamlOfSample } from '../world/sample-yaml';
import { textOf, writtenYaml } from '../docs/page-blocks';

/** Method and path of each route of the API's description, in its order. */
const A = '/{organization}/assemblies/{assembly}';
const DP = `${A}/design/platforms`;
const AT = `${DP}/{platform}/components/{component}/attachments`;
const E = `${A}/transition/environments/{environment}`;
const O = `${A}/operations/environments/{environment}/platforms/{platform}/components/{component}`;
const ROWS: readonly string[] = [
  'GET /account/organizations',
  'GET /{organization}/clouds',
  'GET /{organization}/clouds/{cloud}',
  'POST /{organization}/clouds',
  'GET /{organization}/clouds/locations.json',
  'GET /{organization}/clouds/{cloud}/services/available.json',
  'GET /{organization}/clouds/{cloud}/services/{service}',
  'GET /{organization}/clouds/{cloud}/services/{service}/new.json',
  'POST /{organization}/clouds/{cloud}/services/',
  'PUT /{organization}/clouds/{cloud}/services/{service}',
  'GET /{organization}/reports/compute.json',
  'GET /cloud/offerings',
  'GET /cloud/services',
  'GET /{organization}/clouds/offerings',
  'GET /{organization}/clouds/services',
  'GET /{organization}/clouds/offerings?ns_path',
  'GET /{organization}/clouds/services?ns_path',
  'GET /{organization}/assemblies',
  `GET ${A}`,
  'POST /{organization}/assemblies',
  `PUT ${A}`,
  `DELETE ${A}`,
  `GET ${DP}`,
  `GET ${DP}/{platform}`,
  `POST ${DP}`,
  `DELETE ${DP}/{platform}`,
  `PUT ${DP}/{platform}/components`,
  `PUT ${DP}/{platform}/variables`,
  `GET ${AT}`,
  `POST ${AT}`,
  `GET ${AT}/{attachment}`,
  `PUT ${AT}/{attachment}`,
  `DELETE ${AT}/{attachment}`,
  `GET ${E}`,
  `POST ${E}`,
  `DELETE ${E}`,
  `PUT ${E}/platforms/{platform}/cloud_configuration`,
  `POST ${E}/commit`,
  `GET ${E}/releases/bom`,
  `GET ${E}/releases/latest`,
  `POST ${E}/deployments/`,
  `GET ${E}/deployments/{deployment}/status`,
  `PUT ${E}/disable`,
  `POST ${E}/pull`,
  `POST ${E}/releases/{release}/discard`,
  `GET ${O}`,
  `GET ${O}/actions`,
  `GET ${O}/instances`,
  `PUT ${O}/instances/{instance}/state`,
  `GET ${A}/operations/environments/{environment}/platforms/{platform}/components/compute/instances.json`,
  'POST /{organization}/operations/procedures',
  'GET /{organization}/operations/procedures/{procedure}',
];

/** Routes that are served under another's name, since both have one address. */
const SERVED_AS: { readonly [route: string]: string } = { 'deployments.createFromCommitted': 'deployments.create' };

/** A row as its route writes it, and the query it asks for. */
const rowOf = (row: string): { readonly line: string; readonly query: string | undefined } => {
  const [line = '', query] = row.split('?');
  return { line, query };
};

const lineOf = (route: Route): string => `${route.method} ${route.path}`;

test('the description has 52 routes', () => {
  expect(new Set(ROWS).size).toBe(52);
});

test.each(ROWS)('%s is a route', (row) => {
  const { line, query } = rowOf(row);
  const found = allRoutes.filter((route) => lineOf(route) === line);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ documented: true });
  if (query !== undefined) expect(found[0]?.query).toContain(query);
});

test('no other route claims to be documented', () => {
  const documented = allRoutes.filter((route) => route.documented).map(lineOf);
  expect(documented.sort()).toEqual([...new Set(ROWS.map((row) => rowOf(row).line))].sort());
});

test('names of routes are unique, and so are method and path', () => {
  expect(new Set(allRoutes.map((route) => route.name)).size).toBe(allRoutes.length);
  expect(new Set(allRoutes.map(lineOf)).size).toBe(allRoutes.length);
});

test.each(allRoutes)('$name says where it is, in one line what it is for, and how it may be repeated', (route) => {
  expect(route.source).toMatch(/^(service-facts §4\.[\d.]+|ours)$/);
  expect(route.summary).toMatch(/^[A-Z].*[^.\n]$/);
  if (route.method === 'GET') expect(['read', 'write', 'action']).toContain(route.repeat);
  else expect(route.repeat).not.toBe('read');
});

test('every route is a method of the client, in its area', () => {
  const client = new OneOps({ url: 'http://127.0.0.1:1', organization: 'acme', token: 'none' });
  const areas = client as unknown as { readonly [area: string]: { readonly [verb: string]: unknown } };
  const without = allRoutes.filter(({ name }) => {
    const [area = '', verb = ''] = name.split('.');
    return typeof areas[area]?.[verb] !== 'function';
  });
  expect(without.map(({ name }) => name)).toEqual([]);
  client.close();
});

/** Switches about cases that the 25 rows do not speak of. */
const OUTSIDE = ['statuses', 'valuesChecked', 'writesByGet', 'availabilityChecked', 'profileShowsRights'];

describe('the differences of the dialects', () => {
  test('are the 25 rows of service-facts §13, in their order', () => {
    expect(DIFFERENCES.map(({ row }) => row)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  });

  test('are all carried by switches: each switch is named by a row, or is about what the rows do not speak of', () => {
    const named = new Set<string>(DIFFERENCES.flatMap(({ switches }) => switches));
    expect([...named, ...OUTSIDE].sort()).toEqual(Object.keys(dialectRules.classic).sort());
  });

  test.each(DIFFERENCES)('row $row: distinguished where a switch differs, and only there', ({ switches, ...row }) => {
    const differs = switches.some(
      (name) => JSON.stringify(dialectRules.documented[name]) !== JSON.stringify(dialectRules.classic[name]),
    );
    expect(differs).toBe(row.documented !== row.classic && switches.length > 0);
  });
});

/** What was called: names of routes, and `name?query` for each parameter that was sent. */
type Called = Set<string>;

function note(called: Called, route: Route, sent: Sent): void {
  called.add(route.name);
  for (const name of Object.keys(sent.query ?? {})) called.add(`${route.name}?${name}`);
}

/** Sends raw requests to the service: status 200, and an answer that its schema reads. */
function rawCall(caller: Caller, dialect: Dialect, called: Called, token: string): Call {
  return async (route, sent = {}) => {
    const path = fillPath(pathIn(dialect, route), { organization: 'acme', ...sent.address });
    const query = new URLSearchParams(sent.query).toString();
    const headers = { authorization: basic(token) };
    const reply = await caller.send(
      methodIn(dialectRules[dialect], route),
      query === '' ? path : `${path}?${query}`,
      sent.body,
      headers,
    );
    const inverted = dialectRules[dialect].instanceStateInverted && /InstanceState$/.test(route.name);
    const expected = inverted ? [422, '{"errors":[]}'] : [200, reply.text];
    expect([route.name, reply.status, reply.text]).toEqual([route.name, ...expected]);
    expect(caller.service.journal().at(-1)?.route).toBe(SERVED_AS[route.name] ?? route.name);
    const body = described(dialect).bodyFault(SERVED_AS[route.name] ?? route.name, sent.body);
    expect([route.name, sent.body, body]).toEqual([route.name, sent.body, undefined]);
    note(called, route, sent);
    const answer = route.media === JSON_MEDIA ? reply.body : reply.text;
    return (inverted ? undefined : route.answer.parse(answer)) as never;
  };
}

/** Calls through the client, over the same function. */
function clientCall(caller: Caller, dialect: Dialect, called: Called, token: string): Call {
  const api = new OneOps({
    url: 'http://127.0.0.1:1',
    organization: 'acme',
    token,
    dialect,
    send: async (request) => {
      caller.clock.advance(1000);
      return caller.service.handle(request);
    },
  });
  return async (route, sent = {}) => {
    const answer = await api.call(route, sent);
    note(called, route, sent);
    return answer;
  };
}

/** Lines of `called` that rows request and that are missing. */
function missingRows(called: Called): string[] {
  return ROWS.filter((row) => {
    const { line, query } = rowOf(row);
    const route = allRoutes.find((each) => lineOf(each) === line);
    return route === undefined || !called.has(query === undefined ? route.name : `${route.name}?${query}`);
  });
}

describe.each(DIALECTS)('%s', (dialect) => {
  const further = allRoutes.filter((route) => !route.documented).map((route) => route.name);
  let caller: Caller;
  beforeEach(() => {
    caller = callerOf(dialect, { users: USERS });
  });
  afterEach(() => {
    expect(caller.bugs).toEqual([]);
    caller.close();
  });

  test('every route answers a real request with what it promises', async () => {
    const called: Called = new Set();
    const events = dialectRules[dialect].attachmentEvents;
    await exercise({ dialect, events, as: (token) => rawCall(caller, dialect, called, token) });
    const rows = ROWS.length - missingRows(called).length;
    const others = further.filter((name) => called.has(name)).length;
    process.stdout.write(`${dialect}: endpoints ${rows}/${ROWS.length}, further ${others}/${further.length}\n`);
    expect(missingRows(called)).toEqual([]);
    expect(further.filter((name) => !called.has(name))).toEqual([]);
  }, 60_000);

  test('every route can be called by the client', async () => {
    const called: Called = new Set();
    // The client speaks of events as api.md does, in either dialect.
    await exercise({ dialect, events: 'runs_on', as: (token) => clientCall(caller, dialect, called, token) });
    expect(allRoutes.map((route) => route.name).filter((name) => !called.has(name))).toEqual([]);
  }, 60_000);
});

// The law that the examples of openapi.json are one story: those that need no number of a record
// are sent, to the paths of the document's own examples, and carried out.

/** Operations in an order in which each finds what it needs. */
const STORY = `
  organizations.update profile.changeOrganization teams.create environmentProfiles.create
  environmentProfiles.update clouds.update cloudVariables.create cloudVariables.update cloudSupports.create
  cloudSupports.update assemblies.update assemblies.clone platforms.create platforms.update components.create
  components.update components.updateServices designVariables.create designVariables.update
  platformVariables.create platformVariables.update attachments.create attachments.update
  attachments.updateInPlatform monitors.create monitors.update platforms.commit`.match(/\S+/g)!;

/** The same once the design is in an environment. */
const LATER = `
  environmentPlatforms.update environmentPlatforms.updateComponent environmentVariables.update
  environmentPlatformVariables.update environmentAttachments.update environmentAttachments.updateInPlatform
  relays.create relays.update operations.autorepair operations.autoreplace environments.load environments.commit`.match(
  /\S+/g,
)!;

test.each(DIALECTS)(
  '%s: the service carries out the examples',
  async (dialect) => {
    const shop = shopOf(dialect);
    const { operations } = described(dialect);
    const refused: unknown[] = [];
    const tell = async (name: string): Promise<void> => {
      const route = allRoutes.find((each) => each.name === name);
      const { parameters = [], requestBody } = operations.get(name) ?? {};
      if (route === undefined) throw new Error(`no route is called ${name}`);
      const values = new Map(parameters.map((each) => [each.name, String(each.example ?? '')]));
      const path = pathIn(dialect, route).replaceAll(/\{([^}]+)\}/g, (_, each: string) => values.get(each) ?? '');
      const body = requestBody?.content['application/json']?.example;
      const { status, text } = await shop.send(methodIn(dialectRules[dialect], route), path, body);
      if (status !== 200) refused.push([name, path, status, text]);
    };
    await shop.assembly();
    await shop.platform('db');
    for (const name of STORY) await tell(name);
    expect(refused).toEqual([]);
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1' }));
    await shop.settled('prod');
    for (const name of LATER) await tell(name);
    expect(refused).toEqual([]);
    expect(shop.bugs).toEqual([]);
    shop.close();
  },
  30_000,
);

// The laws of composition: a composed stack goes up like one that is written out, an element of
// `each` touches only its own resources, and the resolved file means the same and resolves to
// itself. RUNS in the environment says how many random files.

const RUNS = Number(process.env['RUNS'] ?? 60);

const FLEET = textOf('examples/fleet/oneops.yaml');
const CONFIG = { owner: 'team@acme.io', tier: 'dev' };

const read = (text: string, stack = 'dev'): ReadStack =>
  readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'there is none' }),
    choices: { stack, config: CONFIG },
  });

const resolved = ({ root }: ReadStack): string =>
  root === undefined
    ? ''
    : resolvedLines(root, 'oneops.yaml')
        .map(({ text }) => `${text}\n`)
        .join('');

/** What a plan declares, without the places that it is written at. */
const declared = ({ plan }: ReadStack): string =>
  JSON.stringify(plan?.resources, (name, value: unknown) =>
    ['at', 'places', 'place', 'kind'].includes(name) ? 0 : value,
  );

function holdsLaws(text: string, stack: string): void {
  const composed = read(text, stack);
  const { plan } = composed;
  if (plan === undefined) return;
  const once = resolved(composed);
  const again = read(once, 'other');
  expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(declared(again)).toBe(declared(composed));
  expect(resolved(again)).toBe(once);
}

test('the fleet goes up, and another service changes only what is its own', async () => {
  const world = makeWorld('documented');
  try {
    const { plan, findings } = read(FLEET);
    expect(findings).toEqual([]);
    if (plan === undefined) throw new Error('no plan');
    expect(plan.resources.filter(({ kind }) => kind.token === 'Platform')).toHaveLength(6);
    expect(plan.resources.filter(({ kind }) => kind.token === 'Environment')).toHaveLength(3);
    const up = await run(world, emptyStack, programOf(plan, CONFIG));
    expect(up.errors).toEqual([]);
    expect(await run(world, up.stack, programOf(plan, CONFIG))).toMatchObject({ steps: [], errors: [] });
    const at = { address: { assembly: 'fleet' }, query: { instances_state: 'all' } };
    const running = await world.api.call(routes.operations.assemblyInstances, at);
    const places = running.map(({ nsPath }) => nsPath.split('/').slice(3, 6).join());
    expect(new Set(places).size).toBe(6 * 3);
    world.writes();
    const more = read(FLEET.replace('      mails:', '      wishes: { size: S, threads: 50 }\n      mails:')).plan;
    if (more === undefined) throw new Error('no plan');
    const next = await run(world, up.stack, programOf(more, CONFIG));
    expect(next.errors).toEqual([]);
    expect(next.steps.some((step) => step.includes('wishes'))).toBe(true);
    expect(next.steps.filter((step) => !/wishes|DesignRelease|Environment::|Deployment/.test(step))).toEqual([]);
  } finally {
    world.close();
  }
});

test('the resolved fleet means the same, in each of its stacks', () => {
  for (const stack of ['dev', 'trial']) holdsLaws(FLEET, stack);
  expect(read(FLEET, 'trial').plan?.resources.filter(({ kind }) => kind.token === 'Environment')).toHaveLength(2);
});

const name = fc.constantFrom('web', 'api', 'db', 'a-b', 'x1');
const word = fc.constantFrom(
  'S',
  'L',
  '1.10',
  'yes',
  '~',
  ' a',
  'a: b',
  '#x',
  "it's",
  '"',
  'zwei\nZeilen',
  'Zeile\n',
  '\n\n',
  '${config.owner}',
  '$${x}',
  '🙂',
  '\u0007',
  '- a',
  '',
  '0x1F',
  '{a}',
  '*x',
);
const condition = fc.constantFrom(
  "${config.tier} == 'dev'",
  "${config.tier} != 'dev'",
  "'a' in ['a'] and not false",
  '1 <',
  '${config.none}',
);
const platform = fc.record(
  {
    pack: fc.constant('oneops/tomcat:1'),
    description: word,
    when: condition,
    use: fc.constantFrom('service', 'other', 'none'),
    with: fc.dictionary(fc.constantFrom('size', 'text'), word, { maxKeys: 2 }),
    components: fc.record({ compute: fc.record({ size: word }) }),
  },
  { requiredKeys: [] },
);
const file = fc.record({
  config: fc.constant({ owner: { type: 'string', default: 'x' }, tier: { type: 'string', default: 'dev' } }),
  assembly: fc.constant({ name: 'shop' }),
  templates: fc.constant({
    service: {
      parameters: { size: { type: 'string', default: 'M' }, text: { type: 'string', default: 'of' } },
      body: {
        pack: 'oneops/tomcat:1',
        description: 'a ${param.text}',
        components: { compute: { size: '${param.size}' } },
      },
    },
    other: { body: { use: 'service', with: { text: 'x' } } },
  }),
  platforms: fc
    .tuple(fc.dictionary(name, platform, { maxKeys: 3 }), fc.uniqueArray(name), platform)
    .map(([own, names, body]) => ({
      ...own,
      'shop-${each.key}': { ...body, each: names, pack: 'oneops/tomcat:1' },
    })),
  overlays: fc.record({
    dev: fc.record({ platforms: fc.dictionary(name, fc.oneof(platform, fc.constant(null)), { maxKeys: 2 }) }),
  }),
});

test('random files: nothing crashes, and what holds resolves to a file that means the same', () => {
  fc.assert(
    fc.property(file, fc.constantFrom('dev', 'none'), (document, stack) => holdsLaws(JSON.stringify(document), stack)),
    { numRuns: RUNS, seed: Number(process.env['SEED'] ?? 7) },
  );
});

// The law of stack files as programs in PCL: whatever a file can declare is written, and what PCL
// has no word for is known. Over samples, examples and pages.

function planOf(text: string): StackPlan | undefined {
  const environment = { readFile: () => ({ text: '' }), env: { REGION: 'east' } };
  return readStack([{ name: 'oneops.yaml', text }], environment).plan;
}

/** Kinds in their scopes that a file can declare. */
const DECLARED = kinds.flatMap(scopesOf).filter(({ inFile }) => inFile !== undefined);

const samples = DECLARED.map((of): readonly [string, string] => {
  const address = sampleAddress(of);
  return [titleOf(of), yamlOfSample(of, formatId(of, 'acme', address), { ...address, ...of.sample.create })];
});

// The pages of policies show variations of a few files.
const written = writtenYaml().filter(([where]) => !/reference.policies/.test(where));

const planned = [...samples, ...written].flatMap(([name, text]) => {
  const plan = planOf(text);
  return plan === undefined ? [] : [{ name, plan, losses: pclOf(plan).losses }];
});

/** Pages that say which values a piece of configuration may have, for which PCL has no word. */
const LOSING: readonly string[] = ['docs/composition.md', 'docs/yaml.md'];

test('what is not carried completely is known', () => {
  const losing = planned.filter(({ losses }) => losses.length > 0);
  expect(losing.map(({ name }) => name.replace(/ block \d+$/, '')).sort()).toEqual(LOSING);
});

test('every kind that a file can declare is written', () => {
  const titles = new Set(
    planned
      .filter(({ losses }) => losses.length === 0)
      .flatMap(({ plan }) => plan.resources)
      .map(({ kind, args }) => titleOf(scopeAt(kind, args) ?? kind)),
  );
  expect(DECLARED.map(titleOf).filter((title) => !titles.has(title))).toEqual([]);
});

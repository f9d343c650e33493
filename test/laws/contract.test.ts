// The routes of the API's description as data, and the law that each is a route which is served, answers what it promises and can be called by the client;
// the same for every further route.
import {
  allRoutes,
  DIALECTS,
  type Dialect,
  fillPath,
  JSON_MEDIA,
  methodIn,
  pathIn,
  type Route,
  dialectRules,
} from '../../api/contract';
import { OneOps } from '../../api/client';
import { described } from '../described';
import { basic, type Caller, callerOf } from '../service-caller';
import { DIFFERENCES } from './dialect-differences';
import { type Call, exercise, type Sent, USERS } from './exercise';

/** Method and path of each route of the API's description, in its order; placeholders as the contract names them. */
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

/** Sends raw requests to the service's plain function: status 200, and an answer its schema reads. */
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
function clientCall(caller: Caller, dialect: Dialect | 'auto', called: Called, token: string): Call {
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

  test.each([dialect, 'auto'] as const)(
    'every route can be called by the client, told that the dialect is %s',
    async (told) => {
      const called: Called = new Set();
      // The client speaks of events as api.md does, in either dialect.
      await exercise({ dialect, events: 'runs_on', as: (token) => clientCall(caller, told, called, token) });
      expect(allRoutes.map((route) => route.name).filter((name) => !called.has(name))).toEqual([]);
    },
    60_000,
  );
});

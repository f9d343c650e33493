// The law of strictness: no request at random, near a good one or far from it, makes it fail.
import fc from 'fast-check';
import * as z from 'zod';
import {
  allRoutes,
  type Dialect,
  dialectRules,
  methodIn,
  pathIn,
  type Route,
  type Record as WireRecord,
} from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { described } from '../../test/described';
import { ADMIN_TOKEN, basic } from '../../test/service-caller';
import { type Shop, shopOf, named, ofTemplate } from '../../test/shop';

// Requests are made from the contract: near enough to good ones to get far, wrong enough to find what
// nobody thought of.

/** Text of a request's places: names and numbers that exist, and what people and attackers try. */
interface Pool {
  /** Names, ids and values that mean something to the service. */
  readonly known: readonly string[];
  /** Names of attributes. */
  readonly attributes: readonly string[];
  /** What mostly stands for a path parameter, by its name. */
  readonly parameters: { readonly [name: string]: readonly string[] };
}

/** A request as `Service.handle` takes it, without its headers. */
interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly contentType: string;
}

/** Text that is trouble somewhere. */
const ODD: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '0',
  '-1',
  '1e3',
  '0x10',
  '9007199254740993',
  '99999999999999999999999',
  '9'.repeat(400),
  'NaN',
  'Infinity',
  'true',
  'false',
  'null',
  'undefined',
  '[]',
  '{}',
  '[1',
  '{"a":{"b":[1,2,{"c":null}]}}',
  '['.repeat(5000) + ']'.repeat(5000),
  '{"a":'.repeat(3000) + '1' + '}'.repeat(3000),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'a/b',
  '../../etc/passwd',
  'a\\b',
  "'; DROP TABLE records; --",
  '%',
  '_',
  '*',
  '%00',
  '%2e%2e',
  '<script>alert(1)</script>',
  '$OO_GLOBAL{x}',
  '$OO_CLOUD{',
  '$OO_LOCAL{__proto__}',
  '--ENCRYPTED--',
  '::ENCRYPTED::',
  'käse ☃ 𝒳',
  '\u0000',
  '\u202e',
  '\ufeff',
  '\ud800',
  'a'.repeat(300),
  ' '.repeat(5000) + 'x',
  'a@'.repeat(2000),
  '{'.repeat(5000),
  'x\ny',
  'x,y,,z',
  '1,2',
  'manifest',
  'bom',
  '_design',
];

/** JSON texts of procedures. */
const DEFINITIONS: readonly string[] = ['from', 'to', 'around'].flatMap((direction) =>
  ['base.RealizedAs', 'manifest.Requires', 'base.DeployedTo', '__proto__'].map((relationName) =>
    JSON.stringify({
      name: 'random',
      flow: [{ relationName, direction, actions: [{ actionName: 'status', stepNumber: 1, isCritical: true }] }],
    }),
  ),
);

const textOf = (pool: Pool): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...pool.known) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.constantFrom(...DEFINITIONS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );

/** Any JSON, of the pool's text where it is text. */
function jsonOf(pool: Pool): fc.Arbitrary<unknown> {
  const text = textOf(pool);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      text,
      fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, 2 ** 53, []),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  }));
  return value;
}

/** What a schema takes, and now and then, at any place, something else. */
function valueOf(schema: z.core.$ZodType, pool: Pool, depth = 0): fc.Arbitrary<unknown> {
  const wrong = jsonOf(pool);
  const right = depth > 6 ? fc.constant(undefined) : rightValueOf(schema, pool, depth);
  return fc.oneof({ weight: 39, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

function rightValueOf(schema: z.core.$ZodType, pool: Pool, depth: number): fc.Arbitrary<unknown> {
  const text = textOf(pool);
  const inner = (next: z.core.$ZodType): fc.Arbitrary<unknown> => valueOf(next, pool, depth + 1);
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape);
    const known = Object.fromEntries(members.map(([name, each]) => [name, inner(each)]));
    return fc
      .tuple(
        fc.record(known, { requiredKeys: members.map(([name]) => name).slice(0, 1) }),
        fc.dictionary(text, jsonOf(pool), { maxKeys: 1 }),
      )
      .map(([given, more]) => ({ ...more, ...given }));
  }
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(fc.oneof(fc.constantFrom(...pool.attributes), text), inner(schema.valueType), { maxKeys: 5 });
  if (schema instanceof z.ZodArray) return fc.array(inner(schema.element), { maxLength: 4 });
  if (schema instanceof z.ZodUnion) return fc.oneof(...(schema.options as z.core.$ZodType[]).map(inner));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fc.option(inner(schema.unwrap()), {
      nil: schema instanceof z.ZodNullable ? null : undefined,
    });
  }
  if (schema instanceof z.ZodNumber) return fc.oneof(text.map(Number), fc.integer());
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNull) return fc.constant(null);
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum)
    return fc.constantFrom(...(schema instanceof z.ZodEnum ? schema.options : [...schema.values]));
  if (schema instanceof z.ZodString) return text;
  return jsonOf(pool);
}

/** `{"a":{"b":1}}` as `a[b]=1`. */
function formOf(value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${encoded(name)}=${encoded(String(value))}`];
  return Object.entries(value).flatMap(([key, each]) =>
    formOf(each, name === '' ? key : `${name}[${Array.isArray(value) ? '' : key}]`),
  );
}

/** Half characters cannot be percent-encoded: they go as the sign for what is no character. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function pathOf(route: Route, dialect: Dialect, pool: Pool, organization: string): fc.Arbitrary<string> {
  const segment = (name: string): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 18, arbitrary: fc.constantFrom(...(pool.parameters[name] ?? pool.known)) },
      { weight: 1, arbitrary: fc.constantFrom(...pool.known) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD) },
    );
  const query = fc.dictionary(fc.oneof(fc.constantFrom('x', ...route.query), textOf(pool)), textOf(pool), {
    maxKeys: 2,
  });
  const pattern = pathIn(dialect, route);
  const names = [...pattern.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const values = fc.tuple(
    ...names.map((name) => (name === 'organization' ? fc.constant(organization) : segment(name))),
  );
  return fc.tuple(values, query, fc.constantFrom('', '', '', '.json', '/', '//')).map(([given, asked, suffix]) => {
    let next = 0;
    const path = pattern.replace(/\{[^}]+\}/g, () => {
      const value = encoded(given[next] ?? '');
      next += 1;
      return value;
    });
    const search = Object.entries(asked).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    return `${path}${suffix}${search.length === 0 ? '' : `?${search.join('&')}`}`;
  });
}

/** A request of a route: its path from the pool, a body its schema takes more or less, in JSON or as a form. */
function requestOf(route: Route, dialect: Dialect, pool: Pool, organization: string): fc.Arbitrary<RandomRequest> {
  const bodiless = route.body instanceof z.ZodUndefined;
  const body = bodiless ? fc.constant(undefined) : valueOf(route.body, pool);
  const form = 'application/x-www-form-urlencoded';
  return fc
    .tuple(
      pathOf(route, dialect, pool, organization),
      body,
      fc.constantFrom('application/json', 'application/json', 'application/json', form),
    )
    .map(([path, sent, contentType]) => ({
      method: methodIn(dialectRules[dialect], route),
      path,
      contentType,
      body: sent === undefined ? undefined : contentType === form ? formOf(sent).join('&') : JSON.stringify(sent),
    }));
}

/** A request of nothing in particular. */
function anyRequest(pool: Pool): fc.Arbitrary<RandomRequest> {
  const text = textOf(pool);
  return fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', ''),
      fc.array(text, { maxLength: 8 }),
      fc.oneof(text, fc.string({ unit: 'binary' }), fc.constant(undefined)),
      fc.constantFrom(
        '',
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'application/vnd.x+json',
      ),
    )
    .map(([method, segments, body, contentType]) => ({ method, path: `/${segments.join('/')}`, contentType, body }));
}

/** Requests of each dialect; more when asked: `FUZZ=20000 npx jest service/http/fuzz`. */
const REQUESTS = Number(process.env['FUZZ'] ?? 1000);

const ATTRIBUTES =
  'owner description tags source pack version major_version value secure encrypted_value path content run_on runs_on priority availability size location adminstatus auth pct_scale dpmt_order username'.split(
    ' ',
  );
const VALUES =
  'oneops tomcat custom 1 single redundant default active offline inactive replace complete canceled paused all a@b.io before-add after-update true false'.split(
    ' ',
  );

async function worldOf(shop: Shop): Promise<Pool> {
  await shop.assembly();
  await shop.platform('web', { pack: 'tomcat' });
  await shop.platform('db');
  await shop.design('POST', '/platforms/db/components', ofTemplate('user', 'deployer', { username: 'deployer' }));
  await shop.attach('db/deployer', 'motd', { path: '/etc/motd' }, 'before-add');
  await shop.design('POST', '/variables', named('region', { value: 'east' }));
  await shop.commitDesign();
  await shop.createEnvironment('prod', { east: '1', west: '2' });
  await shop.deploy('prod');
  await shop.design('PUT', '/platforms/db/components', named('deployer', { description: 'open' }));
  const places = [
    '/clouds',
    '/assemblies',
    '/assemblies/shop/design/platforms',
    '/assemblies/shop/design/platforms/db/components',
    '/assemblies/shop/transition/environments',
    '/assemblies/shop/transition/environments/prod/platforms',
    '/assemblies/shop/operations/environments/prod/instances?instances_state=all',
    '/assemblies/shop/transition/environments/prod/deployments',
    '/assemblies/shop/design/releases',
  ];
  const lists = await Promise.all(places.map(async (place) => (await shop.send('GET', `/acme${place}`)).body));
  const records = lists.flat().filter((each) => typeof each === 'object' && each !== null) as (WireRecord & {
    deploymentId?: number;
    releaseId?: number;
  })[];
  const numbers = records
    .flatMap(({ ciId, deploymentId, releaseId }) => [ciId, deploymentId, releaseId])
    .filter(Number.isFinite)
    .map(String);
  const names = records.map(({ ciName }) => ciName).filter((name) => typeof name === 'string');
  const deployments = records.flatMap(({ deploymentId }) => (deploymentId === undefined ? [] : [String(deploymentId)]));
  const releases = records.flatMap(({ releaseId }) => (releaseId === undefined ? [] : [String(releaseId)]));
  const instances = records.flatMap(({ ciId, ciClassName }) =>
    typeof ciClassName === 'string' && ciClassName.startsWith('bom.') ? [String(ciId)] : [],
  );
  return {
    parameters: {
      assembly: ['shop'],
      platform: ['web', 'db'],
      component: ['compute', 'deployer', 'os'],
      attachment: ['motd'],
      variable: ['region', 'appVersion'],
      environment: ['prod'],
      cloud: ['east', 'west'],
      deployment: deployments,
      release: releases,
      instance: instances,
    },
    attributes: ATTRIBUTES,
    known: [...new Set([...VALUES, ...numbers, ...names, 'deployer', 'motd', 'region', 'compute', 'web'])],
  };
}

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  let shop: Shop;
  let pool: Pool;
  beforeAll(async () => {
    shop = shopOf(dialect);
    pool = await worldOf(shop);
    await shop.send('POST', '/account/organizations', { name: 'other' });
  }, 30_000);
  afterAll(() => shop.close());

  const send = (request: RandomRequest): ReturnType<Shop['service']['handle']> => {
    const { method, path, body, contentType } = request;
    const headers = { authorization: basic(ADMIN_TOKEN), accept: 'application/json', 'content-type': contentType };
    shop.clock.advance(700);
    return shop.service.handle({ method, path, headers, ...(body === undefined ? {} : { body }) });
  };

  test('the world is worth asking about', () => {
    expect(pool.known.length).toBeGreaterThan(50);
    for (const values of Object.values(pool.parameters)) expect(values).not.toEqual([]);
    expect(shop.bugs).toEqual([]);
  });

  test(
    'no request makes the service fail, and each answer is as openapi.json describes it',
    async () => {
      const seen = new Map<number, number>();
      const { answerFault } = described(dialect);
      let compared = 0;
      const survives = (routes: readonly Route[], numRuns: number): Promise<void> => {
        const request = fc.oneof(
          {
            weight: 19,
            arbitrary: fc.constantFrom(...routes).chain((route) => requestOf(route, dialect, pool, 'acme')),
          },
          { weight: 1, arbitrary: anyRequest(pool) },
        );
        const property = fc.asyncProperty(request, async (each) => {
          const { status, body, headers } = await send(each);
          seen.set(status, (seen.get(status) ?? 0) + 1);
          expect(shop.bugs).toEqual([]);
          expect(body).not.toMatch(/\n\s+at .*:\d+:\d+/);
          const { route = null } = shop.service.journal().at(-1) ?? {};
          const isJson = headers['content-type']?.startsWith('application/json') === true;
          if (route !== null && each.method !== 'HEAD' && each.method !== 'OPTIONS' && (isJson || status >= 300)) {
            const parsed: unknown = body === '' ? undefined : JSON.parse(body);
            expect([each.method, route, answerFault(route, status, parsed)]).toEqual([each.method, route, undefined]);
            compared += 1;
          }
          if (status < 500) return;
          // The live service's own failures, never a mistake of ours: that would be among the bugs.
          expect([dialect, status, headers['content-type']]).toEqual(['classic', 500, expect.stringContaining('json')]);
          expect(JSON.parse(body)).toEqual({ code: 500, exception: expect.any(String) });
        });
        return fc.assert(property, { numRuns, endOnFailure: true });
      };
      // What removes the ground under the others comes last.
      const removes = ({ method, name }: Route): boolean =>
        method === 'DELETE' && /^(organizations|assemblies|clouds|platforms|environments)\./.test(name);
      await survives(
        allRoutes.filter((route) => !removes(route)),
        Math.ceil(REQUESTS * 0.9),
      );
      expect(seen.get(200) ?? 0).toBeGreaterThan(REQUESTS / 10);
      expect(compared).toBeGreaterThan(REQUESTS / 2);
      await survives(allRoutes, Math.ceil(REQUESTS * 0.1));
      if (process.env['FUZZ'] !== undefined) console.log(dialect, Object.fromEntries([...seen].sort()));
      expect(await shop.status('GET', '/account/organizations')).toBe(200);
    },
    REQUESTS * 100,
  );
});

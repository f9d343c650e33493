// The law of strictness: no request at random, near a good one or far from it, makes it fail.
import fc from 'fast-check';
import { allRoutes, DIALECTS, type Route, type Record as WireRecord } from '../../api/contract';
import { anyRequest, type Pool, type RandomRequest, requestOf } from '../../test/random-requests';
import { described } from '../../test/described';
import { ADMIN_TOKEN, basic } from '../../test/service-caller';
import { type Shop, shopOf, named, ofTemplate } from '../../test/shop';

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

describe.each(DIALECTS)('%s', (dialect) => {
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

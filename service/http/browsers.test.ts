// The service next to a browser: a foreign page, a rebound name and a followed link can do nothing.
import { hostname } from 'node:os';
import { allRoutes, fillPath, pathIn } from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { ADMIN_TOKEN, basic, type Caller, callerOf, callerFor } from '../../test/service-caller';
import { type Shop, shopOf, record } from '../../test/shop';

const OWN = '127.0.0.1:9090';
const assembly = record('planted', { owner: 'eve@acme.io' });
const FORM = 'cms_ci[ciName]=planted&cms_ci[ciAttributes][owner]=eve@acme.io';

/** Headers that a page of another origin makes a browser send, with a token the page knows. */
const FOREIGN: readonly (readonly [string, { readonly [name: string]: string }])[] = [
  ['a script', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a script of another port of this machine', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
  ['a sandboxed frame or a local file', { origin: 'null' }],
  ['a browser without fetch metadata', { origin: 'https://evil.example' }],
  ['an origin that begins like the own one', { origin: `http://${OWN}.evil.example` }],
  ['an image or a link', { 'sec-fetch-site': 'cross-site' }],
  ['an image of another port of this machine', { 'sec-fetch-site': 'same-site' }],
];

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  const assemblies = async (): Promise<unknown> => (await caller.send('GET', '/acme/assemblies')).body;
  const caller: Caller = callerFor('all', dialect, undefined, { administration: true });

  describe.each(FOREIGN)('%s of a foreign page', (_, headers) => {
    test.each([
      ['GET', '/acme/assemblies', undefined, {}],
      ['POST', '/acme/assemblies', assembly, {}],
      ['POST', '/acme/assemblies', FORM, { 'content-type': 'application/x-www-form-urlencoded' }],
      ['POST', '/acme/assemblies', JSON.stringify(assembly), { 'content-type': 'text/plain' }],
      ['OPTIONS', '/acme/assemblies', undefined, { 'access-control-request-method': 'POST' }],
      ['GET', '/_admin/journal', undefined, {}],
      ['PUT', '/_admin/faults', { faults: [] }, {}],
      ['OPTIONS', '/_admin/faults', undefined, {}],
      ['GET', '/openapi.json', undefined, { authorization: '' }],
    ])('may not %s %s', async (method, path, body, more) => {
      const reply = await caller.send(method, path, body, { host: OWN, ...headers, ...more });
      expect(reply).toMatchObject({ status: 403, body: { errors: [expect.stringMatching(/^a page of /)] } });
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(await assemblies()).toEqual([]);
    });
  });

  test.each([
    'evil.example',
    'evil.example:9090',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.7',
    '[::2]:1',
    'a b',
    '',
  ])('a name that was rebound to this machine is refused: Host %j', async (host) => {
    for (const path of ['/acme/assemblies', '/_admin/journal', '/nowhere', '/openapi.json']) {
      // A page of the rebound name is of the same origin as what it asks.
      const headers = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      const service = caller.service.handle({
        method: 'GET',
        path,
        headers: { ...headers, host, authorization: basic(ADMIN_TOKEN) },
      });
      expect(await service).toMatchObject({ status: 403, body: expect.stringContaining('--allow-host') });
    }
  });

  test.each([
    'localhost',
    'LOCALHOST:9090',
    'oneops.localhost:1',
    '127.0.0.1',
    '127.8.8.8:80',
    '[::1]:9090',
    'localhost.',
  ])('its own names and addresses are served: Host %j', async (host) =>
    expect(await caller.status('GET', '/acme/assemblies', undefined, { host })).toBe(200),
  );

  test('its own page, a typed address and every command-line client are served; forms too', async () => {
    for (const headers of [
      { origin: `http://${OWN}`, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      {},
    ])
      expect(await caller.status('GET', '/acme/assemblies', undefined, { host: OWN, ...headers })).toBe(200);
    const form = { 'content-type': 'application/x-www-form-urlencoded', host: OWN };
    const sent = FORM.replace('planted', 'wanted');
    expect(await caller.status('POST', '/acme/assemblies', sent, form)).toBe(200);
    expect(await caller.status('DELETE', '/acme/assemblies/wanted')).toBe(200);
  });

  test('no answer lets a page read it, or a browser guess its type; only programs are asked for a token', async () => {
    for (const path of ['/acme/assemblies', '/nowhere', '/_admin/journal', '/_admin/journal.jsonl', '/_admin/x', '/'])
      for (const authorization of [basic(ADMIN_TOKEN), '', basic('guessed')]) {
        const { headers } = await caller.send('GET', path, undefined, { authorization });
        expect([path, headers['x-content-type-options']]).toEqual([path, 'nosniff']);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    const unknown = { authorization: '', host: OWN };
    const program = await caller.send('GET', '/acme/assemblies', undefined, unknown);
    expect([program.status, program.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)]);
    for (const browser of [{ 'sec-fetch-site': 'none' }, { 'user-agent': 'Mozilla/5.0 (X11)' }]) {
      const reply = await caller.send('GET', '/acme/assemblies', undefined, { ...unknown, ...browser });
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, undefined]);
    }
  });

  test('what was refused is in the journal', async () => {
    await caller.send('POST', '/acme/assemblies', assembly, { host: OWN, origin: 'https://evil.example' });
    expect(caller.service.journal().at(-1)).toMatchObject({ method: 'POST', status: 403, route: null, user: null });
  });
});

describe('what is allowed', () => {
  const page = { host: OWN, origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };

  test('pages of an allowed origin read and write, those of others do not, and none administers', async () => {
    const caller = callerOf('documented', { administration: true, origins: ['https://shop.example'] });
    const { headers, status } = await caller.send('GET', '/acme/assemblies', undefined, page);
    expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([200, page.origin, 'Origin']);
    const asked = await caller.send('OPTIONS', '/acme/assemblies', undefined, { ...page, authorization: '' });
    expect([asked.status, asked.headers['access-control-allow-headers']]).toEqual([
      200,
      expect.stringContaining('Authorization'),
    ]);
    expect(await caller.status('POST', '/acme/assemblies', assembly, page)).toBe(200);
    const other = await caller.send('GET', '/acme/assemblies', undefined, { ...page, origin: 'https://evil.example' });
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const admin = await caller.send('GET', '/_admin/journal', undefined, page);
    expect([admin.status, admin.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    expect((await caller.send('GET', '/acme/assemblies')).headers['vary']).toBe('Origin');
    caller.close();
  });

  test('an asterisk is the answer of the live service; it does not open the administration or other hosts', async () => {
    const caller = callerOf('classic', { administration: true, origins: ['*'] });
    for (const headers of [page, {}]) {
      const reply = await caller.send('GET', '/acme/assemblies', undefined, headers);
      expect(reply).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
    }
    for (const headers of [page, {}]) {
      const reply = await caller.send('GET', '/_admin/journal', undefined, headers);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(await caller.status('GET', '/_admin/journal', undefined, page)).toBe(403);
    expect(await caller.status('GET', '/acme/assemblies', undefined, { host: 'evil.example' })).toBe(403);
    caller.close();
  });

  test('a name is served when it is allowed; a wildcard address stands for addresses, not for names', async () => {
    const statusAt = async (hosts: readonly string[], host: string): Promise<number> => {
      const caller = callerOf('documented', { hosts });
      const { status } = await caller.send('GET', '/acme/assemblies', undefined, { host });
      caller.close();
      return status;
    };
    expect(await statusAt(['oneops.example'], 'OneOps.example:443')).toBe(200);
    expect(await statusAt(['10.0.0.7'], '10.0.0.7:9090')).toBe(200);
    expect(await statusAt(['10.0.0.7'], '10.0.0.8:9090')).toBe(403);
    expect(await statusAt(['0.0.0.0'], '10.0.0.8:9090')).toBe(200);
    expect(await statusAt(['::'], '[fe80::1]:9090')).toBe(200);
    expect(await statusAt(['0.0.0.0'], `${hostname()}:9090`)).toBe(200);
    expect(await statusAt(['0.0.0.0'], 'evil.example')).toBe(403);
  });
});

describe('what reads does not write', () => {
  let shop: Shop;
  const made = async (dialect: 'documented' | 'classic', origins: readonly string[] = []): Promise<void> => {
    shop = shopOf(dialect, { origins });
    await shop.build({ web: {} });
    await shop.deploy('prod');
  };
  const ended = (): void => {
    expect(shop.bugs).toEqual([]);
    shop.close();
  };

  const address = { organization: 'acme', assembly: 'shop', environment: 'prod', platform: 'web' };
  const WRITING = allRoutes.filter(({ method, repeat }) => method === 'GET' && repeat !== 'read');
  /** Releases after a commit of whatever waits for one: a request that wrote leaves one more. */
  const releases = async (): Promise<unknown> => {
    await shop.prod('POST', '/commit', {});
    await shop.settled('prod');
    return shop.show('/releases');
  };

  test('there are GETs that write', () => expect(WRITING.length).toBeGreaterThan(0));

  test('classic: HEAD and a page never write by GET, even where pages are allowed; a client does', async () => {
    await made('classic', ['*']);
    const before = await releases();
    for (const route of WRITING) {
      const path = fillPath(pathIn('classic', route), address);
      expect(await shop.send('HEAD', path)).toMatchObject({ status: 405, headers: { allow: 'GET' } });
      for (const [, headers] of FOREIGN) expect(await shop.status('GET', path, undefined, headers)).toBe(403);
      expect(await releases()).toEqual(before);
    }
    expect(await shop.status('GET', fillPath(WRITING[0]!.path, address))).toBe(200);
    expect(await releases()).not.toEqual(before);
    ended();
  });

  test('documented: no GET writes; PUT does', async () => {
    await made('documented');
    const before = await releases();
    for (const route of WRITING) {
      const path = fillPath(pathIn('documented', route), address);
      for (const method of ['GET', 'HEAD'])
        expect(await shop.send(method, path)).toMatchObject({ status: 405, headers: { allow: 'PUT, PATCH' } });
      expect((await shop.send('GET', path)).body).toEqual({ errors: [expect.stringContaining('PUT')] });
    }
    expect(await releases()).toEqual(before);
    expect(await shop.status('PUT', fillPath(WRITING[0]!.path, address))).toBe(200);
    expect(await releases()).not.toEqual(before);
    ended();
  });
});

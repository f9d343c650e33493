// Laws of the request handling: who gets in, what is read, how a no is reported, in both dialects.
import { DIALECT_HEADER, DIALECTS } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { ADMIN_TOKEN, type Caller, callerOf, callerFor } from '../../test/service-caller';
import { shopOf, record } from '../../test/shop';

const assembly = (name: string) => record(name, { owner: 'maria@acme.io' });

eachDialectInTurn(0, (dialect, classic) => {
  const caller: Caller = callerFor('all', dialect);

  test('every answer names the dialect', async () => {
    const answers = [
      await caller.send('GET', '/acme/clouds'),
      await caller.send('GET', '/nowhere/at/all'),
      await caller.send('OPTIONS', '/x'),
    ];
    expect(answers.map((each) => each.headers[DIALECT_HEADER])).toEqual([dialect, dialect, dialect]);
  });

  test('the token is before the first colon, which may be missing', async () => {
    for (const text of [ADMIN_TOKEN, `${ADMIN_TOKEN}:`, `${ADMIN_TOKEN}:ignored`]) {
      const authorization = `Basic ${Buffer.from(text).toString('base64')}`;
      expect(await caller.status('GET', '/acme/clouds', undefined, { authorization })).toBe(200);
    }
  });

  test('an unknown organization ends in a 404', async () => {
    const first = await caller.send('GET', '/nobody/clouds');
    expect(first.status).toBe(classic ? 302 : 404);
    const last = classic ? await caller.send('GET', first.headers['location'] as string) : first;
    expect([last.status, last.body]).toEqual([404, { errors: [expect.any(String)] }]);
  });

  test('nothing is served elsewhere: 404 with errors', async () => {
    for (const [method, path] of [
      ['GET', '/acme/nothing'],
      ['PUT', '/acme/clouds'],
      ['TRACE', '/acme/clouds'],
    ] as const) {
      expect(await caller.send(method, path)).toMatchObject({ status: 404, body: { errors: ['not found'] } });
    }
  });

  test('the address itself says what exists, without a token and as JSON', async () => {
    const { status, body } = await caller.send('GET', '/', undefined, { authorization: '' });
    expect([status, body]).toEqual([200, expect.objectContaining({ description: '/openapi.json' })]);
    expect((await caller.send('HEAD', '/')).text).toBe('');
    expect(await caller.status('POST', '/')).toBe(404);
  });

  test('a trailing slash and .json lead to the same place; PATCH is PUT; HEAD has no body', async () => {
    for (const path of ['/acme/clouds', '/acme/clouds/', '/acme/clouds.json', '/acme/clouds.json?x=1']) {
      expect((await caller.send('GET', path)).body).toHaveLength(2);
    }
    await caller.send('POST', '/acme/assemblies', assembly('patched'));
    const patched = await caller.send('PATCH', '/acme/assemblies/patched.json', {
      cms_ci: { comments: 'x', ciAttributes: {} },
    });
    expect(patched.body).toMatchObject({ comments: 'x' });
    expect(await caller.send('HEAD', '/acme/clouds')).toMatchObject({ status: 200, text: '' });
  });

  test.each([
    ['a list for attributes', '{"cms_ci":{"ciName":"x","ciAttributes":[]}}', classic ? 500 : 400],
    ['a number for a name', '{"cms_ci":{"ciName":1,"ciAttributes":{}}}', 400],
    [
      'an attribute called constructor',
      '{"cms_ci":{"ciName":"x","ciAttributes":{"owner":"a@b.io","constructor":"x"}}}',
      422,
    ],
  ])('%s is refused and nothing is written', async (_, body, status) => {
    const before = (await caller.send('GET', '/acme/assemblies')).text;
    const answer = await caller.send('POST', '/acme/assemblies', body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(
      status === 500 ? { code: 500, exception: expect.any(String) } : { errors: expect.any(Array) },
    );
    expect(answer.text).not.toMatch(/ at .*\.ts/);
    expect((await caller.send('GET', '/acme/assemblies')).text).toBe(before);
  });

  test('a body without a type is JSON, and a GET with a body is a GET', async () => {
    expect(await caller.status('POST', '/acme/assemblies', assembly('untyped'), { 'content-type': '' })).toBe(200);
    expect(await caller.status('GET', '/acme/clouds', '{"broken')).toBe(200);
  });

  test('the journal contains every request in order, without bodies and tokens', async () => {
    const before = caller.service.journal().length;
    await caller.send('GET', '/acme/clouds?a=canary&b&c=canary');
    await caller.send('GET', '/acme/clouds', undefined, { authorization: '' });
    await caller.send('DELETE', '/acme/nothing');
    const entries = caller.service.journal().slice(before);
    expect(entries).toMatchObject([
      { user: 'admin', method: 'GET', path: '/acme/clouds?a=…&b&c=…', route: 'clouds.list', status: 200 },
      { user: null, method: 'GET', route: 'clouds.list', status: 401 },
      { user: null, method: 'DELETE', route: null, status: 404 },
    ]);
    const numbers = caller.service.journal().map((entry) => entry.n);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    for (const secret of [ADMIN_TOKEN, 'canary'])
      expect(JSON.stringify(caller.service.journal())).not.toContain(secret);
  });
});

test('classic answers JSON only to an exact Accept header, or to .json (service-facts §0.2)', async () => {
  const caller = callerOf('classic');
  const asBrowser = { accept: 'application/json, text/plain, */*' };
  expect((await caller.send('GET', '/acme/clouds', undefined, asBrowser)).headers['content-type']).toContain(
    'text/html',
  );
  expect((await caller.send('GET', '/acme/clouds.json', undefined, asBrowser)).body).toHaveLength(2);
  expect((await caller.send('GET', '/account/organizations', undefined, asBrowser)).body).toHaveLength(1);
  const signIn = await caller.send('GET', '/acme/clouds', undefined, { ...asBrowser, authorization: '' });
  expect([signIn.status, signIn.headers['location']]).toEqual([302, '/users/sign_in']);
  caller.close();
  const documented = callerOf('documented');
  expect((await documented.send('GET', '/acme/clouds', undefined, asBrowser)).body).toHaveLength(2);
  documented.close();
});

test("a route has its dialect's path, and in documented the further one too", async () => {
  const template = '/acme/clouds/east/services/elb/new.json';
  const further = '/acme/clouds/east/services/new?mgmtCiId=';
  for (const dialect of DIALECTS) {
    const caller = callerOf(dialect);
    const available = (await caller.send('GET', '/acme/clouds/east/services/available.json')).body as {
      lb: { ciId: number; ciName: string }[];
    };
    const id = available.lb.find((each) => each.ciName === 'elb')?.ciId ?? 0;
    expect(await caller.status('GET', template)).toBe(dialect === 'classic' ? 404 : 200);
    expect((await caller.send('GET', `${further}${id}`)).body).toMatchObject({ ciName: 'elb' });
    caller.close();
  }
});

test('an answer of the former path of releases/bom says that it is deprecated, and no other', async () => {
  const shop = shopOf('documented');
  await shop.build({ web: {} }, { east: '1' });
  await shop.commit('prod');
  const former = await shop.prod('GET', '/releases/latest');
  const present = await shop.prod('GET', '/releases/bom');
  expect([former.status, former.headers['deprecation']]).toEqual([200, '@0']);
  expect([present.status, present.headers['deprecation']]).toEqual([200, undefined]);
  shop.close();
});

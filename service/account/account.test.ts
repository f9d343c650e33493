// Laws of the account: who belongs where, tokens by password, teams, profiles of environments.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { JSDOM, type PageElement } from 'jsdom';
import { dialectsInTurn, eachDialectInTurn } from '../../test/dialects-in-turn';
import { basic, type Caller, callerFor, callerOf, type Reply } from '../../test/service-caller';
import { type Shop, shopFor, record, named, recordChange } from '../../test/shop';
import { isPassword, sealPassword } from '../runtime/secrets';
import { createPasswordGate, delayAfter } from './profile';
import { eachFolder } from '../../test/folder';

const PASSWORD = 'correct horse battery staple';
const USERS = [
  { name: 'maria', token: 'token-of-maria', password: PASSWORD, organizations: ['acme'] },
  { name: 'otto', token: 'token-of-otto', organizations: ['acme'] },
] as const;

const signIn = (caller: Caller, username: string, password: string): Promise<Reply> =>
  caller.send('POST', '/account/profile/authentication_token', { user: { username, password } }, { authorization: '' });
const as = (token: string) => ({ authorization: basic(token) });

test('a password is sealed another way each time, and fits as it is typed whatever the keyboard', () => {
  const sealed = sealPassword('caf\u00e9 noir');
  expect(sealed).not.toBe(sealPassword('caf\u00e9 noir'));
  expect(sealed).not.toContain('noir');
  expect(isPassword(sealed, 'cafe\u0301 noir')).toBe(true);
  for (const wrong of ['', 'CAF\u00c9 NOIR', 'caf\u00e9 noir ', sealed]) expect(isPassword(sealed, wrong)).toBe(false);
});

const mariaAt =
  (caller: Caller) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    caller.send(method, path, body, as('token-of-maria'));

describe.each(dialectsInTurn(1))('%s: a token by password', (dialect) => {
  const caller: Caller = callerFor('each', dialect, undefined, { users: USERS });
  const maria = mariaAt(caller);
  const tokenFor = (username: string, password: string): Promise<Reply> => signIn(caller, username, password);
  const tokenOf = async (username: string): Promise<string> =>
    ((await tokenFor(username, PASSWORD)).body as { token: string }).token;

  test('is the same on every demand, and as good as the one that was given', async () => {
    const first = await tokenOf('maria');
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(await tokenOf('maria')).toBe(first);
    for (const token of [first, 'token-of-maria'])
      expect((await caller.send('GET', '/account/profile', undefined, as(token))).body).toMatchObject({
        username: 'maria',
      });
  });

  test('counts as a sign-in, which the profile shows; a refused one does not', async () => {
    const shown = async (): Promise<unknown> => (await maria('GET', '/account/profile')).body;
    expect(await shown()).toMatchObject({ sign_in_count: 0, current_sign_in_at: null });
    await tokenFor('maria', 'wrong');
    expect(await shown()).toMatchObject({ sign_in_count: 0, current_sign_in_at: null });
    await tokenFor('maria', PASSWORD);
    const at = new Date(caller.clock.now()).toISOString();
    expect(await shown()).toMatchObject({ sign_in_count: 1, current_sign_in_at: at });
  });

  test.each([
    ['a wrong password', 'maria', 'wrong'],
    ['an empty password', 'maria', ''],
    ['a user without a password', 'otto', ''],
    ['an unknown user', 'nobody', PASSWORD],
  ])('is not given for %s: 401 with the key error', async (_, username, password) => {
    expect(await tokenFor(username, password)).toMatchObject({ status: 401, body: { error: expect.any(String) } });
  });

  test('is lost on a reset, with every other one; the password gives another', async () => {
    const token = await tokenOf('maria');
    expect((await maria('PUT', '/account/profile/reset_authentication_token')).status).toBe(200);
    for (const lost of [token, 'token-of-maria'])
      expect(await caller.status('GET', '/account/profile', undefined, as(lost))).toBe(401);
    const next = await tokenOf('maria');
    expect(next).not.toBe(token);
    expect(await caller.status('GET', '/account/profile', undefined, as(next))).toBe(200);
  });

  test('cannot be reset by somebody who could not get another one', async () => {
    const reset = await caller.send('PUT', '/account/profile/reset_authentication_token', {}, as('token-of-otto'));
    expect(reset.status).toBe(422);
    expect(await caller.status('GET', '/account/profile', undefined, as('token-of-otto'))).toBe(200);
  });
});

eachDialectInTurn(0, (dialect, classic) => {
  // To seal a password takes longer than all of these tests.
  const caller: Caller = callerFor('each', dialect, undefined, {
    users: USERS.map(({ name, token, organizations }) => ({ name, token, organizations })),
  });
  const maria = mariaAt(caller);
  const names = async (send: Promise<Reply>): Promise<string[]> =>
    ((await send).body as { name: string }[]).map(({ name }) => name);

  describe('organizations', () => {
    test('are those of the user; who makes one belongs to it, and may leave it', async () => {
      expect((await maria('POST', '/account/organizations', { name: 'mine' })).body).toMatchObject({ name: 'mine' });
      expect(await names(maria('GET', '/account/organizations'))).toEqual(['acme', 'mine']);
      expect((await maria('GET', '/mine/assemblies')).body).toEqual([]);
      expect((await maria('GET', '/mine/organization/teams')).body).toMatchObject([{ name: 'admins', design: true }]);
      expect(await caller.status('GET', '/mine/assemblies', undefined, as('token-of-otto'))).toBe(classic ? 401 : 403);
      const left = await maria('DELETE', '/account/organizations/mine/leave');
      expect([left.status, left.text === '']).toEqual([200, !classic]);
      expect(await names(maria('GET', '/account/organizations'))).toEqual(['acme']);
    });

    test.each([['acme'], ['ACME'], ['1st'], [''], ['a b'], ['x'.repeat(33)]])('none can be called %j', async (name) => {
      expect((await maria('POST', '/account/organizations', { name })).status).toBe(422);
    });

    test('one with other administrators stays; else it goes with all it has', async () => {
      await maria('POST', '/account/organizations', { name: 'mine' });
      await maria('POST', '/mine/assemblies', record('shop', { owner: 'a@acme.io' }));
      expect(await caller.status('DELETE', '/account/organizations/mine')).toBe(422);
      expect((await maria('DELETE', '/account/organizations/mine')).status).toBe(200);
      expect((await maria('GET', '/account/organizations/mine')).status).toBe(404);
      await maria('POST', '/account/organizations', { name: 'mine' });
      expect((await maria('GET', '/mine/assemblies')).body).toEqual([]);
    });

    test('who belongs to all of them can leave none', async () => {
      expect(await caller.status('DELETE', '/account/organizations/acme/leave')).toBe(422);
    });

    test('the current one is that of the last request, or the one chosen', async () => {
      const current = async (): Promise<unknown> =>
        (await maria('GET', '/account/organizations/current_organization')).body;
      await maria('POST', '/account/organizations', { name: 'mine' });
      await maria('GET', '/mine/clouds');
      expect(await current()).toMatchObject({ name: 'mine' });
      await maria('PUT', '/account/profile/change_organization', { org_id: 'acme' });
      expect(await current()).toMatchObject({ name: 'acme' });
      expect((await maria('PUT', '/account/profile/change_organization', { org_id: 'theirs' })).status).toBe(404);
    });

    test('its record changes by name in full and attributes, checked', async () => {
      const put = (ci: object, fullName?: string): Promise<Reply> =>
        caller.send('PUT', '/acme/organization', { organization: { full_name: fullName, ci } });
      expect((await put({ ciAttributes: { owner: 'new@acme.io' } }, 'Acme Works')).body).toMatchObject({
        ciAttributes: { full_name: 'Acme Works', owner: 'new@acme.io' },
      });
      expect((await put({ ciAttributes: { owner: 'nobody' } })).status).toBe(422);
      expect((await put({ ciAttributes: { color: 'red' } })).status).toBe(422);
    });
  });

  describe('teams', () => {
    const team = (facts: object) => ({ team: facts });

    test('are rows with rights, changed by what is sent', async () => {
      const made = await caller.send('POST', '/acme/organization/teams', team({ name: 'builders', design: 'true' }));
      expect(made.body).toMatchObject({
        name: 'builders',
        design: true,
        transition: false,
        created_at: expect.any(String),
      });
      const { id } = made.body as { id: number };
      const put = await caller.send('PUT', `/acme/organization/teams/${id}`, team({ design: false, operations: true }));
      expect(put.body).toMatchObject({ design: false, operations: true });
      expect(await caller.status('POST', '/acme/organization/teams', team({ name: 'Builders' }))).toBe(422);
      expect(await caller.status('POST', '/acme/organization/teams', team({ name: 'x', design: 'yes' }))).toBe(400);
      expect(await caller.status('DELETE', `/acme/organization/teams/${id}`)).toBe(200);
      expect(await caller.status('GET', `/acme/organization/teams/${id}`)).toBe(404);
    });

    test('the administrators stay as they are', async () => {
      expect(await caller.status('PUT', '/acme/organization/teams/admins', team({ design: false }))).toBe(422);
      expect(await caller.status('DELETE', '/acme/organization/teams/admins')).toBe(422);
    });

    test('are attached to clouds: all of them, or those to add and to remove', async () => {
      const made = async (name: string): Promise<number> =>
        ((await caller.send('POST', '/acme/organization/teams', team({ name }))).body as { id: number }).id;
      const [one, two] = [await made('one'), await made('two')];
      const update = async (body: object): Promise<string[]> =>
        names(caller.send('PUT', '/acme/clouds/east/update_teams', body));
      expect(await update({ teams: [one, two] })).toEqual(['one', 'two']);
      expect(await update({ remove: [one] })).toEqual(['two']);
      expect(await update({ add: [one] })).toEqual(expect.arrayContaining(['one', 'two']));
      expect(await caller.status('PUT', '/acme/clouds/east/update_teams', { add: [1] })).toBe(422);
      await caller.send('DELETE', `/acme/organization/teams/${one}`);
      expect(await names(caller.send('GET', '/acme/clouds/east/teams'))).toEqual(['two']);
    });
  });

  test('a profile gives a new environment its attributes', async () => {
    const sent = record('strict', { availability: 'redundant', dpmtdelay: '30' });
    await caller.send('POST', '/acme/organization/environments', sent);
    await caller.send('POST', '/acme/assemblies', record('shop', { owner: 'a@acme.io' }));
    const design = '/acme/assemblies/shop/design';
    await caller.send('POST', `${design}/variables`, named('v', { value: 'x' }));
    const template = '/acme/assemblies/shop/transition/environments/new';
    if (classic) {
      expect(await caller.status('GET', template)).toBe(422);
      const { releaseId } = (await caller.send('GET', `${design}/releases/latest`)).body as { releaseId: number };
      await caller.send('POST', `${design}/releases/${releaseId}/commit`, {});
    }
    expect((await caller.send('GET', template)).body).toMatchObject({ ciAttributes: { dpmtdelay: '60', profile: '' } });
    expect((await caller.send('GET', `${template}?profile_id=strict`)).body).toMatchObject({
      ciAttributes: { availability: 'redundant', dpmtdelay: '30', profile: 'strict', adminstatus: 'preparation' },
    });
    expect(await caller.status('GET', `${template}?profile_id=none`)).toBe(404);
  });
});

const folder = eachFolder();

test('neither passwords nor tokens handed out for them are in the file, and they outlive a restart', async () => {
  const database = join(folder.path, 'oneops.db');
  const before = callerOf('classic', { database, users: USERS });
  const { token } = (await signIn(before, 'maria', PASSWORD)).body as { token: string };
  before.close();
  const content = readdirSync(folder.path)
    .map((name) => readFileSync(join(folder.path, name)).toString('latin1'))
    .join('');
  expect(content).toContain('maria');
  expect(content).not.toContain(PASSWORD);
  expect(content).not.toContain(token);
  const after = callerOf('classic', { database, users: USERS });
  expect(await after.status('GET', '/account/profile', undefined, as(token))).toBe(200);
  after.close();
  const changed = callerOf('classic', { database, users: [{ ...USERS[0], password: 'another' }] });
  expect(await changed.status('GET', '/account/profile', undefined, as(token))).toBe(401);
  changed.close();
});

test('readers and members belong to the organizations that were there when they were added, also after a restart', async () => {
  const database = join(folder.path, 'oneops.db');
  const users = [
    { name: 'eve', token: 'token-of-eve', rights: 'read' },
    { name: 'tom', token: 'token-of-tom', teams: ['ops'] },
  ] as const;
  for (const run of ['first', 'second']) {
    const caller = callerOf('documented', { database, users });
    if (run === 'first') expect(await caller.status('POST', '/account/organizations', { name: 'later' })).toBe(200);
    expect(await caller.status('GET', '/later/assemblies')).toBe(200);
    for (const { token } of users) {
      expect(await caller.status('GET', '/acme/assemblies', undefined, as(token))).toBe(200);
      expect(await caller.status('GET', '/later/assemblies', undefined, as(token))).toBe(403);
    }
    caller.close();
  }
});

// What teams allow, as the table of service-facts §5.3 has it, in both dialects.

const TEAM = 'builders';
const TOKEN = 'token-of-member';
const SHOP = '/acme/assemblies/shop';
const CLOUD = '/acme/clouds/east';

eachDialectInTurn(1, (dialect, classic) => {
  const FORBIDDEN = classic ? 401 : 403;
  let id: number;
  let compute: number;
  const shop: Shop = shopFor(
    'all',
    dialect,
    async () => {
      await shop.build({ web: {} }, { east: '1' });
      const { ciId } = await shop.show('/platforms/web/components/compute');
      compute = ciId;
      id = (await shop.ok<{ id: number }>(shop.send('POST', '/acme/organization/teams', { team: { name: TEAM } }))).id;
    },
    { users: [{ name: 'member', token: TOKEN, organizations: ['acme'], teams: [TEAM] }] },
  );

  const NONE = {
    design: false,
    transition: false,
    operations: false,
    org_scope: false,
    manages_access: false,
    cloud_services: false,
    cloud_support: false,
  };
  /** The team gives exactly these rights, and is attached to shop and east, or not. */
  const give = async (rights: object, attached: boolean): Promise<void> => {
    await shop.ok(shop.send('PUT', `/acme/organization/teams/${id}`, { team: { ...NONE, ...rights } }));
    for (const place of [SHOP, CLOUD])
      await shop.ok(shop.send('PUT', `${place}/update_teams`, attached ? { teams: [id] } : { remove: [id] }));
  };
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
    shop.send(method, path, body, { authorization: basic(TOKEN) });
  const component = classic ? '/components/compute' : '/components';
  const resize = named('compute', { size: 'M' });
  const instances = { ids: [], state: 'replace' };

  /** Requests by the right that allows them on what the team is attached to. */
  const REQUESTS: readonly (readonly [string, string, () => Promise<Reply>])[] = [
    ['design', 'PUT design', () => ask('PUT', `${SHOP}/design/platforms/web${component}`, resize)],
    ['transition', 'PUT transition', () => ask('PUT', shop.at('prod', '/platforms/web/components/compute'), resize)],
    ['transition', 'POST commit', () => ask('POST', shop.at('prod', '/commit'), {})],
    ['transition', 'GET or PUT toggle', () => ask(classic ? 'GET' : 'PUT', shop.at('prod', '/platforms/web/toggle'))],
    ['operations', 'PUT instances', () => ask('PUT', `${SHOP}/operations/instances/state`, instances)],
    [
      'operations',
      'POST procedures',
      () => ask('POST', '/acme/operations/procedures', { cms_procedure: { ciId: String(compute), definition: '{}' } }),
    ],
    ['design', 'PUT assembly', () => ask('PUT', SHOP, { cms_ci: { comments: 'x', ciAttributes: {} } })],
    ['manages_access', 'PUT assembly', () => ask('PUT', SHOP, { cms_ci: { comments: 'y', ciAttributes: {} } })],
    ['manages_access', 'update_teams', () => ask('PUT', `${SHOP}/update_teams`, { teams: [id] })],
    ['manages_access', 'POST assemblies', () => ask('POST', '/acme/assemblies', recordChange({}))],
    ['manages_access', 'PUT cloud', () => ask('PUT', CLOUD, recordChange({}))],
    ['cloud_services', 'POST variable', () => ask('POST', `${CLOUD}/variables`, recordChange({}))],
    ['cloud_support', 'POST support', () => ask('POST', `${CLOUD}/supports`, recordChange({}))],
    ['cloud_support', 'GET instances', () => ask('GET', `${CLOUD}/instances?instances_state=all`)],
  ];
  const RIGHTS = [...new Set(REQUESTS.map(([right]) => right))];

  test.each(RIGHTS)('%s allows what it is for, and nothing else', async (right) => {
    await give({ [right]: true }, true);
    const allowed = new Set(REQUESTS.filter(([needs]) => needs === right).map(([, says]) => says));
    const wrong: string[] = [];
    for (const [, says, send] of REQUESTS) {
      const { status, text } = await send();
      if ((status !== FORBIDDEN) !== allowed.has(says)) wrong.push(`${says}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  test('without being attached a team reaches nothing, unless it has the whole organization', async () => {
    await give({ design: true, transition: true, cloud_services: true }, false);
    expect((await ask('GET', '/acme/assemblies')).body).toEqual([]);
    for (const path of [SHOP, `${SHOP}/design/platforms`, shop.at('prod'), `/l/ci/${compute}`])
      expect([path, (await ask('GET', path)).status]).toEqual([path, FORBIDDEN]);
    expect((await ask('PUT', `${SHOP}/design/platforms/web${component}`, resize)).status).toBe(FORBIDDEN);
    expect((await ask('GET', '/acme/clouds')).status).toBe(200);
    await give({ design: true, org_scope: true }, false);
    expect((await ask('GET', '/acme/assemblies')).body).toMatchObject([{ ciName: 'shop' }]);
    for (const path of [SHOP, `${SHOP}/design/platforms`, shop.at('prod'), `/l/ci/${compute}`])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    expect((await ask('PUT', `${SHOP}/design/platforms/web${component}`, resize)).status).toBe(200);
  });

  test('clouds, teams and the organization are for administrators', async () => {
    await give({ design: true, transition: true, org_scope: true, manages_access: true, cloud_services: true }, true);
    for (const [method, path] of [
      ['POST', '/acme/clouds'],
      ['PUT', '/acme/organization'],
      ['POST', '/acme/organization/teams'],
    ] as const)
      expect([path, (await ask(method, path, {})).status]).toEqual([path, FORBIDDEN]);
  });
});

// Laws of trying passwords: who guesses waits longer each time and holds up nobody else.

const PATH = '/account/profile/authentication_token';
const user = (username: string, password: string): object => ({ user: { username, password } });
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each failure doubles the delay, up to a limit; a success ends it', async () => {
  expect([0, 1, 2, 3, 6, 7, 2000].map(delayAfter)).toEqual([0, 250, 500, 1000, 8000, 8000, 8000]);
  const waits: number[] = [];
  const gate = createPasswordGate(async (ms) => void waits.push(ms));
  const attempt = (found: string | undefined): Promise<unknown> => gate.run('ann', () => Promise.resolve(found));
  for (const found of [undefined, undefined, 'token', 'token', undefined, 'token']) await attempt(found);
  expect(waits).toEqual([250, 500, 250]);
});

test('checks run two at a time, those of one name one after another, and no more wait than a few', async () => {
  const gate = createPasswordGate(async () => undefined);
  const running = new Set<string>();
  const ends: (() => void)[] = [];
  let most = 0;
  const check = (name: string) => async (): Promise<string | undefined> => {
    expect(running.has(name)).toBe(false);
    running.add(name);
    most = Math.max(most, running.size);
    await new Promise<void>((resolve) => ends.push(resolve));
    running.delete(name);
    return undefined;
  };
  const names = [
    ...Array.from({ length: 10 }, () => 'ann'),
    ...Array.from({ length: 60 }, (_, index) => `user${index}`),
  ];
  const found = names.map((name) => gate.run(name, check(name)));
  const settled = Promise.all(found);
  let isDone = false;
  void settled.then(() => (isDone = true));
  while (!isDone) {
    ends.splice(0).forEach((end) => end());
    await nextTurn();
  }
  const outcomes = await settled;
  expect(most).toBe(2);
  expect(outcomes.slice(0, 10).filter((each) => each === 'busy')).toHaveLength(6);
  expect(outcomes.filter((each) => each !== 'busy')).toHaveLength(32);
  expect(await gate.run('ann', async () => 'token')).toBe('token');
});

test('guessers wait, others are served meanwhile, and the right password still gets its token', async () => {
  const waiting: (() => void)[] = [];
  const waits: number[] = [];
  const caller = callerOf('documented', {
    users: [{ name: 'ann', token: 'token-of-ann', password: 'right' }],
    wait: (ms) => {
      waits.push(ms);
      return new Promise((resolve) => waiting.push(resolve));
    },
  });
  expect(await caller.status('POST', PATH, user('ann', 'wrong'))).toBe(401);
  const guesses = Array.from({ length: 16 }, () => caller.send('POST', PATH, user('ann', 'wrong')));
  // All sixteen are there; none is answered before others were served.
  expect(await caller.status('GET', '/acme/clouds')).toBe(200);
  let left = guesses.length;
  guesses.forEach((guess) => void guess.then(() => (left -= 1)));
  while (left > 0) {
    waiting.splice(0).forEach((go) => go());
    await nextTurn();
  }
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(12);
  expect(waits).toEqual([250, 500, 1000, 2000]);
  const right = caller.send('POST', PATH, user('ann', 'right'));
  while (waiting.length === 0) await nextTurn();
  waiting.splice(0).forEach((go) => go());
  expect(await right).toMatchObject({ status: 200, body: { token: expect.any(String) } });
  // A user that does not exist is tried as one that does.
  expect(await caller.status('POST', PATH, user('nobody', 'x'))).toBe(401);
  expect(caller.bugs).toEqual([]);
  caller.close();
});

// The page on which a person gets a token: its script runs, and nothing else may run in it.
describe('token page', () => {
  const PASSWORD = 'correct horse battery staple';
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', authorization: '', 'sec-fetch-site': 'none' };
  const PATH = '/account/profile';
  const HOST = '127.0.0.1:1';

  describe.each(dialectsInTurn(0))('%s', (dialect) => {
    const caller: Caller = callerFor('each', dialect, undefined, {
      users: [{ name: 'maria', token: 'token-of-maria', password: PASSWORD }],
    });

    /** Presses a button in a browser; answers the token that the page then shows, and what it says. */
    const pressed = async (button: string, password = PASSWORD): Promise<readonly [token: string, said: string]> => {
      const { text } = await caller.send('GET', PATH, undefined, BROWSER);
      let underWay = 0;
      const fetch = async (path: string, { method, headers, body }: RequestInit): Promise<Response> => {
        underWay += 1;
        const own = { authorization: '', origin: `http://${HOST}`, host: HOST, 'sec-fetch-site': 'same-origin' };
        const answer = await caller.send(method ?? '', path, body as string, { ...own, ...(headers as typeof own) });
        underWay -= 1;
        return new Response(answer.text, { status: answer.status });
      };
      const page = new JSDOM(text, {
        runScripts: 'dangerously',
        beforeParse: (window) => Object.assign(window, { fetch }),
      });
      const field = (id: string): PageElement => page.window.document.querySelector(`#${id}`)!;
      field('username').value = 'maria';
      field('password').value = password;
      field(button).click();
      for (let turns = 0; turns < 3; turns = underWay === 0 ? turns + 1 : 0) await new Promise(setImmediate);
      return [field('token').textContent, field('outcome').textContent];
    };
    const statusWith = async (token: string): Promise<number> =>
      await caller.status('GET', PATH, undefined, { authorization: basic(token) });

    test('shows the token of who knows the password, and nothing to anybody else', async () => {
      const [token] = await pressed('show');
      expect(await statusWith(token)).toBe(200);
      expect(await pressed('show', 'wrong')).toEqual(['', expect.stringContaining('not valid')]);
    });

    test('renews it: the tokens so far are invalid, the new one is shown', async () => {
      const [before] = await pressed('show');
      const [after] = await pressed('renew');
      expect(after).not.toBe(before);
      expect(await Promise.all([before, 'token-of-maria', after].map(statusWith))).toEqual([401, 401, 200]);
    });

    test('runs its own script and style only, is in no frame, and holds nothing of anybody', async () => {
      const { status, headers, text } = await caller.send('GET', PATH, undefined, BROWSER);
      const policy = headers['content-security-policy'] ?? '';
      for (const [tag, directive] of [
        ['script', 'script-src'],
        ['style', 'style-src'],
      ] as const) {
        const inner = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(text)?.[1] ?? '';
        const hash = createHash('sha256').update(inner, 'utf8').digest('base64');
        expect(policy).toContain(`${directive} 'sha256-${hash}';`);
      }
      expect(policy).toMatch(/^default-src 'none'; .*form-action 'none'; frame-ancestors 'none'$/);
      expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
      expect(headers['cache-control']).toContain('no-store');
      expect(text).not.toMatch(/maria|https?:|localStorage|cookie/);
    });

    test('is for people alone: other clients, other sites and other hosts get what they got', async () => {
      const status = async (headers: { readonly [name: string]: string }): Promise<number> =>
        await caller.status('GET', PATH, undefined, { ...BROWSER, ...headers });
      expect(await status({ accept: 'application/json' })).toBe(401);
      expect(await status({ authorization: basic('wrong'), accept: 'application/json' })).toBe(401);
      expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
      expect(await status({ origin: 'https://evil.example' })).toBe(403);
      expect(await status({ host: 'evil.example' })).toBe(403);
    });
  });
});

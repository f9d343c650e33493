// Laws of the service as a whole: what outlives it, what its file does not hold, what one organization keeps from another.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allRoutes, DIALECTS, methodIn, pathIn, voices } from '../api/contract';
import { ADMIN_TOKEN, callerOf } from '../test/service-caller';
import { openStore } from './store';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-service-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const shop = { cms_ci: { ciName: 'shop', ciAttributes: { owner: 'maria@acme.io' } } };
const A = '/acme/assemblies/shop';

test('what was acknowledged is there after a restart, users too, and the seed is not sown twice', async () => {
  const database = join(folder, 'oneops.db');
  const before = callerOf('classic', { database });
  await before.send('POST', '/acme/assemblies', shop);
  await before.send('POST', `${A}/design/variables`, {
    cms_dj_ci: { ciName: 'region', ciAttributes: { value: 'east' } },
  });
  const variables = (await before.send('GET', `${A}/design/variables`)).text;
  const clouds = (await before.send('GET', '/acme/clouds')).text;
  before.close();
  const after = callerOf('classic', { database, users: [] });
  expect((await after.send('GET', `${A}/design/variables`)).text).toBe(variables);
  expect((await after.send('GET', '/acme/clouds')).text).toBe(clouds);
  after.close();
});

test('neither tokens nor secrets stand in the file', async () => {
  const database = join(folder, 'oneops.db');
  const caller = callerOf('documented', { database });
  await caller.send('POST', '/acme/assemblies', shop);
  const secret = {
    cms_dj_ci: { ciName: 'key', ciAttributes: { secure: 'true', encrypted_value: 'canary-of-a-secret' } },
  };
  expect((await caller.send('POST', `${A}/design/variables`, secret)).status).toBe(200);
  caller.close();
  const content = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('');
  expect(content).toContain('maria@acme.io');
  expect(content).not.toContain('canary-of-a-secret');
  expect(content).not.toContain(ADMIN_TOKEN);
});

test.each(DIALECTS)('%s: a record of another organization is not handed out by its number', async (dialect) => {
  const database = join(folder, 'oneops.db');
  callerOf(dialect, { database }).close();
  const store = openStore(database);
  const foreign = store.transaction(() => {
    const author = { user: 'other', now: 1 };
    const values = { owner: 'other@other.io' };
    store.records.insert({ namespace: '/', className: 'account.Organization', name: 'other', values }, author);
    return store.records.insert({ namespace: '/other', className: 'account.Assembly', name: 'theirs', values }, author);
  });
  store.close();
  const caller = callerOf(dialect, { database });
  const classic = dialect === 'classic';
  expect((await caller.send('GET', `/acme/assemblies/${foreign.id}`)).status).toBe(classic ? 500 : 404);
  const write = await caller.send('PUT', `/acme/assemblies/${foreign.id}`, { cms_ci: { comments: 'x' } });
  expect(write.status).toBe(classic ? 422 : 404);
  expect((await caller.send('GET', `/other/assemblies/${foreign.id}`)).body).toMatchObject({
    ciName: 'theirs',
    comments: null,
  });
  expect(caller.bugs).toEqual([]);
  caller.close();
});

/** Routes of the contract that the service does not serve, each with its reason. */
const NOT_SERVED: { readonly [route: string]: string } = {
  'deployments.createFromCommitted':
    'deployments.create serves both: they share an address, and the body tells them apart',
};

test.each(DIALECTS)('%s: every route of the contract is served, or excused', async (dialect) => {
  const caller = callerOf(dialect);
  const missing: string[] = [];
  for (const route of allRoutes) {
    const path = pathIn(dialect, route)
      .replaceAll('{organization}', 'acme')
      .replaceAll(/\{[^}]+\}/g, '1');
    await caller.send(methodIn(voices[dialect], route), path, route.method === 'GET' ? undefined : {});
    if (caller.service.journal().at(-1)?.route !== route.name) missing.push(route.name);
  }
  expect(missing).toEqual(Object.keys(NOT_SERVED));
  expect(caller.bugs).toEqual([]);
  caller.close();
});

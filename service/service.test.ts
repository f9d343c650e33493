// Laws of the service as a whole: what outlives it, and who its users are.
import { join } from 'node:path';
import { DIALECTS, dialectRules } from '../api/contract';
import { ADMIN_TOKEN, basic, callerOf } from '../test/service-caller';
import { fastClock } from './runtime/clock';
import { openStore } from './store';
import { eachFolder } from '../test/folder';
import { record, named } from '../test/shop';

const folder = eachFolder();

const shop = record('shop', { owner: 'maria@acme.io' });
const A = '/acme/assemblies/shop';

test('time continues from the newest thing in the file, after a service that ran faster than real time', async () => {
  const database = join(folder.path, 'oneops.db');
  const before = callerOf('classic', { database });
  await before.send('POST', '/acme/assemblies', shop);
  before.clock.advance(365 * 24 * 3_600_000);
  const variable = (ciName: string): object => named(ciName, { value: 'east' });
  await before.send('POST', `${A}/design/variables`, variable('region'));
  const latest = `${A}/design/releases/latest`;
  const old = (await before.send('GET', latest)).body as { releaseId: number; created: number };
  await before.send('POST', `${A}/design/releases/${old.releaseId}/commit`, {});
  before.close();
  const after = callerOf('classic', { database });
  await after.send('POST', `${A}/design/variables`, variable('zone'));
  const young = (await after.send('GET', latest)).body as typeof old;
  expect([young.releaseId > old.releaseId, young.created > old.created]).toEqual([true, true]);
  after.close();
});

test.each(DIALECTS)('%s: the profile is the row of the user, with dates', async (dialect) => {
  const caller = callerOf(dialect, { users: [{ name: 'maria@acme.io', token: 'token-of-maria' }] });
  const profile = async (token: string): Promise<unknown> =>
    (await caller.send('GET', '/account/profile', undefined, { authorization: basic(token) })).body;
  const iso = expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/);
  const row = { username: 'admin', email: 'admin@localhost', created_at: iso, updated_at: iso, eula_accepted_at: iso };
  expect(await profile(ADMIN_TOKEN)).toMatchObject(row);
  expect(await profile('token-of-maria')).toMatchObject({ username: 'maria@acme.io', email: 'maria@acme.io' });
  expect(Object.keys((await profile(ADMIN_TOKEN)) as object).includes('rights')).toBe(dialect === 'documented');
  caller.close();
});

test.each(DIALECTS)('%s: who has the rights of a team has no more after making an organization', async (dialect) => {
  const tom = { name: 'tom', token: 'token-of-tom', organizations: ['acme'], teams: ['ops'] };
  const caller = callerOf(dialect, { users: [tom] });
  const as = { authorization: basic(tom.token) };
  const create = async (): Promise<number> => await caller.status('POST', '/acme/assemblies', shop, as);
  const forbidden = dialectRules[dialect].forbiddenStatus;
  expect(await create()).toBe(forbidden);
  expect(await caller.status('POST', '/account/organizations', { name: 'toms' }, as)).toBe(200);
  expect(await create()).toBe(forbidden);
  caller.close();
});

test('a faster service does its work sooner, and has the time of this machine', () => {
  const before = Date.now();
  const { now, speed } = fastClock(20);
  expect(now()).toBeGreaterThanOrEqual(before);
  expect(now()).toBeLessThanOrEqual(Date.now());
  const store = openStore(':memory:', speed);
  expect(store.jobs.end(1000, 3000)).toBe(1150);
  store.close();
});

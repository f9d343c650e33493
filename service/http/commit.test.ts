// Laws of the shared commit: who writes at the same time is answered together, from the disk.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, dialectRules, DIALECTS, routes } from '../../api/contract';
import { ADMIN_TOKEN, basic, callerOf } from '../../test/service-caller';
import { loadCatalogue } from '../catalogue';
import { manualClock } from '../runtime/clock';
import { handlersOf, refused } from '../runtime/handler';
import { seed } from '../service';
import { createCommit } from '../runtime/work';
import { createHandle } from './handle';
import { createFaults } from '../faults';
import { DamagedDatabase, openStore, StorageFull } from '../store';
import { createJournal } from './journal';
import { createRouter } from './router';
import { eachFolder } from '../../test/folder';
import { record } from '../../test/shop';

const folder = eachFolder();

const named = (ciName: string) => record(ciName, { owner: 'maria@acme.io' });

/** Names of the assemblies a kill at this moment would leave. */
function onDisk(file: string): string[] {
  const left = join(folder.path, 'left.db');
  for (const end of ['', '-wal', '-shm', '-lock', '-key']) rmSync(`${left}${end}`, { force: true });
  for (const end of ['', '-wal', '-key']) copyFileSync(`${file}${end}`, `${left}${end}`);
  const store = openStore(left);
  const names = store.records.list({ namespace: '/acme', className: 'account.Assembly' }).map(({ name }) => name);
  store.close();
  return names;
}

test('writers at the same time: each is on the disk when it is answered, one that is refused affects no other', async () => {
  const file = join(folder.path, 'oneops.db');
  const caller = callerOf('documented', { database: file });
  const names = ['a', 'b', 'c', 'b', 'd', 'not a name', 'e'];
  const found: { readonly [name: string]: boolean }[] = [];
  const create = async (name: string): Promise<number> => {
    const reply = await caller.send('POST', '/acme/assemblies', named(name));
    if (reply.status === 200) found.push({ [name]: onDisk(file).includes(name) });
    return reply.status;
  };
  expect(await Promise.all(names.map(create))).toEqual([200, 200, 200, 422, 200, 422, 200]);
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => ({ [name]: true })));
  expect(onDisk(file)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(caller.bugs).toEqual([]);
  caller.close();
});

test('who reads what is not on the disk yet is answered when it is', async () => {
  const file = join(folder.path, 'oneops.db');
  const caller = callerOf('documented', { database: file });
  const written = caller.send('POST', '/acme/assemblies', named('shop'));
  const read = await caller.send('GET', '/acme/assemblies/shop');
  expect(read.status).toBe(200);
  expect(onDisk(file)).toEqual(['shop']);
  expect((await written).status).toBe(200);
  caller.close();
});

/** Handling whose only route adds a record of the name in the body, then fails by that name. */
function adding(settle?: () => void, dialect: Dialect = 'documented') {
  const store = openStore(':memory:');
  const catalogue = loadCatalogue();
  const clock = manualClock();
  store.transaction(() => {
    seed(store, catalogue, clock.now());
    store.users.put({ name: 'admin' });
    store.users.setTokens([{ name: 'admin', token: ADMIN_TOKEN }]);
  });
  const bugs: unknown[] = [];
  const place = { namespace: '/acme', className: 'account.Assembly' };
  const bug = (error: unknown): unknown => bugs.push(error);
  const handle = createHandle({
    store,
    onDisk: createCommit(() => (settle?.(), store.settle()), bug),
    work: () => undefined,
    catalogue,
    clock,
    dialect,
    rules: dialectRules[dialect],
    router: createRouter([routes.assemblies.create], dialect),
    handlers: handlersOf(routes.assemblies, {
      create: (context) => {
        const name = context.body.cms_ci.ciName ?? '';
        context.store.records.insert({ ...place, name, values: {} }, context);
        if (name === 'bad') throw refused('no');
        if (name === 'full') throw new StorageFull();
        if (name === 'damaged') throw new DamagedDatabase('a page is damaged');
        return undefined;
      },
    }),
    preparations: {},
    journal: createJournal(),
    faults: createFaults(),
    wait: () => Promise.resolve(),
    bug,
  });
  const send = async (name: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    const headers = {
      authorization: basic(ADMIN_TOKEN),
      accept: 'application/json',
      'content-type': 'application/json',
    };
    const body = JSON.stringify(named(name));
    const answer = await handle({ method: 'POST', path: '/acme/assemblies', headers, body });
    if (!('body' in answer)) throw new Error('no answer');
    return { status: answer.status, body: answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown) };
  };
  const create = async (name: string): Promise<number> => (await send(name)).status;
  return { store, bugs, send, create, names: () => store.records.list(place).map(({ name }) => name) };
}

test.each([0, 1, 2])('one that fails halfway, number %i of three, takes back what it wrote alone', async (at) => {
  const { store, create, names } = adding();
  const sent = [...['a', 'b'].slice(0, at), 'bad', ...['a', 'b'].slice(at)];
  expect(await Promise.all(sent.map(create))).toEqual(sent.map((name) => (name === 'bad' ? 422 : 200)));
  expect(names()).toEqual(['a', 'b']);
  store.close();
});

test('a commit that fails: everybody who waits hears so, it is reported once, and the next one is another', async () => {
  let isFull = true;
  const { store, bugs, create } = adding(() => {
    if (isFull) throw new Error('the disk is full');
  });
  expect(await Promise.all(['a', 'bad', 'b'].map(create))).toEqual([500, 500, 500]);
  expect(bugs).toEqual([new Error('the disk is full')]);
  isFull = false;
  expect(await create('c')).toBe(200);
  expect(bugs).toHaveLength(1);
  store.close();
});

test.each(DIALECTS)('a full disk answers 507 with what to do, in a write and in the commit: %s', async (dialect) => {
  let isFull = false;
  const { store, send, create, names } = adding(() => {
    if (isFull) throw new StorageFull();
  }, dialect);
  const full = {
    status: 507,
    body: {
      errors: [expect.stringMatching(/^the disk with the database .* is full: .* Free space on that disk, then send/)],
    },
  };
  expect(await Promise.all([send('full'), create('a')])).toEqual([full, 200]);
  expect(names()).toEqual(['a']);
  isFull = true;
  expect(await Promise.all([send('b'), send('c')])).toEqual([full, full]);
  isFull = false;
  expect(await create('d')).toBe(200);
  store.close();
});

test('a database that turns out to be damaged answers 500 with what to do', async () => {
  const { store, send } = adding();
  expect(await send('damaged')).toEqual({
    status: 500,
    body: { code: 500, exception: expect.stringMatching(/^the database is damaged \(a page is damaged\): put a copy/) },
  });
  store.close();
});

test('waits for who is here already, and commits once for all of them', async () => {
  let settled = 0;
  const onDiskOnce = createCommit(
    () => (settled += 1),
    () => undefined,
  );
  const first = onDiskOnce();
  expect(onDiskOnce()).toBe(first);
  expect(settled).toBe(0);
  expect(await first).toBeUndefined();
  expect(settled).toBe(1);
  expect(await onDiskOnce()).toBeUndefined();
  expect(settled).toBe(2);
});

// Laws of the store: what is addressed how, what a rollback undoes, what outlives the process.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachFolder } from '../../test/folder';
import { openStore, stage, UnknownRow, type Store } from '.';
import { openDatabase } from './database';
import { advance } from '../runtime/work';

const maria = { user: 'maria', now: 1000 };

const folder = eachFolder();

function inMemory(work: (store: Store) => void): void {
  const store = openStore(':memory:');
  try {
    work(store);
  } finally {
    store.close();
  }
}

const thing = (namespace: string, name: string) => ({ namespace, className: 'x.Thing', name, values: {} });

test('a namespace covers what is under it and nothing that only begins like it', () =>
  inMemory((store) => {
    const names = [
      '/acme/shop',
      '/acme/shop/prod',
      '/acme/shop/prod/bom/web/1',
      '/acme/shop-2',
      '/acme/shop0',
      '/acme/shopping/x',
    ];
    store.transaction(() => names.forEach((namespace) => store.records.insert(thing(namespace, 'a'), maria)));
    const found = (): string[] => store.records.list({ below: '/acme/shop' }).map((record) => record.namespace);
    expect(found()).toEqual(names.slice(0, 3));
    store.transaction(() => store.removeNamespace('/acme/shop'));
    expect(found()).toEqual([]);
    expect(store.records.list({ below: '/acme' }).map((record) => record.namespace)).toEqual(names.slice(3));
  }));

test('names are found exactly, or in any case when asked so', () =>
  inMemory((store) => {
    store.transaction(() => store.records.insert(thing('/acme', 'Shop'), maria));
    expect(store.records.byName('/acme', 'x.Thing', 'Shop')?.name).toBe('Shop');
    expect(store.records.byName('/acme', 'x.Thing', 'shop')).toBeUndefined();
    expect(store.records.exists({ namespace: '/acme', nameInAnyCase: 'sHOP' })).toBe(true);
    expect(store.records.exists({ namespace: '/acme', name: 'shop' })).toBe(false);
  }));

test('a removed namespace removes relations from elsewhere, open changes and jobs, too', () =>
  inMemory((store) => {
    store.transaction(() => {
      const cloud = store.records.insert(thing('/acme/_clouds', 'east'), maria);
      const environment = store.records.insert(thing('/acme/shop/prod', 'x'), maria);
      store.relations.insert(
        { namespace: '/acme/shop', name: 'x.Uses', fromId: environment.id, toId: cloud.id },
        maria,
      );
      stage(store, '/acme/shop/prod/manifest', maria).add(thing('/acme/shop/prod/manifest', 'y'));
      store.jobs.add({ name: 'late', due: 5, subject: environment.id, payload: null });
      store.removeNamespace('/acme/shop/prod');
      expect(store.relations.to(cloud.id)).toEqual([]);
      expect(store.records.list({ below: '/acme/shop' })).toEqual([]);
      expect(store.releases.open('/acme/shop/prod/manifest')).toBeUndefined();
      expect(store.jobs.next(10, ['late'])).toBeUndefined();
    });
  }));

test('works that join wait for one commit; one that throws takes back its numbers, and after a crash none is given twice', () => {
  const file = join(folder.path, 'joined.db');
  const store = openStore(file);
  const add = (name: string): number => store.join(() => store.records.insert(thing('/acme', name), maria).id);
  const failing = (): void =>
    store.join(() => {
      store.records.insert(thing('/acme/new', 'x'), maria);
      throw new Error('stop');
    });
  add('a');
  const first = add('b');
  expect(failing).toThrow('stop');
  const last = add('c');
  expect(last).toBe(first + 1);
  expect(() => store.transaction(() => undefined)).toThrow('under way');
  store.settle();
  // As after a crash: the file with its log, while it is open.
  const left = join(folder.path, 'left.db');
  for (const end of ['', '-wal', '-key']) copyFileSync(`${file}${end}`, `${left}${end}`);
  const after = openStore(left);
  expect(after.records.list({ below: '/acme' }).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(after.transaction(() => after.records.insert(thing('/acme', 'd'), maria)).id).toBeGreaterThan(last);
  after.close();
  store.close();
});

test('a close whose commit fails gives the file back, and who waits for the disk hears of it', () => {
  const file = join(folder.path, 'failing.db');
  const store = openStore(file);
  const other = openDatabase(file);
  other.script('DROP TABLE sequence');
  other.close();
  store.join(() => store.records.insert(thing('/acme', 'a'), maria));
  expect(store.isPending()).toBe(true);
  expect(() => store.close()).toThrow('sequence');
  expect(() => store.settle()).toThrow('when it was closed');
  const tables = openDatabase(file);
  expect(tables.all('SELECT name FROM records')).toEqual([]);
  tables.close();
  expect(() => openStore(file)).toThrow('sequence');
});

test('a patch that changes nothing stamps nothing; a write to nothing is a mistake', () =>
  inMemory((store) =>
    store.transaction(() => {
      const record = store.records.insert({ ...thing('/acme', 'a'), values: { size: 'S' }, comments: '' }, maria);
      const later = { user: 'paul', now: 2000 };
      expect(store.records.update(record.id, { values: { size: 'S' }, comments: '' }, later)).toEqual(record);
      expect(store.records.update(record.id, { comments: 'x' }, later)).toMatchObject({
        updated: 2000,
        updatedBy: 'paul',
      });
      expect(() => store.records.update(1, {}, later)).toThrow(UnknownRow);
      expect(() => store.relations.update(1, {}, later)).toThrow(UnknownRow);
      expect(() => store.deployments.update(1, {})).toThrow(UnknownRow);
    }),
  ));

describe('timed work', () => {
  test('what is due is carried out in order of due time, with that time, and what it adds too', () =>
    inMemory((store) => {
      store.transaction(() => {
        store.jobs.add({ name: 'step', due: 30, subject: 1, payload: 'third' });
        store.jobs.add({ name: 'step', due: 10, subject: 1, payload: 'first' });
        store.jobs.add({ name: 'step', due: 99, subject: 1, payload: 'later' });
        store.jobs.add({ name: 'unknown', due: 1, subject: 1, payload: null });
      });
      const seen: unknown[] = [];
      const isMoreDue = advance(
        store,
        50,
        {
          step: ({ now, job }) => {
            seen.push([now, job.payload]);
            if (job.payload === 'first') store.jobs.add({ name: 'step', due: now + 5, subject: 1, payload: 'second' });
          },
        },
        () => undefined,
      );
      expect(seen).toEqual([
        [10, 'first'],
        [15, 'second'],
        [30, 'third'],
      ]);
      expect(isMoreDue).toBe(false);
      expect(store.jobs.next(50, ['unknown'])).toMatchObject({ due: 1 });
    }));

  test('a job that throws leaves nothing behind, is reported, and keeps nobody waiting', () =>
    inMemory((store) => {
      store.transaction(() => {
        store.jobs.add({ name: 'bad', due: 1, subject: 1, payload: null });
        store.jobs.add({ name: 'good', due: 2, subject: 1, payload: null });
      });
      const failures: unknown[] = [];
      let done = 0;
      const bad = (): void => {
        store.records.insert(thing('/acme', 'half'), maria);
        throw new Error('stop');
      };
      advance(store, 5, { bad, good: () => void (done += 1) }, (error) => failures.push(error));
      expect([failures.length, done]).toEqual([1, 1]);
      expect(store.records.list({ below: '/acme' })).toEqual([]);
      expect(store.jobs.next(5, ['bad'])).toBeUndefined();
    }));
});

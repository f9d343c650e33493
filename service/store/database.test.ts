// Laws of the database: what may be bound, and how works join one transaction.
// What may not be bound is an error of ours, since the library would end the process on it.
import nodeModule from 'node:module';
import { type Bindable, type Database, openDatabase } from './database';

test.each([
  ['true', true],
  ['false', false],
  ['an object', {}],
  ['a list', ['x']],
  ['a date', new Date(0)],
  ['bytes', Buffer.from('x')],
  ['a function', () => 1],
  ['a big integer', 1n],
  ['undefined', undefined],
  ['NaN', NaN],
])('%s is refused by every kind of statement', (_, value) => {
  const database = openDatabase(':memory:');
  database.script('CREATE TABLE kept (value)');
  const bad = value as Bindable;
  expect(() => database.run('INSERT INTO kept (value) VALUES (?)', bad)).toThrow(TypeError);
  expect(() => database.get('SELECT value FROM kept WHERE value = ?', bad)).toThrow(TypeError);
  expect(() => database.all('SELECT value FROM kept WHERE value = ?', bad)).toThrow(TypeError);
  expect(database.all('SELECT value FROM kept')).toEqual([]);
  database.close();
});

test('a Node without SQLite is named, with what to install', () => {
  const asked = jest.spyOn(nodeModule, 'isBuiltin').mockReturnValue(false);
  expect(() => openDatabase(':memory:')).toThrow(/^Node \S+ has no SQLite: install Node 22\.13 or later$/);
  asked.mockRestore();
});

test.each([['text'], ['käse ☃ 𝒳'], [''], [0], [-1.5], [9_007_199_254_740_991], [1e300], [null]])(
  '%j comes back as it was',
  (value) => {
    const database = openDatabase(':memory:');
    database.script('CREATE TABLE kept (value)');
    database.run('INSERT INTO kept (value) VALUES (?)', value);
    expect(database.get('SELECT value FROM kept')).toEqual({ value });
    database.close();
  },
);

describe('works that join one transaction', () => {
  const names = (database: Database): string[] =>
    database.all<{ readonly name: string }>('SELECT name FROM things ORDER BY name').map(({ name }) => name);
  const adding = (database: Database, name: string) => (): void =>
    database.run('INSERT INTO things (name) VALUES (?)', name);
  const opened = (): Database => {
    const database = openDatabase(':memory:');
    database.script('CREATE TABLE things (name TEXT UNIQUE)');
    return database;
  };

  test('that only read leave nothing pending', () => {
    const database = opened();
    expect(database.join(() => names(database))).toEqual([]);
    expect(database.isPending()).toBe(false);
    database.close();
  });

  test('are all taken back when the commit fails', () => {
    const database = openDatabase(':memory:');
    database.script('PRAGMA foreign_keys = ON');
    database.script('CREATE TABLE things (name TEXT UNIQUE)');
    // Looked at by the commit only: what makes one fail without a disk that is full.
    database.script('CREATE TABLE owed (name TEXT REFERENCES things (name) DEFERRABLE INITIALLY DEFERRED)');
    database.join(adding(database, 'a'));
    database.join(() => database.run('INSERT INTO owed (name) VALUES (?)', 'nobody'));
    expect(() => database.settle()).toThrow(/constraint/i);
    expect(database.isPending()).toBe(false);
    expect(names(database)).toEqual([]);
    database.join(adding(database, 'b'));
    database.settle();
    expect(names(database)).toEqual(['b']);
    database.close();
  });

  test('all fail when SQLite gives the transaction up in the middle of one of them', () => {
    const database = opened();
    database.join(adding(database, 'a'));
    // As a full disk does: the statement takes the complete transaction back, not only itself.
    const losing = (): void => database.run('INSERT OR ROLLBACK INTO things (name) VALUES (?)', 'a');
    expect(() => database.join(losing)).toThrow(/constraint/i);
    expect(() => database.join(adding(database, 'b'))).toThrow(/constraint/i);
    expect(database.isPending()).toBe(true);
    expect(() => database.settle()).toThrow(/constraint/i);
    expect(names(database)).toEqual([]);
    database.join(adding(database, 'c'));
    database.settle();
    expect(names(database)).toEqual(['c']);
    database.close();
  });
});

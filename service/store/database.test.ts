// What may be bound to a statement: anything else is an error of ours, since the library would end the process on it.
import { openDatabase, type Bindable } from './database';

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

test('a write within a place counts there and nowhere else; any other counts everywhere, and so does a rollback', () => {
  const database = openDatabase(':memory:');
  database.script('CREATE TABLE things (id INTEGER PRIMARY KEY)');
  const things = database.writes('things');
  const look = (): number[] => ['/here', '/there'].map((place) => things.in(place));
  const moved = (write: () => void): boolean[] => {
    const before = look();
    write();
    return look().map((count, index) => count !== before[index]);
  };
  const insert = (): void => database.run('INSERT INTO things DEFAULT VALUES');
  expect(moved(() => database.within('/here', insert))).toEqual([true, false]);
  expect(moved(() => database.within('/there', () => database.within('/here', insert)))).toEqual([true, false]);
  expect(moved(insert)).toEqual([true, true]);
  const failing = (): void => {
    database.within('/here', insert);
    throw new Error('no');
  };
  expect(moved(() => expect(() => database.transaction(failing, () => undefined)).toThrow('no'))).toEqual([true, true]);
  database.close();
});

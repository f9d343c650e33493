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

// Laws of plain(): what comes out can be kept by the engine and means the same; what cannot is named.
import fc from 'fast-check';
import { plain } from './face';

test('whatever JSON can say comes out as it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      // JSON itself turns -0 into 0, and so does the engine.
      expect(JSON.stringify(plain(value))).toBe(JSON.stringify(value));
    }),
  );
});

test('undefined is dropped at any depth, and nothing else', () => {
  expect(plain({ a: undefined, b: { c: undefined, d: [1, undefined, { e: undefined }] }, f: null })).toEqual({
    b: { d: [1, {}] },
    f: null,
  });
  expect(JSON.stringify(plain({ a: undefined }))).toBe('{}');
});

test.each<[string, unknown]>([
  ['Date', new Date(0)],
  ['Map', new Map([[1, 2]])],
  ['bigint', 1n],
  ['function', () => 1],
  ['symbol', Symbol('x')],
  ['Uint8Array', new Uint8Array(1)],
  ['number', Number.NaN],
])('a %s is refused with its place', (name, value) => {
  expect(() => plain({ outer: [{ 'odd key': value }] })).toThrow(`outer[0]["odd key"] is a ${name}`);
});

test('the argument is left alone', () => {
  const value = { a: { b: undefined, c: [undefined] } };
  plain(value);
  expect(value).toStrictEqual({ a: { b: undefined, c: [undefined] } });
});

import { coversPath, formatPropertyPath, parsePropertyPath, withValuesAt } from './property-path';

const paths = (...texts: string[]) => texts.map((text) => parsePropertyPath(text) ?? []);

test.each([
  ['size', ['size']],
  ['attributes.max_threads', ['attributes', 'max_threads']],
  ['tags["a.b/c"]', ['tags', 'a.b/c']],
  ['tags.["a.b/c"]', ['tags', 'a.b/c']],
  ['tags["a\\"b"].c', ['tags', 'a"b', 'c']],
  ['["root key"].nested', ['root key', 'nested']],
  ['clouds[0].priority', ['clouds', 0, 'priority']],
  ['list[1][2]', ['list', 1, 2]],
  ['attributes[*]', ['attributes', '*']],
  ['*', ['*']],
  ['attributes.*', ['attributes', '*']],
])('%s is read, and written so that it is read again', (text, path) => {
  expect(parsePropertyPath(text)).toEqual(path);
  expect(parsePropertyPath(formatPropertyPath(path))).toEqual(path);
});

test.each(['', '.size', 'tags["a', 'tags["a"', 'tags[', 'tags[x]', 'tags.', 'tags..a', 'tags["a"]b'])(
  '%p is no path',
  (text) => expect(parsePropertyPath(text)).toBeUndefined(),
);

test.each([
  ['tags', ['tags', 'a.b/c'], true],
  ['tags["a.b/c"]', ['tags', 'a.b/c'], true],
  ['tags["a.b/c"]', ['tags', 'a'], false],
  ['tags["a.b/c"]', ['tags'], false],
  ['attributes[*]', ['attributes', 'size'], true],
  ['*', ['owner'], true],
  ['clouds[0]', ['clouds', '0'], true],
])('%s covers %j: %p', (text, path, covers) => {
  expect(paths(text).every((each) => coversPath(each, path))).toBe(covers);
});

test('takes over the values at paths only, and takes out what the other side does not have', () => {
  const value = { owner: 'a', tags: { 'a.b/c': '1', d: '2', gone: '3' }, list: [{ x: 1, y: 1 }, { x: 2 }] };
  const from = { owner: 'b', tags: { 'a.b/c': '9', d: '8' }, list: [{ x: 7, y: 7 }, { x: 8 }, { x: 9 }] };
  expect(withValuesAt(value, from, paths('tags["a.b/c"]', 'tags.gone', 'list[*].x', 'list[5]'))).toEqual({
    owner: 'a',
    tags: { 'a.b/c': '9', d: '2' },
    list: [{ x: 7, y: 1 }, { x: 8 }],
  });
  expect(withValuesAt(value, from, paths('*'))).toEqual(from);
  expect(withValuesAt({}, from, paths('tags.d'))).toEqual({ tags: { d: '8' } });
  expect(withValuesAt(value, {}, paths('tags.d'))).toEqual({ ...value, tags: { 'a.b/c': '1', gone: '3' } });
  expect(withValuesAt(value, from, paths('owner.x', 'none.y'))).toBe(value);
});

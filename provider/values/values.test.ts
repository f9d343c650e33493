// Laws of values: they survive the wire, any text decodes, and unknowns are never judged.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { checkShape, decodeShape, encodeShape, sameValue, type Shape, spellAsDeclared } from './shape';
import { oncePer, UNKNOWN } from './plain';
import { coversPath, formatPropertyPath, parsePropertyPath, withValuesAt } from './property-path';
import { nearest, shellWord } from './text';

const TEXT: Shape = { type: 'text' };
const CSV: Shape = { type: 'list', items: TEXT, encoding: 'csv', unordered: true };
const LIST: Shape = { type: 'list', items: TEXT, encoding: 'json', unordered: false };
const TEXTS: Shape = { type: 'map', values: TEXT };
const SHARE = { type: 'object', members: { share: { shape: { type: 'int' }, wire: 'share', base: '100' } } } as const;

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const shapes: readonly { readonly shape: Shape; readonly values: fc.Arbitrary<unknown> }[] = [
  { shape: TEXT, values: fc.string() },
  { shape: { type: 'flag' }, values: fc.boolean() },
  { shape: { type: 'int' }, values: fc.maxSafeInteger() },
  { shape: CSV, values: fc.array(word) },
  { shape: LIST, values: fc.array(fc.string()) },
  { shape: TEXTS, values: fc.dictionary(word, fc.string()) },
  {
    shape: { type: 'open' },
    values: fc.dictionary(word, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(word))),
  },
];

describe.each(shapes)('$shape', ({ shape, values }) => {
  test('a value survives the wire', () => {
    fc.assert(fc.property(values, (value) => sameValue(shape, decodeShape(shape, encodeShape(shape, value)), value)));
  });

  test('a value fits its own shape, and equals itself', () => {
    fc.assert(
      fc.property(values, (value) => checkShape(shape, value, []).length === 0 && sameValue(shape, value, value)),
    );
  });

  test('any text on the wire decodes', () => {
    fc.assert(fc.property(fc.string(), (wire) => decodeShape(shape, wire) !== undefined));
  });

  test('an unknown is neither judged nor called equal', () => {
    expect(checkShape(shape, UNKNOWN, [])).toEqual([]);
    fc.assert(fc.property(values, (value) => !sameValue(shape, value, UNKNOWN)));
  });
});

const nested = (depth: number): object => (depth === 0 ? { a: 'x' } : { a: nested(depth - 1) });

describe('meaning', () => {
  test.each<[string, Shape, unknown, unknown, boolean]>([
    ['blank, null and absent are one', TEXT, '', undefined, true],
    ['an empty list is absent', LIST, [], undefined, true],
    ['an empty map is its text', TEXTS, {}, '{}', true],
    ['numbers by their text', { type: 'text', lenient: true }, 7, '7', true],
    ['what says nothing', { type: 'text', aside: /^.*\// }, '/public/clouds/aws', 'aws', true],
    ['what says something', { type: 'text', aside: /^.*\// }, '/public/clouds/aws', 'azure', false],
    ['7.0 is not 7', { type: 'text', lenient: true }, '7.0', 7, false],
    ['a list with order', LIST, ['a', 'b'], ['b', 'a'], false],
    ['a set without', { ...LIST, unordered: true }, ['a', 'b'], ['b', 'a'], true],
    ['JSON text of foreign spacing', { type: 'open' }, { ports: ['22 tcp'] }, '{ "ports" : [ "22 tcp" ] }', true],
    ['a boolean and its text', { type: 'flag' }, true, 'true', true],
    ['a list and a map of the same words', { type: 'open' }, [['a', 'b']], { a: 'b' }, false],
    ['deeper than texts within texts could be', { type: 'open' }, nested(300), JSON.stringify(nested(300)), true],
    ['keys in another order', { type: 'open' }, { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['a differing text', TEXT, 'a', 'b', false],
    ['a member at its base value is as good as absent', SHARE, { share: 100 }, {}, true],
    ['a member at another value', SHARE, { share: 50 }, {}, false],
    ['an entry that is an empty map', { type: 'map', values: SHARE }, { east: {} }, {}, false],
    ['an entry that is an empty text', TEXTS, { accept: '' }, {}, false],
  ])('%s', (_, shape, left, right, same) => {
    expect(sameValue(shape, left, right)).toBe(same);
  });

  test('only what truly differs is written differently', () => {
    const priority = { shape: { type: 'int' }, wire: 'priority', base: '1' } as const;
    const links: Shape = { type: 'map', values: { ...SHARE, members: { ...SHARE.members, priority } } };
    const declared = { east: { priority: 1, share: 100 }, west: { priority: 2 } };
    expect(spellAsDeclared(links, declared, { east: { priority: 1 }, west: { priority: 2 } })).toBe(declared);
    expect(spellAsDeclared(links, declared, { east: { priority: 1 }, west: { priority: 1, share: 100 } })).toEqual({
      east: { priority: 1, share: 100 },
      west: { priority: 1 },
    });
    expect(spellAsDeclared(links, declared, { east: { priority: 1 } })).toEqual({ east: { priority: 1, share: 100 } });
  });
});

describe('findings', () => {
  test.each<[string, Shape, unknown, string, string]>([
    ['a misspelt word', { ...TEXT, allowed: ['after'] }, 'aftr', 'not-allowed', 'did you mean "after"?'],
    ['priority 3', { type: 'int', minimum: 1, maximum: 2 }, 3, 'out-of-range', ''],
    ['a number for text', TEXT, 3, 'wrong-type', ''],
    ['a text for a list', CSV, 'a', 'wrong-type', 'write a list: ["a"]'],
    ['a text with commas for a list', CSV, 'a, b', 'wrong-type', 'write a list: ["a","b"]'],
    ['nothing for a list', CSV, null, 'wrong-type', ''],
    ['no number in an open map', { type: 'open' }, { size: Number.NaN }, 'wrong-type', ''],
    ['no number deep in an open map', { type: 'open' }, { ports: [{ first: Infinity }] }, 'wrong-type', ''],
    ['no number for a lenient text', { ...TEXT, lenient: true }, Number.NaN, 'wrong-type', ''],
    ['a misspelt member', SHARE, { shar: 1 }, 'unknown-key', 'did you mean "share"?'],
  ])('%s', (_, shape, value, code, hint) => {
    const findings = checkShape(shape, value, ['field']);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(findings[0]?.hint ?? '').toBe(hint);
  });

  test('a secret is never quoted', () => {
    const shown = JSON.stringify(checkShape({ type: 'int' }, 'hunter2', ['password'], true));
    expect(shown).not.toContain('hunter2');
  });

  test.each<[string, Shape, unknown]>([
    ['an address', CSV, 'https://a:hunter2@b'],
    ['a text', { type: 'int' }, '-Dpassword=hunter2'],
    ['a pattern', { type: 'text', pattern: /^x/, says: 'an x' }, 'token=hunter2'],
    ['a map', TEXT, { password: 'hunter2' }],
    ['a map of values', TEXTS, { API_KEY: ['hunter2'] }],
  ])('a secret in clear is not quoted either: in %s', (_, shape, value) => {
    const findings = checkShape(shape, value, ['field']);
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});

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

// Which names are offered for a misspelt one.

test.each([
  ['platfroms', ['platforms', 'outputs'], 'platforms'],
  ['pcak', ['pack', 'links'], 'pack'],
  ['sise', ['size'], 'size'],
  ['WEB', ['web'], 'web'],
  ['we', ['web'], 'web'],
  ['dbs', ['db'], 'db'],
  ['bd', ['db'], 'db'],
  ['wbe', ['db', 'web'], 'web'],
  ['XXL', ['XL', 'S'], 'XL'],
  ['int', ['list', 'integer'], 'integer'],
  ['a', ['b', 'ab'], undefined],
  ['db', ['qa', 'eu'], undefined],
  ['qa', ['db', 'us'], undefined],
  ['xs', ['xl', 's'], undefined],
  ['w', ['web'], undefined],
  ['web', ['db', 'api'], undefined],
])('%s among %j: %s', (word, known, meant) => expect(nearest(word, known)).toBe(meant));

// A value is worked out once for each object, undefined too, and never taken for another object's.

test('answers as the function itself does, which it asks once for each object', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string(), { nil: undefined })), fc.array(fc.nat()), (values, order) => {
      const keys = values.map((value) => ({ value }));
      let asked = 0;
      const valueOf = oncePer((key: { readonly value: string | undefined }) => {
        asked += 1;
        return key.value;
      });
      const picked = order.flatMap((number) => keys[number % Math.max(1, keys.length)] ?? []);
      expect(picked.map(valueOf)).toEqual(picked.map(({ value }) => value));
      expect(asked).toBe(new Set(picked).size);
    }),
  );
});

// A shell takes each word as it is meant.

test.each([
  ['a plain word', 'Component:acme/shop/web/tomcat=web_tomcat,v1.2+x@%-'],
  ['no text', ''],
  ['blanks and lines', 'two words\nand a line\t'],
  ['quotes', `it's "quoted" \\'here\\'`],
  ['what a shell replaces', '~ $HOME `id` $(id) * ? [a] {a,b} !1 #x'],
  ['what ends a command', 'a; b && c | d > e < f &'],
  ['another alphabet', 'größe 日本'],
])('%s', (_, word) => {
  expect(execFileSync('sh', ['-c', `printf '<%s>' ${shellWord(word)}`], { encoding: 'utf8' })).toBe(`<${word}>`);
});

test('a word that needs no quotes has none', () => expect(shellWord('acme/shop=x')).toBe('acme/shop=x'));

// What the reader keeps of a text, and what it says of texts a stack cannot be.
import { readYaml } from './read';
import { sourceFile } from './source';
import type { Node } from './tree';
import { formatYaml } from './format';

const read = (text: string) => readYaml(sourceFile('f.yaml', text));
const codes = (text: string) =>
  read(text).findings.map(({ code, at }) => `${at.start.line}:${at.start.column} ${code}`);

const valid = `# a comment
config: { owner: { type: string } }
a: &anchor
  version: 1.10
  other: 7.0
  "quoted": "x\\ty"
  'single': 'it''s'
b: *anchor
c:
  - 0755
  - 0x1F
  - ~
  - true
  -
text: |
  one
   two
folded: >-
  one
  two
plain: several
  lines
`;

function scalars(node: Node | undefined): readonly (Node & { form: 'scalar' })[] {
  switch (node?.form) {
    case 'scalar':
      return [node];
    case 'list':
      return node.items.flatMap(scalars);
    case 'map':
      return node.entries.flatMap(({ value }) => scalars(value));
    default:
      return [];
  }
}

describe('a text that holds', () => {
  const { root, findings } = read(valid);
  const bySource = new Map(scalars(root).map((node) => [node.source, node]));

  test('is read without findings', () => expect(findings).toEqual([]));

  test('keeps the source text of every scalar next to its value', () => {
    expect(scalars(root).map(({ source, value }) => [source, value])).toEqual([
      ['string', 'string'],
      ['1.10', 1.1],
      ['7.0', 7],
      ['x\ty', 'x\ty'],
      ["it's", "it's"],
      ['1.10', 1.1],
      ['7.0', 7],
      ['x\ty', 'x\ty'],
      ["it's", "it's"],
      ['0755', 755],
      ['0x1F', 31],
      ['~', null],
      ['true', true],
      ['', null],
      ['one\n two\n', 'one\n two\n'],
      ['one two', 'one two'],
      ['several lines', 'several lines'],
    ]);
  });

  test('has every scalar where its range says', () => {
    const lines = valid.split('\n');
    for (const { raw, at } of scalars(root)) {
      expect(valid.slice(at.start.offset, at.end.offset)).toBe(raw);
      expect(lines[at.start.line - 1]?.slice(at.start.column - 1).startsWith(raw.split('\n')[0] ?? '')).toBe(true);
    }
    expect(bySource.get('true')?.at).toEqual({
      file: 'f.yaml',
      start: { line: 13, column: 5, offset: valid.indexOf('true') },
      end: { line: 13, column: 9, offset: valid.indexOf('true') + 4 },
    });
  });

  test('is the same tree with a byte order mark and with carriage returns', () => {
    const values = (text: string) =>
      scalars(read(text).root).map(({ source, at }) => [source, at.start.line, at.start.column]);
    expect(values(`\uFEFF${valid}`)).toEqual(values(valid));
    expect(values(valid.replaceAll('\n', '\r\n'))).toEqual(values(valid));
  });
});

test.each([
  ['nothing', '', ['1:1 empty-file']],
  ['only a comment', '# later\n', ['1:1 empty-file']],
  ['only a document start', '---\n', ['1:1 empty-file']],
  ['a null', '~\n', ['1:1 empty-file']],
  ['a tab as indentation', 'a:\n\tb: 1\n', ['2:1 tab']],
  ['a tab after spaces', 'a:\n  b: 1\n\tc: 2\n', ['3:1 tab']],
  ['a key twice', 'a: 1\nb: 2\na: 3\n', ['3:1 duplicate-key']],
  ['a key three times', 'a: 1\na: 2\na: 3\n', ['2:1 duplicate-key', '3:1 duplicate-key']],
  ['the same key quoted', 'a: 1\n"a": 2\n', ['2:1 duplicate-key']],
  ['a second document', 'a: 1\n---\nb: 2\n', ['2:1 several-documents']],
  ['an empty second document', 'a: 1\n---\n', []],
  ['a tag of its own', 'a: !secret x\n', ['1:4 unknown-tag']],
  ['a tag of another schema', 'a: !!binary aGk=\n', ['1:4 unknown-tag']],
  ['a tag the value does not fit', 'a: !!int x\n', ['1:4 unknown-tag']],
  ['a core tag', 'a: !!str 1.10\n', []],
  ['a list as key', '? [a]\n: b\n', ['1:3 complex-key']],
  ['a template as key', '{{cloud}}: b\n', ['1:1 complex-key']],
  ['an alias as key', 'a: &x b\n*x : c\n', ['2:1 complex-key']],
  ['no key', ': b\n', ['1:1 missing-key']],
  ['a merge key', 'a: &x { b: 1 }\nc:\n  <<: *x\n', []],
  ['a merge key of nothing', 'a:\n  <<:\n', []],
  ['a merge key of a text', 'a: &x 1\nc:\n  <<: *x\n', ['3:3 merge-key']],
  ['a merge key of a list with a text', 'a: &x { b: 1 }\nc:\n  <<: [*x, 2]\n', ['3:3 merge-key']],
  ['a merge key of an alias that is not there', 'c:\n  <<: *x\n', ['2:7 unknown-alias']],
  ['a key that is merged and written is written once', 'a: &x { b: 1 }\nc:\n  b: 2\n  <<: *x\n', []],
  ['a reference in a map without quotes', 'a: { v: $OO_GLOBAL{X} }\n', ['1:9 unquoted-reference']],
  ['a reference in a list without quotes', 'a: [b, $OO_LOCAL{X}]\n', ['1:8 unquoted-reference']],
  ['a reference inside of a text', 'a:\n  - { v: x/$OO_CLOUD{X}/y, w: 1 }\n', ['2:10 unquoted-reference']],
  ['a reference of ours without quotes', 'a: { v: ${config.x} }\n', ['1:9 unquoted-reference']],
  ['references with quotes, and in a block', 'a: { v: "$OO_GLOBAL{X}" }\nb: $OO_GLOBAL{X}\n', []],
  ['a quoted << is a key', '"<<": 1\n', []],
  ['a prototype', 'a: { __proto__: { x: 1 } }\n', ['1:6 reserved-key']],
  ['an alias of nothing', 'a: *x\n', ['1:4 unknown-alias']],
  ['an alias before its anchor', 'a: *x\nb: &x 1\n', ['1:4 unknown-alias']],
  ['an alias inside its anchor', 'a: &x [1, *x]\n', ['1:11 alias-cycle']],
  ['an anchor in a refused key is one still', '{{c}}: &x 1\nb: *x\n', ['1:1 complex-key']],
  ['another version', '%YAML 1.1\n---\na: yes\n', ['1:1 yaml-version']],
  ['an open list', 'a: [1, 2\nb: 3\n', ['1:4 unclosed']],
  ['an open map', 'a: 1\nb: { c: 1\n', ['2:4 unclosed']],
  ['an open quote', 'a: "x\nb: 1\n', ['1:4 unclosed']],
  ['an open single quote', "a:\n  - 'x\nb: 1\n", ['2:5 unclosed']],
  ['an open quote between braces', 'a: { b: "x }\nc: 1\n', ['1:9 unclosed']],
  ['a null byte', 'a: 1\nb: "x\0"\n', ['2:4 bad-syntax']],
  ['a null byte in a key', 'a: { "x\\0": 1 }\n', ['1:6 bad-syntax']],
  ['half a character', 'a: "\\ud83d"\nb: "\\ud83c\\udf89 🎉"\n', ['1:4 bad-syntax']],
  ['several faults of grammar are one', 'a: b: c\nd: @\n\te: [\n', ['1:4 bad-syntax']],
  ['a map where a text is', 'a: 1\n b: 2\n', ['1:4 bad-syntax']],
  ['several faults', 'a: 1\na: !x 2\n<<: 3\n', ['2:1 duplicate-key', '2:4 unknown-tag', '3:1 merge-key']],
])('%s', (_, text, expected) => expect(codes(text)).toEqual(expected));

/** A tree as data. */
const plain = (node: Node | undefined): unknown => {
  if (node?.form === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  if (node?.form === 'list') return node.items.map(plain);
  return node?.form === 'scalar' ? node.value : node?.form;
};

test.each([
  // Own keys win, wherever they are written.
  ['a: &x { b: 1, c: 2 }\nd: { b: 3, <<: *x }\ne: { <<: *x, b: 4 }\n', { d: { b: 3, c: 2 }, e: { b: 4, c: 2 } }],
  // The first map of a list that has the key.
  ['a: &x { b: 1 }\nb: &y { b: 2, c: 2 }\nd: { <<: [*x, *y] }\n', { d: { b: 1, c: 2 } }],
  // A merged map that merged another one, and one that is written at the place.
  ['a: &x { b: 1 }\nb: &y { <<: *x, c: 2 }\nd: { <<: *y }\n', { d: { b: 1, c: 2 } }],
  ['d: { <<: { b: 1 }, c: 2 }\n', { d: { b: 1, c: 2 } }],
])('merge keys: %j', (text, expected) => {
  expect(plain(readYaml(sourceFile('a.yaml', text)).root)).toMatchObject(expected);
});

const inner = (level: number): string => (level === 0 ? 'x' : `*l${level - 1}`);

test('aliases cannot make a file grow without end', () => {
  const nine = (level: number): string => Array(9).fill(inner(level)).join(', ');
  const levels = Array.from({ length: 30 }, (_, level) => `l${level}: &l${level} [${nine(level)}]`);
  expect(codes(levels.join('\n')).map((each) => each.split(' ')[1])).toEqual(['too-many-aliases']);
});

test('aliases cannot nest without end', () => {
  const levels = Array.from({ length: 100 }, (_, level) => `l${level}: &l${level} [${inner(level)}]`);
  expect(codes(levels.join('\n'))).toEqual(['63:12 too-deep']);
});

test.each(['[', '- ', '? ', '{a: '].flatMap((piece) => [100, 20_000].map((levels) => [piece, levels] as const)))(
  '%j nested %d levels deep: refused before anything recursive reads it',
  (piece, levels) => {
    expect(codes(piece.repeat(levels))).toEqual([expect.stringContaining('too-deep')]);
  },
);

test('a fault of grammar on the line of a secret is reported without the line', () => {
  expect(read('a:\n  password: b: c\n').findings).toMatchObject([{ secret: true }]);
  expect(read('a:\n  size: b: c\n').findings).toMatchObject([{ secret: false }]);
});

// The layout of YAML: what changes, what stays, and that a second time changes nothing.

const SCALARS = `a: 007\nb: 1.10\nc: "x"\nd: 'y'\ne: ~\nf:\ng: True\nh: 0x1F\n`;

const rows: readonly (readonly [string, string, string])[] = [
  [
    'indentation',
    'a:\n    b: 1\n    c:\n    - 1\n    -   d: 2\n        e: 3\n',
    'a:\n  b: 1\n  c:\n    - 1\n    - d: 2\n      e: 3\n',
  ],
  ['maps in one line', 'a: {b: 1,   c: [1,2]}\nd: {}\ne: []\n', 'a: { b: 1, c: [1, 2] }\nd: {}\ne: []\n'],
  ['texts of scalars', SCALARS, SCALARS],
  [
    'comments',
    '# head\n\n# second\na: 1   # one\n\n\n# of b\nb:   # after b\n    # inside\n    c: 1\n# last\n',
    '# head\n\n# second\na: 1 # one\n\n# of b\nb:\n  # after b\n  # inside\n  c: 1\n\n# last\n',
  ],
  [
    'literal texts',
    'a: |\n    one\n      two\n\n    three\n\nb: |2-\n    x\n   y\nc: >-\n one\n two\n',
    'a: |\n  one\n    two\n\n  three\n\nb: |2-\n    x\n   y\nc: >-\n  one\n  two\n',
  ],
  ['literal texts that begin with blanks', 'a:\n    b: |2\n         x\n      y\n', 'a:\n  b: |2\n       x\n    y\n'],
  ['texts over several lines', 'a: "one\n     two"\nb: one\n     two\n', 'a: "one\n  two"\nb: one\n  two\n'],
  [
    'anchors, aliases, merge keys, tags',
    'x-a: &a {b: 1}\nc:\n    <<: *a\n    d: !!str 1\n',
    'x-a: &a { b: 1 }\nc:\n  <<: *a\n  d: !!str 1\n',
  ],
  ['line breaks of other systems', '\uFEFFa:\r\n    b: 1\r\n', '\uFEFFa:\r\n  b: 1\r\n'],
  ['texts that begin or end with what only looks empty', 'a:   "\u00A0b\uFEFF"\n', 'a: "\u00A0b\uFEFF"\n'],
  ['a document start', '---\na:   1\n', '---\na: 1\n'],
  [
    'a map that is too wide',
    `a: { b: { c: ${'x'.repeat(60)} }, d: ${'y'.repeat(60)} }\n`,
    `a:\n  b: { c: ${'x'.repeat(60)} }\n  d: ${'y'.repeat(60)}\n`,
  ],
  ['keys without values in such a map', `a: { b, ${'x'.repeat(130)} }\n`, `a:\n  b:\n  ${'x'.repeat(130)}:\n`],
  ['a map over several lines that fits', 'a: { b: 1,\n     c: 2 }\n', 'a: { b: 1, c: 2 }\n'],
];

test.each(rows)('%s', (_, text, expected) => {
  expect(formatYaml(text)).toBe(expected);
  expect(formatYaml(expected)).toBe(expected);
});

test('a text that would begin a document at the start of a line is left as it is', () => {
  expect(formatYaml('\n    ---\n*n')).toBeUndefined();
});

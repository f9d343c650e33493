// The layout of YAML: what changes, what stays, and that a second time changes nothing.
import fc from 'fast-check';
import { formatYaml } from './format';

const rows: readonly (readonly [string, string, string])[] = [
  [
    'indentation',
    'a:\n    b: 1\n    c:\n    - 1\n    -   d: 2\n        e: 3\n',
    'a:\n  b: 1\n  c:\n    - 1\n    - d: 2\n      e: 3\n',
  ],
  ['maps in one line', 'a: {b: 1,   c: [1,2]}\nd: {}\ne: []\n', 'a: { b: 1, c: [1, 2] }\nd: {}\ne: []\n'],
  [
    'texts of scalars',
    `a: 007\nb: 1.10\nc: "x"\nd: 'y'\ne: ~\nf:\ng: True\nh: 0x1F\n`,
    `a: 007\nb: 1.10\nc: "x"\nd: 'y'\ne: ~\nf:\ng: True\nh: 0x1F\n`,
  ],
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
  [
    'keys without values in a map that is too wide',
    `a: { b, ${'x'.repeat(130)} }\n`,
    `a:\n  b:\n  ${'x'.repeat(130)}:\n`,
  ],
  ['a map over several lines that fits', 'a: { b: 1,\n     c: 2 }\n', 'a: { b: 1, c: 2 }\n'],
];

test.each(rows)('%s', (_, text, expected) => {
  expect(formatYaml(text)).toBe(expected);
  expect(formatYaml(expected)).toBe(expected);
});

test('a text that would begin a document at the start of a line is left as it is', () => {
  expect(formatYaml('\n    ---\n*n')).toBeUndefined();
});

test('whatever is written: a second time changes nothing', () => {
  const piece = fc.constantFrom(
    'a',
    'b: ',
    '- ',
    '\n',
    '\n  ',
    '\n    ',
    '{ ',
    ' }',
    '[ ',
    ' ]',
    ', ',
    ' # x',
    '"q"',
    '|\n',
    '>-\n',
    '1',
    "'s'",
    '&n ',
    '*n',
    '? ',
    ': ',
    '!!str ',
    '---\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const once = formatYaml(pieces.join(''));
      if (once !== undefined) expect(formatYaml(once)).toBe(once);
    }),
    { numRuns: Number(process.env['RUNS'] ?? '10') * 20 },
  );
});

// No value takes the service long to check, whatever its pattern; and what the limits mean for long ones.
import fc from 'fast-check';
import { cloudServiceClasses, classMetadata, componentClasses } from './class-metadata';
import { attributeFault, measureJson } from './class-metadata';
import records from './records.json';

const patterned = [...componentClasses, ...cloudServiceClasses, ...Object.keys(records)].flatMap((className) =>
  Object.entries(classMetadata(className)?.attributes ?? {}).flatMap(([name, attribute]) =>
    attribute.pattern === undefined ? [] : [[`${className}.${name}`, attribute] as const],
  ),
);
const pieces = [
  'a',
  '1',
  '.',
  '-',
  '@',
  'a.',
  'a@',
  'a-',
  '/a',
  ' ',
  '0:',
  'a,',
  '\n',
  'a\n',
  '-\n',
  '$OO_GLOBAL{',
  '{',
  '"',
];
const long = pieces.flatMap((piece) => [piece.repeat(100_000), `a@${piece.repeat(100_000)}!`]);
const lines = `${'\n'.repeat(3999)}${'a'.repeat(1_000_000)}`;

test('there are patterns to try', () => {
  expect(patterned.length).toBeGreaterThan(20);
});

test.each(patterned)('a hundred thousand characters are checked at once: %s', (_, attribute) => {
  const began = performance.now();
  for (const text of [...long, lines]) {
    const value = { text, array: JSON.stringify([text]), hash: JSON.stringify({ text }) }[attribute.dataType];
    attributeFault(attribute, value);
  }
  expect(performance.now() - began).toBeLessThan(3000);
});

const attribute = { ...patterned[0]![1], dataType: 'text', required: false, pattern: '[a-z]+$' } as const;

test.each([
  ['abc', undefined],
  ['ABC', 'mismatch'],
  ['ABC\nabc', undefined],
  ['x'.repeat(10_000), undefined],
  [`${'x'.repeat(10_000)}1`, 'mismatch'],
  [`${'A\n'.repeat(1000)}abc`, undefined],
  [`${'A\n'.repeat(3000)}abc`, 'mismatch'],
  [`${'A'.repeat(5000)}\nabc`, 'mismatch'],
])('lines are looked at as far as four thousand characters: %#', (value, fault) => {
  expect(attributeFault(attribute, value)).toBe(fault);
});

test.each([
  ['array', 64, undefined],
  ['array', 65, 'unparsable'],
  ['array', 1_000_000, 'unparsable'],
] as const)('JSON text of an %s may be nested as deep as 64: %d', (dataType, depth, fault) => {
  const value = '['.repeat(depth) + ']'.repeat(depth);
  expect(attributeFault({ ...attribute, dataType, pattern: '.*' }, value)).toBe(fault);
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const membersOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + 1 + membersOf(each), 0)
    : 0;

test('law: depth is exact; members are never counted too few, and at most one too many for each bracket', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
      const text = JSON.stringify(value);
      const { depth, members } = measureJson(text);
      expect(depth).toBe(depthOf(value));
      expect(members).toBeGreaterThanOrEqual(membersOf(value));
      expect(members).toBeLessThanOrEqual(membersOf(value) * 2 + 1);
    }),
  );
});

test.each([
  ['"[[["', 0],
  ['["\\"[[["]', 1],
  ['["\\\\", [[]]]', 3],
  ['['.repeat(1_000_000), 1_000_000],
])('brackets in quotes do not count: %#', (text, depth) => {
  expect(measureJson(text).depth).toBe(depth);
});

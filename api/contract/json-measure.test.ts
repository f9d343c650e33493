// The measure of JSON text agrees with what the text parses to.
import fc from 'fast-check';
import { measureJson } from './json-measure';

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

// Texts side by side: every line of both is there, and each side in its order.
import fc from 'fast-check';
import { sideBySide } from './side-by-side';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join('\n') + '\n');

test('a side is its text, without lines that both have and that are left out', () =>
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const rows = sideBySide(['l', 'r'], before, after, 23).split('\n').slice(1, -1);
      if (before === after) return expect(rows).toEqual([]);
      const side = (from: number, to?: number): readonly string[] =>
        rows.map((row) => row.padEnd(23).slice(from, to).trim()).filter((text) => text !== '');
      if (rows.some((row) => row.includes('equal lines'))) return;
      expect(side(0, 10)).toEqual(before.trimEnd().split('\n'));
      expect(side(13)).toEqual(after.trimEnd().split('\n'));
    }),
  ));

test('a line that is too long is cut', () => {
  expect(sideBySide(['one', 'two'], 'a long line of text\n', 'b\n', 23)).toBe('one          two\na long li… | b\n');
});

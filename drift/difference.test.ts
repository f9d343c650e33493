// A patch says exactly what changed: its result is the new text, for any two texts.
import fc from 'fast-check';
import { lineDifference, unifiedDiff, wordDifference } from './difference';

/** What `patch` does: the lines of each hunk, from the place its head names. Throws when a line is not what the patch takes it for. */
function patched(text: string, patch: string): string {
  const old = text === '' ? [] : text.split(/(?<=\n)/);
  const [, , ...lines] = patch
    .replace(/\n\\ No newline at end of file/g, '\u0000')
    .split(/\n/)
    .slice(0, -1);
  const out: string[] = [];
  let at = 0;
  for (const line of lines) {
    const head = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line);
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
      continue;
    }
    const body = line.endsWith('\u0000') ? line.slice(1, -1) : `${line.slice(1)}\n`;
    if (line[0] !== '+' && old[at++] !== body) throw new Error(`the text has no ${JSON.stringify(body)}`);
    if (line[0] !== '-') out.push(body);
  }
  return [...out, ...old.slice(at)].join('');
}

const line = fc.constantFrom('a', 'b', 'c: 1', '  - d', '', '@@ -1,1 +1,1 @@', '--- a/x');
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
  .map(([lines, ended]) => (lines.length === 0 ? '' : lines.join('\n') + (ended || lines.at(-1) === '' ? '\n' : '')));

test('applied to the old text it gives the new one; nothing changed is no patch', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const patch = unifiedDiff('oneops.yaml', before, after);
      expect(before === after ? before : patched(before, patch)).toBe(after);
      expect(unifiedDiff('oneops.yaml', before, before)).toBe('');
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
});

test('three lines of context, hunks apart where changes are, heads that count', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
  const after = before.replace('line 2\n', 'line two\n').replace('line 18\n', '');
  expect(unifiedDiff('shop/oneops.yaml', before, after)).toBe(
    [
      '--- a/shop/oneops.yaml',
      '+++ b/shop/oneops.yaml',
      '@@ -1,5 +1,5 @@',
      ' line 1',
      '-line 2',
      '+line two',
      ' line 3',
      ' line 4',
      ' line 5',
      '@@ -15,6 +15,5 @@',
      ' line 15',
      ' line 16',
      ' line 17',
      '-line 18',
      ' line 19',
      ' line 20',
      '',
    ].join('\n'),
  );
});

describe('texts with more changes than are searched', () => {
  const numbered = (word: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${word}${index}`);
  const [head, tail] = [numbered('first', 20), numbered('last', 20)];
  const textOf = (word: string, separator: string): string =>
    [...head, ...numbered(word, 5000), ...tail].join(separator);

  test('words: what they have in common at both ends is still the same', () => {
    const [before, after] = [textOf('old', ' '), textOf('new', ' ')];
    const pieces = wordDifference(before, after);
    expect(pieces[0]).toEqual({ is: 'same', text: `${head.join(' ')} ` });
    expect(pieces.at(-1)).toEqual({ is: 'same', text: ` ${tail.join(' ')}` });
    const sideOf = (other: 'removed' | 'added'): string =>
      pieces.map(({ is, text }) => (is === other ? '' : text)).join('');
    expect([sideOf('added'), sideOf('removed')]).toEqual([before, after]);
  });

  test('lines: those far from the difference are left out', () => {
    const lines = lineDifference(textOf('old', '\n'), textOf('new', '\n'));
    expect(lines.slice(0, 4).map(({ is, text }) => `${is} ${text}`)).toEqual([
      'skipped 18 equal lines',
      'same first18',
      'same first19',
      'removed old0',
    ]);
    expect(lines.at(-1)).toEqual({ is: 'skipped', text: '18 equal lines' });
    expect(lineDifference('a\nb\nc\nd', 'a\nb\nc\nd')).toEqual([{ is: 'skipped', text: '4 equal lines' }]);
  });
});

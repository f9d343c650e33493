// What in a text is a reference and what is only text.
import fc from 'fast-check';
import { findInRaw, formatSteps, parseSteps, splitText } from './interpolation';

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
const step = fc.oneof(name, fc.nat(99), fc.stringMatching(/^[^"\\{}]{0,8}$/));
const steps = fc.tuple(name, fc.array(step, { maxLength: 4 })).map(([first, others]) => [first, ...others]);

test('steps are read as they are written', () => {
  fc.assert(fc.property(steps, (each) => expect(parseSteps(formatSteps(each))).toEqual(each)));
});

test.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a[', 'a[b]', 'a["b]', 'a-', '1', '[0]', 'a.1', 'a[0]b'])(
  '"%s" is no reference',
  (text) => {
    expect(parseSteps(text)).toEqual(text === 'a-' ? ['a-'] : undefined);
  },
);

test('a text without "${" is itself', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('${')),
      (text) => expect(splitText(text)).toEqual([text]),
    ),
  );
});

test('texts and references come apart as they were put together', () => {
  const literal = fc.stringMatching(/^[a-z $}]{0,6}$/).filter((text) => !text.endsWith('$'));
  fc.assert(
    fc.property(fc.array(fc.tuple(literal, steps), { minLength: 1, maxLength: 4 }), literal, (pairs, end) => {
      const text = pairs.map(([before, each]) => `${before}\${${formatSteps(each)}}`).join('') + end;
      const parts = splitText(text);
      expect(parts.map((part) => (typeof part === 'string' ? part : part.steps))).toEqual(
        [...pairs.flatMap(([before, each]) => [before, each]), end].filter((part) => part !== ''),
      );
      for (const part of parts) {
        if (typeof part !== 'string')
          expect(text.slice(part.start, part.start + 2) + text.charAt(part.end - 1)).toBe('${}');
      }
    }),
  );
});

test('any text is text once its dollars before braces are doubled', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('$', '{', '}', 'a', '.'), { maxLength: 12 }).map((each) => each.join('')),
      (text) => {
        const written = text.replace(/\$+(?=\{)/g, (run) => run + run);
        expect(splitText(written)).toEqual([text]);
      },
    ),
  );
});

test('a reference is found in the file however the text is quoted', () => {
  const text = 'a ${b} ${c.d}';
  const [, , , found] = splitText(text);
  if (found === undefined || typeof found === 'string') throw new Error('no reference');
  expect(findInRaw(`"${text}"`, text, found)).toEqual({ start: 8, end: 14 });
  expect(findInRaw('"\\x61 ${b} ${c.d}"', text, found)).toEqual({ start: 11, end: 17 });
  expect(findInRaw('"a $\\x7bb} ${c.d}"', text, found)).toBeUndefined();
});

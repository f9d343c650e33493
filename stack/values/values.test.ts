// What in a text is a reference and what is only text.
import fc from 'fast-check';
import { findInRaw, formatSteps, parseSteps, splitText } from './interpolation';
import { type Carrier, resolve, valueAt } from './resolve';
import {
  call,
  EXPRESSION,
  holdsSecret,
  type Invoke,
  outputOf,
  type Reference,
  resourceKey,
  secretValue,
  textTemplate,
  type Value,
} from './value';

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

// Values resolve to the same plain data whatever carries them.

const reference = fc.constantFrom('a', 'b', 'c').map((name) => outputOf(resourceKey('Platform', name), 'ciId'));
const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

const start = { line: 1, column: 1, offset: 0 };
const place = { path: [], at: { file: 'oneops.yaml', start, end: start } };
const invoke = (argument: Value): Invoke => ({
  [EXPRESSION]: 'invoke',
  function: 'getCloud',
  argument: { name: argument },
  steps: [],
  secret: false,
  place,
});

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    plain,
    reference,
    fc.array(fc.oneof(fc.string(), reference), { maxLength: 3 }).map((parts) => textTemplate(parts)),
    tie('value').map((inner) => secretValue(inner)),
    tie('value').map((inner) => call('toJSON', inner, place)),
    tie('value').map(invoke),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
}));

const known: { readonly [name: string]: unknown } = { a: 1, b: 'two', c: { d: [3] } };
const nameOf = (key: string) => key.split('::')[1] ?? '';

/** The value itself. */
const itself: Carrier<unknown> = {
  lookup: (target) => (target.of === 'resource' ? known[nameOf(target.key)] : undefined),
  combine: (value, compute) => compute(value),
  secret: (inner) => inner,
  invoke: ({ function: token }, args) => ({ token, args }),
};

/** A box around each value, as an output is. */
class Box {
  constructor(
    readonly inner: unknown,
    readonly isSecret = false,
  ) {}
}
const boxed: Carrier<Box> = {
  lookup: (target) => new Box(itself.lookup(target)),
  combine: (whole, compute) => new Box(compute(unbox(whole)), holdsSecretBox(whole)),
  secret: (inner) => new Box(unbox(inner), true),
  invoke: ({ function: token }, args) => new Box({ token, args: unbox(args) }, holdsSecretBox(args)),
};
const unbox = (whole: unknown): unknown => {
  if (whole instanceof Box) return unbox(whole.inner);
  if (Array.isArray(whole)) return whole.map(unbox);
  if (typeof whole !== 'object' || whole === null) return whole;
  return Object.fromEntries(Object.entries(whole).map(([key, inner]) => [key, unbox(inner)]));
};
const holdsSecretBox = (whole: unknown): boolean => {
  if (whole instanceof Box) return whole.isSecret || holdsSecretBox(whole.inner);
  return typeof whole === 'object' && whole !== null && Object.values(whole).some(holdsSecretBox);
};

test('carried or not, the result is the same', () => {
  fc.assert(fc.property(value, (each) => expect(unbox(resolve(each, boxed))).toEqual(resolve(each, itself))));
});

test('what contains a secret stays secret, and nothing else becomes one', () => {
  fc.assert(fc.property(value, (each) => expect(holdsSecretBox(resolve(each, boxed))).toBe(holdsSecret(each))));
});

test('steps lead into what a function answers', () => {
  const answer = { ciId: 7, clouds: [{ name: 'east' }] };
  const answered: Carrier<unknown> = { ...itself, invoke: ({ steps }) => valueAt(answer, steps) };
  const at = (steps: Invoke['steps']): Value => ({ ...invoke('x'), steps });
  expect(resolve(at(['clouds', 0, 'name']), answered)).toBe('east');
  expect(resolve(call('toJSON', [at(['ciId']), at([])], place), answered)).toBe(
    '[7,{"ciId":7,"clouds":[{"name":"east"}]}]',
  );
});

test('a value without references is itself', () => {
  fc.assert(fc.property(fc.jsonValue(), (each) => expect(resolve(each as Value, itself)).toEqual(each)));
});

test('texts of values, and steps into them', () => {
  const of = (name: string, steps: Reference['steps'] = []): Reference => ({
    ...outputOf(resourceKey('Platform', name), 'x'),
    steps,
  });
  expect(
    resolve(textTemplate([of('a'), '-', of('b'), '-', of('c'), '-', of('c', ['d', 0]), '-', of('c', ['e'])]), itself),
  ).toBe('1-two-{"d":[3]}-3-');
  expect(resolve(of('c', ['d', 0]), itself)).toBe(3);
  expect(resolve(of('c', ['toString']), itself)).toBeNull();
  expect(valueAt({ a: { b: 1 } }, ['a', 'b'])).toBe(1);
});

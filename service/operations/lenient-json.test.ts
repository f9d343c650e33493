// Laws of the lenient reader: what is JSON reads as JSON, what a Java map prints reads as what it was printed from, nothing makes it fail badly.
import fc from 'fast-check';
import { type Lenient, readLenient } from './definition';

const valueOf = (text: string): unknown => {
  const reading = readLenient(text);
  return reading.ok ? reading.value : reading.reason;
};

test('every JSON text reads as JSON has it, however it is indented', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(valueOf(text)).toEqual(JSON.parse(text));
    }),
  );
});

/** Words a Java map prints without quotes and that read as themselves. */
const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/).filter((text) => !/^(true|false|null)$/i.test(text));
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: Lenient }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(word, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

interface Style {
  readonly colon: string;
  readonly comma: string;
  readonly quote: string;
}

function printed(value: Lenient, style: Style): string {
  if (Array.isArray(value)) return `[${value.map((each: Lenient) => printed(each, style)).join(style.comma)}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, each]) => `${style.quote}${name}${style.quote}${style.colon}${printed(each, style)}`,
    );
    return `{${members.join(style.comma)}}`;
  }
  return typeof value === 'string' ? `${style.quote}${value}${style.quote}` : String(value);
}

test('what is printed with other separators, other quotes or none reads as what was printed', () => {
  const style = fc.record({
    colon: fc.constantFrom('=', ':', ' = ', '=>', ' => ', ': '),
    comma: fc.constantFrom(',', ', ', ';', ' ; '),
    quote: fc.constantFrom('', '"', "'"),
  });
  fc.assert(fc.property(tree, style, (value, how) => expect(valueOf(printed(value, how))).toEqual(value)));
});

test('any text is read or refused with a reason, never anything else', () => {
  const bits = fc.constantFrom('{', '}', '[', ']', '=', ':', ',', ';', '"', "'", '\\', 'a', '1', 'null', ' ', '\\u00');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(bits).map((parts) => parts.join('')),
      ),
      (text) => {
        const reading = readLenient(text);
        if (!reading.ok) expect(reading.reason).toMatch(/\S/);
      },
    ),
  );
});

test.each<[string, unknown]>([
  [
    '{name=reboot, flow=[{relationName=base.RealizedAs, targetIds=[1], actions=[{isCritical=true, stepNumber=1, actionName=reboot, extraInfo=null}], direction=from}]}',
    {
      name: 'reboot',
      flow: [
        {
          relationName: 'base.RealizedAs',
          targetIds: [1],
          actions: [{ isCritical: true, stepNumber: 1, actionName: 'reboot', extraInfo: null }],
          direction: 'from',
        },
      ],
    },
  ],
  ['{arglist=, name=x}', { arglist: '', name: 'x' }],
  ['{a=1;a=2}', { a: 2 }],
  ['[1,,2]', [1, null, 2]],
  ['{__proto__=1}', JSON.parse('{"__proto__":1}')],
  ['{a=TRUE, b=Null}', { a: true, b: null }],
  ['{id=007}', { id: '007' }],
])('%s', (text, value) => {
  expect(valueOf(text)).toEqual(value);
});

test.each<[string, string]>([
  ['', 'expected a value at character 1, found the end'],
  ['{a=1', 'expected "," or "}" at character 5, found the end'],
  ['{a 1}', 'expected ":" or "=" at character 4, found "1"'],
  ['{=1}', 'expected a name at character 2, found "="'],
  ['[1}', 'expected "," or "]" at character 3, found "}"'],
  ['{a=two words}', 'expected "," or "}" at character 8, found "w"'],
  ['1 2', 'expected the end at character 3, found "2"'],
  ['"a', 'expected the closing " at character 3, found the end'],
  ['"\\u12x"', 'expected four hexadecimal digits at character 4, found "1"'],
  ['['.repeat(10_000), 'it is nested more than 24 deep'],
])('%.20s is refused: %s', (text, reason) => {
  expect(valueOf(text)).toBe(reason);
});

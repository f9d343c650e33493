// drift.yaml: what is read, what is wrong with it and where, and what is written into it.
import { ignoredAttributes, readDriftFile, UnusableDriftFile, withExpected } from './drift-file';

const name = 'drift.yaml';
const read = (text: string) => readDriftFile({ name, text });

test.each(['', '# nothing\n', 'ignore:\n', '{}\n'])('%j says nothing', (text) => {
  expect(read(text)).toEqual({ name, severities: [], ignore: [], expected: [] });
});

test('severities, in their order', () => {
  expect(
    read("severities:\n  Component.attributes.size: low\n  '*.description': high\n  undeclared: medium\n").severities,
  ).toEqual([
    { pattern: 'Component.attributes.size', severity: 'low' },
    { pattern: '*.description', severity: 'high' },
    { pattern: 'undeclared', severity: 'medium' },
  ]);
});

const entry = (...lines: readonly string[]): string => `ignore:\n  - ${lines.join('\n    ')}\n`;
const WHY = ['reason: r', 'owner: o'];

test.each([
  ['an unknown key', 'ignored: []\n', 'drift.yaml:1: there is no key "ignored"; did you mean "ignore"?'],
  [
    'a misspelt key of an entry',
    entry(...WHY, 'kind: Cloud', 'untill: 2027-01-31'),
    'drift.yaml:5: ignore.0: there is no key "untill"; did you mean "until"?',
  ],
  ['no reason', entry('owner: o', 'kind: Cloud'), 'drift.yaml:2: ignore.0.reason:'],
  ['no owner', entry('reason: r', 'kind: Cloud'), 'drift.yaml:2: ignore.0.owner:'],
  ['nothing to fit', entry(...WHY), 'drift.yaml:2: ignore.0: needs record, kind, attribute or classification'],
  [
    'no day',
    entry(...WHY, 'kind: Cloud', 'until: 2027-02-30'),
    'drift.yaml:5: ignore.0.until: must be a day like 2027-01-31',
  ],
  [
    'no severity',
    'severities:\n  undeclared: grave\n',
    'drift.yaml:2: severities.undeclared: a severity is one of high, medium, low',
  ],
  [
    'a kind that does not exist',
    'severities:\n  Componet.attributes: low\n',
    'drift.yaml:2: there is no kind "Componet"; did you mean "Component"?',
  ],
  ['no list', 'ignore: { a: b }\n', 'drift.yaml:1: ignore:'],
  ['no YAML', 'ignore: [\n', 'drift.yaml:'],
])('%s is refused, with its place', (_, text, message) => {
  expect(() => read(text)).toThrow(UnusableDriftFile);
  expect(() => read(text)).toThrow(message);
});

test('the attributes that a stack leaves as they are on a day', () => {
  const file = read(
    `ignore:
  - { record: shop/web/a, attribute: attributes.size, reason: r, owner: o, until: 2026-11-21 }
  - { record: shop/web/b, attribute: description, reason: r, owner: o, stacks: prod }
  - { record: shop/web/c, classification: deleted, reason: r, owner: o }
  - { record: shop/web/d, attribute: description, reason: r, owner: o, until: 2026-11-20 }
`,
  );
  const on = (stack: string | undefined, day: string) =>
    ignoredAttributes(file, { stack, day }).map(({ record, attribute }) => `${record} ${attribute}`);
  expect(on('acme/shop/dev', '2026-11-21')).toEqual(['shop/web/a attributes.size']);
  expect(on('prod', '2026-11-22')).toEqual(['shop/web/b description']);
  expect(ignoredAttributes(file, { stack: 'dev', day: '2026-11-21' })).toMatchObject([
    { kind: '*', reason: 'r', owner: 'o', until: '2026-11-21', at: { file: name } },
  ]);
});

test('an expected value takes the place of the earlier one; line breaks and comments stay', () => {
  const value = { record: 'shop/prod/web/east', kind: 'CloudConfiguration', attribute: 'pctScale' };
  const first = withExpected({ name, text: '\uFEFF# ours\r\nignore: [] # none\r\n' }, [{ ...value, value: 50 }]);
  const second = withExpected({ name, text: first }, [{ ...value, value: null }]);
  expect(read(second).expected).toEqual([{ ...value, value: null }]);
  expect(second).toMatch(/^\uFEFF# ours\r\n[^]*# none/);
  expect(second.replaceAll('\r\n', '')).not.toContain('\n');
});

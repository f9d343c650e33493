// What drift.yaml keeps out of a review, and what it must not hide.
import fc from 'fast-check';
import { sampleFinding } from '../../test/sample-review';
import { readDriftFile } from '../../stack';
import type { DriftFinding } from './review';
import { ignoring, withoutIgnored } from './filter';

const TODAY = '2026-11-21';
const name = 'drift.yaml';
const apply = (text: string, findings: readonly DriftFinding[] = [sampleFinding()], today = TODAY, stack = 'dev') =>
  withoutIgnored(readDriftFile({ name, text }), findings, { stack, today });
const entry = (...lines: readonly string[]): string =>
  `ignore:\n  - ${['reason: tuning', 'owner: web@acme.io', ...lines].join('\n    ')}\n`;
const EXACT = ['record: shop/web/compute', 'attribute: attributes.size'];

test.each([
  ['its kind', ['kind: Component'], 1],
  ['its record', ['record: shop/web/compute'], 1],
  ['a pattern of records', ['record: shop/*'], 1],
  ['another record', ['record: shop/web'], 0],
  ['its attribute', ['attribute: attributes.size'], 1],
  ['a pattern of attributes', ['attribute: attributes.*'], 1],
  ['letters that mean something in expressions', ['attribute: attributes.(size)'], 0],
  ['its classification', ['classification: changed'], 1],
  ['another kind and its record', ['kind: Cloud', 'record: shop/web/compute'], 0],
  ['its stack', ['kind: Component', 'stacks: de*'], 1],
  ['another stack', ['kind: Component', 'stacks: [prod]'], 0],
])('an entry by %s', (_, lines, hidden) => {
  const { ignored, findings } = apply(entry(...lines));
  expect([ignored.length, findings.length]).toEqual([hidden, 1 - hidden]);
});

test.each(['exec_cmd', 'execCmd'])('an attribute has the spelling of files or of JSON: %s', (attribute) => {
  expect(apply(entry(`attribute: ${attribute}`), [sampleFinding({ attribute: 'execCmd' })]).ignored).toHaveLength(1);
});

test.each([
  ['high', { severity: 'high' }],
  ['deleted', { classification: 'deleted' }],
] as const)('a %s finding is hidden only by an entry that names it', (_, facts) => {
  const grave = sampleFinding(facts);
  expect(apply(entry('kind: Component'), [grave])).toMatchObject({
    ...{ findings: [grave], ignored: [] },
    problems: [{ severity: 'warning', at: { line: 2 }, message: expect.stringContaining('without *') }],
  });
  expect(apply(entry(...EXACT), [grave])).toMatchObject({ findings: [], ignored: [{ owner: 'web@acme.io' }] });
});

test('an entry holds on its last day, and fails after it', () => {
  const text = entry('kind: Component', 'until: 2026-11-21');
  expect(apply(text).ignored).toMatchObject([{ reason: 'tuning', owner: 'web@acme.io', until: '2026-11-21' }]);
  expect(apply(text, [sampleFinding()], '2026-11-22')).toMatchObject({
    findings: [{}],
    problems: [{ severity: 'error', message: 'the entry of web@acme.io ended on 2026-11-21: tuning' }],
  });
});

test('an entry that fits nothing is a warning', () => {
  expect(apply(entry('kind: Cloud')).problems).toMatchObject([
    { severity: 'warning', at: { file: name, line: 2, column: 5 } },
  ]);
});

test('what is written for findings keeps out exactly these, whatever they are; comments stay', () => {
  const finding = fc.record({
    address: fc.constantFrom('acme/shop/web/a', 'acme/shop/web/b', 'acme/shop/web/*', "acme/shop/'x: #\n- y"),
    attribute: fc.constantFrom(undefined, 'description', 'attributes.size'),
    severity: fc.constantFrom('high', 'medium', 'low'),
    classification: fc.constantFrom('changed', 'touched'),
  });
  const before = fc.constantFrom('', '# ours\n', 'severities: {} # ours\nignore:\n', 'ignore: [] # ours\n');
  fc.assert(
    fc.property(fc.uniqueArray(finding, { selector: JSON.stringify, minLength: 1 }), before, (facts, text) => {
      const all = facts.map((each) => sampleFinding(each as Partial<DriftFinding>));
      const written = ignoring({ name, text }, all, { reason: 'a: "b" #c', owner: 'ann' });
      const outcome = apply(written, all);
      expect(outcome.findings.filter(({ address }) => !address.includes('*'))).toEqual([]);
      expect(apply(written, [sampleFinding({ address: 'acme/shop/other' })]).ignored).toEqual([]);
      if (text.includes('# ours')) expect(written).toContain('# ours');
    }),
  );
});

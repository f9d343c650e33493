// What rules keep out, what they may not, and what is reported of rules that are wrong.
import fc from 'fast-check';
import { sampleFinding } from '../../test/sample-review';
import type { DriftFinding } from '../review/review';
import { addRules, applyRules } from './rules';

const TODAY = '2026-11-21';
const name = 'drift-rules.yaml';
const apply = (text: string, findings: readonly DriftFinding[] = [sampleFinding()], today = TODAY) =>
  applyRules({ text, name }, findings, today);
const told = (text: string, findings?: readonly DriftFinding[]) =>
  apply(text, findings).problems.map(({ severity, at, message }) => `${severity} ${at?.line}:${at?.column} ${message}`);

const rule = (...lines: readonly string[]): string =>
  `rules:\n  - ${['reason: tuning', 'owner: web@acme.io', ...lines].join('\n    ')}\n`;

test.each([
  ['its id', "id: '0000000001'", 1],
  ['an id of digits without quotes', 'id: 0000000001', 1],
  ['another id', 'id: abcdef0123', 0],
  ['its kind', 'kind: Component', 1],
  ['its address', 'address: acme/shop/web/compute', 1],
  ['a pattern of one part', 'address: acme/shop/*/compute', 1],
  ['a pattern of one part for two', 'address: acme/*/compute', 0],
  ['a pattern of any parts', "address: 'acme/**'", 1],
  ['a pattern of attributes', "attribute: 'attributes.*'", 1],
  ['a pattern of attributes too short', "attribute: '*'", 0],
  ['letters that mean something elsewhere', "attribute: 'attributes.(size)'", 0],
  ['a classification', 'classification: changed', 1],
])('a rule by %s', (_, line, hidden) => {
  const { ignored, findings } = apply(rule(line));
  expect({ ignored: ignored.length, findings: findings.length }).toEqual({ ignored: hidden, findings: 1 - hidden });
});

test.each(['exec_cmd', 'execCmd'])('a rule names an attribute as the file does, or as JSON does: %s', (attribute) => {
  const finding = sampleFinding({ attribute: 'execCmd' });
  expect(apply(rule(`attribute: ${attribute}`), [finding]).ignored).toHaveLength(1);
});

test('all that a rule says must hold', () => {
  expect(apply(rule('kind: Component', 'address: elsewhere')).ignored).toEqual([]);
});

test('says who keeps a finding out, why and until when', () => {
  const finding = sampleFinding();
  expect(apply(rule('kind: Component', 'until: 2027-01-31')).ignored).toEqual([
    { finding, reason: 'tuning', owner: 'web@acme.io', until: '2027-01-31' },
  ]);
});

test('the first rule of the file that holds is the one', () => {
  const two = `${rule('kind: Component')}  - { reason: other, owner: x, address: '**' }\n`;
  expect(apply(two).ignored.map(({ reason }) => reason)).toEqual(['tuning']);
  expect(apply(two).problems).toEqual([]);
});

describe('what is severe or deleted stays in unless the rule says so', () => {
  const high = sampleFinding({ severity: 'high' });
  const deleted = sampleFinding({ classification: 'deleted', severity: 'high' });
  test.each([
    [high, [], 0],
    [high, ['includeHigh: true'], 1],
    [high, ['includeHigh: false'], 0],
    [high, ['includeDeleted: true'], 0],
    [deleted, ['includeHigh: true'], 0],
    [deleted, ['includeDeleted: true'], 0],
    [deleted, ['includeHigh: true', 'includeDeleted: true'], 1],
    [sampleFinding({ classification: 'deleted' }), ['includeDeleted: true'], 1],
  ])('%#', (finding, lines, hidden) =>
    expect(apply(rule('kind: Component', ...lines), [finding]).ignored.length).toBe(hidden),
  );

  test('and the rule is reported as too weak, not unused', () => {
    expect(told(rule('kind: Component'), [deleted])).toEqual([
      'warning 2:5 the rule fits Component acme/shop/web/compute attributes.size but does not say includeHigh: true and includeDeleted: true: it is reported all the same',
    ]);
  });
});

test('a rule holds on its last day, and fails after it', () => {
  const text = rule('kind: Component', 'until: 2026-11-21');
  expect(apply(text).ignored.length).toBe(1);
  const after = apply(text, [sampleFinding()], '2026-11-22');
  expect(after.findings.length).toBe(1);
  expect(after.problems).toEqual([
    {
      severity: 'error',
      message: 'the rule of web@acme.io ended on 2026-11-21: tuning',
      at: { file: name, line: 2, column: 5 },
    },
  ]);
});

test.each([
  ['nothing', '', []],
  ['only comments', '# none yet\n', []],
  ['no rules', 'rules: []\n', []],
  [
    'an unused rule',
    rule('id: abcdef0123'),
    ['warning 2:5 the rule of web@acme.io fits no finding: take it out when it is no longer needed'],
  ],
  ['no reason', "rules:\n  - { id: '0000000001', owner: x }\n", ['error 2:5 a rule needs "reason"']],
  [
    'an empty reason and no owner',
    "rules:\n  - { id: '0000000001', reason: ' ' }\n",
    ['error 2:5 a rule needs "reason" and "owner"'],
  ],
  ['nothing to fit', rule(), ['error 2:5 a rule needs an id, or one of kind, address, attribute, classification']],
  [
    'a misspelt key',
    rule('kind: Component', 'untill: 2027-01-31'),
    ['error 5:5 unknown key "untill": did you mean "until"?'],
  ],
  [
    'a key nobody knows',
    rule('kind: Component', 'colour: red'),
    [expect.stringMatching(/^error 5:5 unknown key "colour": known are id, kind/)],
  ],
  ['no day', rule('kind: Component', 'until: soon'), ['error 5:12 must be a day like 2027-01-31']],
  ['a day there is not', rule('kind: Component', 'until: 2027-02-30'), ['error 5:12 must be a day like 2027-01-31']],
  [
    'a flag that is none',
    rule('kind: Component', 'includeHigh: perhaps'),
    ['error 5:18 "includeHigh" must be true or false'],
  ],
  ['no map', 'rules: [x]\n', ['error 1:9 a rule must be a map: id or patterns, reason, owner']],
  ['no list', 'rules: { a: b }\n', ['error 1:8 "rules" must be a list']],
  ['another root', '- a\n', ['error 1:1 a rule file contains one list: rules:']],
  ['another key', 'rules: []\nother: 1\n', ['error 1:1 a rule file contains one list: rules:']],
  ['no YAML', 'rules: [\n', [expect.stringMatching(/^error 1:8 /)]],
])('a file with %s', (_, text, problems) => expect(told(text)).toEqual(problems));

describe('adding rules', () => {
  const ignoring = { reason: 'load test: "until Friday"', owner: 'web@acme.io', until: '2027-01-31' };
  const add = (text: string, findings = [sampleFinding()]): string => addRules({ text, name }, findings, ignoring);

  test.each([
    ['a new file', ''],
    ['a file of comments', '# ours\n'],
    ['an empty list', '# ours\nrules: []   # none\n'],
    ['no list', '# ours\nrules:\n# none'],
    ['rules', `# ours\n${rule('id: abcdef0123')}# the end\n`],
    ['rules without indentation', `rules:\n- id: abcdef0123  # it\n  reason: x\n  owner: y\n`],
    ['no line break at the end', `rules:\n- id: abcdef0123\n  reason: x\n  owner: y # z`],
    ['carriage returns', `rules:\r\n- id: abcdef0123\r\n  reason: x\r\n  owner: y\r\n`],
  ])('to %s: it exists, and all else stays', (_, text) => {
    const findings = [
      sampleFinding({ severity: 'high' }),
      sampleFinding({ id: '0000000002', classification: 'deleted' }),
    ];
    const after = add(text, findings);
    const { ignored, problems } = apply(after, findings);
    expect(ignored).toEqual(findings.map((finding) => ({ finding, ...ignoring })));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const line of text.split('\n').filter((each) => each.includes('#')))
      expect(after).toContain(line.replace('[]', '').trim().split(' # ')[0]);
    expect(apply(after, []).problems.length).toBe(findings.length + (text.includes('abcdef') ? 1 : 0));
  });

  test.each([
    ['a file that is wrong', 'rules: {}\n', 'drift-rules.yaml:1 "rules" must be a list'],
    [
      'a second rule for one finding',
      rule("id: '0000000001'"),
      'drift-rules.yaml:2 already contains a rule for 0000000001',
    ],
    [
      'rules in one line',
      'rules: [{ id: abc, reason: x, owner: y }]\n',
      'drift-rules.yaml:1 the rules are in one line: write one below the other',
    ],
  ])('not to %s', (_, text, message) => expect(() => add(text)).toThrow(message));
});

test('a rule never makes or loses a finding, and the order of findings changes nothing', () => {
  const findings = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('aaaaaaaaa1', 'aaaaaaaaa2', 'aaaaaaaaa3', 'aaaaaaaaa4'),
      severity: fc.constantFrom('high', 'medium', 'low'),
      classification: fc.constantFrom('changed', 'deleted', 'touched'),
      kind: fc.constantFrom('Component', 'Attachment'),
    }),
    { selector: ({ id }) => id },
  );
  const rules = fc.array(
    fc.record(
      {
        id: fc.constantFrom('aaaaaaaaa1', 'aaaaaaaaa2'),
        kind: fc.constantFrom('Component', '*'),
        includeHigh: fc.boolean(),
        includeDeleted: fc.boolean(),
        until: fc.constantFrom('2020-01-01', '2030-01-01'),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(findings, rules, (partial, written) => {
      const all = partial.map((each) => sampleFinding(each as Partial<DriftFinding>));
      const text = JSON.stringify({ rules: written.map((each) => ({ ...each, reason: 'r', owner: 'o' })) });
      const once = apply(text, all);
      expect([...once.findings, ...once.ignored.map(({ finding }) => finding)].map(({ id }) => id).sort()).toEqual(
        all.map(({ id }) => id).sort(),
      );
      const back = apply(text, [...all].reverse());
      expect(back.findings.map(({ id }) => id)).toEqual(once.findings.map(({ id }) => id).reverse());
      for (const { finding } of once.ignored) {
        const says = written.filter(({ until }) => until !== '2020-01-01');
        if (finding.severity === 'high') expect(says.some(({ includeHigh }) => includeHigh)).toBe(true);
        if (finding.classification === 'deleted') expect(says.some(({ includeDeleted }) => includeDeleted)).toBe(true);
      }
    }),
  );
});

test('an address of several lines adds one rule, and no other', () => {
  const others = "a\n  - address: '**'\n    reason: x\n    owner: y\n    #";
  const finding = sampleFinding({ address: `acme/shop/${others}` });
  const text = addRules({ name, text: '' }, [finding], { reason: 'tuning', owner: 'web@acme.io' });
  const next = sampleFinding({ id: 'ffffffffff', address: 'acme/shop/other' });
  const { findings, ignored, problems } = apply(text, [finding, next]);
  expect([findings, ignored.map((each) => each.finding), problems]).toEqual([[next], [finding], []]);
});

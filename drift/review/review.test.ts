// What drift.yaml keeps out of a review, and what it must not hide.
import fc from 'fast-check';
import { sampleReview, sizeFinding } from '../../test/world/sample-review';
import { readDriftFile } from '../../stack/run/drift-file';
import type { DriftFinding, Review, Severity } from './review';
import { withWaiting } from './findings';
import { ignoring, withoutIgnored } from './filter';
import { addToHistory, compareReviews } from './earlier';
import { summaryOf } from './outcome';
import { hide, holdsHidden, split } from './compare';

const TODAY = '2026-11-21';
const name = 'drift.yaml';
const apply = (text: string, findings: readonly DriftFinding[] = [sizeFinding()], today = TODAY) =>
  withoutIgnored(readDriftFile({ name, text }), findings, { stack: 'dev', today });
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
  expect(apply(entry(`attribute: ${attribute}`), [sizeFinding({ attribute: 'execCmd' })]).ignored).toHaveLength(1);
});

test.each([
  ['of high severity', { severity: 'high' }],
  ['deleted', { classification: 'deleted' }],
] as const)('a finding that is %s is hidden only by an entry that names it', (words, facts) => {
  const grave = sizeFinding(facts);
  expect(apply(entry('kind: Component'), [grave])).toMatchObject({
    ...{ findings: [grave], ignored: [] },
    problems: [
      { severity: 'warning', at: { line: 2 }, message: expect.stringContaining(`, which is ${words} and reported`) },
    ],
  });
  expect(apply(entry(...EXACT), [grave])).toMatchObject({ findings: [], ignored: [{ owner: 'web@acme.io' }] });
});

test('an entry holds on its last day, and fails after it', () => {
  const text = entry('kind: Component', 'until: 2026-11-21');
  expect(apply(text).ignored).toMatchObject([{ reason: 'tuning', owner: 'web@acme.io', until: '2026-11-21' }]);
  expect(apply(text, [sizeFinding()], '2026-11-22')).toMatchObject({
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
      const all = facts.map((each) => sizeFinding(each as Partial<DriftFinding>));
      const written = ignoring({ name, text }, all, { reason: 'a: "b" #c', owner: 'ann' });
      const outcome = apply(written, all);
      expect(outcome.findings.filter(({ address }) => !address.includes('*'))).toEqual([]);
      expect(apply(written, [sizeFinding({ address: 'acme/shop/other' })]).ignored).toEqual([]);
      if (text.includes('# ours')) expect(written).toContain('# ours');
    }),
  );
});

test.each([
  ['Component', 'web/compute', 'web/compute'],
  ['Monitor', 'web/compute/monitors/cpu', 'web/compute/cpu'],
  ['Variable', 'platforms/web/variables/LEVEL', 'web/variables/LEVEL'],
])('a %s that was written in a release with a row does not wait a second time', (kind, path, member) => {
  const author = { who: 'maria', when: 1, stage: 'released' } as const;
  const touched = sizeFinding({ kind, address: `acme/shop/${path}`, classification: 'touched', author });
  const release = { of: 'design', address: 'acme/shop', releaseId: 7, environments: [], isCountable: true } as const;
  const waiting = (members: readonly string[]) => withWaiting(touched, [{ ...release, members, isElsewhere: false }]);
  expect([waiting([`~${member}`]).waits, waiting(['~db']).waits]).toEqual([undefined, true]);
});

// What is kept of a review for the next ones: history and comparison.

const reviewOf = (...findings: readonly DriftFinding[]): Review => sampleReview({ findings });
const value = (live: unknown): Partial<DriftFinding> => ({ live: { is: 'value', value: live } });

describe('a comparison', () => {
  const finding = (id: string, with_: Partial<DriftFinding> = {}): DriftFinding => sizeFinding({ id, ...with_ });
  const ids = (findings: readonly DriftFinding[]): readonly string[] => findings.map(({ id }) => id);

  test('shows what is new, gone, changed, the same, ignored and not read', () => {
    const older = reviewOf(
      ...['same', 'moved', 'worse', 'gone', 'hidden'].map((id) => finding(id)),
      finding('lost', { address: 'acme/shop/web/lost' }),
      finding('cron', { address: 'acme/shop/web/cron', classification: 'undeclared' }),
    );
    const newer = sampleReview({
      findings: [
        finding('same', { author: { who: 'paul', when: 9 } }),
        finding('moved', value('XL')),
        finding('worse', { severity: 'high' }),
        finding('new'),
      ],
      ignored: [{ finding: finding('hidden'), reason: 'r', owner: 'o' }],
      unread: [
        { kind: 'Component', address: 'acme/shop/web/lost', reason: '503' },
        { kind: 'Platform', address: 'acme/shop/web', reason: '503' },
      ],
    });
    const compared = compareReviews(older, newer);
    const { changed, ...others } = compared;
    expect(ids(changed.map(({ now }) => now))).toEqual(['moved', 'worse']);
    expect(
      Object.entries(others)
        .map(([name, findings]) => `${name}: ${ids(findings).join()}`)
        .sort(),
    ).toEqual(['gone: gone', 'ignored: hidden', 'new: new', 'same: same', 'unread: lost,cron']);
    expect(compareReviews(older, sampleReview({ findings: [], outcome: 'refused' })).gone).toEqual([]);
    expect(compareReviews(newer, newer).same).toEqual(newer.findings);
  });
});

describe('a history', () => {
  const history = (text: string | undefined) => (text === undefined ? undefined : { text, name: 'drift.jsonl' });

  test('counts a review once, and what it ignores, too', () => {
    const ignored = [{ finding: sizeFinding(), reason: 'r', owner: 'o' }];
    const first = addToHistory(undefined, sampleReview({ findings: [], ignored, started: 100 }));
    expect(first.review.ignored[0]?.finding.history).toEqual({ firstSeen: 100, runs: 1 });
    const same = addToHistory(history(first.text), sampleReview({ findings: [sizeFinding()], started: 100 }));
    expect(same.text).toBe(first.text);
  });

  test('is bounded: what was not seen for longest goes first', () => {
    const many = Array.from({ length: 10_000 }, (_, number) => sizeFinding({ id: `f${number}` }));
    const full = addToHistory(undefined, sampleReview({ findings: many, started: 100 }));
    const more = addToHistory(
      history(full.text),
      sampleReview({ findings: [sizeFinding({ id: 'new' })], started: 200 }),
    );
    expect(more.text.trimEnd().split('\n').length).toBe(10_000);
    expect(more.text).toContain('"id":"new"');
  });

  test('names the line that is none of its own', () => {
    expect(() =>
      addToHistory(history('{"id":"a","firstSeen":1,"lastSeen":1,"runs":1}\n\nbroken\n'), reviewOf()),
    ).toThrow('drift.jsonl:3 is no line of a history of drift reviews');
  });

  test('only grows: first seen never moves, runs go up by one where a finding is seen and stay elsewhere', () => {
    const run = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
        let text: string | undefined;
        const expected = new Map<string, { firstSeen: number; runs: number }>();
        runs.forEach((ids, index) => {
          const started = 1000 + index;
          const { review, text: next } = addToHistory(
            history(text),
            sampleReview({ findings: ids.map((id) => sizeFinding({ id })), started }),
          );
          text = next;
          for (const id of ids)
            expected.set(id, { firstSeen: started, ...expected.get(id), runs: (expected.get(id)?.runs ?? 0) + 1 });
          for (const finding of review.findings) expect(finding.history).toEqual(expected.get(finding.id));
        });
        expect((text ?? '').split('\n').filter((line) => line !== '').length).toBe(expected.size);
      }),
    );
  });
});

// The sentence a review is summed up in: what differs, from which severity on, and how much was read.

const facts = (severities: readonly Severity[], failOn: Severity, read = 36, managed = 36) => ({
  findings: severities.map((severity) => sizeFinding({ severity })),
  unread: [],
  problems: [],
  failOn,
  coverage: { managed, read, undeclared: 0 },
});

test.each([
  ['in-sync', facts([], 'low'), 'no difference; all 36 records were read'],
  ['in-sync', facts([], 'low', 0, 0), 'no difference; the stack has no records yet'],
  ['in-sync', facts(['low'], 'medium'), 'no difference of severity medium or higher; all 36 records were read'],
  ['drift', facts(['high', 'low'], 'low'), '2 differences; all 36 records were read'],
  ['drift', facts(['high', 'low'], 'high'), '1 difference of severity high; all 36 records were read'],
  ['drift', facts([], 'low'), 'no difference, but the rules have an error; all 36 records were read'],
  [
    'incomplete',
    facts(['high'], 'low', 30),
    'not everything could be read: 30 of 36 records were read; 1 difference so far',
  ],
] as const)('%s', (outcome, of, sentence) => {
  expect(summaryOf(outcome, of, 0)).toBe(sentence);
});

// Marks of secrets: where they are found, and that what contains none is not copied.

test('marks are found at any depth, and their paths are said', () => {
  const value = { plain: 1, map: { password: hide('x'), other: [1] }, list: [{ token: hide('y') }] };
  expect(split(value)).toEqual({
    plain: { plain: 1, map: { password: 'x', other: [1] }, list: [{ token: 'y' }] },
    hidden: [['map', 'password'], ['list']],
  });
  expect(split(hide({ deep: hide('z') }))).toEqual({ plain: { deep: 'z' }, hidden: [[]] });
  expect([value, value.map, value.list, [hide(1)]].map(holdsHidden)).toEqual([true, true, true, true]);
});

test('what contains no mark is returned as it is: the states of a fleet are not copied', () => {
  const value = { map: { name: 'x', none: null, nothing: undefined }, list: [{ deep: [1] }, hide] };
  expect(split(value).plain).toBe(value);
  expect(split([value]).hidden).toEqual([]);
  expect([value, null, undefined, 'text', 0].map(holdsHidden)).toEqual([false, false, false, false, false]);
  const beside = split({ value, secret: hide(1) }).plain as { readonly value: unknown };
  expect(beside.value).toBe(value);
});

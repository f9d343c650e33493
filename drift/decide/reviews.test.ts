// What is kept of a review for the next ones: baseline, history, comparison.
import fc from 'fast-check';
import { sampleFinding, sampleReview } from '../../test/sample-review';
import type { DriftFinding } from '../review/review';
import { applyBaseline, baselineOf } from './earlier-reviews';
import { compareReviews } from './earlier-reviews';
import { addToHistory } from './earlier-reviews';

const value = (live: unknown): Partial<DriftFinding> => ({ live: { is: 'value', value: live } });
const baseline = (text: string) => ({ text, name: 'drift-baseline.json' });

describe('a baseline', () => {
  const stood = sampleFinding();
  const text = baselineOf(sampleReview([sampleFinding({ id: '0000000002' }), stood]));

  test('keeps out what it contains', () => {
    const { findings, ignored } = applyBaseline(baseline(text), [stood]);
    expect(findings).toEqual([]);
    expect(ignored).toEqual([
      { finding: stood, reason: 'stood when the baseline was made, on 2026-11-01', owner: 'drift-baseline.json' },
    ]);
  });

  test.each([
    ['another id', { id: '0000000003' }],
    ['a value that moved again', value('XL')],
    ['a value that is gone', { live: { is: 'absent' } as const }],
    ['another classification', { classification: 'conflict' as const }],
  ])('shows %s', (_, with_) => {
    expect(applyBaseline(baseline(text), [sampleFinding(with_)]).findings.length).toBe(1);
  });

  test('knows a secret by who wrote it and when: its digest is of one review alone', () => {
    const secret = (digest: string, when: number): DriftFinding =>
      sampleFinding({ live: { is: 'secret', digest }, author: { who: 'maria', when } });
    const of = baseline(baselineOf(sampleReview([secret('aa', 1)])));
    expect(applyBaseline(of, [secret('bb', 1)]).findings).toEqual([]);
    expect(applyBaseline(of, [secret('aa', 2)]).findings.length).toBe(1);
  });

  test('contains no value, is in one order, and one line a finding', () => {
    const canary = baselineOf(sampleReview([sampleFinding(value('canary-value'))]));
    expect(canary).not.toContain('canary');
    expect(baselineOf(sampleReview([stood, sampleFinding({ id: '0000000002' })]))).toBe(text);
    expect(text.split('\n').filter((line) => line.includes('"digest"')).length).toBe(2);
    expect(applyBaseline(baseline(baselineOf(sampleReview([]))), [stood]).findings).toEqual([stood]);
  });

  test('the order of keys in a value means nothing', () => {
    const of = baseline(baselineOf(sampleReview([sampleFinding(value({ a: 1, b: [2] }))])));
    expect(applyBaseline(of, [sampleFinding(value({ b: [2], a: 1 }))]).findings).toEqual([]);
  });

  test.each(['', '{', '[]', '{"version":2}'])('%j is none', (wrong) => {
    expect(() => applyBaseline(baseline(wrong), [])).toThrow(
      'drift-baseline.json is not a baseline: make one with "pulumi-oneops drift baseline FILE"',
    );
  });
});

describe('a comparison', () => {
  const finding = (id: string, with_: Partial<DriftFinding> = {}): DriftFinding => sampleFinding({ id, ...with_ });
  const ids = (findings: readonly DriftFinding[]): readonly string[] => findings.map(({ id }) => id);

  test('shows what is new, gone, changed, the same, ignored and not read', () => {
    const older = sampleReview([
      finding('same'),
      finding('moved'),
      finding('worse'),
      finding('gone'),
      finding('hidden'),
      finding('lost', { address: 'acme/shop/web/lost' }),
    ]);
    const newer = sampleReview(
      [
        finding('same', { author: { who: 'paul', when: 9 } }),
        finding('moved', value('XL')),
        finding('worse', { severity: 'high' }),
        finding('new'),
      ],
      {
        ignored: [{ finding: finding('hidden'), reason: 'r', owner: 'o' }],
        unread: [{ kind: 'Component', address: 'acme/shop/web/lost', reason: '503' }],
      },
    );
    const compared = compareReviews(older, newer);
    expect({
      new: ids(compared.new),
      gone: ids(compared.gone),
      changed: ids(compared.changed.map(({ now }) => now)),
      same: ids(compared.same),
      ignored: ids(compared.ignored),
      unread: ids(compared.unread),
    }).toEqual({
      new: ['new'],
      gone: ['gone'],
      changed: ['moved', 'worse'],
      same: ['same'],
      ignored: ['hidden'],
      unread: ['lost'],
    });
  });

  test('of a review with itself finds all the same', () => {
    const review = sampleReview([finding('a'), finding('b')]);
    const { same, ...others } = compareReviews(review, review);
    expect(same).toEqual(review.findings);
    expect(Object.values(others).flat()).toEqual([]);
  });
});

describe('a history', () => {
  const history = (text: string | undefined) => (text === undefined ? undefined : { text, name: 'drift.jsonl' });

  test('says since when and in how many reviews a finding is seen', () => {
    const first = addToHistory(undefined, sampleReview([sampleFinding()], { started: 100 }));
    expect(first.review.findings[0]?.history).toEqual({ firstSeen: 100, runs: 1 });
    const between = addToHistory(history(first.text), sampleReview([], { started: 200 }));
    const again = addToHistory(
      history(between.text),
      sampleReview([], { started: 300, ignored: [{ finding: sampleFinding(), reason: 'r', owner: 'o' }] }),
    );
    expect(again.review.ignored[0]?.finding.history).toEqual({ firstSeen: 100, runs: 2 });
    expect(addToHistory(history(again.text), sampleReview([sampleFinding()], { started: 300 })).text).toBe(again.text);
  });

  test('is bounded: what was not seen for longest goes first', () => {
    const many = Array.from({ length: 10_000 }, (_, number) => sampleFinding({ id: `f${number}` }));
    const full = addToHistory(undefined, sampleReview(many, { started: 100 }));
    const more = addToHistory(history(full.text), sampleReview([sampleFinding({ id: 'new' })], { started: 200 }));
    expect(more.text.trimEnd().split('\n').length).toBe(10_000);
    expect(more.text).toContain('"id":"new"');
  });

  test('names the line that is none of its own', () => {
    expect(() =>
      addToHistory(history('{"id":"a","firstSeen":1,"lastSeen":1,"runs":1}\n\nbroken\n'), sampleReview([])),
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
            sampleReview(
              ids.map((id) => sampleFinding({ id })),
              { started },
            ),
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

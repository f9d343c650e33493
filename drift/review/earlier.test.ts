// What is kept of a review for the next ones: history and comparison.
import fc from 'fast-check';
import { sampleFinding, sampleReview } from '../../test/sample-review';
import type { DriftFinding } from './review';
import { compareReviews, addToHistory } from './earlier';

const value = (live: unknown): Partial<DriftFinding> => ({ live: { is: 'value', value: live } });

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

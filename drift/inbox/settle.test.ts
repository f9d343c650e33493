// What becomes of an issue where its text has no room, and where a review counts less than the one before.
import { sampleFinding, sampleReview } from '../../test/drift/sample-review';
import type { DriftFinding, Review } from '../review/review';
import { readIssueText } from './issue-text';
import { settleIssue, type Circumstances, type Issue } from './settle';
import { threadsByStack, type Thread } from './threads';

const reviewOf = (findings: readonly DriftFinding[], of: Partial<Review> = {}): Review =>
  sampleReview({ project: 'shop', findings, ...of });

function settled(review: Review, issue: Issue | undefined, limit = Infinity): ReturnType<typeof settleIssue> {
  const world: Circumstances = {
    reviews: [review],
    commit: 'beef000000000000000000000000000000000002',
    today: '2026-11-22',
    places: {},
    owners: () => [],
    request: () => undefined,
    answers: new Map(),
    limit,
  };
  return settleIssue(threadsByStack([review])[0] as Thread, issue, world);
}

const opened = (review: Review, limit?: number): Issue => {
  const { body = '' } = settled(review, undefined, limit) ?? {};
  return { id: '1', body, state: 'open', url: 'https://acme.io/1' };
};

test('an issue without room for what is found stays open, and nothing of it is called settled', () => {
  const review = reviewOf([sampleFinding(1)]);
  const issue = opened(review);
  const crowded = { ...issue, body: `${'words '.repeat(200)}\n\n${issue.body}` };
  const done = settled(review, crowded, 1_200 + 400);
  expect(readIssueText(done?.body ?? '')?.listed).toEqual([]);
  expect(done).toMatchObject({ news: { added: [], settled: [] } });
  expect(done).not.toHaveProperty('state');
});

test('a finding that still differs, and counts no more, is not called settled in the service or by a commit', () => {
  const low = sampleFinding(1, { severity: 'low' });
  const issue = opened(reviewOf([low]));
  const done = settled(reviewOf([low], { failOn: 'high', outcome: 'in-sync' }), issue);
  expect(done?.body).toContain('still differs, and no longer counts: its severity is low');
  expect(done?.body).not.toMatch(/settled (?:in the service|with commit)/);
});

test('a broken mandatory policy has its issue, without a finding, until a complete review finds it kept', () => {
  const policies = [
    { policy: 'names', level: 'mandatory', address: 'acme/shop/web', message: 'Platform shop/web is named web' },
    { policy: 'redundant', level: 'advisory', address: 'acme/shop/prod', message: 'it is single' },
  ] as const;
  const broken = reviewOf([], { outcome: 'drift', policies });
  const issue = opened(broken);
  expect(issue.body).toMatch(/^- policy <code>names<\/code>.*: .*is named web.* <!-- policy -->$/m);
  expect(issue.body).not.toContain('it is single');
  expect(settled(broken, issue)).toBeUndefined();
  expect(settled(reviewOf([], { outcome: 'incomplete', policies: [] }), issue)).not.toHaveProperty('state', 'closed');
  expect(settled(reviewOf([], { outcome: 'in-sync', policies: [] }), issue)).toMatchObject({ state: 'closed' });
  expect(settled(reviewOf([], { outcome: 'in-sync', policies: policies.slice(1) }), undefined)).toBeUndefined();
});

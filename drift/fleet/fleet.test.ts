// Which findings of several stacks have one cause.
import { sampleFinding, value } from '../../test/world/sample-review';
import type { DriftFinding } from '../review/review';
import type { Cause } from './fleet';
import { causesOf, type ReviewedStack } from './join';

const SERVICE = 'https://oneops.acme.io';

type Of = Partial<DriftFinding>;

/** A finding of a whole record has neither an attribute nor a live value. */
function withoutValue(finding: DriftFinding): DriftFinding {
  if (!['deleted', 'undeclared'].includes(finding.classification)) return finding;
  const { attribute: _, live: __, ...record } = finding;
  return record;
}

/** Stacks `a`, `b`, … of one service, each with one finding. */
const stacks = (...findings: readonly Of[]): readonly ReviewedStack[] =>
  findings.map((of, index) => ({
    stack: 'abcdefgh'[index] ?? '',
    review: {
      service: SERVICE,
      organization: 'acme',
      findings: [withoutValue(sampleFinding(index, { address: `acme/shop${index}/web/tomcat`, ...of }))],
    },
  }));

const groups = (causes: readonly Cause[]): readonly string[] =>
  causes.map((cause) => cause.stacks.map(({ stack }) => stack).join(' ')).sort();

const maria = { who: 'maria', when: 1_000 };
const admin = { who: 'admin', when: 3_000 };

test.each<readonly [what: string, findings: readonly Of[], groups: readonly string[]]>([
  [
    'the same value by the same user, each in another release',
    [{ author: { ...maria, releaseId: 1 } }, { author: { ...maria, releaseId: 2 } }],
    ['a b'],
  ],
  ['a conflict where the file changed, too', [{}, { classification: 'conflict' }], ['a b']],
  ['another value', [{}, { live: value('301') }], ['a', 'b']],
  ['a number and its text', [{ live: value(5) }, { live: value('5') }], ['a', 'b']],
  ['a map in another order', [{ live: value({ a: 1, b: 2 }) }, { live: value({ b: 2, a: 1 }) }], ['a b']],
  ['another user', [{ author: maria }, { author: admin }], ['a', 'b']],
  [
    'one of two users, seen from either of them',
    [{ author: { ...maria, unsure: ['admin'] } }, { author: { ...admin, unsure: ['maria'] } }],
    ['a b'],
  ],
  ['a user who may have been another one', [{ author: maria }, { author: { ...maria, unsure: [] } }], ['a', 'b']],
  ['another attribute', [{}, { attribute: 'attributes.min_threads' }], ['a', 'b']],
  ['another kind', [{}, { kind: 'Attachment' }], ['a', 'b']],
  [
    'secrets, whose values of two reviews cannot be compared',
    [{ live: { is: 'secret', digest: '1' } }, { live: { is: 'secret', digest: '2' } }],
    ['a b'],
  ],
  ['a secret and a value', [{ live: { is: 'secret', digest: '1' } }, {}], ['a', 'b']],
  ['records that were deleted, of one name', [{ classification: 'deleted' }, { classification: 'deleted' }], ['a b']],
  [
    'records that were deleted, of two names',
    [{ classification: 'deleted' }, { classification: 'deleted', address: 'acme/b/web/jetty' }],
    ['a', 'b'],
  ],
  ['a deleted and an undeclared record', [{ classification: 'deleted' }, { classification: 'undeclared' }], ['a', 'b']],
  ['what only the file explains', [{ classification: 'pending' }, { classification: 'healed' }], []],
])('%s', (_, findings, expected) => {
  expect(groups(causesOf(stacks(...findings)))).toEqual(expected);
});

test('users of two services are two users', () => {
  const [one, two] = stacks({}, {}) as [ReviewedStack, ReviewedStack];
  expect(groups(causesOf([one, { ...two, review: { ...two.review, service: 'https://oneops.beta.io' } }]))).toEqual([
    'a',
    'b',
  ]);
});

test('a cause says how bad it is, since when, in which releases, and counts a record of two stacks once', () => {
  const own = { author: { ...maria, releaseId: 7 }, address: 'acme/shop/web/tomcat' };
  const [cause] = causesOf([
    ...stacks(own, own, { severity: 'high', author: { ...maria, when: 2_000, releaseId: 9, stage: 'deployed' } }),
  ]);
  expect(cause).toMatchObject({
    severity: 'high',
    kind: 'Component',
    attribute: 'attributes.max_threads',
    live: { is: 'value', value: '300' },
    author: { who: 'maria', when: 2_000 },
    since: 1_000,
    records: 2,
    stacks: [
      { stack: 'a', organization: 'acme', releases: [7] },
      { stack: 'b', releases: [7] },
      { stack: 'c', releases: [9] },
    ],
  });
});

test('ids and order do not depend on the order of stacks, nor on other stacks', () => {
  const all = stacks({}, { live: value('1') }, {}, { severity: 'high', live: value('2') });
  const causes = causesOf(all);
  expect(causesOf([...all].reverse())).toEqual(causes);
  expect(causes.map(({ severity, stacks: { length } }) => [severity, length])).toEqual([
    ['high', 1],
    ['medium', 2],
    ['medium', 1],
  ]);
  expect(causesOf(all.slice(0, 1))[0]?.id).toBe(causes[1]?.id);
});

test('a cause contains no digest of a secret', () => {
  const causes = causesOf(stacks({ live: { is: 'secret', digest: 'd16e57' } }));
  expect(JSON.stringify(causes)).not.toContain('d16e57');
});

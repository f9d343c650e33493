// Which findings of several stacks have one cause.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { sampleFinding, sampleReview, value } from '../../test/world/sample-review';
import type { DriftFinding } from '../review/review';
import { type FleetCause, causesOf, type Fleet, type FleetFacts, fleetOf, type ReviewedStack } from './fleet';
import { mergeFleets } from './merge';
import { fleetAnswers } from './review-fleet';

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

const groups = (causes: readonly FleetCause[]): readonly string[] =>
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

// Joined shards: what is not of the same run is not taken for a part of it, and a fleet without a stack is not in sync.

const HOUR = 3_600_000;

const facts: FleetFacts = {
  started: 100 * HOUR,
  took: 1000,
  missing: [],
  stacks: [],
  organizations: [],
  notes: [],
  failOn: 'low',
  calls: 1,
};

const shard = (number: number, of: Partial<FleetFacts> = {}): { readonly fleet: Fleet; readonly name: string } => {
  const review = sampleReview({ findings: [], outcome: 'in-sync', summary: 'in sync' });
  const stacks = [{ name: `stack ${number}`, stack: 'dev', outcome: 'in-sync' as const, summary: '', review }];
  return { fleet: fleetOf({ ...facts, stacks, shard: { number, of: 2 }, ...of }), name: `shard-${number}.json` };
};

const NOW = 102 * HOUR;
const merge = (given: readonly ReturnType<typeof shard>[]): Fleet => mergeFleets(given, { now: NOW });

test('the result of an earlier run is left out, and its shard is missing', () => {
  expect(merge([shard(1), shard(2)])).toMatchObject({ outcome: 'in-sync', missing: [] });
  const merged = merge([shard(1), shard(2, { started: 76 * HOUR })]);
  expect(merged).toMatchObject({ outcome: 'incomplete', missing: [{ number: 2, of: 2 }], started: 100 * HOUR });
  expect(merged.stacks.map(({ name }) => name)).toEqual(['stack 1']);
  expect(merged.notes).toEqual([
    'the results of the shards began 1970-01-05 04:00 UTC, 2 hours ago',
    'the result of shard 2 was left out: it began 1970-01-04 04:00 UTC, more than an hour before the last one',
  ]);
});

test('a complete set of yesterday is no review of today, unless that is requested', () => {
  const all = [shard(1), shard(2)];
  expect(() => mergeFleets(all, { now: 125 * HOUR })).toThrow(
    /^the results are of an earlier run: the latest began 1970-01-05 04:00 UTC, 25 hours ago, and the limit is 6 hours;/,
  );
  expect(mergeFleets(all, { now: 125 * HOUR, maxAge: 48 })).toMatchObject({
    outcome: 'in-sync',
    notes: ['the results of the shards began 1970-01-05 04:00 UTC, 25 hours ago'],
  });
});

test('an organization that one of the shards could read is read', () => {
  const read = { service: 'https://oneops.acme.io', organization: 'acme', assemblies: [] };
  const unknown = { service: '', organization: 'acme', assemblies: [], problem: 'no stack is in it' };
  const merged = merge([shard(1, { organizations: [read] }), shard(2, { organizations: [unknown] })]);
  expect(merged).toMatchObject({ outcome: 'in-sync', organizations: [read] });
});

test('a fleet without a stack is not in sync; a shard without one is', () => {
  expect(fleetOf(facts)).toMatchObject({ outcome: 'incomplete', summary: '0 stacks: nothing was reviewed' });
  expect(shard(1, { stacks: [] }).fleet.outcome).toBe('in-sync');
});

// Answers of a fleet: the same after a rest as before, and in no more memory than their bytes.

const answerOf = (number: number): readonly object[] =>
  Array.from({ length: 100 }, (_, item) => ({ ciId: number * 1000 + item, ciName: `variable ${item}` }));

const ROOT = join(__dirname, '..', '..');

/** Bytes that a compressed answer may take; zlib writes it into 16 KB. */
const MOST = 3000;

test('an answer is the same after a rest, also one that rested twice, and a failed one fails again', async () => {
  const { answers, rest } = fleetAnswers();
  const failed = Promise.reject<unknown>(new Error('no answer'));
  answers.set('/large', Promise.resolve(answerOf(1)));
  answers.set('/small', Promise.resolve({ ciId: 1 }));
  answers.set('/failed', failed);
  await expect(failed).rejects.toThrow('no answer');
  for (let rests = 0; rests < 2; rests += 1) {
    rest();
    await expect(answers.get('/large')).resolves.toEqual(answerOf(1));
    await expect(answers.get('/small')).resolves.toEqual({ ciId: 1 });
    await expect(answers.get('/failed')).rejects.toThrow('no answer');
  }
  expect(answers.get('/other')).toBeUndefined();
});

/** Lets a thousand answers rest, and prints the bytes of memory for each, once all that is not needed is given back. */
const RESTING = `
  const { fleetAnswers } = require('./drift/fleet/review-fleet.ts');
  const { answers, rest } = fleetAnswers();
  const items = (number) => Array.from({ length: 100 }, (_, item) => ({ ciId: number * 1000 + item, ciName: 'variable ' + item }));
  const used = () => (gc(), process.memoryUsage().arrayBuffers);
  (async () => {
    const before = used();
    for (let number = 0; number < 1000; number += 1) {
      answers.set('/' + number, Promise.resolve(items(number)));
      await answers.get('/' + number);
    }
    rest();
    // Memory is given back beside the program, a moment later.
    let each = Infinity;
    for (let round = 0; round < 500 && each > ${MOST}; round += 1) {
      each = (used() - before) / 1000;
      await new Promise(setImmediate);
    }
    console.log(each, JSON.stringify(await answers.get('/7')) === JSON.stringify(items(7)));
  })();
`;

test('answers that rest take little memory: the compressed bytes, and not the buffer that zlib wrote them into', () => {
  const words = ['--expose-gc', '--require', './test/run-source.cjs', '-e', RESTING];
  const [each, isSame] = execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }).trim().split(' ');
  expect(Number(each)).toBeGreaterThan(200);
  expect(Number(each)).toBeLessThan(MOST);
  expect(isSame).toBe('true');
});

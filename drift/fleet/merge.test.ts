// Joined shards: what is not of the same run is not taken for a part of it, and a fleet without a stack is not in sync.
import { sampleReview } from '../../test/world/sample-review';
import type { Fleet, FleetFacts } from './fleet';
import { fleetOf } from './join';
import { mergeFleets } from './merge';

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

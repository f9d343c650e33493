// Joins the results of shards: what one run over the whole fleet would have found.
import { isPlainObject } from '../../provider';
import { jsonOf } from '../decide/earlier-reviews';
import { timeText } from '../report/words';
import type { Fleet, OrganizationAssemblies, Shard } from './fleet';
import { fleetOf } from './join';

/** Shards that began farther apart than this, in milliseconds, are not of one run. */
const ONE_RUN = 3_600_000;

/** Reads what `drift --all --json` printed. Throws a TypeError on a text that is no review of a fleet of this version. */
export function readFleet({ text, name }: { readonly text: string; readonly name: string }): Fleet {
  const parsed = jsonOf(text);
  if (!isFleet(parsed))
    throw new TypeError(
      `${name} holds no review of a fleet: save one with "pulumi-oneops drift --all 'stacks/*' --json > fleet.json"`,
    );
  return parsed;
}

/** Members of one version are added, never taken away: these are in every review of a fleet. */
const isFleet = (value: unknown): value is Fleet =>
  isPlainObject(value) &&
  value['version'] === 1 &&
  ['stacks', 'causes', 'missing', 'organizations', 'notes'].every((name) => Array.isArray(value[name]));

/** One review of all shards. Throws Error for results that are not shards of one fleet. */
export function mergeFleets(given: readonly { readonly fleet: Fleet; readonly name: string }[]): Fleet {
  const shards = new Map<number, string>();
  const [first] = given;
  for (const { fleet, name } of given) {
    const { shard } = fleet;
    if (shard === undefined) throw new Error(`${name} is no shard: it is the review of a whole fleet`);
    if (shard.of !== first?.fleet.shard?.of)
      throw new Error(
        `${name} is one of ${shard.of} shards, and ${first?.name ?? ''} one of ${first?.fleet.shard?.of ?? 0}`,
      );
    if (fleet.failOn !== first.fleet.failOn)
      throw new Error(`${name} was made with --fail-on ${fleet.failOn}, and ${first.name} with ${first.fleet.failOn}`);
    const other = shards.get(shard.number);
    if (other !== undefined) throw new Error(`${other} and ${name} are both shard ${shard.number}`);
    shards.set(shard.number, name);
  }
  if (first === undefined) throw new Error('there is nothing to merge: name the files of the shards');
  const latest = Math.max(...given.map(({ fleet }) => fleet.started));
  const isLate = ({ started }: Fleet): boolean => latest - started > ONE_RUN;
  // What is left over from an earlier run would pass for a result of this one.
  const late = given.flatMap(({ fleet }) => (isLate(fleet) ? [fleet] : []));
  const fleets = given.flatMap(({ fleet }) => (isLate(fleet) ? [] : [fleet]));
  const there = fleets.map(({ shard }) => shard?.number);
  const of = first.fleet.shard?.of ?? 0;
  const started = Math.min(...fleets.map((fleet) => fleet.started));
  return fleetOf({
    started,
    took: Math.max(...fleets.map((fleet) => fleet.started + fleet.took)) - started,
    missing: Array.from({ length: of }, (_, index): Shard => ({ number: index + 1, of })).filter(
      ({ number }) => !there.includes(number),
    ),
    stacks: fleets.flatMap(({ stacks }) => stacks),
    organizations: joined(fleets.flatMap(({ organizations }) => organizations)),
    notes: [...new Set([...fleets.flatMap(({ notes }) => notes), ...late.map(lateNote)])],
    failOn: first.fleet.failOn,
    calls: fleets.reduce((sum, { calls }) => sum + calls, 0),
  });
}

/** Each organization once, as one of the shards could read it. A shard without a client for it does not know its service. */
function joined(all: readonly OrganizationAssemblies[]): readonly OrganizationAssemblies[] {
  const readable = [...all].sort(
    (left, right) => Number(left.problem !== undefined) - Number(right.problem !== undefined),
  );
  const isFirst = (each: OrganizationAssemblies, index: number): boolean =>
    readable.findIndex(
      ({ service, organization }) =>
        organization === each.organization && (service === each.service || each.service === ''),
    ) === index;
  return readable.filter(isFirst);
}

const lateNote = ({ started, shard }: Fleet): string =>
  `the result of shard ${shard?.number ?? 0} was left out: it began ${timeText(started)}, more than an hour before the last one`;

// Joins the results of shards into the review that one run over the whole fleet would give.
import { NamedError, WrongInput } from '../../api/errors';
import { hasLists, jsonOf } from '../review/earlier';
import { agoText, timeText } from '../report/words';
import { fleetOf, type Fleet, type OrganizationAssemblies, type Shard } from './fleet';

/** Shards that began farther apart than this, in milliseconds, are not of one run. */
const ONE_RUN = 3_600_000;

/** Default age in hours from which on results are too old: people go on writing to the service. */
export const OLDEST_HOURS = 6;

/** Results that are too old to be joined. Nothing was called wrongly. */
export class StaleResults extends NamedError {}

/** Reads the output of `drift --all --json`. Throws WrongInput for any other text. */
export function readFleet({ text, name }: { readonly text: string; readonly name: string }): Fleet {
  const parsed = jsonOf(text);
  if (hasLists(parsed, ['stacks', 'causes', 'missing', 'organizations', 'notes'])) return parsed as unknown as Fleet;
  throw new WrongInput(
    `${name} contains no review of a fleet: save one with "pulumi-oneops drift --all 'stacks/*' --json > fleet.json"`,
  );
}

interface Given {
  readonly fleet: Fleet;
  readonly name: string;
}

/**
 * One review of all shards. Throws WrongInput unless they are of one fleet. Throws StaleResults if
 * even the latest began more than `maxAge` hours ago: yesterday's would pass for today's.
 */
export function mergeFleets(
  given: readonly Given[],
  { maxAge = OLDEST_HOURS, now = Date.now() }: { readonly maxAge?: number | undefined; readonly now?: number } = {},
): Fleet {
  const first = expectShards(given);
  const latest = Math.max(...given.map(({ fleet }) => fleet.started));
  if (now - latest > maxAge * 3_600_000)
    throw new StaleResults(
      `the results are of an earlier run: the latest began ${timeText(latest)}, ${agoText(latest, now)}, and the limit is ${maxAge} hours; no report was written: review again, or raise the limit with --max-age`,
    );
  const isLate = ({ started }: Fleet): boolean => latest - started > ONE_RUN;
  // What is left over from an earlier run would pass for a result of this one.
  const late = given.flatMap(({ fleet }) => (isLate(fleet) ? [lateNote(fleet)] : []));
  const fleets = given.flatMap(({ fleet }) => (isLate(fleet) ? [] : [fleet]));
  const there = fleets.map(({ shard }) => shard?.number);
  const of = first.shard?.of ?? 0;
  const started = Math.min(...fleets.map((fleet) => fleet.started));
  const began = `the results of the shards began ${timeText(started)}${latest - started < 60_000 ? '' : ` to ${timeText(latest)}`}, ${agoText(started, Math.max(now, started))}`;
  return fleetOf({
    started,
    took: Math.max(...fleets.map((fleet) => fleet.started + fleet.took)) - started,
    missing: Array.from({ length: of }, (_, index): Shard => ({ number: index + 1, of })).filter(
      ({ number }) => !there.includes(number),
    ),
    stacks: onceEachProject(fleets.flatMap(({ stacks }) => stacks)),
    organizations: joined(fleets.flatMap(({ organizations }) => organizations)),
    notes: [...new Set([began, ...fleets.flatMap(({ notes }) => notes), ...late])],
    failOn: first.failOn,
    calls: fleets.reduce((sum, { calls }) => sum + calls, 0),
  });
}

/** The first of the results. Throws WrongInput for results that are not shards of one fleet. */
function expectShards(given: readonly Given[]): Fleet {
  const shards = new Map<number, string>();
  const [first] = given;
  for (const { fleet, name } of given) {
    const { shard } = fleet;
    if (shard === undefined) throw new WrongInput(`${name} is no shard: it is the review of a complete fleet`);
    if (shard.of !== first?.fleet.shard?.of)
      throw new WrongInput(
        `${name} is one of ${shard.of} shards, and ${first?.name ?? ''} one of ${first?.fleet.shard?.of ?? 0}`,
      );
    if (fleet.failOn !== first.fleet.failOn)
      throw new WrongInput(
        `${name} was made with --fail-on ${fleet.failOn}, and ${first.name} with ${first.fleet.failOn}`,
      );
    const other = shards.get(shard.number);
    if (other !== undefined) throw new WrongInput(`${other} and ${name} are both shard ${shard.number}`);
    shards.set(shard.number, name);
  }
  if (first === undefined) throw new WrongInput('there is nothing to merge: name the files of the shards');
  return first.fleet;
}

/** A project whose stacks could not be listed is in every shard: it is one target. */
const onceEachProject = (stacks: Fleet['stacks']): Fleet['stacks'] =>
  stacks.filter(
    ({ name, stack }, index) =>
      stack !== '' || stacks.findIndex((each) => each.name === name && each.stack === '') === index,
  );

/** Each organization once, from a shard that could read it. */
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

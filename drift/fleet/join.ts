// A review of a fleet from its facts: what its members say of each other is worked out here alone, so that joined shards say what one run says.
// Pure.
import { createHash } from 'node:crypto';
import { plural } from '../wording';
import { isWhole } from '../review/outcome';
import { OUTCOMES, type DriftFinding, type Outcome } from '../review/review';
import { causesOf } from './causes';
import type { Cause, Fleet, FleetFacts, Shard } from './fleet';

/** The review of a fleet, from its facts. */
export function fleetOf(given: FleetFacts): Fleet {
  const stacks = [...given.stacks].sort((left, right) => (left.name < right.name ? -1 : 1));
  const facts = { ...given, stacks };
  // A backend or a folder that is another one than was meant has no stack.
  const isEmpty = stacks.length === 0 && facts.shard === undefined;
  const isRead = facts.organizations.every(({ problem }) => problem === undefined);
  const isComplete = facts.missing.length === 0 && isRead && !isEmpty;
  const outcomes = [...stacks.map(({ outcome }) => outcome), ...(isComplete ? [] : ['incomplete'])];
  const reviewed = stacks.flatMap(({ name, review }) => (review === undefined ? [] : [{ stack: name, review }]));
  const causes = causesOf(reviewed);
  const undeclared = undeclaredAmong(facts);
  return {
    version: 1,
    ...facts,
    outcome: OUTCOMES.find((each) => outcomes.includes(each)) ?? 'in-sync',
    summary: summaryOf(facts, causes, undeclared ?? []),
    causes,
    ...(undeclared === undefined ? {} : { undeclared }),
  };
}

/** Assemblies that no stack declares; undefined when that is not known. */
function undeclaredAmong({ stacks, organizations, shard, missing }: FleetFacts): readonly DriftFinding[] | undefined {
  const isPart = shard !== undefined || missing.length > 0 || stacks.some(({ declares }) => declares === undefined);
  if (isPart || organizations.length === 0) return undefined;
  const declared = new Set(
    stacks.flatMap(({ declares }) => (declares?.assemblies ?? []).map((each) => `${declares?.service ?? ''} ${each}`)),
  );
  return organizations.flatMap(({ service, assemblies }) =>
    assemblies.filter(({ address }) => !declared.has(`${service} ${address}`)),
  );
}

function summaryOf(
  { stacks, missing }: FleetFacts,
  causes: readonly Cause[],
  undeclared: readonly DriftFinding[],
): string {
  const count = (outcome: Outcome): number => stacks.filter((each) => each.outcome === outcome).length;
  const unsettled = stacks.filter(({ outcome }) => !isWhole(outcome)).length;
  const broken = stacks.filter(({ policies = [] }) => policies.length > 0).length;
  const assemblies = undeclared.length === 1 ? 'assembly' : 'assemblies';
  const outcomes = [
    [count('in-sync'), 'in sync'],
    [count('drift'), 'with drift'],
    [count('not-deployed'), 'not deployed'],
    [unsettled, 'not reviewed to the end'],
  ] as const;
  const beside = [
    [causes.length, plural(causes.length, 'cause')],
    [broken, `policies are broken in ${plural(broken, 'stack')}`],
    [undeclared.length, `${undeclared.length} ${assemblies} that no stack declares`],
    [missing.length, `${missing.length} of ${plural(missing[0]?.of ?? 0, 'shard')} missing`],
  ] as const;
  const counted = outcomes.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]));
  return [
    `${plural(stacks.length, 'stack')}: ${counted.length === 0 ? 'nothing was reviewed' : counted.join(', ')}`,
    ...beside.flatMap(([number, words]) => (number === 0 ? [] : [words])),
  ].join('; ');
}

/** Whether a stack, by its name, is in a shard: the same in every run, whichever other stacks there are. */
export const isInShard = (name: string, { number, of }: Shard): boolean =>
  createHash('sha256').update(name).digest().readUInt32BE() % of === number - 1;

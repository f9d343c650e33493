// The review of a fleet from its facts, with the causes of its findings: a user, an attribute, a
// value. A release belongs to one assembly, so it cannot join stacks; a cause lists its releases.
import { createHash } from 'node:crypto';
import { plural } from '../../api/errors';
import {
  type Author,
  type Classification,
  type DriftFinding,
  type Outcome,
  type Review,
  OUTCOMES,
  SEVERITIES,
} from '../review/review';

import { isWhole } from '../review/outcome';
import { comparable } from '../review/earlier';
import type { Shard, FleetFacts, Fleet, CausedInStack, Cause } from './fleet';

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

/** Whether a stack is in a shard. Depends on its name alone, not on other stacks. */
export const isInShard = (name: string, { number, of }: Shard): boolean =>
  createHash('sha256').update(name).digest().readUInt32BE() % of === number - 1;

export interface ReviewedStack {
  readonly stack: string;
  readonly review: Pick<Review, 'service' | 'organization' | 'findings'>;
}

/** Nobody did these in the service: the file is ahead, or has followed. */
const OF_THE_FILE: readonly Classification[] = ['pending', 'healed'];

interface Found {
  readonly stack: string;
  readonly review: ReviewedStack['review'];
  readonly finding: DriftFinding;
}

/** Causes, most severe first, then by number of stacks. Changes of the file alone have none. */
export function causesOf(reviewed: readonly ReviewedStack[]): readonly Cause[] {
  const found = reviewed.flatMap(({ stack, review }) =>
    review.findings
      .filter(({ classification }) => !OF_THE_FILE.includes(classification))
      .map((finding): Found => ({ stack, review, finding })),
  );
  const groups = grouped(found, ({ review, finding }) => causeId(review.service, finding));
  const rank = ({ severity }: Cause): number => SEVERITIES.indexOf(severity);
  const order = (left: Cause, right: Cause): number =>
    rank(left) - rank(right) || right.stacks.length - left.stacks.length || (left.id < right.id ? -1 : 1);
  return [...groups].map(([id, group]) => causeOf(id, group)).sort(order);
}

/** Users, and so causes, are of one service. */
function causeId(service: string, finding: DriftFinding): string {
  const { kind, attribute, author, live } = finding;
  const what = attribute ?? [finding.classification, leafOf(finding)];
  const cause = JSON.stringify([service, kind, what, writersOf(author), comparable(live)]);
  return createHash('sha256').update(cause).digest('hex').slice(0, 10);
}

/** The users who may have written it, whichever of them wrote the record last. */
const writersOf = (author: Author | undefined): readonly string[] =>
  author?.unsure === undefined ? [author?.who ?? ''] : ['?', ...new Set([author.who, ...author.unsure].sort())];

const leafOf = ({ address }: DriftFinding): string => address.slice(address.lastIndexOf('/') + 1);

function causeOf(id: string, group: readonly Found[]): Cause {
  const findings = group.map(({ finding }) => finding);
  const [{ kind, attribute, live }] = findings as [DriftFinding];
  const severities = findings.map(({ severity }) => severity);
  const authors = findings.flatMap(({ author }) => author ?? []);
  const latest = [...authors].sort((left, right) => right.when - left.when)[0];
  const times = authors.flatMap(({ when }) => (when === 0 ? [] : [when]));
  const { releaseId: _, stage: __, ...author } = latest ?? {};
  return {
    id,
    severity: SEVERITIES.find((each) => severities.includes(each)) ?? 'low',
    classifications: distinct(findings.map(({ classification }) => classification)).sort(),
    kind,
    ...(attribute === undefined ? { name: leafOf(findings[0] as DriftFinding) } : { attribute }),
    ...(live === undefined ? {} : { live: live.is === 'secret' ? { is: 'secret' } : live }),
    ...(latest === undefined ? {} : { author: author as Author }),
    since: times.reduce((least, time) => (least === 0 ? time : Math.min(least, time)), 0),
    records: new Set(group.map(({ review, finding }) => `${review.organization} ${finding.address}`)).size,
    stacks: [...grouped(group, ({ stack }) => stack)]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([stack, found]) => inStack(stack, found)),
  };
}

function inStack(stack: string, group: readonly Found[]): CausedInStack {
  const findings = group.map(({ finding }) => finding);
  return {
    stack,
    organization: group[0]?.review.organization ?? '',
    findings: findings.map(({ id }) => id).sort(),
    releases: distinct(findings.flatMap(({ author }) => author?.releaseId ?? [])).sort((left, right) => left - right),
  };
}

function grouped(found: readonly Found[], keyOf: (each: Found) => string): ReadonlyMap<string, readonly Found[]> {
  const groups = new Map<string, Found[]>();
  for (const each of found) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

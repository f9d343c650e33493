// The review of many stacks as plain data: the facts of a run, and the causes of its findings. A
// cause is a user, an attribute and a value. Releases join no stacks: each belongs to one assembly.
import { createHash } from 'node:crypto';
import { plural } from '../../api/errors';
import { comparable } from '../review/earlier';
import { isWhole, wasLetIn } from '../review/outcome';
import {
  type Author,
  type Classification,
  type DriftFinding,
  type Outcome,
  OUTCOMES,
  type Review,
  type Severity,
  SEVERITIES,
  type Shown,
} from '../review/review';
import { defined } from '../../provider/values';

/** One stack of a fleet, and what came of its review. */
export interface FleetStack {
  /** Unique in the fleet: `stacks/shop/prod` (folder, stack) or `shop/prod` (project, stack). */
  readonly name: string;
  /** Name of the stack as `pulumi --stack` takes it. */
  readonly stack: string;
  /** Folder of its project, relative to that of the call; absent for a stack of a backend. */
  readonly folder?: string;
  readonly outcome: Outcome;
  /** The service refused the token. */
  readonly authentication?: true;
  /** One sentence that says what the outcome rests on. */
  readonly summary: string;
  /** Absent when there is none: the summary says why. */
  readonly review?: Review;
  /** Its service, and the addresses of its assemblies there; absent when they are not known. */
  readonly declares?: { readonly service: string; readonly assemblies: readonly string[] };
}

/** All assemblies of an organization, declared or not. */
export interface OrganizationAssemblies {
  readonly service: string;
  readonly organization: string;
  /** One finding each, as if nobody declared it. */
  readonly assemblies: readonly DriftFinding[];
  /** Why they could not be read. */
  readonly problem?: string;
}

/** A part of a fleet: `--shard 3/16` reviews the third of sixteen. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

/** The facts that a run, or a join of several, found: everything else follows from them. */
export interface FleetFacts {
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly took: number;
  /** Present in a part of a fleet. */
  readonly shard?: Shard;
  /** Shards without a result. */
  readonly missing: readonly Shard[];
  /** By name. */
  readonly stacks: readonly FleetStack[];
  readonly organizations: readonly OrganizationAssemblies[];
  /** One line each. */
  readonly notes: readonly string[];
  /** Least severity that counts. */
  readonly failOn: Severity;
  /** Requests that were sent; all of them GETs. */
  readonly calls: number;
}

/** A complete review of a fleet. Within one `version`, its JSON only gets new members. */
export interface Fleet extends FleetFacts {
  readonly version: 1;
  readonly outcome: Outcome;
  readonly summary: string;
  /** Findings by what caused them, most severe first. */
  readonly causes: readonly FleetCause[];
  /** Assemblies that no stack declares. Absent when nobody asked, or when this is not known. */
  readonly undeclared?: readonly DriftFinding[];
}

interface CausedInStack {
  readonly stack: string;
  readonly organization: string;
  readonly findings: readonly string[];
  /** Numbers of the releases that brought the value. */
  readonly releases: readonly number[];
}

/** One write, as it shows in one stack or in many: who, which attribute, which value. */
export interface FleetCause {
  /** Ten hexadecimal digits of user, attribute and value: the same in every review. */
  readonly id: string;
  /** The most severe of its findings. */
  readonly severity: Severity;
  readonly classifications: readonly Classification[];
  /** Kind's token: `Component`. */
  readonly kind: string;
  /** Path of the argument; absent when it is about complete records. */
  readonly attribute?: string;
  /** Last part of the address of complete records, which they share: `tomcat`. */
  readonly name?: string;
  /** The new value. Of a secret without a digest: values of two reviews cannot be compared. */
  readonly live?: Shown;
  /** Who wrote it last, and when that was; absent when the service does not say. */
  readonly author?: Author;
  /** Milliseconds since 1970 of the earliest write; 0 when the service does not say. */
  readonly since: number;
  /** Records that differ, each counted once, however many stacks declare it. */
  readonly records: number;
  /** By name. */
  readonly stacks: readonly CausedInStack[];
}

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
    ...defined({ undeclared }),
  };
}

/** A fleet; of a stack that was reviewed alone, a fleet of one, in which the stack has no name. */
export function asFleet(reviewed: Review | Fleet): Fleet {
  if ('stacks' in reviewed) return reviewed;
  const { version, started, took, failOn, outcome, summary, calls, stack = '' } = reviewed;
  const authentication = wasLetIn(reviewed) ? undefined : (true as const);
  const own = { name: '', stack, outcome, summary, review: reviewed, ...defined({ authentication }) };
  const facts = { version, started, took, failOn, outcome, summary, calls };
  return { ...facts, stacks: [own], missing: [], organizations: [], notes: [], causes: [] };
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
  causes: readonly FleetCause[],
  undeclared: readonly DriftFinding[],
): string {
  const count = (outcome: Outcome): number => stacks.filter((each) => each.outcome === outcome).length;
  const unsettled = stacks.filter(({ outcome }) => !isWhole(outcome)).length;
  const broken = stacks.filter(({ review }) => (review?.policies ?? []).length > 0).length;
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
export function causesOf(reviewed: readonly ReviewedStack[]): readonly FleetCause[] {
  const found = reviewed.flatMap(({ stack, review }) =>
    review.findings
      .filter(({ classification }) => !OF_THE_FILE.includes(classification))
      .map((finding): Found => ({ stack, review, finding })),
  );
  const groups = Map.groupBy(found, ({ review, finding }) => causeId(review.service, finding));
  const rank = ({ severity }: FleetCause): number => SEVERITIES.indexOf(severity);
  const order = (left: FleetCause, right: FleetCause): number =>
    rank(left) - rank(right) || right.stacks.length - left.stacks.length || (left.id < right.id ? -1 : 1);
  return [...groups].map(([id, group]) => fleetCauseOf(id, group)).sort(order);
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

function fleetCauseOf(id: string, group: readonly Found[]): FleetCause {
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
    stacks: [...Map.groupBy(group, ({ stack }) => stack)]
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

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

// What many stacks have in common: findings of several reviews, grouped by who wrote which value of which attribute.
// Pure. A release belongs to one assembly, so it cannot join stacks: the releases of a cause are listed in it.
import { createHash } from 'node:crypto';
import { comparable } from '../decide/earlier-reviews';
import { SEVERITIES, type Author, type Classification, type DriftFinding, type Review } from '../review/review';
import type { Cause, CausedInStack } from './fleet';

/** A stack, and what its review found. */
export interface ReviewedStack {
  /** Name of the stack, unique among those that are grouped. */
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

/** The causes of what was found, most severe first, then by the number of stacks. Findings that only the file explains have none. */
export function causesOf(reviewed: readonly ReviewedStack[]): readonly Cause[] {
  const found = reviewed.flatMap(({ stack, review }) =>
    review.findings
      .filter(({ classification }) => !OF_THE_FILE.includes(classification))
      .map((finding): Found => ({ stack, review, finding })),
  );
  const groups = grouped(found, ({ review, finding }) => causeId(review.service, finding));
  const rank = ({ severity }: Cause): number => SEVERITIES.indexOf(severity);
  return [...groups]
    .map(([id, group]) => causeOf(id, group))
    .sort(
      (left, right) =>
        rank(left) - rank(right) || right.stacks.length - left.stacks.length || (left.id < right.id ? -1 : 1),
    );
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

/** By a key, in their order. */
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

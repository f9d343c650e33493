// A whole review: reads what is under review, says what differs, and what that comes to.
// It must not know commands, files or reports.
import type { Api } from '../../api/client';
import { ownUser, type Clock } from '../../provider';
import { newShowing } from './shown';
import { findingsOf, undeclaredFinding, undeployedFinding, type Making } from './findings';
import { applyBaseline } from '../decide/baseline';
import { applyRules } from '../decide/rules';
import { GONE_LIMIT, outcomeOf, summaryOf } from './outcome';
import type { Policy } from './policy';
import { readLive, type LiveRead } from './read-live';
import { watchedApi, type Seen } from './watched-api';
import { SEVERITIES, type DriftFinding, type Review, type Severity } from './review';
import type { Code, StackState } from './sourced';
import { asking } from './asking';
import { withReleases, withWriters } from './attribution';
import { undeclaredIn } from './undeclared';
import { undeployedIn } from './undeployed';
import { knownOf, subjectsOf, type Subject } from './subjects';

/** What is reviewed, and how. Without `code`, or without `state`, the other one is compared with what is live. */
export interface ReviewOptions {
  /** The service. Nothing but GETs is sent through it. */
  readonly api: Api;
  readonly code?: Code | undefined;
  readonly state?: StackState | undefined;
  /** One line each: why a source is missing, warnings on the file. */
  readonly notes?: readonly string[];
  readonly policy?: Policy | undefined;
  /** A rule file's text, and the name findings call it by. */
  readonly rules?: { readonly text: string; readonly name: string } | undefined;
  /** A baseline's text, and the name findings call it by. What it holds is told as ignored. */
  readonly baseline?: { readonly text: string; readonly name: string } | undefined;
  /** Least severity that counts. Default `low`. */
  readonly failOn?: Severity;
  /** Records read at the same time. Default 8. */
  readonly concurrency?: number;
  /** Milliseconds after which what was not read yet is told as such. Default: as long as it takes. */
  readonly timeout?: number | undefined;
  /** Most requests. Default: as many as it takes. */
  readonly maxCalls?: number | undefined;
  /** Milliseconds since 1970. Default: the wall clock. */
  readonly now?: () => number;
  /** Milliseconds by which the service's clock is ahead, once it answered: the times of its records are told by that clock. Default: 0. */
  readonly ahead?: () => number;
  /** Time the lifecycle waits by; for tests. */
  readonly clock?: Clock;
  readonly progress?: (done: number, all: number) => void;
}

/** Clocks that differ by fewer milliseconds count as equal: a service tells its time in whole seconds. */
const SAME_TIME = 5_000;

/** Reviews a stack. Throws what is a defect; what the service refuses or does not answer is part of the review. */
export async function reviewStack(options: ReviewOptions): Promise<Review> {
  const { code, state, notes = [], failOn = 'low', now = Date.now, concurrency = 8 } = options;
  const started = now();
  const signal = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout);
  const { api, seen } = watchedApi(options.api, { maxCalls: options.maxCalls, signal });
  const subjects = subjectsOf(code, state);
  const user = await ownUser(api);
  const wanted = subjects.map((subject) => ({ kind: subject.kind, id: subject.id, known: knownOf(subject) }));
  const reads = await readLive(api, wanted, { concurrency, clock: options.clock, progress: options.progress });
  const making: Making = {
    organization: api.organization,
    showing: newShowing(),
    severities: options.policy?.severities ?? [],
    hasCode: code !== undefined,
    hasState: state !== undefined,
  };
  const ask = asking(api, seen, user === undefined ? 0 : 1);
  const pairs = subjects.map((subject, index) => ({ subject, read: reads[index] as LiveRead }));
  const known = pairs.flatMap(({ subject, read }) => ('unread' in read ? [] : [{ subject, live: read.live }]));
  const standings = await withWriters(ask, seen, known, user);
  const numbers = new Map(known.map(({ subject, live }) => [subject, live && Number(live.outputs['ciId'])]));
  const undeclared = undeclaredIn(seen, subjects, api.organization, numbers);
  const findings = [
    ...(await withReleases(ask, subjects, standings, (subject, standing) => findingsOf(making, subject, standing))),
    ...undeployedIn(known, seen, user).map((each) => undeployedFinding(making, each)),
    ...undeclared.map((each) => undeclaredFinding(making, each)),
  ];
  const unread = reads.flatMap((read) => ('unread' in read ? [read.unread] : []));
  const coverage = { managed: subjects.length, read: subjects.length - unread.length, undeclared: undeclared.length };
  const today = new Date(started).toISOString().slice(0, 10);
  const ruled = options.rules
    ? applyRules(options.rules, sorted(findings), today)
    : { findings: sorted(findings), ignored: [], problems: [] };
  const { baseline } = options;
  const stood = baseline ? applyBaseline(baseline, ruled.findings) : { findings: ruled.findings, ignored: [] };
  const facts = {
    findings: stood.findings,
    ignored: [...ruled.ignored, ...stood.ignored],
    problems: ruled.problems,
    unread,
    coverage,
    failOn,
  };
  const vanished = pairs.filter(
    ({ subject, read }) => 'live' in read && read.live === undefined && hasVanished(subject, seen),
  ).length;
  const outcome = outcomeOf(facts, vanished, options.policy?.gone ?? GONE_LIMIT);
  const ahead = options.ahead?.() ?? 0;
  return {
    version: 1,
    started,
    took: now() - started,
    ...(Math.abs(ahead) < SAME_TIME ? {} : { ahead }),
    service: api.url,
    organization: api.organization,
    ...(user === undefined ? {} : { user }),
    ...(state?.stack === undefined ? {} : { stack: state.stack }),
    compared: [...(code ? ['code' as const] : []), ...(state ? ['state' as const] : []), 'live'],
    notes: [...notes, ...(state?.notes ?? [])],
    outcome,
    summary: summaryOf(outcome, facts, vanished),
    ...facts,
    calls: seen.calls(),
  };
}

/** It was applied, and nothing says who took it away. */
const hasVanished = ({ applied }: Subject, seen: Seen): boolean =>
  applied !== undefined && seen.record(Number(applied.computed['ciId'])) === undefined;

/** Most severe first, then by address and attribute. */
export function sorted(findings: readonly DriftFinding[]): readonly DriftFinding[] {
  const rank = ({ severity, address, attribute }: DriftFinding): readonly [number, string, string] => [
    SEVERITIES.indexOf(severity),
    address,
    attribute ?? '',
  ];
  return [...findings].sort((left, right) => {
    const [a, b] = [rank(left), rank(right)];
    return a[0] - b[0] || compareText(a[1], b[1]) || compareText(a[2], b[2]);
  });
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

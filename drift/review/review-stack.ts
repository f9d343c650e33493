// A complete review: reads what is under review, finds what differs, attributes it, and applies
// drift.yaml. Commands, files and reports do not matter here.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { ownUser } from '../../provider/history';
import { kinds } from '../../provider/kinds';
import { isNotedAt, marksOf } from '../../provider/lifecycle';
import { remembering, knowing, newSession, type Clock } from '../../provider/session';
import { withoutIgnored, recordedIn, type Recorded } from './filter';
import { dayOf, type DriftFile } from '../../stack';
import {
  findingsOf,
  isLeaving,
  releaseFinding,
  undeclaredFinding,
  undeployedFinding,
  unexpectedFindings,
  withWaiting,
  type ReviewContext,
} from './findings';
import { withLastWrites, withReleases, type Evidence } from './authors';
import { outcomeOf, summaryOf } from './outcome';
import {
  answerIfAny,
  madeAgain,
  readLive,
  unreadValues,
  type MadeAgain,
  type LiveRead,
  boundedGets,
  recordingApi,
  type SharedReads,
} from './reading';
import { newRedact } from './compare';
import { SEVERITIES, type DriftFinding, type Review, type Severity, type Unread } from './review';
import { knownOf, subjectsOf, type CodeRecord, type StackState, type Subject } from './sources';
import { madeByOthers, undeclaredIn, unexpectedComments, unexpectedIn } from './undeclared';
import { undeployedIn, type Checking } from './undeployed';
import { openInEnvironments, waitingInDesigns } from './waiting';
import { defined } from '../../provider/values';

/** The subject of a review, and options. Without `code` or `state`, the other one is compared. */
export interface ReviewOptions {
  /** The service. Nothing but GETs is sent through it. */
  readonly api: Api;
  readonly code?: readonly CodeRecord[] | undefined;
  readonly state?: StackState | undefined;
  /** One line each: why a source is missing, warnings on the file. */
  readonly notes?: readonly string[];
  /** The stack's drift.yaml: severities, what is ignored, what is expected. */
  readonly rules?: DriftFile | undefined;
  /** Least severity that counts. Default `low`. */
  readonly failOn?: Severity;
  /** The shared reads of other reviews of the same service and user. */
  readonly shared?: SharedReads | undefined;
  /** Ends the review, as `timeout` does. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which missing reads are reported as such. Default: as long as it takes. */
  readonly timeout?: number | undefined;
  readonly maxCalls?: number | undefined;
  /** Runs the checks of deployments, too. Default: no check is run. */
  readonly checks?: Checking | undefined;
  /** Milliseconds by which the service's clock is ahead, once it answered. Default: 0. */
  readonly ahead?: () => number;
  /** Time the lifecycle waits by; for tests. */
  readonly clock?: Clock;
  readonly progress?: (done: number, all: number) => void;
}

/** The user of the token, or who wrote most of what the stack created, if that user wrote nothing. */
function stackUser(user: string | undefined, subjects: readonly Subject[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { applied } of subjects) {
    const { updatedBy, origin } = applied?.computed ?? {};
    if (typeof updatedBy !== 'string' || updatedBy === '' || origin !== 'created') continue;
    counts.set(updatedBy, (counts.get(updatedBy) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  // One record alone can be of another user, since a refresh read it.
  const isSure = most !== undefined && (user === undefined || (most[1] > 1 && !counts.has(user)));
  return isSure ? most[0] : user;
}

/** Clocks that differ by fewer milliseconds count as equal: the service has whole seconds. */
const SAME_TIME = 5_000;

/** Reviews a stack. What the service refuses or does not answer is part of the review. */
export async function reviewStack(options: ReviewOptions): Promise<Review> {
  const { code, state, notes = [], failOn = 'low', clock, progress } = options;
  const started = Date.now();
  const signal = options.timeout === undefined ? options.signal : AbortSignal.timeout(options.timeout);
  const { api, recording } = recordingApi(options.api, { maxCalls: options.maxCalls, signal, shared: options.shared });
  const elsewhere = await recordElsewhere(api, state);
  // The review of another service would find everything deleted.
  const rules = elsewhere === undefined ? options.rules : undefined;
  const subjects = elsewhere === undefined ? subjectsOf(code, state) : [];
  const user = await ownUser(api);
  const self = stackUser(user, subjects);
  const wanted = subjects.map((subject) => ({ kind: subject.kind, id: subject.id, known: knownOf(subject) }));
  const recorded = rules && recordedIn(rules, api.organization);
  const session = knowing(
    newSession(kinds, clock),
    wanted.map(({ kind, known }) => ({ kind, inputs: known })),
  );
  const first = await readLive(api, wanted, session, progress);
  const asFound = subjects.map((subject, index) => ({ subject, read: first[index] as LiveRead }));
  const hasCode = code !== undefined;
  const { again, unread: unreadAgain } = await madeAgain({ api, session, recording }, asFound, hasCode);
  // What this user made again, such as a revert, is the record.
  const own = subjects.filter((subject) => self !== undefined && again.get(subject)?.by === self);
  const pairs = asFound.map((each) =>
    own.includes(each.subject) ? { ...each, read: (again.get(each.subject) as MadeAgain).read } : each,
  );
  const names = own.map(({ id }) => id).join(', ');
  const numbers = own.length === 1 ? 'its number' : 'their numbers';
  const madeNote = own.length === 0 ? [] : [`made again: ${names}: pulumi up --refresh takes ${numbers}`];
  // What was read for one question answers the others.
  const cached = remembering(api, session.answers);
  const ask = boundedGets(cached, recording);
  const evidence = { api: cached, recording, ask, session, user: self };
  const today = dayOf(started);
  const divided = (all: readonly DriftFinding[]) =>
    withoutIgnored(rules ?? { ignore: [] }, all, { stack: state?.stack, today });
  const { found, undeclared, beside, foundNotes } = await findAll(options, pairs, {
    ...evidence,
    recorded,
    again,
    divided,
  });
  const failed = [...pairs.flatMap(({ read }) => ('unread' in read ? [read.unread] : [])), ...unreadAgain];
  const coverage = { managed: subjects.length, read: subjects.length - failed.length, undeclared };
  const unknown = pairs.flatMap(({ subject, read }) => ('live' in read ? unreadValues(subject, read.live) : []));
  const unread = [...failed, ...unknown, ...beside, ...(elsewhere ? [elsewhere] : [])];
  const left = divided(sorted(found));
  const unused = unread.length === 0 ? (recorded?.problems() ?? []) : [];
  const facts = { ...left, problems: [...left.problems, ...unused], unread, coverage, failOn };
  // It was applied, and nothing says who removed it.
  const vanished = pairs.filter(({ subject, read }) => {
    const isGone = 'live' in read && read.live === undefined && !again.has(subject);
    return isGone && subject.applied && !recording.record(Number(subject.applied.computed['ciId']));
  }).length;
  const outcome = elsewhere === undefined ? outcomeOf(facts, vanished) : 'refused';
  const ahead = options.ahead?.() ?? 0;
  return {
    version: 1,
    started,
    took: Date.now() - started,
    ...(Math.abs(ahead) < SAME_TIME ? {} : { ahead }),
    service: api.url,
    organization: api.organization,
    ...defined({ user, stack: state?.stack, project: state?.project }),
    compared: [...(code ? ['code' as const] : []), ...(state ? ['state' as const] : []), 'live'],
    notes: [...notes, ...(state?.notes ?? []), ...madeNote, ...foundNotes],
    outcome,
    summary: elsewhere?.reason ?? summaryOf(outcome, facts, vanished),
    ...facts,
    calls: recording.calls(),
  };
}

/** A record of the state that is at another service; none where the service lists no clouds. */
async function recordElsewhere(api: Api, state: StackState | undefined): Promise<Unread | undefined> {
  const here = `${api.url} ${api.organization}`;
  // Records of other organizations are reported as not read.
  const own = (state?.records ?? []).filter(({ id }) => id.startsWith(`${api.organization}/`));
  const away = own.filter(({ service }) => service !== '' && !isNotedAt(service, here));
  // The same service may have another address.
  const clouds = away.length === 0 ? undefined : await answerIfAny(() => api.call(routes.clouds.list, {}));
  const found = clouds && away.find(({ service }) => !isNotedAt(service, here, marksOf(clouds)));
  if (found === undefined) return undefined;
  const reason = `the stack is at ${found.service.split(' ', 2).join('/')}, and the settings name ${api.url}/${api.organization}: correct oneops:url or ONEOPS_URL, and the organization`;
  return { kind: found.kind.token, address: found.id, reason };
}

/** All findings, the number of undeclared records, failed reads, and what nothing shows. */
async function findAll(
  { api: { organization }, code, state, rules, checks }: ReviewOptions,
  pairs: readonly { readonly subject: Subject; readonly read: LiveRead }[],
  evidence: Evidence & {
    readonly recorded: Recorded | undefined;
    readonly again: ReadonlyMap<Subject, MadeAgain>;
    readonly divided: (all: readonly DriftFinding[]) => Pick<Review, 'findings' | 'ignored'>;
  },
) {
  const { recording, again } = evidence;
  const context: ReviewContext = {
    organization,
    redact: newRedact(),
    severities: rules?.severities ?? [],
    hasCode: code !== undefined,
    hasState: state !== undefined,
  };
  const subjects = pairs.map(({ subject }) => subject);
  const known = pairs.flatMap(({ subject, read }) => ('unread' in read ? [] : [{ subject, live: read.live }]));
  const reviewed = await withLastWrites(evidence, known);
  const numbers = new Map(known.map(({ subject, live }) => [subject, live && Number(live.outputs['ciId'])]));
  const theirs = madeByOthers(evidence, known);
  const unexpected = await unexpectedIn(evidence, known);
  const onRecords = [
    ...reviewed.map((record) => ({
      record,
      findings: findingsOf(context, record, { isOthers: theirs.has(record.subject), again: again.get(record.subject) }),
    })),
    ...[...unexpected.records, ...unexpectedComments(recording, reviewed)]
      .filter(({ within }) => !isLeaving(context, within))
      .map((each) => ({ record: each.record, findings: unexpectedFindings(context, each) })),
  ].map(({ record: { subject, live, lastWrite }, findings }) => ({
    subject,
    live,
    author: lastWrite.author,
    findings,
  }));
  const attributed = await withReleases(evidence, subjects, onRecords);
  const { records: all, ...rest } = await undeclaredIn(evidence, subjects, numbers);
  // What is in place of a record that is gone, its finding names.
  const remade = new Set<number | undefined>([...again.values()].map(({ ciId }) => ciId));
  const undeclared = { ...rest, records: all.filter(({ record }) => !remade.has(record.ciId)) };
  const undeployed = await undeployedIn({ ...evidence, checks }, known);
  const differing = [
    ...withoutExplained(attributed),
    ...undeployed.found.map((each) => undeployedFinding(context, each)),
    ...undeclared.records.map((each) => undeclaredFinding(context, each)),
  ];
  // A change of which no row is left waits to be deployed all the same.
  const { findings, ignored } = evidence.divided(differing);
  const { waiting, notes } = await waitingInDesigns(evidence.api, known, findings);
  return {
    found: [
      ...differing.map((each) => withWaiting(each, waiting)),
      ...[...waiting, ...openInEnvironments(ignored)].map((each) => releaseFinding(context, each)),
    ],
    undeclared: undeclared.records.length,
    beside: [...unexpected.unread, ...undeclared.unread, ...undeployed.unread],
    foundNotes: [...unexpected.notes, ...undeployed.notes, ...notes],
  };
}

/** The findings, without writes of records where an undeclared value shows what was written. */
function withoutExplained(findings: readonly DriftFinding[]): readonly DriftFinding[] {
  const keyOf = ({ kind, address }: DriftFinding): string => `${kind} ${address}`;
  const explained = new Set(findings.filter(({ classification }) => classification === 'unexpected').map(keyOf));
  return findings.filter(
    (each) => each.classification !== 'touched' || each.attribute !== undefined || !explained.has(keyOf(each)),
  );
}

/** Most severe first, then by address and attribute. */
function sorted(findings: readonly DriftFinding[]): readonly DriftFinding[] {
  const keyOf = ({ severity, address, attribute = '' }: DriftFinding): string =>
    [SEVERITIES.indexOf(severity), address, attribute].join('\0');
  return [...findings].sort((left, right) => Number(keyOf(left) > keyOf(right)) - Number(keyOf(left) < keyOf(right)));
}

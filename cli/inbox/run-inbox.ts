// One run of an inbox: reads the issues once, settles each thread, and writes only what changed.
import {
  filePath,
  readIssueText,
  settleIssue,
  threadKeyIn,
  touches,
  type Circumstances,
  type DriftFinding,
  type FilePatch,
  type Issue,
  type ListedFinding,
  type News,
  type Review,
  type Thread,
} from '../../drift';
import { messageOf } from '../../api/errors';
import { requestedIds, TrackerError, type Tracker } from './tracker';

/** What a run did to an issue. */
export interface WrittenIssue {
  readonly is: 'opened' | 'edited' | 'closed' | 'reopened' | 'closed as a duplicate';
  readonly title: string;
  readonly url: string;
  readonly news: News;
}

/** What a run is about, besides the place. */
interface InboxRun {
  readonly threads: readonly Thread[];
  /** Whether an issue without a thread is settled, too: nothing is found of it any more. */
  readonly isOurs: (key: string) => boolean;
  readonly reviews: readonly Review[];
  readonly world: Omit<Circumstances, 'reviews' | 'request' | 'answers' | 'limit'>;
  readonly answer: Answering;
}

/** What a run came to. `failed`: one message for each issue that could not be written. */
export interface InboxOutcome {
  readonly written: readonly WrittenIssue[];
  readonly failed: readonly string[];
}

/** A finding with a ticked box. */
export interface Ticked {
  readonly listed: ListedFinding;
  readonly finding: DriftFinding;
  readonly review: Review;
}

/** Carries out what is ticked in an issue. `answers` and `requests` are by the id of the finding. */
export type Answering = (
  tracker: Tracker,
  what: Pick<Circumstances, 'commit' | 'places' | 'owners'> & {
    readonly issue: Issue;
    readonly title: string;
    readonly ticked: readonly Ticked[];
  },
) => Promise<{ readonly answers: ReadonlyMap<string, string>; readonly requests: ReadonlyMap<string, string> }>;

/** One thread, with all that it is settled by. */
interface Work {
  readonly tracker: Tracker;
  readonly thread: Thread;
  readonly world: Circumstances;
  readonly answer: Answering;
}

/** Brings the inbox up to date. Throws TrackerError if the place cannot be read; what cannot be written is part of the outcome. */
export async function runInbox(
  tracker: Tracker,
  { threads: given, isOurs, reviews, world, answer }: InboxRun,
): Promise<InboxOutcome> {
  const issues = await tracker.issues();
  const keys = new Set(given.map(({ key }) => key));
  const others = issues.flatMap(({ body }) => threadKeyIn(body) ?? []).filter((key) => isOurs(key) && !keys.has(key));
  const threads = [...given, ...[...new Set(others)].map((key) => ({ key, title: `Drift of ${key}`, findings: [] }))];
  const request = threads.some(({ findings }) => findings.length > 0)
    ? await requestsFor(tracker, world.places)
    : () => undefined;
  const circumstances = { ...world, request, reviews, answers: new Map<string, string>(), limit: tracker.limit };
  const written: WrittenIssue[] = [];
  const failed: string[] = [];
  for (const thread of threads) {
    const known = issues.filter(({ body }) => threadKeyIn(body) === thread.key);
    try {
      written.push(...(await settled({ tracker, thread, world: circumstances, answer }, known)));
    } catch (error) {
      if (!(error instanceof TrackerError) || error.isToken) throw error;
      failed.push(`${thread.title}: ${messageOf(error)}`);
    }
  }
  return { written, failed };
}

/** The open request that settles a finding: one of the inbox, or one that changes its line. */
async function requestsFor(tracker: Tracker, places: Circumstances['places']): Promise<Circumstances['request']> {
  const open: {
    readonly reference: string;
    readonly ids: readonly string[];
    readonly patches: readonly FilePatch[];
  }[] = [];
  for (const request of await tracker.requests())
    open.push({
      reference: request.reference,
      ids: requestedIds(request.body),
      patches: await request.patches(),
    });
  return ({ id, at }) =>
    open.find(({ ids, patches }) => ids.includes(id) || (at && touches(patches, filePath(at.file, places), at.line)))
      ?.reference;
}

async function settled(work: Work, known: readonly Issue[]): Promise<readonly WrittenIssue[]> {
  const { thread, world } = work;
  const [first, ...doubles] = known.filter(({ state }) => state === 'open');
  const issue = first ?? known.at(-1);
  const isToWrite = settleIssue(thread, issue, world) !== undefined || tickedIn(issue, work).length > 0;
  const done = !isToWrite ? [] : issue === undefined ? await opened(work) : await edited(work, issue.id);
  return [...done, ...(await withoutDoubles(work, first, doubles))];
}

async function opened(work: Work): Promise<readonly WrittenIssue[]> {
  const { tracker, thread, world } = work;
  const { title, key } = thread;
  const planned = settleIssue(thread, undefined, world);
  if (planned === undefined) return [];
  const { url, id } = await tracker.create(title, planned.body, key);
  const written = { is: 'opened' as const, title, url, news: planned.news };
  // Another run may have opened one at the same time: the older one stays.
  const open = (await tracker.issues()).filter(({ body, state }) => state === 'open' && threadKeyIn(body) === key);
  const mine = open.slice(1).filter((each) => each.id === id);
  return [written, ...(await withoutDoubles(work, open[0], mine))];
}

/** Edits an issue as it is now: somebody may have written in it since it was listed, or while its ticks were carried out. */
async function edited({ tracker, thread, world, answer }: Work, id: string): Promise<readonly WrittenIssue[]> {
  const { title, key } = thread;
  let issue = await tracker.read(id);
  let decided = world;
  const ticked = tickedIn(issue, { thread, world });
  if (ticked.length > 0) {
    const { answers, requests } = await answer(tracker, { ...world, issue, title, ticked });
    decided = { ...world, answers, request: (finding) => requests.get(finding.id) ?? world.request(finding) };
    issue = await tracker.read(id);
  }
  const planned = threadKeyIn(issue.body) === key ? settleIssue(thread, issue, decided) : undefined;
  if (planned === undefined) return [];
  await tracker.update(id, planned.body, planned.state);
  const is = planned.state === undefined ? 'edited' : planned.state === 'closed' ? 'closed' : 'reopened';
  return [{ is, title, url: issue.url, news: planned.news }];
}

/** The findings of an open issue that somebody decided on, and that nothing else settles yet. */
function tickedIn(issue: Issue | undefined, { thread, world }: Pick<Work, 'thread' | 'world'>): readonly Ticked[] {
  const listed = issue?.state === 'open' ? (readIssueText(issue.body)?.listed ?? []) : [];
  return listed.flatMap((each) => {
    const found = thread.findings.find(({ finding }) => finding.id === each.id);
    const isOpen = each.ticked.length > 0 && found !== undefined && world.request(found.finding) === undefined;
    return isOpen ? [{ listed: each, finding: found.finding, review: found.review }] : [];
  });
}

/** Closes the other issues of a thread. Their marks go, so that nobody takes them for the thread's again; the rest of their texts stays. */
async function withoutDoubles(
  { tracker, thread: { title, key } }: Pick<Work, 'tracker' | 'thread'>,
  kept: Issue | undefined,
  doubles: readonly Issue[],
): Promise<readonly WrittenIssue[]> {
  if (kept === undefined) return [];
  const written: WrittenIssue[] = [];
  for (const { id, body, url } of doubles) {
    const mark = `<!-- pulumi-oneops inbox ${key} -->`;
    await tracker.update(id, body.replace(mark, `Duplicate of ${kept.url}.\n`), 'declined');
    written.push({ is: 'closed as a duplicate', title, url, news: { added: [], changed: [], settled: [] } });
  }
  return written;
}

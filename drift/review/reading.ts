// How a review reads: with a client that refuses anything but GET, keeps to a limit and records the
// answers. Each record is read through the provider's own lifecycle; what a review asks beyond its
// records goes through `boundedGets`.
import type * as z from 'zod';
import type { Api } from '../../api/client';
import {
  type CallInput,
  fillPath,
  type Layer,
  layered,
  type Record as WireRecord,
  type Route,
} from '../../api/contract';
import { Bug, Forbidden, messageOf, NotFound, OneOpsError, Unauthenticated } from '../../api/errors';
import { type Inputs, LifecycleError, type Session } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, SILENT, type State } from '../../provider/lifecycle';
import type { Unread } from './review';
import { knownOf, type Place, type Subject } from './sources';

/** A record or relation as answered; in a comparison with its pack, with the holding component. */
export interface AnsweredRecord extends Partial<WireRecord> {
  readonly ciRelationId?: number;
  readonly component?: { readonly ciName?: string } | null;
}

type Address = { readonly [parameter: string]: string };

export type ReviewRecording = ReturnType<typeof recordingApi>['recording'];

type Answer<R extends Route> = z.output<R['answer']>;

interface ReadLimits {
  readonly maxCalls?: number | undefined;
  /** Ends the review: what is still to be read is reported as not read. */
  readonly signal?: AbortSignal | undefined;
  /** The shared reads of several reviews of the same service and user. */
  readonly shared?: SharedReads | undefined;
}

/** Answers that several reviews share: each request is sent once for all of them. */
export interface SharedReads {
  /** By path and query. */
  readonly answers: {
    get(key: string): Promise<unknown> | undefined;
    set(key: string, answer: Promise<unknown>): unknown;
  };
  /** Counts a request against the limit of all reviews; false when that is reached. */
  readonly take: () => boolean;
}

/** The client, and a recording of its answers. Throws Bug for a request that is no GET. */
export function recordingApi(api: Api, { maxCalls = Infinity, signal, shared }: ReadLimits) {
  const records = new Map<number, AnsweredRecord>();
  const answers: { readonly route: string; readonly address: Address; readonly answer: unknown }[] = [];
  let calls = 0;
  const limited: Layer = (next) => async (route, input) => {
    if (route.method !== 'GET') throw new Bug(`a review was about to send ${route.method} ${route.name}`);
    if (calls >= maxCalls || shared?.take() === false)
      throw new LifecycleError(
        maxCalls === Infinity
          ? 'the requests of all reviews are used up'
          : `more than ${maxCalls} requests would be needed`,
        'allow more with --max-calls',
      );
    calls += 1;
    return next(route, signal === undefined ? input : { ...input, signal }).catch((error: unknown) => {
      throw signal?.aborted
        ? new LifecycleError('the time of the review was over', 'allow more with --timeout')
        : error;
    });
  };
  const recorded: Layer = (next) => async (route, input) => {
    const answer = await next(route, input);
    for (const item of Array.isArray(answer) ? (answer as readonly unknown[]) : [answer]) collect(records, item);
    answers.push({ route: route.name, address: input.address ?? {}, answer });
    return answer;
  };
  const reading = layered(api, limited);
  return {
    api: layered(shared === undefined ? reading : onceEach(reading, shared.answers), recorded),
    recording: {
      /** Requests handed to the client. */
      calls: () => calls,
      /** A record, or a relation, by its number. */
      record: (id: number) => records.get(id),
      named: (name: string) => [...records.values()].filter(({ ciName }) => ciName === name),
      /** First answer of a route whose address has these parameters. */
      answer: <R extends Route>(route: R, address: Address | undefined): Answer<R> | undefined =>
        answers.find((each) => each.route === route.name && hasAll(each.address, address))?.answer as never,
    },
  };
}

/** Keeps a record or relation by its number, and the relations inside it. */
function collect(records: Map<number, AnsweredRecord>, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const record = value as AnsweredRecord & { readonly consumes?: readonly AnsweredRecord[] | null };
  if (typeof record.ciId === 'number') records.set(record.ciId, record);
  if (typeof record.ciRelationId === 'number') records.set(record.ciRelationId, record);
  record.consumes?.forEach((each) => collect(records, each));
}

/** Whether a request's address has all of the wanted parameters; it may have more. */
const hasAll = (address: Address, wanted: Address | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => address[name] === value);

/** A client that sends each request once, for all callers, also one that fails. */
export function onceEach(api: Api, sent: SharedReads['answers'] = new Map<string, Promise<unknown>>()): Api {
  return layered(api, (next) => (route, input) => {
    const path = fillPath(route.path, { organization: api.organization, ...input.address });
    const key = `${path}?${new URLSearchParams(input.query).toString()}`;
    const known = sent.get(key);
    if (known !== undefined) return known;
    const answer = next(route, input);
    sent.set(key, answer);
    return answer;
  });
}

/** Most requests beyond the records under review and its user, whatever the size of the review. */
const MOST_FURTHER_CALLS = 9;

/** A request beyond the records. Null: there is no such thing; undefined: it was not answered. */
export type Ask = <R extends Route>(route: R, input: CallInput) => Promise<Answer<R> | null | undefined>;

/** Few requests, each sent once, and none whose answer is recorded. */
export function boundedGets(api: Api, recording: ReviewRecording): Ask {
  let left = MOST_FURTHER_CALLS;
  const unrecorded: Layer = (next) => async (route, input) => {
    // Every list is recorded whole, or from its newest entry: a page of it needs no request.
    const isAPage = Object.keys(input.query ?? {}).every((name) => name === 'size');
    return (isAPage ? recording.answer(route, input.address) : undefined) ?? next(route, input);
  };
  const bounded: Layer = (next) => async (route, input) => {
    if (left <= 0) return undefined;
    left -= 1;
    const answer = await attempt(() => next(route, input));
    if (answer instanceof NotFound) return null;
    return answer instanceof OneOpsError ? undefined : answer;
  };
  const bounding = onceEach(layered(api, unrecorded, bounded));
  return (route, input) => bounding.call(route, input);
}

/** A client over bounded requests. Throws LifecycleError for what they do not answer. */
export const boundedApi = (api: Api, ask: Ask): Api =>
  layered(api, () => async (route, input) => {
    const answer = await ask(route, input);
    if (answer === undefined || answer === null)
      throw new LifecycleError(`${route.name} was not answered, or no request is left for it`);
    return answer;
  });

/** The answer, or why there is none. A defect of ours is thrown. */
export async function attempt<T>(ask: () => Promise<T>): Promise<T | OneOpsError> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof OneOpsError) || error instanceof Bug) throw error;
    return error;
  }
}

/** The answer; undefined where there is none, whatever the reason. */
export async function answerIfAny<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const answer = await attempt(ask);
  return answer instanceof OneOpsError ? undefined : answer;
}

/** The record in the service, undefined when it is certainly gone; or why it was not read. */
export type LiveRead = { readonly live: State | undefined } | { readonly unread: Unread };

/** Does a job for each item, in their order, for at most `most` of them at one time. */
export async function sideBySide<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}

/** Records that are read at one time. */
const AT_ONCE = 8;

/**
 * Reads all; an answer for each, in their order. A failure keeps no other from being read.
 * `progress` is called after each record.
 */
export async function readLive(
  api: Api,
  wanted: readonly (Place & { readonly known: Inputs })[],
  session: Session,
  progress?: (done: number, all: number) => void,
): Promise<readonly LiveRead[]> {
  const lives = new Map(kinds.map((kind) => [kind.token, lifecycle(kind, () => Promise.resolve(api), session)]));
  const answers: LiveRead[] = [];
  let done = 0;
  await sideBySide(collectionsFirst(wanted), AT_ONCE, async (index) => {
    const { known, ...place } = wanted[index] as (typeof wanted)[number];
    const live = await attempt(async () => lives.get(place.kind.token)?.read(place.id, known, SILENT));
    answers[index] = live instanceof OneOpsError ? { unread: unreadOf(place, live) } : { live };
    done += 1;
    progress?.(done, wanted.length);
  });
  return answers;
}

/** Indexes, one of each collection first: others of a list only wait, and would block lists. */
function collectionsFirst(wanted: readonly Place[]): readonly number[] {
  const begun = new Set<string>();
  const first: number[] = [];
  const others: number[] = [];
  for (const [index, { kind, id }] of wanted.entries()) {
    const collection = `${kind.token} ${id.slice(0, id.lastIndexOf('/'))}`;
    (begun.has(collection) ? others : first).push(index);
    begun.add(collection);
  }
  return [...first, ...others];
}

/** Whether the service refused the token. */
export const isRefusal = (error: OneOpsError): boolean =>
  error instanceof Unauthenticated || error instanceof Forbidden;

/** The message of a failure, with what to do about it. */
export const inOneLine = (error: unknown): string => messageOf(error).replace(/\s*\n\s*/g, '; ');

/** A record that could not be read, with the reason, in one line. */
const unreadOf = ({ kind, id }: Place, error: OneOpsError): Unread => ({
  kind: kind.token,
  address: id,
  reason: error.message.split('\n')[0] ?? error.message,
  ...(isRefusal(error) ? { authentication: true } : {}),
});

/** Values that no read shows: `enabled` of a platform, where open changes are not listed. */
export const unreadValues = ({ kind, id }: Place, live: State | undefined): readonly Unread[] =>
  Object.entries(live?.unknown ?? {}).map(([name, why]) => ({
    kind: kind.token,
    address: id,
    reason: `the value of ${name} is not known: ${why}`,
  }));

/** The same of what nobody declares in a record. */
export function unreadBelow(place: Place, error: OneOpsError): Unread {
  const unread = unreadOf(place, error);
  return { ...unread, reason: `what nobody declares in it could not be read: ${unread.reason}` };
}

// Records of the state that are gone, and that somebody made again: under their names, with numbers
// that the state lacks.

/** The record in place of one that is gone. */
export interface MadeAgain {
  readonly read: LiveRead;
  readonly ciId: number;
  readonly by: string;
}

/**
 * What is in place of declared records that are gone, as far as lists that were read show it.
 * `unread`: of which of them this could not be read.
 */
export async function madeAgain(
  asking: { readonly api: Api; readonly session: Session; readonly recording: ReviewRecording },
  pairs: readonly { readonly subject: Subject; readonly read: LiveRead }[],
  hasCode: boolean,
): Promise<{ readonly again: ReadonlyMap<Subject, MadeAgain>; readonly unread: readonly Unread[] }> {
  const { api, session, recording } = asking;
  const gone = pairs.flatMap(({ subject, read }) => {
    const isGone = 'live' in read && read.live === undefined;
    const isDeclared = subject.applied !== undefined && !(hasCode && subject.code === undefined);
    return isGone && isDeclared && recording.named(subject.id.replace(/^.*\//, '')).length > 0 ? [subject] : [];
  });
  const byName = gone.map((subject) => {
    const { ciId: _, ...known } = knownOf(subject);
    return { kind: subject.kind, id: subject.id, known };
  });
  const reads = await readLive(api, byName, session);
  const again = gone.flatMap((subject, index) => {
    const read = reads[index] as LiveRead;
    const ciId = 'live' in read ? Number(read.live?.outputs['ciId']) : NaN;
    const by = recording.record(ciId)?.createdBy;
    return by ? [[subject, { read, ciId, by }] as const] : [];
  });
  return { again: new Map(again), unread: reads.flatMap((read) => ('unread' in read ? [read.unread] : [])) };
}

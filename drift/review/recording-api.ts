// A client that only reads: it refuses anything but GET, counts requests, keeps to a limit, and records the answers.
// What a review asks beyond its records goes through `boundedGets`.
import type { Api } from '../../api/client';
import { fillPath, layered, type Call, type Layer, type Route } from '../../api/contract';
import { Bug, NotFound, OneOpsError } from '../../api/errors';
import { LifecycleError } from '../../provider';

/** A record or relation as the service answered it, by the members a review looks at. */
export interface AnsweredRecord {
  readonly ciId?: number;
  readonly ciRelationId?: number;
  readonly ciName?: string;
  readonly ciClassName?: string;
  readonly nsPath?: string;
  readonly createdBy?: string | null;
  readonly updatedBy?: string | null;
  readonly created?: number | null;
  readonly updated?: number | null;
  readonly rfcId?: number | null;
  readonly releaseId?: number | null;
  readonly lastAppliedRfcId?: number | null;
  readonly rfcAction?: string | null;
  readonly ciState?: string | null;
  readonly rfcCreatedBy?: string | null;
  readonly rfcUpdatedBy?: string | null;
  readonly rfcCreated?: number | null;
  readonly rfcUpdated?: number | null;
  readonly ciAttributes?: { readonly [name: string]: string | null };
  readonly ciBaseAttributes?: { readonly [name: string]: unknown } | null;
  readonly ciAttrProps?: { readonly owner?: { readonly [name: string]: string } } | null;
  readonly comments?: string | null;
  /** The component it is in, in the comparison of a platform with its pack. */
  readonly component?: { readonly ciName?: string } | null;
}

/** One answer of the service. */
interface RecordedAnswer {
  /** Name of the route: `components.list`. */
  readonly route: string;
  readonly address: Address;
  readonly answer: unknown;
}

type Address = { readonly [parameter: string]: string };

/** What the service answered during a review. */
export interface ReviewRecording {
  /** Requests handed to the client. */
  calls(): number;
  /** A record, or a relation, by its number. */
  record(id: number): AnsweredRecord | undefined;
  /** Relations among the answers: cloud links. */
  relations(): readonly AnsweredRecord[];
  /** Records of a name. */
  named(name: string): readonly AnsweredRecord[];
  /** First answer of a route whose address has these parameters; undefined when there is none. */
  answer(route: Route, address: Address | undefined): unknown;
  /** All answers, in their order. */
  answers(): readonly RecordedAnswer[];
}

interface ReadLimits {
  /** Most requests. Default: as many as it takes. */
  readonly maxCalls?: number | undefined;
  /** Ends the review: what is still to be read is reported as not read. */
  readonly signal?: AbortSignal | undefined;
  /** What several reviews of the same service and user have read. */
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
export function recordingApi(
  api: Api,
  { maxCalls = Infinity, signal, shared }: ReadLimits,
): { readonly api: Api; readonly recording: ReviewRecording } {
  const records = new Map<number, AnsweredRecord>();
  const answers: RecordedAnswer[] = [];
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
      calls: () => calls,
      record: (id) => records.get(id),
      relations: () => [...records.values()].filter(({ ciRelationId }) => ciRelationId !== undefined),
      named: (name) => [...records.values()].filter(({ ciName }) => ciName === name),
      answer: (route, address) =>
        answers.find((each) => each.route === route.name && isWithin(each.address, address))?.answer,
      answers: () => answers,
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
const isWithin = (address: Address, wanted: Address | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => address[name] === value);

/** A client that sends each request once, for all callers. A failed request is not sent again either. */
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

/** Most requests beyond the records under review, whatever the size of the review. */
const MOST_FURTHER_CALLS = 10;

/**
 * Requests beyond the records under review: few, each sent once, and none whose answer is recorded. Null when the service has no such thing; undefined
 * when it is not known, because no request is left or the service did not answer. `spent`: those sent before.
 */
export function boundedGets(api: Api, recording: ReviewRecording, spent: number): Call {
  let left = MOST_FURTHER_CALLS - spent;
  const unrecorded: Layer = (next) => async (route, input) => {
    // Every list is recorded as a whole, or from its newest entry on: a page of it needs no further request.
    const isAPage = Object.keys(input.query ?? {}).every((name) => name === 'size');
    const answer = isAPage ? recording.answer(route, input.address) : undefined;
    return answer ?? next(route, input);
  };
  const bounded: Layer = (next) => async (route, input) => {
    if (left <= 0) return undefined;
    left -= 1;
    return next(route, input).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      if (error instanceof OneOpsError && !(error instanceof Bug)) return undefined;
      throw error;
    });
  };
  const bounding = onceEach(layered(api, unrecorded, bounded));
  return (route, input) => bounding.call(route, input);
}

// A client that only reads: refuses anything but GET, counts, keeps to a limit, and remembers the records that came by.
// It must not know kinds, nor what is looked for.
import type { Api } from '../../api/client';
import { layered, type Layer } from '../../api/contract';
import { Bug, LifecycleError } from '../../api/errors';

/** A record or relation as it came, by the members a review looks at. */
export interface SeenRecord {
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
}

/** One answer, as it came. */
export interface SeenAnswer {
  /** Name of the route: `components.list`. */
  readonly route: string;
  readonly address: { readonly [parameter: string]: string };
  readonly answer: unknown;
}

/** What a review has asked and seen so far. */
export interface Seen {
  /** Requests handed to the client. */
  calls(): number;
  /** By record number; relations by theirs. */
  record(id: number): SeenRecord | undefined;
  /** Relations among what was seen: cloud links. */
  relations(): readonly SeenRecord[];
  answers(): readonly SeenAnswer[];
}

export interface ReadLimits {
  /** Most requests; none = as many as it takes. */
  readonly maxCalls?: number | undefined;
  /** Ends the review: what is still to be read is told as not read. */
  readonly signal?: AbortSignal | undefined;
}

/** The client, and what was seen through it. A request that is no GET is a defect: Bug. */
export function watchedApi(
  api: Api,
  { maxCalls = Infinity, signal }: ReadLimits,
): { readonly api: Api; readonly seen: Seen } {
  const records = new Map<number, SeenRecord>();
  const answers: SeenAnswer[] = [];
  let calls = 0;
  const remember = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const record = value as SeenRecord & { readonly consumes?: readonly SeenRecord[] | null };
    if (typeof record.ciId === 'number') records.set(record.ciId, record);
    if (typeof record.ciRelationId === 'number') records.set(record.ciRelationId, record);
    record.consumes?.forEach(remember);
  };
  const limited: Layer = (next) => async (route, input) => {
    if (route.method !== 'GET') throw new Bug(`a review was about to send ${route.method} ${route.name}`);
    if (calls >= maxCalls)
      throw new LifecycleError(`more than ${maxCalls} requests would be needed`, 'allow more with --max-calls');
    calls += 1;
    return next(route, signal === undefined ? input : { ...input, signal }).catch((error: unknown) => {
      throw signal?.aborted
        ? new LifecycleError('the time of the review was over', 'allow more with --timeout')
        : error;
    });
  };
  const recorded: Layer = (next) => async (route, input) => {
    const answer = await next(route, input);
    const items: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    items.forEach(remember);
    answers.push({ route: route.name, address: input.address ?? {}, answer });
    return answer;
  };
  return {
    api: layered(api, recorded, limited),
    seen: {
      calls: () => calls,
      record: (id) => records.get(id),
      relations: () => [...records.values()].filter(({ ciRelationId }) => ciRelationId !== undefined),
      answers: () => answers,
    },
  };
}

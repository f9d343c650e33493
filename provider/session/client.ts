// The provider's client, loaded with the first request, and the layers it adds: answers of refreshes are kept, and writes are counted.
import type { Api, Observe } from '../../api/client';
import { fillPath, layered, type CallInput, type Layer, type Route } from '../../api/contract';
import { NotFound } from '../../api/errors';
import { pulumiWords, type Settings } from '../settings';

/** Makes a client; `observe`, if given, receives its events. Checks, previews and programs that request nothing do not load it. */
export async function openApi(settings: Settings, observe?: Observe): Promise<Api> {
  const { createApi } = await import('../../api/client/index.js');
  return createApi({ ...settings, words: pulumiWords, ...(observe ? { observe } : {}) });
}

/** The same client, and whether one of its writes was answered. */
export function countWrites(api: Api): { readonly api: Api; readonly wrote: () => boolean } {
  let answered = false;
  const counting: Layer = (next) => async (route, input) => {
    const answer = await next(route, input);
    answered ||= route.method !== 'GET';
    return answer;
  };
  return { api: layered(api, counting), wrote: () => answered };
}

interface Answer {
  /** Assembly it is about; none for what the organization contains in addition to its assemblies. */
  readonly assembly: string | undefined;
  readonly answer: Promise<unknown>;
}

/** What refreshes of one run have read. Mutable on purpose, owned by a session. */
export interface Reads {
  /** Answers by path and query; only such as can be relied on: values, and 404. */
  readonly answers: Map<string, Answer>;
  /** Whether the list of a route carries complete records, by the route's name. */
  readonly proofs: Map<string, Promise<boolean>>;
}

export const newReads = (): Reads => ({ answers: new Map(), proofs: new Map() });

/** A client that sends each GET once and keeps its answer, also that there is none (404). Other failures are not kept: the next call sends it again. */
export function cacheGets(api: Api, { answers }: Reads): Api {
  return layered(api, (next) => (route, input) => {
    if (route.method !== 'GET') return next(route, input);
    const key = keyOf(api.organization, route, input);
    const known = answers.get(key);
    if (known) return known.answer;
    const kept = { assembly: input.address?.['assembly'], answer: next(route, input) };
    answers.set(key, kept);
    kept.answer.catch((error: unknown) => {
      if (!(error instanceof NotFound) && answers.get(key) === kept) answers.delete(key);
    });
    return kept.answer;
  });
}

/** A client whose writes drop what was kept of their assembly; a write outside of any assembly drops everything. */
export function dropWritten(api: Api, { answers }: Reads): Api {
  const drop = (written: string | undefined): void => {
    for (const [key, { assembly }] of answers)
      if (written === undefined || assembly === undefined || assembly === written) answers.delete(key);
  };
  return layered(api, (next) => async (route, input) => {
    if (route.method === 'GET') return next(route, input);
    const written = input.address?.['assembly'];
    drop(written);
    try {
      return await next(route, input);
    } finally {
      // What was read while the write was on its way may be from before it.
      drop(written);
    }
  });
}

function keyOf(organization: string, route: Route, { address, query }: CallInput): string {
  return `${fillPath(route.path, { organization, ...address })}?${new URLSearchParams(query).toString()}`;
}

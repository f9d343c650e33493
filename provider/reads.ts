// What refreshes of one run have read: each answer once, and which lists are proved to carry whole records (architecture §3, flows §7).
// It must not know kinds, nor decide what is gone.
import type { Api, CallInput } from '../api/client';
import { fillPath, type Route } from '../api/contract';
import { NotFound } from '../api/errors';

interface Answer {
  /** Assembly it is about; none for what the organization holds beside its assemblies. */
  readonly assembly: string | undefined;
  readonly answer: Promise<unknown>;
}

/** Mutable on purpose, owned by a session. */
export interface Reads {
  /** Answers by path and query; only such as can be relied on: values, and 404. */
  readonly answers: Map<string, Answer>;
  /** Whether the list of a route carries whole records, by the route's name. */
  readonly proofs: Map<string, Promise<boolean>>;
}

export const newReads = (): Reads => ({ answers: new Map(), proofs: new Map() });

/** A client that sends each GET once and remembers its answer, also that there is none (404). Trouble is not remembered: the next one asks again. */
export function remembering(api: Api, { answers }: Reads): Api {
  return {
    ...api,
    call(route, input = {}) {
      if (route.method !== 'GET') return api.call(route, input);
      const key = keyOf(api, route, input);
      const known = answers.get(key)?.answer as ReturnType<typeof api.call<typeof route>> | undefined;
      if (known) return known;
      const answer = api.call(route, input);
      const kept = { assembly: input.address?.['assembly'], answer };
      answers.set(key, kept);
      answer.catch((error: unknown) => {
        if (!(error instanceof NotFound) && answers.get(key) === kept) answers.delete(key);
      });
      return answer;
    },
  };
}

/** A client whose writes make what was read of their assembly forgotten; one outside of any assembly, everything. */
export function forgetting(api: Api, reads: Reads): Api {
  return {
    ...api,
    async call(route, input = {}) {
      if (route.method === 'GET') return api.call(route, input);
      const written = input.address?.['assembly'];
      forget(reads, written);
      try {
        return await api.call(route, input);
      } finally {
        // What was read while it was on its way may be from before.
        forget(reads, written);
      }
    },
  };
}

function forget({ answers }: Reads, written: string | undefined): void {
  for (const [key, { assembly }] of answers)
    if (written === undefined || assembly === undefined || assembly === written) answers.delete(key);
}

function keyOf(api: Api, route: Route, { address, query }: CallInput): string {
  const path = fillPath(route.path, { organization: api.organization, ...address });
  return `${path}?${new URLSearchParams(query).toString()}`;
}

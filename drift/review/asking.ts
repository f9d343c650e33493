// Further questions of a review, few and each once: what is not answered is not known, and spoils nothing.
// It must not know what is asked for.
import type { Api, CallInput } from '../../api/client';
import { fillPath, type Route } from '../../api/contract';
import { Bug, OneOpsError } from '../../api/errors';
import type { Seen } from './watched-api';

/** Most further questions of one review, whatever its size. */
export const FURTHER_CALLS = 10;

/** Asks a GET; what a review has seen already is not asked again. Undefined when there is no answer, or too much was asked. */
export type Ask = (route: Route, input: CallInput) => Promise<unknown>;

/** Questions over one review. `spent` of them were asked before. */
export function asking(api: Api, seen: Seen, spent: number): Ask {
  const known = new Map<string, Promise<unknown>>();
  let left = FURTHER_CALLS - spent;
  return async (route, input) => {
    const key = `${fillPath(route.path, { organization: api.organization, ...input.address })}?${new URLSearchParams(input.query).toString()}`;
    const asked = known.get(key);
    if (asked) return asked;
    const before = seen
      .answers()
      .find(
        (each) => each.route === route.name && input.query === undefined && sameAddress(each.address, input.address),
      );
    if (before) return before.answer;
    if (left <= 0) return undefined;
    left -= 1;
    const answer: Promise<unknown> = api.call(route, input).catch((error: unknown) => {
      if (error instanceof OneOpsError && !(error instanceof Bug)) return undefined;
      throw error;
    });
    known.set(key, answer);
    return answer;
  };
}

/** The address of a question may name less than the one it was asked with. */
const sameAddress = (
  asked: { readonly [name: string]: string },
  wanted: { readonly [name: string]: string } | undefined,
): boolean => Object.entries(wanted ?? {}).every(([name, value]) => asked[name] === value);

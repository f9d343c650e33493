// Further questions of a review, few and each once: what is not answered is not known, and spoils nothing.
// It must not know what is asked for.
import type { Api } from '../../api/client';
import { fillPath, layered, type Call, type Layer } from '../../api/contract';
import { Bug, OneOpsError } from '../../api/errors';
import type { Seen } from './watched-api';

/** Most further questions of one review, whatever its size. */
export const FURTHER_CALLS = 10;

/** Asks a GET; what a review has seen already is not asked again. Undefined when there is no answer, or too much was asked. */
export type Ask = Call;

/** Questions over one review. `spent` of them were asked before. */
export function asking(api: Api, seen: Seen, spent: number): Ask {
  const known = new Map<string, Promise<unknown>>();
  let left = FURTHER_CALLS - spent;
  const once: Layer = (next) => (route, input) => {
    const key = `${fillPath(route.path, { organization: api.organization, ...input.address })}?${new URLSearchParams(input.query).toString()}`;
    const answer = known.get(key) ?? next(route, input);
    known.set(key, answer);
    return answer;
  };
  const unseen: Layer = (next) => async (route, input) => {
    const before = seen
      .answers()
      .find(
        (each) => each.route === route.name && input.query === undefined && sameAddress(each.address, input.address),
      );
    return before ? before.answer : next(route, input);
  };
  const bounded: Layer = (next) => async (route, input) => {
    if (left <= 0) return undefined;
    left -= 1;
    return next(route, input).catch((error: unknown) => {
      if (error instanceof OneOpsError && !(error instanceof Bug)) return undefined;
      throw error;
    });
  };
  const asked = layered(api, once, unseen, bounded);
  return (route, input) => asked.call(route, input);
}

/** The address of a question may name less than the one it was asked with. */
const sameAddress = (
  asked: { readonly [name: string]: string },
  wanted: { readonly [name: string]: string } | undefined,
): boolean => Object.entries(wanted ?? {}).every(([name, value]) => asked[name] === value);

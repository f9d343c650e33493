// What releases of designs and of environments have in common: pages of lists, and whether one can be brought back (service-facts §4.5.6, §4.7.3).
// It must not know designs or environments.
import { refused, unreadable } from './handler';
import type { Store, StoredRelease } from './store';

/** Most releases a list holds unless asked (service-facts §8). */
const PAGE = 1000;

function numberIn(query: { readonly [name: string]: string }, name: string, otherwise: number): number {
  const text = query[name] ?? String(otherwise);
  if (!/^\d+$/.test(text)) throw unreadable(`${name} must be a number, not ${JSON.stringify(text)}`);
  return Number(text);
}

/** The part of a list that `size` and `offset` ask for. Throws a Refusal (400) for what is no number. */
export function pageOf<T>(query: { readonly [name: string]: string }, all: readonly T[]): T[] {
  const offset = numberIn(query, 'offset', 0);
  return all.slice(offset, offset + numberIn(query, 'size', PAGE));
}

/** Throws a Refusal (422) when a release was never committed, or another one of its namespace is open. */
export function checkRestorable(store: Store, release: StoredRelease): void {
  if (release.state !== 'closed')
    throw refused(`release ${release.id} is ${release.state}: there is nothing to go back to`);
  const open = store.releases.open(release.namespace);
  if (open !== undefined) throw refused(`release ${open.id} is open: commit or discard it first (6014)`);
}

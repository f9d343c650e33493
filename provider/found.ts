// How the records of a kind below one parent are found.
// It knows no kind.
import type { Api } from '../api/client';
import type { Record as WireRecord, Route } from '../api/contract';
import type { Address } from './live';

/** A record below a parent, by the arguments that its parent's address leaves open. */
export interface FoundRecord {
  readonly address: Address;
  /** Its number, where several records of the list have its name. */
  readonly number?: number;
  /** It came with its parent, and nothing says that somebody has set anything in it: only its own values can show it. */
  readonly isGiven: boolean;
}

/** How the records of a kind below one parent are found: out of a list of the service, or by a search of the kind's own. */
export type Search = { readonly list: List } | { search(api: Api, at: Address): Promise<readonly FoundRecord[]> };

/** A list of the records below one parent. */
export interface List {
  readonly route: Route;
  /** Whether a review reports records of the list that nobody declares. */
  readonly isReviewed: boolean;
  /** Whether a record came with its parent, and nothing says that somebody has set anything in it. Default: none did. */
  isGiven?(record: Pick<WireRecord, 'ciName' | 'updatedBy' | 'ciAttributes' | 'ciAttrProps'>): boolean;
  /** Whether a record counts. Default: all do. */
  counts?(record: WireRecord): boolean;
}

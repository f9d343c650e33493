// How the records of a kind below one parent are found.
import type { Api } from '../../api/client';
import type { Record as WireRecord, Route } from '../../api/contract';
import type { Address } from './live';

/** A record below a parent, identified by the address arguments that the parent's address does not have. */
export interface FoundRecord {
  readonly address: Address;
  /** Its number, when several records of the list have its name. */
  readonly number?: number;
  /** It came with its parent, and no field shows that a user set a value in it: only its values can show that. */
  readonly isGiven: boolean;
}

/** How the records of a kind below one parent are found: in a list of the service, or by a search that the kind implements. */
export type Search = { readonly list: List } | { search(api: Api, at: Address): Promise<readonly FoundRecord[]> };

/** A list of the records below one parent. */
export interface List {
  readonly route: Route;
  /** Whether a review reports records of the list that are not declared. */
  readonly isReviewed: boolean;
  /** The records of all such lists of a platform, in one answer: those whose component is the parent of this list. */
  readonly alsoIn?: { readonly route: Route; readonly className: string };
  /** Whether a record came with its parent, and no field shows that a user set a value in it. Default: false for all. */
  isGiven?(
    record: Pick<WireRecord, 'ciName' | 'updatedBy' | 'rfcAction' | 'ciAttributes' | 'ciAttrProps' | 'comments'>,
  ): boolean;
  /** Whether a record of the list is included. Default: all are. */
  counts?(record: WireRecord): boolean;
}

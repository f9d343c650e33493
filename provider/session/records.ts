// What this run did to single records: which it made, replaced, read and removed.
// Records are known by the keys of `subjectKey`.
import type { Address } from '../address/live';

/** A record that a refresh of this run read from the engine's state and that exists. */
interface Refreshed<Of> {
  readonly of: Of;
  readonly address: Address;
  /** Outputs of the last run. */
  readonly known: { readonly [name: string]: unknown };
}

/** A relation that a record held to another one of its kind: which one, in which argument, and under which name. */
export interface HeldRelation {
  readonly holder: { readonly [argument: string]: string };
  /** The holder's number, where its name means several records. */
  readonly number: number | undefined;
  readonly argument: string;
  readonly name: string;
  /** What distinguished the other record from those of its name; undefined for a kind whose names are unique. */
  readonly distinction: unknown;
}

/** What the delete of a replaced record does: a pack's own record is given back and another stack's left alone, and what is below stays. */
type Replacement = 'deletes' | 'keeps';

/** What this run knows of one record. */
interface Memory {
  /** This run created the record, or took it over. */
  isMade: boolean;
  /** The record did not exist before this run: nothing is in it that another user put there. */
  isBorn: boolean;
  /** The engine had the record read in this run: its state contains it as it is. */
  isRead: boolean;
  /** A refresh did not find the record. */
  isGone: boolean;
  /** The delete of the replaced record, from its first request on; fulfilled when it ended, whatever became of it. */
  deletion?: Promise<void>;
  /** Number of the record that left the file and was deleted before a commit: the engine's own delete has nothing left to do. Another number is another record. */
  swept?: number;
  /** Number of a record whose name may mean several: what is in it is found by that. */
  number?: number;
  /** The relations that the delete of a replaced record took with it; absent where this run did not see them go. */
  lost?: readonly HeldRelation[];
}

/** The records that this run touched. */
export class RecordsOfRun<Of> {
  readonly #memories = new Map<string, Memory>();
  readonly #replaced = new Map<string, Replacement>();
  readonly #refreshed = new Map<string, Refreshed<Of>>();
  readonly #strangers = new Set<string>();
  readonly #held = new Map<string, readonly string[]>();

  /** What this run knows of a record, to be read and to be written. */
  of(key: string): Memory {
    const known: Memory = this.#memories.get(key) ?? { isMade: false, isBorn: false, isRead: false, isGone: false };
    this.#memories.set(key, known);
    return known;
  }

  /** The diff of the record answered that it is replaced. */
  noteReplaced(key: string, how: Replacement): void {
    this.#replaced.set(key, how);
  }

  isReplaced(key: string): boolean {
    return this.#replaced.has(key);
  }

  /** Whether the delete of a replaced record also deletes what is below it. */
  takesAlong(key: string): boolean {
    return this.#replaced.get(key) === 'deletes';
  }

  /** Whether a record that is replaced is still to be deleted: nothing was made in its place yet. */
  isLeaving(key: string): boolean {
    return this.takesAlong(key) && !this.of(key).isMade;
  }

  /** Whether any record is replaced whose key begins like this. */
  isAnyReplaced(start: string): boolean {
    return [...this.#replaced.keys()].some((key) => key.startsWith(start));
  }

  /** A refresh found the record: what is not declared any more leaves in this run. */
  noteRefreshed(key: string, record: Refreshed<Of>): void {
    this.#refreshed.set(key, record);
  }

  /** All that refreshes of this run found. */
  refreshed(): readonly Refreshed<Of>[] {
    return [...this.#refreshed.values()];
  }

  /** Another record than the state's has the name. */
  noteStranger(key: string): void {
    this.#strangers.add(key);
  }

  /** Keys of the names under which other records than the state's were found. */
  strangers(): ReadonlySet<string> {
    return this.#strangers;
  }

  /** A record that loses a relation holds these in an argument. */
  noteHeld(holder: string, argument: string, names: readonly string[]): void {
    this.#held.set(`${holder} ${argument}`, [...new Set([...this.heldBefore(holder, argument), ...names])]);
  }

  /** All that a record held in an argument before deletes of this run took any of it. */
  heldBefore(holder: string, argument: string): readonly string[] {
    return this.#held.get(`${holder} ${argument}`) ?? [];
  }
}

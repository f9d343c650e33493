// The memory of one run about single records: declared values, and the work of the run.
import type { Release } from '../../api/contract';
import type { Address } from '../address/live';
import type { PropertyPath } from '../values/property-path';
import type { Texts, Values } from '../values/plain';

/** What is remembered by one key: an object with plain fields, all of them absent at first. */
export class Notes<Key, Known extends object> {
  readonly #known = new Map<Key, Partial<Known>>();

  of(key: Key): Partial<Known> {
    return this.#known.get(key) ?? {};
  }

  /** Adds fields to what is known, or replaces them. */
  note(key: Key, known: Partial<Known>): void {
    this.#known.set(key, { ...this.of(key), ...known });
  }

  /** Everything that is known, in the order in which it was noted first. */
  all(): readonly (readonly [Key, Partial<Known>])[] {
    return [...this.#known];
  }
}

/** A relation that a record held to another one of its kind, in an argument, by a name. */
export interface HeldRelation {
  readonly holder: Texts;
  /** The holder's number, where its name means several records. */
  readonly number: number | undefined;
  readonly argument: string;
  readonly name: string;
  /** What distinguished the other record from those of its name, if its kind has that. */
  readonly distinction: unknown;
}

interface Messages {
  progress(message: string): void;
  notice(message: string): void;
}

export interface RecordOptions {
  readonly deleteBeforeReplace?: boolean;
  readonly replaceOnChanges?: readonly string[];
  /** The state of the stack has no record of this name, so the run cannot free the name. */
  readonly isNewName?: boolean;
  /** The services of the state, for a new name. */
  readonly services?: readonly string[];
  /** Number of a record that a failed run deleted, and the state still has: it is created again. */
  readonly takenId?: number | undefined;
}

/** What a run knows of one record. */
export interface RecordMemory<Of> {
  /** The kind of a record that check saw, with a fully known address. */
  readonly of: Of;
  readonly address: Address;
  /** Arguments as check saw them last; those of an address that is not known yet, too. */
  readonly inputs: Values;
  /** Outputs of the last run, or of this one once it wrote the record. */
  readonly known: Values;
  /** Outputs of the last run, also once this one wrote the record. */
  readonly last: Values;
  /** This run makes or changes the record. */
  readonly isChanged: boolean;
  /** Check was called as new: the record is made, taken over or replaced. */
  readonly isNew: boolean;
  /** Check was called again, as new: the record is replaced, by its diff or an option. */
  readonly isAskedAgain: boolean;
  /** Options of the engine, which passes them to no provider. */
  readonly options: RecordOptions;
  /** URN under which check was called as new last: `--replace` asks for no diff. */
  readonly newUnder: string;
  /** URN of the first resource of this run that declares the record. */
  readonly claimedBy: string;
  /** Arguments that are work of this run alone: no state has them. */
  readonly pending: Values;
  /** What of the record this run neither compares nor writes. */
  readonly ignored: readonly PropertyPath[];
  /** The record is the stack's, although no check sees it: what is set back, or left the file. */
  readonly isOwned: boolean;
  /** What distinguishes the record from others of its name, as declared or last known. */
  readonly distinction: string;
  /** Number of a record whose name may mean several. */
  readonly number: number;
  /** This run created the record, or took it over. */
  readonly isMade: boolean;
  /** A row of this run said already that the record exists, and who made it. */
  readonly isTakeOverNamed: boolean;
  /** The record did not exist before: nothing in it is another user's. */
  readonly isBorn: boolean;
  /** The engine had the record read in this run. */
  readonly isRead: boolean;
  /** A refresh did not find the record. */
  readonly isGone: boolean;
  /** A refresh found the record: its place, and its outputs of the last run. */
  readonly refreshed: Pick<RecordMemory<Of>, 'of' | 'address' | 'known'>;
  /** Another record than the state's has the name. */
  readonly isStranger: boolean;
  /** The record is replaced, and its delete deletes what is below it, or keeps all. */
  readonly replaced: 'deletes' | 'keeps';
  /** Fulfilled when the delete of the replaced record ended, whatever became of it. */
  readonly deletion: Promise<void>;
  /** Relations that the delete of a replaced record took along, if this run saw them go. */
  readonly lost: readonly HeldRelation[];
  /** What the record held in its relations before deletes of this run took any of it. */
  readonly held: { readonly [argument: string]: readonly string[] };
  /** Number of the record that was deleted before a commit: another one is another record. */
  readonly swept: number;

  // Of an assembly or an environment as a whole.

  /** The design of the assembly was committed. */
  readonly isCommitted: boolean;
  /** The design's release, where this run commits nothing. */
  readonly settledAt: string | undefined;
  /** The open release that a preview found in the design. */
  readonly open: Release | undefined;
  /** Commits of deletions whose names this run takes again. */
  readonly freed: number;
  /** Releases of the design, as this run saw them when it committed it. */
  readonly releases: readonly Release[];
  /** Packs to which platforms of the design change: `web/1` to `oneops/nginx:1.2`. */
  readonly newPacks: Texts;
  readonly isPulled: boolean;
  /** The environment keeps what runs there: nobody above deletes it. */
  readonly isRetained: boolean;
  /** A refresh found that another user committed something in the environment. */
  readonly isTouched: boolean;
  /** Newest release that this run looked at for values of others over the file's. */
  readonly searched: number;
  /** Newest release with changes of another user since the last deployment of this stack. */
  readonly othersRelease: number;
  /** What a pull created again, and is to be written again: `web`, `web/tomcat`. */
  readonly renewed: readonly string[];
  /** What a pull of this run brings besides its own changes of the design: `+cache`. */
  readonly along: readonly string[];
  /** What an environment did not deploy of a run that stopped, in the same form. */
  readonly undeployed: readonly string[];
  /** Whose changes these are: `an earlier run`, or the names of other users. */
  readonly undeployedOf: readonly string[];
  /** Lines about others' changes that a row of this run showed already. */
  readonly named: readonly string[];
  /** Cloud links that were committed before a pull without a look at what is declared. */
  readonly unjudgedLinks: readonly string[];
  /** Commits what a delete left open, once the commit of the run had its turn. */
  readonly afterDelete: (row: Messages) => Promise<void>;
  /** A delete came before that turn. */
  readonly isWaiting: boolean;
}

export type DeclaredInRun<Of> = Partial<RecordMemory<Of>> & Pick<RecordMemory<Of>, 'of' | 'address' | 'inputs'>;

export type Memory<Of> = Notes<string, RecordMemory<Of>>;

export const isDeclared = <Of>(memory: Partial<RecordMemory<Of>>): memory is DeclaredInRun<Of> =>
  memory.address !== undefined;

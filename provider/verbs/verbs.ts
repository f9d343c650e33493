// How the API manages a kind: what a lifecycle asks of it. `crud`, `rows`, `adopt` and `act` are implementations.
// It knows no engine and no kind.
import type { Api } from '../../api/client';
import type { Attributes, Diagnostic } from '../../api/contract';
import type { Address } from '../kind';
import type { Reads } from '../api-layers';
import type { Session } from '../session';

/** Who locks each attribute, by wire name: `design` or `manifest` (service-facts §2.1.5). */
export interface Owners {
  readonly [wireName: string]: string;
}

/** One write of a record: the stamp it left, whose it was ('' when the service does not say), and when, in ms since 1970 (0 when unknown). */
export interface RecordWrite {
  readonly stamp: string;
  readonly by: string;
  readonly at: number;
}

/** The last writes of a record, as it reports them itself. */
export interface RecordWrites {
  /** The write that is in force; absent for a record that was never committed. */
  readonly closed?: RecordWrite;
  /** The change that waits for a commit. `names` are the attributes it changes, by wire name; undefined when it does not list them. */
  readonly open?: RecordWrite & { readonly names: readonly string[] | undefined };
  /** Every user whom the record names as a writer. */
  readonly writers: readonly string[];
}

/** What stands on the service: attributes and members by wire name, and the record's stamps. */
export interface Live {
  readonly ciId: number;
  readonly className: string;
  readonly wire: Attributes;
  readonly created?: number;
  readonly updated?: number;
  readonly updatedBy?: string;
  /** Who wrote the record; absent where a kind's verbs do not read one record. */
  readonly writes?: RecordWrites;
  /** Who wrote its open change, if it has one. */
  readonly openedBy?: readonly string[];
  /** Attributes that somebody set, against what a pack or a pull would bring. */
  readonly owners?: Owners;
  /** Changes when the record is written; by whom, `updatedBy` says. */
  readonly stamp: string;
  readonly origin: 'own' | 'pack';
  /** Arguments that check fills in and that do not hold: a deployment's state (`Kind.fills`). */
  readonly fills?: { readonly [name: string]: unknown };
  /** The answer it was read from, for the kind's own verbs to go on from. */
  readonly source?: unknown;
  /** Parts of its address that the one it was read by may not have said by name, but by a number of the service. */
  readonly named?: Address;
  /** The kind's own outputs. */
  readonly outputs?: { readonly [name: string]: unknown };
}

/** Everything a verb may use. Values are as declared; `wire` is their text by wire name, declared fields only. */
export interface Work {
  readonly api: Api;
  readonly session: Session;
  /** Address by the path's parameter names, organization included. */
  readonly at: { readonly [parameter: string]: string };
  /** What the resource is called in the program, where that is known. */
  readonly logicalName?: string;
  /** Address by argument names. */
  readonly address: Address;
  readonly id: string;
  readonly args: { readonly [name: string]: unknown };
  readonly wire: { readonly [wireName: string]: string };
  /** Present in a refresh only, where `api` asks each GET once: what was read so far. No decision to write may rest on it. */
  readonly reads?: Reads;
  /** Outputs of the last run, when there was one. */
  readonly known?: { readonly [name: string]: unknown };
  /** Of a record that a sweep takes back: names of the clouds that its environment declares, where they are known. */
  readonly declaredClouds?: readonly string[];
  /** What is going on, for the resource's own row; shown live and not kept. */
  progress(message: string): void;
  /** Something a person must see after the run; kept under the resource. */
  notice(message: string): void;
}

/** An update: what was declared before, what stands there now, and the texts to write. */
export interface UpdateWork extends Work {
  readonly live: Live;
  /** Wire names and texts that differ from the live ones, base values of removed fields included. */
  readonly changes: { readonly [wireName: string]: string };
}

/** The record is there but not as it should be: it is kept, with what is known of it and why it is not right (engine-facts A §5). */
export class Incomplete extends Error {
  constructor(
    readonly live: Live,
    /** At least one; the whole text stands in them. */
    readonly reasons: readonly [string, ...string[]],
  ) {
    super(reasons.join('; '));
    this.name = 'Incomplete';
  }
}

/** The arguments that a change is about, by name. */
export interface GuardedChange {
  readonly changed: readonly string[];
  /** Fields among them whose change replaces the record. */
  readonly replaces: readonly string[];
}

/** What a guard says of a change. */
export interface Judgement {
  /** The change must not be made: the whole message. */
  readonly refusal?: string;
  /** It may be made, and a person should know this before. */
  readonly warning?: string;
}

export interface Verbs {
  /** Undefined when the record is gone for certain: 404 with a readable ancestor. Anything else that fails is thrown. */
  read(work: Work): Promise<Live | undefined>;
  /** Throws AlreadyThere when the name is taken. */
  create(work: Work): Promise<Live>;
  update(work: UpdateWork): Promise<Live>;
  /** Deleting what is gone succeeds. */
  delete(work: Work): Promise<void>;
  /** The texts removed fields go back to, by wire name. */
  base?(work: Work, live: Live, names: readonly string[]): Promise<{ readonly [wireName: string]: string }>;
  /**
   * What the service knows to be wrong with arguments that the last run did not have; may read. Asked before anything is planned, in previews too,
   * so it must ask nothing when nothing is new. `olds`: arguments of the last run, empty for a new resource.
   */
  foresee?(work: Work, olds: { readonly [name: string]: unknown }): Promise<readonly Diagnostic[]>;
  /** Arguments whose change the guard judges. */
  readonly guarded?: readonly string[];
  /** Judges a change in preview, before anything is deleted or written; may read. `work` has the new arguments, and the old ones as `known`. */
  guard?(work: Work, change: GuardedChange): Promise<Judgement>;
  /** What a run will do, for the resource's row in preview. */
  plan?(olds: { readonly [name: string]: unknown }, news: { readonly [name: string]: unknown }): string | undefined;
  /** Called in a run that has nothing to do for the resource, for what it has to remember; `workOf` makes the work on it later. */
  unchanged?(
    session: Session,
    address: Address,
    workOf: (row: Pick<Work, 'progress' | 'notice'>) => Promise<Work>,
  ): void;
  /** Whether update is called even when no text differs, after a take-over too: flows that act on triggers. */
  readonly acts?: boolean;
  /** Whether it is something that is done, and no record: no address alone means one. */
  readonly isAction?: boolean;
}

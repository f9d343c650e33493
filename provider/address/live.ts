// What is on the service, as the lifecycle knows a record.
import type { Attributes } from '../../api/contract';

/** A kind's address, by parameter; the record's own name is `name`. Never contains the organization. */
export interface Address {
  readonly [parameter: string]: string;
}

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

/** Who set a value ('' when the service does not say), when (ms since 1970, 0 when unknown), and, where that is known, in which release. */
export interface SetBy {
  readonly by: string;
  readonly at: number;
  /** Absent together with `reach`: how far the release has come. */
  readonly releaseId?: number;
  readonly reach?: 'open' | 'committed' | 'deployed';
}

/** How a stack came to a record: it created it, took over what others had made, or it came with its parent. */
export type Origin = 'created' | 'adopted' | 'pack';

/** What is on the service: attributes and members by wire name, and the record's stamps. */
export interface Live {
  readonly ciId: number;
  readonly className: string;
  readonly wire: Attributes;
  /** When it was created, in ms since 1970, and by whom; absent where the service does not say. */
  readonly created?: number;
  readonly createdBy?: string;
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
  readonly origin: Origin;
  /** Who set what is next to the record, and leaves no mark on it, by wire name: whether a platform is enabled, how it is scaled. */
  readonly setBy?: { readonly [wireName: string]: SetBy };
  /** Why values are not known that no read shows at present, by wire name; those of the last run stay in their place. */
  readonly unknown?: { readonly [wireName: string]: string };
  /** Wire names of values that the next pull overwrites, when the kind's other values stay as they are. */
  readonly followed?: readonly string[];
  /** Arguments that check fills in and that do not hold: a deployment's state (`Kind.fills`). */
  readonly fills?: { readonly [name: string]: unknown };
  /** The answer it was read from, for the kind's own verbs to go on from. */
  readonly source?: unknown;
  /** The service has other comments than these: it took none of our last write, and nobody has written the record since. */
  readonly owesComments?: boolean;
  /** Parts of its address that the one it was read by may not have said by name, but by a number of the service. */
  readonly named?: Address;
  /** The kind's own outputs. */
  readonly outputs?: { readonly [name: string]: unknown };
}

/** The record exists but not as it should be: it is kept, with what is known of it and why it is not right (engine-facts A §5). */
export class Incomplete extends Error {
  constructor(
    readonly live: Live,
    /** At least one; the whole text is in them. */
    readonly reasons: readonly [string, ...string[]],
  ) {
    super(reasons.join('; '));
    this.name = 'Incomplete';
  }
}

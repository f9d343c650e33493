// A record of the service in the form that the lifecycle compares.
import type { Attributes } from '../../api/contract';
import type { Texts, Values } from '../values/plain';

/** A kind's address, by parameter, without the organization; the record's own name is `name`. */
export interface Address {
  readonly [parameter: string]: string;
}

/** Who locks each attribute, by wire name: `design` or `manifest` (service-facts §2.1.5). */
export interface Owners {
  readonly [wireName: string]: string;
}

/** Who wrote something: user ('' if unknown), and time (ms since 1970, 0 if unknown). */
export interface Writer {
  readonly who: string;
  readonly when: number;
}

export interface RecordWrite extends Writer {
  readonly stamp: string;
}

export interface RecordWrites {
  /** The write that is in force; absent for a record that was never committed. */
  readonly closed?: RecordWrite;
  /** The change that waits for a commit. `names`: wire names of changed attributes, if listed. */
  readonly open?: RecordWrite & { readonly names: readonly string[] | undefined };
  /** Every user whom the record names as a writer. */
  readonly writers: readonly string[];
}

/** Who set a value, and in which release. */
export interface SetBy extends Writer {
  /** Absent together with `reach`: how far the release has come. */
  readonly releaseId?: number;
  readonly reach?: 'open' | 'committed' | 'deployed';
}

/** The stack created the record, took it over, or it came with its parent. */
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
  /** Who set a value that leaves no mark on the record, by wire name: `enabled`, `scale`. */
  readonly setBy?: { readonly [wireName: string]: SetBy };
  /** Why no read shows a value at present, by wire name; those of the last run stay. */
  readonly unknown?: Texts;
  /** Wire names of values that the next pull overwrites, unlike the kind's other values. */
  readonly followed?: readonly string[];
  /** Arguments that check fills in and that do not hold: a deployment's state (`Kind.fills`). */
  readonly fills?: Values;
  /** The answer it was read from, for the kind's own verbs to go on from. */
  readonly source?: unknown;
  /** The service kept its comments at our last write, and nobody has written the record since. */
  readonly owesComments?: boolean;
  /** Parts of the address by name, where it was read by a number of the service. */
  readonly named?: Address;
  /** The kind's own outputs. */
  readonly outputs?: Values;
}

/** The record exists, but not as it should be: it is kept with the reason (engine-facts A §5). */
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

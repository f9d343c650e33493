// A change of a record that another user committed, and who did it.

/** Who wrote a change, in which release, and when (ms since 1970). `by` is empty when the service does not show it. */
export interface SwitchedBy {
  readonly by: string;
  readonly at: number;
  readonly releaseId: number;
}

/** A change of a record that another user committed. */
export interface CommittedChange {
  /** `component`, `platform`, `variable`, `attachment`, `monitor`, `link`, `dependency`; `release` where the service does not list what a release contains. */
  readonly noun: string;
  /** `web/backdoor`; below components, the component is left out, because a list of changes does not name it: `web/motd`. */
  readonly path: string;
  readonly platform: string;
  readonly name: string;
  readonly action: string;
  /** Wire names of the attributes that an update sets to another value. */
  readonly attributes: readonly string[];
  /** Their new values, as far as a read shows them. */
  readonly values: { readonly [wireName: string]: string | null | undefined };
  /** Of a link or a dependency: the number of the record that has it, and the name of the other one. */
  readonly link?: { readonly from: number; readonly to: string };
  /** Of a setting of a platform: the number of the relation that has it. */
  readonly setting?: number;
  /** Number of the change, which is the record's stamp afterwards. Absent where the service does not show it. */
  readonly changeId?: number;
  /** Who, when (ms since 1970) and in which release. */
  readonly cause: SwitchedBy;
  readonly stage: 'design' | 'environment';
  /** Whether this run's own user made it, outside of this stack. */
  readonly isOwnUsers?: boolean;
  /** Whether somebody set it in the environment, and locked it against pulls: all else there comes from a pull. */
  readonly isByHand: boolean;
}

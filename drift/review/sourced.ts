// A resource as one of the sources tells of it: the file (code) or the Pulumi state (applied).
// It must not know how either is read.
import type { Inputs, Kind } from '../../provider';
import type { FilePlace } from './review';
import type { ArgumentPath } from './hidden';

/** What a source says of one resource. Values that are known only in a run hold the provider's sentinel for unknowns. */
export interface Sourced {
  /** In the scope the resource is in. */
  readonly kind: Kind;
  readonly id: string;
  readonly logicalName: string;
  readonly inputs: Inputs;
  /** Places in `inputs` that are secret because the source says so. */
  readonly hidden: readonly ArgumentPath[];
  readonly at?: FilePlace;
}

/** A resource of the file. */
export interface Declared extends Sourced {
  /** Where arguments stand, by path joined with dots. */
  readonly places: ReadonlyMap<string, FilePlace>;
  /** Paths, joined with dots, whose changes the engine is told to ignore. */
  readonly ignored: readonly string[];
}

/** A resource of the state. */
export interface Applied extends Sourced {
  readonly urn: string;
  /** Outputs of the last run that are no arguments: `revision`, `ciId`, … */
  readonly computed: Inputs;
  /** URNs of the resources whose outputs each argument is made of, where the engine tells. */
  readonly madeOf: Inputs;
}

/** What Pulumi keeps of a stack. */
export interface StackState {
  /** Name of the stack. */
  readonly stack?: string;
  readonly records: readonly Applied[];
  /** One sentence each, for the review's notes. */
  readonly notes: readonly string[];
}

/** What a stack file declares. */
export interface Code {
  readonly records: readonly Declared[];
}

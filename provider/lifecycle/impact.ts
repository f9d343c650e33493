// What a change of a record means for what runs: a kind says it, and reviews and previews show it.
// It knows no kind.

/** What a change of a record means for what runs. */
export interface Impact {
  /** Severity of a difference in an argument, where the name of the argument alone does not decide it. */
  readonly severity?: { readonly [argument: string]: Severity };
  /** What deleting a record does. `ofPack`: the words for a record that its pack made. */
  readonly deleted?: { readonly severity: Severity; readonly message: string; readonly ofPack?: string };
  /** What making or writing a record does. */
  readonly applied?: { readonly severity: Severity; readonly message: string };
  /** Whether a change of an argument from one value to another leaves fewer instances or none. */
  takesAway?(argument: string, before: unknown, after: unknown): boolean;
  /** The risks of a planned change, from the arguments before and after it; either is undefined where there are none. */
  risks?(before: Values | undefined, after: Values | undefined): readonly Risk[];
  /** Whether a planned change can make instances in an environment in addition to those that run there. */
  makesInstances?(change: PlannedFacts, where: Pick<RunsAt, 'assembly' | 'environment'>): boolean;
  /** Whether a planned change takes down what runs somewhere. */
  takesDown?(change: PlannedFacts, where: RunsAt): boolean;
}

interface Values {
  readonly [argument: string]: unknown;
}

interface Risk {
  readonly severity: Severity;
  readonly message: string;
}

type Severity = 'high' | 'medium' | 'low';

/** What is known of a planned change. `address` is the id of its record. */
interface PlannedFacts {
  readonly operation: string;
  readonly address: string;
  /** Paths of the values that change, argument first, and from what to what they change. */
  readonly attributes: readonly {
    readonly path: readonly string[];
    readonly before: { readonly is: string; readonly value?: unknown };
    readonly after: { readonly is: string; readonly value?: unknown };
  }[];
}

/** Where an instance runs: ids of its assembly and environment, names of its platform and cloud. */
interface RunsAt {
  readonly assembly: string;
  readonly environment: string;
  readonly platform: string;
  readonly cloud: string;
}

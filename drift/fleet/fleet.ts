// The review of many stacks as plain data, for reports, for joining shards, and for `--json`.
import type {
  Author,
  BrokenPolicy,
  Classification,
  DriftFinding,
  Outcome,
  Review,
  Severity,
  Shown,
} from '../review/review';

/** One stack of a fleet, and what came of its review. */
export interface FleetStack {
  /** Unique in the fleet: `stacks/shop/prod`, folder and stack, or `shop/prod`, project and stack. */
  readonly name: string;
  /** Name of the stack as `pulumi --stack` takes it. */
  readonly stack: string;
  /** Folder of its project, relative to that of the call; absent for a stack of a backend. */
  readonly folder?: string;
  readonly outcome: Outcome;
  /** The service refused the token. */
  readonly authentication?: true;
  /** One sentence that says what the outcome rests on. */
  readonly summary: string;
  /** Absent when there is none: the summary says why. */
  readonly review?: Review;
  /** What it breaks of the policies in its folder; absent when nobody judged it. */
  readonly policies?: readonly BrokenPolicy[];
  /** Its service, and the addresses of its assemblies there; absent when they are not known. */
  readonly declares?: { readonly service: string; readonly assemblies: readonly string[] };
}

/** The assemblies of an organization, whoever declares them. */
export interface OrganizationAssemblies {
  readonly service: string;
  readonly organization: string;
  /** One finding each, as if nobody declared it. */
  readonly assemblies: readonly DriftFinding[];
  /** Why they could not be read. */
  readonly problem?: string;
}

/** A part of a fleet: `--shard 3/16` reviews the third of sixteen. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

/** What a run, or a join of several, has found out: everything else follows from it. */
export interface FleetFacts {
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly took: number;
  /** Present in a part of a fleet. */
  readonly shard?: Shard;
  /** Shards of which there is no result. */
  readonly missing: readonly Shard[];
  /** By name. */
  readonly stacks: readonly FleetStack[];
  readonly organizations: readonly OrganizationAssemblies[];
  /** One line each. */
  readonly notes: readonly string[];
  /** Least severity that counts. */
  readonly failOn: Severity;
  /** Requests that were sent; all of them GETs. */
  readonly calls: number;
}

/** A complete review of a fleet. Within one `version`, its JSON only gets new members. */
export interface Fleet extends FleetFacts {
  readonly version: 1;
  readonly outcome: Outcome;
  readonly summary: string;
  /** Findings by what caused them, most severe first. */
  readonly causes: readonly Cause[];
  /** Assemblies that no stack declares. Absent when nobody asked, or when this is not known. */
  readonly undeclared?: readonly DriftFinding[];
}

/** The findings of a cause in one stack. */
export interface CausedInStack {
  readonly stack: string;
  readonly organization: string;
  /** Ids of the findings. */
  readonly findings: readonly string[];
  /** Numbers of the releases that brought the value. */
  readonly releases: readonly number[];
}

/** One write, as it shows in one stack or in many: who, which attribute, which value. */
export interface Cause {
  /** Ten hexadecimal digits of user, attribute and value: the same in every review. */
  readonly id: string;
  /** The most severe of its findings. */
  readonly severity: Severity;
  readonly classifications: readonly Classification[];
  /** Kind's token: `Component`. */
  readonly kind: string;
  /** Path of the argument; absent when it is about complete records. */
  readonly attribute?: string;
  /** Last part of the address of complete records, which they share: `tomcat`. */
  readonly name?: string;
  /** The new value. Of a secret without a digest: values of two reviews cannot be compared. */
  readonly live?: Shown;
  /** Who wrote it last, and when that was; absent when the service does not say. */
  readonly author?: Author;
  /** Milliseconds since 1970 of the earliest write; 0 when the service does not say. */
  readonly since: number;
  /** Records that differ, each counted once, however many stacks declare it. */
  readonly records: number;
  /** By name. */
  readonly stacks: readonly CausedInStack[];
}

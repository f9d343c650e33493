// The findings of a drift review as plain data: for reports, for decisions, and for `--json`.
import { CLASSIFICATIONS, type FilePlace, SEVERITIES } from '../../stack';

export { CLASSIFICATIONS, SEVERITIES };
export type Classification = (typeof CLASSIFICATIONS)[number];

/** Classifications that are drift when severe enough, except `elsewhere`. */
export const DRIFT: readonly Classification[] = CLASSIFICATIONS.filter(
  (each) => !['touched', 'pending', 'healed'].includes(each),
);

export type Severity = (typeof SEVERITIES)[number];

/** How far a change came: an open release, a closed one that nothing runs yet, or machines. */
export type Stage = 'design' | 'released' | 'deployed';

/**
 * A value as a report may show it. `absent`: not set there. `unknown`: the side has one that is
 * known only in a run. `secret`: `digest` is equal exactly for equal values within one review, and
 * reveals nothing about them (keyed, and the key is thrown away).
 */
export type Shown =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'absent' }
  | { readonly is: 'unknown' }
  | { readonly is: 'secret'; readonly digest?: string };

/** Whose write it was. */
export interface Author {
  /** User name on the service; '' when the service does not name one. */
  readonly who: string;
  /** Milliseconds since 1970; 0 when the service does not say. */
  readonly when: number;
  /** Number of the release it belongs to, when it is part of one. */
  readonly releaseId?: number;
  /** Absent when it is part of no release, and when it is not known how far that has come. */
  readonly stage?: Stage;
  /**
   * Present when another user than `who`, who wrote the record last, may have set this attribute:
   * the other users whom the service names as its writers; empty when it names none.
   */
  readonly unsure?: readonly string[];
}

/** The ways to settle a finding, a line each: a command, or what to edit or to run. */
export interface Advice {
  readonly revert?: string;
  /** Left out where the live value cannot be written into a file: of a secret it is not known. */
  readonly accept?: string;
  /** The same as commands to copy; left out where something has to be edited. */
  readonly commands?: { readonly revert?: string; readonly accept?: string };
}

/** Where a value of an environment was set, and what becomes of it. */
export interface SetIn {
  /** Name of the environment that alone has it. */
  readonly environment: string;
  /** The source of the record's values where nobody sets one. */
  readonly follows: 'design' | 'environment' | 'pack';
  /** What the next pull does with it: it keeps what the environment locks, or no pull writes. */
  readonly nextPull: 'keeps' | 'overwrites';
  /** Whether the environment locks it against pulls. */
  readonly locked: boolean;
}

/** One difference of one attribute, or of a whole record. */
export interface DriftFinding {
  /** Ten hexadecimal digits of organization, kind, address and attribute, in every review. */
  readonly id: string;
  readonly classification: Classification;
  readonly severity: Severity;
  /** Kind's token: `Component`. */
  readonly kind: string;
  /** Id of the resource: `acme/shop/web/tomcat`. */
  readonly address: string;
  /** Name in the file or the program; absent for undeclared records. */
  readonly logicalName?: string;
  readonly urn?: string;
  /** Path of the argument: `attributes.max_threads`; absent when it is about the whole record. */
  readonly attribute?: string;
  /** Absent: that side took no part in the review. */
  readonly code?: Shown;
  readonly applied?: Shown;
  /** Of an `unexpected` value: the value of design, pack and environment, or the recorded one. */
  readonly expected?: Shown;
  readonly live?: Shown;
  readonly author?: Author;
  /** Present for a value of an environment that is set there alone. */
  readonly setIn?: SetIn;
  /** Of a deleted record: who made one in its place. */
  readonly madeAgainBy?: string;
  /** Present for a change that waits to be deployed: the declared values are as declared. */
  readonly waits?: true;
  /** Present for a finding outside of what this stack declares and created: it does not count. */
  readonly elsewhere?: true;
  /** Present when `expected` was recorded (`drift record`), and is not what the record follows. */
  readonly recorded?: true;
  /** Where it is declared: the attribute's own line when it has one, else the resource's. */
  readonly at?: FilePlace;
  readonly advice: Advice;
  /** Present with `--history`: when it was first found (ms since 1970), in how many reviews. */
  readonly history?: { readonly firstSeen: number; readonly runs: number };
}

/** A finding that a rule keeps out of the outcome. */
export interface IgnoredFinding {
  readonly finding: DriftFinding;
  readonly reason: string;
  readonly owner: string;
  /** Day after which the rule fails: `2027-01-31`. */
  readonly until?: string;
}

/** A record that could not be read. */
export interface Unread {
  readonly kind: string;
  readonly address: string;
  /** One line: what was attempted, what came back. */
  readonly reason: string;
  /** The service refused the token. */
  readonly authentication?: boolean;
}

/** A mistake in the rule files: a rule that expired, matches nothing, or lacks a reason. */
export interface RuleProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly at?: FilePlace;
}

/** A policy that is broken by what the service has. */
export interface BrokenPolicy {
  readonly policy: string;
  /** A mandatory one counts as drift. */
  readonly level: 'advisory' | 'mandatory' | 'remediate';
  /** Id of the record. */
  readonly address: string;
  /** The mistake, with its subject. */
  readonly message: string;
  /** Where it is declared: the line of the argument, or of the record. */
  readonly at?: FilePlace;
}

/**
 * The verdicts, the worst first:
 *
 * - `refused`: so much is missing that the review is more likely of the wrong thing than of
 *   deletions
 * - `incomplete`: something could not be read; the review says what was found
 * - `drift`: somebody changed, deleted or added something
 * - `not-deployed`: the records are as declared, but a change is open, committed and not deployed,
 *   or failed; or the file declares a record that the state lacks
 * - `in-sync`: what runs, and what is committed and deployed, is the file
 */
export const OUTCOMES = ['refused', 'incomplete', 'drift', 'not-deployed', 'in-sync'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A complete review. Within one `version` of its JSON, members are added, never removed. */
export interface Review {
  readonly version: 1;
  /** Milliseconds since 1970, when it began. */
  readonly started: number;
  /** Milliseconds it took. */
  readonly took: number;
  /** Milliseconds by which the service's clock is ahead of `started`'s. Absent within 5 s. */
  readonly ahead?: number;
  /** Address of the service, and who the review spoke as. */
  readonly service: string;
  readonly organization: string;
  readonly user?: string;
  /** Name of the stack, when a state took part. */
  readonly stack?: string;
  /** Name of its project, when it is known. */
  readonly project?: string;
  /** The compared sides, of `code`, `state` and `live`, and why one is missing. */
  readonly compared: readonly ('code' | 'state' | 'live')[];
  readonly notes: readonly string[];
  /** Least severity that counts. */
  readonly failOn: Severity;
  readonly outcome: Outcome;
  /** One sentence that says what the outcome rests on. */
  readonly summary: string;
  /** Most severe first, then by address and attribute. */
  readonly findings: readonly DriftFinding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly unread: readonly Unread[];
  readonly problems: readonly RuleProblem[];
  /** The policies that are broken; absent when there is no policy to judge by. */
  readonly policies?: readonly BrokenPolicy[];
  readonly coverage: {
    /** Records declared or in the state, those of them that were read, and undeclared ones. */
    readonly managed: number;
    readonly read: number;
    readonly undeclared: number;
  };
  /** Requests that were sent; all of them GETs. */
  readonly calls: number;
}

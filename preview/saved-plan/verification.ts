// What a look at a plan's start comes to, as plain data: what `plan verify --json` prints.
import type { ServiceIdentity } from '../../provider';
import type { Unread } from '../../drift';

/** Why a plan must not be applied any more. */
export interface StaleReason {
  /**
   * `plan`: it is not the plan that was approved, or of the future, of another service or organization, or made with other
   * settings. `state`: the state moved on. `record`: a review finds it changed, deleted or created. `release`: it was
   * committed, and comes along. `deployment`: what was written is not what runs. `policy`: it breaks a mandatory policy.
   */
  readonly of: 'plan' | 'state' | 'record' | 'release' | 'deployment' | 'policy';
  /** Id of the record, or the URN of a resource that has none. */
  readonly address: string;
  /** One sentence. */
  readonly message: string;
  /** Name of the user, where the service says so. */
  readonly who?: string;
  /** Milliseconds since 1970, by the clock that wrote it. */
  readonly when?: number;
}

/** `current`: the start is as it was. `stale`: it is not. `refused`: it is, and a mandatory policy is broken; the others: it could not be read. */
type VerificationOutcome = 'current' | 'stale' | 'refused' | 'incomplete' | 'authentication';

/** A complete verification. Members are added, never renamed or removed, within one `version`. */
export interface Verification {
  readonly version: 1;
  readonly stack: string;
  readonly digest: string;
  /** The service that a run here would speak to, as far as settings name it. The digest covers it. */
  readonly service: ServiceIdentity;
  /** When the plan was made, in milliseconds since 1970. */
  readonly planned: number;
  /** Whether the service was asked. */
  readonly live: boolean;
  readonly outcome: VerificationOutcome;
  readonly reasons: readonly StaleReason[];
  readonly unread: readonly Unread[];
  /** What the approval does not say. */
  readonly notes: readonly string[];
}

/**
 * The outcome of what was found. What is known to have changed counts more than what is not known, and a broken policy less: `refused` says that
 * the start is as it was.
 */
export function verifiedOutcome(reasons: readonly StaleReason[], unread: readonly Unread[]): VerificationOutcome {
  if (reasons.some(({ of }) => of !== 'policy')) return 'stale';
  if (unread.length === 0) return reasons.length > 0 ? 'refused' : 'current';
  return unread.some(({ authentication }) => authentication) ? 'authentication' : 'incomplete';
}

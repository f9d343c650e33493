// What a rehearsal says, as plain data: rehearsal.schema.json is made of these types.
import type { Plan } from '../../preview';

/** A deployment of the run on the copy. */
export interface RehearsedDeployment {
  /** `shop/prod` */
  readonly environment: string;
  readonly state: string;
  /** How long it takes, in seconds of simulated time. */
  readonly seconds: number;
  /** Changes in order: `web/compute-1129-1`, with `add`, `update`, `replace` or `delete`. */
  readonly orders: readonly { readonly name: string; readonly action: string; readonly state: string }[];
}

/** The output of `rehearse --json`. Within one `version`, members are added, never removed. */
export interface Rehearsal {
  readonly version: 1;
  readonly stack: string;
  /** Address of the service that was copied. */
  readonly service: string;
  /** Number of the records in the copy. */
  readonly records: number;
  /** What others did since the last run, one line each. */
  readonly since: readonly string[];
  /** What the preview of the run says, with the instances of the copy. */
  readonly plan: Omit<Plan, 'records' | 'unlisted'>;
  /** In the order in which they were started. */
  readonly deployments: readonly RehearsedDeployment[];
  /** What the engine reported of a run that is refused, or fails. */
  readonly refused?: string;
  /** What could not be copied, one line each. */
  readonly notCopied: readonly string[];
  /** What a copy cannot know. */
  readonly unknown: readonly string[];
}

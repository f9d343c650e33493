// What rehearse and the commands for operators print with `--json`: operate.schema.json and
// rehearsal.schema.json are made of these types.
import type { Approval, Deployment, Procedure, Release } from '../../../api/contract';
import type { Plan } from '../../../preview';
import type { WorkOrder } from '../../../provider/kinds';
import type { OpenChange, OpenRelease } from './open-release';

/** An instance. Texts are empty where the service says nothing. */
export interface ShownInstance {
  readonly environment: string;
  readonly platform: string;
  readonly name: string;
  readonly ciId: number;
  readonly cloud: string;
  readonly privateAddress: string;
  readonly publicAddress: string;
  /** `default`, or `replace` where the next deployment makes it again. */
  readonly state: string;
  /** `good`, `unhealthy` and others; empty where it was never seen. */
  readonly health: string;
  readonly className: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly createdBy: string;
  /** Who changed it last. */
  readonly updatedBy: string;
}

/** A deployment with its work orders. */
export interface Progress {
  readonly deployment: Deployment;
  readonly orders: readonly WorkOrder[];
  /** `3/7 web/compute-2 active`. */
  readonly line: string;
  /** A line for each work order that failed, with the words of the service. */
  readonly failures: readonly string[];
}

/**
 * - `IN SYNC`: what runs is what the file declares; only where a review was asked for
 * - `DRIFT`: a review found differences, deployed or not
 * - `DEPLOYED`: the last deployment is complete, something runs, no release is open, and the design
 *   was pulled; whether it is what the file declares is not known
 * - `NOT DEPLOYED`: nothing was ever deployed, nothing runs, or changes wait to be committed, pulled
 *   or deployed
 */
export type Verdict =
  'IN SYNC' | 'DRIFT' | 'DEPLOYED' | 'NOT DEPLOYED' | 'DEPLOYING' | 'WAITS FOR APPROVAL' | 'PAUSED' | 'FAILED';

/** The instances of a platform on a cloud. */
export interface RunningCount {
  readonly platform: string;
  readonly cloud: string;
  readonly running: number;
  /** How many run when all that is committed is deployed; absent where the service plans none. */
  readonly declared?: number;
  /** How many of those that run a deployment takes away. */
  readonly leaving?: number;
  /** How many of those that run have another health than `good`. */
  readonly unwell: number;
  /** The first address, or an empty text. */
  readonly address: string;
}

export interface EnvironmentStatus {
  readonly environment: string;
  readonly verdict: Verdict;
  /** Present with a review of a stack that does not declare it: the review says nothing of it. */
  readonly undeclared?: true;
  /** Present with a review of a stack that declares it, where the service does not have it. */
  readonly missing?: true;
  /**
   * Number of differences in a complete review; absent without one, and for `undeclared` and
   * `missing`.
   */
  readonly drift?: number;
  /** The newest deployment with its work orders; absent if nothing was ever deployed. */
  readonly progress?: Progress;
  /** The clouds whose people have to approve the newest deployment. */
  readonly waitsFor: readonly string[];
  /** Open releases of the environment: uncommitted changes, and plans that are not deployed. */
  readonly open: readonly OpenRelease[];
  /** Releases of the design that the environment has not pulled, with authors; oldest first. */
  readonly notPulled: readonly { readonly releaseId: number; readonly by: string }[];
  readonly counts: readonly RunningCount[];
}

/** What each command prints, by its words. */
export interface Outputs {
  /** The assembly's open design release, and its environments. */
  readonly status: {
    readonly assembly: string;
    readonly design?: OpenRelease;
    readonly environments: readonly EnvironmentStatus[];
  };
  readonly instances: readonly ShownInstance[];
  readonly 'instances --addresses': readonly string[];
  /** Newest first. */
  readonly 'deployment list': readonly Deployment[];
  readonly 'deployment show': Deployment & {
    readonly orders: readonly WorkOrder[];
    /** Moves from state to state, oldest first. */
    readonly moves: readonly { readonly newState: string; readonly updatedBy?: string | null }[];
    readonly approvals: readonly Approval[];
  };
  readonly 'deployment follow': Deployment & { readonly orders: readonly WorkOrder[] };
  /** After `retry`, `resume`, `pause`, `approve`, `reject` and `cancel`. */
  readonly 'deployment MOVE': Deployment;
  /** One line of JSON for each. */
  readonly logs: {
    /** Whose log it is in: `web/compute-1130-1`. */
    readonly of: string;
    /** Milliseconds since 1970. */
    readonly time: number;
    readonly level: string;
    readonly message: string;
  };
  /** Without an action: the names of the actions. */
  readonly 'run, without ACTION': readonly string[];
  /** With the names of its instances, and with --follow a line for each action that failed. */
  readonly run: Procedure & { readonly instances: readonly string[]; readonly failures: readonly string[] };
  /** Newest first. */
  readonly history: readonly (Release & { readonly changes: readonly OpenChange[] })[];
  readonly 'history --release': Release & { readonly changes: readonly OpenChange[] };
}

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

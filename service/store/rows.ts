// What the store keeps, as plain readonly data: records, relations, changes, releases, deployments, procedures, users, jobs.
// It must not know SQL, the shapes on the wire, or any class of record.

/** Attribute values: text, or null where the class has no default. */
export type Values = { readonly [attribute: string]: string | null };

/** Attribute locks: attribute name → `design` or `manifest` (service-facts §2.1.5). */
export type Owners = { readonly [attribute: string]: string };

/** What an open change does to its record (service-facts §3.3); `replace` only below `bom`. */
export type ChangeAction = 'add' | 'update' | 'delete' | 'replace';

/** Who wrote a row first and last. Times in ms since 1970. `updatedBy` is null until the first update; `updated` starts equal to `created`. */
export interface Stamps {
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number;
  readonly updatedBy: string | null;
}

/** The one open change on a record or relation: an RFC of an open release. `updated` is null until it is written a second time. */
export interface Change {
  /** rfcId. */
  readonly id: number;
  readonly releaseId: number;
  readonly action: ChangeAction;
  /** Committed values of the attributes this change writes; `{}` for an add, a delete and a touch. */
  readonly base: Values;
  /** Values this change writes: all of them for an add, else only the changed ones. */
  readonly values: Values;
  /** Order in which a bom change is carried out, from 1; 0 elsewhere. */
  readonly execOrder: number;
  readonly comments: string | null;
  readonly hint: string | null;
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number | null;
  readonly updatedBy: string | null;
}

/**
 * A record. Read `merged`, values are those of the open change laid over the committed ones and `change` is that change;
 * read `committed`, `change` is undefined. A record that only exists as an add has `state: null` and the change's stamps.
 */
export interface StoredRecord extends Stamps {
  /** ciId: allocated when the add is written and kept through the commit. */
  readonly id: number;
  readonly namespace: string;
  readonly className: string;
  readonly name: string;
  readonly impl: string | null;
  readonly comments: string | null;
  /** ciState: `default`, `pending_deletion`, `replace`, `locked`, `manifest_locked`; null for an uncommitted record (service-facts §3.1). */
  readonly state: string | null;
  /** Health of an instance (service-facts §2.2.11); null everywhere else and until first seen. */
  readonly opsState: string | null;
  readonly values: Values;
  readonly owners: Owners;
  /** rfcId of the change that was committed last; 0 for a record written directly. */
  readonly lastChangeId: number;
  readonly change: Change | undefined;
}

/** A relation between two records, read like a record. `name` is for example `manifest.DependsOn`. */
export interface StoredRelation extends Stamps {
  readonly id: number;
  readonly namespace: string;
  readonly name: string;
  readonly fromId: number;
  readonly toId: number;
  readonly comments: string | null;
  readonly state: string | null;
  readonly values: Values;
  readonly owners: Owners;
  readonly lastChangeId: number;
  readonly change: Change | undefined;
}

/** What is needed to write a new record; `id` only when it was allocated before. Values are stored as given: fill class defaults first. */
export interface NewRecord {
  readonly id?: number;
  readonly namespace: string;
  readonly className: string;
  readonly name: string;
  readonly values: Values;
  readonly owners?: Owners;
  readonly comments?: string | null;
  readonly impl?: string | null;
}

/** What an update may change; members left out stay. `values` are merged; `owners` replace the whole map. */
export interface RecordPatch {
  readonly name?: string;
  readonly values?: Values;
  readonly owners?: Owners;
  readonly comments?: string | null;
}

export interface NewRelation {
  readonly namespace: string;
  readonly name: string;
  readonly fromId: number;
  readonly toId: number;
  readonly values?: Values;
  readonly owners?: Owners;
  readonly comments?: string | null;
}

export interface RelationPatch {
  readonly values?: Values;
  readonly owners?: Owners;
  readonly comments?: string | null;
}

export type ReleaseState = 'open' | 'closed' | 'canceled';

/** A release of a namespace: `/<o>/<a>` design, `…/<e>/manifest`, `…/<e>/bom` (service-facts §2.2.9). At most one per namespace is open. */
export interface StoredRelease {
  readonly id: number;
  readonly namespace: string;
  readonly state: ReleaseState;
  readonly type: string | null;
  readonly description: string | null;
  /** Manifest: the design release pulled; bom: the manifest release; else 0. */
  readonly parentId: number;
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number | null;
  readonly committedBy: string | null;
}

/** A deployment of one bom release (service-facts §2.2.10). `state` is free text here: part of the state machine that moves it. */
export interface StoredDeployment {
  readonly id: number;
  readonly releaseId: number;
  readonly namespace: string;
  readonly state: string;
  readonly description: string | null;
  readonly comments: string | null;
  readonly continueOnFailure: boolean;
  readonly autoPauseExecOrders: readonly number[];
  readonly currentStep: number;
  readonly maxExecOrder: number;
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number;
  readonly updatedBy: string | null;
}

/** The work order of one change of a deployment (service-facts §3.5). */
export interface StoredDeploymentRecord {
  readonly id: number;
  readonly deploymentId: number;
  /** rfcId. */
  readonly changeId: number;
  /** ciId of the instance. */
  readonly recordId: number;
  readonly execOrder: number;
  readonly state: string;
  readonly comments: string | null;
  readonly created: number;
  readonly updated: number;
}

/** What the support of a cloud says of a deployment (service-facts §3.6). */
export interface StoredApproval {
  readonly id: number;
  readonly deploymentId: number;
  /** ciId of the support. */
  readonly recordId: number;
  /** `pending`, `approved` or `rejected`. */
  readonly state: string;
  readonly comments: string | null;
  /** Minutes an approval counts; -1: for ever. */
  readonly expiresIn: number;
  readonly created: number;
  readonly updated: number;
  readonly updatedBy: string | null;
}

/** A move of a deployment from one state to another; from null when it was made. */
export interface StoredMove {
  readonly id: number;
  readonly deploymentId: number;
  readonly oldState: string | null;
  readonly newState: string;
  readonly comments: string | null;
  /** ms since 1970. */
  readonly moved: number;
  readonly movedBy: string | null;
}

/** A procedure (service-facts §3.7). */
export interface StoredProcedure {
  readonly id: number;
  readonly name: string;
  /** ciId the procedure is anchored at: the manifest component. */
  readonly recordId: number;
  readonly procedureRecordId: number;
  readonly namespace: string;
  readonly state: string;
  readonly arguments: string | null;
  /** JSON text as sent. */
  readonly definition: string | null;
  readonly forceExecution: boolean;
  readonly currentStep: number;
  readonly maxExecOrder: number;
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number;
}

/** One action of a procedure on one record. */
export interface StoredAction {
  readonly id: number;
  readonly procedureId: number;
  /** ciId it runs on. */
  readonly recordId: number;
  readonly name: string;
  readonly state: string;
  readonly execOrder: number;
  readonly isCritical: boolean;
  readonly extraInfo: string | null;
  readonly arguments: string | null;
  /** Why it failed; null unless it did. */
  readonly comments: string | null;
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number;
}

/** One attachment that ran on an instance, at an event of a work order or for an action of a procedure. */
export interface StoredAttachmentRun {
  readonly id: number;
  /** Id of the work order or of the action. */
  readonly workId: number;
  /** ciId of the instance. */
  readonly recordId: number;
  readonly attachmentId: number;
  readonly name: string;
  /** `after-add`, `on-demand`, `before-repair`. */
  readonly event: string;
  readonly priority: string;
  readonly path: string;
  /** What was saved at the path: `content`, `source`, or `''` for nothing. */
  readonly saved: string;
  /** Command that was run; `''` for none. */
  readonly command: string;
  /** Why it failed; null unless it did. */
  readonly failure: string | null;
  /** ms since 1970. */
  readonly ran: number;
}

/** What a user may do: `full`, or `read`: everything may be read and nothing written. Teams refine this: `teams`. */
export type Rights = 'full' | 'read';

export interface StoredUser {
  readonly id: number;
  readonly name: string;
  readonly rights: Rights;
  /** Organizations the user belongs to; null: all of them. */
  readonly organizations: readonly string[] | null;
  /** Names of the teams whose rights the user has in each organization (service-facts §5.3); null: all rights. */
  readonly teams: readonly string[] | null;
  /** Organization of the user's last request that named one; null before the first (service-facts §5.2). */
  readonly current: string | null;
  /** ms since 1970; null for a user that an older version made. */
  readonly created: number | null;
  readonly updated: number | null;
}

/** Timed work: carried out at the start of the first request at or after `due`, in order of due time, then id. */
export interface Job {
  readonly id: number;
  /** Name its runner is registered under, for example `environment.commit`. */
  readonly name: string;
  /** ms since 1970. */
  readonly due: number;
  /** What it is about, to find and remove it by: for example an environment's or a deployment's id. */
  readonly subject: number;
  /** JSON value. */
  readonly payload: unknown;
}

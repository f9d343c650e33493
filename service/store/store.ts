// The store's interface: everything the handlers keep, in one database file. Read this to write a handler.
// It must not know routes, voices, classes or packs; nor SQL, which stands in the files beside it, one noun each.
import type { Approvals } from './approvals';
import type { AttachmentRuns } from './attachment-runs';
import type { ChangeAtOnce } from './at-once';
import type { Changes } from './changes';
import type {
  Change,
  Job,
  NewRecord,
  NewRelation,
  Owners,
  RecordPatch,
  RelationPatch,
  ReleaseState,
  StoredAction,
  StoredDeployment,
  StoredDeploymentRecord,
  StoredMove,
  StoredProcedure,
  StoredRecord,
  StoredRelation,
  StoredRelease,
} from './rows';
import type { Users } from './users';

/*
 * How to use it
 * - Every request runs in one transaction, opened by the request handling; a throw (a Refusal too) rolls all of it back.
 *   Handlers therefore just read and write; nothing here needs a transaction of its own.
 * - Two ways to write: directly (`records.insert` …: organizations, clouds, assemblies, environments, instances' state) and staged
 *   (`stage(store, '/acme/shop/prod/manifest', author).add(…)` in stage.ts: design and manifest records, written as changes of the one open
 *   release of that namespace). A bom release is staged too: `stage(store, '/acme/shop/prod/bom', author)`.
 * - Two views: `merged` shows committed records with the open changes laid over them (pending deletes still listed, `change.action` says
 *   `delete`; adds included); `committed` shows what is true without the open release. Default everywhere: `merged`.
 * - Numbers (ciId, rfcId, releaseId, deploymentId, …) all come from one sequence (`allocateId`): no two things share one. Lists come in order of id.
 */

/** Which truth a read sees. */
export type View = 'merged' | 'committed';

/** Which records a list holds. One of `namespace`, `below` is given; both narrow by index, nothing scans. */
export interface RecordFilter {
  /** Exactly this namespace. */
  readonly namespace?: string;
  /** This namespace and every one under it: `/acme/shop` covers `/acme/shop/_design/web`. */
  readonly below?: string;
  readonly className?: string;
  readonly name?: string;
  /** Instead of `name`: compares without regard to case, as the uniqueness of most names does (service-facts §2.1.6). */
  readonly nameInAnyCase?: string;
}

/** Writer and time of a direct write. */
export interface Author {
  /** User name. */
  readonly user: string;
  /** ms since 1970: `context.now`. */
  readonly now: number;
}

export interface Records {
  /** By ciId, wherever it stands. */
  byId(id: number, view?: View): StoredRecord | undefined;
  /** A record read merged before, as it now reads; undefined when it is gone. Costs nothing while its place was not written. */
  current(record: StoredRecord): StoredRecord | undefined;
  /** Several by ciId, in the order asked; ids without a record are left out. */
  byIds(ids: readonly number[], view?: View): StoredRecord[];
  /** By exact name in exactly this namespace; without a class, of any class (first born wins). */
  byName(namespace: string, className: string | undefined, name: string, view?: View): StoredRecord | undefined;
  list(filter: RecordFilter, view?: View): StoredRecord[];
  /** Whether any record (merged) matches; cheaper than a list. */
  exists(filter: RecordFilter): boolean;
  /** Writes a committed record at once (`state: 'default'`). Returns it with its id. */
  insert(record: NewRecord, author: Author): StoredRecord;
  /**
   * Changes a committed record at once and stamps `updated`, `updatedBy`; a patch that changes nothing stamps nothing. Returns it.
   * Throws UnknownRow when there is no committed record of this id.
   */
  update(id: number, patch: RecordPatch, author: Author): StoredRecord;
  /** Sets ciState (service-facts §3.1); no stamp, since states are the service's own. */
  setState(id: number, state: string): void;
  /** Sets an instance's health; no stamp. */
  setOpsState(id: number, opsState: string | null): void;
  /** Removes a committed record at once, with every relation from or to it and every open change on any of them. Unknown id: nothing happens. */
  remove(id: number): void;
}

export interface Relations {
  byId(id: number, view?: View): StoredRelation | undefined;
  /** Relations that start at a record; without a name, all of them. */
  from(recordId: number, name?: string, view?: View): StoredRelation[];
  /** Relations that end at a record. */
  to(recordId: number, name?: string, view?: View): StoredRelation[];
  /** The one relation of this name between two records. */
  between(fromId: number, toId: number, name: string, view?: View): StoredRelation | undefined;
  /** Relations that stand in exactly this namespace. */
  list(namespace: string, name?: string, view?: View): StoredRelation[];
  insert(relation: NewRelation, author: Author): StoredRelation;
  /** Throws UnknownRow when there is no committed relation of this id. */
  update(id: number, patch: RelationPatch, author: Author): StoredRelation;
  remove(id: number): void;
}

/** A change as its release holds it, open or not: what `include_rfcs` and a deployment show. `owners` is null when the change leaves them. */
export interface RecordChange extends Change {
  readonly recordId: number;
  readonly namespace: string;
  readonly className: string;
  readonly name: string;
  readonly impl: string | null;
  readonly owners: Owners | null;
}

export interface RelationChange extends Change {
  readonly relationId: number;
  readonly namespace: string;
  readonly name: string;
  readonly fromId: number;
  readonly toId: number;
  readonly owners: Owners | null;
}

/** How a release is closed. */
export interface CloseFacts {
  readonly description?: string;
  /**
   * Soft delete (service-facts §3.1): a deleted record for which this says true is not removed but set to `pending_deletion`, with all its
   * relations left as they are. For manifest records that still have instances; remove them with `records.remove` when those are gone.
   */
  readonly keeps?: (record: StoredRecord) => boolean;
}

export interface Releases {
  byId(id: number): StoredRelease | undefined;
  /** The one open release of a namespace. */
  open(namespace: string): StoredRelease | undefined;
  /** Newest release of a namespace, of any state or of the given ones. */
  latest(namespace: string, states?: readonly ReleaseState[]): StoredRelease | undefined;
  /** All of a namespace, newest first. */
  list(namespace: string): StoredRelease[];
  /** Opens a release, or returns the open one. `stage(…)` does this by itself at the first write. */
  begin(
    namespace: string,
    author: Author,
    facts?: { readonly parentId?: number; readonly type?: string },
  ): StoredRelease;
  /** Changes the texts and the parent of a release. */
  describe(
    id: number,
    facts: { readonly description?: string | null; readonly parentId?: number; readonly type?: string },
  ): void;
  /** Whole release to `closed`: every change that is still open becomes true (see `commitChange`). A release that is not open is left as it is. */
  close(id: number, author: Author, facts?: CloseFacts): StoredRelease;
  /**
   * Closes an open release with only some of its changes, the others move to a new open release (service-facts §4.5.6,
   * platform commit). Returns the closed one.
   */
  closePart(
    id: number,
    author: Author,
    belongs: (change: RecordChange | RelationChange) => boolean,
    facts?: CloseFacts,
  ): StoredRelease;
  /** To `canceled`: its open changes stop being seen; records that were only added vanish. A release that is not open is left as it is. */
  cancel(id: number, author: Author): StoredRelease;
  /** Removes a release with its changes as if it had never been (service-facts §3.2, failed generation; an empty plan). */
  erase(id: number): void;
  recordChanges(releaseId: number): RecordChange[];
  relationChanges(releaseId: number): RelationChange[];
  /** One change by rfcId, open or not. */
  recordChange(changeId: number): RecordChange | undefined;
  /**
   * Makes one open record change true ahead of its release: add → record, update and replace → new values, delete → record, relations gone.
   * Replace also sets `state` to `default` and `created` to now (service-facts §3.1). Relation changes of the same release that start or end
   * at the record and whose other end is committed become true with it. The release stays open. What a deployment does as each work order completes.
   */
  commitChange(changeId: number, author: Author): void;
  /** Sets the order in which a bom change is carried out. */
  setExecOrder(changeId: number, execOrder: number): void;
}

export interface Deployments {
  byId(id: number): StoredDeployment | undefined;
  /** Newest of a bom namespace. */
  latest(namespace: string): StoredDeployment | undefined;
  /** All of a bom namespace, newest first. */
  list(namespace: string): StoredDeployment[];
  insert(deployment: Omit<StoredDeployment, 'id'>): StoredDeployment;
  /** Throws UnknownRow. Stamp `updated`, `updatedBy` in the patch. Another state is kept as a move. */
  update(id: number, patch: Partial<Omit<StoredDeployment, 'id'>>): StoredDeployment;
  /** Moves of a deployment, oldest first. */
  moves(deploymentId: number): StoredMove[];
  /** Work orders of a deployment, by execOrder, then id. */
  records(deploymentId: number): StoredDeploymentRecord[];
  insertRecord(record: Omit<StoredDeploymentRecord, 'id'>): StoredDeploymentRecord;
  updateRecord(id: number, patch: Partial<Omit<StoredDeploymentRecord, 'id'>>): StoredDeploymentRecord;
}

/** Which procedures a list holds; at least one member is given. */
export interface ProcedureFilter {
  /** Anchor ciId. */
  readonly recordId?: number;
  /** ciId of a record one of its actions runs on. */
  readonly actionRecordId?: number;
  /** This namespace and every one under it. */
  readonly below?: string;
  readonly states?: readonly string[];
  readonly name?: string;
}

export interface Procedures {
  byId(id: number): StoredProcedure | undefined;
  /** Newest first. */
  list(filter: ProcedureFilter, limit?: number): StoredProcedure[];
  insert(procedure: Omit<StoredProcedure, 'id'>): StoredProcedure;
  update(id: number, patch: Partial<Omit<StoredProcedure, 'id'>>): StoredProcedure;
  /** Actions of a procedure, by execOrder, then id. */
  actions(procedureId: number): StoredAction[];
  insertAction(action: Omit<StoredAction, 'id'>): StoredAction;
  updateAction(id: number, patch: Partial<Omit<StoredAction, 'id'>>): StoredAction;
}

export interface Jobs {
  /** Adds timed work. Payload is kept as JSON. */
  add(job: Omit<Job, 'id'>): Job;
  /** Earliest job due at or before `now`, with one of these names. */
  next(now: number, names: readonly string[]): Job | undefined;
  /** Whether no job is due, of whatever name. */
  isIdle(now: number): boolean;
  /** Jobs of a name about a subject, earliest first. */
  about(name: string, subject: number): Job[];
  remove(id: number): void;
  /** Removes every job of a name about a subject. */
  removeAbout(name: string, subject: number): void;
}

export interface Store {
  readonly records: Records;
  readonly relations: Relations;
  readonly releases: Releases;
  readonly deployments: Deployments;
  readonly approvals: Approvals;
  readonly attachmentRuns: AttachmentRuns;
  readonly procedures: Procedures;
  readonly users: Users;
  readonly jobs: Jobs;
  /** What stage.ts writes with; handlers use `stage(store, namespace, author)` instead. */
  readonly changes: Changes;
  /** For stage.ts too: a change that is true at once. */
  readonly changeAtOnce: ChangeAtOnce;
  /** A number no other record, change, release, deployment, procedure or action has. */
  allocateId(): number;
  /** Number of a namespace path (nsId), the same for good. */
  namespaceId(path: string): number;
  /** Number of a class name, the same for good (middle part of ciGoid). */
  classId(className: string): number;
  /** Removes all in a namespace and under it. `/acme/shop/prod` takes manifest and bom of prod; the environment's record stands in `/acme/shop`. */
  removeNamespace(path: string): void;
  /** The newest time that anything carries, in ms since 1970; 0 when nothing was written. */
  newest(): number;
  /** How often anything was written since the store was opened, what was taken back included: while it stays, every read answers the same. */
  writes(): number;
  /** Runs `work` all or nothing, on the disk when it returns; a throw takes back what it wrote. Not while something is pending. */
  transaction<T>(work: () => T): T;
  /**
   * The same, for the request handling and `advance`: what was written waits for `settle`, together with that of others who join before. Each
   * is all or nothing by itself; who was told of it before `settle` returned was told too early.
   */
  join<T>(work: () => T): T;
  /** Whether anything waits for `settle`. */
  isPending(): boolean;
  /** Puts what is pending on the disk, in one commit. Throws when that fails: then nothing of it is left. */
  settle(): void;
  /** Runs `work` inside of a transaction and takes back all it wrote, whether it returns or throws: to see what would be. */
  attempt<T>(work: () => T): T;
  close(): void;
}

/** Facts of a bom change. */
export interface ChangeFacts {
  readonly execOrder?: number;
  readonly hint?: string | null;
}

/** Whether a row's deletion waits for the commit of its release: it is still listed, and as good as gone. */
export function isLeaving(row: StoredRecord | StoredRelation): boolean {
  return row.change?.action === 'delete';
}

/** A write to a row that is not there: always a mistake of the caller. */
export class UnknownRow extends Error {
  constructor(
    readonly noun: string,
    readonly id: number,
  ) {
    super(`there is no ${noun} with id ${id}`);
    this.name = 'UnknownRow';
  }
}

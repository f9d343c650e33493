// The store's interface: everything the handlers keep, in one database file. Read this to write a handler.
// Each part is declared next to its SQL, one noun a file.
import type { Changes } from './changes';
import type { Approvals, Deployments } from './deployments';
import type { Jobs } from './jobs';
import type { AttachmentRuns, Procedures } from './procedures';
import type { Records } from './records';
import type { Relations } from './relations';
import type { Releases } from './releases';
import type { Users } from './users';

/*
 * How to use it
 * - Every request runs in one transaction, opened by the request handling; a throw (a RefusedRequest too) rolls all of it back.
 *   Handlers therefore just read and write; nothing here needs its own transaction.
 * - Two ways to write: directly (`records.insert` …: organizations, clouds, assemblies, environments, instances' state) and staged
 *   (`stage(store, '/acme/shop/prod/manifest', author).add(…)` in stage.ts: design and manifest records, written as changes of the one open
 *   release of that namespace). A bom release is staged too: `stage(store, '/acme/shop/prod/bom', author)`.
 * - Two views: `merged` shows committed records with the open changes laid over them (pending deletes still listed, `change.action` says
 *   `delete`; adds included); `committed` shows what is true without the open release. Default everywhere: `merged`.
 * - Numbers (ciId, rfcId, releaseId, deploymentId, …) all come from one sequence (`allocateId`): no two things share one. Lists come in order of id.
 */

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
  /** A number no other record, change, release, deployment, procedure or action has. */
  allocateId(): number;
  /** Number of a namespace path (nsId), the same for good. */
  namespaceId(path: string): number;
  /** Number of a class name, the same for good (middle part of ciGoid). */
  classId(className: string): number;
  /** Removes all in a namespace and under it. `/acme/shop/prod` takes manifest and bom of prod; the environment's record is in `/acme/shop`. */
  removeNamespace(path: string): void;
  /** The newest time that anything carries, in ms since 1970; 0 when nothing was written. */
  newest(): number;
  /** Runs `work` all or nothing, on the disk when it returns; a throw takes back what it wrote. Not while something is pending. */
  transaction<T>(work: () => T): T;
  /**
   * The same, for the request handling and `advance`: what was written waits for `settle`, together with that of others who join before. Each
   * is all or nothing by itself; an answer that was sent before `settle` returned was too early.
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

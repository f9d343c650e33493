// Approvals of deployments in SQL (service-facts §3.6).
// It must not know who may approve, nor what follows from it.
import { type Database } from './database';
import type { StoredApproval } from './rows';
import { UnknownRow } from './store';

/** Approvals deployments wait for, or had. */
export interface Approvals {
  byId(id: number): StoredApproval | undefined;
  /** Of a deployment, oldest first. */
  list(deploymentId: number): StoredApproval[];
  insert(approval: Omit<StoredApproval, 'id'>): StoredApproval;
  /** Throws UnknownRow. Stamp `updated`, `updatedBy` in the patch. */
  update(id: number, patch: Partial<Omit<StoredApproval, 'id'>>): StoredApproval;
}

interface ApprovalRow {
  readonly id: number;
  readonly deployment: number;
  readonly record: number;
  readonly state: string;
  readonly comments: string | null;
  readonly expires_in: number;
  readonly created: number;
  readonly updated: number;
  readonly updated_by: string | null;
}

const approvalOf = (row: ApprovalRow): StoredApproval => ({
  id: row.id,
  deploymentId: row.deployment,
  recordId: row.record,
  state: row.state,
  comments: row.comments,
  expiresIn: row.expires_in,
  created: row.created,
  updated: row.updated,
  updatedBy: row.updated_by,
});

/** Reads and writes of approvals; a write replaces the whole row. */
export function approvalsOf(database: Database, allocateId: () => number): Approvals {
  const byId = (id: number): StoredApproval | undefined => {
    const row = database.get<ApprovalRow>('SELECT * FROM approvals WHERE id = ?', id);
    return row === undefined ? undefined : approvalOf(row);
  };
  const put = (approval: StoredApproval): StoredApproval => {
    database.run(
      'INSERT OR REPLACE INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      approval.id,
      approval.deploymentId,
      approval.recordId,
      approval.state,
      approval.comments,
      approval.expiresIn,
      approval.created,
      approval.updated,
      approval.updatedBy,
    );
    return approval;
  };
  return {
    byId,
    list: (deploymentId) =>
      database
        .all<ApprovalRow>('SELECT * FROM approvals WHERE deployment = ? ORDER BY id', deploymentId)
        .map(approvalOf),
    insert: (approval) => put({ ...approval, id: allocateId() }),
    update: (id, patch) => {
      const current = byId(id);
      if (current === undefined) throw new UnknownRow('approval', id);
      return put({ ...current, ...patch });
    },
  };
}

// Deployments and their work orders in SQL.
// It must not know their states, nor when they move.
import { type Database } from './database';
import type { StoredDeployment, StoredDeploymentRecord, StoredMove } from './rows';
import { UnknownRow, type Deployments } from './store';

interface DeploymentRow {
  readonly id: number;
  readonly release: number;
  readonly namespace: string;
  readonly state: string;
  readonly description: string | null;
  readonly comments: string | null;
  readonly continue_on_failure: number;
  readonly auto_pause: string;
  readonly current_step: number;
  readonly max_exec_order: number;
  readonly created: number;
  readonly created_by: string | null;
  readonly updated: number;
  readonly updated_by: string | null;
}

interface DeploymentRecordRow {
  readonly id: number;
  readonly deployment: number;
  readonly change: number;
  readonly record: number;
  readonly exec_order: number;
  readonly state: string;
  readonly comments: string | null;
  readonly created: number;
  readonly updated: number;
}

interface MoveRow {
  readonly id: number;
  readonly deployment: number;
  readonly old_state: string | null;
  readonly new_state: string;
  readonly comments: string | null;
  readonly moved: number;
  readonly moved_by: string | null;
}

const moveOf = (row: MoveRow): StoredMove => ({
  id: row.id,
  deploymentId: row.deployment,
  oldState: row.old_state,
  newState: row.new_state,
  comments: row.comments,
  moved: row.moved,
  movedBy: row.moved_by,
});

const deploymentOf = (row: DeploymentRow): StoredDeployment => ({
  id: row.id,
  releaseId: row.release,
  namespace: row.namespace,
  state: row.state,
  description: row.description,
  comments: row.comments,
  continueOnFailure: row.continue_on_failure === 1,
  autoPauseExecOrders: JSON.parse(row.auto_pause) as number[],
  currentStep: row.current_step,
  maxExecOrder: row.max_exec_order,
  created: row.created,
  createdBy: row.created_by,
  updated: row.updated,
  updatedBy: row.updated_by,
});

const deploymentRecordOf = (row: DeploymentRecordRow): StoredDeploymentRecord => ({
  id: row.id,
  deploymentId: row.deployment,
  changeId: row.change,
  recordId: row.record,
  execOrder: row.exec_order,
  state: row.state,
  comments: row.comments,
  created: row.created,
  updated: row.updated,
});

/** Reads and writes of deployments; a write replaces the whole row. */
export function deploymentsOf(database: Database, allocateId: () => number): Deployments {
  const byId = (id: number): StoredDeployment | undefined => {
    const row = database.get<DeploymentRow>('SELECT * FROM deployments WHERE id = ?', id);
    return row === undefined ? undefined : deploymentOf(row);
  };
  const list = (namespace: string, limit: number): StoredDeployment[] =>
    database
      .all<DeploymentRow>('SELECT * FROM deployments WHERE namespace = ? ORDER BY id DESC LIMIT ?', namespace, limit)
      .map(deploymentOf);
  const put = (deployment: StoredDeployment): StoredDeployment => {
    database.run(
      'INSERT OR REPLACE INTO deployments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      deployment.id,
      deployment.releaseId,
      deployment.namespace,
      deployment.state,
      deployment.description,
      deployment.comments,
      deployment.continueOnFailure ? 1 : 0,
      JSON.stringify(deployment.autoPauseExecOrders),
      deployment.currentStep,
      deployment.maxExecOrder,
      deployment.created,
      deployment.createdBy,
      deployment.updated,
      deployment.updatedBy,
    );
    return deployment;
  };
  const noteMove = (deployment: StoredDeployment, oldState: string | null): void =>
    database.run(
      'INSERT INTO deployment_moves VALUES (?, ?, ?, ?, ?, ?, ?)',
      allocateId(),
      deployment.id,
      oldState,
      deployment.state,
      deployment.comments,
      deployment.updated,
      deployment.updatedBy ?? deployment.createdBy,
    );
  const putRecord = (record: StoredDeploymentRecord): StoredDeploymentRecord => {
    database.run(
      'INSERT OR REPLACE INTO deployment_records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      record.id,
      record.deploymentId,
      record.changeId,
      record.recordId,
      record.execOrder,
      record.state,
      record.comments,
      record.created,
      record.updated,
    );
    return record;
  };

  return {
    byId,
    latest: (namespace) => list(namespace, 1)[0],
    list: (namespace) => list(namespace, -1),
    insert: (deployment) => {
      const inserted = put({ ...deployment, id: allocateId() });
      noteMove(inserted, null);
      return inserted;
    },
    update: (id, patch) => {
      const current = byId(id);
      if (current === undefined) throw new UnknownRow('deployment', id);
      const updated = put({ ...current, ...patch });
      if (updated.state !== current.state) noteMove(updated, current.state);
      return updated;
    },
    moves: (deploymentId) =>
      database
        .all<MoveRow>('SELECT * FROM deployment_moves WHERE deployment = ? ORDER BY id', deploymentId)
        .map(moveOf),
    records: (deploymentId) =>
      database
        .all<DeploymentRecordRow>(
          'SELECT * FROM deployment_records WHERE deployment = ? ORDER BY exec_order, id',
          deploymentId,
        )
        .map(deploymentRecordOf),
    insertRecord: (record) => putRecord({ ...record, id: allocateId() }),
    updateRecord: (id, patch) => {
      const row = database.get<DeploymentRecordRow>('SELECT * FROM deployment_records WHERE id = ?', id);
      if (row === undefined) throw new UnknownRow('deployment record', id);
      return putRecord({ ...deploymentRecordOf(row), ...patch });
    },
  };
}

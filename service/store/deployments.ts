// Deployments and their work orders in SQL.
// It must not know their states, nor when they move.
import { type Database } from './database';
import type { StoredDeployment, StoredDeploymentRecord } from './rows';
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
    insert: (deployment) => put({ ...deployment, id: allocateId() }),
    update: (id, patch) => {
      const current = byId(id);
      if (current === undefined) throw new UnknownRow('deployment', id);
      return put({ ...current, ...patch });
    },
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

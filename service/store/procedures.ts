// Procedures and their actions in SQL.
// It must not know their states, nor when they move.
import { type Database } from './database';
import { type Bindable } from './statements';
import { BELOW, belowParameters } from './records';
import type { StoredAction, StoredProcedure } from './rows';
import { UnknownRow, type ProcedureFilter, type Procedures } from './store';

interface ProcedureRow {
  readonly id: number;
  readonly name: string;
  readonly record: number;
  readonly procedure_record: number;
  readonly namespace: string;
  readonly state: string;
  readonly arguments: string | null;
  readonly definition: string | null;
  readonly force: number;
  readonly current_step: number;
  readonly max_exec_order: number;
  readonly created: number;
  readonly created_by: string | null;
  readonly updated: number;
}

interface ActionRow {
  readonly id: number;
  readonly procedure: number;
  readonly record: number;
  readonly name: string;
  readonly state: string;
  readonly exec_order: number;
  readonly critical: number;
  readonly extra_info: string | null;
  readonly arguments: string | null;
  readonly created: number;
  readonly created_by: string | null;
  readonly updated: number;
  readonly comments: string | null;
}

const procedureOf = (row: ProcedureRow): StoredProcedure => ({
  id: row.id,
  name: row.name,
  recordId: row.record,
  procedureRecordId: row.procedure_record,
  namespace: row.namespace,
  state: row.state,
  arguments: row.arguments,
  definition: row.definition,
  forceExecution: row.force === 1,
  currentStep: row.current_step,
  maxExecOrder: row.max_exec_order,
  created: row.created,
  createdBy: row.created_by,
  updated: row.updated,
});

const actionOf = (row: ActionRow): StoredAction => ({
  id: row.id,
  procedureId: row.procedure,
  recordId: row.record,
  name: row.name,
  state: row.state,
  execOrder: row.exec_order,
  isCritical: row.critical === 1,
  extraInfo: row.extra_info,
  arguments: row.arguments,
  comments: row.comments,
  created: row.created,
  createdBy: row.created_by,
  updated: row.updated,
});

function condition(filter: ProcedureFilter): { readonly sql: string; readonly parameters: readonly Bindable[] } {
  const parts: string[] = [];
  const parameters: Bindable[] = [];
  const add = (sql: string, ...values: readonly Bindable[]): void => {
    parts.push(sql);
    parameters.push(...values);
  };
  if (filter.recordId !== undefined) add('record = ?', filter.recordId);
  if (filter.actionRecordId !== undefined)
    add('id IN (SELECT procedure FROM actions WHERE record = ?)', filter.actionRecordId);
  if (filter.below !== undefined) add(BELOW, ...belowParameters(filter.below));
  if (filter.states !== undefined) add('state IN (SELECT value FROM json_each(?))', JSON.stringify(filter.states));
  if (filter.name !== undefined) add('name = ?', filter.name);
  if (parts.length === 0) throw new Error('a list of procedures needs a filter');
  return { sql: parts.join(' AND '), parameters };
}

/** Reads and writes of procedures; a write replaces the whole row. */
export function proceduresOf(database: Database, allocateId: () => number): Procedures {
  const byId = (id: number): StoredProcedure | undefined => {
    const row = database.get<ProcedureRow>('SELECT * FROM procedures WHERE id = ?', id);
    return row === undefined ? undefined : procedureOf(row);
  };
  const put = (procedure: StoredProcedure): StoredProcedure => {
    database.run(
      'INSERT OR REPLACE INTO procedures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      procedure.id,
      procedure.name,
      procedure.recordId,
      procedure.procedureRecordId,
      procedure.namespace,
      procedure.state,
      procedure.arguments,
      procedure.definition,
      procedure.forceExecution ? 1 : 0,
      procedure.currentStep,
      procedure.maxExecOrder,
      procedure.created,
      procedure.createdBy,
      procedure.updated,
    );
    return procedure;
  };
  const putAction = (action: StoredAction): StoredAction => {
    database.run(
      'INSERT OR REPLACE INTO actions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      action.id,
      action.procedureId,
      action.recordId,
      action.name,
      action.state,
      action.execOrder,
      action.isCritical ? 1 : 0,
      action.extraInfo,
      action.arguments,
      action.created,
      action.createdBy,
      action.updated,
      action.comments,
    );
    return action;
  };

  return {
    byId,
    list: (filter, limit = -1) => {
      const { sql, parameters } = condition(filter);
      return database
        .all<ProcedureRow>(`SELECT * FROM procedures WHERE ${sql} ORDER BY id DESC LIMIT ?`, ...parameters, limit)
        .map(procedureOf);
    },
    insert: (procedure) => put({ ...procedure, id: allocateId() }),
    update: (id, patch) => {
      const current = byId(id);
      if (current === undefined) throw new UnknownRow('procedure', id);
      return put({ ...current, ...patch });
    },
    actions: (procedureId) =>
      database
        .all<ActionRow>('SELECT * FROM actions WHERE procedure = ? ORDER BY exec_order, id', procedureId)
        .map(actionOf),
    insertAction: (action) => putAction({ ...action, id: allocateId() }),
    updateAction: (id, patch) => {
      const row = database.get<ActionRow>('SELECT * FROM actions WHERE id = ?', id);
      if (row === undefined) throw new UnknownRow('action', id);
      return putAction({ ...actionOf(row), ...patch });
    },
  };
}

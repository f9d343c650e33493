// Procedures and their actions in SQL (service-facts §3.7), and what attachments did for them and for work orders (service-facts §6).
// Their states, and when they move, are decided elsewhere.
import { type Bindable, type Database } from './database';
import { BELOW, belowParameters } from './records';
import { table } from './table';

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

/** Which procedures a list holds; at least one member is given. */
interface ProcedureFilter {
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

/** Runs of attachments: written once, never changed. */
export interface AttachmentRuns {
  /** Of a work order or of an action of a procedure, in the order they ran. */
  ofWork(workId: number): StoredAttachmentRun[];
  /** Of all work orders of a deployment, in the order they ran. */
  ofDeployment(deploymentId: number): StoredAttachmentRun[];
  /** On an instance: the newest ones, at most `limit`, in the order they ran. */
  ofRecord(recordId: number, limit: number): StoredAttachmentRun[];
  insert(run: Omit<StoredAttachmentRun, 'id'>): StoredAttachmentRun;
}

const procedures = table<StoredProcedure>(
  'procedures',
  { recordId: 'INTEGER', namespace: 'TEXT', state: 'TEXT', name: 'TEXT' },
  ['recordId', 'namespace'],
);

const actions = table<StoredAction>('actions', { procedureId: 'INTEGER', recordId: 'INTEGER', execOrder: 'INTEGER' }, [
  'procedureId, execOrder',
  'recordId',
]);

const runs = table<StoredAttachmentRun>('attachment_runs', { workId: 'INTEGER', recordId: 'INTEGER' }, [
  'workId',
  'recordId',
]);

/** The tables of procedures. */
export const procedureTables = [procedures, actions, runs];

function condition(filter: ProcedureFilter): { readonly sql: string; readonly parameters: readonly Bindable[] } {
  const parts: string[] = [];
  const parameters: Bindable[] = [];
  const add = (sql: string, ...values: readonly Bindable[]): void => {
    parts.push(sql);
    parameters.push(...values);
  };
  if (filter.recordId !== undefined) add('recordId = ?', filter.recordId);
  if (filter.actionRecordId !== undefined)
    add('id IN (SELECT procedureId FROM actions WHERE recordId = ?)', filter.actionRecordId);
  if (filter.below !== undefined) add(BELOW, ...belowParameters(filter.below));
  if (filter.states !== undefined) add('state IN (SELECT value FROM json_each(?))', JSON.stringify(filter.states));
  if (filter.name !== undefined) add('name = ?', filter.name);
  if (parts.length === 0) throw new Error('a list of procedures needs a filter');
  return { sql: parts.join(' AND '), parameters };
}

/** Reads and writes of procedures. */
export function proceduresOf(database: Database, allocateId: () => number): Procedures {
  return {
    byId: (id) => procedures.get(database, 'id = ?', id),
    list: (filter, limit = -1) => {
      const { sql, parameters } = condition(filter);
      return procedures.all(database, `${sql} ORDER BY id DESC LIMIT ?`, ...parameters, limit);
    },
    insert: (procedure) => procedures.insert(database, { ...procedure, id: allocateId() }),
    update: (id, patch) => procedures.change(database, 'procedure', id, patch),
    actions: (procedureId) => actions.all(database, 'procedureId = ? ORDER BY execOrder, id', procedureId),
    insertAction: (action) => actions.insert(database, { ...action, id: allocateId() }),
    updateAction: (id, patch) => actions.change(database, 'action', id, patch),
  };
}

const OF_DEPLOYMENT = 'workId IN (SELECT id FROM deployment_records WHERE deploymentId = ?) ORDER BY id';

/** Reads and writes of attachment runs. */
export function attachmentRunsOf(database: Database, allocateId: () => number): AttachmentRuns {
  return {
    ofWork: (workId) => runs.all(database, 'workId = ? ORDER BY id', workId),
    ofDeployment: (deploymentId) => runs.all(database, OF_DEPLOYMENT, deploymentId),
    ofRecord: (recordId, limit) =>
      runs.all(database, 'recordId = ? ORDER BY id DESC LIMIT ?', recordId, limit).reverse(),
    insert: (run) => runs.insert(database, { ...run, id: allocateId() }),
  };
}

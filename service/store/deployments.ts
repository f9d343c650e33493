// Deployments, their work orders, moves and approvals in SQL (service-facts §3.4–§3.6).
import { allOf, type Database, table } from './database';
import { belowCondition } from './records';
import type { Stamps } from './rows';

/** A row of work. Times in ms since 1970. */
interface Work {
  readonly id: number;
  readonly state: string;
  readonly created: number;
  readonly updated: number;
}

/** A deployment of one bom release (service-facts §2.2.10). */
export interface StoredDeployment extends Work, Stamps {
  readonly releaseId: number;
  readonly namespace: string;
  readonly description: string | null;
  readonly comments: string | null;
  readonly continueOnFailure: boolean;
  readonly autoPauseExecOrders: readonly number[];
  readonly currentStep: number;
  readonly maxExecOrder: number;
}

/** The work order of one change of a deployment (service-facts §3.5). */
export interface StoredDeploymentRecord extends Work {
  readonly deploymentId: number;
  readonly changeId: number;
  readonly recordId: number;
  readonly execOrder: number;
  readonly comments: string | null;
}

/** What the support of a cloud says of a deployment (service-facts §3.6). */
export interface StoredApproval extends Work {
  readonly deploymentId: number;
  readonly recordId: number;
  /** `pending`, `approved` or `rejected`. */
  readonly state: string;
  readonly comments: string | null;
  /** Minutes an approval counts; -1: for ever. */
  readonly expiresIn: number;
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

const deployments = table<StoredDeployment>('deployments', { namespace: 'TEXT' }, ['namespace']);

const orders = table<StoredDeploymentRecord>(
  'deployment_records',
  { deploymentId: 'INTEGER', recordId: 'INTEGER', execOrder: 'INTEGER', state: 'TEXT' },
  ['deploymentId, execOrder'],
);

const moves = table<StoredMove>('deployment_moves', { deploymentId: 'INTEGER' }, ['deploymentId']);

const approvals = table<StoredApproval>('approvals', { deploymentId: 'INTEGER' }, ['deploymentId']);

export const deploymentTables = [deployments, orders, moves, approvals];

// The orders in progress are those of the present step.
const IN_PROGRESS =
  "deploymentId = ? AND execOrder = (SELECT document ->> '$.currentStep' FROM deployments WHERE id = ?) AND id > ? AND state = 'inprogress' ORDER BY id LIMIT ?";
const MOVE = `UPDATE deployment_records SET state = ?, document = json_set(document, '$.updated', ?)
  WHERE deploymentId = ? AND state IN (SELECT value FROM json_each(?))`;
const COUNTS = `SELECT sum(state = 'inprogress') AS working, min(CASE state WHEN 'pending' THEN execOrder END) AS next,
  max(execOrder) AS last FROM deployment_records WHERE deploymentId = ?`;
const UNDONE = `SELECT document ->> '$.changeId' AS changeId FROM deployment_records
  WHERE deploymentId = ? AND state IN ('failed', 'canceled') ORDER BY execOrder, id`;
const CHANGES = 'SELECT count(*) AS count FROM record_changes WHERE releaseId = ?';
const MAKE = `INSERT INTO deployment_records (id, deploymentId, recordId, execOrder, state, document)
  SELECT ? + row_number() OVER (ORDER BY document ->> '$.execOrder', id), ?, recordId, document ->> '$.execOrder', 'pending',
    json_object('changeId', id, 'comments', NULL, 'created', ?, 'updated', ?) FROM record_changes WHERE releaseId = ?`;

interface Counts {
  readonly working: number | null;
  readonly next: number | null;
  readonly last: number | null;
}

/** The work orders in some states, of one step or of all, and the state they move to. */
type OrderMove = {
  readonly deploymentId: number;
  readonly from: readonly string[];
  readonly to: string;
  readonly now: number;
  readonly execOrder?: number;
};

export function deploymentsOf(database: Database) {
  const noteMove = (deployment: StoredDeployment, oldState: string | null): StoredMove =>
    moves.insert(database, {
      deploymentId: deployment.id,
      oldState,
      newState: deployment.state,
      comments: deployment.comments,
      moved: deployment.updated,
      movedBy: deployment.updatedBy ?? deployment.createdBy,
    });
  const countsOf = (deploymentId: number): Counts | undefined => database.get<Counts>(COUNTS, deploymentId);
  return {
    byId: (id: number) => deployments.get(database, 'id = ?', id),
    /** Newest of a bom namespace. */
    latest: (namespace: string) => deployments.get(database, 'namespace = ? ORDER BY id DESC LIMIT 1', namespace),
    /** All of a bom namespace, newest first. */
    list: (namespace: string) => deployments.all(database, 'namespace = ? ORDER BY id DESC', namespace),
    insert: (deployment: Omit<StoredDeployment, 'id'>): StoredDeployment => {
      const inserted = deployments.insert(database, deployment);
      noteMove(inserted, null);
      return inserted;
    },
    /** Throws UnknownRow. Stamp `updated`, `updatedBy`. Another state is kept as a move. */
    update: (id: number, patch: Partial<Omit<StoredDeployment, 'id'>>): StoredDeployment => {
      const before = deployments.get(database, 'id = ?', id)?.state;
      const updated = deployments.change(database, 'deployment', id, patch);
      if (before !== undefined && updated.state !== before) noteMove(updated, before);
      return updated;
    },
    /** Moves of a deployment, oldest first. */
    moves: (deploymentId: number) => moves.all(database, 'deploymentId = ? ORDER BY id', deploymentId),
    /** Work orders of a deployment, by execOrder, then id. */
    records: (deploymentId: number) => orders.all(database, 'deploymentId = ? ORDER BY execOrder, id', deploymentId),
    /** The first of the work orders in progress behind one, by id; at most `limit`. */
    inProgress: (deploymentId: number, after: number, limit: number) =>
      orders.all(database, IN_PROGRESS, deploymentId, deploymentId, after, limit),
    /** Records of which a work order of a deployment failed. */
    failed: (deploymentId: number): number[] =>
      orders.all(database, "deploymentId = ? AND state = 'failed'", deploymentId).map(({ recordId }) => recordId),
    /**
     * Whether work is in progress; the first step with pending work, undefined when none is; and the
     * changes whose work orders failed, or were canceled by hand.
     */
    progress: (deploymentId: number) => {
      const counts = countsOf(deploymentId);
      const undone = database.all<{ readonly changeId: number }>(UNDONE, deploymentId);
      return {
        isWorking: (counts?.working ?? 0) > 0,
        next: counts?.next ?? undefined,
        undone: undone.map(({ changeId }) => changeId),
      };
    },
    /** Makes pending work orders for the changes of its release. Returns the last step. */
    makeRecords: ({ id, releaseId, created }: StoredDeployment): number => {
      const count = database.get<{ readonly count: number }>(CHANGES, releaseId)?.count ?? 0;
      const [before = 0] = Array.from({ length: count + 1 }, database.allocateId);
      database.run(MAKE, before, id, created, created, releaseId);
      return countsOf(id)?.last ?? 0;
    },
    moveRecords: ({ deploymentId, from, to, now, execOrder }: OrderMove): void => {
      const parameters = [to, now, deploymentId, JSON.stringify(from)];
      if (execOrder === undefined) database.run(MOVE, ...parameters);
      else database.run(`${MOVE} AND execOrder = ?`, ...parameters, execOrder);
    },
    updateRecord: (id: number, patch: Partial<Omit<StoredDeploymentRecord, 'id'>>): void =>
      orders.update(database, id, patch),
  };
}

export const approvalsOf = (database: Database) => ({
  /** Of a deployment, oldest first. */
  list: (deploymentId: number) => approvals.all(database, 'deploymentId = ? ORDER BY id', deploymentId),
  insert: (approval: Omit<StoredApproval, 'id'>) => approvals.insert(database, approval),
  /** Throws UnknownRow. Stamp `updated`, `updatedBy` in the patch. */
  update: (id: number, patch: Partial<Omit<StoredApproval, 'id'>>) => approvals.change(database, 'approval', id, patch),
});

// Procedures, their actions, and runs of attachments in SQL (service-facts §3.7, §6).

/** A procedure (service-facts §3.7). */
export interface StoredProcedure extends Work, Pick<Stamps, 'createdBy'> {
  readonly name: string;
  /** ciId the procedure is anchored at: the manifest component. */
  readonly recordId: number;
  readonly procedureRecordId: number;
  readonly namespace: string;
  readonly arguments: string | null;
  /** JSON text as sent. */
  readonly definition: string | null;
  readonly forceExecution: boolean;
  readonly currentStep: number;
  readonly maxExecOrder: number;
}

/** One action of a procedure on one record. */
export interface StoredAction extends Work, Pick<Stamps, 'createdBy'> {
  readonly procedureId: number;
  readonly recordId: number;
  readonly name: string;
  readonly execOrder: number;
  readonly isCritical: boolean;
  readonly extraInfo: string | null;
  readonly arguments: string | null;
  /** Why it failed; null unless it did. */
  readonly comments: string | null;
}

/** One attachment that ran on an instance, for a work order or an action of a procedure. */
export interface StoredAttachmentRun {
  readonly id: number;
  /** Id of the work order or of the action. */
  readonly workId: number;
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

type ProcedureFilter = {
  /** Anchor ciId. */
  readonly recordId?: number | undefined;
  /** ciId of a record one of its actions runs on. */
  readonly actionRecordId?: number | undefined;
  /** This namespace and every one under it. */
  readonly below?: string | undefined;
  readonly states?: readonly string[] | undefined;
  readonly name?: string | undefined;
};

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

export const procedureTables = [procedures, actions, runs];

export const proceduresOf = (database: Database) => ({
  byId: (id: number) => procedures.get(database, 'id = ?', id),
  /** Newest first. */
  list: (filter: ProcedureFilter, limit = -1): StoredProcedure[] => {
    const [sql, ...parameters] = allOf(
      ['recordId = ?', filter.recordId],
      ['id IN (SELECT procedureId FROM actions WHERE recordId = ?)', filter.actionRecordId],
      belowCondition(filter.below),
      ['state IN (SELECT value FROM json_each(?))', filter.states && JSON.stringify(filter.states)],
      ['name = ?', filter.name],
    );
    if (sql === '') throw new Error('a list of procedures needs a filter');
    return procedures.all(database, `${sql} ORDER BY id DESC LIMIT ?`, ...parameters, limit);
  },
  insert: (procedure: Omit<StoredProcedure, 'id'>) => procedures.insert(database, procedure),
  update: (id: number, patch: Partial<Omit<StoredProcedure, 'id'>>) =>
    procedures.change(database, 'procedure', id, patch),
  /** Actions of a procedure, by execOrder, then id. */
  actions: (procedureId: number) => actions.all(database, 'procedureId = ? ORDER BY execOrder, id', procedureId),
  insertAction: (action: Omit<StoredAction, 'id'>) => actions.insert(database, action),
  updateAction: (id: number, patch: Partial<Omit<StoredAction, 'id'>>) => actions.change(database, 'action', id, patch),
});

const OF_DEPLOYMENT = 'workId IN (SELECT id FROM deployment_records WHERE deploymentId = ?) ORDER BY id';

/** Runs of attachments: written once, never changed; in the order they ran. */
export const attachmentRunsOf = (database: Database) => ({
  /** Of a work order or of an action of a procedure. */
  ofWork: (workId: number) => runs.all(database, 'workId = ? ORDER BY id', workId),
  /** Of all work orders of a deployment, by order. */
  ofDeployment: (deploymentId: number) =>
    Map.groupBy(runs.all(database, OF_DEPLOYMENT, deploymentId), ({ workId }) => workId),
  /** On an instance: the newest ones, at most `limit`. */
  ofRecord: (recordId: number, limit: number): StoredAttachmentRun[] =>
    runs.all(database, 'recordId = ? ORDER BY id DESC LIMIT ?', recordId, limit).reverse(),
  insert: (run: Omit<StoredAttachmentRun, 'id'>) => runs.insert(database, run),
});

// Timed work: rows with a due time, carried out when a request finds them due.

/** Timed work: done before the first request at or after `due`, by due time, then id. */
export interface Job {
  readonly id: number;
  /** Name its runner is registered under, for example `environment.commit`. */
  readonly name: string;
  /** ms since 1970. */
  readonly due: number;
  /** What it is about, to find and remove it by: an environment's or a deployment's id. */
  readonly subject: number;
  readonly payload: unknown;
}

export const jobs = table<Job>('jobs', { name: 'TEXT', due: 'INTEGER', subject: 'INTEGER' }, ['due', 'subject, name']);

const EARLIEST = 'due <= ? ORDER BY due, id LIMIT 1';
const NEXT = 'due <= ? AND name IN (SELECT value FROM json_each(?)) ORDER BY due, id LIMIT 1';

/** Reads and writes of jobs. `speed`: how many times faster than usual work is done. */
export const jobsOf = (database: Database, speed: number) => ({
  /** When work that usually takes so many ms ends, if it begins now. */
  end: (now: number, duration: number): number => now + Math.ceil(duration / speed),
  /** Adds timed work. Payload is kept as JSON. */
  add: (job: Omit<Job, 'id'>): Job => jobs.insert(database, { ...job, payload: job.payload ?? null }),
  /** Earliest job due at or before `now`, with one of these names. */
  next: (now: number, names: readonly string[]): Job | undefined => {
    // Asked at every request, when nearly always nothing is due.
    const earliest = jobs.get(database, EARLIEST, now);
    if (earliest === undefined || names.includes(earliest.name)) return earliest;
    return jobs.get(database, NEXT, now, JSON.stringify(names));
  },
  remove: (id: number): void => database.run('DELETE FROM jobs WHERE id = ?', id),
  removeAbout: (subject: number): void => database.run('DELETE FROM jobs WHERE subject = ?', subject),
});

// What attachments did on instances, in SQL: written once, never changed (service-facts §6).
// It must not know when an attachment runs, nor how it fails.
import { type Database } from './database';
import type { StoredAttachmentRun } from './rows';

/** Runs of attachments. */
export interface AttachmentRuns {
  /** Of a work order or of an action of a procedure, in the order they ran. */
  ofWork(workId: number): StoredAttachmentRun[];
  /** Of all work orders of a deployment, in the order they ran. */
  ofDeployment(deploymentId: number): StoredAttachmentRun[];
  /** On an instance: the newest ones, at most `limit`, in the order they ran. */
  ofRecord(recordId: number, limit: number): StoredAttachmentRun[];
  insert(run: Omit<StoredAttachmentRun, 'id'>): StoredAttachmentRun;
}

interface RunRow {
  readonly id: number;
  readonly work: number;
  readonly record: number;
  readonly attachment: number;
  readonly name: string;
  readonly event: string;
  readonly priority: string;
  readonly path: string;
  readonly saved: string;
  readonly command: string;
  readonly failure: string | null;
  readonly ran: number;
}

const runOf = (row: RunRow): StoredAttachmentRun => ({
  id: row.id,
  workId: row.work,
  recordId: row.record,
  attachmentId: row.attachment,
  name: row.name,
  event: row.event,
  priority: row.priority,
  path: row.path,
  saved: row.saved,
  command: row.command,
  failure: row.failure,
  ran: row.ran,
});

/** Reads and writes of attachment runs. */
export function attachmentRunsOf(database: Database, allocateId: () => number): AttachmentRuns {
  return {
    ofWork: (workId) =>
      database.all<RunRow>('SELECT * FROM attachment_runs WHERE work = ? ORDER BY id', workId).map(runOf),
    ofDeployment: (deploymentId) =>
      database
        .all<RunRow>(
          'SELECT * FROM attachment_runs WHERE work IN (SELECT id FROM deployment_records WHERE deployment = ?) ORDER BY id',
          deploymentId,
        )
        .map(runOf),
    ofRecord: (recordId, limit) =>
      database
        .all<RunRow>('SELECT * FROM attachment_runs WHERE record = ? ORDER BY id DESC LIMIT ?', recordId, limit)
        .map(runOf)
        .reverse(),
    insert: (run) => {
      const stored = { ...run, id: allocateId() };
      database.run(
        'INSERT INTO attachment_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        stored.id,
        stored.workId,
        stored.recordId,
        stored.attachmentId,
        stored.name,
        stored.event,
        stored.priority,
        stored.path,
        stored.saved,
        stored.command,
        stored.failure,
        stored.ran,
      );
      return stored;
    },
  };
}

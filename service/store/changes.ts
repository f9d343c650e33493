// Changes of open releases in SQL: written one by one for stage.ts, and made true when their release closes.
// It must not know when a change is due, nor what the records mean.
import { recordChangeOf, relationChangeOf, type RecordChangeRow, type RelationChangeRow } from './change-rows';
import { type Database } from './database';
import { insertRecord, removeRecord, type Numbers } from './records';
import { insertRelation, removeRelation } from './relations';
import type {
  ChangeAction,
  NewRecord,
  NewRelation,
  Owners,
  StoredRecord,
  StoredRelation,
  StoredRelease,
  Values,
} from './rows';
import type { Author, ChangeFacts, RecordChange, Records, RelationChange, Relations } from './store';

/** Changes of open releases, written one by one. */
export interface Changes {
  addRecord(release: StoredRelease, record: NewRecord, author: Author, facts?: ChangeFacts): StoredRecord;
  /** `target` is read merged; `values` are all values the change shall write, `base` the committed ones of the same attributes. */
  writeRecord(release: StoredRelease, target: StoredRecord, write: ChangeWrite, author: Author): void;
  dropRecord(changeId: number): void;
  addRelation(release: StoredRelease, relation: NewRelation, author: Author, facts?: ChangeFacts): StoredRelation;
  writeRelation(release: StoredRelease, target: StoredRelation, write: ChangeWrite, author: Author): void;
  dropRelation(changeId: number): void;
}

/** One write of a change on an existing record or relation. Owners null: unchanged. */
export interface ChangeWrite extends ChangeFacts {
  readonly action: ChangeAction;
  readonly name?: string;
  readonly values: Values;
  readonly base: Values;
  readonly owners: Owners | null;
  readonly comments: string | null;
}

const RECORD_CHANGES = 'SELECT * FROM record_changes';
const RELATION_CHANGES = 'SELECT * FROM relation_changes';

const INSERT_RECORD_CHANGE = `INSERT INTO record_changes (id, release, open, action, record, namespace, class, name, impl, comments,
  attributes, base, owners, exec_order, hint, created, created_by, updated, updated_by)
  VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)`;
const INSERT_RELATION_CHANGE = `INSERT INTO relation_changes (id, release, open, action, relation, namespace, name, from_id, to_id, comments,
  attributes, base, owners, exec_order, hint, created, created_by, updated, updated_by)
  VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)`;

const textOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** Writes of open changes. `records` and `relations` read back what was written. */
export function changesOf(database: Database, numbers: Numbers, records: Records, relations: Relations): Changes {
  return {
    addRecord: (release, record, author, facts) => {
      const id = record.id ?? numbers.allocateId();
      numbers.namespaceId(record.namespace);
      numbers.classId(record.className);
      database.run(
        INSERT_RECORD_CHANGE,
        numbers.allocateId(),
        release.id,
        'add',
        id,
        record.namespace,
        record.className,
        record.name,
        record.impl ?? null,
        record.comments ?? null,
        JSON.stringify(record.values),
        '{}',
        JSON.stringify(record.owners ?? {}),
        facts?.execOrder ?? 0,
        facts?.hint ?? null,
        author.now,
        author.user,
      );
      return records.byId(id) as StoredRecord;
    },
    writeRecord: (release, target, write, author) =>
      database.within(target.namespace, () => {
        const { change } = target;
        if (change === undefined) {
          database.run(
            INSERT_RECORD_CHANGE,
            numbers.allocateId(),
            release.id,
            write.action,
            target.id,
            target.namespace,
            target.className,
            write.name ?? target.name,
            target.impl,
            write.comments,
            JSON.stringify(write.values),
            JSON.stringify(write.base),
            textOrNull(write.owners),
            write.execOrder ?? 0,
            write.hint ?? null,
            author.now,
            author.user,
          );
          return;
        }
        database.run(
          `UPDATE record_changes SET action = ?, name = ?, comments = ?, attributes = ?, base = ?, owners = ?, exec_order = ?, hint = ?,
          updated = ?, updated_by = ? WHERE id = ?`,
          write.action,
          write.name ?? target.name,
          write.comments,
          JSON.stringify(write.values),
          JSON.stringify(write.base),
          textOrNull(write.owners),
          write.execOrder ?? change.execOrder,
          write.hint ?? change.hint,
          author.now,
          author.user,
          change.id,
        );
      }),
    dropRecord: (changeId) => database.run('DELETE FROM record_changes WHERE id = ?', changeId),
    addRelation: (release, relation, author, facts) => {
      const id = numbers.allocateId();
      numbers.namespaceId(relation.namespace);
      database.run(
        INSERT_RELATION_CHANGE,
        numbers.allocateId(),
        release.id,
        'add',
        id,
        relation.namespace,
        relation.name,
        relation.fromId,
        relation.toId,
        relation.comments ?? null,
        JSON.stringify(relation.values ?? {}),
        '{}',
        JSON.stringify(relation.owners ?? {}),
        facts?.execOrder ?? 0,
        facts?.hint ?? null,
        author.now,
        author.user,
      );
      return relations.byId(id) as StoredRelation;
    },
    writeRelation: (release, target, write, author) => {
      const { change } = target;
      if (change === undefined) {
        database.run(
          INSERT_RELATION_CHANGE,
          numbers.allocateId(),
          release.id,
          write.action,
          target.id,
          target.namespace,
          target.name,
          target.fromId,
          target.toId,
          write.comments,
          JSON.stringify(write.values),
          JSON.stringify(write.base),
          textOrNull(write.owners),
          write.execOrder ?? 0,
          write.hint ?? null,
          author.now,
          author.user,
        );
        return;
      }
      database.run(
        `UPDATE relation_changes SET action = ?, comments = ?, attributes = ?, base = ?, owners = ?, exec_order = ?, hint = ?,
          updated = ?, updated_by = ? WHERE id = ?`,
        write.action,
        write.comments,
        JSON.stringify(write.values),
        JSON.stringify(write.base),
        textOrNull(write.owners),
        write.execOrder ?? change.execOrder,
        write.hint ?? change.hint,
        author.now,
        author.user,
        change.id,
      );
    },
    dropRelation: (changeId) => database.run('DELETE FROM relation_changes WHERE id = ?', changeId),
  };
}

/** Record changes of a release, oldest first. */
export function recordChangesOf(database: Database, releaseId: number, onlyOpen: boolean): RecordChange[] {
  const sql = `${RECORD_CHANGES} WHERE release = ? ${onlyOpen ? 'AND open = 1 ' : ''}ORDER BY id`;
  return database.all<RecordChangeRow>(sql, releaseId).map(recordChangeOf);
}

/** Relation changes of a release, oldest first. */
export function relationChangesOf(database: Database, releaseId: number, onlyOpen: boolean): RelationChange[] {
  const sql = `${RELATION_CHANGES} WHERE release = ? ${onlyOpen ? 'AND open = 1 ' : ''}ORDER BY id`;
  return database.all<RelationChangeRow>(sql, releaseId).map(relationChangeOf);
}

/** One record change by rfcId, with whether it is still open. */
export function recordChangeById(
  database: Database,
  changeId: number,
): { readonly change: RecordChange; readonly open: boolean } | undefined {
  const row = database.get<RecordChangeRow & { readonly open: number }>(`${RECORD_CHANGES} WHERE id = ?`, changeId);
  return row === undefined ? undefined : { change: recordChangeOf(row), open: row.open === 1 };
}

/** Who a change was last written by. */
const writerOf = (change: RecordChange | RelationChange): string | null => change.updatedBy ?? change.createdBy;

/** Makes an open record change true and closes it; a deletion takes the record's relations along. */
export function applyRecordChange(database: Database, numbers: Numbers, change: RecordChange, author: Author): void {
  // What belongs to a deleted record stands elsewhere too; all else stays in the record's own place.
  if (change.action === 'delete') carryOut(database, numbers, change, author);
  else database.within(change.namespace, () => carryOut(database, numbers, change, author));
}

function carryOut(database: Database, numbers: Numbers, change: RecordChange, author: Author): void {
  database.run('UPDATE record_changes SET open = 0 WHERE id = ?', change.id);
  if (change.action === 'delete') {
    removeRecord(database, change.recordId);
    return;
  }
  if (change.action === 'add') {
    const born = { now: change.created, user: change.createdBy ?? author.user };
    insertRecord(database, numbers, { ...change, id: change.recordId, owners: change.owners ?? {} }, born, change.id);
    database.run(
      'UPDATE records SET updated = ?, updated_by = ? WHERE id = ?',
      author.now,
      change.updatedBy,
      change.recordId,
    );
    return;
  }
  const row = database.get<{ readonly attributes: string; readonly name: string }>(
    'SELECT attributes, name FROM records WHERE id = ?',
    change.recordId,
  );
  const values = { ...(JSON.parse(row?.attributes ?? '{}') as object), ...change.values };
  // On its own, and only then: two indexes hold the name, and SQLite writes them anew for the same name too.
  if (row?.name !== change.name) database.run('UPDATE records SET name = ? WHERE id = ?', change.name, change.recordId);
  database.run(
    `UPDATE records SET comments = coalesce(?, comments), attributes = ?, owners = coalesce(?, owners), updated = ?, updated_by = ?,
      last_change = ? WHERE id = ?`,
    change.comments,
    JSON.stringify(values),
    textOrNull(change.owners),
    author.now,
    writerOf(change),
    change.id,
    change.recordId,
  );
  if (change.action === 'replace') {
    database.run("UPDATE records SET state = 'default', created = ? WHERE id = ?", author.now, change.recordId);
  }
}

/** Makes an open relation change true and closes it. */
export function applyRelationChange(
  database: Database,
  numbers: Numbers,
  change: RelationChange,
  author: Author,
): void {
  database.run('UPDATE relation_changes SET open = 0 WHERE id = ?', change.id);
  if (change.action === 'delete') {
    removeRelation(database, change.relationId);
    return;
  }
  if (change.action === 'add') {
    const born = { now: change.created, user: change.createdBy ?? author.user };
    insertRelation(
      database,
      numbers,
      { ...change, id: change.relationId, owners: change.owners ?? {} },
      born,
      change.id,
    );
    return;
  }
  const row = database.get<{ readonly attributes: string }>(
    'SELECT attributes FROM relations WHERE id = ?',
    change.relationId,
  );
  const values = { ...(JSON.parse(row?.attributes ?? '{}') as object), ...change.values };
  database.run(
    `UPDATE relations SET comments = coalesce(?, comments), attributes = ?, owners = coalesce(?, owners), updated = ?, updated_by = ?,
      last_change = ? WHERE id = ?`,
    change.comments,
    JSON.stringify(values),
    textOrNull(change.owners),
    author.now,
    writerOf(change),
    change.id,
    change.relationId,
  );
}

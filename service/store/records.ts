// Records in SQL: read by id, name, namespace; written directly. Staged writing goes through changes.ts.
// It must not know classes, voices, or who may write.
import { addedRecord, mergeRecords, recordOf, type RecordChangeRow, type RecordRow } from './change-rows';
import { type Bindable, type Database } from './database';
import type { NewRecord, RecordPatch, StoredRecord } from './rows';
import { UnknownRow, type Author, type RecordFilter, type Records, type View } from './store';

/** Numbers the store gives out. */
export interface Numbers {
  readonly allocateId: () => number;
  readonly namespaceId: (path: string) => number;
  readonly classId: (className: string) => number;
}

const RECORD_COLUMNS =
  'id, namespace, class, name, impl, comments, state, ops_state, attributes, owners, created, created_by, updated, updated_by, last_change';
const CHANGE_COLUMNS =
  'id, release, action, record, namespace, class, name, impl, comments, attributes, base, owners, exec_order, hint, created, created_by, updated, updated_by';
const RECORDS = `SELECT ${RECORD_COLUMNS} FROM records`;
const CHANGES = `SELECT ${CHANGE_COLUMNS} FROM record_changes`;

/** A namespace and all under it, as one range of the index: `'/'` is followed by `'0'`; `/acme/shop-2`, which sorts in between, is picked out. */
export const BELOW = '(namespace >= ? AND namespace < ? AND (namespace = ? OR namespace >= ?))';

/** What BELOW is bound to. */
export const belowParameters = (path: string): readonly [string, string, string, string] => [
  path,
  `${path}0`,
  path,
  `${path}/`,
];

/** A filter as SQL, without the word WHERE. Throws when neither `namespace` nor `below` is given: that would scan. */
function condition(
  filter: RecordFilter,
  withName: boolean,
): { readonly sql: string; readonly parameters: readonly Bindable[] } {
  const parts: string[] = [];
  const parameters: Bindable[] = [];
  if (filter.namespace !== undefined) {
    parts.push('namespace = ?');
    parameters.push(filter.namespace);
  } else if (filter.below !== undefined) {
    parts.push(BELOW);
    parameters.push(...belowParameters(filter.below));
  } else {
    throw new Error('a list of records needs a namespace');
  }
  if (filter.className !== undefined) {
    parts.push('class = ?');
    parameters.push(filter.className);
  }
  if (withName && filter.name !== undefined) {
    // The index by name knows no case: both conditions, so that it finds the few and the second one picks.
    parts.push('name = ? COLLATE NOCASE AND name = ?');
    parameters.push(filter.name, filter.name);
  }
  if (withName && filter.nameInAnyCase !== undefined) {
    parts.push('name = ? COLLATE NOCASE');
    parameters.push(filter.nameInAnyCase);
  }
  return { sql: parts.join(' AND '), parameters };
}

/** Reads and direct writes of records. */
export function recordsOf(database: Database, numbers: Numbers): Records {
  const committedById = (id: number): StoredRecord | undefined => {
    const row = database.get<RecordRow>(`${RECORDS} WHERE id = ?`, id);
    return row === undefined ? undefined : recordOf(row);
  };

  const byId = (id: number, view: View = 'merged'): StoredRecord | undefined => {
    if (view === 'committed') return committedById(id);
    const row = database.get<RecordRow>(`${RECORDS} WHERE id = ?`, id);
    const change = database.get<RecordChangeRow>(`${CHANGES} WHERE record = ? AND open = 1`, id);
    if (row === undefined) return change?.action === 'add' ? addedRecord(change) : undefined;
    return mergeRecords([row], change === undefined ? [] : [change])[0];
  };

  const byName = (filter: RecordFilter, view: View): StoredRecord[] => {
    const { sql, parameters } = condition(filter, true);
    if (view === 'committed')
      return database.all<RecordRow>(`${RECORDS} WHERE ${sql} ORDER BY id`, ...parameters).map(recordOf);
    const rows = database.all<RecordRow & { readonly changed: number }>(
      `SELECT ${RECORD_COLUMNS}, EXISTS (SELECT 1 FROM record_changes WHERE record = records.id AND open = 1) AS changed
        FROM records WHERE ${sql}`,
      ...parameters,
    );
    // A pending rename lists a record under another name than its committed one: look under both, then compare the merged name.
    const renamed = `SELECT record AS id FROM record_changes WHERE open = 1 AND ${sql}`;
    const changed = database.all<{ readonly id: number }>(renamed, ...parameters);
    const ids = new Set([...rows.filter((row) => row.changed === 1), ...changed].map((row) => row.id));
    const wanted = filter.name ?? filter.nameInAnyCase?.toLowerCase();
    const named = (record: StoredRecord): boolean =>
      (filter.name === undefined ? record.name.toLowerCase() : record.name) === wanted;
    const merged = [...ids].flatMap((id) => byId(id) ?? []).filter(named);
    const plain = rows.filter((row) => row.changed === 0).map(recordOf);
    return [...plain, ...merged].sort((one, other) => one.id - other.id);
  };

  const list = (filter: RecordFilter, view: View = 'merged'): StoredRecord[] => {
    if (filter.name !== undefined || filter.nameInAnyCase !== undefined) return byName(filter, view);
    const { sql, parameters } = condition(filter, false);
    const rows = database.all<RecordRow>(`${RECORDS} WHERE ${sql} ORDER BY id`, ...parameters);
    const changes =
      view === 'committed' ? [] : database.all<RecordChangeRow>(`${CHANGES} WHERE open = 1 AND ${sql}`, ...parameters);
    return mergeRecords(rows, changes);
  };

  return {
    byId,
    byIds: (ids, view) => ids.flatMap((id) => byId(id, view) ?? []),
    byName: (namespace, className, name, view = 'merged') =>
      byName({ namespace, name, ...(className === undefined ? {} : { className }) }, view)[0],
    list,
    exists: (filter) => {
      if (filter.name !== undefined || filter.nameInAnyCase !== undefined) return byName(filter, 'merged').length > 0;
      const { sql, parameters } = condition(filter, false);
      return (
        database.get(`SELECT 1 FROM records WHERE ${sql} LIMIT 1`, ...parameters) !== undefined ||
        database.get(
          `SELECT 1 FROM record_changes WHERE open = 1 AND action = 'add' AND ${sql} LIMIT 1`,
          ...parameters,
        ) !== undefined
      );
    },
    insert: (record, author) => insertRecord(database, numbers, record, author),
    update: (id, patch, author) => updateRecord(database, committedById(id), id, patch, author),
    setState: (id, state) => database.run('UPDATE records SET state = ? WHERE id = ?', state, id),
    setOpsState: (id, opsState) => database.run('UPDATE records SET ops_state = ? WHERE id = ?', opsState, id),
    remove: (id) => removeRecord(database, id),
  };
}

/** Writes a committed record; `changeId` when a commit does it. */
export function insertRecord(
  database: Database,
  numbers: Numbers,
  record: NewRecord,
  author: Author,
  changeId = 0,
): StoredRecord {
  const id = record.id ?? numbers.allocateId();
  numbers.namespaceId(record.namespace);
  numbers.classId(record.className);
  const stored: StoredRecord = {
    id,
    namespace: record.namespace,
    className: record.className,
    name: record.name,
    impl: record.impl ?? null,
    comments: record.comments ?? null,
    state: 'default',
    opsState: null,
    values: record.values,
    owners: record.owners ?? {},
    lastChangeId: changeId,
    created: author.now,
    createdBy: author.user,
    updated: author.now,
    updatedBy: null,
    change: undefined,
  };
  database.run(
    `INSERT INTO records (${RECORD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 'default', NULL, ?, ?, ?, ?, ?, NULL, ?)`,
    id,
    stored.namespace,
    stored.className,
    stored.name,
    stored.impl,
    stored.comments,
    JSON.stringify(stored.values),
    JSON.stringify(stored.owners),
    author.now,
    author.user,
    author.now,
    changeId,
  );
  return stored;
}

/** Whether a patch would change anything. */
function differs(record: StoredRecord, patch: RecordPatch): boolean {
  return (
    (patch.name !== undefined && patch.name !== record.name) ||
    (patch.comments !== undefined && patch.comments !== record.comments) ||
    Object.entries(patch.values ?? {}).some(([name, value]) => record.values[name] !== value) ||
    (patch.owners !== undefined && JSON.stringify(patch.owners) !== JSON.stringify(record.owners))
  );
}

function updateRecord(
  database: Database,
  record: StoredRecord | undefined,
  id: number,
  patch: RecordPatch,
  author: Author,
): StoredRecord {
  if (record === undefined) throw new UnknownRow('record', id);
  if (!differs(record, patch)) return record;
  const next: StoredRecord = {
    ...record,
    name: patch.name ?? record.name,
    comments: patch.comments === undefined ? record.comments : patch.comments,
    values: { ...record.values, ...patch.values },
    owners: patch.owners ?? record.owners,
    updated: author.now,
    updatedBy: author.user,
  };
  database.run(
    'UPDATE records SET name = ?, comments = ?, attributes = ?, owners = ?, updated = ?, updated_by = ? WHERE id = ?',
    next.name,
    next.comments,
    JSON.stringify(next.values),
    JSON.stringify(next.owners),
    author.now,
    author.user,
    id,
  );
  return next;
}

/** Removes a committed record, every relation from or to it, and the open changes on any of them. */
export function removeRecord(database: Database, id: number): void {
  database.run('DELETE FROM records WHERE id = ?', id);
  database.run('DELETE FROM record_changes WHERE record = ? AND open = 1', id);
  database.run('DELETE FROM relations WHERE from_id = ?', id);
  database.run('DELETE FROM relations WHERE to_id = ?', id);
  database.run('DELETE FROM relation_changes WHERE from_id = ? AND open = 1', id);
  database.run('DELETE FROM relation_changes WHERE to_id = ? AND open = 1', id);
}

// Records in SQL: read by id, name, namespace; written directly. Staged writing goes through changes.ts.
// It must not know classes, voices, or who may write.
import { addedRecord, mergeRecords, recordOf, type RecordChangeRow, type RecordRow } from './change-rows';
import { type Database } from './database';
import { type Bindable } from './statements';
import { rememberPlaces } from './remember';
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
/** Whether an open change is on a record, asked for with the record: most have none, and one statement is enough for them. */
const CHANGED = 'EXISTS (SELECT 1 FROM record_changes WHERE record = records.id AND open = 1)';
interface Touched {
  readonly touched: number;
}
const RECORDS = `SELECT ${RECORD_COLUMNS} FROM records`;
const CHANGES = `SELECT ${CHANGE_COLUMNS} FROM record_changes`;

/** Records kept at hand by name: the assemblies and platforms that paths lead through again and again. */
const REMEMBERED = 5000;

/** A namespace and all under it, as one range of the index: `'/'` is followed by `'0'`; `/acme/shop-2`, which sorts in between, is picked out. */
export const BELOW = '(namespace >= ? AND namespace < ? AND (namespace = ? OR namespace >= ?))';

/** What BELOW is bound to. */
export const belowParameters = (path: string): readonly [string, string, string, string] => [
  path,
  `${path}0`,
  path,
  `${path}/`,
];

/**
 * A filter as SQL, without the word WHERE; its parameters are numbered, so that it may stand in a statement more than once. Throws when neither
 * `namespace` nor `below` is given: that would scan.
 */
function condition(
  filter: RecordFilter,
  withName: boolean,
): { readonly sql: string; readonly parameters: readonly Bindable[] } {
  const parts: string[] = [];
  const parameters: Bindable[] = [];
  const bound = (value: Bindable): string => `?${parameters.push(value)}`;
  if (filter.namespace !== undefined) {
    parts.push(`namespace = ${bound(filter.namespace)}`);
  } else if (filter.below !== undefined) {
    const [self, end, , first] = belowParameters(filter.below);
    const at = bound(self);
    parts.push(
      `namespace >= ${at} AND namespace < ${bound(end)} AND (namespace = ${at} OR namespace >= ${bound(first)})`,
    );
  } else {
    throw new Error('a list of records needs a namespace');
  }
  if (filter.className !== undefined) parts.push(`class = ${bound(filter.className)}`);
  if (withName && filter.name !== undefined) {
    // The index by name knows no case: both conditions, so that it finds the few and the second one picks.
    const name = bound(filter.name);
    parts.push(`name = ${name} COLLATE NOCASE AND name = ${name}`);
  }
  if (withName && filter.nameInAnyCase !== undefined)
    parts.push(`name = ${bound(filter.nameInAnyCase)} COLLATE NOCASE`);
  return { sql: parts.join(' AND '), parameters };
}

/** Reads and direct writes of records. */
export function recordsOf(database: Database, numbers: Numbers): Records {
  const committedById = (id: number): StoredRecord | undefined => {
    const row = database.get<RecordRow>(`${RECORDS} WHERE id = ?`, id);
    return row === undefined ? undefined : recordOf(row);
  };

  // What a record was read at, so that it need not be read again in the same request.
  const [recordWrites, changeWrites] = [database.writes('records'), database.writes('record_changes')];
  const readAt = new WeakMap<StoredRecord, string>();
  const writesIn = (place: string): string => `${recordWrites.in(place)} ${changeWrites.in(place)}`;
  const noted = (record: StoredRecord | undefined, view: View): StoredRecord | undefined => {
    if (record !== undefined && view === 'merged') readAt.set(record, writesIn(record.namespace));
    return record;
  };

  const readById = (id: number, view: View): StoredRecord | undefined => {
    const row = database.get<RecordRow & Touched>(
      `SELECT ${RECORD_COLUMNS}, ${CHANGED} AS touched FROM records WHERE id = ?`,
      id,
    );
    if (view === 'committed' || row?.touched === 0) return row === undefined ? undefined : recordOf(row);
    const change = database.get<RecordChangeRow>(`${CHANGES} WHERE record = ? AND open = 1`, id);
    if (row === undefined) return change?.action === 'add' ? addedRecord(change) : undefined;
    return mergeRecords([row], change === undefined ? [] : [change])[0];
  };

  const byId = (id: number, view: View = 'merged'): StoredRecord | undefined => noted(readById(id, view), view);

  /** Committed records of a name, each with whether an open change may have to do with the name. */
  const named = (
    filter: RecordFilter,
    limit = '',
  ): { readonly sql: string; readonly parameters: readonly Bindable[] } => {
    const { sql, parameters } = condition(filter, true);
    const others = `EXISTS (SELECT 1 FROM record_changes WHERE open = 1 AND ${sql})`;
    return {
      sql: `SELECT ${RECORD_COLUMNS}, ${CHANGED} OR ${others} AS touched FROM records WHERE ${sql} ORDER BY id ${limit}`,
      parameters,
    };
  };

  /** A pending rename lists a record under another name than its committed one: looks under both, then compares the merged name. */
  const changed = (filter: RecordFilter): StoredRecord[] => {
    const { sql, parameters } = condition(filter, true);
    const rows = database.all<{ readonly id: number }>(
      `SELECT id FROM records WHERE ${sql} UNION SELECT record FROM record_changes WHERE open = 1 AND ${sql} ORDER BY 1`,
      ...parameters,
    );
    const wanted = filter.name ?? filter.nameInAnyCase?.toLowerCase();
    return rows
      .flatMap(({ id }) => byId(id) ?? [])
      .filter((record) => (filter.name === undefined ? record.name.toLowerCase() : record.name) === wanted);
  };

  const byName = (filter: RecordFilter, view: View): StoredRecord[] => {
    const { sql, parameters } = named(filter);
    const rows = database.all<RecordRow & Touched>(sql, ...parameters);
    const untouched = rows.length > 0 && rows.every((row) => row.touched === 0);
    return view === 'committed' || untouched ? rows.map(recordOf) : changed(filter);
  };

  const remembered = rememberPlaces<StoredRecord | undefined>(database, ['records', 'record_changes'], REMEMBERED);
  const first = (
    namespace: string,
    className: string | undefined,
    name: string,
    view: View,
  ): StoredRecord | undefined =>
    remembered(namespace, `${view}\0${namespace}\0${className ?? ''}\0${name}`, () => {
      const filter = { namespace, name, ...(className === undefined ? {} : { className }) };
      const { sql, parameters } = named(filter, 'LIMIT 1');
      const row = database.get<RecordRow & Touched>(sql, ...parameters);
      if (row !== undefined && (view === 'committed' || row.touched === 0)) return noted(recordOf(row), view);
      return view === 'committed' ? undefined : changed(filter)[0];
    });

  const list = (filter: RecordFilter, view: View = 'merged'): StoredRecord[] => {
    if (filter.name !== undefined || filter.nameInAnyCase !== undefined) return byName(filter, view);
    const { sql, parameters } = condition(filter, false);
    const rows = database.all<RecordRow & Touched>(
      `SELECT ${RECORD_COLUMNS}, EXISTS (SELECT 1 FROM record_changes WHERE open = 1 AND ${sql}) AS touched
        FROM records WHERE ${sql} ORDER BY id`,
      ...parameters,
    );
    if (view === 'committed' || rows[0]?.touched === 0) return rows.map(recordOf);
    return mergeRecords(rows, database.all<RecordChangeRow>(`${CHANGES} WHERE open = 1 AND ${sql}`, ...parameters));
  };

  return {
    byId,
    current: (record) => (readAt.get(record) === writesIn(record.namespace) ? record : byId(record.id)),
    byIds: (ids, view) => ids.flatMap((id) => byId(id, view) ?? []),
    byName: (namespace, className, name, view = 'merged') => first(namespace, className, name, view),
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

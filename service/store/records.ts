// Records and relations in SQL: reads, and direct writes. Staged writes: stage.ts.
import { type Bindable, type Database, allOf, table } from './database';
import type {
  NewRecord,
  NewRelation,
  RecordChange,
  RelationChange,
  RowPatch,
  StoredRecord,
  StoredRelation,
  View,
  WriteStamp,
} from './rows';
import { CHANGE_COLUMNS, directRow, ROW_COLUMNS, type Versioned, versioned } from './versioned';

/** Which records a list holds, by `namespace` or `below`: an index narrows both. */
type RecordFilter = {
  readonly namespace?: string;
  /** This namespace and every one under it: `/acme/shop` covers `/acme/shop/_design/web`. */
  readonly below?: string;
  readonly className?: string;
  readonly name?: string;
  /** Instead of `name`: without regard to case, as most names are unique (service-facts §2.1.6). */
  readonly nameInAnyCase?: string;
  readonly state?: string;
};

const rows = table<StoredRecord>('records', { ...ROW_COLUMNS, className: 'TEXT' }, [
  'namespace, className, name',
  'namespace, name COLLATE NOCASE, className',
]);

// Closed changes, the history, have their own index, so that reads of the open ones do not grow
// with it.
const changes = table<RecordChange>('record_changes', { ...CHANGE_COLUMNS, recordId: 'INTEGER', className: 'TEXT' }, [
  'UNIQUE recordId WHERE open = 1',
  'namespace, className WHERE open = 1',
  'namespace, name COLLATE NOCASE, className WHERE open = 1',
  'releaseId',
  'namespace WHERE open = 0',
]);

export const recordTables = [rows, changes];

export type VersionedRecords = Versioned<StoredRecord, RecordChange>;

export const versionedRecords = (database: Database): VersionedRecords =>
  versioned<StoredRecord, RecordChange>(database, {
    rows,
    changes,
    noun: 'record',
    subjectOf: ({ recordId }) => recordId,
    identityOf: ({ id, className, impl }) => ({ recordId: id, className, impl }),
    ownOf: ({ className, impl }) => ({ className, impl, opsState: null }),
    bornWith: ({ updatedBy }, { now }) => ({ updated: now, updatedBy }),
    remove: (id) => removeRecord(database, id),
  });

/** A namespace and all under it, as one range of the index: `'0'` follows `'/'`. */
export const BELOW = '(namespace >= ? AND namespace < ? AND (namespace = ? OR namespace >= ?))';

export const belowParameters = (path: string): readonly [string, string, string, string] => [
  path,
  `${path}0`,
  path,
  `${path}/`,
];

/** Whether a row is in a namespace or under it. */
export const belowCondition = (path: string | undefined) =>
  [BELOW, ...(path === undefined ? [undefined] : belowParameters(path))] as const;

/** A filter as SQL, without WHERE. Throws without `namespace` and `below`: that would scan. */
function condition({ namespace, below, className, name, nameInAnyCase, state }: RecordFilter) {
  if (namespace === undefined && below === undefined) throw new Error('a list of records needs a namespace');
  return allOf(
    ['namespace = ?', namespace],
    belowCondition(below),
    ['className = ?', className],
    // The index by name knows no case: both conditions, so that it finds the few and the second one
    // picks.
    ['name = ? COLLATE NOCASE AND name = ?', name, name],
    ['name = ? COLLATE NOCASE', nameInAnyCase],
    ["document ->> '$.state' = ?", state],
  );
}

/** Whether a patch would change anything. */
function differs(record: StoredRecord, patch: RowPatch): boolean {
  return (
    (patch.comments !== undefined && patch.comments !== record.comments) ||
    Object.entries(patch.values ?? {}).some(([name, value]) => record.values[name] !== value) ||
    (patch.owners !== undefined && JSON.stringify(patch.owners) !== JSON.stringify(record.owners))
  );
}

function listed(of: VersionedRecords, filter: RecordFilter, view: View): StoredRecord[] {
  const [sql, ...parameters] = condition(filter);
  return of.list(sql, parameters, view);
}

export function newRecordRow({ database }: VersionedRecords, record: NewRecord, author: WriteStamp) {
  const { className, impl = null } = record;
  return { ...directRow(database, record, author), className, impl, opsState: null };
}

export type Records = ReturnType<typeof storedRecordsOf>;

export const storedRecordsOf = (of: VersionedRecords) => ({
  /** By ciId, in any namespace. */
  byId: of.byId,
  mapOf: of.mapOf,
  byIds: of.byIds,
  /** By exact name in exactly this namespace (first born wins). */
  byName: (namespace: string, className: string, name: string, view: View = 'merged') =>
    listed(of, { namespace, className, name }, view)[0],
  list: (filter: RecordFilter, view: View = 'merged'): StoredRecord[] => listed(of, filter, view),
  /** Whether any record matches; cheaper than a list. */
  exists: (filter: RecordFilter, view: 'merged' | 'committed' = 'merged'): boolean => {
    const [sql, ...parameters] = condition(filter);
    const added = view === 'merged' ? [`record_changes WHERE open = 1 AND action = 'add' AND ${sql}`] : [];
    return [`records WHERE ${sql}`, ...added].some(
      (from) => of.database.get(`SELECT 1 FROM ${from} LIMIT 1`, ...parameters) !== undefined,
    );
  },
  /** Writes a committed record immediately (`state: 'default'`). Returns it with its id. */
  insert: (record: NewRecord, author: WriteStamp) => of.insert(newRecordRow(of, record, author)),
  /**
   * Changes a committed record immediately and stamps `updated`, `updatedBy`; a patch that changes
   * nothing stamps nothing. Throws UnknownRow when there is no committed record of this id.
   */
  update: (id: number, patch: RowPatch, author: WriteStamp): StoredRecord => {
    const record = of.present(id, 'committed');
    return differs(record, patch) ? of.patch(record, patch, author) : record;
  },
  /** Sets ciState (service-facts §3.1); no stamp, since states are the service's own. */
  setState: (ids: number | readonly number[], state: string): void =>
    of.database.run(STATE, state, JSON.stringify([ids].flat())),
  /** Removes a committed record with its relations and open changes, if there is one. */
  remove: of.remove,
});

/** Removes a committed record, its relations, and the open changes on any of them. */
function removeRecord(database: Database, id: number): void {
  database.run('DELETE FROM records WHERE id = ?', id);
  database.run('DELETE FROM record_changes WHERE recordId = ? AND open = 1', id);
  database.run('DELETE FROM relations WHERE fromId = ?', id);
  database.run('DELETE FROM relations WHERE toId = ?', id);
  database.run('DELETE FROM relation_changes WHERE fromId = ? AND open = 1', id);
  database.run('DELETE FROM relation_changes WHERE toId = ? AND open = 1', id);
}

const relationRows = table<StoredRelation>('relations', { ...ROW_COLUMNS, fromId: 'INTEGER', toId: 'INTEGER' }, [
  'fromId, name',
  'toId, name',
  'namespace, name',
]);

const relationChanges = table<RelationChange>(
  'relation_changes',
  { ...CHANGE_COLUMNS, relationId: 'INTEGER', fromId: 'INTEGER', toId: 'INTEGER' },
  [
    'UNIQUE relationId WHERE open = 1',
    'fromId WHERE open = 1',
    'toId WHERE open = 1',
    'releaseId',
    'namespace, name WHERE open = 1',
    'namespace WHERE open = 0',
  ],
);

export const relationTables = [relationRows, relationChanges];

export type VersionedRelations = Versioned<StoredRelation, RelationChange>;

export const versionedRelations = (database: Database): VersionedRelations =>
  versioned<StoredRelation, RelationChange>(database, {
    rows: relationRows,
    changes: relationChanges,
    noun: 'relation',
    subjectOf: ({ relationId }) => relationId,
    identityOf: ({ id, fromId, toId }) => ({ relationId: id, fromId, toId }),
    ownOf: ({ fromId, toId }) => ({ fromId, toId }),
    bornWith: ({ created }) => ({ updated: created, updatedBy: null }),
    remove: (id) => removeRelation(database, id),
  });

/** Relations by the value of a column, and by name where one is given. */
const byColumn =
  (of: VersionedRelations, column: 'fromId' | 'toId' | 'namespace') =>
  (value: Bindable, name?: string, view: View = 'merged'): StoredRelation[] =>
    name === undefined
      ? of.list(`${column} = ?`, [value], view)
      : of.list(`${column} = ? AND name = ?`, [value, name], view);

const ANY = 'IN (SELECT value FROM json_each(?))';
const byAny =
  (of: VersionedRelations, column: 'fromId' | 'toId') =>
  (ids: readonly number[], name: string): StoredRelation[] =>
    ids.length === 0 ? [] : of.list(`${column} ${ANY} AND name = ?`, [JSON.stringify(ids), name], 'committed');
const STATE = `UPDATE records SET document = json_set(document, '$.state', ?) WHERE id ${ANY}`;

export const newRelationRow = ({ database }: VersionedRelations, relation: NewRelation, author: WriteStamp) => ({
  ...directRow(database, relation, author),
  fromId: relation.fromId,
  toId: relation.toId,
});

export const relationsOf = (of: VersionedRelations) => ({
  byId: of.byId,
  /** Relations that start at a record; without a name, all of them. */
  from: byColumn(of, 'fromId'),
  /** Committed relations of a name that start at one of these records. */
  fromAny: byAny(of, 'fromId'),
  /** Committed relations of a name that end at one of these records. */
  toAny: byAny(of, 'toId'),
  /** Committed relations that start or end at one of these records. */
  atAny: (ids: readonly number[]) =>
    ids.length === 0
      ? []
      : of.list(`fromId ${ANY} OR toId ${ANY}`, [JSON.stringify(ids), JSON.stringify(ids)], 'committed'),
  to: byColumn(of, 'toId'),
  /** Relations in exactly this namespace. */
  list: byColumn(of, 'namespace'),
  insert: (relation: NewRelation, author: WriteStamp) => of.insert(newRelationRow(of, relation, author)),
  /** Throws UnknownRow when there is no committed relation of this id. */
  update: (id: number, patch: RowPatch, author: WriteStamp) => of.patch(of.present(id, 'committed'), patch, author),
  remove: of.remove,
});

/** Removes a committed relation and the open change on it. */
function removeRelation(database: Database, id: number): void {
  database.run('DELETE FROM relations WHERE id = ?', id);
  database.run('DELETE FROM relation_changes WHERE relationId = ? AND open = 1', id);
}

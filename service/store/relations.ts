// Relations in SQL: read from either end or by namespace, written directly.
// Staged writing goes through stage.ts; what records and relations share is in versioned.ts.
import { type Bindable, type Database } from './database';
import {
  type WriteStamp,
  type NewRelation,
  type RelationChange,
  type RelationPatch,
  type StoredRelation,
  type View,
} from './rows';
import { table, UnknownRow } from './table';
import {
  CHANGE_COLUMNS,
  directRow,
  insertRow,
  listRows,
  type Numbers,
  patchRow,
  readById,
  ROW_COLUMNS,
  type Versioned,
} from './versioned';

export interface Relations {
  byId(id: number, view?: View): StoredRelation | undefined;
  /** Relations that start at a record; without a name, all of them. */
  from(recordId: number, name?: string, view?: View): StoredRelation[];
  /** Relations that end at a record. */
  to(recordId: number, name?: string, view?: View): StoredRelation[];
  /** The one relation of this name between two records. */
  between(fromId: number, toId: number, name: string, view?: View): StoredRelation | undefined;
  /** Relations in exactly this namespace. */
  list(namespace: string, name?: string, view?: View): StoredRelation[];
  insert(relation: NewRelation, author: WriteStamp): StoredRelation;
  /** Throws UnknownRow when there is no committed relation of this id. */
  update(id: number, patch: RelationPatch, author: WriteStamp): StoredRelation;
  remove(id: number): void;
}

const rows = table<Omit<StoredRelation, 'change'>>(
  'relations',
  { ...ROW_COLUMNS, fromId: 'INTEGER', toId: 'INTEGER' },
  ['fromId, name', 'toId, name', 'namespace, name'],
);

const changes = table<RelationChange>(
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

/** The tables of relations. */
export const relationTables = [rows, changes];

/** Relations as versioned rows. */
export type VersionedRelations = Versioned<StoredRelation, RelationChange>;

/** The tables of relations. */
export const versionedRelations = (database: Database, numbers: Numbers): VersionedRelations => ({
  database,
  numbers,
  rows,
  changes,
  subject: 'relationId',
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
      ? listRows(of, `${column} = ?`, [value], view)
      : listRows(of, `${column} = ? AND name = ?`, [value, name], view);

/** Reads and direct writes of relations. */
export function relationsOf(of: VersionedRelations): Relations {
  return {
    byId: (id, view = 'merged') => readById(of, id, view),
    from: byColumn(of, 'fromId'),
    to: byColumn(of, 'toId'),
    // Searched from its start (the plus sees to it): clouds end the relations of every platform.
    between: (fromId, toId, name, view = 'merged') =>
      listRows(of, 'fromId = ? AND +toId = ? AND name = ?', [fromId, toId, name], view)[0],
    list: byColumn(of, 'namespace'),
    insert: (relation, author) => {
      const { fromId, toId } = relation;
      return insertRow<StoredRelation, RelationChange>(of, {
        ...directRow(of.numbers, relation, author),
        fromId,
        toId,
      });
    },
    update: (id, patch, author) => {
      const relation = readById(of, id, 'committed');
      if (relation === undefined) throw new UnknownRow('relation', id);
      return patchRow(of, relation, patch, author);
    },
    remove: (id) => removeRelation(of.database, id),
  };
}

/** Removes a committed relation and the open change on it. */
function removeRelation(database: Database, id: number): void {
  database.run('DELETE FROM relations WHERE id = ?', id);
  database.run('DELETE FROM relation_changes WHERE relationId = ? AND open = 1', id);
}

// Relations in SQL: read from either end or by namespace; written directly. Staged writing goes through changes.ts.
// It must not know what any relation means.
import { addedRelation, mergeRelations, relationOf, type RelationChangeRow, type RelationRow } from './change-rows';
import { type Database } from './database';
import { type Bindable } from './statements';
import { type Numbers } from './records';
import type { NewRelation, StoredRelation } from './rows';
import { UnknownRow, type Author, type Relations, type View } from './store';

const RELATION_COLUMNS =
  'id, namespace, name, from_id, to_id, comments, state, attributes, owners, created, created_by, updated, updated_by, last_change';
const CHANGE_COLUMNS =
  'id, release, action, relation, namespace, name, from_id, to_id, comments, attributes, base, owners, exec_order, hint, created, created_by, updated, updated_by';
const RELATIONS = `SELECT ${RELATION_COLUMNS} FROM relations`;
const CHANGES = `SELECT ${CHANGE_COLUMNS} FROM relation_changes`;

/** Reads and direct writes of relations. */
export function relationsOf(database: Database, numbers: Numbers): Relations {
  /** `sql` numbers its parameters: it stands in the statement twice. */
  const select = (sql: string, parameters: readonly Bindable[], view: View): StoredRelation[] => {
    // Asked for with the rows: most have no open change, and one statement is enough for them.
    const rows = database.all<RelationRow & { readonly touched: number }>(
      `SELECT ${RELATION_COLUMNS}, EXISTS (SELECT 1 FROM relation_changes WHERE open = 1 AND ${sql}) AS touched
        FROM relations WHERE ${sql} ORDER BY id`,
      ...parameters,
    );
    if (view === 'committed' || rows[0]?.touched === 0) return rows.map(relationOf);
    return mergeRelations(rows, database.all<RelationChangeRow>(`${CHANGES} WHERE open = 1 AND ${sql}`, ...parameters));
  };
  const byColumn =
    (column: 'from_id' | 'to_id' | 'namespace') =>
    (value: Bindable, name: string | undefined, view: View): StoredRelation[] =>
      name === undefined
        ? select(`${column} = ?1`, [value], view)
        : select(`${column} = ?1 AND name = ?2`, [value, name], view);

  const byId = (id: number, view: View = 'merged'): StoredRelation | undefined => {
    const row = database.get<RelationRow>(`${RELATIONS} WHERE id = ?`, id);
    if (view === 'committed') return row === undefined ? undefined : relationOf(row);
    const change = database.get<RelationChangeRow>(`${CHANGES} WHERE relation = ? AND open = 1`, id);
    if (row === undefined) return change?.action === 'add' ? addedRelation(change) : undefined;
    return mergeRelations([row], change === undefined ? [] : [change])[0];
  };

  return {
    byId,
    from: (recordId, name, view = 'merged') => byColumn('from_id')(recordId, name, view),
    to: (recordId, name, view = 'merged') => byColumn('to_id')(recordId, name, view),
    // Searched from its start (the plus sees to it): clouds end the relations of every platform.
    between: (fromId, toId, name, view = 'merged') =>
      select('from_id = ?1 AND +to_id = ?2 AND name = ?3', [fromId, toId, name], view)[0],
    list: (namespace, name, view = 'merged') => byColumn('namespace')(namespace, name, view),
    insert: (relation, author) => insertRelation(database, numbers, relation, author),
    update: (id, patch, author) => {
      const current = byId(id, 'committed');
      if (current === undefined) throw new UnknownRow('relation', id);
      const next: StoredRelation = {
        ...current,
        values: { ...current.values, ...patch.values },
        owners: patch.owners ?? current.owners,
        comments: patch.comments === undefined ? current.comments : patch.comments,
        updated: author.now,
        updatedBy: author.user,
      };
      database.run(
        'UPDATE relations SET attributes = ?, owners = ?, comments = ?, updated = ?, updated_by = ? WHERE id = ?',
        JSON.stringify(next.values),
        JSON.stringify(next.owners),
        next.comments,
        author.now,
        author.user,
        id,
      );
      return next;
    },
    remove: (id) => removeRelation(database, id),
  };
}

/** Writes a committed relation; `id` and `changeId` when a commit does it. */
export function insertRelation(
  database: Database,
  numbers: Numbers,
  relation: NewRelation & { readonly id?: number },
  author: Author,
  changeId = 0,
): StoredRelation {
  numbers.namespaceId(relation.namespace);
  const stored: StoredRelation = {
    id: relation.id ?? numbers.allocateId(),
    namespace: relation.namespace,
    name: relation.name,
    fromId: relation.fromId,
    toId: relation.toId,
    comments: relation.comments ?? null,
    state: 'default',
    values: relation.values ?? {},
    owners: relation.owners ?? {},
    lastChangeId: changeId,
    created: author.now,
    createdBy: author.user,
    updated: author.now,
    updatedBy: null,
    change: undefined,
  };
  database.run(
    `INSERT INTO relations (${RELATION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 'default', ?, ?, ?, ?, ?, NULL, ?)`,
    stored.id,
    stored.namespace,
    stored.name,
    stored.fromId,
    stored.toId,
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

/** Removes a committed relation and the open change on it. */
export function removeRelation(database: Database, id: number): void {
  database.run('DELETE FROM relations WHERE id = ?', id);
  database.run('DELETE FROM relation_changes WHERE relation = ? AND open = 1', id);
}

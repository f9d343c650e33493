// Releases in SQL: opened, closed with all their changes, canceled, erased (service-facts §3.2).
// It must not know which namespaces hold releases, nor why one is closed.
import {
  applyRecordChange,
  applyRelationChange,
  recordChangeById,
  recordChangesOf,
  relationChangesOf,
} from './changes';
import { type Database } from './database';
import { type Numbers } from './records';
import type { ReleaseState, StoredRelease } from './rows';
import { UnknownRow, type Author, type CloseFacts, type Records, type RelationChange, type Releases } from './store';

interface ReleaseRow {
  readonly id: number;
  readonly namespace: string;
  readonly state: ReleaseState;
  readonly type: string | null;
  readonly description: string | null;
  readonly parent: number;
  readonly created: number;
  readonly created_by: string | null;
  readonly updated: number | null;
  readonly committed_by: string | null;
}

const RELEASES =
  'SELECT id, namespace, state, type, description, parent, created, created_by, updated, committed_by FROM releases';

const releaseOf = (row: ReleaseRow): StoredRelease => ({
  id: row.id,
  namespace: row.namespace,
  state: row.state,
  type: row.type,
  description: row.description,
  parentId: row.parent,
  created: row.created,
  createdBy: row.created_by,
  updated: row.updated,
  committedBy: row.committed_by,
});

/** Life and reads of releases. */
export function releasesOf(database: Database, numbers: Numbers, records: Records): Releases {
  const select = (condition: string, ...parameters: readonly (string | number)[]): StoredRelease[] =>
    database.all<ReleaseRow>(`${RELEASES} WHERE ${condition}`, ...parameters).map(releaseOf);
  // The release written last, until releases are written again: where nothing is staged, one request opens it and closes it.
  const writes = database.writes('releases');
  let last: { readonly release: StoredRelease; readonly count: number } | undefined;
  const remembered = (fits: (release: StoredRelease) => boolean): StoredRelease | undefined =>
    last !== undefined && last.count === writes.count && fits(last.release) ? last.release : undefined;
  const remember = (release: StoredRelease): StoredRelease => {
    last = { release, count: writes.count };
    return release;
  };
  const byId = (id: number): StoredRelease | undefined =>
    remembered((release) => release.id === id) ?? select('id = ?', id)[0];
  const existing = (id: number): StoredRelease => {
    const release = byId(id);
    if (release === undefined) throw new UnknownRow('release', id);
    return release;
  };
  const open = (namespace: string): StoredRelease | undefined =>
    remembered((release) => release.namespace === namespace && release.state === 'open') ??
    select("namespace = ? AND state = 'open'", namespace)[0];
  const list = (namespace: string): StoredRelease[] => select('namespace = ? ORDER BY id DESC', namespace);
  const insert = (
    namespace: string,
    state: string,
    author: Author,
    facts?: { readonly parentId?: number; readonly type?: string },
  ): number => {
    const id = numbers.allocateId();
    numbers.namespaceId(namespace);
    database.run(
      'INSERT INTO releases (id, namespace, state, type, description, parent, created, created_by) VALUES (?, ?, ?, ?, NULL, ?, ?, ?)',
      id,
      namespace,
      state,
      facts?.type ?? null,
      facts?.parentId ?? 0,
      author.now,
      author.user,
    );
    return id;
  };
  const begin = (
    namespace: string,
    author: Author,
    facts?: { readonly parentId?: number; readonly type?: string },
  ): StoredRelease => {
    const id = insert(namespace, 'open', author, facts);
    return remember({
      id,
      namespace,
      state: 'open',
      type: facts?.type ?? null,
      description: null,
      parentId: facts?.parentId ?? 0,
      created: author.now,
      createdBy: author.user,
      updated: null,
      committedBy: null,
    });
  };
  const end = (
    release: StoredRelease,
    state: ReleaseState,
    author: Author,
    description: string | null,
  ): StoredRelease => {
    database.run(
      "UPDATE releases SET state = ?, description = coalesce(?, description, ''), updated = ?, committed_by = ? WHERE id = ?",
      state,
      description,
      author.now,
      author.user,
      release.id,
    );
    return remember({
      ...release,
      state,
      description: description ?? release.description ?? '',
      updated: author.now,
      committedBy: author.user,
    });
  };

  return {
    byId,
    open,
    latest: (namespace, states) =>
      states === undefined
        ? select('namespace = ? ORDER BY id DESC LIMIT 1', namespace)[0]
        : list(namespace).find((release) => states.includes(release.state)),
    list,
    begin: (namespace, author, facts) => open(namespace) ?? begin(namespace, author, facts),
    describe: (id, facts) => {
      const release = existing(id);
      database.run(
        'UPDATE releases SET description = ?, parent = ?, type = ? WHERE id = ?',
        facts.description === undefined ? release.description : facts.description,
        facts.parentId ?? release.parentId,
        facts.type ?? release.type,
        id,
      );
    },
    close: (id, author, facts = {}) => {
      const release = existing(id);
      if (release.state !== 'open') return release;
      carryOut(database, numbers, records, id, author, facts);
      return end(release, 'closed', author, facts.description ?? null);
    },
    closePart: (id, author, belongs, facts = {}) => {
      const release = existing(id);
      if (release.state !== 'open') return release;
      const otherRecords = recordChangesOf(database, id, true).filter((change) => !belongs(change));
      const otherRelations = relationChangesOf(database, id, true).filter((change) => !belongs(change));
      // At most one release of a namespace is open: the other one opens when this one has closed.
      const other =
        otherRecords.length + otherRelations.length === 0 ? undefined : insert(release.namespace, 'pending', author);
      if (other !== undefined) {
        otherRecords.forEach((change) =>
          database.run('UPDATE record_changes SET release = ? WHERE id = ?', other, change.id),
        );
        otherRelations.forEach((change) =>
          database.run('UPDATE relation_changes SET release = ? WHERE id = ?', other, change.id),
        );
      }
      carryOut(database, numbers, records, id, author, facts);
      const closed = end(release, 'closed', author, facts.description ?? null);
      if (other !== undefined) database.run("UPDATE releases SET state = 'open' WHERE id = ?", other);
      return closed;
    },
    cancel: (id, author) => {
      const release = existing(id);
      if (release.state !== 'open') return release;
      database.run('UPDATE record_changes SET open = 0 WHERE release = ?', id);
      database.run('UPDATE relation_changes SET open = 0 WHERE release = ?', id);
      return end(release, 'canceled', author, null);
    },
    erase: (id) => {
      database.run('DELETE FROM record_changes WHERE release = ?', id);
      database.run('DELETE FROM relation_changes WHERE release = ?', id);
      database.run('DELETE FROM releases WHERE id = ?', id);
    },
    recordChanges: (releaseId) => recordChangesOf(database, releaseId, false),
    relationChanges: (releaseId) => relationChangesOf(database, releaseId, false),
    recordChange: (changeId) => recordChangeById(database, changeId)?.change,
    commitChange: (changeId, author) => {
      const found = recordChangeById(database, changeId);
      if (found === undefined) throw new UnknownRow('change', changeId);
      if (!found.open) return;
      const { recordId, releaseId } = found.change;
      const touching = (change: RelationChange): boolean => change.fromId === recordId || change.toId === recordId;
      const otherEnd = (change: RelationChange): number => (change.fromId === recordId ? change.toId : change.fromId);
      applyRecordChange(database, numbers, found.change, author);
      relationChangesOf(database, releaseId, true)
        .filter((change) => touching(change) && records.byId(otherEnd(change), 'committed') !== undefined)
        .forEach((change) => applyRelationChange(database, numbers, change, author));
    },
    setExecOrder: (changeId, execOrder) =>
      database.run('UPDATE record_changes SET exec_order = ? WHERE id = ?', execOrder, changeId),
  };
}

/** Makes every open change of a release true: deletions first, so that a name can be taken over by an add of the same release. */
function carryOut(
  database: Database,
  numbers: Numbers,
  records: Records,
  releaseId: number,
  author: Author,
  facts: CloseFacts,
): void {
  const recordChanges = recordChangesOf(database, releaseId, true);
  const deletions = recordChanges.filter((change) => change.action === 'delete');
  const kept = new Set<number>();
  for (const change of deletions) {
    const record = records.byId(change.recordId, 'committed');
    if (record !== undefined && facts.keeps?.(record) === true) kept.add(record.id);
  }
  const relationChanges = relationChangesOf(database, releaseId, true);
  for (const change of relationChanges.filter((each) => each.action === 'delete')) {
    if (kept.has(change.fromId) || kept.has(change.toId))
      database.run('UPDATE relation_changes SET open = 0 WHERE id = ?', change.id);
    else applyRelationChange(database, numbers, change, author);
  }
  for (const change of deletions) {
    if (kept.has(change.recordId)) {
      database.run('UPDATE record_changes SET open = 0 WHERE id = ?', change.id);
      records.setState(change.recordId, 'pending_deletion');
    } else {
      applyRecordChange(database, numbers, change, author);
    }
  }
  recordChanges
    .filter((change) => change.action !== 'delete')
    .forEach((change) => applyRecordChange(database, numbers, change, author));
  relationChanges
    .filter((change) => change.action !== 'delete')
    .forEach((change) => applyRelationChange(database, numbers, change, author));
}

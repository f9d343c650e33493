// Releases in SQL: opened, closed with their changes, canceled, erased (service-facts §3.2).
import { type Database, table, UnknownRow } from './database';
import type { Records, VersionedRecords, VersionedRelations } from './records';
import type { Find } from './versioned';
import type { RecordChange, ReleaseState, StoredChange, StoredRecord, StoredRelease, WriteStamp } from './rows';

type CloseFacts = {
  readonly description?: string | undefined;
  /**
   * Soft delete (service-facts §3.1): a deleted record for which this says true is not removed but
   * set to `pending_deletion`, with all its relations left as they are. For manifest records that
   * still have instances; remove them with `records.remove` when those no longer exist.
   */
  readonly keeps?: (record: StoredRecord) => boolean;
  /** Which changes it closes with; the others move to a new open release (service-facts §4.5.6). */
  readonly belongs?: (change: StoredChange) => boolean;
};

export const releases = table<StoredRelease>('releases', { namespace: 'TEXT', state: 'TEXT' }, [
  "UNIQUE namespace WHERE state = 'open'",
  'namespace',
]);

interface Parts {
  readonly database: Database;
  readonly records: Records;
  readonly versions: { readonly records: VersionedRecords; readonly relations: VersionedRelations };
}

const openIn = ({ database }: Parts, namespace: string): StoredRelease | undefined =>
  releases.get(database, "namespace = ? AND state = 'open'", namespace);

/** Throws UnknownRow. */
function existing({ database }: Parts, id: number): StoredRelease {
  const release = releases.get(database, 'id = ?', id);
  if (release === undefined) throw new UnknownRow('release', id);
  return release;
}

/** An open release as it begins. */
const draftRelease = (
  { database }: Parts,
  namespace: string,
  { now, user }: WriteStamp,
  parentId = 0,
): StoredRelease => ({
  id: database.allocateId(),
  namespace,
  state: 'open',
  description: null,
  parentId,
  created: now,
  createdBy: user,
  updated: null,
  committedBy: null,
});

const opened = (parts: Parts, namespace: string, author: WriteStamp, parentId?: number): StoredRelease =>
  releases.insert(parts.database, draftRelease(parts, namespace, author, parentId));

/** Ends a release: closed or canceled. */
function end(
  { database }: Parts,
  release: StoredRelease,
  author: WriteStamp,
  {
    state,
    description = release.description ?? '',
  }: { readonly state: ReleaseState; readonly description?: string | undefined },
): StoredRelease {
  const ended = { state, description, updated: author.now, committedBy: author.user };
  releases.update(database, release.id, ended);
  return { ...release, ...ended };
}

const CHANGES = ['record_changes', 'relation_changes'];
const COMMITTED = 'SELECT id FROM records WHERE id IN (SELECT value FROM json_each(?))';

/** Moves what is left open of a release that was closed in part to a new open release. */
function moveRest(parts: Parts, closed: StoredRelease, author: WriteStamp): void {
  const { database } = parts;
  const isLeft = (table: string): boolean =>
    database.get(`SELECT 1 FROM ${table} WHERE releaseId = ? AND open = 1 LIMIT 1`, closed.id) !== undefined;
  if (!CHANGES.some(isLeft)) return;
  const rest = opened(parts, closed.namespace, author);
  for (const table of CHANGES)
    database.run(`UPDATE ${table} SET releaseId = ? WHERE releaseId = ? AND open = 1`, rest.id, closed.id);
}

/** Makes an open record change true, with the relation changes whose ends are both committed. */
function commitChange({ database, versions }: Parts, change: RecordChange, author: WriteStamp, find?: Find): void {
  if (!change.open) return;
  const { recordId, releaseId } = change;
  versions.records.close([change]);
  versions.records.apply(change, author, find);
  // Found by their ends: they are few.
  const around = versions.relations.changes
    .all(database, '(open = 1 AND fromId = ?) OR (open = 1 AND toId = ?)', recordId, recordId)
    .filter((each) => each.releaseId === releaseId);
  const otherEnd = ({ fromId, toId }: (typeof around)[number]): number => (fromId === recordId ? toId : fromId);
  const ends = database.all<Pick<StoredRecord, 'id'>>(COMMITTED, JSON.stringify(around.map(otherEnd)));
  const committed = new Set(ends.map(({ id }) => id));
  const joined = around.filter((each) => committed.has(otherEnd(each)));
  versions.relations.close(joined);
  for (const each of joined) versions.relations.apply(each, author);
}

/** Makes open changes true: deletions first, so that an add can take over a name. */
function carryOut({ records, versions }: Parts, releaseId: number, author: WriteStamp, facts: CloseFacts): void {
  const { belongs = () => true } = facts;
  const recordChanges = versions.records.changesIn(releaseId, true).filter(belongs);
  const relationChanges = versions.relations.changesIn(releaseId, true).filter(belongs);
  const isDeletion = ({ action }: StoredChange): boolean => action === 'delete';
  const deletions = recordChanges.filter(isDeletion);
  const ids = deletions.map((change) => change.recordId);
  const deleted = records.byIds(ids, 'committed');
  const kept = new Set(deleted.filter((record) => facts.keeps?.(record) === true).map(({ id }) => id));
  const [leaving, staying] = [relationChanges.filter(isDeletion), relationChanges.filter((each) => !isDeletion(each))];
  versions.records.close(recordChanges);
  versions.relations.close(leaving);
  for (const change of leaving)
    if (!kept.has(change.fromId) && !kept.has(change.toId)) versions.relations.apply(change, author);
  for (const change of deletions) {
    if (kept.has(change.recordId)) records.setState(change.recordId, 'pending_deletion');
    else versions.records.apply(change, author);
  }
  for (const change of recordChanges) if (!isDeletion(change)) versions.records.apply(change, author);
  versions.relations.close(staying);
  for (const change of staying) versions.relations.apply(change, author);
}

const NAMES = 'SELECT id, name FROM record_changes WHERE releaseId = ?';
const HINTED = "id IN (SELECT value FROM json_each(?)) AND document ->> '$.hint' = ?";
const REACHED = `SELECT toId FROM relation_changes WHERE releaseId = ? AND name = ?
  UNION SELECT toId FROM record_changes JOIN relations ON fromId = recordId AND relations.name = ? WHERE releaseId = ?`;

export function releasesOf(parts: Parts) {
  const { database, versions } = parts;
  const list = (namespace: string): StoredRelease[] =>
    releases.all(database, 'namespace = ? ORDER BY id DESC', namespace);
  return {
    byId: (id: number) => releases.get(database, 'id = ?', id),
    open: (namespace: string) => openIn(parts, namespace),
    /** Newest release of a namespace, of any state or of the given ones. */
    latest: (namespace: string, states?: readonly ReleaseState[]): StoredRelease | undefined =>
      states === undefined
        ? releases.get(database, 'namespace = ? ORDER BY id DESC LIMIT 1', namespace)
        : list(namespace).find((release) => states.includes(release.state)),
    /** All of a namespace, newest first. */
    list,
    /** Opens a release, or returns the open one. `stage(…)` does this at the first write. */
    begin: (namespace: string, author: WriteStamp, parentId?: number): StoredRelease =>
      openIn(parts, namespace) ?? opened(parts, namespace, author, parentId),
    /** A release that is not stored. */
    draft: (...begun: [namespace: string, author: WriteStamp, parentId: number]) => draftRelease(parts, ...begun),
    /** Changes the texts and the parent of a release. */
    describe: (id: number, facts: Partial<Pick<StoredRelease, 'description' | 'parentId'>>): void => {
      existing(parts, id);
      releases.update(database, id, facts);
    },
    /** To `closed`: open changes become true (see `commitChange`). Only an open release changes. */
    close: (id: number, author: WriteStamp, facts: CloseFacts = {}): StoredRelease => {
      const release = existing(parts, id);
      if (release.state !== 'open') return release;
      carryOut(parts, id, author, facts);
      const closed = end(parts, release, author, { state: 'closed', description: facts.description });
      if (facts.belongs !== undefined) moveRest(parts, closed, author);
      return closed;
    },
    /** To `canceled`: its open changes stop being seen. Only an open release changes. */
    cancel: (id: number, author: WriteStamp): StoredRelease => {
      const release = existing(parts, id);
      if (release.state !== 'open') return release;
      for (const table of CHANGES) database.run(`UPDATE ${table} SET open = 0 WHERE releaseId = ?`, id);
      return end(parts, release, author, { state: 'canceled' });
    },
    /** Removes a release with its changes: a failed or empty plan (service-facts §3.2). */
    erase: (id: number): void => {
      for (const table of CHANGES) database.run(`DELETE FROM ${table} WHERE releaseId = ?`, id);
      database.run('DELETE FROM releases WHERE id = ?', id);
    },
    recordChanges: (releaseId: number) => versions.records.changesIn(releaseId, false),
    relationChanges: (releaseId: number) => versions.relations.changesIn(releaseId, false),
    /** Far ends of relations of a name: of those it makes, and of those at records it changes. */
    reached: (releaseId: number, name: string): number[] =>
      database.all<{ readonly toId: number }>(REACHED, releaseId, name, name, releaseId).map(({ toId }) => toId),
    /** Names of the records that a release changes, by rfcId. */
    changedNames: (releaseId: number) =>
      new Map(database.all<Pick<RecordChange, 'id' | 'name'>>(NAMES, releaseId).map(({ id, name }) => [id, name])),
    /** Those of some changes that have this hint. */
    hinted: (changeIds: readonly number[], hint: string) =>
      versions.records.changes.all(database, HINTED, JSON.stringify(changeIds), hint),
    /** One change by rfcId, open or not. */
    recordChange: (changeId: number) => versions.records.changes.get(database, 'id = ?', changeId),
    /**
     * Makes one open record change true ahead of its release: add → record, update and replace →
     * new values, delete → record, relations deleted. Replace also sets `state` to `default` and
     * `created` to now (service-facts §3.1). Relation changes of the same release that start or end
     * at the record and whose other end is committed become true with it. The release stays open.
     * What a deployment does as each work order completes; `find`: what it finds at the instance.
     */
    commitChange: (change: RecordChange, author: WriteStamp, find?: Find): void =>
      commitChange(parts, change, author, find),
  };
}

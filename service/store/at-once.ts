// A change of one record that is true as soon as it is written: its release is closed from the start.
// It must not know when that is right, nor what the record means.
import { type Database } from './database';
import { type Numbers } from './records';
import type { Owners, StoredRecord, Values } from './rows';
import type { Author } from './store';

/** What changes of a record; `base` holds the values that `values` replace. Owners null: unchanged. */
export interface WriteAtOnce {
  readonly name: string;
  readonly values: Values;
  readonly base: Values;
  readonly owners: Owners | null;
  readonly comments: string | null;
}

/** Writes a change of a committed record without an open one, in a namespace without an open release; returns the record as it now reads. */
export type ChangeAtOnce = (
  namespace: string,
  target: StoredRecord,
  write: WriteAtOnce,
  author: Author,
) => StoredRecord;

const INSERT_RELEASE = `INSERT INTO releases (id, namespace, state, type, description, parent, created, created_by, updated, committed_by)
  VALUES (?, ?, 'closed', NULL, '', 0, ?, ?, ?, ?)`;
const INSERT_CHANGE = `INSERT INTO record_changes (id, release, open, action, record, namespace, class, name, impl, comments,
  attributes, base, owners, exec_order, hint, created, created_by, updated, updated_by)
  VALUES (?, ?, 0, 'update', ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, ?, ?, NULL, NULL)`;

/**
 * Leaves what an open release with the change leaves when it is closed, in three statements: nothing that is only needed while a change is open
 * is written and taken away again.
 */
export function changeAtOnce(database: Database, numbers: Numbers): ChangeAtOnce {
  return (namespace, target, write, author) => {
    const { now, user } = author;
    const releaseId = numbers.allocateId();
    numbers.namespaceId(namespace);
    const changeId = numbers.allocateId();
    const next: StoredRecord = {
      ...target,
      name: write.name,
      comments: write.comments ?? target.comments,
      values: { ...target.values, ...write.values },
      owners: write.owners ?? target.owners,
      lastChangeId: changeId,
      updated: now,
      updatedBy: user,
    };
    database.run(INSERT_RELEASE, releaseId, namespace, now, user, now, user);
    database.within(target.namespace, () => {
      database.run(
        INSERT_CHANGE,
        changeId,
        releaseId,
        target.id,
        target.namespace,
        target.className,
        write.name,
        target.impl,
        write.comments,
        JSON.stringify(write.values),
        JSON.stringify(write.base),
        write.owners === null ? null : JSON.stringify(write.owners),
        now,
        user,
      );
      // On its own, and only then: two indexes hold the name, and SQLite writes them anew for the same name too.
      if (next.name !== target.name) database.run('UPDATE records SET name = ? WHERE id = ?', next.name, target.id);
      database.run(
        'UPDATE records SET comments = ?, attributes = ?, owners = ?, updated = ?, updated_by = ?, last_change = ? WHERE id = ?',
        next.comments,
        JSON.stringify(next.values),
        JSON.stringify(next.owners),
        now,
        user,
        changeId,
        target.id,
      );
    });
    return next;
  };
}

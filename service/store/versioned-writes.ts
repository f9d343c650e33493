// Writing of records and relations: committed rows, open changes, and how a change becomes true (service-facts §3.3).
// When a change is due, and what a row means, is decided elsewhere: releases.ts and stage.ts.
import type { WriteStamp, ChangeAction, ChangeFacts, AttributeLocks, RecordPatch, StoredRelease, Values } from './rows';
import {
  added,
  type Committed,
  type Numbers,
  type Own,
  type Versioned,
  type VersionedChange,
  type VersionedRow,
} from './versioned';

/** The open release that a change belongs to, and who writes it. */
interface ChangedBy {
  readonly release: StoredRelease;
  readonly author: WriteStamp;
}

/** One write of a change on an existing row. Owners null: unchanged. */
export interface ChangeWrite extends ChangeFacts {
  readonly action: ChangeAction;
  readonly name?: string;
  readonly values: Values;
  readonly base: Values;
  readonly owners: AttributeLocks | null;
  readonly comments: string | null;
}

/** Writes a committed row. */
export function insertRow<R extends VersionedRow, C extends VersionedChange>(of: Versioned<R, C>, row: R): R {
  of.numbers.namespaceId(row.namespace);
  of.rows.insert(of.database, row);
  return row;
}

/** The committed row that a direct write makes. */
export function directRow(
  { allocateId }: Numbers,
  sent: {
    readonly id?: number;
    readonly namespace: string;
    readonly name: string;
    readonly values?: Values;
    readonly owners?: AttributeLocks;
    readonly comments?: string | null;
  },
  { now, user }: WriteStamp,
): VersionedRow & { readonly change: undefined } {
  return {
    id: sent.id ?? allocateId(),
    namespace: sent.namespace,
    name: sent.name,
    comments: sent.comments ?? null,
    state: 'default',
    values: sent.values ?? {},
    owners: sent.owners ?? {},
    lastChangeId: 0,
    created: now,
    createdBy: user,
    updated: now,
    updatedBy: null,
    change: undefined,
  };
}

/** A committed row as a direct write leaves it; only what is patched is written. */
export function patchRow<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  row: R,
  patch: RecordPatch,
  { now, user }: WriteStamp,
): R {
  const next = {
    ...(patch.name === undefined || patch.name === row.name ? {} : { name: patch.name }),
    comments: patch.comments === undefined ? row.comments : patch.comments,
    values: { ...row.values, ...patch.values },
    owners: patch.owners ?? row.owners,
    updated: now,
    updatedBy: user,
  };
  of.rows.update(of.database, row.id, next as unknown as Partial<Committed<R>>);
  return { ...row, ...next };
}

/** Adds a row as a change of an open release; returns it as it now reads. */
export function addChange<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  by: ChangedBy,
  row: Own<R> & Pick<R, 'id' | 'namespace' | 'name' | 'comments' | 'values' | 'owners'>,
  facts: ChangeFacts = {},
): R {
  of.numbers.namespaceId(row.namespace);
  const { values, owners, comments } = row;
  const change = newChange(of, by, row, { ...facts, action: 'add', values, base: {}, owners, comments });
  of.changes.insert(of.database, change);
  return added(of, change);
}

function newChange<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  { release, author }: ChangedBy,
  row: Own<R> & { readonly id: number; readonly namespace: string; readonly name: string },
  write: ChangeWrite,
): C {
  const change: VersionedChange = {
    id: of.numbers.allocateId(),
    releaseId: release.id,
    open: true,
    action: write.action,
    namespace: row.namespace,
    name: write.name ?? row.name,
    comments: write.comments,
    values: write.values,
    base: write.base,
    owners: write.owners,
    execOrder: write.execOrder ?? 0,
    hint: write.hint ?? null,
    created: author.now,
    createdBy: author.user,
    updated: null,
    updatedBy: null,
  };
  return { ...change, ...of.identityOf(row) } as unknown as C;
}

/** Writes a change on a row, read merged: over its open change, or as a new one. `values` are all values the change shall write. */
export function writeChange<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  by: ChangedBy,
  row: R,
  write: ChangeWrite,
): void {
  const { change } = row;
  if (change === undefined) {
    of.changes.insert(of.database, newChange(of, by, row, write));
    return;
  }
  const { action, values, base, owners, comments, name = row.name } = write;
  const { execOrder = change.execOrder, hint = change.hint } = write;
  const stamped = { updated: by.author.now, updatedBy: by.author.user };
  const next = { action, name, values, base, owners, comments, execOrder, hint, ...stamped };
  of.changes.update(of.database, change.id, next as unknown as Partial<C>);
}

/** Removes an open change. */
export function dropChange<R extends VersionedRow, C extends VersionedChange>(of: Versioned<R, C>, id: number): void {
  of.database.run(`DELETE FROM ${of.changes.name} WHERE id = ?`, id);
}

/** Closes an open change without making it true. */
export function closeChange<R extends VersionedRow, C extends VersionedChange>(of: Versioned<R, C>, id: number): void {
  of.database.run(`UPDATE ${of.changes.name} SET open = 0 WHERE id = ?`, id);
}

/** Changes of a release, oldest first. */
export function changesIn<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  releaseId: number,
  onlyOpen: boolean,
): C[] {
  return of.changes.all(of.database, `release = ? ${onlyOpen ? 'AND open = 1 ' : ''}ORDER BY id`, releaseId);
}

/** Makes an open change true and closes it; a deletion includes what goes with the row. */
export function applyChange<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  change: C,
  author: WriteStamp,
): void {
  const id = of.subjectOf(change);
  closeChange(of, change.id);
  if (change.action === 'delete') {
    of.remove(id);
    return;
  }
  if (change.action === 'add') {
    const born = { now: change.created, user: change.createdBy ?? author.user };
    const row = directRow(of.numbers, { ...change, id, owners: change.owners ?? {} }, born);
    const own = { ...of.ownOf(change), ...of.bornWith(change, author), lastChangeId: change.id };
    insertRow(of, { ...row, ...own } as unknown as R);
    return;
  }
  const row = of.rows.get(of.database, 'id = ?', id) as unknown as VersionedRow | undefined;
  const next = {
    // The name only when it is another one: two indexes hold it, and SQLite writes them again for the same name too.
    ...(row?.name === change.name ? {} : { name: change.name }),
    ...(change.comments === null ? {} : { comments: change.comments }),
    values: { ...row?.values, ...change.values },
    ...(change.owners === null ? {} : { owners: change.owners }),
    updated: author.now,
    updatedBy: change.updatedBy ?? change.createdBy,
    lastChangeId: change.id,
    ...(change.action === 'replace' ? { state: 'default', created: author.now } : {}),
  };
  of.rows.update(of.database, id, next as unknown as Partial<Committed<R>>);
}

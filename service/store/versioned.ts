// Committed rows, and open changes laid over them: for records and relations (service-facts §3.3).
import { type Bindable, type Database, type Table, type TableRow, UnknownRow } from './database';
import type {
  AttributeLocks,
  ChangeAction,
  ChangeFacts,
  NewRow,
  PendingChange,
  RecordPatch,
  Stamps,
  StoredChange,
  StoredRelease,
  StoredRow,
  Values,
  View,
  WriteStamp,
} from './rows';

/** Numbers the store gives out. */
export interface Numbers {
  readonly allocateId: () => number;
  readonly namespaceId: (path: string) => number;
  readonly classId: (className: string) => number;
}

/** Columns that the tables of both have. */
export const ROW_COLUMNS = { namespace: 'TEXT', name: 'TEXT' } as const;

/** Columns of changes. `open` marks a change whose release is open: it is not yet true. */
export const CHANGE_COLUMNS = {
  releaseId: 'INTEGER',
  open: 'FLAG',
  action: 'TEXT',
  namespace: 'TEXT',
  name: 'TEXT',
} as const;

/** A row as its table contains it. */
type Committed<R> = Omit<R, 'change'>;

/** Members that a row of either kind has in its own right, besides those of every versioned row. */
type Own<R> = Omit<R, keyof StoredRow>;

/** Records or relations: their two tables, and in what they differ. */
export interface Versioned<R extends StoredRow, C extends StoredChange> {
  readonly database: Database;
  readonly numbers: Numbers;
  readonly rows: Table<Committed<R>>;
  readonly changes: Table<C>;
  readonly noun: 'record' | 'relation';
  readonly subjectOf: (change: C) => number;
  /** What a change says of its row besides values. */
  readonly identityOf: (row: Own<R> & { readonly id: number }) => Omit<C, keyof StoredChange>;
  readonly ownOf: (change: C) => Own<R>;
  /** Stamps of the last update of a row that a commit makes. */
  readonly bornWith: (change: C, author: WriteStamp) => Pick<Stamps, 'updated' | 'updatedBy'>;
  /** Removes a committed row with everything that goes with it. */
  readonly remove: (id: number) => void;
}

/** The change alone, without the row it is about. */
function changeOf(change: StoredChange): PendingChange {
  const { id, releaseId, action, base, values, execOrder, comments, hint } = change;
  const { created, createdBy, updated, updatedBy } = change;
  return { id, releaseId, action, base, values, execOrder, comments, hint, created, createdBy, updated, updatedBy };
}

/** A row without an open change: the one that was just read, not a copy of it. */
export const committed = <R extends StoredRow>(row: Committed<R>): R =>
  Object.assign(row, { change: undefined }) as unknown as R;

/** A row that is only an add so far: all of it, the stamps too, is the change's. */
function added<R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>, change: C): R {
  const { namespace, name, comments, values, owners, created, createdBy, updated, updatedBy } = change;
  const row: StoredRow = {
    id: of.subjectOf(change),
    namespace,
    name,
    comments,
    state: null,
    values,
    owners: owners ?? {},
    lastChangeId: 0,
    created,
    createdBy,
    updated: updated ?? created,
    updatedBy,
    change: changeOf(change),
  };
  return { ...row, ...of.ownOf(change) } as unknown as R;
}

function overlaid<R extends StoredRow, C extends StoredChange>(row: Committed<R>, change: C): R {
  const below = row as unknown as StoredRow;
  const over = {
    name: change.name,
    comments: change.comments ?? below.comments,
    values: { ...below.values, ...change.values },
    owners: change.owners ?? below.owners,
    change: changeOf(change),
  };
  return { ...row, ...over } as unknown as R;
}

/** Committed rows with their open changes laid over them, adds included, by id. */
function merged<R extends StoredRow, C extends StoredChange>(
  of: Versioned<R, C>,
  rows: readonly Committed<R>[],
  changes: readonly C[],
): R[] {
  const open = new Map(changes.map((change) => [of.subjectOf(change), change]));
  const present = rows.map((row) => {
    const change = open.get((row as unknown as StoredRow).id);
    return change === undefined ? committed<R>(row) : overlaid<R, C>(row, change);
  });
  const adds = changes.filter((change) => change.action === 'add').map((change) => added(of, change));
  return [...present, ...adds].sort((one, other) => one.id - other.id);
}

/** Whether a row has an open change, read with the row: one statement is enough for most. */
export const hasOpenChange = <R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>): string =>
  `EXISTS (SELECT 1 FROM ${of.changes.name} WHERE ${of.noun}Id = ${of.rows.name}.id AND open = 1)`;

export function readById<R extends StoredRow, C extends StoredChange>(
  of: Versioned<R, C>,
  id: number,
  view: View,
): R | undefined {
  const { database, rows, changes } = of;
  if (view === 'committed') {
    const found = rows.get(database, 'id = ?', id);
    return found === undefined ? undefined : committed<R>(found);
  }
  const row = database.get<TableRow>(
    `SELECT ${rows.columns}, ${hasOpenChange(of)} AS touched FROM ${rows.name} WHERE id = ?`,
    id,
  );
  if (row?.['touched'] === 0) return committed<R>(rows.read(row));
  const change = changes.get(database, `${of.noun}Id = ? AND open = 1`, id);
  if (change === undefined) return undefined;
  if (row !== undefined) return overlaid<R, C>(rows.read(row), change);
  return change.action === 'add' ? added(of, change) : undefined;
}

/** A row as it now reads. Throws UnknownRow. */
export function present<R extends StoredRow, C extends StoredChange>(
  of: Versioned<R, C>,
  id: number,
  view: View = 'merged',
): R {
  const row = readById(of, id, view);
  if (row === undefined) throw new UnknownRow(of.noun, id);
  return row;
}

/** Rows that fit a condition, by id. */
export function listRows<R extends StoredRow, C extends StoredChange>(
  of: Versioned<R, C>,
  condition: string,
  parameters: readonly Bindable[],
  view: View,
): R[] {
  const { database, rows, changes } = of;
  if (view === 'committed')
    return rows.all(database, `${condition} ORDER BY id`, ...parameters).map((row) => committed<R>(row));
  const found = database.all<TableRow>(
    `SELECT ${rows.columns}, EXISTS (SELECT 1 FROM ${changes.name} WHERE open = 1 AND ${condition}) AS touched
      FROM ${rows.name} WHERE ${condition} ORDER BY id`,
    ...parameters,
    ...parameters,
  );
  const present = found.map(rows.read);
  if (found[0]?.['touched'] === 0) return present.map((row) => committed<R>(row));
  return merged(of, present, changes.all(database, `open = 1 AND ${condition}`, ...parameters));
}

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
export function insertRow<R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>, row: R): R {
  of.numbers.namespaceId(row.namespace);
  of.rows.insert(of.database, row);
  return row;
}

/** The committed row that a direct write makes. */
export function directRow(
  { allocateId }: Numbers,
  sent: NewRow,
  { now, user }: WriteStamp,
): StoredRow & { readonly change: undefined } {
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
export function patchRow<R extends StoredRow, C extends StoredChange>(
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
export function addChange<R extends StoredRow, C extends StoredChange>(
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

function newChange<R extends StoredRow, C extends StoredChange>(
  of: Versioned<R, C>,
  { release, author }: ChangedBy,
  row: Own<R> & { readonly id: number; readonly namespace: string; readonly name: string },
  write: ChangeWrite,
): C {
  const change: StoredChange = {
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

/** Writes a change over the row's open one, or as a new one. `values`: all that it writes. */
export function writeChange<R extends StoredRow, C extends StoredChange>(
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

export function dropChange<R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>, id: number): void {
  of.database.run(`DELETE FROM ${of.changes.name} WHERE id = ?`, id);
}

/** Closes an open change without making it true. */
export function closeChange<R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>, id: number): void {
  of.database.run(`UPDATE ${of.changes.name} SET open = 0 WHERE id = ?`, id);
}

/** Changes of a release, oldest first. */
export function changesIn<R extends StoredRow, C extends StoredChange>(
  of: Versioned<R, C>,
  releaseId: number,
  onlyOpen: boolean,
): C[] {
  return of.changes.all(of.database, `releaseId = ? ${onlyOpen ? 'AND open = 1 ' : ''}ORDER BY id`, releaseId);
}

/** Makes an open change true and closes it; a deletion includes what goes with the row. */
export function applyChange<R extends StoredRow, C extends StoredChange>(
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
  const row = of.rows.get(of.database, 'id = ?', id) as unknown as StoredRow | undefined;
  const next = {
    // The name only when it is another one: two indexes hold it, and SQLite writes them again for
    // the same name too.
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

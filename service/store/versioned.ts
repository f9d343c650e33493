// What records and relations have in common: committed rows, and the open changes laid over them (service-facts §3.3).
// versioned-writes.ts writes both.
import { type Bindable, type Database, type TableRow } from './database';
import type { WriteStamp, PendingChange, AttributeLocks, Stamps, Values, View } from './rows';
import { flagColumn, json, nullableJson, type Table } from './table';

/** Numbers the store gives out. */
export interface Numbers {
  readonly allocateId: () => number;
  readonly namespaceId: (path: string) => number;
  readonly classId: (className: string) => number;
}

/** A record or relation as it reads. */
export interface VersionedRow extends Stamps {
  readonly id: number;
  readonly namespace: string;
  readonly name: string;
  readonly comments: string | null;
  readonly state: string | null;
  readonly values: Values;
  readonly owners: AttributeLocks;
  readonly lastChangeId: number;
  readonly change: PendingChange | undefined;
}

/** A change of one as its release contains it. Owners null: the change leaves them. */
export interface VersionedChange extends PendingChange {
  readonly open: boolean;
  readonly namespace: string;
  readonly name: string;
  readonly owners: AttributeLocks | null;
}

/** Columns that the tables of both have. */
export const ROW_COLUMNS = {
  id: 'id',
  namespace: 'namespace',
  name: 'name',
  comments: 'comments',
  state: 'state',
  values: json<Values>('attributes'),
  owners: json<AttributeLocks>('owners'),
  created: 'created',
  createdBy: 'created_by',
  updated: 'updated',
  updatedBy: 'updated_by',
  lastChangeId: 'last_change',
} as const;

/** Columns that the tables of both kinds of change have. */
export const CHANGE_COLUMNS = {
  id: 'id',
  releaseId: 'release',
  open: flagColumn('open'),
  action: 'action',
  namespace: 'namespace',
  name: 'name',
  comments: 'comments',
  values: json<Values>('attributes'),
  base: json<PendingChange['base']>('base'),
  owners: nullableJson<AttributeLocks>('owners'),
  execOrder: 'exec_order',
  hint: 'hint',
  created: 'created',
  createdBy: 'created_by',
  updated: 'updated',
  updatedBy: 'updated_by',
} as const;

/** A row as its table contains it. */
export type Committed<R> = Omit<R, 'change'>;

/** Members that a row of either kind has in its own right, besides those of every versioned row. */
export type Own<R> = Omit<R, keyof VersionedRow>;

/** Records or relations: their two tables, and in what they differ. */
export interface Versioned<R extends VersionedRow, C extends VersionedChange> {
  readonly database: Database;
  readonly numbers: Numbers;
  readonly rows: Table<Committed<R>>;
  readonly changes: Table<C>;
  /** Column of the changes that names the row. */
  readonly subject: 'record' | 'relation';
  readonly subjectOf: (change: C) => number;
  /** What a change says of its row besides values. */
  readonly identityOf: (row: Own<R> & { readonly id: number }) => Omit<C, keyof VersionedChange>;
  /** The row's own members by its change. */
  readonly ownOf: (change: C) => Own<R>;
  /** Stamps of the last update of a row that a commit makes. */
  readonly bornWith: (change: C, author: WriteStamp) => Pick<Stamps, 'updated' | 'updatedBy'>;
  /** Removes a committed row with everything that goes with it. */
  readonly remove: (id: number) => void;
}

/** The change alone, without the row it is about. */
function changeOf(change: VersionedChange): PendingChange {
  const { id, releaseId, action, base, values, execOrder, comments, hint } = change;
  const { created, createdBy, updated, updatedBy } = change;
  return { id, releaseId, action, base, values, execOrder, comments, hint, created, createdBy, updated, updatedBy };
}

/** A row without an open change: the one that was just read, not a copy of it. */
export const committed = <R extends VersionedRow>(row: Committed<R>): R =>
  Object.assign(row, { change: undefined }) as unknown as R;

/** A row that is only an add so far: all of it, the stamps too, is the change's. */
export function added<R extends VersionedRow, C extends VersionedChange>(of: Versioned<R, C>, change: C): R {
  const { namespace, name, comments, values, owners, created, createdBy, updated, updatedBy } = change;
  const row: VersionedRow = {
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

/** A committed row with a change laid over it. */
function overlaid<R extends VersionedRow, C extends VersionedChange>(row: Committed<R>, change: C): R {
  const below = row as unknown as VersionedRow;
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
function merged<R extends VersionedRow, C extends VersionedChange>(
  of: Versioned<R, C>,
  rows: readonly Committed<R>[],
  changes: readonly C[],
): R[] {
  const open = new Map(changes.map((change) => [of.subjectOf(change), change]));
  const present = rows.map((row) => {
    const change = open.get((row as unknown as VersionedRow).id);
    return change === undefined ? committed<R>(row) : overlaid<R, C>(row, change);
  });
  const adds = changes.filter((change) => change.action === 'add').map((change) => added(of, change));
  return [...present, ...adds].sort((one, other) => one.id - other.id);
}

/** Whether an open change is on a row, read with the row: most have none, and one statement is enough for them. */
export const hasOpenChange = <R extends VersionedRow, C extends VersionedChange>(of: Versioned<R, C>): string =>
  `EXISTS (SELECT 1 FROM ${of.changes.name} WHERE ${of.subject} = ${of.rows.name}.id AND open = 1)`;

/** One row by its number. */
export function readById<R extends VersionedRow, C extends VersionedChange>(
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
  const change = changes.get(database, `${of.subject} = ? AND open = 1`, id);
  if (change === undefined) return undefined;
  if (row !== undefined) return overlaid<R, C>(rows.read(row), change);
  return change.action === 'add' ? added(of, change) : undefined;
}

/** Rows that fit a condition, by id. */
export function listRows<R extends VersionedRow, C extends VersionedChange>(
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

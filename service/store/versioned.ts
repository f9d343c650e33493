// Committed rows, and open changes laid over them: for records and relations (service-facts §3.3).
import { type Bindable, type Database, type Table, type TableRow, UnknownRow } from './database';
import { onceOf } from './private-file';
import {
  type AttributeLocks,
  type ChangeFacts,
  type NewRow,
  type PendingChange,
  rowOf,
  type RowPatch,
  type Stamps,
  type StoredChange,
  type StoredRelease,
  type StoredRow,
  type Values,
  type View,
  type WriteStamp,
} from './rows';

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

/** Members of a row of either kind that its changes have, too, besides those of every versioned row. */
export type Own<R> = Omit<R, keyof StoredRow | 'opsState'>;

/** Records or relations: their two tables, and in what they differ. */
interface Versions<R extends StoredRow, C extends StoredChange> {
  /** Rows as they are committed: without a change. */
  readonly rows: Table<R>;
  readonly changes: Table<C>;
  readonly noun: 'record' | 'relation';
  readonly subjectOf: (change: C) => number;
  /** What a change says of its row besides values. */
  readonly identityOf: (row: Own<R> & { readonly id: number }) => Omit<C, keyof StoredChange>;
  readonly ownOf: (change: C) => Omit<R, keyof StoredRow>;
  /** Stamps of the last update of a row that a commit makes. */
  readonly bornWith: (change: C, author: WriteStamp) => Pick<Stamps, 'updated' | 'updatedBy'>;
  /** Removes a committed row with everything that goes with it. */
  readonly remove: (id: number) => void;
}

/** The open release that a change belongs to, and who writes it. */
export interface ChangedBy {
  readonly release: StoredRelease;
  readonly author: WriteStamp;
}

/** One write of a change on an existing row. Owners null: unchanged. */
interface ChangeWrite extends ChangeFacts, Pick<PendingChange, 'action' | 'values' | 'base' | 'comments'> {
  readonly owners: AttributeLocks | null;
}

/** The committed row that a direct write makes. */
export function directRow(
  { allocateId }: Pick<Database, 'allocateId'>,
  sent: NewRow,
  { now, user }: WriteStamp,
): StoredRow {
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
  };
}

/** What is found at what runs, by the values of its record. */
export type Find = (values: Values) => { readonly values: Values; readonly opsState?: string };

/** The values of a row with what was found; what differs counts as a write of the author. */
function withFound(values: Values, { now, user }: WriteStamp, find?: Find) {
  const { values: found, ...health } = find?.(values) ?? { values: {} };
  const isNew = Object.entries(found).some(([name, value]) => values[name] !== value);
  return { ...health, values: { ...values, ...found }, ...(isNew ? { updated: now, updatedBy: user } : {}) };
}

export type Versioned<R extends StoredRow, C extends StoredChange> = ReturnType<typeof versioned<R, C>>;

/** Reads of records or relations in both views, and writes of their rows and changes. */
export function versioned<R extends StoredRow, C extends StoredChange>(database: Database, of: Versions<R, C>) {
  const { rows, changes, noun, subjectOf } = of;

  // Whether a row has an open change, read with the row: one statement is enough for most.
  const hasOpenChange = `EXISTS (SELECT 1 FROM ${changes.name} WHERE ${noun}Id = ${rows.name}.id AND open = 1)`;

  const one = `SELECT ${rows.columns}, ${hasOpenChange} AS touched FROM ${rows.name} WHERE id = ?`;
  const merged = onceOf((where: string) => {
    const touched = `EXISTS (SELECT 1 FROM ${changes.name} WHERE open = 1 AND ${where})`;
    return `SELECT ${rows.columns}, ${touched} AS touched FROM ${rows.name} WHERE ${where} ORDER BY id`;
  });

  /** A row that is only an add so far. */
  const added = (change: C): R => ({ ...rowOf(change, subjectOf(change)), ...of.ownOf(change) }) as unknown as R;

  const overlaid = (row: R, change: C): R => ({
    ...row,
    comments: change.comments ?? row.comments,
    values: { ...row.values, ...change.values },
    owners: change.owners ?? row.owners,
    change,
  });

  const byId = (id: number, view: View = 'merged'): R | undefined => {
    if (view === 'committed') return rows.get(database, 'id = ?', id);
    const row = database.get<TableRow>(one, id);
    if (row?.['touched'] === 0) return rows.read(row);
    const change = changes.get(database, `${noun}Id = ? AND open = 1`, id);
    if (change === undefined) return undefined;
    if (change.action === 'delete' && view === 'staying') return undefined;
    if (row !== undefined) return overlaid(rows.read(row), change);
    return change.action === 'add' ? added(change) : undefined;
  };

  /** Several by id; ids without a row are left out. */
  const mapOf = (ids: readonly number[], view: View = 'merged'): ReadonlyMap<number, R> => {
    if (ids.length === 0) return new Map();
    const touched = view === 'committed' ? 0 : hasOpenChange;
    const found = database.all<TableRow>(
      `SELECT ${rows.columns}, ${touched} AS touched FROM ${rows.name} WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    const known = new Map(found.flatMap((row) => (row['touched'] === 0 ? [[Number(row['id']), rows.read(row)]] : [])));
    const others = view === 'committed' ? [] : ids.filter((id) => !known.has(id)).flatMap((id) => byId(id, view) ?? []);
    return new Map([...known, ...others.map((row) => [row.id, row] as const)]);
  };

  const draft = (
    { release, author }: ChangedBy,
    row: Own<R> & { readonly id: number; readonly namespace: string; readonly name: string },
    write: ChangeWrite,
  ): C => {
    return {
      ...write,
      id: database.allocateId(),
      namespace: row.namespace,
      name: row.name,
      execOrder: write.execOrder ?? 0,
      hint: write.hint ?? null,
      releaseId: release.id,
      open: true,
      created: author.now,
      createdBy: author.user,
      updated: null,
      updatedBy: null,
      ...of.identityOf(row),
    } satisfies StoredChange as unknown as C;
  };

  const draftAdd = (by: ChangedBy, sent: NewRow & Own<R>, facts?: ChangeFacts): C => {
    const { id = database.allocateId(), values = {}, owners = {}, comments = null } = sent;
    return draft(by, { ...sent, id }, { ...facts, action: 'add', values, base: {}, owners, comments });
  };

  const keep = (change: C): C => changes.insert(database, change);

  /** Closes open changes without making them true. */
  const close = (closed: readonly Pick<C, 'id'>[]): void => {
    const ids = JSON.stringify(closed.map(({ id }) => id));
    database.run(`UPDATE ${changes.name} SET open = 0 WHERE id IN (SELECT value FROM json_each(?))`, ids);
  };

  return {
    database,
    rows,
    changes,
    remove: of.remove,
    byId,
    mapOf,
    /** The same, in the order asked. */
    byIds: (ids: readonly number[], view?: View): R[] => {
      const known = mapOf(ids, view);
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    /** A row as it now reads. Throws UnknownRow. */
    present: (id: number, view?: View): R => {
      const row = byId(id, view);
      if (row === undefined) throw new UnknownRow(noun, id);
      return row;
    },
    /** Rows that fit a condition, by id: with their open changes laid over them, adds included. */
    list: (condition: string, parameters: readonly Bindable[], view: View): R[] => {
      if (view === 'committed') return rows.all(database, `${condition} ORDER BY id`, ...parameters);
      const found = database.all<TableRow>(merged(condition), ...parameters, ...parameters);
      const committed = found.map(rows.read);
      if (found[0]?.['touched'] === 0) return committed;
      const open = changes.all(database, `open = 1 AND ${condition}`, ...parameters);
      const bySubject = new Map(open.map((change) => [subjectOf(change), change]));
      const present = committed.flatMap((row) => {
        const change = bySubject.get(row.id);
        if (change === undefined) return [row];
        return change.action === 'delete' && view === 'staying' ? [] : [overlaid(row, change)];
      });
      const adds = open.filter((change) => change.action === 'add').map(added);
      return [...present, ...adds].sort((one, other) => one.id - other.id);
    },
    /** Writes a committed row. */
    insert: (row: R): R => rows.insert(database, row),
    /** A committed row as a direct write leaves it; only what is patched is written. */
    patch: (row: R, patch: RowPatch, { now, user }: WriteStamp): R => {
      const next = {
        comments: patch.comments === undefined ? row.comments : patch.comments,
        values: { ...row.values, ...patch.values },
        owners: patch.owners ?? row.owners,
        updated: now,
        updatedBy: user,
      };
      rows.update(database, row.id, next as unknown as Partial<R>);
      return { ...row, ...next };
    },
    /** Adds a row as a change of an open release; returns it as it now reads. */
    add: (by: ChangedBy, row: R): R => added(keep(draftAdd(by, row))),
    /** Changes that `keep` stores. */
    draft,
    draftAdd,
    keep,
    /** Writes a change over the row's open one, or as a new one. `values`: all that it writes. */
    write: (by: ChangedBy, row: R, write: ChangeWrite): void => {
      const stamped = { updated: by.author.now, updatedBy: by.author.user };
      if (row.change === undefined) keep(draft(by, row, write));
      else changes.update(database, row.change.id, { ...write, ...stamped } as unknown as Partial<C>);
    },
    drop: (changeId: number): void => database.run(`DELETE FROM ${changes.name} WHERE id = ?`, changeId),
    close,
    /** Changes of a release, oldest first. */
    changesIn: (releaseId: number, onlyOpen: boolean): C[] =>
      changes.all(database, `releaseId = ? ${onlyOpen ? 'AND open = 1 ' : ''}ORDER BY id`, releaseId),
    /** Makes an open change true, which `close` closes; a deletion includes what goes with the row. */
    apply: (change: C, author: WriteStamp, find?: Find): void => {
      const id = subjectOf(change);
      if (change.action === 'delete') {
        of.remove(id);
        return;
      }
      if (change.action === 'add') {
        const born = { now: change.created, user: change.createdBy ?? author.user };
        const row = directRow(database, { ...change, id, owners: change.owners ?? {} }, born);
        const own = { ...of.ownOf(change), ...of.bornWith(change, author), lastChangeId: change.id };
        rows.insert(database, { ...row, ...own, ...withFound(change.values, author, find) } as unknown as R);
        return;
      }
      const row = rows.get(database, 'id = ?', id);
      const next = {
        ...(change.comments === null ? {} : { comments: change.comments }),
        ...(change.owners === null ? {} : { owners: change.owners }),
        updated: author.now,
        updatedBy: change.updatedBy ?? change.createdBy,
        lastChangeId: change.id,
        ...withFound({ ...row?.values, ...change.values }, author, find),
        ...(change.action === 'replace' ? { state: 'default', created: author.now } : {}),
      };
      rows.update(database, id, next as unknown as Partial<R>);
    },
  };
}

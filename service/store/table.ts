// One map per table: which member of a row is kept in which column. Columns, reading, inserting and updating follow from it.
// Conditions stay SQL, written by the caller.
import { type Bindable, type Database, type TableRow } from './database';
import { UnknownRow } from './rows';

/**
 * A column whose values are not stored as they are. Declarations of shared columns name the type.
 *
 * @public
 */
export interface Column<T> {
  readonly name: string;
  readonly read: (stored: Bindable) => T;
  readonly write: (value: T) => Bindable;
}

type ColumnOf<T> = [T] extends [Bindable] ? string | Column<T> : Column<T>;

/** The column of each member: its name, where the value is stored as it is. */
type Columns<T> = { readonly [K in keyof T]-?: ColumnOf<T[K]> };

/** Values kept as JSON text. */
export function json<T>(name: string): Column<T> {
  return {
    name,
    read: (stored) => (stored === '{}' ? {} : JSON.parse(String(stored))) as T,
    write: (value) => JSON.stringify(value),
  };
}

/** The same, or NULL. */
export function nullableJson<T>(name: string): Column<T | null> {
  const column = json<T>(name);
  return {
    name,
    read: (stored) => (stored === null ? null : column.read(stored)),
    write: (value) => (value === null ? null : column.write(value)),
  };
}

/** Booleans kept as 0 and 1. */
export function flagColumn(name: string): Column<boolean> {
  return { name, read: (stored) => stored === 1, write: (value) => (value ? 1 : 0) };
}

/** A table of rows `T`. */
export interface Table<T> {
  readonly name: string;
  /** All columns, for a SELECT. */
  readonly columns: string;
  /** A row of a SELECT that names all columns, more besides them or not. */
  readonly read: (row: TableRow) => T;
  /** The first row that fits; `sql` follows WHERE. */
  readonly get: (database: Database, sql: string, ...parameters: readonly Bindable[]) => T | undefined;
  /** All rows that fit; `sql` follows WHERE and may end in ORDER BY and LIMIT. */
  readonly all: (database: Database, sql: string, ...parameters: readonly Bindable[]) => T[];
  /** Inserts a row and returns it. */
  readonly insert: (database: Database, row: T) => T;
  /** Writes some members of the row with this id; the others stay. */
  readonly update: (database: Database, id: number, patch: Partial<T>) => void;
}

interface Member extends Column<unknown> {
  readonly member: string;
}

const same = (value: unknown): Bindable => value as Bindable;

function membersOf(columns: { readonly [member: string]: string | Column<unknown> }): Member[] {
  return Object.entries(columns).map(([member, column]) =>
    typeof column === 'string' ? { member, name: column, read: same, write: same } : { ...column, member },
  );
}

/** A table whose rows have a column `id`. */
export function table<T extends object>(name: string, columns: Columns<T>): Table<T> {
  const members = membersOf(columns as unknown as { readonly [member: string]: string | Column<unknown> });
  const all = members.map((each) => each.name).join(', ');
  const select = (sql: string): string => `SELECT ${all} FROM ${name} WHERE ${sql}`;
  const inserting = `INSERT INTO ${name} (${all}) VALUES (${members.map(() => '?').join(', ')})`;
  const read = (row: TableRow): T => {
    const found: { [member: string]: unknown } = {};
    for (const each of members) found[each.member] = each.read(row[each.name] ?? null);
    return found as T;
  };
  return {
    name,
    columns: all,
    read,
    get: (database, sql, ...parameters) => {
      const row = database.get<TableRow>(select(sql), ...parameters);
      return row === undefined ? undefined : read(row);
    },
    all: (database, sql, ...parameters) => database.all<TableRow>(select(sql), ...parameters).map(read),
    insert: (database, row) => {
      const values = row as { readonly [member: string]: unknown };
      database.run(inserting, ...members.map((each) => each.write(values[each.member])));
      return row;
    },
    update: (database, id, patch) => {
      const values = patch as { readonly [member: string]: unknown };
      const written = members.filter(({ member }) => values[member] !== undefined);
      if (written.length === 0) return;
      const assignments = written.map((each) => `${each.name} = ?`).join(', ');
      const bound = written.map((each) => each.write(values[each.member]));
      database.run(`UPDATE ${name} SET ${assignments} WHERE id = ?`, ...bound, id);
    },
  };
}

/** Changes the row with this id and returns it as it then reads. Throws UnknownRow, which calls it `noun`. */
export function updateExisting<T extends object>(
  of: Table<T>,
  { database, noun }: { readonly database: Database; readonly noun: string },
  id: number,
  patch: Partial<NoInfer<T>>,
): T {
  const current = of.get(database, 'id = ?', id);
  if (current === undefined) throw new UnknownRow(noun, id);
  of.update(database, id, patch);
  return { ...current, ...patch };
}

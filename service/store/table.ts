// Tables of documents: each row is one JSON text, besides the members that statements look for, which are columns of the same name.
// Conditions stay SQL, written by the caller.
import { type Bindable, type Database, type TableRow } from './database';

/** Kinds of columns; a FLAG is a boolean, kept as 0 or 1. */
type ColumnType = 'TEXT' | 'INTEGER' | 'FLAG';

/** A write to a row that does not exist: always a mistake of the caller. */
export class UnknownRow extends Error {
  constructor(
    readonly noun: string,
    readonly id: number,
  ) {
    super(`there is no ${noun} with id ${id}`);
    this.name = 'UnknownRow';
  }
}

/** A table of rows `T`. */
export interface Table<T> {
  readonly name: string;
  /** The statements that make the table and its indexes. */
  readonly schema: string;
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
  /** The same; returns the row as it then reads. Throws UnknownRow, which calls the row `noun`. */
  readonly change: (database: Database, noun: string, id: number, patch: Partial<T>) => T;
}

/** `indexes`: the columns of each, as SQL; `UNIQUE` before them and a condition behind them where there is one. */
export function table<T extends { readonly id: number }>(
  name: string,
  members: { readonly [K in Exclude<keyof T, 'id'>]?: ColumnType },
  indexes: readonly string[],
): Table<T> {
  const kept = Object.entries({ id: 'INTEGER', ...members }) as [string, ColumnType][];
  const isColumn = (member: string): boolean => kept.some(([column]) => column === member);
  const columns = [...kept.map(([column]) => column), 'document'];
  const select = (sql: string): string => `SELECT ${columns.join(', ')} FROM ${name} WHERE ${sql}`;
  const inserting = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const bound = (value: unknown): Bindable => (typeof value === 'boolean' ? Number(value) : (value as Bindable));
  const read = (row: TableRow): T => {
    const found = JSON.parse(String(row['document'])) as { [member: string]: unknown };
    for (const [column, type] of kept) found[column] = type === 'FLAG' ? row[column] === 1 : row[column];
    return found as T;
  };
  const update = (database: Database, id: number, patch: Partial<T>): void => {
    const written = Object.entries(patch).filter(([, value]) => value !== undefined);
    if (written.length === 0) return;
    const assigned = written.filter(([member]) => isColumn(member));
    const inDocument = written.filter(([member]) => !isColumn(member));
    const paths = inDocument.map(([member]) => `'$.${member}', json(?)`).join(', ');
    const assignments = [
      ...assigned.map(([member]) => `${member} = ?`),
      ...(paths === '' ? [] : [`document = json_set(document, ${paths})`]),
    ];
    const values = [
      ...assigned.map(([, value]) => bound(value)),
      ...inDocument.map(([, value]) => JSON.stringify(value)),
    ];
    database.run(`UPDATE ${name} SET ${assignments.join(', ')} WHERE id = ?`, ...values, id);
  };
  const get: Table<T>['get'] = (database, sql, ...parameters) => {
    const row = database.get<TableRow>(select(sql), ...parameters);
    return row === undefined ? undefined : read(row);
  };
  return {
    name,
    schema: schemaOf(name, kept, indexes),
    columns: columns.join(', '),
    read,
    get,
    all: (database, sql, ...parameters) => database.all<TableRow>(select(sql), ...parameters).map(read),
    insert: (database, row) => {
      const values: { [member: string]: unknown } = { ...row };
      const inColumns = kept.map(([column]) => bound(values[column]));
      for (const [column] of kept) delete values[column];
      database.run(inserting, ...inColumns, JSON.stringify(values));
      return row;
    },
    update,
    change: (database, noun, id, patch) => {
      const current = get(database, 'id = ?', id);
      if (current === undefined) throw new UnknownRow(noun, id);
      update(database, id, patch);
      return { ...current, ...patch };
    },
  };
}

function schemaOf(name: string, kept: readonly [string, ColumnType][], indexes: readonly string[]): string {
  const columns = kept.slice(1).map(([column, type]) => `${column} ${type === 'FLAG' ? 'INTEGER' : type}`);
  const making = `CREATE TABLE ${name} (${['id INTEGER PRIMARY KEY', ...columns, 'document TEXT NOT NULL'].join(', ')});`;
  const indexing = indexes.map((index, at) => {
    const [, unique = '', on = '', condition = ''] = /^(UNIQUE )?([^()]+?)( WHERE .*)?$/.exec(index) ?? [];
    return `CREATE ${unique}INDEX ${name}_${at} ON ${name} (${on})${condition};`;
  });
  return [making, ...indexing].join('\n');
}

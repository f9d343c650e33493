// The one file that names the SQLite library: opens a database file, runs statements, keeps them prepared.
// It must not know any table.
import Libsql from 'libsql';

/** What may be bound to a statement. Booleans are stored as 0 and 1 by the caller: the library ends the process on one. */
export type Bindable = string | number | null;

export interface Database {
  get<Row>(sql: string, ...parameters: readonly Bindable[]): Row | undefined;
  all<Row>(sql: string, ...parameters: readonly Bindable[]): Row[];
  run(sql: string, ...parameters: readonly Bindable[]): void;
  /** Several statements at once, without parameters. */
  script(sql: string): void;
  close(): void;
}

/**
 * Opens `file` (`:memory:` for none): write-ahead log, every commit synced to disk before it returns, so that an acknowledged write
 * survives a power loss. Throws when the file is no database or cannot be opened.
 */
export function openDatabase(file: string): Database {
  const connection = new Libsql(file);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  const prepared = new Map<string, Libsql.Statement<Bindable[]>>();
  const statement = (sql: string): Libsql.Statement<Bindable[]> => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const fresh = connection.prepare<Bindable[]>(sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  return {
    get: <Row>(sql: string, ...parameters: readonly Bindable[]) => statement(sql).get(...parameters) as Row | undefined,
    all: <Row>(sql: string, ...parameters: readonly Bindable[]) => statement(sql).all(...parameters) as Row[],
    run: (sql, ...parameters) => {
      statement(sql).run(...parameters);
    },
    script: (sql) => {
      connection.exec(sql);
    },
    close: () => {
      prepared.clear();
      connection.close();
    },
  };
}

// The one file that names the SQLite library: opens a database file, runs statements and keeps them prepared.
// Tables are described elsewhere, with table.ts.
import { rmSync } from 'node:fs';
import Libsql from 'libsql';
import { createPrivate } from './private-file';
import { type Bindable, checkBindable, listing, rowOf } from './statements';
import { DamagedDatabase, StorageFull } from './storage-errors';
import { NO_SEAL, type TextSeal } from './text-seal';
import { transactionsOf } from './transactions';

export interface Database {
  get<Row>(sql: string, ...parameters: readonly Bindable[]): Row | undefined;
  /** All rows of a SELECT without its own limit, whose columns have their own names. */
  all<Row>(sql: string, ...parameters: readonly Bindable[]): Row[];
  /** The first rows of a SELECT, at most `limit`. */
  first<Row>(limit: number, sql: string, ...parameters: readonly Bindable[]): Row[];
  run(sql: string, ...parameters: readonly Bindable[]): void;
  /** Several statements at the same time, without parameters. */
  script(sql: string): void;
  /**
   * Runs `work` all or nothing: what it wrote is taken back when it throws, and only that. Its writes are seen immediately, and on the disk when
   * `settle` has returned: until then further work may join the same transaction of SQLite. One that only reads costs nothing.
   */
  join<T>(work: () => T): T;
  /** Whether anything waits for `settle`. */
  isPending(): boolean;
  /** Commits all that joined; `last` runs before that. When it throws, nothing of them is left. */
  settle(last: () => void): void;
  /** Inside of a transaction: runs `work` and takes back all it wrote, whether it returns or throws. */
  attempt<T>(work: () => T): T;
  /** Closes the file; what still waits for `settle` is taken back. */
  close(): void;
}

/** A statement with the names of what it answers. Parameters go in as one list: one null by itself would be taken for named ones. */
interface Prepared {
  readonly statement: Libsql.Statement<[readonly Bindable[]]>;
  readonly columns: readonly string[];
  /** The same with all rows in one JSON text; prepared when it is first asked for. */
  listed?: Libsql.Statement<[readonly Bindable[]]>;
}

/** Failures of the disk and of the file as errors that say so. */
function named(error: unknown): unknown {
  if (!(error instanceof Libsql.SqliteError)) return error;
  if (error.code === 'SQLITE_FULL') return new StorageFull(error);
  return error.code.startsWith('SQLITE_CORRUPT') ? new DamagedDatabase(error.message, error) : error;
}

/** Runs a statement; throws StorageFull and DamagedDatabase where the library has its own errors. */
function naming<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw named(error);
  }
}

/**
 * Looks into a file by statements that answer one row, and changes nothing. On a separate connection, since SQLite's check of a file keeps its
 * connection from ever checkpointing. Throws DamagedDatabase, and the library's error for a file that is no database.
 */
export function inspect(file: string, look: (read: (sql: string) => unknown) => void): void {
  const connection = new Libsql(file, { readonly: true });
  try {
    naming(() => look((sql) => connection.prepare(sql).get()));
  } finally {
    connection.close();
  }
}

function connect(file: string): Libsql.Database {
  if (file !== ':memory:') createPrivate(file);
  const connection = new Libsql(file);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  // 8 MiB instead of two: enough for the inner pages of every index at a hundred thousand records.
  connection.exec('PRAGMA cache_size = -8192');
  return connection;
}

/** A connection with its statements; each SQL text is prepared once. */
interface Connected {
  readonly connection: Libsql.Database;
  readonly seal: TextSeal;
  readonly prepared: Map<string, Prepared>;
}

function prepare({ connection, prepared }: Connected, sql: string): Prepared {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const statement = connection.prepare<[readonly Bindable[]]>(sql);
  const columns = statement.reader ? statement.raw().columns() : [];
  const fresh: Prepared = { statement, columns: columns.map(({ name }) => name) };
  prepared.set(sql, fresh);
  return fresh;
}

function getRow<Row>(connected: Connected, sql: string, parameters: readonly Bindable[]): Row | undefined {
  checkBindable(parameters);
  const { statement, columns } = prepare(connected, sql);
  const values = naming(() => statement.get(parameters) as readonly Bindable[] | undefined);
  return values === undefined ? undefined : (rowOf(columns, values, connected.seal.open) as Row);
}

function listRows<Row>(connected: Connected, sql: string, parameters: readonly Bindable[], limit: number): Row[] {
  checkBindable(parameters);
  const known = prepare(connected, sql);
  known.listed ??= connected.connection.prepare<[readonly Bindable[]]>(listing(sql, known.columns)).raw();
  const { listed } = known;
  const [text] = naming(() => listed.get([...parameters, limit]) as readonly [string]);
  const rows = JSON.parse(text) as (readonly Bindable[])[];
  return rows.map((values) => rowOf(known.columns, values, connected.seal.open) as Row);
}

/**
 * Opens `file` (`:memory:` for none): write-ahead log, every commit synced to disk before it returns, so that an acknowledged write
 * survives a power loss. Texts are kept as `seal` closes them. Throws when the file is no database or cannot be opened.
 */
export function openDatabase(file: string, seal: TextSeal = NO_SEAL): Database {
  const connection = connect(file);
  const connected: Connected = { connection, seal, prepared: new Map() };
  const transactions = transactionsOf(connection);
  return {
    get: (sql, ...parameters) => getRow(connected, sql, parameters),
    all: (sql, ...parameters) => listRows(connected, sql, parameters, -1),
    first: (limit, sql, ...parameters) => listRows(connected, sql, parameters, limit),
    run: (sql, ...parameters) => {
      checkBindable(parameters);
      const { statement } = prepare(connected, sql);
      transactions.begin();
      const sealed = parameters.map((each) => (typeof each === 'string' ? seal.close(each) : each));
      naming(() => statement.run(sealed));
    },
    script: (sql) => void connection.exec(sql),
    join: (work) => transactions.join(work),
    isPending: () => transactions.isPending(),
    settle: (last) => {
      if (!transactions.isPending()) return;
      transactions.settle(() => {
        last();
        naming(() => connection.exec('COMMIT'));
      });
    },
    attempt: (work) => {
      transactions.begin();
      connection.exec('SAVEPOINT attempt');
      try {
        return work();
      } finally {
        connection.exec('ROLLBACK TO attempt; RELEASE attempt');
      }
    },
    close: () => {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      // The library closes the file only when it has forgotten all statements: until then this keeps the database in one file.
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      connected.prepared.clear();
      connection.close();
    },
  };
}

/** The database file is in use: two services would give the same numbers twice. */
export class DatabaseInUse extends Error {
  constructor(readonly file: string) {
    super(`another process serves ${file}: stop it first, or give this one another file`);
    this.name = 'DatabaseInUse';
  }
}

/**
 * Takes a database file for this process alone, for as long as it lives; the lock is on a file next to it and ends with the process, however
 * that ends. Returns what gives it back. Throws DatabaseInUse.
 */
export function reserve(file: string): () => void {
  if (file === ':memory:') return () => undefined;
  const beside = `${file}-lock`;
  createPrivate(beside);
  const lock = new Libsql(beside);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Libsql.SqliteError && error.code === 'SQLITE_BUSY') throw new DatabaseInUse(file);
    throw error;
  }
  return () => {
    // Removed while it is still held: who comes now makes a new one.
    rmSync(beside, { force: true });
    lock.close();
  };
}

// The one file that names the SQLite library: opens a database file, runs statements, keeps them prepared, knows what was written.
// It must not know any table.
import { rmSync } from 'node:fs';
import Libsql from 'libsql';
import { createPrivate } from './private-file';
import { type Bindable, checkBindable, listing, rowOf, WRITTEN_TABLE } from './statements';

import { DamagedDatabase, StorageFull } from './storage-errors';
import { NO_SEAL, type TextSeal } from './text-seal';
import { countWrite, newlyCounted, type Counted, type Writes } from './writes';

export interface Database {
  get<Row>(sql: string, ...parameters: readonly Bindable[]): Row | undefined;
  /** All rows of a SELECT, whose columns have names of their own. */
  all<Row>(sql: string, ...parameters: readonly Bindable[]): Row[];
  run(sql: string, ...parameters: readonly Bindable[]): void;
  /** Runs `work`, whose writes all go to what stands in this place: what is remembered of others stays true. */
  within<T>(place: string, work: () => T): T;
  /** Several statements at once, without parameters. */
  script(sql: string): void;
  /**
   * Runs `work` all or nothing: what it wrote is taken back when it throws, and only that. Its writes are seen at once, and on the disk when
   * `settle` has returned: until then further work may join the same transaction of SQLite. One that only reads costs nothing.
   */
  join<T>(work: () => T): T;
  /** Whether anything waits for `settle`. */
  isPending(): boolean;
  /** Commits all that joined; `last` runs before that. When it throws, nothing of them is left. */
  settle(last: () => void): void;
  /** Inside of a transaction: runs `work` and takes back all it wrote, whether it returns or throws. */
  attempt<T>(work: () => T): T;
  writes(table: string): Writes;
  /** Writes to any table, those that were taken back included. */
  readonly written: Pick<Writes, 'count'>;
  /** Closes the file; what still waits for `settle` is taken back. */
  close(): void;
}

/** A statement with the names of what it answers and the table it writes. */
interface Prepared {
  /** Parameters go in as one list: one null by itself would be taken for named ones. */
  readonly statement: Libsql.Statement<[readonly Bindable[]]>;
  readonly columns: readonly string[];
  readonly written: Counted | undefined;
  /** The same with all rows in one JSON text; prepared when it is first asked for. */
  listed?: Libsql.Statement<[readonly Bindable[]]>;
}

/** How far the transaction of SQLite is, and the work that joins it. */
interface Progress {
  isWorking: boolean;
  isBegun: boolean;
  /** The work under way found the transaction begun by others: its own part is held apart from its first write on. */
  isGuest: boolean;
  isHeldApart: boolean;
  /** What made SQLite give up all of the transaction in the middle of it: a full disk. Everybody who joined fails. */
  lost: Error | undefined;
  place: string | undefined;
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
 * Looks into a file by statements that answer one row, and changes nothing. On a connection of its own, since SQLite's check of a file keeps its
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

/**
 * Opens `file` (`:memory:` for none): write-ahead log, every commit synced to disk before it returns, so that an acknowledged write
 * survives a power loss. Texts are kept as `seal` closes them. Throws when the file is no database or cannot be opened.
 */
export function openDatabase(file: string, seal: TextSeal = NO_SEAL): Database {
  if (file !== ':memory:') createPrivate(file);
  const connection = new Libsql(file);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  // 8 MiB instead of two: enough for the inner pages of every index at a hundred thousand records.
  connection.exec('PRAGMA cache_size = -8192');
  const prepared = new Map<string, Prepared>();
  const tables = new Map<string, Counted>();
  const written = { count: 0 };
  const state: Progress = {
    isWorking: false,
    isBegun: false,
    isGuest: false,
    isHeldApart: false,
    lost: undefined,
    place: undefined,
  };

  const writes = (table: string): Counted => {
    const known = tables.get(table);
    if (known !== undefined) return known;
    const fresh = newlyCounted();
    tables.set(table, fresh);
    return fresh;
  };
  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare<[readonly Bindable[]]>(sql);
    const table = WRITTEN_TABLE.exec(sql)?.[1];
    const columns = statement.reader ? statement.raw().columns() : [];
    const fresh: Prepared = {
      statement,
      columns: columns.map(({ name }) => name),
      written: table === undefined ? undefined : writes(table),
    };
    prepared.set(sql, fresh);
    return fresh;
  };
  const countAll = (): void => {
    for (const table of tables.values()) countWrite(table, undefined);
    written.count += 1;
  };
  const script = (sql: string): void => {
    connection.exec(sql);
    countAll();
  };
  /** Before the first write of a work: the first of all begins the transaction, and one alone needs nothing more. */
  const begin = (): void => {
    if (!state.isWorking) return;
    if (!state.isBegun) {
      connection.exec('BEGIN IMMEDIATE');
      state.isBegun = true;
    } else if (state.isGuest && !state.isHeldApart) {
      connection.exec('SAVEPOINT guest');
      state.isHeldApart = true;
    }
  };
  /** Takes back what the work under way wrote. */
  const takeBack = (error: unknown): void => {
    if (!state.isBegun) return;
    if (!connection.inTransaction) {
      state.lost = error instanceof Error ? error : new Error(String(error));
      countAll();
    } else if (state.isHeldApart) {
      script('ROLLBACK TO guest; RELEASE guest');
    } else if (!state.isGuest) {
      script('ROLLBACK');
      state.isBegun = false;
    }
  };

  return {
    get: <Row>(sql: string, ...parameters: readonly Bindable[]) => {
      checkBindable(parameters);
      const { statement, columns } = prepare(sql);
      const values = naming(() => statement.get(parameters) as readonly Bindable[] | undefined);
      return values === undefined ? undefined : (rowOf(columns, values, seal.open) as Row);
    },
    all: <Row>(sql: string, ...parameters: readonly Bindable[]) => {
      checkBindable(parameters);
      const known = prepare(sql);
      known.listed ??= connection.prepare<[readonly Bindable[]]>(listing(sql, known.columns)).raw();
      const { listed } = known;
      const [text] = naming(() => listed.get(parameters) as readonly [string]);
      const rows = JSON.parse(text) as (readonly Bindable[])[];
      return rows.map((values) => rowOf(known.columns, values, seal.open) as Row);
    },
    run: (sql, ...parameters) => {
      checkBindable(parameters);
      const known = prepare(sql);
      begin();
      const kept = parameters.map((each) => (typeof each === 'string' ? seal.close(each) : each));
      naming(() => known.statement.run(kept));
      written.count += 1;
      if (known.written !== undefined) countWrite(known.written, state.place);
    },
    within: (place, work) => {
      const around = state.place;
      state.place = place;
      try {
        return work();
      } finally {
        state.place = around;
      }
    },
    script,
    join: (work) => {
      if (state.isWorking) throw new Error('a transaction is under way');
      if (state.lost !== undefined) throw state.lost;
      state.isWorking = true;
      state.isGuest = state.isBegun;
      state.isHeldApart = false;
      try {
        const result = work();
        if (state.isHeldApart) connection.exec('RELEASE guest');
        return result;
      } catch (error) {
        takeBack(error);
        throw error;
      } finally {
        state.isWorking = false;
      }
    },
    isPending: () => state.isBegun,
    settle: (last) => {
      if (!state.isBegun) return;
      const { lost } = state;
      state.lost = undefined;
      try {
        if (lost !== undefined) throw lost;
        last();
        naming(() => connection.exec('COMMIT'));
      } catch (error) {
        if (connection.inTransaction) connection.exec('ROLLBACK');
        countAll();
        throw error;
      } finally {
        state.isBegun = false;
      }
    },
    attempt: (work) => {
      begin();
      connection.exec('SAVEPOINT attempt');
      try {
        return work();
      } finally {
        script('ROLLBACK TO attempt; RELEASE attempt');
      }
    },
    writes,
    written,
    close: () => {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      // The library closes the file only when it has forgotten all statements: until then this keeps the database in one file.
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      prepared.clear();
      connection.close();
    },
  };
}

/** The database file is in use: two services would give the same numbers twice. */
export class DatabaseInUse extends Error {
  constructor(readonly file: string) {
    super(`another process serves ${file}: stop it first, or give this one a file of its own`);
    this.name = 'DatabaseInUse';
  }
}

/**
 * Takes a database file for this process alone, for as long as it lives; the lock is on a file beside it and ends with the process, however
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

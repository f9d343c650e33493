// The one file that names the SQLite library: opens a database file, runs statements, keeps them prepared, knows what was written.
// It must not know any table.
import { rmSync } from 'node:fs';
import Libsql from 'libsql';

/** What may be bound to a statement. Booleans are stored as 0 and 1 by the caller: the library ends the process on one. */
export type Bindable = string | number | null;

/** How often a table was written since the database was opened; the object stays the same, its count grows. */
export interface Writes {
  readonly count: number;
  /** Another number after every write that may have gone to a place: to it, or to nobody knows where. */
  in(place: string): number;
}

/** Places whose last writes are told apart; with more, all of them count as written. */
const PLACES = 10_000;

/** A table's writes as they are counted: the number of the last one anywhere, and of the last one in each place. */
interface Counted extends Writes {
  count: number;
  anywhere: number;
  readonly placed: Map<string, number>;
}

function countWrite(table: Counted, place: string | undefined): void {
  table.count += 1;
  if (place !== undefined && table.placed.size < PLACES) {
    table.placed.set(place, table.count);
    return;
  }
  table.anywhere = table.count;
  table.placed.clear();
}

function newlyCounted(): Counted {
  const placed = new Map<string, number>();
  const table: Counted = { count: 0, anywhere: 0, placed, in: (place) => placed.get(place) ?? table.anywhere };
  return table;
}

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
   * Runs `work` in one transaction, which takes its lock at the first write: one that only reads costs nothing. `last` runs before the commit.
   * A throw of either rolls back and passes on.
   */
  transaction<T>(work: () => T, last: () => void): T;
  /** Inside of a transaction: runs `work` and takes back all it wrote, whether it returns or throws. */
  attempt<T>(work: () => T): T;
  writes(table: string): Writes;
  /** Writes to any table, those that were taken back included. */
  readonly written: Pick<Writes, 'count'>;
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

/** Whether a statement limits its rows itself, not only one inside of it. */
function isLimited(sql: string): boolean {
  const outer = sql.replace(/\([^()]*\)/g, ' ');
  return outer === sql ? /\bLIMIT\b/.test(sql) : isLimited(outer);
}

/**
 * All rows of a SELECT as one JSON text, in their order, which a limit obliges SQLite to keep. One text is faster than a row at a time, and the
 * library's iterators live on until the garbage collector finds them.
 */
function listing(sql: string, columns: readonly string[]): string {
  const values = columns.map((name) => `"${name}"`).join(', ');
  return `SELECT json_group_array(json_array(${values})) FROM (${sql}${isLimited(sql) ? '' : ' LIMIT -1'})`;
}

/** A row by its columns' names: made here, since the library takes twice as long to make one. */
function rowOf(columns: readonly string[], values: readonly Bindable[]): { readonly [column: string]: Bindable } {
  const row: { [column: string]: Bindable } = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index] ?? null;
  return row;
}

/** Throws for what may not be bound: the library would end the process, or bind null. Types alone do not keep out what came over the wire. */
function checkBindable(parameters: readonly unknown[]): void {
  for (const each of parameters) {
    if (typeof each === 'string' || each === null || (typeof each === 'number' && !Number.isNaN(each))) continue;
    throw new TypeError(`${typeof each === 'number' ? 'NaN' : typeof each} cannot be bound to a statement`);
  }
}

const WRITTEN_TABLE = /^\s*(?:INSERT(?: OR [A-Z]+)? INTO|UPDATE|DELETE FROM)\s+(\w+)/;

/** Is the transaction of `Database.transaction` wanted, and has it begun? */
type Transaction = 'none' | 'wanted' | 'begun';

/**
 * Opens `file` (`:memory:` for none): write-ahead log, every commit synced to disk before it returns, so that an acknowledged write
 * survives a power loss. Throws when the file is no database or cannot be opened.
 */
export function openDatabase(file: string): Database {
  const connection = new Libsql(file);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  // 8 MiB instead of two: enough for the inner pages of every index at a hundred thousand records.
  connection.exec('PRAGMA cache_size = -8192');
  const prepared = new Map<string, Prepared>();
  const tables = new Map<string, Counted>();
  const written = { count: 0 };
  const state: { transaction: Transaction; place: string | undefined } = { transaction: 'none', place: undefined };

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
  const script = (sql: string): void => {
    connection.exec(sql);
    for (const table of tables.values()) countWrite(table, undefined);
    written.count += 1;
  };
  const begin = (): void => {
    if (state.transaction !== 'wanted') return;
    connection.exec('BEGIN IMMEDIATE');
    state.transaction = 'begun';
  };
  const isBegun = (): boolean => state.transaction === 'begun';

  return {
    get: <Row>(sql: string, ...parameters: readonly Bindable[]) => {
      checkBindable(parameters);
      const { statement, columns } = prepare(sql);
      const values = statement.get(parameters) as readonly Bindable[] | undefined;
      return values === undefined ? undefined : (rowOf(columns, values) as Row);
    },
    all: <Row>(sql: string, ...parameters: readonly Bindable[]) => {
      checkBindable(parameters);
      const known = prepare(sql);
      known.listed ??= connection.prepare<[readonly Bindable[]]>(listing(sql, known.columns)).raw();
      const [text] = known.listed.get(parameters) as readonly [string];
      return (JSON.parse(text) as (readonly Bindable[])[]).map((values) => rowOf(known.columns, values) as Row);
    },
    run: (sql, ...parameters) => {
      checkBindable(parameters);
      const known = prepare(sql);
      begin();
      known.statement.run(parameters);
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
    transaction: (work, last) => {
      if (state.transaction !== 'none') throw new Error('a transaction is under way');
      state.transaction = 'wanted';
      try {
        const result = work();
        last();
        if (isBegun()) connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (isBegun()) script('ROLLBACK');
        throw error;
      } finally {
        state.transaction = 'none';
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

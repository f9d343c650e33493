// The one file that names SQLite: opens a database file, runs statements, keeps them prepared, and
// joins works in one transaction.
import { rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  createPrivate,
  DamagedDatabase,
  NO_SEAL,
  onceOf,
  StorageFull,
  StoreError,
  type TextSeal,
} from './private-file';

/** What may be bound to a statement. Booleans are stored as 0 and 1 by the caller. */
export type Bindable = string | number | null;

export type TableRow = { readonly [column: string]: Bindable };

/** A condition in SQL, and what is bound to it; one with an undefined parameter is not asked. */
type Condition<P> = readonly [sql: string, ...parameters: P[]];

/** One condition of all those that are asked; `''` where none is. */
export function allOf(...conditions: readonly Condition<Bindable | undefined>[]): Condition<Bindable> {
  const asked = conditions.filter((each): each is Condition<Bindable> => !each.includes(undefined));
  return [asked.map(([sql]) => sql).join(' AND '), ...asked.flatMap(([, ...parameters]) => parameters)];
}

/** Node 24 copies the contents of a database in memory. */
type Connection = DatabaseSync & { serialize?(): Uint8Array; deserialize?(contents: Uint8Array): void };

/** Node's SQLite, without the warning of Node 22 that it is experimental. */
function connectionTo(file: string, options: { readonly readOnly?: boolean } = {}): Connection {
  if (!isBuiltin('node:sqlite'))
    throw new Error(`Node ${process.versions.node} has no SQLite: install Node 22.13 or later`);
  const emit: unknown = Reflect.get(process, 'emitWarning');
  Reflect.set(process, 'emitWarning', () => undefined);
  try {
    return new (process.getBuiltinModule('node:sqlite').DatabaseSync)(file, options);
  } finally {
    Reflect.set(process, 'emitWarning', emit);
  }
}

/** Result codes of SQLite; an extended code has one of them in its last byte. */
const CODES = { busy: 5, corrupt: 11, full: 13 } as const;

const isCode = (error: unknown, code: keyof typeof CODES): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === CODES[code];

/** Runs a statement. Throws StorageFull and DamagedDatabase where SQLite has its own errors. */
function naming<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isCode(error, 'full')) throw new StorageFull(error);
    if (isCode(error, 'corrupt')) throw new DamagedDatabase((error as Error).message, error);
    throw error;
  }
}

/**
 * Looks into a file by statements that answer one row, and changes nothing. On a separate
 * connection, since SQLite's check of a file keeps its connection from ever checkpointing. Throws
 * DamagedDatabase, and SQLite's error for a file that is no database.
 */
export function inspect(file: string, look: (read: (sql: string) => unknown) => void): void {
  const connection = connectionTo(file, { readOnly: true });
  try {
    naming(() => look((sql) => connection.prepare(sql).get()));
  } finally {
    connection.close();
  }
}

function connect(file: string, contents?: Uint8Array): Connection {
  if (file !== ':memory:') createPrivate(file);
  const connection = connectionTo(file);
  if (contents !== undefined) connection.deserialize?.(contents);
  connection.exec('PRAGMA busy_timeout = 5000');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  // 8 MiB instead of two: enough for the inner pages of every index at a hundred thousand records.
  connection.exec('PRAGMA cache_size = -8192');
  return connection;
}

/** Throws for what SQLite would take otherwise, such as NaN for NULL. */
function checkBindable(parameters: readonly unknown[]): void {
  for (const each of parameters) {
    if (typeof each === 'string' || each === null || (typeof each === 'number' && !Number.isNaN(each))) continue;
    throw new TypeError(`${typeof each === 'number' ? 'NaN' : typeof each} cannot be bound to a statement`);
  }
}

/** A row as it was before its texts were closed. */
function openedRow(row: { [column: string]: unknown }, columns: readonly string[], seal: TextSeal): object {
  for (const column of columns) {
    const value = row[column];
    if (typeof value === 'string') row[column] = seal.open(value);
  }
  return row;
}

/**
 * Group commit: works join one transaction of SQLite, each all or nothing by itself, and one commit
 * puts all of them on the disk. A commit waits for the disk, so writes that arrive together share
 * one; who was answered before `settle` returned was answered too early.
 */
function transactionsOf(connection: DatabaseSync) {
  const state = { isWorking: false, isBegun: false, isFirst: false, isNested: false };
  // A full disk makes SQLite give up the complete transaction in the middle of one work: all works
  // that joined it fail.
  let lost: Error | undefined;
  const takeBack = (error: unknown): void => {
    if (!state.isBegun) return;
    if (state.isFirst) {
      rollBack(connection);
      state.isBegun = false;
    } else if (state.isNested) {
      try {
        connection.exec('ROLLBACK TO nested; RELEASE nested');
      } catch {
        lost = error instanceof Error ? error : new Error(String(error));
      }
    }
  };
  return {
    /** To be called before each write: the first write of a work begins what `join` ends. */
    begin: (): void => {
      if (!state.isWorking) return;
      if (!state.isBegun) connection.exec('BEGIN IMMEDIATE');
      else if (!state.isFirst && !state.isNested) connection.exec('SAVEPOINT nested');
      state.isNested = !state.isFirst;
      state.isBegun = true;
    },
    join: <T>(work: () => T): T => {
      if (state.isWorking) throw new Error('a transaction is under way');
      if (lost !== undefined) throw lost;
      Object.assign(state, { isWorking: true, isFirst: !state.isBegun, isNested: false });
      try {
        const result = work();
        if (state.isNested) connection.exec('RELEASE nested');
        return result;
      } catch (error) {
        takeBack(error);
        throw error;
      } finally {
        state.isWorking = false;
      }
    },
    isPending: (): boolean => state.isBegun,
    settle: (commit: () => void): void => {
      const failure = lost;
      lost = undefined;
      try {
        if (failure !== undefined) throw failure;
        commit();
      } catch (error) {
        rollBack(connection);
        throw error;
      } finally {
        state.isBegun = false;
      }
    },
  };
}

/** Takes back what was not committed; SQLite may have done so by itself. */
function rollBack(connection: DatabaseSync): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // No transaction is active.
  }
}

/** The sequence that ids come from, in memory; each commit writes how far it is. */
function sequenceOf(prepare: (sql: string) => StatementSync) {
  let next: number | undefined;
  let written: number | undefined;
  const ahead = (): number => (next ??= Number(prepare('SELECT next FROM sequence').get()?.['next'] ?? 1));
  return {
    /** The id that is given out next. Throws for a file without a sequence. */
    ahead,
    /** An id that nothing else gets. */
    allocateId: (): number => {
      const id = ahead();
      next = id + 1;
      return id;
    },
    /** Runs work, and gives out its ids again when it throws. */
    join: <T>(work: () => T): T => {
      const first = next;
      try {
        return work();
      } catch (error) {
        next = first;
        throw error;
      }
    },
    /** Runs a commit that contains how far the sequence is. */
    settle: (commit: (write: () => void) => void): void => {
      const last = next;
      commit(() => {
        if (last !== undefined && last !== written) prepare('UPDATE sequence SET next = ?').run(last);
      });
      written = last;
    },
  };
}

/** Statements name their parameters by `?` alone: Node 22 binds no numbered ones by position. */
export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens `file` (`:memory:` for none): write-ahead log, every commit synced to disk before it
 * returns, so that an acknowledged write survives a power loss. Texts are kept as `seal` closes
 * them; `contents`: what a database in memory begins with. Throws when the file is no database or
 * cannot be opened.
 */
export function openDatabase(file: string, seal: TextSeal = NO_SEAL, contents?: Uint8Array) {
  const connection = connect(file, contents);
  const transactions = transactionsOf(connection);
  const statementOf = onceOf((sql: string) => connection.prepare(sql));
  const prepare = (sql: string, parameters: readonly Bindable[] = []): StatementSync => {
    checkBindable(parameters);
    return statementOf(sql);
  };
  const sequence = sequenceOf(prepare);
  return {
    get: <Row>(sql: string, ...parameters: readonly Bindable[]): Row | undefined => {
      const statement = prepare(sql, parameters);
      const row = naming(() => statement.get(...parameters));
      return row && (openedRow(row, Object.keys(row), seal) as Row);
    },
    all: <Row>(sql: string, ...parameters: readonly Bindable[]): Row[] => {
      const statement = prepare(sql, parameters);
      const rows = naming(() => statement.all(...parameters));
      // All rows have the same columns: to list them for each would take longer than to read them.
      const columns = Object.keys(rows[0] ?? {});
      return rows.map((row) => openedRow(row, columns, seal) as Row);
    },
    run: (sql: string, ...parameters: readonly Bindable[]): void => {
      const statement = prepare(sql, parameters);
      transactions.begin();
      const sealed = parameters.map((each) => (typeof each === 'string' ? seal.close(each) : each));
      naming(() => statement.run(...sealed));
    },
    /** Several statements at the same time, without parameters. */
    script: (sql: string): void => connection.exec(sql),
    /**
     * Runs `work` all or nothing: what it wrote is taken back when it throws, and only that. Its
     * writes are seen immediately, and on the disk when `settle` has returned: until then further
     * work may join the same transaction of SQLite. One that only reads costs nothing.
     */
    join: <T>(work: () => T): T => sequence.join(() => transactions.join(work)),
    nextId: sequence.ahead,
    allocateId: sequence.allocateId,
    /** Whether anything waits for `settle`. */
    isPending: transactions.isPending,
    /** Commits all that joined. When it throws, nothing of them is left. */
    settle: (): void => {
      if (!transactions.isPending()) return;
      sequence.settle((write) =>
        transactions.settle(() =>
          naming(() => {
            write();
            connection.exec('COMMIT');
          }),
        ),
      );
    },
    /** Inside of a transaction: runs `work`, and takes back all it wrote in any case. */
    attempt: <T>(work: () => T): T => {
      transactions.begin();
      connection.exec('SAVEPOINT attempt');
      try {
        return work();
      } finally {
        connection.exec('ROLLBACK TO attempt; RELEASE attempt');
      }
    },
    /** All of it, as `openDatabase` takes it. */
    contents: (): Uint8Array | undefined => connection.serialize?.(),
    /** Closes the file; what still waits for `settle` is taken back. */
    close: (): void => {
      rollBack(connection);
      connection.close();
    },
  };
}

/** The database file is in use: two services would give the same numbers twice. */
export class DatabaseInUse extends StoreError {
  constructor(file: string) {
    super(`another process serves ${file}: stop it first, or give this one another file`);
  }
}

/**
 * Takes a database file for this process alone, for as long as it lives; the lock is on a file next
 * to it and ends with the process, however that ends. Returns what gives it back. Throws
 * DatabaseInUse.
 */
export function reserve(file: string): () => void {
  if (file === ':memory:') return () => undefined;
  const beside = `${file}-lock`;
  createPrivate(beside);
  const lock = connectionTo(beside);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isCode(error, 'busy') ? new DatabaseInUse(file) : error;
  }
  return () => {
    // Removed while it is still held: who comes now makes a new one.
    rmSync(beside, { force: true });
    lock.close();
  };
}

// Tables of documents: each row is one JSON text, with columns for the members in conditions.

/** Kinds of columns; a FLAG is a boolean, kept as 0 or 1. */
type ColumnType = 'TEXT' | 'INTEGER' | 'FLAG';

/** A write to a row that does not exist: always a mistake of the caller. */
export class UnknownRow extends StoreError {
  constructor(noun: string, id: number) {
    super(`there is no ${noun} with id ${id}`);
  }
}

export type Table<T extends { readonly id: number }> = ReturnType<typeof table<T>>;

/** `indexes`: the columns of each, with `UNIQUE` before them and a condition after them. */
export function table<T extends { readonly id: number }>(
  name: string,
  members: { readonly [K in Exclude<keyof T, 'id'>]?: ColumnType },
  indexes: readonly string[],
) {
  const kept = Object.entries({ id: 'INTEGER', ...members }) as [string, ColumnType][];
  const isColumn = (member: string): boolean => member === 'id' || Object.hasOwn(members, member);
  const columns = [...kept.map(([column]) => column), 'document'];
  // A text that is put together anew is searched for much longer among the statements.
  const select = onceOf((sql: string) => `SELECT ${columns.join(', ')} FROM ${name} WHERE ${sql}`);
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
  const get = (database: Database, sql: string, ...parameters: readonly Bindable[]): T | undefined => {
    const row = database.get<TableRow>(select(sql), ...parameters);
    return row === undefined ? undefined : read(row);
  };
  return {
    name,
    /** The statements that make the table and its indexes. */
    schema: schemaOf(name, kept, indexes),
    columns: columns.join(', '),
    /** A row of a SELECT that names all columns, more besides them or not. */
    read,
    /** The first row that fits; `sql` follows WHERE. */
    get,
    /** All rows that fit; `sql` follows WHERE and may end in ORDER BY and LIMIT. */
    all: (database: Database, sql: string, ...parameters: readonly Bindable[]): T[] =>
      database.all<TableRow>(select(sql), ...parameters).map(read),
    /** Inserts a row, under a new id unless it has one. */
    insert: (database: Database, sent: Omit<T, 'id'> & { readonly id?: number }): T => {
      const row = { ...sent, id: sent.id ?? database.allocateId() };
      const values: { readonly [member: string]: unknown } = row;
      const document: { [member: string]: unknown } = {};
      for (const member in values) if (!isColumn(member)) document[member] = values[member];
      database.run(inserting, ...kept.map(([column]) => bound(values[column])), JSON.stringify(document));
      return row as unknown as T;
    },
    /** Writes some members of the row with this id; the others stay. */
    update,
    /** The same; returns the row as it then reads. Throws UnknownRow, which calls it `noun`. */
    change: (database: Database, noun: string, id: number, patch: Partial<T>): T => {
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

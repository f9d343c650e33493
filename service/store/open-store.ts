// Opens the store: one database file, brought to the present version, with its parts put together.
// It must not know what is kept in it, nor who asks.
import { changesOf } from './changes';
import { openDatabase, type Database } from './database';
import { deploymentsOf } from './deployments';
import { jobsOf } from './jobs';
import { proceduresOf } from './procedures';
import { BELOW, belowParameters, recordsOf, type Numbers } from './records';
import { relationsOf } from './relations';
import { releasesOf } from './releases';
import { migrate } from './schema';
import { type Store } from './store';
import { usersOf } from './users';

interface Transactional extends Numbers {
  /** Writes what is only known here into the database, before a commit. */
  flush(): void;
  /** Forgets what a rolled back transaction gave out. */
  reset(): void;
}

/** The sequence and the numbers of names: kept in memory, written with the transaction that took them. */
function numbersOf(database: Database): Transactional {
  const stored = (): number => database.get<{ readonly next: number }>('SELECT next FROM sequence')?.next ?? 1;
  let next = stored();
  let flushed = next;
  const known = new Map<string, number>();
  const numberOf = (table: 'namespaces' | 'classes', column: 'path' | 'name', text: string): number => {
    const key = `${table} ${text}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const found = database.get<{ readonly id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`, text)?.id;
    const id = found ?? next;
    if (found === undefined) {
      next += 1;
      database.run(`INSERT INTO ${table} (id, ${column}) VALUES (?, ?)`, id, text);
    }
    known.set(key, id);
    return id;
  };
  return {
    allocateId: () => {
      const id = next;
      next += 1;
      return id;
    },
    namespaceId: (path) => numberOf('namespaces', 'path', path),
    classId: (className) => numberOf('classes', 'name', className),
    flush: () => {
      if (next !== flushed) database.run('UPDATE sequence SET next = ?', next);
      flushed = next;
    },
    reset: () => {
      known.clear();
      next = stored();
      flushed = next;
    },
  };
}

function removeNamespace(database: Database, path: string): void {
  const range = belowParameters(path);
  const within = (table: string, column: string): string => `SELECT ${column} FROM ${table} WHERE ${BELOW}`;
  for (const end of ['from_id', 'to_id']) {
    database.run(`DELETE FROM relations WHERE ${end} IN (${within('records', 'id')})`, ...range);
    database.run(`DELETE FROM relation_changes WHERE open = 1 AND ${end} IN (${within('records', 'id')})`, ...range);
  }
  database.run(`DELETE FROM jobs WHERE subject IN (${within('records', 'id')})`, ...range);
  database.run(`DELETE FROM jobs WHERE subject IN (${within('deployments', 'id')})`, ...range);
  database.run(`DELETE FROM jobs WHERE subject IN (${within('procedures', 'id')})`, ...range);
  database.run(`DELETE FROM deployment_records WHERE deployment IN (${within('deployments', 'id')})`, ...range);
  database.run(`DELETE FROM actions WHERE procedure IN (${within('procedures', 'id')})`, ...range);
  // By state of openness, since open and closed changes are indexed apart.
  for (const table of ['record_changes', 'relation_changes']) {
    database.run(`DELETE FROM ${table} WHERE open = 1 AND ${BELOW}`, ...range);
    database.run(`DELETE FROM ${table} WHERE open = 0 AND ${BELOW}`, ...range);
  }
  for (const table of ['records', 'relations', 'releases', 'deployments', 'procedures']) {
    database.run(`DELETE FROM ${table} WHERE ${BELOW}`, ...range);
  }
}

/**
 * Opens the store in `file`, made when it is not there; `:memory:` keeps everything in memory. Throws NewerDatabase, or the library's error
 * when the file is not a database of this service or cannot be opened.
 */
export function openStore(file: string): Store {
  const database = openDatabase(file);
  migrate(database);
  const numbers = numbersOf(database);
  const records = recordsOf(database, numbers);
  const relations = relationsOf(database, numbers);
  return {
    records,
    relations,
    releases: releasesOf(database, numbers, records),
    deployments: deploymentsOf(database, numbers.allocateId),
    procedures: proceduresOf(database, numbers.allocateId),
    users: usersOf(database, numbers.allocateId),
    jobs: jobsOf(database, numbers.allocateId),
    changes: changesOf(database, numbers, records, relations),
    allocateId: numbers.allocateId,
    namespaceId: numbers.namespaceId,
    classId: numbers.classId,
    removeNamespace: (path) => removeNamespace(database, path),
    transaction: (work) => {
      database.script('BEGIN IMMEDIATE');
      try {
        const result = work();
        numbers.flush();
        database.script('COMMIT');
        return result;
      } catch (error) {
        database.script('ROLLBACK');
        numbers.reset();
        throw error;
      }
    },
    close: () => database.close(),
  };
}

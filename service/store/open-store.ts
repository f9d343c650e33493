// Opens the store: one database file, brought to the present version, with its parts put together.
// It must not know what is kept in it, nor who asks.
import { existsSync, statSync } from 'node:fs';
import { approvalsOf } from './approvals';
import { attachmentRunsOf } from './attachment-runs';
import { changeAtOnce } from './at-once';
import { changesOf } from './changes';
import { inspect, openDatabase, reserve, type Database } from './database';
import { deploymentsOf } from './deployments';
import { jobsOf } from './jobs';
import { proceduresOf } from './procedures';
import { BELOW, belowParameters, recordsOf, type Numbers } from './records';
import { relationsOf } from './relations';
import { releasesOf } from './releases';
import { makePrivate, onePathOf } from './private-file';
import { checkIdentity, migrate } from './schema';
import { type Store } from './store';
import { keyBeside, keyFileOf, type TextSeal, textSealOf } from './text-seal';
import { usersOf } from './users';

interface Transactional extends Numbers {
  /** Writes into the database what is only known here, before a commit. */
  flush(): void;
  /** Gives back the numbers that were set aside and not taken, before the end. */
  giveBack(): void;
  /** The number that is given out next. */
  next(): number;
  /** Gives out this number again, and those after it: what had them was taken back. */
  takeBack(first: number): void;
  /** Looks up anew what a transaction wrote that was taken back. */
  reset(): void;
  /** Forgets the numbers of names; ids that were given out stay so. */
  forgetNames(): void;
}

/** Numbers of names kept in memory. */
const NAMES = 20_000;

/** Numbers set aside at one go: a transaction writes the sequence only when it takes the first of a block. After a crash the rest of one is never used. */
const BLOCK = 1000;

/** The sequence and the numbers of names: kept in memory; the database says which were set aside. */
function numbersOf(database: Database): Transactional {
  const stored = (): number => database.get<{ readonly next: number }>('SELECT next FROM sequence')?.next ?? 1;
  let next = stored();
  let aside = next;
  const namespaces = new Map<string, number>();
  const classes = new Map<string, number>();
  const numberOf = (
    known: Map<string, number>,
    table: 'namespaces' | 'classes',
    column: 'path' | 'name',
    text: string,
  ): number => {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const found = database.get<{ readonly id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`, text)?.id;
    const id = found ?? next;
    if (found === undefined) {
      next += 1;
      database.run(`INSERT INTO ${table} (id, ${column}) VALUES (?, ?)`, id, text);
    }
    // A bound, since every namespace that was ever read would stay: what is forgotten is read again.
    if (known.size >= NAMES) known.clear();
    known.set(text, id);
    return id;
  };
  const forgetNames = (): void => {
    namespaces.clear();
    classes.clear();
  };
  return {
    allocateId: () => {
      const id = next;
      next += 1;
      return id;
    },
    namespaceId: (path) => numberOf(namespaces, 'namespaces', 'path', path),
    classId: (className) => numberOf(classes, 'classes', 'name', className),
    flush: () => {
      if (next <= aside) return;
      database.run('UPDATE sequence SET next = ?', next + BLOCK);
      aside = next + BLOCK;
    },
    giveBack: () => {
      if (next !== aside) database.run('UPDATE sequence SET next = ?', next);
      aside = next;
    },
    next: () => next,
    takeBack: (first) => {
      forgetNames();
      next = first;
    },
    forgetNames,
    reset: () => {
      forgetNames();
      aside = stored();
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
  const orders = `SELECT id FROM deployment_records WHERE deployment IN (${within('deployments', 'id')})`;
  const actions = `SELECT id FROM actions WHERE procedure IN (${within('procedures', 'id')})`;
  for (const works of [orders, actions]) database.run(`DELETE FROM attachment_runs WHERE work IN (${works})`, ...range);
  for (const table of ['deployment_records', 'deployment_moves', 'approvals']) {
    database.run(`DELETE FROM ${table} WHERE deployment IN (${within('deployments', 'id')})`, ...range);
  }
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

/** Times of everything that has one and of which there are many: the newest one of each table. */
const NEWEST = `SELECT max(time) AS newest FROM (
  SELECT max(updated) AS time FROM records
  UNION ALL SELECT max(max(created), coalesce(max(updated), 0)) FROM releases
  UNION ALL SELECT max(updated) FROM deployments
  UNION ALL SELECT max(updated) FROM procedures
  UNION ALL SELECT max(ran) FROM attachment_runs
  UNION ALL SELECT * FROM (SELECT max(created, coalesce(updated, 0)) FROM record_changes ORDER BY id DESC LIMIT 1)
)`;

/** The database at the present version; what cannot be opened is given back. */
function opened(file: string, release: () => void): { readonly database: Database; readonly seal: TextSeal } {
  let database: Database | undefined;
  try {
    if (file !== ':memory:' && existsSync(file) && statSync(file).size > 0) {
      inspect(file, checkIdentity);
      makePrivate(file);
    }
    const seal = textSealOf(keyBeside(file));
    database = openDatabase(file, seal);
    migrate(database, seal, keyFileOf(file));
    return { database, seal };
  } catch (error) {
    database?.close();
    release();
    throw error;
  }
}

/**
 * Opens the store in `file`, made when it is not there; `:memory:` keeps everything in memory. Throws NewerDatabase, DatabaseInUse,
 * HardLinked, ForeignDatabase, DamagedDatabase, WrongKey, BadKeyFile, or the library's error when the file is no database or cannot be opened.
 */
export function openStore(path: string): Store {
  const file = onePathOf(path);
  const release = reserve(file);
  const { database, seal } = opened(file, release);
  const numbers = numbersOf(database);
  const records = recordsOf(database, numbers);
  const relations = relationsOf(database, numbers);
  const join = <T>(work: () => T): T => {
    const first = numbers.next();
    try {
      return database.join(work);
    } catch (error) {
      numbers.takeBack(first);
      throw error;
    }
  };
  let ended: Error | undefined;
  const settle = (): void => {
    // Who waited while the store was closed in vain must not be told that all is well.
    if (ended !== undefined) throw ended;
    try {
      database.settle(() => numbers.flush());
    } catch (error) {
      numbers.reset();
      throw error;
    }
  };
  return {
    records,
    relations,
    releases: releasesOf(database, numbers, records),
    deployments: deploymentsOf(database, numbers.allocateId),
    approvals: approvalsOf(database, numbers.allocateId),
    attachmentRuns: attachmentRunsOf(database, numbers.allocateId),
    procedures: proceduresOf(database, numbers.allocateId),
    users: usersOf(database, numbers.allocateId, seal),
    jobs: jobsOf(database, numbers.allocateId),
    changes: changesOf(database, numbers, records, relations),
    changeAtOnce: changeAtOnce(database, numbers),
    allocateId: numbers.allocateId,
    namespaceId: numbers.namespaceId,
    classId: numbers.classId,
    removeNamespace: (path) => removeNamespace(database, path),
    newest: () => database.get<{ readonly newest: number | null }>(NEWEST)?.newest ?? 0,
    writes: () => database.written.count,
    join,
    isPending: () => database.isPending(),
    settle,
    transaction: (work) => {
      if (database.isPending()) throw new Error('a transaction is under way');
      const result = join(work);
      settle();
      return result;
    },
    attempt: (work) => {
      try {
        return database.attempt(work);
      } finally {
        numbers.forgetNames();
      }
    },
    close: () => {
      try {
        numbers.giveBack();
        settle();
      } catch (error) {
        ended = new Error('the last commit of the store failed when it was closed', { cause: error });
        throw error;
      } finally {
        database.close();
        release();
      }
    },
  };
}

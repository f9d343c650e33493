// Opens the store: one database file, brought to the present version, with its parts put together.
// The parts themselves are in the files next to it.
import { existsSync, statSync } from 'node:fs';
import { changesOf } from './changes';
import { inspect, openDatabase, reserve, type Database } from './database';
import { approvalsOf, deploymentsOf } from './deployments';
import { jobsOf } from './jobs';
import { numbersOf, type StoredNumbers } from './numbers';
import { attachmentRunsOf, proceduresOf } from './procedures';
import { BELOW, belowParameters, storedRecordsOf, versionedRecords } from './records';
import { relationsOf, versionedRelations } from './relations';
import { releasesOf } from './releases';
import { makePrivate, onePathOf } from './private-file';
import { checkIdentity, migrate } from './schema';
import { type Store } from './store';
import { keyBeside, keyFileOf, type TextSeal, textSealOf } from './text-seal';
import { usersOf } from './users';

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

/** Joining, settling and trying, with the numbers that go with the rows. */
function transactionsOf(
  database: Database,
  numbers: StoredNumbers,
  release: () => void,
): Pick<Store, 'join' | 'isPending' | 'settle' | 'transaction' | 'attempt' | 'close'> {
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
    // Who waited while the store was closed in vain must not get the answer that all is well.
    if (ended !== undefined) throw ended;
    try {
      database.settle(() => numbers.flush());
    } catch (error) {
      numbers.reset();
      throw error;
    }
  };
  return {
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

/**
 * Opens the store in `file`, made when it does not exist; `:memory:` keeps everything in memory. Throws NewerDatabase, DatabaseInUse,
 * HardLinked, ForeignDatabase, DamagedDatabase, WrongKey, BadKeyFile, or the library's error when the file is no database or cannot be opened.
 * `speed`: how many times faster than usual timed work is done.
 */
export function openStore(path: string, speed = 1): Store {
  const file = onePathOf(path);
  const release = reserve(file);
  const { database, seal } = opened(file, release);
  const numbers = numbersOf(database);
  const { allocateId, namespaceId, classId } = numbers;
  const versions = {
    records: versionedRecords(database, numbers),
    relations: versionedRelations(database, numbers),
  };
  const records = storedRecordsOf(versions.records);
  return {
    ...transactionsOf(database, numbers, release),
    records,
    relations: relationsOf(versions.relations),
    releases: releasesOf({ database, numbers, records, versions }),
    deployments: deploymentsOf(database, allocateId),
    approvals: approvalsOf(database, allocateId),
    attachmentRuns: attachmentRunsOf(database, allocateId),
    procedures: proceduresOf(database, allocateId),
    users: usersOf(database, allocateId, seal),
    jobs: jobsOf(database, allocateId, speed),
    changes: changesOf(versions.records, versions.relations),
    allocateId,
    namespaceId,
    classId,
    removeNamespace: (namespace) => removeNamespace(database, namespace),
    newest: () => database.get<{ readonly newest: number | null }>(NEWEST)?.newest ?? 0,
  };
}

// The store: everything the handlers keep, in one database file. Read the interface first.
import { existsSync, statSync } from 'node:fs';
import { inspect, openDatabase, reserve, type Database } from './database';
import {
  approvalsOf,
  deploymentsOf,
  deploymentTables,
  jobs,
  jobsOf,
  attachmentRunsOf,
  proceduresOf,
  procedureTables,
} from './deployments';
import {
  keyBeside,
  keyFileOf,
  makePrivate,
  onePathOf,
  type TextSeal,
  textSealOf,
  DamagedDatabase,
  ForeignDatabase,
  OtherVersion,
  WrongKey,
} from './private-file';
import {
  BELOW,
  belowParameters,
  recordTables,
  relationsOf,
  relationTables,
  storedRecordsOf,
  versionedRecords,
  versionedRelations,
} from './records';
import { releases, releasesOf } from './releases';
import {
  type NewRecord,
  type StoredRecord,
  type StoredRelation,
  type Tie,
  tied,
  type View,
  type WriteStamp,
} from './rows';
import { USERS_SCHEMA, usersOf } from './users';

/*
 * How to use it
 * - Every request runs in one transaction, opened by the request handling; a throw (a
 *   RefusedRequest too) rolls all of it back. Handlers therefore just read and write; nothing here
 *   needs its own transaction.
 * - Two ways to write: directly (`records.insert` …: organizations, clouds, assemblies,
 *   environments, instances' state) and staged
 *   (`stage(store, '/acme/shop/prod/manifest', author).add(…)` in stage.ts: design and manifest
 *   records, written as changes of the one open release of that namespace). A bom release is staged
 *   too: `stage(store, '/acme/shop/prod/bom', author)`.
 * - Three views: `merged` shows committed records with the open changes laid over them (pending
 *   deletes still listed, `change.action` says `delete`; adds included); `staying` leaves pending
 *   deletes out; `committed` shows what is true without the open release. Default: `merged`.
 * - Numbers (ciId, rfcId, releaseId, deploymentId, …) all come from one sequence (`allocateId`): no
 *   two things share one. Lists come in order of id.
 */

const NUMBERS_SCHEMA = `CREATE TABLE sequence (next INTEGER NOT NULL);
INSERT INTO sequence (next) VALUES (1000);
CREATE TABLE namespaces (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE classes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);`;

/** The tables of a fresh database. Every addressed read has an index. */
const SCHEMA = [
  NUMBERS_SCHEMA,
  ...[...recordTables, ...relationTables, releases, ...deploymentTables, ...procedureTables, jobs].map(
    ({ schema }) => schema,
  ),
  USERS_SCHEMA,
  // A digest by which the key is known again that secrets and tokens are kept with.
  'CREATE TABLE seal (digest TEXT NOT NULL);',
].join('\n');

const VERSION = 8;

/** What is in the file's header, by which other programs know it: "Oops". */
const APPLICATION_ID = 0x4f6f7073;

/** Throws ForeignDatabase for a database of another program, and DamagedDatabase. Reads only. */
function checkIdentity(read: (sql: string) => unknown): void {
  const header = read('PRAGMA application_id') as { readonly application_id: number };
  const { names } = read(`SELECT json_group_array(name) AS names FROM sqlite_master WHERE type = 'table'`) as {
    readonly names: string;
  };
  const tables = JSON.parse(names) as string[];
  if (tables.length > 0 && header.application_id !== APPLICATION_ID) throw new ForeignDatabase(tables);
  const found = read('PRAGMA quick_check(1)') as { readonly quick_check: string };
  if (found.quick_check !== 'ok') throw new DamagedDatabase(found.quick_check);
}

/** Makes the tables of a fresh database. Throws OtherVersion and WrongKey for another one. */
function prepareTables(database: Database, seal: TextSeal, keyFile: string): void {
  const version = database.get<{ readonly user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  const digest = seal.digest('key');
  if (version === 0) {
    const stamped = `PRAGMA user_version = ${VERSION}; PRAGMA application_id = ${APPLICATION_ID}`;
    database.script(`BEGIN IMMEDIATE;\n${SCHEMA}\nINSERT INTO seal VALUES ('${digest}');\n${stamped};\nCOMMIT;`);
  } else if (version !== VERSION) {
    throw new OtherVersion(version, VERSION);
  } else if (database.get<{ readonly digest: string }>('SELECT digest FROM seal')?.digest !== digest) {
    throw new WrongKey(keyFile);
  }
}

function removeNamespace(database: Database, path: string): void {
  const remove = (table: string, condition: string): void =>
    database.run(`DELETE FROM ${table} WHERE ${condition}`, ...belowParameters(path));
  const within = (table: string): string => `IN (SELECT id FROM ${table} WHERE ${BELOW})`;
  for (const end of ['fromId', 'toId']) {
    remove('relations', `${end} ${within('records')}`);
    remove('relation_changes', `open = 1 AND ${end} ${within('records')}`);
  }
  for (const table of ['records', 'deployments', 'procedures']) remove('jobs', `subject ${within(table)}`);
  const orders = `SELECT id FROM deployment_records WHERE deploymentId ${within('deployments')}`;
  const actions = `SELECT id FROM actions WHERE procedureId ${within('procedures')}`;
  for (const works of [orders, actions]) remove('attachment_runs', `workId IN (${works})`);
  for (const table of ['deployment_records', 'deployment_moves', 'approvals'])
    remove(table, `deploymentId ${within('deployments')}`);
  remove('actions', `procedureId ${within('procedures')}`);
  // By state of openness, since open and closed changes are indexed apart.
  for (const table of ['record_changes', 'relation_changes'])
    for (const open of [0, 1]) remove(table, `open = ${open} AND ${BELOW}`);
  for (const table of ['records', 'relations', 'releases', 'deployments', 'procedures']) remove(table, BELOW);
}

/** Times of everything that has one and of which there are many: the newest one of each table. */
const NEWEST = `SELECT max(time) AS newest FROM (
  SELECT max(document ->> '$.updated') AS time FROM records
  UNION ALL SELECT max(max(document ->> '$.created', coalesce(document ->> '$.updated', 0))) FROM releases
  UNION ALL SELECT max(document ->> '$.updated') FROM deployments
  UNION ALL SELECT max(document ->> '$.updated') FROM procedures
  UNION ALL SELECT max(document ->> '$.ran') FROM attachment_runs
  UNION ALL SELECT * FROM (
    SELECT max(document ->> '$.created', coalesce(document ->> '$.updated', 0)) FROM record_changes ORDER BY id DESC LIMIT 1
  )
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
    prepareTables(database, seal, keyFileOf(file));
    return { database, seal };
  } catch (error) {
    database?.close();
    release();
    throw error;
  }
}

function transactionsOf(database: Database, numbers: ReturnType<typeof numbersOf>, release: () => void) {
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
    /**
     * Runs `work` all or nothing, for the request handling and `advance`: what was written waits
     * for `settle`, together with that of others who join before. An answer that was sent before
     * `settle` returned was too early.
     */
    join,
    /** Whether anything waits for `settle`. */
    isPending: () => database.isPending(),
    /** Puts what is pending on the disk in one commit. Throws when nothing of it is left. */
    settle,
    /** Runs `work` all or nothing, on the disk when it returns. Not while something is pending. */
    transaction: <T>(work: () => T): T => {
      if (database.isPending()) throw new Error('a transaction is under way');
      const result = join(work);
      settle();
      return result;
    },
    /** Runs `work` inside of a transaction to see its outcome, and takes back all it wrote. */
    attempt: <T>(work: () => T): T => {
      try {
        return database.attempt(work);
      } finally {
        numbers.forgetNames();
      }
    },
    close: (): void => {
      try {
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

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store in `file`, made when it does not exist; `:memory:` keeps everything in memory.
 * Throws OtherVersion, DatabaseInUse, HardLinked, ForeignDatabase, DamagedDatabase, WrongKey,
 * BadKeyFile, or the library's error when the file is no database or cannot be opened. `speed`: how
 * many times faster than usual timed work is done.
 */
export function openStore(path: string, speed = 1) {
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
  const relations = relationsOf(versions.relations);
  return {
    ...transactionsOf(database, numbers, release),
    records,
    relations,
    releases: releasesOf({ database, numbers, records, versions }),
    deployments: deploymentsOf(database, allocateId),
    approvals: approvalsOf(database, allocateId),
    attachmentRuns: attachmentRunsOf(database, allocateId),
    procedures: proceduresOf(database, allocateId),
    users: usersOf(database, allocateId, seal),
    jobs: jobsOf(database, allocateId, speed),
    /** What stage.ts writes with; handlers use `stage(store, namespace, author)` instead. */
    changes: versions,
    /** Number of a namespace path (nsId), the same for good. */
    namespaceId,
    /** Number of a class name, the same for good (middle part of ciGoid). */
    classId,
    /** Inserts a record with the relation that ties it to what it belongs to. */
    insertTied: (record: NewRecord, tie: Tie, author: WriteStamp): StoredRecord => {
      const inserted = records.insert(record, author);
      relations.insert(tied(inserted, tie), author);
      return inserted;
    },
    /** Removes all in and under a namespace: `/acme/shop/prod` has the manifest and bom of prod. */
    removeNamespace: (namespace: string): void => removeNamespace(database, namespace),
    /** The newest time that anything carries, in ms since 1970; 0 when nothing was written. */
    newest: () => database.get<{ readonly newest: number | null }>(NEWEST)?.newest ?? 0,
  };
}

/** Relations of a name that start at a record, each with the record at its other end. */
export function follow(
  { records, relations }: Pick<Store, 'records' | 'relations'>,
  id: number,
  name: string,
  view: View = 'merged',
): { readonly relation: StoredRelation; readonly record: StoredRecord }[] {
  return relations.from(id, name, view).flatMap((relation) => {
    const record = records.byId(relation.toId, view);
    return record === undefined ? [] : [{ relation, record }];
  });
}

// The sequence of ids, and the numbers of names. A number is never given out twice.

/** Numbers of names kept in memory. */
const NAMES = 20_000;

/** The sequence and the numbers of names, in memory; each commit writes how far the sequence is. */
function numbersOf(database: Database) {
  const stored = (): number => database.get<{ readonly next: number }>('SELECT next FROM sequence')?.next ?? 1;
  let next = stored();
  let written = next;
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
    // A bound, since every namespace that was ever read would stay: what is forgotten is read
    // again.
    if (known.size >= NAMES) known.clear();
    known.set(text, id);
    return id;
  };
  const forgetNames = (): void => {
    namespaces.clear();
    classes.clear();
  };
  return {
    allocateId: (): number => {
      const id = next;
      next += 1;
      return id;
    },
    namespaceId: (path: string) => numberOf(namespaces, 'namespaces', 'path', path),
    classId: (className: string) => numberOf(classes, 'classes', 'name', className),
    /** Writes into the database what is only known here, before a commit. */
    flush: (): void => {
      if (next !== written) database.run('UPDATE sequence SET next = ?', next);
      written = next;
    },
    next: () => next,
    /** Gives out this number again, and those after it: what had them was taken back. */
    takeBack: (first: number): void => {
      forgetNames();
      next = first;
    },
    /** Forgets the numbers of names; ids that were given out stay so. */
    forgetNames,
    /** Looks up again what a transaction wrote that was taken back. */
    reset: (): void => {
      forgetNames();
      written = stored();
    },
  };
}

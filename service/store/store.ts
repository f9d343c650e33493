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
  type DraftedChange,
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
 *   records, written as changes of the one open release of that namespace). A bom release is drafted
 *   (`drafts` in stage.ts), and kept (`keep`) unless it is only shown.
 * - Three views: `merged` shows committed records with the open changes laid over them (pending
 *   deletes still listed, `change.action` says `delete`; adds included); `staying` leaves pending
 *   deletes out; `committed` shows what is true without the open release. Default: `merged`.
 * - Numbers (ciId, rfcId, releaseId, deploymentId, …) all come from one sequence (`allocateId`): no
 *   two things share one. Lists come in order of id.
 */

/** The tables of a fresh database. Every addressed read has an index. */
const SCHEMA = [
  'CREATE TABLE sequence (next INTEGER NOT NULL);',
  'INSERT INTO sequence (next) VALUES (1000);',
  ...[...recordTables, ...relationTables, releases, ...deploymentTables, ...procedureTables, jobs].map(
    ({ schema }) => schema,
  ),
  USERS_SCHEMA,
  // A digest by which the key is known again that secrets and tokens are kept with.
  'CREATE TABLE seal (digest TEXT NOT NULL);',
].join('\n');

const VERSION = 9;

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

/** What runs, without what takes long to read: attributes, and what relations say besides. */
const RUNNING = `SELECT records.id, records.name, records.document ->> '$.state' AS state, realized.fromId AS componentId,
  coalesce((SELECT toId FROM relations WHERE fromId = records.id AND name = 'base.DeployedTo'), 0) AS cloudId,
  coalesce(made ->> '$.values.last_manifest_rfc', '') AS madeFrom, coalesce(made ->> '$.values.manifest_digest', '') AS digest
  FROM (SELECT *, document AS made FROM relations) AS realized JOIN records ON records.id = toId
  WHERE realized.namespace = ? AND realized.name = 'base.RealizedAs' ORDER BY realized.id`;

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

/** All that a store contains, and the key that its texts are closed with. */
export interface StoreImage {
  readonly key: Buffer;
  /** Undefined before Node 24. */
  readonly contents: Uint8Array | undefined;
}

/** The database at the present version; what cannot be opened is given back. */
function opened(file: string, release: () => void, image?: StoreImage) {
  let database: Database | undefined;
  try {
    if (file !== ':memory:' && existsSync(file) && statSync(file).size > 0) {
      inspect(file, checkIdentity);
      makePrivate(file);
    }
    const key = image?.key ?? keyBeside(file);
    const seal = textSealOf(key);
    database = openDatabase(file, seal, image?.contents);
    prepareTables(database, seal, keyFileOf(file));
    // Where a table was lost, nothing is served.
    database.nextId();
    return { database, seal, key };
  } catch (error) {
    database?.close();
    release();
    throw error;
  }
}

function transactionsOf(database: Database, release: () => void) {
  let ended: Error | undefined;
  const settle = (): void => {
    // Who waited while the store was closed in vain must not get the answer that all is well.
    if (ended !== undefined) throw ended;
    database.settle();
  };
  return {
    /**
     * Runs `work` all or nothing, for the request handling and `advance`: what was written waits
     * for `settle`, together with that of others who join before. An answer that was sent before
     * `settle` returned was too early.
     */
    join: database.join,
    /** Whether anything waits for `settle`. */
    isPending: database.isPending,
    /** Puts what is pending on the disk in one commit. Throws when nothing of it is left. */
    settle,
    /** Runs `work` all or nothing, on the disk when it returns. Not while something is pending. */
    transaction: <T>(work: () => T): T => {
      if (database.isPending()) throw new Error('a transaction is under way');
      const result = database.join(work);
      settle();
      return result;
    },
    /** Runs `work` inside of a transaction to see its outcome, and takes back all it wrote. */
    attempt: database.attempt,
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
 * many times faster than usual timed work is done. `image`: what one in memory begins with.
 */
export function openStore(path: string, speed = 1, image?: StoreImage) {
  const file = onePathOf(path);
  const release = reserve(file);
  const { database, seal, key } = opened(file, release, image);
  const versions = { records: versionedRecords(database), relations: versionedRelations(database) };
  const records = storedRecordsOf(versions.records);
  const relations = relationsOf(versions.relations);
  return {
    ...transactionsOf(database, release),
    records,
    relations,
    releases: releasesOf({ database, records, versions }),
    deployments: deploymentsOf(database),
    approvals: approvalsOf(database),
    attachmentRuns: attachmentRunsOf(database),
    procedures: proceduresOf(database),
    users: usersOf(database, seal),
    jobs: jobsOf(database, speed),
    /** What stage.ts writes with; handlers use `stage(store, namespace, author)` instead. */
    changes: versions,
    /** Stores a change that was drafted. */
    keep: (change: DraftedChange) =>
      'recordId' in change ? versions.records.keep(change) : versions.relations.keep(change),
    /** Inserts a record with the relation that ties it to what it belongs to. */
    insertTied: (record: NewRecord, tie: Tie, author: WriteStamp): StoredRecord => {
      const inserted = records.insert(record, author);
      relations.insert(tied(inserted, tie), author);
      return inserted;
    },
    /** The committed instances of a namespace; `madeFrom`: rfcId of the component's change. */
    running: (namespace: string) =>
      database.all<
        Record<'id' | 'componentId' | 'cloudId', number> & Record<'name' | 'state' | 'madeFrom' | 'digest', string>
      >(RUNNING, namespace),
    /** Removes all in and under a namespace: `/acme/shop/prod` has the manifest and bom of prod. */
    removeNamespace: (namespace: string): void => removeNamespace(database, namespace),
    image: (): StoreImage => ({ key, contents: database.contents() }),
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
  const found = relations.from(id, name, view);
  const ids = found.map(({ toId }) => toId);
  const ends = records.mapOf(ids, view);
  return found.flatMap((relation) => {
    const record = ends.get(relation.toId);
    return record === undefined ? [] : [{ relation, record }];
  });
}

/** Records that a record has by relations of a name, such as the attachments of a component. */
export const heldBy = (
  store: Pick<Store, 'records' | 'relations'>,
  { id }: Pick<StoredRecord, 'id'>,
  name: string,
  view?: View,
): StoredRecord[] => follow(store, id, name, view).map(({ record }) => record);

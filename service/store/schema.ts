// The tables, and how a database of an older version becomes one of this version.
import { type Database } from './database';
import { DamagedDatabase, ForeignDatabase, WrongKey } from './storage-errors';
import { type TextSeal } from './text-seal';

/*
 * Values, owners and payloads are JSON text. `open` marks a change whose release is open and that is not yet true: at most one per record.
 * Every addressed read has an index; `below` reads are a range over `namespace`. Closed changes, the history, have their own indexes, so that
 * reads of the open ones do not grow with it.
 */
const FIRST = `
CREATE TABLE sequence (next INTEGER NOT NULL);
INSERT INTO sequence (next) VALUES (1000);
CREATE TABLE namespaces (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE classes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE records (
  id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, class TEXT NOT NULL, name TEXT NOT NULL, impl TEXT, comments TEXT,
  state TEXT NOT NULL, ops_state TEXT, attributes TEXT NOT NULL, owners TEXT NOT NULL,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER NOT NULL, updated_by TEXT, last_change INTEGER NOT NULL
);
CREATE INDEX records_class ON records (namespace, class, name);
CREATE INDEX records_name ON records (namespace, name COLLATE NOCASE, class);

CREATE TABLE record_changes (
  id INTEGER PRIMARY KEY, release INTEGER NOT NULL, open INTEGER NOT NULL, action TEXT NOT NULL,
  record INTEGER NOT NULL, namespace TEXT NOT NULL, class TEXT NOT NULL, name TEXT NOT NULL, impl TEXT, comments TEXT,
  attributes TEXT NOT NULL, base TEXT NOT NULL, owners TEXT, exec_order INTEGER NOT NULL, hint TEXT,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER, updated_by TEXT
);
CREATE UNIQUE INDEX record_changes_open ON record_changes (record) WHERE open = 1;
CREATE INDEX record_changes_class ON record_changes (namespace, class) WHERE open = 1;
CREATE INDEX record_changes_name ON record_changes (namespace, name COLLATE NOCASE, class) WHERE open = 1;
CREATE INDEX record_changes_release ON record_changes (release);
CREATE INDEX record_changes_closed ON record_changes (namespace) WHERE open = 0;

CREATE TABLE relations (
  id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, name TEXT NOT NULL, from_id INTEGER NOT NULL, to_id INTEGER NOT NULL,
  comments TEXT, state TEXT NOT NULL, attributes TEXT NOT NULL, owners TEXT NOT NULL,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER NOT NULL, updated_by TEXT, last_change INTEGER NOT NULL
);
CREATE INDEX relations_from ON relations (from_id, name);
CREATE INDEX relations_to ON relations (to_id, name);
CREATE INDEX relations_namespace ON relations (namespace, name);

CREATE TABLE relation_changes (
  id INTEGER PRIMARY KEY, release INTEGER NOT NULL, open INTEGER NOT NULL, action TEXT NOT NULL,
  relation INTEGER NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, from_id INTEGER NOT NULL, to_id INTEGER NOT NULL,
  comments TEXT, attributes TEXT NOT NULL, base TEXT NOT NULL, owners TEXT, exec_order INTEGER NOT NULL, hint TEXT,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER, updated_by TEXT
);
CREATE UNIQUE INDEX relation_changes_open ON relation_changes (relation) WHERE open = 1;
CREATE INDEX relation_changes_from ON relation_changes (from_id) WHERE open = 1;
CREATE INDEX relation_changes_to ON relation_changes (to_id) WHERE open = 1;
CREATE INDEX relation_changes_release ON relation_changes (release);
CREATE INDEX relation_changes_namespace ON relation_changes (namespace, name) WHERE open = 1;
CREATE INDEX relation_changes_closed ON relation_changes (namespace) WHERE open = 0;

CREATE TABLE releases (
  id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, state TEXT NOT NULL, type TEXT, description TEXT, parent INTEGER NOT NULL,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER, committed_by TEXT
);
CREATE UNIQUE INDEX releases_open ON releases (namespace) WHERE state = 'open';
CREATE INDEX releases_namespace ON releases (namespace, id);

CREATE TABLE deployments (
  id INTEGER PRIMARY KEY, release INTEGER NOT NULL, namespace TEXT NOT NULL, state TEXT NOT NULL, description TEXT, comments TEXT,
  continue_on_failure INTEGER NOT NULL, auto_pause TEXT NOT NULL, current_step INTEGER NOT NULL, max_exec_order INTEGER NOT NULL,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER NOT NULL, updated_by TEXT
);
CREATE INDEX deployments_namespace ON deployments (namespace, id);
CREATE TABLE deployment_records (
  id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, change INTEGER NOT NULL, record INTEGER NOT NULL, exec_order INTEGER NOT NULL,
  state TEXT NOT NULL, comments TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL
);
CREATE INDEX deployment_records_deployment ON deployment_records (deployment, exec_order, id);

CREATE TABLE procedures (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, record INTEGER NOT NULL, procedure_record INTEGER NOT NULL, namespace TEXT NOT NULL,
  state TEXT NOT NULL, arguments TEXT, definition TEXT, force INTEGER NOT NULL, current_step INTEGER NOT NULL,
  max_exec_order INTEGER NOT NULL, created INTEGER NOT NULL, created_by TEXT, updated INTEGER NOT NULL
);
CREATE INDEX procedures_record ON procedures (record);
CREATE INDEX procedures_namespace ON procedures (namespace);
CREATE TABLE actions (
  id INTEGER PRIMARY KEY, procedure INTEGER NOT NULL, record INTEGER NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,
  exec_order INTEGER NOT NULL, critical INTEGER NOT NULL, extra_info TEXT, arguments TEXT,
  created INTEGER NOT NULL, created_by TEXT, updated INTEGER NOT NULL
);
CREATE INDEX actions_procedure ON actions (procedure, exec_order, id);
CREATE INDEX actions_record ON actions (record);

CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, rights TEXT NOT NULL, organizations TEXT);
CREATE TABLE tokens (hash TEXT PRIMARY KEY, user INTEGER NOT NULL);
CREATE INDEX tokens_user ON tokens (user);
CREATE TABLE jobs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, due INTEGER NOT NULL, subject INTEGER NOT NULL, payload TEXT NOT NULL);
CREATE INDEX jobs_due ON jobs (due, id);
CREATE INDEX jobs_subject ON jobs (subject, name);
`;

/** Passwords and the organization a user was in last; tokens handed out for a password; approvals and moves of deployments. */
const SECOND = `
ALTER TABLE users ADD COLUMN password TEXT;
ALTER TABLE users ADD COLUMN current TEXT;
ALTER TABLE tokens ADD COLUMN issued INTEGER NOT NULL DEFAULT 0;
CREATE TABLE approvals (
  id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, record INTEGER NOT NULL, state TEXT NOT NULL, comments TEXT,
  expires_in INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, updated_by TEXT
);
CREATE INDEX approvals_deployment ON approvals (deployment, id);
CREATE TABLE deployment_moves (
  id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, old_state TEXT, new_state TEXT NOT NULL, comments TEXT, moved INTEGER NOT NULL, moved_by TEXT
);
CREATE INDEX deployment_moves_deployment ON deployment_moves (deployment, id);
`;

/** Teams a user has the rights of. */
const THIRD = `ALTER TABLE users ADD COLUMN teams TEXT;`;

/** Why an action failed. */
const FOURTH = `ALTER TABLE actions ADD COLUMN comments TEXT;`;

/** A digest by which the key is known again that secrets and tokens are kept with. */
const FIFTH = `CREATE TABLE seal (digest TEXT NOT NULL);`;

/** What attachments did on instances; when a user was made and changed. */
const SIXTH = `
ALTER TABLE users ADD COLUMN created INTEGER;
ALTER TABLE users ADD COLUMN updated INTEGER;
CREATE TABLE attachment_runs (
  id INTEGER PRIMARY KEY, work INTEGER NOT NULL, record INTEGER NOT NULL, attachment INTEGER NOT NULL, name TEXT NOT NULL, event TEXT NOT NULL,
  priority TEXT NOT NULL, path TEXT NOT NULL, saved TEXT NOT NULL, command TEXT NOT NULL, failure TEXT, ran INTEGER NOT NULL
);
CREATE INDEX attachment_runs_work ON attachment_runs (work, id);
CREATE INDEX attachment_runs_record ON attachment_runs (record, id);
`;

/** Which deployments had work to do on a record; how often and when users signed in. */
const SEVENTH = `
CREATE INDEX deployment_records_record ON deployment_records (record, deployment);
ALTER TABLE users ADD COLUMN sign_ins INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN signed_in INTEGER;
`;

/** Steps from each version to the next: a database of version n has seen the first n. Never change one that was released; add one. */
const MIGRATIONS: readonly string[] = [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH];

/** Columns that may contain secrets, by table. */
const SECRET_COLUMNS: readonly (readonly [string, string])[] = [
  ...['records', 'relations'].map((table) => [table, 'attributes'] as const),
  ...['record_changes', 'relation_changes'].flatMap((table) => [
    [table, 'attributes'] as const,
    [table, 'base'] as const,
  ]),
];

/** What is in the file's header, by which other programs know it: "Oops". */
const APPLICATION_ID = 0x4f6f7073;

/** Tables of every version; a file without an id in its header that has them was written before there was one. */
const FIRST_TABLES = ['sequence', 'records', 'record_changes', 'releases', 'users', 'tokens'];

/** The database was written by a newer version of the service: opening it could lose what that version added. */
export class NewerDatabase extends Error {
  constructor(
    readonly found: number,
    readonly known: number,
  ) {
    super(
      `the database has version ${found}, this service knows versions up to ${known}: use the service that wrote it, or a newer one`,
    );
    this.name = 'NewerDatabase';
  }
}

/** Throws ForeignDatabase for a database of another program, and DamagedDatabase. Reads only. */
export function checkIdentity(read: (sql: string) => unknown): void {
  const header = read('PRAGMA application_id') as { readonly application_id: number };
  const { names } = read(`SELECT json_group_array(name) AS names FROM sqlite_master WHERE type = 'table'`) as {
    readonly names: string;
  };
  const tables = JSON.parse(names) as string[];
  const isOurs = header.application_id === APPLICATION_ID || FIRST_TABLES.every((name) => tables.includes(name));
  if (tables.length > 0 && !isOurs) throw new ForeignDatabase(tables);
  const found = read('PRAGMA quick_check(1)') as { readonly quick_check: string };
  if (found.quick_check !== 'ok') throw new DamagedDatabase(found.quick_check);
}

/** Writes what versions before kept without a key as it is kept now, and leaves no copy of it in unused pages. */
function sealAll(database: Database, seal: TextSeal): void {
  let isRewritten = false;
  database.join(() => {
    for (const [table, column] of SECRET_COLUMNS) {
      const rows = database.all<{ readonly id: number; readonly text: string }>(
        `SELECT id, ${column} AS text FROM ${table} WHERE ${column} LIKE '%::ENCRYPTED::%' OR ${column} LIKE '%"auth":%'`,
      );
      for (const { id, text } of rows) database.run(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, text, id);
      isRewritten ||= rows.length > 0;
    }
    const tokens = database.all<{ readonly hash: string }>('SELECT hash FROM tokens');
    for (const { hash } of tokens) database.run('UPDATE tokens SET hash = ? WHERE hash = ?', seal.digest(hash), hash);
    isRewritten ||= tokens.length > 0;
    database.run('INSERT INTO seal (digest) VALUES (?)', seal.digest('key'));
  });
  database.settle(() => undefined);
  if (isRewritten) database.script('VACUUM');
}

/** Throws WrongKey unless the key is the one the database was written with. A database that has none yet takes it. */
function checkKey(database: Database, seal: TextSeal, keyFile: string): void {
  const kept = database.get<{ readonly digest: string }>('SELECT digest FROM seal')?.digest;
  if (kept === undefined) sealAll(database, seal);
  else if (kept !== seal.digest('key')) throw new WrongKey(keyFile);
}

/**
 * Brings the tables to the present version, each step in a separate transaction, and what was kept without a key under this one. Throws
 * NewerDatabase and WrongKey.
 */
export function migrate(database: Database, seal: TextSeal, keyFile: string): void {
  const version = database.get<{ readonly user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version > MIGRATIONS.length) throw new NewerDatabase(version, MIGRATIONS.length);
  MIGRATIONS.slice(version).forEach((step, index) => {
    database.script(`BEGIN IMMEDIATE;\n${step}\nPRAGMA user_version = ${version + index + 1};\nCOMMIT;`);
  });
  database.script(`PRAGMA application_id = ${APPLICATION_ID}`);
  checkKey(database, seal, keyFile);
}

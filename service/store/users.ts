// Users, their tokens (as keyed digests) and sealed passwords in SQL.
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Database, table } from './database';
import { StoreError, type TextSeal } from './private-file';

/** What a user may do: everything, or only reads. `teams` refine this. */
export type Rights = 'full' | 'read';

export interface StoredUser {
  readonly id: number;
  readonly name: string;
  readonly rights: Rights;
  /** Organizations the user belongs to; null: all of them. */
  readonly organizations: readonly string[] | null;
  /** Teams whose rights the user has in each organization (service-facts §5.3); null: all. */
  readonly teams: readonly string[] | null;
  /** Organization of the user's last request that named one (service-facts §5.2). */
  readonly current: string | null;
  /** ms since 1970; null for a user that was added without a time. */
  readonly created: number | null;
  readonly updated: number | null;
  /** How often the user signed in: got a token for the password. */
  readonly signIns: number;
  /** ms since 1970 of the last time; null before the first. */
  readonly signedIn: number | null;
}

const users = table<StoredUser>('users', { name: 'TEXT' }, ['UNIQUE name']);

/** The tables of users, as SQL. `issued`: whether the token was handed out for the password. */
export const USERS_SCHEMA = `${users.schema}
CREATE TABLE passwords (user INTEGER PRIMARY KEY, sealed TEXT NOT NULL);
CREATE TABLE tokens (hash TEXT PRIMARY KEY, user INTEGER NOT NULL, issued INTEGER NOT NULL);
CREATE INDEX tokens_user ON tokens (user);`;

/** Two users would have one token: requests of one would be those of the other. */
export class TokenTaken extends StoreError {
  constructor(user: string, owner: string) {
    super(`users ${owner} and ${user} have the same token: give each a different one`);
  }
}

/** A user to add, or what changes of one. */
type UserFacts = {
  readonly name: string;
  readonly rights?: Rights | undefined;
  readonly organizations?: readonly string[] | null;
  readonly teams?: readonly string[] | null | undefined;
  /** ms since 1970: when it is added, or changed if it changes. */
  readonly now?: number;
};

export function usersOf(database: Database, seal: TextSeal) {
  const hashOf = (token: string): string => seal.digest(hash('sha256', token));
  const byName = (name: string): StoredUser | undefined => users.get(database, 'name = ?', name);
  const existing = (name: string): StoredUser => {
    const user = byName(name);
    if (user === undefined) throw new Error(`there is no user ${name}`);
    return user;
  };
  const removeToken = (name: string, issued: 0 | 1): void =>
    database.run('DELETE FROM tokens WHERE user = ? AND issued = ?', existing(name).id, issued);
  const addToken = (name: string, token: string, issued: 0 | 1): void => {
    const { id } = existing(name);
    const hash = hashOf(token);
    const owner = database.get<{ readonly name: string }>(
      'SELECT users.name FROM tokens JOIN users ON users.id = tokens.user WHERE tokens.hash = ? AND users.id != ?',
      hash,
      id,
    );
    if (owner !== undefined) throw new TokenTaken(name, owner.name);
    database.run('INSERT OR REPLACE INTO tokens (hash, user, issued) VALUES (?, ?, ?)', hash, id, issued);
  };
  return {
    byName,
    /**
     * The user a token belongs to. The digest has a key: how long the search for it takes says
     * nothing about a token to somebody without the key.
     */
    byToken: (token: string) => users.get(database, 'id = (SELECT user FROM tokens WHERE hash = ?)', hashOf(token)),
    list: () => users.all(database, '1 ORDER BY name'),
    /** Adds a user, or replaces rights, organizations and teams; tokens and password stay. */
    put: ({ name, rights = 'full', organizations = null, teams = null, now }: UserFacts): StoredUser => {
      const before = byName(name);
      const facts = { rights, organizations, teams };
      const updated = now ?? null;
      if (before === undefined) {
        const fresh = { current: null, created: updated, updated, signIns: 0, signedIn: null };
        return users.insert(database, { name, ...facts, ...fresh });
      }
      const after = { ...before, ...facts, updated };
      if (isDeepStrictEqual({ ...after, updated: before.updated }, before)) return before;
      users.update(database, before.id, { ...facts, updated });
      return after;
    },
    /** Gives users these tokens in place of former ones; keeps only digests. Throws TokenTaken. */
    setTokens: (given: readonly { readonly name: string; readonly token: string }[]): void => {
      // All former ones first: two users may exchange theirs.
      for (const { name } of given) removeToken(name, 0);
      for (const { name, token } of given) addToken(name, token, 0);
    },
    /** Makes a token valid that was handed out for the password, in place of a former one. */
    issueToken: (name: string, token: string, now: number): void => {
      const { id, signIns } = existing(name);
      users.update(database, id, { signIns: signIns + 1, signedIn: now });
      removeToken(name, 1);
      addToken(name, token, 1);
    },
    /** Makes every token of the user invalid. */
    removeTokens: (name: string): void => database.run('DELETE FROM tokens WHERE user = ?', existing(name).id),
    /** The sealed password; undefined for an unknown user or one without. */
    password: (name: string): string | undefined =>
      database.get<{ readonly sealed: string }>(
        'SELECT sealed FROM passwords JOIN users ON users.id = passwords.user WHERE users.name = ?',
        name,
      )?.sealed,
    /** Keeps a sealed password; tokens handed out for the former one become invalid. */
    setPassword: (name: string, sealed: string): void => {
      const { id } = existing(name);
      database.run('INSERT OR REPLACE INTO passwords (user, sealed) VALUES (?, ?)', id, sealed);
      removeToken(name, 1);
    },
    /** Remembers the organization of the user's request. */
    setCurrent: (name: string, current: string | null): void => users.update(database, existing(name).id, { current }),
  };
}

// Users and their tokens in SQL. A token is kept only as its SHA-256 hash.
// It must not know routes, nor what a right allows.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Database } from './database';
import type { Rights, StoredUser } from './rows';
import { type Users } from './store';

interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly rights: Rights;
  readonly organizations: string | null;
}

const userOf = (row: UserRow): StoredUser => ({
  id: row.id,
  name: row.name,
  rights: row.rights,
  organizations: row.organizations === null ? null : (JSON.parse(row.organizations) as string[]),
});

const hashOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');

/** Users by token and by name. */
export function usersOf(database: Database, allocateId: () => number): Users {
  const byName = (name: string): StoredUser | undefined => {
    const row = database.get<UserRow>('SELECT id, name, rights, organizations FROM users WHERE name = ?', name);
    return row === undefined ? undefined : userOf(row);
  };
  return {
    byName,
    byToken: (token) => {
      const hash = Buffer.from(hashOf(token));
      // The index is searched by hash prefix, so how long the search takes tells nothing about a token; the whole is compared in constant time.
      const rows = database.all<UserRow & { readonly hash: string }>(
        `SELECT users.id, users.name, users.rights, users.organizations, tokens.hash FROM tokens JOIN users ON users.id = tokens.user
          WHERE tokens.hash >= ? AND tokens.hash < ?`,
        hash.toString().slice(0, 8),
        `${hash.toString().slice(0, 8)}~`,
      );
      const row = rows.find((each) => timingSafeEqual(Buffer.from(each.hash), hash));
      return row === undefined ? undefined : userOf(row);
    },
    put: (user) => {
      const id = byName(user.name)?.id ?? allocateId();
      const organizations = user.organizations ?? null;
      database.run(
        'INSERT OR REPLACE INTO users (id, name, rights, organizations) VALUES (?, ?, ?, ?)',
        id,
        user.name,
        user.rights ?? 'full',
        organizations === null ? null : JSON.stringify(organizations),
      );
      return { id, name: user.name, rights: user.rights ?? 'full', organizations };
    },
    setToken: (name, token) => {
      const user = byName(name);
      if (user === undefined) throw new Error(`there is no user ${name}`);
      database.run('DELETE FROM tokens WHERE user = ?', user.id);
      database.run('INSERT OR REPLACE INTO tokens (hash, user) VALUES (?, ?)', hashOf(token), user.id);
    },
  };
}

// Remembers what reads answered for as long as the tables they read stay as they are.
// It must not know SQL, nor what is remembered.
import { type Database } from './database';

/** Answers what is remembered under a key, or reads it. */
export type Remember<T> = (key: string, read: () => T) => T;

/**
 * A memory of reads of one place in these tables: a write to another place, said to be one (`Database.within`), leaves it as it is. Holds at most
 * `limit` answers.
 */
export function rememberPlaces<T>(
  database: Database,
  tables: readonly string[],
  limit: number,
): (place: string, key: string, read: () => T) => T {
  const writes = tables.map((table) => database.writes(table));
  const known = new Map<string, { readonly value: T; readonly seen: string }>();
  return (place, key, read) => {
    const seen = writes.map((table) => table.in(place)).join(' ');
    const found = known.get(key);
    if (found?.seen === seen) return found.value;
    const value = read();
    known.delete(key);
    const oldest = known.size >= limit ? known.keys().next() : undefined;
    if (oldest?.done === false) known.delete(oldest.value);
    known.set(key, { value, seen });
    return value;
  };
}

/** A memory of reads of these tables; any write to one of them empties it. Holds at most `limit` answers. */
export function remember<T>(database: Database, tables: readonly string[], limit: number): Remember<T> {
  const writes = tables.map((table) => database.writes(table));
  const count = (): number => writes.reduce((sum, table) => sum + table.count, 0);
  const known = new Map<string, T>();
  let seen = count();
  return (key, read) => {
    const now = count();
    if (now !== seen) {
      known.clear();
      seen = now;
    }
    if (known.has(key)) return known.get(key) as T;
    const value = read();
    const oldest = known.size >= limit ? known.keys().next() : undefined;
    if (oldest?.done === false) known.delete(oldest.value);
    known.set(key, value);
    return value;
  };
}

// The sequence of ids, and the numbers of namespaces and classes.
// A number is never given out twice, whatever becomes of the transaction that took it.
import { type Database } from './database';
import { type Numbers } from './versioned';

/** Numbers with what a transaction does to them. */
export interface StoredNumbers extends Numbers {
  /** Writes into the database what is only known here, before a commit. */
  flush(): void;
  /** Gives back the numbers that were set aside and not taken, before the end. */
  giveBack(): void;
  /** The number that is given out next. */
  next(): number;
  /** Gives out this number again, and those after it: what had them was taken back. */
  takeBack(first: number): void;
  /** Looks up again what a transaction wrote that was taken back. */
  reset(): void;
  /** Forgets the numbers of names; ids that were given out stay so. */
  forgetNames(): void;
}

/** The tables of the sequence and of the names. */
export const NUMBERS_SCHEMA = `CREATE TABLE sequence (next INTEGER NOT NULL);
INSERT INTO sequence (next) VALUES (1000);
CREATE TABLE namespaces (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE classes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);`;

/** Numbers of names kept in memory. */
const NAMES = 20_000;

/** Numbers set aside at one go: a transaction writes the sequence only when it takes the first of a block. After a crash the rest of one is never used. */
const BLOCK = 1000;

/** The sequence and the numbers of names: kept in memory; the database says which were set aside. */
export function numbersOf(database: Database): StoredNumbers {
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

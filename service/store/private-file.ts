// The database file as the file system knows it: its one path, and that only its owner can read it.
import { chmodSync, closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The file has several names. SQLite keeps its log next to the name it was opened by: two names would be two databases in one file. */
export class HardLinked extends Error {
  constructor(
    readonly file: string,
    readonly names: number,
  ) {
    super(
      `the file has ${names} names (hard links), and a service on another one would damage it: remove the others, or copy the file`,
    );
    this.name = 'HardLinked';
  }
}

/** The path of a file without symbolic links, whether it exists or not. Throws HardLinked. */
export function onePathOf(file: string): string {
  if (file === ':memory:') return file;
  if (!existsSync(file)) return join(realpathSync(dirname(file)), basename(file));
  const { nlink } = statSync(file);
  if (nlink > 1) throw new HardLinked(file, nlink);
  return realpathSync(file);
}

/** Makes an empty file that only its owner can read, unless there is one. Never opens one that exists: closing it would end SQLite's locks. */
export function createPrivate(file: string): void {
  if (existsSync(file)) return;
  closeSync(openSync(file, 'a', 0o600));
}

/** Takes a file, and those SQLite puts next to it, away from everybody but its owner. Files that do not exist, or another's, stay as they are. */
export function makePrivate(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-key`]) {
    if (!existsSync(each) || (statSync(each).mode & 0o077) === 0) continue;
    try {
      chmodSync(each, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
}

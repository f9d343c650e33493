// Commits of SQLite with nothing around them: what a durable write costs at least.
import { DatabaseSync } from 'node:sqlite';

/** Rows there are to write: each fills its own page. */
const ROWS = 1000;

/** Bytes of a row that leave room for no second one on its page. */
const FILL = 3500;

/** A database of its own, with the settings of the service's, whose commits write so many pages each. */
export function bareCommits(file: string, pages: number) {
  const connection = new DatabaseSync(file);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  connection.exec('CREATE TABLE filled (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = connection.prepare('INSERT INTO filled VALUES (?, ?)');
  connection.exec('BEGIN');
  for (let row = 0; row < ROWS; row += 1) insert.run(row, 'x'.repeat(FILL));
  connection.exec('COMMIT');
  const update = connection.prepare('UPDATE filled SET text = ? WHERE id = ?');
  let written = 0;
  return {
    run: async (commits: number): Promise<void> => {
      for (let commit = 0; commit < commits; commit += 1) {
        connection.exec('BEGIN IMMEDIATE');
        for (let page = 0; page < pages; page += 1) {
          written += 1;
          update.run(String(written).padEnd(FILL, 'x'), written % ROWS);
        }
        connection.exec('COMMIT');
      }
    },
    close: (): void => connection.close(),
  };
}

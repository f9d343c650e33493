// What a database holds of each writer, as lines that two databases of the same history share:
// without numbers and times.
import { type Bindable, openDatabase } from '../../service/store/database';
import { SHARED } from './writes';

/** Lines of one writer, sorted. */
export type View = readonly string[];

type Row = { readonly [column: string]: Bindable };

/** The lines of one writer: its own assembly and its variables in the shared one. */
export function viewOf(lines: View, writer: string): View {
  const own = [
    `/acme/${writer}/`,
    `/acme/${writer}"`,
    `/acme/${writer} `,
    `/acme account.Assembly ${writer}"`,
    `"account.Assembly","name":"${writer}"`,
  ];
  const owned = (line: string): boolean =>
    own.some((text) => line.includes(text)) || (line.includes(`/acme/${SHARED}`) && line.includes(`${writer}-v`));
  return lines.filter(owned);
}

/** From here on a number is a record's, a release's or a time (the sequence begins with 1000). */
const FIRST_NUMBER = 1000;

/** Every service salts secrets differently; names of instances contain numbers. */
const textOf = (text: string): string => text.replace(/(::ENCRYPTED::)[\w:-]*/g, '$1').replace(/\d{4,}/g, '#');

/** A second connection to a database file, next to the service that serves it. */
export function readingOf(file: string) {
  const database = openDatabase(file);
  const tables = (): string[] =>
    database
      .all<{ readonly name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .map(({ name }) => name)
      .filter((name) => !['sequence', 'namespaces', 'classes', 'users', 'passwords', 'tokens', 'seal'].includes(name));

  /** Every record, committed or only added, by its number: what other rows mean by it. */
  const labels = (): Map<number, string> => {
    const rows = database.all<{ readonly id: number; readonly label: string }>(
      `SELECT recordId AS id, namespace || ' ' || className || ' ' || name AS label FROM record_changes WHERE action = 'add'
        UNION SELECT id, namespace || ' ' || className || ' ' || name FROM records`,
    );
    return new Map(rows.map(({ id, label }) => [id, textOf(label)]));
  };

  const lineOf = (table: string, row: Row, known: Map<number, string>): string => {
    const shown = Object.entries(row).map(([column, value]) => {
      if (typeof value === 'string') return [column, textOf(value)];
      if (typeof value !== 'number' || value < FIRST_NUMBER) return [column, value];
      return [column, column === 'id' ? '#' : (known.get(value) ?? '#')];
    });
    return `${table} ${JSON.stringify(Object.fromEntries(shown))}`;
  };

  return {
    /** Everything that has to do with records, by any writer. */
    lines: (): View => {
      const known = labels();
      return tables()
        .flatMap((table) => database.all<Row>(`SELECT * FROM ${table}`).map((row) => lineOf(table, row, known)))
        .sort();
    },
    /** What SQLite says of the file: `ok`. */
    integrity: () =>
      database.get<{ readonly integrity_check: string }>('PRAGMA integrity_check(1)')?.integrity_check ?? 'nothing',
    close: (): void => database.close(),
  };
}

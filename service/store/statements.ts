// Statements as text, and what goes into and comes out of them.
// It must not know any table, nor how a statement is run.

/** What may be bound to a statement. Booleans are stored as 0 and 1 by the caller: the library ends the process on one. */
export type Bindable = string | number | null;

/** Whether a statement limits its rows itself, not only one inside of it. */
function isLimited(sql: string): boolean {
  const outer = sql.replace(/\([^()]*\)/g, ' ');
  return outer === sql ? /\bLIMIT\b/.test(sql) : isLimited(outer);
}

/**
 * All rows of a SELECT as one JSON text, in their order, which a limit obliges SQLite to keep. One text is faster than a row at a time, and the
 * library's iterators live on until the garbage collector finds them.
 */
export function listing(sql: string, columns: readonly string[]): string {
  const values = columns.map((name) => `"${name}"`).join(', ');
  return `SELECT json_group_array(json_array(${values})) FROM (${sql}${isLimited(sql) ? '' : ' LIMIT -1'})`;
}

/** A row by its columns' names: made here, since the library takes twice as long to make one. */
export function rowOf(
  columns: readonly string[],
  values: readonly Bindable[],
  open: (text: string) => string,
): { readonly [column: string]: Bindable } {
  const row: { [column: string]: Bindable } = {};
  for (let index = 0; index < columns.length; index += 1) {
    const value = values[index] ?? null;
    row[columns[index] as string] = typeof value === 'string' ? open(value) : value;
  }
  return row;
}

/** Throws for what may not be bound: the library would end the process, or bind null. Types alone do not keep out what came over the wire. */
export function checkBindable(parameters: readonly unknown[]): void {
  for (const each of parameters) {
    if (typeof each === 'string' || each === null || (typeof each === 'number' && !Number.isNaN(each))) continue;
    throw new TypeError(`${typeof each === 'number' ? 'NaN' : typeof each} cannot be bound to a statement`);
  }
}

/** The table a statement writes. */
export const WRITTEN_TABLE = /^\s*(?:INSERT(?: OR [A-Z]+)? INTO|UPDATE|DELETE FROM)\s+(\w+)/;

// What goes into SQL statements and comes out of them.
// Nothing here runs a statement: database.ts does.

/** What may be bound to a statement. Booleans are stored as 0 and 1 by the caller: the library ends the process on one. */
export type Bindable = string | number | null;

/** A row by the names of its columns. */
export type TableRow = { readonly [column: string]: Bindable };

/**
 * All rows of a SELECT as one JSON text. One text is faster than a row at a time, and the library's iterators live on until the garbage collector
 * finds them. The limit makes SQLite keep the order of the SELECT, which must have none of its own; it is bound after the other parameters.
 */
export function listing(sql: string, columns: readonly string[]): string {
  const values = columns.map((name) => `"${name}"`).join(', ');
  return `SELECT json_group_array(json_array(${values})) FROM (${sql} LIMIT ?)`;
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

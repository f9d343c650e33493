// Counts the writes of tables, so that what is remembered of them is forgotten when they are written.
// It must not know SQL, nor what is remembered.

/** How often a table was written since the database was opened; the object stays the same, its count grows. */
export interface Writes {
  readonly count: number;
  /** Another number after every write that may have gone to a place: to it, or to nobody knows where. */
  in(place: string): number;
}

/** Places whose last writes are told apart; with more, all of them count as written. */
const PLACES = 10_000;

/** A table's writes as they are counted: the number of the last one anywhere, and of the last one in each place. */
export interface Counted extends Writes {
  count: number;
  anywhere: number;
  readonly placed: Map<string, number>;
}

/** Counts a write to a place; undefined: to nobody knows where. */
export function countWrite(table: Counted, place: string | undefined): void {
  table.count += 1;
  if (place !== undefined && table.placed.size < PLACES) {
    table.placed.set(place, table.count);
    return;
  }
  table.anywhere = table.count;
  table.placed.clear();
}

/** Nothing is written so far. */
export function newlyCounted(): Counted {
  const placed = new Map<string, number>();
  const table: Counted = { count: 0, anywhere: 0, placed, in: (place) => placed.get(place) ?? table.anywhere };
  return table;
}

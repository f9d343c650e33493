// Which dialect of the service a test plays. A test whose two dialects promise the same is played in one of them by `make test`
// and in the other by `make verify`; DIALECTS=all, as in `make soak`, plays both.
import { DIALECTS, type Dialect } from '../api/contract';

/** The dialects of a test, by its turn: a number that differs from its neighbour's by one. */
export function dialectsInTurn(turn: number): readonly Dialect[] {
  const wanted = process.env['DIALECTS'] ?? 'first';
  if (wanted === 'all') return DIALECTS;
  return DIALECTS.filter((_, index) => (index + turn) % DIALECTS.length === (wanted === 'other' ? 1 : 0));
}

/** A block of tests for the dialects of a turn. `classic`: whether it is that one. */
export const eachDialectInTurn = (turn: number, block: (dialect: Dialect, classic: boolean) => void): void =>
  describe.each(dialectsInTurn(turn))('%s', (dialect) => block(dialect, dialect === 'classic'));

/** Rows of a table, each with its turn, and in front of each the dialects in which it is played. */
export function rowsInTurn<Row extends readonly unknown[]>(
  rows: readonly Row[],
): readonly (readonly [dialect: Dialect, ...row: Row])[] {
  return rows.flatMap((row, turn) => dialectsInTurn(turn).map((dialect) => [dialect, ...row] as const));
}

/** jest's `test` in a block of one dialect. It defines only the tests, and the rows of tables, whose turn that dialect has. */
interface TestInTurn {
  (title: string, play: () => Promise<void> | void): void;
  readonly each: jest.Each;
}

/** The tests of a block have turns in the order in which they are defined. */
export function testInTurn(dialect: Dialect): TestInTurn {
  let turn = 0;
  const hasTurn = (): boolean => dialectsInTurn(turn++).includes(dialect);
  const define = (title: string, play: () => Promise<void> | void): void => {
    if (hasTurn()) test(title, async () => play());
  };
  const each = (rows: readonly unknown[]): unknown => {
    const played = rows.filter(hasTurn);
    return played.length > 0 ? test.each(played) : () => undefined;
  };
  return Object.assign(define, { each: each as jest.Each });
}

// Edits in a chain on one stack of the real engine: each row says where it begins, and after every run everything is as declared.
import type { Dialect } from '../../api/contract';
import type { StackSpec } from '../conformance/stack-spec';
import { dialectsInTurn } from '../dialects-in-turn';
import { findEngine } from '../engine';
import { openStack, type Done, type EngineStack } from './engine-stack';

/** A stack in the hands of a row; every run is judged. */
export interface Play {
  readonly stack: EngineStack;
  readonly dialect: Dialect;
  /** Up to a declaration, with further words: it succeeds, and everything is as declared, without an outage. */
  upTo(spec: StackSpec, ...words: readonly string[]): Promise<Done>;
  /** Up to a declaration that fails, saying why; nothing is out. */
  fails(spec: StackSpec, why: RegExp, ...words: readonly string[]): Promise<Done>;
  /** Up, whatever comes of it. */
  up(spec: StackSpec, ...words: readonly string[]): Promise<Done>;
  /** Nothing is left to do, and everything is as declared. */
  expectClean(spec: StackSpec): Promise<void>;
  /** Deployments fail on records whose path contains this. */
  failing(match: string): void;
  /** The service refuses a route. */
  refusing(...routes: readonly string[]): void;
  /** Nothing fails and nothing is refused any more. */
  mended(): void;
}

interface Row {
  /** Number in the table, and what happens. */
  readonly title: string;
  /** What exists there when it begins; nothing at all when it is left out. */
  readonly from?: StackSpec;
  /** Plays it, and answers what is declared at the end; nothing when the next row should begin with its own stack. */
  play(play: Play): Promise<StackSpec | undefined>;
}

function playOn(stack: EngineStack, dialect: Dialect): Play {
  const { faults, failures } = stack.live.service;
  const up: Play['up'] = (spec, ...words) => stack.up(spec, ...words);
  const expectClean: Play['expectClean'] = async (spec) => {
    expect(await stack.wrong(spec)).toEqual([]);
  };
  return {
    stack,
    dialect,
    up,
    expectClean,

    async upTo(spec, ...words) {
      const done = await up(spec, ...words);
      expect([done.errors, done.code]).toEqual(['', 0]);
      await expectClean(spec);
      return done;
    },

    async fails(spec, why, ...words) {
      const done = await up(spec, ...words);
      expect(done.code).toBe(1);
      expect(done.errors).toMatch(why);
      expect(stack.outages()).toEqual([]);
      return done;
    },

    failing: (match) => failures.set([{ match, message: 'no room' }]),
    refusing: (...routes) =>
      faults.set(routes.map((route) => ({ effect: 'status', status: 422, route, body: { errors: ['no'] } }))),

    mended() {
      failures.set([]);
      faults.set([]);
    },
  };
}

/** What a row of many runs takes on a machine that has much else to do, in ms. */
const PATIENCE = 30 * 60_000;

/** A test for each row, one after the other on one stack; after a row that failed the next one begins with a new stack. */
export function chain(name: string, turn: number, rows: readonly Row[]): void {
  describe.each(dialectsInTurn(turn))(`${name}, %s`, (dialect) => {
    let play: Play | undefined;
    let stands: StackSpec | undefined;

    const close = async (): Promise<void> => {
      const { stack } = play ?? {};
      [play, stands] = [undefined, undefined];
      await stack?.close();
    };

    afterAll(close);

    test.each(rows)(
      '$title',
      async ({ from, play: act }) => {
        if (stands === undefined) await close();
        play ??= playOn(await openStack(await findEngine(), dialect), dialect);
        if (from !== undefined && from !== stands) {
          const done = await play.up(from);
          expect([done.errors, done.code]).toEqual(['', 0]);
          play.stack.outages();
        }
        stands = undefined;
        stands = await act(play);
      },
      PATIENCE,
    );
  });
}

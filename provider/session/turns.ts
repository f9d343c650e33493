// Jobs that may not run at the same time, such as the commit of a design and the writes in it
// (service-facts §11).
const nothing = (): void => undefined;

interface Queue {
  /** When all of them ended. */
  readonly all: Promise<unknown>;
  /** When the last one ended that ran alone. */
  readonly alone: Promise<unknown>;
  /** A job that did not begin yet, and serves all who ask for it until then. */
  readonly shared?: Promise<void> | undefined;
}

export type Turns = Map<string, Queue>;

interface InTurns {
  readonly turns: Turns;
}

const ENDED: Queue = { all: Promise.resolve(), alone: Promise.resolve() };

/** Runs jobs of one key one after the other, in the order they came. */
export function inTurn<T>({ turns }: InTurns, key: string, job: () => Promise<T>): Promise<T> {
  const queue = turns.get(key) ?? ENDED;
  const mine = queue.all.then(job);
  const ended = mine.then(nothing, nothing);
  turns.set(key, { ...queue, all: ended, alone: ended });
  return mine;
}

/** Runs a job at the same time as others, but not while a job of the key has its turn. */
export function besideOthers<T>({ turns }: InTurns, key: string, job: () => Promise<T>): Promise<T> {
  const queue = turns.get(key) ?? ENDED;
  const mine = queue.alone.then(job);
  turns.set(key, { ...queue, all: Promise.allSettled([queue.all, mine]) });
  return mine;
}

/** The same as `inTurn` for a job that serves several callers until it begins. */
export function inSharedTurn(session: InTurns, key: string, job: () => Promise<void>): Promise<void> {
  const { turns } = session;
  const waiting = turns.get(key)?.shared;
  if (waiting) return waiting;
  const shared = inTurn(session, key, () => {
    turns.set(key, { ...(turns.get(key) ?? ENDED), shared: undefined });
    return job();
  });
  turns.set(key, { ...(turns.get(key) ?? ENDED), shared });
  return shared;
}

/** The same session for a job inside a turn: what it writes does not wait for that turn. */
export const insideTurn = <S extends InTurns>(session: S): S => ({ ...session, turns: new Map() });

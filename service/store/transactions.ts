// Group commit: works join one transaction of SQLite, each all or nothing by itself, and one commit puts all of them on the disk.
// A commit waits for the disk, so writes that arrive together share one; who was answered before `settle` returned was answered too early.
type Connection = { readonly inTransaction: boolean; exec(sql: string): unknown };

/** The transaction of one connection. */
interface Transactions {
  /** To be called before each write: the first write of a work begins what `join` ends. */
  begin(): void;
  join<T>(work: () => T): T;
  isPending(): boolean;
  settle(commit: () => void): void;
}

/** Nothing is begun yet. */
export function transactionsOf(connection: Connection): Transactions {
  const state = { isWorking: false, isBegun: false, isFirst: false, isNested: false };
  // A full disk makes SQLite give up the complete transaction in the middle of one work: all works that joined it fail.
  let lost: Error | undefined;
  const takeBack = (error: unknown): void => {
    if (!state.isBegun) return;
    if (!connection.inTransaction) {
      lost = error instanceof Error ? error : new Error(String(error));
    } else if (state.isNested) {
      connection.exec('ROLLBACK TO nested; RELEASE nested');
    } else if (state.isFirst) {
      connection.exec('ROLLBACK');
      state.isBegun = false;
    }
  };
  return {
    begin: () => {
      if (!state.isWorking) return;
      if (!state.isBegun) connection.exec('BEGIN IMMEDIATE');
      else if (!state.isFirst && !state.isNested) connection.exec('SAVEPOINT nested');
      state.isNested = !state.isFirst;
      state.isBegun = true;
    },
    join: (work) => {
      if (state.isWorking) throw new Error('a transaction is under way');
      if (lost !== undefined) throw lost;
      Object.assign(state, { isWorking: true, isFirst: !state.isBegun, isNested: false });
      try {
        const result = work();
        if (state.isNested) connection.exec('RELEASE nested');
        return result;
      } catch (error) {
        takeBack(error);
        throw error;
      } finally {
        state.isWorking = false;
      }
    },
    isPending: () => state.isBegun,
    settle: (commit) => {
      const failure = lost;
      lost = undefined;
      try {
        if (failure !== undefined) throw failure;
        commit();
      } catch (error) {
        if (connection.inTransaction) connection.exec('ROLLBACK');
        throw error;
      } finally {
        state.isBegun = false;
      }
    },
  };
}

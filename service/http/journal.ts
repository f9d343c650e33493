// The journal: one entry for every request, in order, without bodies and tokens.

/** One request as the journal keeps it. */
export interface JournalEntry {
  /** From 1, without gaps. */
  readonly n: number;
  /** ms since 1970, on the service's clock. */
  readonly at: number;
  /** User name; null when the token was missing or bad. */
  readonly user: string | null;
  readonly method: string;
  /** With `…` for the values of its query: they may be secrets. A very long path is cut. */
  readonly path: string;
  /** Route name of the contract; null when nothing is served there. */
  readonly route: string | null;
  /** 0 when a fault left no answer. */
  readonly status: number;
  /** How long the answer took, in ms of the wall clock. */
  readonly ms: number;
  /** Effect of the fault that struck the request; absent when none did. */
  readonly fault?: string;
}

/** Entries kept in memory; each also goes to `tell` as it is made. */
const KEPT = 10_000;

/** Entries beyond those, before the oldest go together. */
const MORE = 500;

/** Most characters of a path that are kept: thousands of the longest would fill the memory. */
const LONGEST_PATH = 2000;

/** A path as it is kept; a copy, since a part of a text keeps all of it in memory. */
const shortened = (path: string): string =>
  path.length <= LONGEST_PATH ? path : `${Buffer.from(path.slice(0, LONGEST_PATH)).toString()}…`;

/** A path without the values of its query. */
const masked = (path: string): string => {
  const at = path.indexOf('?');
  return at < 0 ? path : `${path.slice(0, at)}${path.slice(at).replace(/=[^&]*/g, '=…')}`;
};

export type Journal = ReturnType<typeof createJournal>;

export function createJournal(tell: (entry: JournalEntry) => void = () => undefined) {
  const entries: JournalEntry[] = [];
  let count = 0;
  return {
    add: (entry: Omit<JournalEntry, 'n'>): void => {
      count += 1;
      const numbered = { n: count, ...entry, path: shortened(masked(entry.path)) };
      entries.push(numbered);
      if (entries.length > KEPT + MORE) entries.splice(0, entries.length - KEPT);
      tell(numbered);
    },
    /** The newest entries, oldest first. */
    entries: (): readonly JournalEntry[] => entries.slice(-KEPT),
  };
}

// The journal: one entry for every request, in order, without bodies and tokens.
// It must not know what the requests were about.

/** One request as the journal keeps it. */
export interface JournalEntry {
  /** From 1, without gaps. */
  readonly n: number;
  /** ms since 1970, on the service's clock. */
  readonly at: number;
  /** User name; null when the token was missing or bad. */
  readonly user: string | null;
  readonly method: string;
  /** With query string. */
  readonly path: string;
  /** Route name of the contract; null when nothing is served there. */
  readonly route: string | null;
  readonly status: number;
  /** How long the answer took, in ms of the wall clock. */
  readonly ms: number;
}

export interface Journal {
  readonly add: (entry: Omit<JournalEntry, 'n'>) => void;
  /** The newest entries, oldest first. */
  readonly entries: () => readonly JournalEntry[];
}

/** Entries kept in memory; each also goes to `tell` as it is made. */
const KEPT = 10_000;

/** An empty journal. */
export function createJournal(tell: (entry: JournalEntry) => void = () => undefined): Journal {
  const entries: JournalEntry[] = [];
  let count = 0;
  return {
    add: (entry) => {
      count += 1;
      const numbered = { n: count, ...entry };
      entries.push(numbered);
      if (entries.length > 2 * KEPT) entries.splice(0, entries.length - KEPT);
      tell(numbered);
    },
    entries: () => entries.slice(-KEPT),
  };
}

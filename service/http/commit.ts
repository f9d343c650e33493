// One commit for all requests that came while the one before was under way: what they wrote goes to the disk together.

/** Why what was pending could not be written to the disk. */
export interface Lost {
  readonly error: unknown;
}

/** Resolves to undefined once what is pending is on the disk; or to the reason why it is not, and then nothing of it is left. */
export type OnDisk = () => Promise<Lost | undefined>;

/**
 * Commits once for everybody who waits; `failed` gets the reason once if it could not. Not immediately: first node hands over the requests whose bytes
 * are here already, and only then runs what `setImmediate` was given. A caller alone loses a few microseconds by that; many share the time that
 * the disk takes.
 */
export function createCommit(settle: () => void, failed: (error: unknown) => void): OnDisk {
  let waiting: Promise<Lost | undefined> | undefined;
  const commit = (): Lost | undefined => {
    waiting = undefined;
    try {
      settle();
      return undefined;
    } catch (error) {
      failed(error);
      return { error };
    }
  };
  return () => (waiting ??= new Promise((resolve) => setImmediate(() => resolve(commit()))));
}

// One commit for all requests that came while the one before was under way: what they wrote goes to the disk together.
// It must not know requests, nor what was written.

/** Resolves when what is pending is on the disk: true; or when it could not be put there, and nothing of it is left: false. */
export type OnDisk = () => Promise<boolean>;

/**
 * Commits once for everybody who waits; `failed` is told why it could not be, once. Not at once: first node hands over the requests whose bytes
 * are here already, and only then runs what `setImmediate` was given. A caller alone loses a few microseconds by that; many share the time that
 * the disk takes.
 */
export function createCommit(settle: () => void, failed: (error: unknown) => void): OnDisk {
  let waiting: Promise<boolean> | undefined;
  const commit = (): boolean => {
    waiting = undefined;
    try {
      settle();
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  };
  return () => (waiting ??= new Promise((resolve) => setImmediate(() => resolve(commit()))));
}

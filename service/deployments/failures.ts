// Work orders made to fail on purpose: people test their pipelines with it, and so do we.

/** Makes work orders fail. */
export interface Failure {
  /**
   * End of the path `/organization/assembly/environment/platform/component` of the component, of one of its instances
   * (`…/platform/compute-6202-1`), or of the component on one cloud (`…/platform/compute@west`), from a slash on: `web/compute`,
   * `prod/web/compute@west`.
   */
  readonly match: string;
  /** What the work order says of it. */
  readonly message: string;
  /** How many work orders fail; left out: every one. */
  readonly times?: number;
}

/** The failures in force. Kept in memory for the life of one service. */
export interface Failures {
  /** Replaces all failures in force. */
  set(failures: readonly Failure[]): void;
  /** What is in force, with the times left. */
  list(): readonly Failure[];
  /** The message an order with these paths fails with, or undefined; counts down. */
  take(paths: readonly string[]): string | undefined;
}

/** A holder of failures. */
export function createFailures(initial: readonly Failure[] = []): Failures {
  let current = [...initial];
  return {
    set: (failures) => {
      current = [...failures];
    },
    list: () => current,
    take: (paths) => {
      const index = current.findIndex(
        (failure) => failure.times !== 0 && paths.some((path) => endsIn(path, failure.match)),
      );
      const failure = current[index];
      if (failure === undefined) return undefined;
      if (failure.times !== undefined) current = current.with(index, { ...failure, times: failure.times - 1 });
      return failure.message;
    },
  };
}

function endsIn(path: string, match: string): boolean {
  const wanted = match.startsWith('/') ? match : `/${match}`;
  return path.endsWith(wanted);
}

// Runs something again whenever a file that it read changes.
// It must not know what is run.
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** How one run ended, and the files that it read or looked for. */
export interface RepeatedRun {
  readonly code: number;
  readonly read: readonly string[];
}

/** Time after a change in which further changes belong to it, in ms: an editor writes a file in several steps. */
const SETTLE = 50;

/**
 * Runs an action, and again after each change of a file that it read, until the signal. Resolves to the exit code of the last run. A run that throws has
 * exit code 1, and its message is written to stderr; what it would have read is then what the run before it read.
 */
export function whileChanging(action: () => RepeatedRun, end: AbortSignal): Promise<number> {
  let last: RepeatedRun = { code: 1, read: [] };
  let watchers: readonly FSWatcher[] = [];
  let settling: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(settling);
    watchers.forEach((watcher) => watcher.close());
  };
  const again = (): void => {
    close();
    // Before the files are read: a change while they are read is seen then.
    watchers = watched(last.read, changed);
    const before = last.read;
    last = attempted(action, before);
    if (last.read.some((file) => !before.includes(file))) {
      watchers.forEach((watcher) => watcher.close());
      watchers = watched(last.read, changed);
    }
  };
  const changed = (): void => {
    clearTimeout(settling);
    settling = setTimeout(again, SETTLE);
  };
  return new Promise((done) => {
    end.addEventListener('abort', () => {
      close();
      done(last.code);
    });
    again();
  });
}

function attempted(action: () => RepeatedRun, before: readonly string[]): RepeatedRun {
  try {
    return action();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return { code: 1, read: before };
  }
}

/**
 * Watches the folders of files: a file that is replaced is another one, and one that does not exist yet cannot be watched. A name with `*` or `?` is
 * any in its folder; of a folder that does not exist, the nearest one above it is watched for it.
 */
function watched(files: readonly string[], changed: () => void): readonly FSWatcher[] {
  const names = new Map<string, Set<string>>();
  for (const file of files.map((each) => nearestPath(resolve(each)))) {
    const folder = dirname(file);
    names.set(folder, (names.get(folder) ?? new Set()).add(/[*?]/.test(basename(file)) ? ANY : basename(file)));
  }
  return [...names].map(([folder, wanted]) =>
    watch(folder, (_, name) => {
      if (name === null || wanted.has(ANY) || wanted.has(name)) changed();
    }),
  );
}

const ANY = '*';

/** The path, or the part of it whose folder exists. */
const nearestPath = (path: string): string =>
  existsSync(dirname(path)) || dirname(path) === path ? path : nearestPath(dirname(path));

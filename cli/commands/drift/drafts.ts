// Files as they are to be written: each decision reads what the one before made of them.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { unifiedDiff } from '../../../drift';
import { replaceFile } from '../../here/replace-file';
import { textIn } from './sources';

/** Texts by the path of their file, whatever the current folder is when one is requested. */
export type Drafts = ReturnType<typeof newDrafts>;

interface Draft {
  /** As it is on the disk; undefined for a file that is to be made. */
  readonly before: string | undefined;
  readonly text: string;
}

const textOnDisk = (path: string): string | undefined => (existsSync(path) ? textIn(path).text : undefined);

export function newDrafts() {
  const start = process.cwd();
  const drafts = new Map<string, Draft>();
  const named = (path: string): string => relative(start, path);
  const changed = (): readonly (readonly [string, Draft])[] =>
    [...drafts].filter(([, { before, text }]) => text !== before);
  return {
    /** The text that a file is to have; undefined when nothing changes it. */
    textOf: (name: string): string | undefined => drafts.get(resolve(name))?.text,
    put: (name: string, text: string): void => {
      const path = resolve(name);
      const { before } = drafts.get(path) ?? { before: textOnDisk(path) };
      drafts.set(path, { before, text });
    },
    /** Files that change, as paths from the folder in which the drafts began. */
    names: (): readonly string[] => changed().map(([path]) => named(path)),
    diff: (): string =>
      changed()
        .map(([path, { before = '', text }]) => unifiedDiff(named(path), before, text))
        .join(''),
    /** Writes every file. Throws Error for an edited file, before the first, or a failure. */
    write: (): void => {
      const edited = changed().find(([path, { before }]) => textOnDisk(path) !== before);
      if (edited)
        throw new Error(`nothing was written or sent: somebody edited ${named(edited[0])} meanwhile; review again`);
      const names = changed().map(([path]) => named(path));
      for (const [index, [path, { text }]] of changed().entries())
        try {
          replaceFile(path, text);
        } catch (error) {
          throw notWritten(names.slice(0, index), names.slice(index), error);
        }
    },
  };
}

/** The error for files that are written in part: some of them have decisions. */
function notWritten(done: readonly string[], open: readonly string[], error: unknown): Error {
  const [failed = ''] = open;
  const state =
    done.length === 0
      ? 'nothing was written or sent'
      : `written: ${done.join(', ')}; not written: ${open.join(', ')}; no request was sent`;
  const why = String((error as NodeJS.ErrnoException).code);
  return new Error(
    `cannot write ${failed}: ${why}; ${state}: make sure that ${failed} can be written, and review again`,
  );
}

// Which lines of a file a pull or merge request changes, from its unified difference.

/** A file that a request changes. */
export interface FilePatch {
  /** Its path before the change. */
  readonly path: string;
  /** Hunks of a unified difference; empty where the platform shows none: of binary and of very long files. */
  readonly patch: string;
}

/** The lines of the old file, from 1, that a difference removes or replaces. */
function changedLines(patch: string): ReadonlySet<number> {
  const lines = new Set<number>();
  let line = 0;
  let left = 0;
  for (const text of patch.split('\n')) {
    const [, start, count = '1'] = /^@@ -(\d+)(?:,(\d+))? \+/.exec(text) ?? [];
    if (start !== undefined) [line, left] = [Number(start), Number(count)];
    else if (left > 0 && (text.startsWith('-') || text.startsWith(' ') || text === '')) {
      if (text.startsWith('-')) lines.add(line);
      line += 1;
      left -= 1;
    }
  }
  return lines;
}

/** Whether one of the patches changes a line of a file. */
export const touches = (patches: readonly FilePatch[], path: string, line: number): boolean =>
  patches.some((each) => each.path === path && changedLines(each.patch).has(line));

// Several files of one stack as one tree.
import type { Entry, MapNode } from '../yaml/tree';
import type { BindScope } from './scope';

/** The parts of a stack. */
export const TOP_LEVEL: readonly string[] = [
  'config',
  'env',
  'assembly',
  'clouds',
  'design',
  'variables',
  'platforms',
  'environments',
  'outputs',
];

/** Whether a key at the top is a person's own, such as for anchors: its value means nothing to a stack. */
export const isOwnKey = (key: string): boolean => key.startsWith('x-');

/** Parts that are maps by name: files add to them. */
const SHARED = ['config', 'clouds', 'variables', 'platforms', 'environments', 'outputs'];

/** The roots of all files as one; a name that is declared in two files is reported at the second. */
export function joinFiles(scope: BindScope, first: MapNode, roots: readonly MapNode[]): MapNode {
  if (roots.length === 1) return first;
  return {
    ...first,
    entries: joinEntries(
      scope,
      roots.flatMap(({ entries }) => entries.filter(({ key }) => !isOwnKey(key))),
      true,
    ),
  };
}

function joinEntries(scope: BindScope, entries: readonly Entry[], areParts: boolean): readonly Entry[] {
  const joined = new Map<string, Entry>();
  for (const entry of entries) {
    const before = joined.get(entry.key);
    if (!before) {
      joined.set(entry.key, entry);
    } else if (areParts && SHARED.includes(entry.key) && before.value.form === 'map' && entry.value.form === 'map') {
      const value = {
        ...before.value,
        entries: joinEntries(scope, [...before.value.entries, ...entry.value.entries], false),
      };
      joined.set(entry.key, { ...before, value });
    } else if (areParts && entry.key === 'env' && before.value.form === 'list' && entry.value.form === 'list') {
      joined.set(entry.key, {
        ...before,
        value: { ...before.value, items: [...before.value.items, ...entry.value.items] },
      });
    } else if (!(areParts && entry.value.form === 'scalar' && entry.value.value === null)) {
      const { file, start } = before.at;
      scope.report.error(
        entry,
        'duplicate-key',
        `"${entry.key}" is declared in two files`,
        `the first is in ${file} at ${start.line}:${start.column}`,
      );
    }
  }
  return [...joined.values()];
}

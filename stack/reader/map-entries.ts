// The entries of a map: each key once, and what the merge keys of YAML 1.1 (`<<`) bring.
// It must not know the YAML library, nor what any key means.
import type { Report } from '../findings/finding';
import { isNull, type Entry, type Node, type Placed } from './tree';

/** Told of an entry that a later one with the same key takes the place of, in files whose readers take the last one. */
export type Replaced = (former: Entry, last: Entry) => void;

/**
 * Entries with each key once. A key that is written twice is reported; of two maps both count, else the first one. With `replaced`, the last one
 * counts, and nothing is reported.
 */
export function uniqueEntries(report: Report, entries: readonly Entry[], replaced?: Replaced): readonly Entry[] {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const former = first.get(entry.key);
    if (former === undefined) {
      first.set(entry.key, entry);
      continue;
    }
    if (replaced !== undefined) {
      replaced(former, entry);
      first.set(entry.key, entry);
      continue;
    }
    const { line, column } = former.at.start;
    report.error(
      entry,
      'duplicate-key',
      `"${entry.key}" is given twice in this map`,
      `the first is at ${line}:${column}`,
    );
    first.set(entry.key, joined(former, entry));
  }
  return [...first.values()];
}

/** The former entry, with what the later one has besides: nothing is missing that a person wrote. */
function joined(former: Entry, { value }: Entry): Entry {
  if (former.value.form !== 'map' || value.form !== 'map') return former;
  return { ...former, value: { ...former.value, entries: withMerged(former.value.entries, value.entries) } };
}

/** A map's own entries and those of merged maps: its own win, and of merged ones the first. */
export function withMerged(own: readonly Entry[], merged: readonly Entry[]): readonly Entry[] {
  const first = new Map<string, Entry>();
  for (const entry of [...own, ...merged]) if (!first.has(entry.key)) first.set(entry.key, entry);
  return [...first.values()];
}

/**
 * What `<<` with a value brings into the map around it: the entries of a map, or of a list of maps, at the place of the key. Their values stay
 * where they are written, as those of aliases do.
 */
export function mergedEntries(report: Report, key: Placed, value: Node): readonly Entry[] {
  const maps = value.form === 'list' ? value.items : isNull(value) ? [] : [value];
  const around = key.path.slice(0, -1);
  return maps.flatMap((map) => {
    if (map.form === 'map') return map.entries.map((entry) => ({ ...entry, path: [...around, entry.key], at: key.at }));
    if (map.form !== 'failed') report.error(key, 'merge-key', '"<<" takes a map, or a list of maps', 'write <<: *NAME');
    return [];
  });
}

/** Whether everything that `<<` names could be brought. */
export const bringsAll = (value: Node): boolean =>
  value.form === 'list'
    ? value.items.every(bringsAll)
    : isNull(value) || (value.form === 'map' && value.isPartial !== true);

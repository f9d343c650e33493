// Two trees of equal rank as one: a key that both give a value is a finding at both places.
// It must not know what any key means.
import { problem } from '../../api/contract';
import type { Report } from '../findings/finding';
import { entryOf, isNull, type Entry, type MapNode, type Node } from '../reader/tree';

/** Whether a node came with an overlay. */
export const isOverlay = ({ via = [] }: { readonly via?: Entry['via'] }): boolean =>
  via.some(({ how }) => how === 'overlay');

/** A map whose keys can be merged: not the call of a function. */
export const isPlainMap = (node: Node): node is MapNode =>
  node.form === 'map' && !node.entries.some(({ key }) => key.startsWith('fn::'));

/** Two maps of equal rank as one. A key that both give a value is reported; the first one counts. */
export function joinMaps(report: Report, first: MapNode, second: MapNode): MapNode {
  const entries = new Map(first.entries.map((entry) => [entry.key, entry]));
  for (const entry of second.entries) {
    const before = entries.get(entry.key);
    if (before === undefined || isNull(before.value)) entries.set(entry.key, entry);
    else if (isPlainMap(before.value) && isPlainMap(entry.value))
      entries.set(entry.key, { ...before, value: joinMaps(report, before.value, entry.value) });
    else if (!isNull(entry.value) && before.value.form !== 'failed' && entry.value.form !== 'failed')
      reportTwice(report, before, entry);
  }
  return { ...first, entries: [...entries.values()] };
}

/** Reports that a name is declared in two places. */
export function reportTwice(report: Report, first: Entry, second: Entry): void {
  report.add(problem('duplicate-key', second.path, `"${second.key}" is declared twice`), second, [
    { at: first.at, text: 'the first is here' },
  ]);
}

/** A map without some of its keys. */
export function without(map: MapNode, keys: readonly string[]): MapNode {
  if (!keys.some((key) => entryOf(map, key))) return map;
  return { ...map, entries: map.entries.filter(({ key }) => !keys.includes(key)) };
}

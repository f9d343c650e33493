// Two trees as one: what is nearer wins, and where neither is nearer, a conflict is a finding at both places.
// It must not know what any key means.
import { problem } from '../../api/contract';
import type { Report } from '../findings/finding';
import { entryOf, isNull, type Entry, type ListNode, type MapNode, type Node } from '../reader/tree';

/** Which of two maps a merged map is written as: findings about the whole, and new keys, belong there. */
type Written = 'base' | 'over';

/** Whether a node came with an overlay. */
export const isOverlay = ({ via = [] }: { readonly via?: Entry['via'] }): boolean =>
  via.some(({ how }) => how === 'overlay');

/** A map whose keys can be merged: not the call of a function. */
const isPlainMap = (node: Node): node is MapNode =>
  node.form === 'map' && !node.entries.some(({ key }) => key.startsWith('fn::'));

/** The list of `{ append: [...] }`. */
export function appended(node: Node): ListNode | undefined {
  const [only, ...others] = node.form === 'map' ? node.entries : [];
  return only?.key === 'append' && others.length === 0 && only.value.form === 'list' ? only.value : undefined;
}

/** `over` laid over `base`: maps are merged, null removes a key of the base, `{ append: [...] }` adds to its list, and anything else replaces its value. */
export function mergeMaps(base: MapNode, over: MapNode, written: Written): MapNode {
  if (base.entries.length === 0 && written === 'over') return over;
  const entries = new Map(base.entries.map((entry) => [entry.key, entry]));
  for (const entry of over.entries) {
    const before = entries.get(entry.key);
    if (before === undefined) entries.set(entry.key, entry);
    else if (isNull(entry.value)) entries.delete(entry.key);
    else entries.set(entry.key, mergeEntries(before, entry, written));
  }
  return { ...(written === 'base' ? base : over), entries: [...entries.values()] };
}

/** An entry laid over another of its key. */
export function mergeEntries(base: Entry, over: Entry, written: Written): Entry {
  const more = appended(over.value);
  if (more && base.value.form === 'list')
    return { ...base, value: { ...base.value, items: [...base.value.items, ...more.items] } };
  if (!isPlainMap(base.value) || !isPlainMap(over.value)) return over;
  return { ...(written === 'base' ? base : over), value: mergeMaps(base.value, over.value, written) };
}

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

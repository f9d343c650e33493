// Lays maps over each other: the body of a template, the file's own keys, the overlay. Layers stay
// separate until each key is settled, so that each layer acts on everything below it. Merging two
// at a time would let the null of an overlay replace the null of the file.
import type { Report } from '../findings/finding';
import { entryOf, isNull, type Entry, type MapNode, type Node, type Placed } from '../yaml/tree';

/** Maps that are laid over each other, the lowest first. */
export type Layers = readonly MapNode[];

/** The value that one layer gives to a key. `layer` is its place among the layers. */
interface LayeredEntry {
  readonly entry: Entry;
  readonly layer: number;
}

/** The values that the layers give to one key, the lowest first. */
export type Layered = readonly LayeredEntry[];

/** Whether a node came with an overlay. */
export const isOverlay = ({ via = [] }: { readonly via?: Entry['via'] }): boolean =>
  via.some(({ how }) => how === 'overlay');

/** A map whose keys can be merged: not the call of a function. */
export const isPlainMap = (node: Node): node is MapNode =>
  node.form === 'map' && !node.entries.some(({ key }) => key.startsWith('fn::'));

export function without(map: MapNode, keys: readonly string[]): MapNode {
  if (!keys.some((key) => entryOf(map, key))) return map;
  return { ...map, entries: map.entries.filter(({ key }) => !keys.includes(key)) };
}

export const entriesInLayers = (layers: Layers, key: string): Layered =>
  layers.flatMap((map, layer) => {
    const entry = entryOf(map, key);
    return entry ? [{ entry, layer }] : [];
  });

/**
 * What counts of the values of one key: maps that are merged, or one other value; nothing when the
 * key is removed. Null removes what is below it, and anything else takes its place.
 */
export function counting(layered: Layered): Layered {
  let all: Layered = [];
  for (const [index, given] of layered.entries()) {
    const { value } = given.entry;
    const last = all.at(-1);
    if (isNull(value)) all = index === 0 ? [given] : [];
    else if (isPlainMap(value) && last && isPlainMap(last.entry.value)) all = [...all, given];
    else all = [given];
  }
  return all;
}

/** The layer that a merged map is written as: the thing itself; an overlay if there is none. */
export function writtenAs<P extends Placed>(layers: readonly P[]): P | undefined {
  return layers.findLast((each) => !isOverlay(each)) ?? layers.at(-1);
}

export const byKey = (layers: Layers): ReadonlyMap<string, Layered> =>
  Map.groupBy(
    layers.flatMap(({ entries }, layer) => entries.map((entry) => ({ entry, layer }))),
    ({ entry }) => entry.key,
  );

/** The values of the layers for one key as one entry; undefined when it is removed. */
export function mergedEntry(layered: Layered): Entry | undefined {
  const counted = counting(layered).map(({ entry }) => entry);
  const entry = writtenAs(counted);
  const maps = counted.flatMap(({ value }) => (value.form === 'map' ? [value] : []));
  return entry && maps.length > 1 ? { ...entry, value: mergedMap(maps) } : entry;
}

/** The layers as one map, with no word carried out. */
export function mergedMap(layers: Layers): MapNode {
  const entries = [...byKey(layers).values()].flatMap((layered) => mergedEntry(layered) ?? []);
  const map = writtenAs(layers);
  if (map === undefined) throw new TypeError('a map needs a layer');
  return { ...map, entries };
}

/** Two maps of equal rank as one. A key in both is reported at both; the first counts. */
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
  const related = [{ at: first.at, text: 'the first is here' }];
  report.error(second, 'duplicate-key', `"${second.key}" is declared twice`, undefined, related);
}

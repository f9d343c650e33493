// What a thing extends and uses, its own keys, and the overlay: layers that stay apart until each key is settled, so that each of them acts on all
// that is below it. Merged two at a time, the null of an overlay would take the place of the null of the file.
// It must not know what any key means, nor where the layers come from.
import { entryOf, isNull, type Entry, type ListNode, type MapNode, type Node, type Placed } from '../reader/tree';
import { isPlainMap, isOverlay } from './merge';

/** Maps that are laid over each other, the lowest first. */
export type Layers = readonly MapNode[];

/** What one layer gives to a key. `layer` is its place among the layers. */
interface Given {
  readonly entry: Entry;
  readonly layer: number;
}

/** What the layers give to one key, the lowest first. */
export type Gifts = readonly Given[];

/** Returns the list to which `append` adds, for a value that is not written as one; undefined when it is none, which was reported. */
export type ListOf = (base: Entry, more: Entry) => ListNode | undefined;

/** The list of `{ append: [...] }`. */
export function appended(node: Node): ListNode | undefined {
  const [only, ...others] = node.form === 'map' ? node.entries : [];
  return only?.key === 'append' && others.length === 0 && only.value.form === 'list' ? only.value : undefined;
}

/** What the layers give to a key. */
export const giftsOf = (layers: Layers, key: string): Gifts =>
  layers.flatMap((map, layer) => {
    const entry = entryOf(map, key);
    return entry ? [{ entry, layer }] : [];
  });

/**
 * What counts of the values of one key: maps that are merged, or one other value; nothing when the key is removed. Null removes what is below it,
 * `{ append: [...] }` adds to the list below it, and anything else takes its place.
 */
export function counting(gifts: Gifts, listOf: ListOf): Gifts {
  let all: Gifts = [];
  for (const [index, given] of gifts.entries()) {
    const { entry } = given;
    const last = all.at(-1);
    const more = appended(entry.value);
    if (isNull(entry.value)) all = index === 0 ? [given] : [];
    else if (more && index > 0) all = [appendedTo(last, given, { more, listOf })];
    else if (isPlainMap(entry.value) && last && isPlainMap(last.entry.value)) all = [...all, given];
    else all = [given];
  }
  return all;
}

function appendedTo(
  last: Given | undefined,
  given: Given,
  { more, listOf }: { readonly more: ListNode; readonly listOf: ListOf },
): Given {
  if (last === undefined || isNull(last.entry.value)) return { ...given, entry: { ...given.entry, value: more } };
  const { value } = last.entry;
  const base = value.form === 'list' ? value : (appended(value) ?? listOf(last.entry, given.entry));
  const { path, at } = given.entry.value;
  const whole: Node = base ? { ...base, items: [...base.items, ...more.items] } : { form: 'failed', path, at };
  return { ...last, entry: { ...last.entry, value: whole } };
}

/** Which of several layers a merged map is written as: the thing itself, over what it is made of; an overlay only where the file has no such thing. */
export function writtenAs<P extends Placed>(layers: readonly P[]): P | undefined {
  return layers.findLast((each) => !isOverlay(each)) ?? layers.at(-1);
}

/** What the layers give, by key. */
export function byKey(layers: Layers): ReadonlyMap<string, Gifts> {
  const all = new Map<string, Given[]>();
  layers.forEach((map, layer) => {
    for (const entry of map.entries) {
      const gifts = all.get(entry.key);
      if (gifts) gifts.push({ entry, layer });
      else all.set(entry.key, [{ entry, layer }]);
    }
  });
  return all;
}

/** What the layers give to one key as one entry; undefined when it is removed. */
export function mergedEntry(gifts: Gifts, listOf: ListOf): Entry | undefined {
  const counted = counting(gifts, listOf).map(({ entry }) => entry);
  const entry = writtenAs(counted);
  const maps = counted.flatMap(({ value }) => (value.form === 'map' ? [value] : []));
  return entry && maps.length > 1 ? { ...entry, value: mergedMap(maps, listOf) } : entry;
}

/** The layers as one map, with no word carried out. */
export function mergedMap(layers: Layers, listOf: ListOf): MapNode {
  const entries = [...byKey(layers).values()].flatMap((gifts) => mergedEntry(gifts, listOf) ?? []);
  const [lowest] = layers;
  const map = writtenAs(layers) ?? lowest;
  if (map === undefined) throw new TypeError('a map needs a layer');
  return { ...map, entries };
}

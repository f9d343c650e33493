// Keys that a person misspelt, read as the ones that were meant. A stack with such a key is wrong all the same; what only follows from the key is not
// reported again.
// It must not know what any key means.
import type { Range } from './source';
import { entryOf, type Entry, type MapNode, type Node } from './tree';

/** The key that is meant, by the place of the one that is written. */
export type MeantKeys = ReadonlyMap<string, string>;

/** The place of a key, as `MeantKeys` have it. */
export const keyPlace = ({ file, start, end }: Range): string => `${file}:${start.offset}-${end.offset}`;

/** A tree with the keys that are meant, where they are not written as well. */
export function asMeant(root: MapNode, meant: MeantKeys): MapNode {
  return meant.size === 0 ? root : mapAsMeant(root, meant);
}

function mapAsMeant(map: MapNode, meant: MeantKeys): MapNode {
  const entries = map.entries.map((entry): Entry => {
    const key = meant.get(keyPlace(entry.at));
    const isFree = key !== undefined && entryOf(map, key) === undefined;
    return { ...entry, ...(isFree ? { key } : {}), value: nodeAsMeant(entry.value, meant) };
  });
  return { ...map, entries };
}

function nodeAsMeant(node: Node, meant: MeantKeys): Node {
  if (node.form === 'map') return mapAsMeant(node, meant);
  return node.form === 'list' ? { ...node, items: node.items.map((item) => nodeAsMeant(item, meant)) } : node;
}

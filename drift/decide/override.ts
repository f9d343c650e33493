// Values that composing copied: where one of them can be given another value alone, and what to say when it cannot.
// It must not know what the values mean, nor how a change is judged.
import type { Entry, MapNode, Placed } from '../../stack';
import type { FilePlace } from '../review/review';
import { startOf } from '../review/subjects';
import { addBelow, type Edit } from './edits';
import { asWritten, mapNode, type StackReading } from './file-tree';
import type { Obstacle } from './splice';

const COPIES: { readonly [how: string]: string } = {
  template: 'a template',
  argument: 'an argument of a template or of each',
  each: 'each',
};

const copyOf = ({ via = [] }: Placed): string | undefined =>
  via.map(({ how }) => COPIES[how]).find((word) => word !== undefined);

/** A value for an entry of the composed file: `keys` lead to it below `own`. */
export interface Override {
  readonly own: Entry;
  readonly keys: readonly string[];
  /** Undefined: the key is to be removed. */
  readonly value: unknown;
}

/**
 * The ways to give one of several copies another value, the nearest first: next to the word that makes the copy, then in the overlay of this stack. What
 * the overlay brought is given there first: next to the word, other stacks would get it, too.
 */
export function overridesFor(
  reading: StackReading,
  { own, keys, value }: Override,
): readonly { readonly place: Entry; readonly edit: Edit }[] {
  const chain = chainInTree(reading.root, own) ?? [];
  const put = value === undefined ? null : value;
  const first = chain.findIndex((entry) => copyOf(entry) !== undefined);
  const copied = first < 0 ? [] : chain.slice(first);
  const place = first < 0 ? chain.at(-1) : chain[first - 1];
  // What `each` makes has no place that makes it alone.
  const isRepeated = copied[0]?.via?.some(({ how }) => how === 'each') === true;
  const overlay = overlayOf(reading);
  const written = place && !isRepeated ? asWritten(reading, place) : undefined;
  const ways = [
    ...(written ? [{ place: written, below: copied }] : []),
    ...(overlay && chain.length > 0 ? [{ place: overlay, below: chain }] : []),
  ];
  const isOfOverlay = [...chain, ...entriesAt(own, keys)].some(({ via, value: { via: of } }) =>
    [...(via ?? []), ...(of ?? [])].some(({ how }) => how === 'overlay'),
  );
  return (isOfOverlay ? ways.reverse() : ways).flatMap((each) => {
    const path = [...each.below.map(({ key }) => key), ...keys];
    return path.length === 0 ? [] : [{ place: each.place, edit: addBelow(reading, each.place, path, put) }];
  });
}

/** The entries that keys lead to below one, as far as there are any. */
function entriesAt(own: Entry, [key, ...rest]: readonly string[]): readonly Entry[] {
  const entry = mapNode(own)?.entries.find((each) => each.key === key);
  return entry ? [entry, ...entriesAt(entry, rest)] : [];
}

/** The entries of the composed tree that lead to one of them, itself last. */
function chainInTree(map: MapNode, wanted: Entry): readonly Entry[] | undefined {
  for (const entry of map.entries) {
    if (entry === wanted) return [entry];
    const inner = mapNode(entry);
    const below = inner && chainInTree(inner, wanted);
    if (below) return [entry, ...below];
  }
  return undefined;
}

/** The entry of the overlay that was chosen. */
function overlayOf({ roots, overlay }: StackReading): Entry | undefined {
  const named = (entry: Entry | undefined, key: string | undefined): Entry | undefined =>
    mapNode(entry)?.entries.find((each) => each.key === key);
  return [...roots.values()]
    .map((root) => named(named(root, 'overlays'), overlay))
    .find((found) => found !== undefined);
}

/** Why a copied value was not changed where it is written, and what a person can do; undefined if no word of composition copied it. */
export function sharedCopy(
  { own, keys }: Override,
  { reason }: Obstacle,
): { readonly why: string; readonly next: string; readonly at: FilePlace } | undefined {
  let entry = own;
  for (const key of keys) entry = mapNode(entry)?.entries.find((each) => each.key === key) ?? entry;
  const copied = copyOf(entry.value) === undefined ? entry : entry.value;
  const how = copyOf(copied);
  if (how === undefined) return undefined;
  const { at, via = [] } = copied;
  const next = via.some((each) => each.how === 'each')
    ? 'give each element a value, or write an overlay for this stack'
    : 'change it there, for everything that it makes';
  return {
    why: `it comes from ${how}, written at ${at.file}:${at.start.line}; ${reason}`,
    next,
    at: startOf(via.find((each) => COPIES[each.how] !== undefined)?.at ?? at),
  };
}

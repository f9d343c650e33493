// The tree of a text with places: each piece with its path, its place and its source text.
import type { Path } from '../../api/contract';
import { rangeWithin, type Range } from './source';

/** Anything a finding can be about. */
export interface Placed {
  /** Keys and indexes from the root of the file. */
  readonly path: Path;
  readonly at: Range;
  /** How it came from where it is written to where it counts, nearest first. */
  readonly via?: readonly Via[];
}

/** One step of a value: the word of the language that copied it, its name, and its place. */
export interface Via {
  readonly how: 'template' | 'argument' | 'each' | 'include' | 'overlay';
  readonly name: string;
  readonly at: Range;
}

/** `source`: the text as it counts: `1.10` for 1.1, without quotes. `raw`: the file's slice. */
export interface ScalarNode extends Placed {
  readonly form: 'scalar';
  readonly value: string | number | boolean | null;
  readonly source: string;
  readonly raw: string;
}

export interface ListNode extends Placed {
  readonly form: 'list';
  readonly items: readonly Node[];
}

export interface MapNode extends Placed {
  readonly form: 'map';
  readonly entries: readonly Entry[];
  /** Keys may be missing by a mistake, which was reported: nothing follows from that. */
  readonly isPartial?: boolean;
}

/** What could not be read: a finding reports it, nothing more is said about it. */
interface FailedNode extends Placed {
  readonly form: 'failed';
}

export type Node = ScalarNode | ListNode | MapNode | FailedNode;

/** One key of a map; `at` is the key's place. */
export interface Entry extends Placed {
  readonly key: string;
  readonly value: Node;
}

/** The entries of a map; none of anything else. */
export const entriesIn = (node: Node | undefined): readonly Entry[] => (node?.form === 'map' ? node.entries : []);

export const entryOf = (node: Node | undefined, key: string): Entry | undefined =>
  entriesIn(node).find((entry) => entry.key === key);

/** The value under some keys, each of the map before it. */
export const valueBelow = (node: Node | undefined, ...keys: readonly string[]): Node | undefined =>
  keys.reduce((inner, key) => entryOf(inner, key)?.value, node);

/** A node and everything in it, in the order of the file. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  if (node.form === 'list') for (const item of node.items) yield* nodesIn(item);
  if (node.form === 'map') for (const { value } of node.entries) yield* nodesIn(value);
}

/** Whether a node contains nothing: absent, `null`, or an empty value. */
export function isNull(node: Node | undefined): boolean {
  return node === undefined || (node.form === 'scalar' && node.value === null);
}

/** A map's entry by key, when it contains something. */
export function filledEntry(body: MapNode | undefined, key: string): Entry | undefined {
  const entry = entryOf(body, key);
  return entry && !isNull(entry.value) ? entry : undefined;
}

/** The place of a part of a text, if the file has it in one line as it is; else of the whole. */
export function partOf({ at, raw, source }: ScalarNode, start: number, end: number): Range {
  const whole = raw.indexOf(source);
  const offset = whole < 0 ? raw.indexOf(source.slice(start, end)) : whole + start;
  return offset < 0 || raw.includes('\n') || end <= start ? at : rangeWithin(at, raw, offset, offset + end - start);
}

/** A node as plain data; a scalar without a value is null. */
export function dataIn(node: Node): unknown {
  if (node.form === 'list') return node.items.map(dataIn);
  if (node.form === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, dataIn(value)]));
  return node.form === 'scalar' ? node.value : null;
}

/** The place of the value at a path: its key, or the nearest place around it. */
export function placeAt(node: Node | undefined, [step, ...rest]: readonly PropertyKey[]): Range | undefined {
  if (step === undefined || node === undefined) return node?.at;
  if (node.form === 'list') return placeAt(node.items[Number(step)], rest) ?? node.at;
  const entry = entryOf(node, String(step));
  if (entry === undefined) return node.at;
  return rest.length === 0 ? entry.at : (placeAt(entry.value, rest) ?? entry.at);
}

/** The key that is meant, by the place of the one that is written. */
export type MeantKeys = ReadonlyMap<string, string>;

/** The place of a key, as `MeantKeys` have it. */
export const keyPlace = ({ file, start, end }: Range): string => `${file}:${start.offset}-${end.offset}`;

/** A tree with the keys that are meant, where they are not written as well. */
export function asMeant(map: MapNode, meant: MeantKeys): MapNode {
  if (meant.size === 0) return map;
  const entries = map.entries.map((entry): Entry => {
    const key = meant.get(keyPlace(entry.at));
    const isFree = key !== undefined && entryOf(map, key) === undefined;
    return { ...entry, ...(isFree ? { key } : {}), value: nodeAsMeant(entry.value, meant) };
  });
  return { ...map, entries };
}

function nodeAsMeant(node: Node, meant: MeantKeys): Node {
  if (node.form === 'map') return asMeant(node, meant);
  return node.form === 'list' ? { ...node, items: node.items.map((item) => nodeAsMeant(item, meant)) } : node;
}

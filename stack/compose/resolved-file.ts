// A composed tree as the text of a stack file, and for each of its lines the place that it comes
// from.
import { posix } from 'node:path';
import { textInYaml } from '../yaml/format';
import type { Entry, MapNode, Node, Placed, ScalarNode } from '../yaml/tree';

export interface ResolvedLine {
  readonly text: string;
  /** Where the value in the line is written; for a key without a value, the key. */
  readonly place: Placed;
}

/** The lines of a tree for the file `file`, without a person's own keys at the top. */
export function resolvedLines(root: MapNode, file: string): readonly ResolvedLine[] {
  return mapLines({ ...root, entries: root.entries.filter(({ key }) => !key.startsWith('x-')) }, '', file);
}

const mapLines = (map: MapNode, indent: string, file: string): readonly ResolvedLine[] =>
  map.entries.flatMap((entry) => entryLines(entry, indent, file));

function entryLines(entry: Entry, indent: string, file: string): readonly ResolvedLine[] {
  // The name of a file is relative to the file that contains the call.
  const value = entry.key === 'fn::readFile' ? movedName(entry.value, file) : entry.value;
  return withFirst(`${indent}${textInYaml(entry.key)}:`, entry, valueLines(value, `${indent}  `, file));
}

/** A value below a key or a dash: its own lines, or one text for the line that it is in. */
type ValueLines = { readonly inline: string; readonly place: Placed } | { readonly below: readonly ResolvedLine[] };

function withFirst(first: string, own: Placed, value: ValueLines): readonly ResolvedLine[] {
  if ('below' in value) return [{ text: first, place: own }, ...value.below];
  const [head = '', ...lines] = value.inline.split('\n');
  const rest = lines.map((text) => ({ text, place: value.place }));
  return [{ text: head === '' ? first : `${first} ${head}`, place: value.place }, ...rest];
}

function valueLines(node: Node, indent: string, file: string): ValueLines {
  switch (node.form) {
    case 'map':
      return node.entries.length === 0 ? { inline: '{}', place: node } : { below: mapLines(node, indent, file) };
    case 'list':
      return node.items.length === 0
        ? { inline: '[]', place: node }
        : { below: node.items.flatMap((item) => itemLines(item, indent, file)) };
    case 'scalar':
      return { inline: scalarText(node, indent), place: node };
    default:
      return { inline: '', place: node };
  }
}

/** An item of a list. A map begins in the line of its dash. */
function itemLines(item: Node, indent: string, file: string): readonly ResolvedLine[] {
  const value = valueLines(item, `${indent}  `, file);
  if ('inline' in value) return withFirst(`${indent}-`, item, value);
  const [first, ...rest] = value.below;
  return first ? [{ ...first, text: `${indent}- ${first.text.trimStart()}` }, ...rest] : [];
}

function scalarText({ value, source }: ScalarNode, indent: string): string {
  if (value === null) return '';
  return typeof value === 'string' ? textInYaml(value, indent) : source;
}

/** The name of a file, relative to the resolved file instead of the file that it is written in. */
function movedName(node: Node, file: string): Node {
  if (node.form !== 'scalar' || typeof node.value !== 'string' || posix.isAbsolute(node.value)) return node;
  if (posix.dirname(node.at.file) === posix.dirname(file)) return node;
  const path = posix.join(posix.dirname(node.at.file), node.value);
  const moved = posix.isAbsolute(path) ? path : posix.relative(posix.dirname(file), path);
  return { ...node, value: moved, source: moved };
}

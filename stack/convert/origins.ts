// The way from a place in a converted file back to the place in the old one.
// It must not know what any key means.
import { readYaml } from '../reader/read-yaml';
import type { Range } from '../reader/source';
import type { Entry, Node } from '../reader/tree';
import type { Written, WrittenEntry } from './written';

/**
 * Returns for a range of the text of `entries` where the nearest key around it comes from: a key for a key, and a value for what is in one. Without
 * such a key: `start`.
 */
export function originsOf(text: string, entries: readonly WrittenEntry[], start: Range): (range: Range) => Range {
  const file = { name: 'converted', text };
  let root: Node | undefined;
  return (range) => {
    root ??= readYaml(file).root;
    return originIn(root, { is: 'map', entries }, range.start.offset, start);
  };
}

function originIn(node: Node | undefined, written: Written | undefined, offset: number, around: Range): Range {
  if (node?.form === 'list' && written?.is === 'list') {
    const index = node.items.findIndex((item) => holds(item, offset));
    return index < 0 ? around : originIn(node.items[index], written.items[index], offset, around);
  }
  if (node?.form !== 'map' || written?.is !== 'map') return around;
  const index = node.entries.findIndex((entry) => isIn(entry, offset));
  const [entry, source] = [node.entries[index], written.entries[index]];
  if (entry === undefined || source === undefined) return around;
  if (offset < entry.at.end.offset) return source.from?.key ?? around;
  return originIn(entry.value, source.value, offset, source.from?.value ?? around);
}

const holds = ({ at }: Pick<Node, 'at'>, offset: number): boolean =>
  at.start.offset <= offset && offset <= at.end.offset;

const isIn = ({ at, value }: Entry, offset: number): boolean =>
  holds({ at }, offset) || (at.start.offset <= offset && offset <= value.at.end.offset);

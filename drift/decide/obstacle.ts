// Why a value in a file cannot be written over: it comes from somewhere else, or means something elsewhere, too.
import type { Entry, Node } from '../../stack';
import { startOf } from '../review/subjects';
import type { FilePlace } from '../review/review';
import { isAlias } from './splice';

/** Why something cannot be accepted, and where to look. */
export interface Obstacle {
  readonly reason: string;
  readonly at?: FilePlace;
}

/** What prevents writing over the value of an entry; undefined when it is the file's own. */
export function obstacleIn(text: string, entry: Entry): Obstacle | undefined {
  if (isAlias(entry)) {
    const { line } = entry.value.at.start;
    return { reason: `it is an alias: its value stands in line ${line}, for others too`, at: startOf(entry.at) };
  }
  return sharedAnchor(text, entry) ?? computed(entry.value);
}

/** An anchor right before the value of an entry, which an alias elsewhere uses. */
export function sharedAnchor(text: string, entry: Entry): Obstacle | undefined {
  const between = text.slice(entry.at.end.offset, entry.value.at.start.offset);
  const name = /&([^\s,[\]{}]+)/.exec(between)?.[1];
  if (name === undefined) return undefined;
  const lines = text.split('\n');
  const user = lines.findIndex((line) => new RegExp(`\\*${escaped(name)}(?![^\\s,\\]}])`).test(line));
  if (user < 0) return undefined;
  return { reason: `its anchor &${name} is used in line ${user + 1}: that would change, too`, at: startOf(entry.at) };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a value is made of references or by a function. */
function computed(node: Node): Obstacle | undefined {
  if (node.form === 'list') return node.items.map(computed).find((found) => found !== undefined);
  if (node.form === 'map') {
    const call = node.entries.find(({ key }) => key.startsWith('fn::'));
    if (call) return { reason: `its value comes from ${call.key}: change it there`, at: startOf(call.at) };
    return node.entries.map(({ value }) => computed(value)).find((found) => found !== undefined);
  }
  const reference = node.form === 'scalar' ? /(?<!\$)(?:\$\$)*(\$\{[^}]*\}?)/.exec(node.source)?.[1] : undefined;
  if (reference === undefined) return undefined;
  return { reason: `its value comes from ${reference}: change it there`, at: startOf(node.at) };
}

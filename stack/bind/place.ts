// From a checked value's finding to the place in the file it is about.
// It must not know kinds, nor what the finding says.
import type { Diagnostic } from '../../api/contract';
import { camelCase } from '../../provider';
import { partOf } from '../reader/source';
import type { Entry, Node, Placed, ScalarNode } from '../reader/tree';

/** Codes of findings about a key, not its value, and about a value that does not exist: they are reported at the key. */
const OF_KEYS = ['unknown-key', 'unknown-attribute', 'required', 'idle-setting'];

/** The place of a finding about an entry's value: its path leads from that value; keys are those of the file or argument names. */
export function findPlace(entry: Entry, finding: Diagnostic): Placed {
  const last = finding.path.length - 1;
  let place: Placed = entry.value;
  let node: Node = entry.value;
  for (const [index, step] of finding.path.entries()) {
    if (node.form === 'list' && typeof step === 'number') {
      const item: Node | undefined = node.items[step];
      if (!item) return place;
      [place, node] = [item, item];
    } else if (node.form === 'map') {
      const found: Entry | undefined = node.entries.find(({ key }) => key === step || camelCase(key) === step);
      if (!found) return place;
      place = index === last && OF_KEYS.includes(finding.code) ? found : found.value;
      node = found.value;
    } else if (node.form === 'scalar' && typeof step === 'number') return itemInText(node, step);
    else return place;
  }
  return place;
}

/** The k-th item of a list written as comma-separated text, where the text is in the file as it is. */
function itemInText(node: ScalarNode, index: number): Placed {
  const start = node.raw.indexOf(node.source);
  const items = [...node.source.matchAll(/[^,]+/g)].filter(([item]) => item.trim() !== '');
  const found = items[index];
  if (start < 0 || !found || node.raw.includes('\n')) return node;
  const [text] = found;
  const from = start + found.index + (text.length - text.trimStart().length);
  const at = partOf(node.at, from, from + text.trim().length);
  return { path: node.path, at, ...(node.via ? { via: node.via } : {}) };
}

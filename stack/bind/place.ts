// From a checked value's finding to the place in the file it is about.
// It must not know kinds, nor what the finding says.
import type { Diagnostic } from '../../api/contract';
import { camelCase } from '../../provider';
import type { Entry, Node, Placed } from '../reader/tree';

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
      // A finding about a key, not its value, and one about a value that is not there, stand at the key.
      place = index === last && (finding.code === 'unknown-key' || finding.code === 'required') ? found : found.value;
      node = found.value;
    } else return place;
  }
  return place;
}

// A composed tree with the values of plain configuration, and the names of stack and project, in place of the references to them.
// It must not know who compares trees. A secret is never shown.
import { SECRET_WORD } from '../../provider';
import { newReport } from '../findings/finding';
import type { MapNode, Node, ScalarNode } from '../reader/tree';
import { splitText, type Interpolation } from '../values/interpolation';
import { newComposition, type Choices } from './composition';
import { knownValue, nodeOf } from './known';

/** In place of a secret. */
const MASK = '(secret)';

/** A value in place of a reference; undefined for one that is known only in the run. */
type ValueOf = (reference: Interpolation, place: ScalarNode) => Node | undefined;

/** The tree as one stack has it. `secretConfig`: names of the configuration values that are secrets. Declarations of configuration stay. */
export function withKnownValues(root: MapNode, choices: Choices, secretConfig: ReadonlySet<string>): MapNode {
  const composition = newComposition(newReport([]), choices, secretConfig);
  const valueOf: ValueOf = ({ steps = [] }, place) => {
    const known = knownValue(composition, root, steps);
    if ('value' in known)
      return nodeOf(steps[0] === 'config' && SECRET_WORD.test(String(steps[1])) ? MASK : known.value, place);
    return known.code === 'secret-decides' ? nodeOf(MASK, place) : undefined;
  };
  const entries = root.entries.map((entry) =>
    entry.key === 'config' ? entry : { ...entry, value: replaced(entry.value, valueOf) },
  );
  return { ...root, entries };
}

function replaced(node: Node, valueOf: ValueOf): Node {
  switch (node.form) {
    case 'map':
      return { ...node, entries: node.entries.map((each) => ({ ...each, value: replaced(each.value, valueOf) })) };
    case 'list':
      return { ...node, items: node.items.map((item) => replaced(item, valueOf)) };
    case 'scalar':
      return typeof node.value === 'string' && node.source.includes('${') ? replacedText(node, valueOf) : node;
    default:
      return node;
  }
}

/** A text that is one reference becomes the value; else the values that are texts become part of the text. */
function replacedText(node: ScalarNode, valueOf: ValueOf): Node {
  const parts = splitText(node.source);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return valueOf(only, node) ?? node;
  let text = '';
  let from = 0;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const value = valueOf(part, node);
    if (value?.form !== 'scalar') continue;
    text += node.source.slice(from, part.start) + value.source;
    from = part.end;
  }
  text += node.source.slice(from);
  return { ...node, value: text, source: text };
}

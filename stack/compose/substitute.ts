// Copies a tree with the values of `${param.…}` or `${each.…}` in it. A copy keeps the places of
// its original, and the use that brought it.
import { onlyReference, parseSteps, splitText, type Interpolation } from '../values/interpolation';
import type { Steps } from '../values/value';
import { entriesIn, entryOf, type Entry, type Node, type Placed, type ScalarNode, type Via } from '../yaml/tree';
import { failedNode, refuse, spend, spendText, type Composition } from './composition';

/** Values by the first word of their references, and what is written into the copy. */
interface Copying {
  readonly bindings: { readonly [word: string]: Node };
  readonly via: readonly Via[];
}

export function substitute(composition: Composition, node: Node, copying: Copying): Node {
  if (!spend(composition, 1, node)) return failedNode(node);
  const via = viaOf(node, copying);
  switch (node.form) {
    case 'scalar':
      return typeof node.value === 'string' ? substituteText(composition, { ...node, via }, copying) : { ...node, via };
    case 'list':
      return { ...node, via, items: node.items.map((item) => substitute(composition, item, copying)) };
    case 'map':
      return { ...node, via, entries: node.entries.map((entry) => substituteEntry(composition, entry, copying)) };
    default:
      return node;
  }
}

/** The origin of a copy: the origin of its original, then the copying. */
function viaOf({ via }: Placed, copying: Copying): readonly Via[] {
  return via === undefined ? copying.via : [...via, ...copying.via];
}

/** Takes a value and everything in it from the budget; stops where the budget ends. */
function spendTree(composition: Composition, node: Node, place: Placed): boolean {
  if (!spend(composition, 1, place)) return false;
  if (node.form === 'list') return node.items.every((item) => spendTree(composition, item, place));
  return node.form !== 'map' || node.entries.every(({ value }) => spendTree(composition, value, place));
}

export function substituteEntry(composition: Composition, entry: Entry, copying: Copying): Entry {
  const via = viaOf(entry, copying);
  const key = textWith(composition, entry, entry.key, copying);
  if (key === undefined) composition.incomplete = true;
  const inner = 'each' in copying.bindings && isLoopName(entry.key) ? loopOf(entry.value) : undefined;
  if (inner) {
    const hint = 'let a template make the inner things: it can have an "each" that takes a list of "with"';
    refuse(composition, inner, 'unknown-key', '"each" cannot be inside of another "each"', hint);
    return { ...entry, via, key: key ?? entry.key, value: failedNode(entry.value) };
  }
  if (entry.key === 'when' && entry.value.form === 'scalar' && typeof entry.value.value === 'string') {
    return { ...entry, via, value: inCondition(composition, { ...entry.value, via }, copying) };
  }
  return { ...entry, via, key: key ?? entry.key, value: substitute(composition, entry.value, copying) };
}

/** Whether `each` makes the name of a thing. */
export const isLoopName = (key: string): boolean => key.includes('${each.');

/** The `each` of a thing. */
export const loopOf = (value: Node): Entry | undefined => entryOf(value, 'each');

/** A text that is one reference becomes its value; else values become parts of the text. */
function substituteText(composition: Composition, node: ScalarNode, copying: Copying): Node {
  const only = onlyReference(node.source);
  if (only !== undefined) {
    const value = valueAt(composition, node, only, copying);
    if (value === undefined) return node;
    // Everything after reads a shared value as often as it is used.
    if (!spendTree(composition, value, node)) return failedNode(node);
    const name = node.source.slice(2, -1).trim();
    const used: Via = { how: 'argument', name, at: node.at };
    return { ...value, via: [...(value.via ?? []), used, ...(node.via ?? [])] };
  }
  const text = textWith(composition, node, node.source, copying);
  return text === undefined ? failedNode(node) : { ...node, value: text, source: text };
}

/** The text with values for its references; undefined when one is no text, as reported. */
function textWith(composition: Composition, place: Placed, text: string, copying: Copying): string | undefined {
  let result = '';
  let from = 0;
  for (const part of splitText(text)) {
    if (typeof part === 'string') continue;
    const value = valueAt(composition, place, part, copying);
    if (value === undefined) continue;
    const written = text.slice(part.start, part.end);
    if (value.form === 'failed') return undefined;
    if (value.form !== 'scalar' || value.value === null) {
      const what = value.form === 'scalar' ? 'nothing' : `a ${value.form}`;
      const message = `"${written}" is ${what}: it cannot be part of a text`;
      return composition.report.error(place, 'wrong-type', message);
    }
    if (!spendText(composition, value.source, place)) return undefined;
    result += text.slice(from, part.start) + value.source;
    from = part.end;
  }
  return result + text.slice(from);
}

/** A condition with values in place of their references, written as conditions write values. */
function inCondition(composition: Composition, node: ScalarNode, copying: Copying): Node {
  const text = node.source.replace(/'(?:[^']|'')*'|"[^"]*"|\$\{([^}]*)\}/g, (written, inside?: string) => {
    const steps = inside === undefined ? undefined : parseSteps(inside.trim());
    if (steps === undefined) return written;
    const value = valueAt(composition, node, { start: 0, end: 0, steps }, copying);
    if (value === undefined) return written;
    const put = literal(value);
    return spendText(composition, put, node) ? put : '';
  });
  return composition.budget < 0 ? failedNode(node) : { ...node, value: text, source: text };
}

function literal(node: Node): string {
  if (node.form === 'list') return `[${node.items.map(literal).join(', ')}]`;
  if (node.form !== 'scalar' || node.value === null) return '{}';
  const isReference = /^\$\{[^}]*\}$/.test(node.source);
  return typeof node.value !== 'string' || isReference ? node.source : `'${node.source.replaceAll("'", "''")}'`;
}

/** The value of a reference; undefined for another reference. A missing value was reported. */
function valueAt(
  composition: Composition,
  place: Placed,
  { steps }: Interpolation,
  { bindings }: Copying,
): Node | undefined {
  const [word, ...rest] = steps ?? [];
  if (typeof word !== 'string' || !Object.hasOwn(bindings, word)) return undefined;
  const root = bindings[word];
  if (root === undefined) return undefined;
  const node = rest.reduce(childAt, root as Node | undefined);
  if (node !== undefined) return rest.length === 0 ? failedNode(place) : node;
  reportMissing(composition, place, word, { root, rest });
  return failedNode(place);
}

function reportMissing(
  composition: Composition,
  place: Placed,
  word: string,
  { root, rest }: { readonly root: Node; readonly rest: Steps },
): void {
  const known = entriesIn(root).map(({ key }) => key);
  // A parameter that the template does not declare was reported where the template was read.
  if (word === 'param' && !known.includes(String(rest[0]))) return;
  composition.report.error(
    place,
    'unknown-reference',
    `"${[word, ...rest].join('.')}" has no value here`,
    `known are ${known.map((key) => `${word}.${key}`).join(', ')}`,
  );
}

function childAt(node: Node | undefined, step: string | number): Node | undefined {
  if (node?.form === 'map') return entryOf(node, String(step))?.value;
  return node?.form === 'list' && typeof step === 'number' ? node.items[step] : undefined;
}

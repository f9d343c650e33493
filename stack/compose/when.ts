// `when`: whether a condition of the file holds, and what is found wrong with it at its place in the text.
// It must not know what the condition is about.
import { warning } from '../../api/contract';
import { nearest } from '../../provider';
import { partOf } from '../reader/source';
import type { Entry, ScalarNode } from '../reader/tree';
import { parseSteps } from '../values/interpolation';
import { evaluate } from './condition';
import { refusePart, type Composition } from './composition';

/** Evaluates the condition of an entry. A fault is reported at its place in the text, and counts as true. */
export function conditionHolds(
  composition: Composition,
  { value: node }: Entry,
  lookup: Parameters<typeof evaluate>[1],
): boolean {
  if (node.form === 'scalar' && typeof node.value === 'boolean') return node.value;
  if (node.form !== 'scalar' || typeof node.value !== 'string') {
    composition.isWrong = true;
    if (node.form === 'failed') return true;
    const hint = `when: "\${config.tier} == 'prod'"`;
    refusePart(composition, node, { code: 'bad-condition', message: 'a condition is a text, true or false', hint });
    return true;
  }
  const found = evaluate(node.source, lookup);
  if ('holds' in found) {
    reportImpossible(composition, node, lookup);
    return found.holds;
  }
  refusePart(composition, { ...node, at: placeIn(node, found.fault) }, found.fault);
  return true;
}

const COMPARED = /\$\{([^}]*)\}\s*(?:==|!=)\s*('(?:[^']|'')*'|"[^"]*")/g;

/** Warns when a configuration value is compared with a text that its declaration does not allow. */
function reportImpossible({ report }: Composition, node: ScalarNode, lookup: Parameters<typeof evaluate>[1]): void {
  for (const { 0: whole, 1: name = '', 2: text = '', index } of node.source.matchAll(COMPARED)) {
    const found = lookup(parseSteps(name.trim()) ?? []);
    const other = text.slice(1, -1).replaceAll("''", "'");
    if (!('value' in found) || found.allowed === undefined || found.allowed.includes(other)) continue;
    const end = index + whole.length;
    const near = nearest(other, found.allowed.map(String));
    const hint = near ? `did you mean "${near}"?` : `allowed are ${found.allowed.map(String).join(', ')}`;
    const message = `"${name.trim()}" is never "${other}": its declaration does not allow it`;
    report.add(warning('not-allowed', node.path, message, hint), {
      ...node,
      at: placeIn(node, { start: end - text.length, end }),
    });
  }
}

/** The place of a part of a text, where the text is in the file as it is; else that of the whole. */
function placeIn(
  { at, raw, source }: ScalarNode,
  { start, end }: { readonly start: number; readonly end: number },
): ScalarNode['at'] {
  const offset = raw.indexOf(source);
  if (offset < 0 || raw.includes('\n') || end <= start) return at;
  return partOf(at, offset + start, offset + end);
}

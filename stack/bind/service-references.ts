// References of the service, `$OO_GLOBAL{…}` and `$OO_LOCAL{…}`: the commit of an environment fails when one of them has no variable.
// It must not know what the values that contain them are for.
import { nearest } from '../../provider';
import { partOf } from '../reader/source';
import { entryOf, type Entry, type MapNode, type Node, type ScalarNode } from '../reader/tree';
import { reportAbsent } from './absent';
import type { BindScope } from './scope';

/** Names of the variables that a reference can mean; undefined when the file does not decide them. */
interface Names {
  readonly GLOBAL: readonly string[] | undefined;
  readonly LOCAL: readonly string[];
}

const REFERENCE = /\$OO_(GLOBAL|LOCAL)\{([\w-]+)\}/g;

/** Reports references of the service to variables that the file does not declare. A pack, or another user, can have made them, so these are warnings. */
export function reportServiceReferences(scope: BindScope, root: MapNode, globals: readonly string[] | undefined): void {
  const platforms = mapBelow(root, 'platforms')?.entries ?? [];
  const named = new Map(platforms.map(({ key, value }) => [key, keysBelow(value, 'variables')]));
  const look = (node: Node | undefined, LOCAL: readonly string[]): void =>
    walk(scope, node, { GLOBAL: globals, LOCAL });
  look(entryOf(root, 'variables')?.value, []);
  for (const { key, value } of platforms) look(value, named.get(key) ?? []);
  for (const { value } of mapBelow(root, 'environments')?.entries ?? []) {
    if (value.form !== 'map') continue;
    look(entryOf(value, 'variables')?.value, []);
    for (const each of mapBelow(value, 'platforms')?.entries ?? []) look(each.value, named.get(each.key) ?? []);
  }
}

function mapBelow(map: MapNode, key: string): MapNode | undefined {
  const value = entryOf(map, key)?.value;
  return value?.form === 'map' ? value : undefined;
}

const keysBelow = (node: Node, key: string): readonly string[] =>
  (node.form === 'map' ? (mapBelow(node, key)?.entries ?? []) : []).map((entry: Entry) => entry.key);

function walk(scope: BindScope, node: Node | undefined, names: Names): void {
  if (node?.form === 'list') node.items.forEach((item) => walk(scope, item, names));
  if (node?.form === 'map') node.entries.forEach(({ value }) => walk(scope, value, names));
  if (node?.form !== 'scalar' || !node.source.includes('$OO_')) return;
  for (const match of node.source.matchAll(REFERENCE)) reportUnknown(scope, node, match, names);
}

function reportUnknown(
  scope: BindScope,
  node: ScalarNode,
  [written, kind, name = '']: RegExpExecArray,
  names: Names,
): void {
  const known = kind === 'GLOBAL' ? names.GLOBAL : names.LOCAL;
  if (known === undefined || known.includes(name)) return;
  const place = placeOf(node, written);
  const what = 'variable';
  if (kind === 'GLOBAL' && reportAbsent(scope, { what, names: ['variables', name], isCertain: false }, place)) return;
  const near = nearest(name, known);
  // A pack brings variables of its platform, which the file need not name.
  if (near === undefined && kind === 'LOCAL') return;
  const owner = kind === 'GLOBAL' ? 'the assembly' : 'the platform';
  scope.report.warning(
    place,
    'unknown-service-variable',
    `the file declares no variable "${name}" of ${owner}`,
    near ? `did you mean "$OO_${kind}{${near}}"?` : `declare it under variables: ${name}: …`,
  );
}

/** The place of a reference in a text, where the text is in the file as it is. */
function placeOf(node: ScalarNode, written: string): ScalarNode {
  const offset = node.raw.indexOf(written);
  const isHidden = offset < 0 || node.raw.includes('\n');
  return isHidden ? node : { ...node, at: partOf(node.at, offset, offset + written.length) };
}

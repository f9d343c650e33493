// `include`: the contents of other files in place of the word, at the top of a file and in its
// maps.
import { positionBelow, type MapPosition } from '../layout';
import { readYaml } from '../yaml/read';
import { sourceFile, type SourceFile } from '../yaml/source';
import { asMeant, entryOf, type Entry, type MapNode, type Node } from '../yaml/tree';
import { refuse, type Composition } from './composition';
import { joinMaps, without } from './layers';
import { substitute } from './substitute';

const FILES = 1000;

/** A map with every `include` carried out. `chain`: the files that led here. */
export function withIncluded(
  composition: Composition,
  map: MapNode,
  position: MapPosition,
  chain: readonly string[],
): MapNode {
  const include = entryOf(map, 'include');
  const isWord = include && (include.value.form === 'list' || position === 'top');
  const entries = map.entries.map((entry) => withIncludedBelow(composition, entry, position, chain));
  const isSame = entries.every((entry, index) => entry === map.entries[index]);
  const own = isSame ? map : { ...map, entries };
  if (!isWord) return own;
  const items = include.value.form === 'list' ? include.value.items : [include.value];
  const included = new Set<string>();
  return items.reduce<MapNode>(
    (whole, item) => {
      const roots = filesAt(composition, item, chain).filter(({ name }) => !included.has(name));
      return roots.reduce((all, { name, text }) => {
        included.add(name);
        const root = rootOf(composition, { name, text, item }, position, chain);
        return root ? joined(composition, all, root, position) : all;
      }, whole);
    },
    without(own, ['include']),
  );
}

/** Two maps as one. At the top, the names under `env` are those of both. */
function joined(composition: Composition, first: MapNode, second: MapNode, position: MapPosition): MapNode {
  const [own, more] = [entryOf(first, 'env'), entryOf(second, 'env')];
  if (position !== 'top' || own?.value.form !== 'list' || more?.value.form !== 'list')
    return joinMaps(composition.report, first, second);
  const value = { ...own.value, items: [...own.value.items, ...more.value.items] };
  const entries = first.entries.map((entry) => (entry === own ? { ...own, value } : entry));
  return joinMaps(composition.report, { ...first, entries }, without(second, ['env']));
}

function withIncludedBelow(
  composition: Composition,
  entry: Entry,
  position: MapPosition,
  chain: readonly string[],
): Entry {
  const { key, value } = entry;
  if (value.form !== 'map') return entry;
  if (position === 'top' && (key === 'templates' || key === 'overlays'))
    return { ...entry, value: ofParts(composition, value, key, chain) };
  const below = positionBelow(position, key);
  const inside = below === 'free' ? value : withIncluded(composition, value, below, chain);
  return inside === value ? entry : { ...entry, value: inside };
}

/** The body of a template is a thing; an overlay is read as a complete file. */
function ofParts(
  composition: Composition,
  map: MapNode,
  part: 'templates' | 'overlays',
  chain: readonly string[],
): MapNode {
  const joined = entryOf(map, 'include') ? withIncluded(composition, map, 'free', chain) : map;
  const entries = joined.entries.map((entry) => {
    if (entry.value.form !== 'map') return entry;
    if (part === 'overlays') return { ...entry, value: withIncluded(composition, entry.value, 'top', chain) };
    const inside = entry.value.entries.map((each) =>
      each.key === 'body' && each.value.form === 'map'
        ? { ...each, value: withIncluded(composition, each.value, 'thing', chain) }
        : each,
    );
    return { ...entry, value: { ...entry.value, entries: inside } };
  });
  return { ...joined, entries };
}

function filesAt(composition: Composition, item: Node, chain: readonly string[]): readonly SourceFile[] {
  const fail = (code: string, message: string, hint?: string): readonly SourceFile[] => {
    refuse(composition, item, code, message, hint);
    return [];
  };
  if (item.form === 'failed') return [];
  if (item.form !== 'scalar' || typeof item.value !== 'string' || item.value === '')
    return fail('wrong-type', '"include" takes names of files', 'include: [shared.yaml, platforms/*.yaml]');
  const { value: pattern } = item;
  if (pattern.includes('${'))
    return fail('no-reference', 'a file name cannot contain a reference: it is read before anything else is known');
  const found = composition.choices.include?.(pattern, item.at.file) ?? { problem: 'files cannot be included here' };
  if ('problem' in found) return fail('unreadable-file', `cannot include ${pattern}: ${found.problem}`);
  const isPattern = /[*?]/.test(pattern);
  return found.files.flatMap(({ name, content }) => {
    // A pattern may match the file that contains it.
    if (isPattern && chain.includes(name)) return [];
    if (chain.includes(name)) return fail('cycle', `${name} includes itself: ${[...chain, name].join(' -> ')}`);
    if ('problem' in content) return fail('unreadable-file', `cannot read ${name || pattern}: ${content.problem}`);
    if (composition.files.length >= FILES) return fail('too-many-entries', `a stack has more than ${FILES} files`);
    return [{ name, text: content.text }];
  });
}

function rootOf(
  composition: Composition,
  { name, text, item }: SourceFile & { readonly item: Node },
  position: MapPosition,
  chain: readonly string[],
): MapNode | undefined {
  const file = sourceFile(name, text);
  composition.files.push(file);
  const { root, findings } = readYaml(file);
  composition.report.pass(findings);
  if (root === undefined) composition.incomplete = true;
  if (root === undefined) return undefined;
  if (root.form !== 'map') return refuse(composition, root, 'wrong-type', 'an included file must be a map');
  const whole = withIncluded(composition, asMeant(root, composition.meant), position, [...chain, name]);
  const via = [{ how: 'include' as const, name, at: item.at }];
  const marked = substitute(composition, whole, { bindings: {}, via });
  return marked.form === 'map' ? marked : undefined;
}

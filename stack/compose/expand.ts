// Carries out the words of composition below the top of a file: `use`, `extends`, `each`, `when`. Subtrees without a word stay the same objects.
// It must not know files, nor kinds.
import { problem } from '../../api/contract';
import { nearest } from '../../provider';
import { isNull, type Entry, type MapNode, type Node } from '../reader/tree';
import { listToAppendTo } from './append';
import { refuse, type Composition } from './composition';
import { childrenOf, hasLoop, withoutEach } from './each';
import { hasReference, knownValue } from './known';
import { appended, counting, giftsOf, mergedEntry, mergedMap, writtenAs, type Gifts, type Layers } from './layers';
import { isOverlay } from './merge';
import { withoutMisplacedWords } from './misplaced-words';
import { isThing, positionBelow, type MapPosition } from './position';
import type { StackTemplates } from './template';
import { thingOf, type ThingScope } from './thing';
import { conditionHolds } from './when';

/** Levels of nesting, as for a file. */
const DEPTH = 64;

/** The whole tree with its words carried out. `root`: the file, and what is laid over it. */
export function expand(composition: Composition, root: Layers, templates: StackTemplates): MapNode {
  const [file] = root;
  if (file === undefined) throw new TypeError('a tree needs a file');
  const listFrom = (from: MapNode) => (base: Entry, more: Entry) => listToAppendTo(composition, from, { base, more });
  const known = root.length === 1 ? file : mergedMap(root.map(configOf), listFrom(file));
  const walk: ThingScope = {
    composition,
    known,
    root,
    templates,
    listOf: listFrom(known),
    made: new Map(),
    isLayered: false,
    isPartial: false,
  };
  return expandMap(walk, root, 'top', []);
}

/** What conditions and loops read of a file. */
const configOf = (map: MapNode): MapNode => ({ ...map, entries: map.entries.filter(({ key }) => key === 'config') });

function expandMap(walk: ThingScope, layers: Layers, position: MapPosition, path: readonly string[]): MapNode {
  const map = writtenAs(layers);
  if (map === undefined) throw new TypeError('a map needs a layer');
  if (walk.composition.budget < 0) return map;
  if (path.length > DEPTH) {
    refuse(walk.composition, map, { code: 'too-deep', message: 'nested too deeply' });
    // One finding says it: templates that double themselves get as deep in a million places.
    walk.composition.budget = -1;
    return map;
  }
  const isOfThings = position === 'names' || position === 'components';
  const all = isOfThings ? layers.map((each) => withoutMisplacedWords(walk.composition, each)) : layers;
  const entries: Entry[] = [];
  const isLayered = walk.isLayered || layers.filter((each) => !isOverlay(each)).length > 1;
  const inside = isLayered === walk.isLayered ? walk : { ...walk, isLayered };
  for (const [key, gifts] of childrenIn(walk, all)) {
    const there =
      !walk.isPartial && (walk.root.length > 1 || isLayered) ? withoutRemovalOfNothing(walk, gifts, all) : gifts;
    const entry = expandEntry(inside, there, positionBelow(position, key), [...path, key]);
    if (entry) entries.push(entry);
  }
  const isSame = entries.length === map.entries.length && entries.every((entry, index) => entry === map.entries[index]);
  const isPartial = walk.isPartial || layers.some((each) => each.isPartial === true);
  if (isPartial) return { ...map, entries, isPartial };
  return isSame ? map : { ...map, entries };
}

function childrenIn(walk: ThingScope, layers: Layers): Iterable<readonly [string, Gifts]> {
  const [only] = layers;
  if (only && layers.length === 1 && !hasLoop(only))
    return only.entries.map((entry) => [entry.key, [{ entry, layer: 0 }]] as const);
  return childrenOf(walk, layers);
}

/** The entry of one key as it counts; undefined when it is removed or switched off. */
function expandEntry(
  walk: ThingScope,
  gifts: Gifts,
  position: MapPosition,
  path: readonly string[],
): Entry | undefined {
  const decided = isThing(position) ? gifts : withConditionsDecided(walk, gifts, path);
  const counted = counting(decided, walk.listOf).map((given) => given.entry);
  const entry = writtenAs(counted);
  if (entry === undefined) {
    const removal = decided.findLast((given) => isNull(given.entry.value));
    if (removal) walk.composition.off.push({ how: 'removal', path, place: removal.entry });
    return undefined;
  }
  const list = walk.isLayered || isOverlay(entry) ? appended(entry.value) : undefined;
  if (list && counted.length === 1) return { ...entry, value: list };
  const value = expandValue(walk, counted, position, path);
  return value === undefined || value === entry.value ? value && entry : { ...entry, value };
}

function expandValue(
  walk: ThingScope,
  counted: readonly Entry[],
  position: MapPosition,
  path: readonly string[],
): Node | undefined {
  const maps = counted.flatMap(({ value }) => (value.form === 'map' ? [value] : []));
  const [first] = counted;
  if (first === undefined) return undefined;
  if (maps.length === 0) return expandNode(walk, first.value, position, path);
  if (!isThing(position)) return expandMap(walk, maps, position, path);
  const only = conditionalValue(walk, maps);
  if (only) return holds(walk, only.when, path) ? expandNode(walk, only.value, position, path) : undefined;
  // A component can hold others by name, and one of them can be named so.
  const own = position === 'thing' ? withoutEach(walk.composition, first, maps) : maps;
  const { layers, conditions, isPartial } = thingOf(walk, own);
  for (const when of conditions) if (!holds(walk, when, path)) return undefined;
  return expandMap(isPartial ? { ...walk, isPartial } : walk, layers, position, path);
}

function expandNode(walk: ThingScope, node: Node, position: MapPosition, path: readonly string[]): Node {
  if (node.form === 'map') return expandMap(walk, [node], position, path);
  if (node.form !== 'list') return node;
  const items = node.items.map((item) => expandNode(walk, item, 'free', path));
  return items.some((item, index) => item !== node.items[index]) ? { ...node, items } : node;
}

/** `{ when: …, value: … }` in place of any value. */
function conditionalValue(walk: ThingScope, maps: Layers): { readonly when: Entry; readonly value: Node } | undefined {
  if (maps.some(({ entries }) => entries.some(({ key }) => key !== 'when' && key !== 'value'))) return undefined;
  const [when, value] = ['when', 'value'].map((key) => mergedEntry(giftsOf(maps, key), walk.listOf));
  return when && value ? { when, value: value.value } : undefined;
}

const NOTHING = { form: 'scalar', value: null, source: '', raw: '' } as const;

/** Values without their conditions. One that is switched off removes what is below it, as null does. */
function withConditionsDecided(walk: ThingScope, gifts: Gifts, path: readonly string[]): Gifts {
  const joined: Gifts[number][] = [];
  for (const given of gifts) {
    const last = joined.at(-1);
    const maps = [last, given].flatMap((each) => (each?.entry.value.form === 'map' ? [each.entry.value] : []));
    const both = last && maps.length === 2 ? conditionalValue(walk, maps) && mergedMap(maps, walk.listOf) : undefined;
    if (last && both && conditionalValue(walk, maps.slice(0, 1)))
      joined.splice(-1, 1, { ...last, entry: { ...last.entry, value: both } });
    else joined.push(given);
  }
  let isOn = false;
  const decided = joined.map((given): Gifts[number] => {
    const { entry, layer } = given;
    const only = entry.value.form === 'map' ? conditionalValue(walk, [entry.value]) : undefined;
    const isOff = only && !holds(walk, only.when, path);
    isOn ||= isOff !== true;
    const { path: place, at } = entry.value;
    if (isOff === true) return { layer, entry: { ...entry, value: { ...NOTHING, path: place, at } } };
    return only ? { layer, entry: { ...entry, value: only.value } } : given;
  });
  return isOn ? decided : [];
}

/** Whether a condition holds. One that is wrong was reported; nothing is concluded from it. */
function holds({ composition, known }: ThingScope, when: Entry, path: readonly string[]): boolean {
  const isOn = conditionHolds(composition, when, (steps) => knownValue(composition, known, steps));
  if (!isOn) composition.off.push({ how: 'condition', path, place: when });
  if (when.value.form === 'scalar' && !hasReference(when.value.raw) && when.value.raw !== '')
    composition.constant.push({ how: 'condition', path, place: when.value });
  return isOn;
}

/** What is given to a key, without the nulls that have nothing below them to remove, which are reported. */
function withoutRemovalOfNothing({ composition }: ThingScope, gifts: Gifts, layers: Layers): Gifts {
  const there = gifts.findIndex(({ entry, layer }) => !isNull(entry.value) || !isRemoval(entry, layer));
  const removals = there < 0 ? gifts : gifts.slice(0, there);
  for (const { entry, layer } of removals) {
    const below = layers.slice(0, layer).flatMap(({ entries }) => entries.map(({ key }) => key));
    const near = nearest(entry.key, below);
    const message = `there is no "${entry.key}" ${isOverlay(entry) ? 'that the overlay could remove' : 'to remove'}`;
    const hint = near ? `did you mean "${near}"?` : `write "${entry.key}: {}" for an empty map`;
    composition.report.add(problem('nothing-to-remove', entry.path, message, hint), entry);
    if (near) composition.report.misspelt(entry, near);
  }
  return there < 0 ? [] : gifts.slice(there);
}

/** Whether a null is written over something. That of a template is for whatever the template is laid over, and that of a file alone is a blank. */
const isRemoval = ({ via = [], ...entry }: Entry, layer: number): boolean =>
  (layer > 0 || isOverlay({ ...entry, via })) && !via.some(({ how }) => how === 'template');

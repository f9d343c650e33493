// The files of a stack as one tree without words of composition: `include`, `templates` and
// `overlays` at the top, then `use`, `each` and `when` below it. Subtrees without a word stay the
// same objects.
import { didYouMean, isTypo } from '../../provider/values';
import type { Report } from '../findings/finding';
import { isThing, mayCompose, positionBelow, TOP_WORDS, WORDS, type MapPosition } from '../layout';
import { hasReference } from '../values/interpolation';
import { DEPTH } from '../yaml/read';
import type { SourceFile } from '../yaml/source';
import { entryOf, isNull, type Entry, type MapNode, type MeantKeys, type Node } from '../yaml/tree';
import { newComposition, refuse, type Choices, type Composition } from './composition';
import { holds } from './condition';
import { childrenOf, withoutEach, type LoopScope } from './each';
import { withIncluded } from './include';
import { withKnownNames } from './known';
import {
  counting,
  entriesInLayers,
  isOverlay,
  joinMaps,
  mergedEntry,
  mergedMap,
  without,
  writtenAs,
  type Layered,
  type Layers,
} from './layers';
import { isLoopName, substitute } from './substitute';
import { instantiate, readTemplates, type StackTemplates } from './template';

interface Sources {
  readonly files: readonly SourceFile[];
  readonly roots: readonly MapNode[];
  readonly report: Report;
  readonly choices?: Choices;
  readonly secretConfig?: ReadonlySet<string>;
  /** Keys of included files that are read as other ones. */
  readonly meant?: MeantKeys;
  /** Several files of equal rank as one tree. */
  readonly join: (roots: readonly MapNode[]) => MapNode;
}

/**
 * Composes a stack. Files without a word of composition come out as they are. `written`: the trees
 * of the files with what they include, and nothing else carried out. `incomplete`: parts of the
 * tree are missing because of findings, and nothing is concluded from it.
 */
export function compose({ files, roots, report, choices, secretConfig, meant, join }: Sources) {
  const composition = newComposition(report, choices, secretConfig, meant);
  const composed = (written: readonly MapNode[], whole: MapNode) => {
    const root = withKnownNames(composition, whole);
    const { files: included, off, incomplete } = composition;
    return { root, written, files: included, off, incomplete };
  };
  if (!files.some(({ text }) => mayCompose(text))) return composed(roots, join(roots));
  const whole = roots.map((root, index) => withIncluded(composition, root, 'top', [files[index]?.name ?? '']));
  const part = (name: string): readonly Entry[] => whole.flatMap((root) => entryOf(root, name) ?? []);
  const plainRoot = join(whole.map((root) => without(root, TOP_WORDS)));
  const overlay = overlayOf(composition, plainRoot, part('overlays'));
  const templates = readTemplates(composition, mapIn(composition, part('templates'))?.entries ?? []);
  const layers = overlay ? [plainRoot, overlay] : [plainRoot];
  const known = mergedMap(layers.map(configOf));
  const root = expandMap({ composition, known, templates, isPartial: false }, layers, 'top', []);
  // An overlay can change `when: false`.
  if (!composition.incomplete && part('overlays').length === 0) reportConstant(composition);
  return composed(whole, root);
}

/** The maps of several files under one key as one. */
function mapIn(composition: Composition, parts: readonly Entry[]): MapNode | undefined {
  const maps = parts.flatMap(({ key, value }) => {
    if (value.form === 'map') return [value];
    if (!isNull(value) && value.form !== 'failed')
      refuse(composition, value, 'wrong-type', `"${key}" must be a map by name`);
    return [];
  });
  const [first, ...others] = maps;
  return first && others.reduce((all, map) => joinMaps(composition.report, all, map), first);
}

/**
 * Warns of an overlay whose name is that of a stack with a typo: no stack uses it. Any other name
 * can be chosen in another way. A chosen stack without settings may be the misspelt one.
 */
function reportNoStack(
  report: Report,
  { key, ...place }: Entry,
  { stacks, chosen }: { readonly stacks: readonly string[]; readonly chosen: string | undefined },
): void {
  if (stacks.includes(key) || key === chosen) return;
  const isNear = (stack: string): boolean => isTypo(key, stack) && stack.replace(/\D/g, '') === key.replace(/\D/g, '');
  const near = stacks.find(isNear);
  if (near !== undefined)
    report.warning(place, 'overlay-without-stack', `there is no stack "${key}"`, `did you mean "${near}"?`);
  else if (chosen !== undefined && !stacks.includes(chosen) && isNear(chosen))
    report.warning(
      place,
      'overlay-without-stack',
      `stack "${chosen}" has neither settings nor an overlay, and so does not get this one`,
      `did you mean stack "${key}"?`,
    );
}

/** The chosen overlay, marked as one; undefined when there is none. */
function overlayOf(composition: Composition, root: MapNode, parts: readonly Entry[]): MapNode | undefined {
  const { choices, report } = composition;
  const overlays = mapIn(composition, parts);
  const name = choices.overlay ?? choices.stack?.split('/').at(-1);
  const chosen = name === undefined ? undefined : entryOf(overlays, name);
  if (choices.overlay !== undefined && chosen === undefined) {
    const known = overlays?.entries.map(({ key }) => key) ?? [];
    const hint = known.length === 0 ? undefined : didYouMean(choices.overlay, known);
    const message = `there is no overlay "${choices.overlay}"`;
    const place = parts[0] ?? { path: [], at: { ...root.at, end: root.at.start } };
    refuse(composition, place, 'unknown-overlay', message, hint);
  } else {
    const { stacks } = choices;
    if (stacks) for (const entry of overlays?.entries ?? []) reportNoStack(report, entry, { stacks, chosen: name });
  }
  if (chosen === undefined || isNull(chosen.value)) return undefined;
  if (chosen.value.form !== 'map') return refuse(composition, chosen.value, 'wrong-type', 'an overlay must be a map');
  for (const entry of chosen.value.entries.filter(({ key }) => TOP_WORDS.includes(key))) {
    const message = `"${entry.key}" cannot be part of an overlay`;
    report.error(entry, 'unknown-key', message, 'write it at the top of the file');
  }
  const via = [{ how: 'overlay' as const, name: chosen.key, at: chosen.at }];
  const over = substitute(composition, without(chosen.value, TOP_WORDS), { bindings: {}, via });
  return over.form === 'map' ? over : undefined;
}

function reportConstant({ constant, off, report }: Composition): void {
  for (const { path, place } of constant) {
    const isOff = off.some((each) => each.path === path);
    const hint = isOff ? 'leave the thing out, or make the condition depend on ${config.NAME}' : 'leave it out';
    report.warning(place, 'constant-condition', `the condition is always ${isOff ? 'false' : 'true'}`, hint);
  }
}

interface Walk extends LoopScope {
  readonly templates: StackTemplates;
  /** It is inside of a thing that is partial. */
  readonly isPartial: boolean;
}

/** The parts of a file that conditions and loops read. */
const configOf = (map: MapNode): MapNode => ({ ...map, entries: map.entries.filter(({ key }) => key === 'config') });

function expandMap(walk: Walk, layers: Layers, position: MapPosition, path: readonly string[]): MapNode {
  const map = writtenAs(layers);
  if (map === undefined) throw new TypeError('a map needs a layer');
  const { composition } = walk;
  if (composition.budget < 0) return map;
  if (path.length > DEPTH) {
    refuse(composition, map, 'too-deep', 'nested too deeply');
    // One finding says it: templates that double themselves get as deep in a million places.
    composition.budget = -1;
    return map;
  }
  const isOfThings = position === 'names' || position === 'components';
  const all = isOfThings ? layers.map((each) => withoutMisplacedWords(composition, each)) : layers;
  const entries: Entry[] = [];
  for (const [key, layered] of childrenOf(walk, all)) {
    const there = walk.isPartial ? layered : withoutRemovalOfNothing(walk, layered, all);
    const entry = expandEntry(walk, there, positionBelow(position, key), [...path, key]);
    if (entry) entries.push(entry);
  }
  const isSame = entries.length === map.entries.length && entries.every((entry, index) => entry === map.entries[index]);
  const isPartial = walk.isPartial || layers.some((each) => each.isPartial === true);
  if (isPartial) return { ...map, entries, isPartial };
  return isSame ? map : { ...map, entries };
}

/** The entry of one key as it counts; undefined when it is removed or switched off. */
function expandEntry(walk: Walk, layered: Layered, position: MapPosition, path: readonly string[]): Entry | undefined {
  const decided = isThing(position) ? layered : withConditionsDecided(walk, layered, path);
  const counted = counting(decided).map((given) => given.entry);
  const entry = writtenAs(counted);
  if (entry === undefined) {
    const removal = decided.findLast((given) => isNull(given.entry.value));
    if (removal) walk.composition.off.push({ how: 'removal', path, place: removal.entry });
    return undefined;
  }
  const value = expandValue(walk, counted, position, path);
  return value === undefined || value === entry.value ? value && entry : { ...entry, value };
}

function expandValue(
  walk: Walk,
  counted: readonly Entry[],
  position: MapPosition,
  path: readonly string[],
): Node | undefined {
  const maps = counted.flatMap(({ value }) => (value.form === 'map' ? [value] : []));
  const [first] = counted;
  if (first === undefined) return undefined;
  if (maps.length === 0) return expandNode(walk, first.value, position, path);
  if (!isThing(position)) return expandMap(walk, maps, position, path);
  const isOn = (when: Entry): boolean => holds(walk.composition, walk.known, when, path);
  const only = conditionalValue(maps);
  if (only) return isOn(only.when) ? expandNode(walk, only.value, position, path) : undefined;
  // A component can hold others by name, and one of them can be named so.
  const own = position === 'thing' ? withoutEach(walk.composition, first, maps) : maps;
  const { layers, conditions, isPartial, isEmpty } = thingOf(walk, own);
  for (const when of conditions) if (!isOn(when)) return undefined;
  const map = expandMap(isPartial ? { ...walk, isPartial } : walk, layers, position, path);
  const isNoComponent = position === 'component' && map.entries.length === 0 && !isEmpty;
  return isNoComponent && areLeftOut(walk, path.at(-1) ?? '', layers) ? undefined : map;
}

/** Whether what layers give to a group are components by name that a word makes or leaves out. */
function areLeftOut({ composition }: Walk, group: string, layers: Layers): boolean {
  const given = layers.flatMap(({ entries }) => entries).filter(({ value }) => !isNull(value));
  const isLeftOut = ({ key, value }: Entry): boolean =>
    isLoopName(key) || (value.form === 'map' && entryOf(value, 'when') !== undefined && !conditionalValue([value]));
  if (given.length === 0 || !given.every(isLeftOut)) return false;
  const names = given.map(({ key }) => key).filter((key) => !isLoopName(key));
  return names.length === 0 || composition.choices.areComponents?.(group, names) === true;
}

function expandNode(walk: Walk, node: Node, position: MapPosition, path: readonly string[]): Node {
  if (node.form === 'map') return expandMap(walk, [node], position, path);
  if (node.form !== 'list') return node;
  const items = node.items.map((item) => expandNode(walk, item, 'free', path));
  return items.some((item, index) => item !== node.items[index]) ? { ...node, items } : node;
}

/**
 * A thing: the layers of the template that it uses, below its own. `isPartial`: something below its
 * own keys could not be found, which was reported. `isEmpty`: one of the layers is written as `{}`.
 */
function thingOf(
  walk: Walk,
  own: Layers,
): { layers: Layers; isPartial: boolean; isEmpty: boolean; conditions: readonly Entry[] } {
  const isEmpty = own.some(({ entries }) => entries.length === 0);
  const [use, given, when] = ['use', 'with', 'when'].map((word) => mergedEntry(entriesInLayers(own, word)));
  const conditions = when ? [when] : [];
  if (!use && !given && !when) return { layers: own, conditions, isPartial: false, isEmpty };
  const keys = own.map((map) => without(map, WORDS));
  if (use === undefined && given)
    walk.composition.report.error(given, 'use-missing', '"with" needs "use"', 'use: TEMPLATE');
  if (use === undefined) return { layers: keys, conditions, isPartial: given !== undefined, isEmpty };
  const body = usedTemplate(walk, use, given);
  const inner = body?.form === 'map' ? thingOf(walk, [body]) : undefined;
  return {
    layers: [...(inner?.layers ?? []), ...keys],
    conditions: [...conditions, ...(inner?.conditions ?? [])],
    isPartial: inner?.isPartial !== false,
    isEmpty: isEmpty || inner?.isEmpty === true,
  };
}

function usedTemplate({ composition, templates }: Walk, use: Entry, given: Entry | undefined): Node | undefined {
  const { value } = use;
  const fail = (code: string, message: string, hint?: string): undefined =>
    composition.report.error(value, code, message, hint);
  if (value.form === 'failed') return undefined;
  const name = value.form === 'scalar' ? value.source : '';
  if (hasReference(name))
    return fail('no-reference', '"use" takes the name of a template, which cannot contain a reference');
  const template = templates.get(name);
  if (template === undefined && templates.has(name)) return undefined;
  if (template === undefined) {
    const hint = didYouMean(name, [...templates.keys()], `declare it: templates: { NAME: { body: { … } } }`);
    return name === ''
      ? fail('wrong-type', '"use" takes the name of a template')
      : fail('no-template', `there is no template "${name}"`, hint);
  }
  const isRing = use.via?.some((each) => each.how === 'template' && each.name === name);
  if (isRing === true) return fail('cycle', `template "${name}" uses itself`);
  return instantiate(composition, template, use, given);
}

/** `{ when: …, value: … }` in place of any value. */
function conditionalValue(maps: Layers): { readonly when: Entry; readonly value: Node } | undefined {
  if (maps.some(({ entries }) => entries.some(({ key }) => key !== 'when' && key !== 'value'))) return undefined;
  const [when, value] = ['when', 'value'].map((key) => mergedEntry(entriesInLayers(maps, key)));
  return when && value ? { when, value: value.value } : undefined;
}

const NOTHING = { form: 'scalar', value: null, source: '', raw: '' } as const;

/** Values without their conditions. A condition that is false removes the value, as null does. */
function withConditionsDecided({ composition, known }: Walk, layered: Layered, path: readonly string[]): Layered {
  const joined: Layered[number][] = [];
  for (const given of layered) {
    const last = joined.at(-1);
    const maps = [last, given].flatMap((each) => (each?.entry.value.form === 'map' ? [each.entry.value] : []));
    const both = last && maps.length === 2 ? conditionalValue(maps) && mergedMap(maps) : undefined;
    if (last && both && conditionalValue(maps.slice(0, 1)))
      joined.splice(-1, 1, { ...last, entry: { ...last.entry, value: both } });
    else joined.push(given);
  }
  let isOn = false;
  const decided = joined.map((given): Layered[number] => {
    const { entry, layer } = given;
    const only = entry.value.form === 'map' ? conditionalValue([entry.value]) : undefined;
    const isOff = only && !holds(composition, known, only.when, path);
    isOn ||= isOff !== true;
    const { path: place, at } = entry.value;
    if (isOff === true) return { layer, entry: { ...entry, value: { ...NOTHING, path: place, at } } };
    return only ? { layer, entry: { ...entry, value: only.value } } : given;
  });
  return isOn ? decided : [];
}

/** The values of a key, without nulls that remove nothing, which are reported. */
function withoutRemovalOfNothing({ composition }: Walk, layered: Layered, layers: Layers): Layered {
  const there = layered.findIndex(({ entry, layer }) => !isNull(entry.value) || !isRemoval(entry, layer));
  if (there === 0) return layered;
  const removals = there < 0 ? layered : layered.slice(0, there);
  for (const { entry, layer } of removals) {
    const below = layers.slice(0, layer).flatMap(({ entries }) => entries.map(({ key }) => key));
    const message = `there is no "${entry.key}" ${isOverlay(entry) ? 'that the overlay could remove' : 'to remove'}`;
    const hint = didYouMean(entry.key, below, `write "${entry.key}: {}" for an empty map`);
    composition.report.error(entry, 'nothing-to-remove', message, hint);
    composition.report.misspelt(entry, below);
  }
  return there < 0 ? [] : layered.slice(there);
}

/** Whether a null is written over something. In templates, and in a file alone, it never is. */
const isRemoval = ({ via = [], ...entry }: Entry, layer: number): boolean =>
  (layer > 0 || isOverlay({ ...entry, via })) && !via.some(({ how }) => how === 'template');

/**
 * A map of things without the words that cannot be names of things there, of which the first is
 * reported: people mean them for each of the things. A word can be the name of a thing: `each` with
 * a list is a mistake, and `each` or `with` that have a map next to a word that has a single value.
 * A map with `value` is a variable.
 */
function withoutMisplacedWords(composition: Composition, map: MapNode): MapNode {
  const words = map.entries.filter(({ key }) => WORDS.includes(key));
  const each = entryOf(map, 'each');
  const repeated = each ?? entryOf(map, 'with');
  const isMistake =
    each?.value.form === 'list' ||
    (repeated?.value.form === 'map' &&
      entryOf(repeated.value, 'value') === undefined &&
      words.some(({ value }) => value.form === 'scalar'));
  const word = each ?? words[0];
  if (!isMistake || word === undefined) return map;
  const message = `"${word.key}" stands next to the things of this map: it belongs inside one of them`;
  const hint = each ? "'${each.key}': { each: [one, two], … }" : 'NAME: { use: TEMPLATE, with: { … } }';
  refuse(composition, word, 'misplaced-word', message, hint);
  // What stands beside them is meant for each thing, too, unless it is a thing itself.
  return { ...map, entries: map.entries.filter((entry) => !words.includes(entry) && entry.value.form === 'map') };
}

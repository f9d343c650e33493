// Carries out the words of composition below the top of a file: `use`, `extends`, `each`, `when`. Subtrees without a word stay the same objects.
// It must not know files, nor kinds.
import { warning } from '../../api/contract';
import { nearest } from '../../provider';
import { partOf } from '../reader/source';
import { entryOf, type Entry, type MapNode, type Node, type ScalarNode } from '../reader/tree';
import { formatSteps, parseSteps } from '../values/interpolation';
import { evaluate } from './condition';
import { emptyMap, failedNode, refuse, type Composition } from './composition';
import { eachEntry } from './each';
import { hasReference, knownValue } from './known';
import { mergeMaps, without } from './merge';
import { withoutMisplacedWords, WORDS } from './misplaced-words';
import { isThing, positionBelow, type MapPosition } from './position';
import { substitute } from './substitute';
import { instantiate, type StackTemplates } from './template';

/** What a walk through the tree needs. `root` is the complete file, before anything is carried out. */
interface Walk {
  readonly composition: Composition;
  readonly root: MapNode;
  readonly templates: StackTemplates;
}

/** Levels of nesting, as for a file. */
const DEPTH = 64;

/** The whole tree with its words carried out. */
export function expand(walk: Walk): MapNode {
  return expandMap(walk, walk.root, 'top', []);
}

function expandNode(walk: Walk, node: Node, position: MapPosition, path: readonly string[]): Node {
  if (node.form === 'map') return expandMap(walk, node, position, path);
  if (node.form !== 'list') return node;
  const items = node.items.map((item) => expandNode(walk, item, 'free', path));
  return items.some((item, index) => item !== node.items[index]) ? { ...node, items } : node;
}

function expandMap(walk: Walk, map: MapNode, position: MapPosition, path: readonly string[]): MapNode {
  if (walk.composition.budget < 0) return map;
  if (path.length > DEPTH) {
    refuse(walk.composition, map, { code: 'too-deep', message: 'nested too deeply' });
    // One finding says it: templates that double themselves get as deep in a million places.
    walk.composition.budget = -1;
    return map;
  }
  const things = position === 'names' || position === 'components' ? withoutMisplacedWords(walk.composition, map) : map;
  const all = eachEntry(walk.composition, walk.root, things);
  const entries = all.flatMap((entry) => expandEntry(walk, entry, positionBelow(position, entry.key), path) ?? []);
  const isSame = entries.length === map.entries.length && entries.every((entry, index) => entry === map.entries[index]);
  return isSame ? map : { ...map, entries };
}

/** An entry as it counts; undefined when it is switched off. */
function expandEntry(walk: Walk, entry: Entry, position: MapPosition, above: readonly string[]): Entry | undefined {
  const path = [...above, entry.key];
  let value = entry.value;
  const only = conditionalValue(value);
  if (only) {
    if (!holds(walk, only.when, path)) return undefined;
    value = only.value;
  } else if (value.form === 'map' && isThing(position)) {
    const { thing, conditions } = thingOf(walk, value, []);
    for (const when of conditions) if (!holds(walk, when, path)) return undefined;
    value = thing;
  }
  value = expandNode(walk, value, position, path);
  return value === entry.value ? entry : { ...entry, value };
}

/** `{ when: …, value: … }` in place of any value. */
function conditionalValue(node: Node): { readonly when: Entry; readonly value: Node } | undefined {
  if (node.form !== 'map' || node.entries.length !== 2) return undefined;
  const [when, value] = [entryOf(node, 'when'), entryOf(node, 'value')];
  return when && value ? { when, value: value.value } : undefined;
}

/** Whether a condition holds. One that is wrong was reported; nothing is concluded from it. */
function holds({ composition, root }: Walk, when: Entry, path: readonly string[]): boolean {
  const isOn = conditionHolds(composition, when, (steps) => knownValue(composition, root, steps));
  if (!isOn) composition.off.push({ path, place: when });
  if (when.value.form === 'scalar' && !hasReference(when.value.raw) && when.value.raw !== '')
    composition.constant.push({ path, place: when.value });
  return isOn;
}

/** Evaluates the condition of an entry. A fault is reported at its place in the text, and counts as true. */
export function conditionHolds(
  composition: Composition,
  { value: node }: Entry,
  lookup: Parameters<typeof evaluate>[1],
): boolean {
  if (node.form === 'scalar' && typeof node.value === 'boolean') return node.value;
  if (node.form !== 'scalar' || typeof node.value !== 'string') {
    composition.incomplete = true;
    if (node.form === 'failed') return true;
    const hint = `when: "\${config.tier} == 'prod'"`;
    refuse(composition, node, { code: 'bad-condition', message: 'a condition is a text, true or false', hint });
    return true;
  }
  const found = evaluate(node.source, lookup);
  if ('holds' in found) {
    reportImpossible(composition, node, lookup);
    return found.holds;
  }
  refuse(composition, { ...node, at: placeIn(node, found.fault) }, found.fault);
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

interface Thing {
  readonly thing: Node;
  readonly conditions: readonly Entry[];
}

/** A thing with what it extends and uses, its own keys over both. `trail`: what is being extended on the way here. */
function thingOf(walk: Walk, map: MapNode, trail: readonly string[]): Thing {
  const { composition } = walk;
  const [use, given, extended, when] = ['use', 'with', 'extends', 'when'].map((word) => entryOf(map, word));
  const own = when ? [when] : [];
  if (use === undefined && given)
    refuse(composition, given, { code: 'use-missing', message: '"with" needs "use"', hint: 'use: TEMPLATE' });
  if (use === undefined && extended === undefined && when === undefined) return { thing: map, conditions: own };
  let thing = emptyMap(map);
  const conditions = [...own];
  for (const base of [
    ...(extended ? basesOf(walk, extended, trail) : []),
    ...(use ? [usedTemplate(walk, use, given)] : []),
  ]) {
    const inner = base.form === 'map' ? thingOf(walk, base, trail) : undefined;
    if (inner?.thing.form !== 'map') return { thing: failedNode(map), conditions };
    conditions.push(...inner.conditions);
    thing = mergeMaps(thing, inner.thing, 'over');
  }
  return { thing: mergeMaps(thing, without(map, WORDS), 'over'), conditions };
}

function usedTemplate({ composition, templates }: Walk, use: Entry, given: Entry | undefined): Node {
  const { value } = use;
  const fail = (code: string, message: string, hint?: string): Node => {
    refuse(composition, value, { code, message, ...(hint === undefined ? {} : { hint }) });
    return failedNode(value);
  };
  if (value.form === 'failed') return value;
  const name = value.form === 'scalar' ? value.source : '';
  const template = templates.get(name);
  if (template === undefined && templates.has(name)) return failedNode(value);
  if (template === undefined) {
    const near = nearest(name, [...templates.keys()]);
    const hint = near ? `did you mean "${near}"?` : `declare it: templates: { NAME: { body: { … } } }`;
    return name === ''
      ? fail('wrong-type', '"use" takes the name of a template')
      : fail('no-template', `there is no template "${name}"`, hint);
  }
  const isRing = use.via?.some((each) => each.how === 'template' && each.name === name);
  if (isRing === true) return fail('template-cycle', `template "${name}" uses itself`);
  return instantiate(composition, template, use, given);
}

/** Copies of the things that `extends` names. */
function basesOf(walk: Walk, extended: Entry, trail: readonly string[]): readonly Node[] {
  const names = extended.value.form === 'list' ? extended.value.items : [extended.value];
  return names.map((name) => baseOf(walk, extended, name, trail));
}

function baseOf(walk: Walk, extended: Entry, node: Node, trail: readonly string[]): Node {
  const { composition, root } = walk;
  const steps = node.form === 'scalar' ? parseSteps(node.source) : undefined;
  const fail = (code: string, message: string, hint?: string): Node => {
    refuse(composition, node, { code, message, ...(hint === undefined ? {} : { hint }) });
    return failedNode(node);
  };
  if (steps === undefined) return fail('wrong-type', '"extends" takes the path of a thing', 'extends: platforms.base');
  const name = formatSteps(steps);
  const isRing = trail.includes(name) || extended.via?.some((each) => each.how === 'extends' && each.name === name);
  if (isRing === true) return fail('extends-cycle', `"${name}" extends itself`);
  composition.extended.add(steps.join('.'));
  let found: Node | undefined = root;
  for (const step of steps) found = found?.form === 'map' ? entryOf(found, String(step))?.value : undefined;
  if (found?.form !== 'map') {
    const why = found === undefined ? 'is nothing this file declares' : 'is not a map';
    return fail('unknown-reference', `"${name}" ${why}`);
  }
  const via = [{ how: 'extends' as const, name, at: node.at }, ...(extended.via ?? [])];
  const base = substitute(composition, without(found, ['when', 'each']), { bindings: {}, via });
  if (base.form !== 'map') return base;
  // Its own bases come with it: a ring among them is found by the copies' way here.
  const { thing } = thingOf(walk, base, [...trail, name]);
  return thing;
}

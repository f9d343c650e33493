// Answers of a stack to an editor: every key that declares a name, and every place that mentions
// one, with the exact characters; the declaration of the name at a cursor; and the edit that a
// finding proposes.
import { kindInFile } from '../provider/kinds';
import type { KnownCatalogue } from '../provider/kinds/catalogue';
import { readComponents } from './bind/components';
import type { StackTrees } from './bind/stack';
import { newReport, type Finding } from './findings/finding';
import { positionBelow, type MapPosition } from './layout';
import { formatSteps, placedSteps, splitText, type Interpolation } from './values/interpolation';
import type { Steps } from './values/value';
import { type FilePlace, rangesOf, rangeWithin, type Range, type SourceFile } from './yaml/source';
import { entriesIn, keyPlace, valueBelow, type Entry, type MapNode, type Node, type ScalarNode } from './yaml/tree';

export type Sites = readonly Site[];

/** What a walk looks up, and what it finds. */
interface Walk {
  readonly texts: ReadonlyMap<string, string>;
  readonly names: Map<string, Site>;
  /** What decides which keys are attributes, and which are names of components. */
  readonly known: KnownCatalogue;
  /** Bare names of packs by platform. */
  readonly packs: ReadonlyMap<string, string>;
}

/** Finds all names in the trees of a stack that is judged by a catalogue. */
export function sitesOf(trees: StackTrees, files: readonly SourceFile[], known: Walk['known']): Sites {
  const { written, composed } = trees;
  const found: Walk = {
    known,
    packs: writtenPacks(trees),
    texts: new Map(files.map(({ name, text }) => [name, text])),
    names: new Map<string, Site>(),
  };
  // What a template makes has its names in the composed tree alone; what is switched off, and other
  // overlays, are in the written ones.
  for (const root of [...written, ...(composed ? [composed] : [])]) walkMap(found, root, { position: 'top', path: [] });
  return [...found.names.values()];
}

function walkMap(walk: Walk, map: MapNode, place: Place): void {
  for (const entry of map.entries) {
    for (const { how, name, at } of entry.via ?? []) if (how === 'include') addFile(walk, at, name);
    walkReferences(walk, entry.at, entry.key, place);
    walkEntry(walk, map, entry, place);
  }
}

function walkEntry(walk: Walk, map: MapNode, entry: Entry, place: Place): void {
  const { key, value } = entry;
  const path = [...place.path, key];
  if (place.position === 'top' && TOP[key]) return TOP[key](walk, value, place);
  if (place.position === 'names') {
    addKey(walk, entry, path, place);
    return walkNode(walk, value, { ...place, position: 'thing', path });
  }
  if (place.position === 'components') return walkComponents(walk, map, entry, place);
  walkWord(walk, map, entry, place);
  const pack = key === 'components' ? { pack: writtenPack(map) } : {};
  walkNode(walk, value, { ...place, position: positionBelow(place.position, key), path, ...pack });
}

function walkNode(walk: Walk, node: Node, place: Place): void {
  if (node.form === 'map') walkMap(walk, node, place);
  if (node.form === 'list') node.items.forEach((item) => walkNode(walk, item, { ...place, position: 'free' }));
  if (node.form === 'scalar') walkReferences(walk, node.at, node.raw, place);
}

/** Parts of the top whose entries have names, and are no records. */
const TOP: { readonly [key: string]: (walk: Walk, node: Node, place: Place) => void } = {
  config: (walk, node, place) => named(walk, node, { ...place, path: ['config'] }),
  env: (walk, node) => itemsOf(node).forEach((item) => addText(walk, item, ['env', item.source], 'declaration')),
  overlays: (walk, node) =>
    forEachMap(node, (own, value) => {
      addKey(walk, own, ['overlays', own.key], { position: 'names', path: [] });
      walkMap(walk, value, { position: 'top', path: [], isOverlay: true });
    }),
  templates: (walk, node, place) =>
    forEachMap(node, (own, value) => {
      const path = ['templates', own.key];
      addKey(walk, own, path, place);
      for (const part of value.entries) {
        const below = { position: 'thing' as const, path: [...path, part.key], template: own.key };
        if (part.key === 'parameters') named(walk, part.value, below);
        else walkNode(walk, part.value, below);
      }
    }),
};

function named(walk: Walk, node: Node, place: Place): void {
  if (node.form !== 'map') return;
  for (const entry of node.entries) {
    const path = [...place.path, entry.key];
    addKey(walk, entry, path, place);
    walkNode(walk, entry.value, { ...place, position: 'free', path });
  }
}

const forEachMap = (node: Node, action: (own: Entry, value: MapNode) => void): void => {
  if (node.form === 'map') for (const own of node.entries) if (own.value.form === 'map') action(own, own.value);
};

/** Components under one key: the key itself is one, or the keys below it. */
function walkComponents(walk: Walk, map: MapNode, entry: Entry, place: Place): void {
  const around = place.path[0] === 'environments' ? 'environments.*.' : '';
  const kind = kindInFile(`${around}platforms.*.components.*`);
  const scope = { report: newReport([]), known: walk.known, readFile: () => ({ problem: '' }) };
  const pack = place.pack ?? walk.packs.get(nameAt(place.path)[1] ?? '');
  for (const { name, own } of readComponents(scope, entry, pack, kind)) {
    const path = [...place.path, name];
    addKey(walk, own, path, place);
    if (own !== entry) walkReferences(walk, own.at, own.key, place);
    walkNode(walk, own.value, { ...place, position: 'thing', path });
  }
}

/** Keys of a thing whose values name other things. */
function walkWord(walk: Walk, map: MapNode, { key, value }: Entry, place: Place): void {
  const { path } = place;
  const name = nameAt(path);
  const mention = (node: Node, below: readonly string[]): void => {
    if (node.form === 'scalar') addText(walk, node, [...below, node.source], 'mention');
  };
  const inPlatform = name[0] === 'platforms' && name.length === 2;
  if (key === 'links' && (inPlatform || path.at(-1) === 'body'))
    itemsOf(value).forEach((item) => mention(item, ['platforms']));
  if (key === 'depends' && name[2] === 'components') itemsOf(value).forEach((item) => mention(item, name.slice(0, 3)));
  if (key === 'clouds' && !name.includes('components')) itemsOf(value).forEach((item) => mention(item, ['clouds']));
  if (key === 'scale' && inPlatform && value.form === 'map')
    for (const own of value.entries) addKey(walk, own, [...path, 'components', own.key], { ...place, isOverlay: true });
  if (path[0] === 'environments' && path.length === 4) {
    const platform = valueBelow(map, 'platform');
    if (key === 'platform') mention(value, ['platforms']);
    if (key === 'component' && platform?.form === 'scalar')
      mention(value, ['platforms', platform.source, 'components']);
  }
  if (key === 'use') mention(value, ['templates']);
  const used = valueBelow(map, 'use');
  if (key === 'with' && used?.form === 'scalar' && value.form === 'map')
    for (const own of value.entries)
      addKey(walk, own, ['templates', used.source, 'parameters', own.key], { ...place, isOverlay: true });
  if (key === 'fn::env') mention(value, ['env']);
}

const itemsOf = (node: Node): readonly ScalarNode[] =>
  node.form === 'list' ? node.items.filter((item) => item.form === 'scalar') : [];

/** Whether a cursor is in a range, or at its end. */
function isAt({ file, line, column }: FilePlace, { file: of, start, end }: Range): boolean {
  if (file !== of) return false;
  const after = line > start.line || (line === start.line && column >= start.column);
  return after && (line < end.line || (line === end.line && column <= end.column));
}

/** Where a name is declared, or its keys in environments, or an included file. */
export function definitionPlaces(sites: Sites, cursor: FilePlace): readonly Range[] {
  const here = narrowestAt(sites, cursor).map(({ name }) => keyOf(name));
  const of = sites.filter(({ name }) => here.includes(keyOf(name)));
  const declared = of.filter(({ role }) => role === 'declaration');
  const places = declared.length > 0 ? declared : of.filter(({ role }) => role === 'key');
  return [...new Map(places.map(({ at }) => [keyPlace(at), at])).values()];
}

const keyOf = (name: Name): string => JSON.stringify(name);

const lengthOf = ({ start, end }: Range): number => end.offset - start.offset;

/** The names at a cursor, without those around them. */
function narrowestAt(all: readonly Site[], cursor: FilePlace): readonly Site[] {
  // An included file has a place of no length, in which no cursor is.
  const here = all.filter(({ at }) => lengthOf(at) > 0 && isAt(cursor, at));
  const least = Math.min(...here.map(({ at }) => lengthOf(at)));
  return here.filter(({ at }) => lengthOf(at) === least);
}

/** A name by its keys from the top: `['platforms', 'web', 'components', 'deployer']`. */
type Name = readonly string[];

interface Site {
  readonly name: Name;
  /** A `key` says more about a name that is declared elsewhere: in an environment or an overlay. */
  readonly role: 'declaration' | 'key' | 'mention';
  readonly at: Range;
}

interface Place {
  readonly position: MapPosition;
  /** Keys from the top, or from the top of the overlay. */
  readonly path: readonly string[];
  readonly isOverlay?: boolean;
  /** The template whose body it is in. */
  readonly template?: string;
  /** Bare name of the pack of the platform that it is in, where that has it. */
  readonly pack?: string | undefined;
}

/** The name of keys: in an environment, platforms, variables and clouds of the design. */
function nameAt(path: readonly string[]): Name {
  const [first, , inside] = path;
  if (first === 'environments' && ['platforms', 'variables', 'clouds'].includes(inside ?? ''))
    return nameAt(path.slice(2));
  return first === 'platforms' && inside === 'clouds' ? path.slice(2) : path;
}

const SERVICE_VARIABLE = /\$OO_(GLOBAL|LOCAL)\{([^{}]+)\}/g;

/** References in a text, of a file and of the service. */
function walkReferences(walk: Walk, at: Range, raw: string, place: Place): void {
  if (!raw.includes('$')) return;
  const from = textAt(walk, at).indexOf(raw);
  if (from < 0) return;
  for (const part of splitText(raw))
    if (typeof part === 'object' && part.steps)
      addSteps(walk, at, raw.slice(part.start + 2, part.end - 1), from + part.start + 2, place);
  for (const match of raw.matchAll(SERVICE_VARIABLE)) {
    const [whole, where, word = ''] = match;
    const inside = nameAt(place.path);
    const name = [...(where === 'LOCAL' ? inside.slice(0, 2) : []), 'variables', word];
    const start = from + match.index + whole.indexOf(word);
    add(walk, at, start, start + word.length, { name, role: 'mention' });
  }
}

/**
 * Each name in the steps of a reference; the steps after the last name belong to it. `from`: where
 * the text is in its range.
 */
function addSteps(walk: Walk, at: Range, text: string, from: number, { template }: Place): void {
  const quote = /^\s*["']?/.exec(text)?.[0].length ?? 0;
  const steps = placedSteps(text.slice(quote).replace(/["']?\s*$/, '')) ?? [];
  const [first, second] = steps;
  const start = from + quote;
  if (first?.step === 'param' && second) {
    const name = ['templates', template ?? '', 'parameters', String(second.step)];
    if (template !== undefined) add(walk, at, start + second.start, start + second.end, { name, role: 'mention' });
    return;
  }
  const words = steps.map(({ step }) => String(step));
  for (let index = 1; index < steps.length; index += 2) {
    const [key, step] = [words[index - 1] ?? '', steps[index]];
    const isName = key === 'config' ? index === 1 : positionBelow('top', key) === 'names' || key === 'components';
    if (!isName || step === undefined) return;
    const name = nameAt(words.slice(0, index + 1));
    add(walk, at, start + step.start, start + step.end, { name, role: 'mention' });
    const rest = steps[index + 1];
    // The output after the name leads to the name.
    if (rest) add(walk, at, start + rest.start, start + text.length, { name, role: 'mention' });
  }
}

/** A key that is a name: of a thing, or of what it says more about. */
function addKey(walk: Walk, own: Entry, path: readonly string[], place: Place): void {
  const name = nameAt(path);
  const isOwn = name.length === path.length && place.isOverlay !== true;
  addText(walk, { at: own.at, source: own.key }, name, isOwn ? 'declaration' : 'key');
}

function addText(walk: Walk, { at, source }: Pick<ScalarNode, 'at' | 'source'>, name: Name, role: Site['role']): void {
  const text = textAt(walk, at);
  const start = /^["']/.test(text) ? 1 : 0;
  const isWritten = text.slice(start, start + source.length) === source && text.length === source.length + 2 * start;
  if (isWritten) add(walk, at, start, start + source.length, { name, role });
  // A name that another value makes is written where that value is.
  else if (role !== 'mention') add(walk, at, 0, text.length, { name, role });
}

const textAt = ({ texts }: Walk, at: Range): string => (texts.get(at.file) ?? '').slice(at.start.offset, at.end.offset);

function add(walk: Walk, at: Range, start: number, end: number, site: Omit<Site, 'at'>): void {
  addSite(walk, { ...site, at: rangeWithin(at, textAt(walk, at), start, end) });
}

function addSite({ names }: Walk, site: Site): void {
  const key = JSON.stringify([site.name, site.at.file, site.at.start.offset]);
  if (!names.has(key)) names.set(key, site);
}

/** An included file, which its beginning declares. */
function addFile(walk: Walk, at: Range, file: string): void {
  const name = ['include', file];
  addSite(walk, { name, role: 'mention', at });
  addSite(walk, { name, role: 'declaration', at: rangesOf({ name: file, text: '' })(0, 0) });
}

/** The bare name of a pack in plain text: `tomcat` of `oneops/tomcat:1`. */
function writtenPack(platform: Node): string | undefined {
  const pack = valueBelow(platform, 'pack');
  return pack?.form === 'scalar' ? pack.source.replace(/^.*\//, '').replace(/:.*$/, '') : undefined;
}

/** Bare names of the packs of a stack, by platform. */
export function writtenPacks({ composed, written }: StackTrees): ReadonlyMap<string, string> {
  return new Map((composed ? [composed] : written).flatMap(packsIn));
}

function packsIn(root: MapNode): readonly (readonly [string, string])[] {
  return entriesIn(valueBelow(root, 'platforms')).flatMap(({ key, value }) => {
    const pack = writtenPack(value);
    return pack === undefined ? [] : [[key, pack] as const];
  });
}

/** Another text for a range. */
interface TextEdit {
  readonly at: Range;
  readonly text: string;
}

/** Hints of this form name a replacement; a test holds every hint of the corpus to it. */
const PROPOSAL = /^did you mean "([^"]+)"\?/;

/** The edit that corrects a finding; undefined where none is known. */
export function fixOf({ at, hint = '', secret }: Finding, files: readonly SourceFile[]): TextEdit | undefined {
  const word = secret ? undefined : PROPOSAL.exec(hint)?.[1];
  const text = files.find(({ name }) => name === at.file)?.text.slice(at.start.offset, at.end.offset) ?? '';
  if (word === undefined || text === '') return undefined;
  if (!text.includes('${')) {
    const quote = /^["']/.exec(text)?.[0] ?? '';
    return { at, text: `${quote}${word}${quote}` };
  }
  const steps = placedSteps(word)?.map(({ step }) => step) ?? [];
  const meant = splitText(text).filter((part) => typeof part === 'object' && isNear(part, steps));
  const [only, ...others] = meant as readonly Interpolation[];
  if (only?.steps === undefined || others.length > 0) return undefined;
  const rest = only.steps.slice(commonSteps(only.steps, steps) + 1);
  return { at: rangeWithin(at, text, only.start, only.end), text: `\${${formatSteps([...steps, ...rest])}}` };
}

/** Whether a reference differs from the proposed one in its last steps alone. */
const isNear = ({ steps }: Interpolation, proposed: Steps): boolean =>
  steps !== undefined &&
  steps.length > commonSteps(steps, proposed) &&
  commonSteps(steps, proposed) >= proposed.length - 2;

function commonSteps(left: Steps, right: Steps): number {
  const other = left.findIndex((step, index) => step !== right[index]);
  return other < 0 ? left.length : other;
}

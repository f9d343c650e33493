// Where the names of a stack are written: every key that declares one, and every place that mentions one, with the exact characters; and where the name
// at a cursor is declared.
import type { KnownCatalogue } from '../../provider';
import { readComponents } from '../bind/component-form';
import { ownComponentKeys, ownOverrideKeys } from '../bind/vocabulary';
import type { StackTrees } from '../bind/bind-stack';
import { writtenPack, writtenPacks } from '../bind/written-packs';
import { positionBelow, type MapPosition } from '../compose/position';
import { newReport } from '../findings/finding';
import type { Range, SourceFile } from '../reader/source';
import { entryOf, type Entry, type MapNode, type Node, type ScalarNode } from '../reader/tree';
import { addKey, addText, nameAt, walkReferences, type Name, type NameWalk, type Place, type Site } from './texts';

/** A place that names a file. */
interface FileSite {
  readonly at: Range;
  readonly file: string;
}

/** All places of a stack. */
export interface Sites {
  readonly names: readonly Site[];
  readonly files: readonly FileSite[];
}

interface Walk extends NameWalk {
  /** What decides which keys are attributes, and which are names of components. */
  readonly known: Pick<KnownCatalogue, 'classMetadata' | 'templateClass'>;
  /** Bare names of packs by platform. */
  readonly packs: ReadonlyMap<string, string>;
  readonly files: Map<string, FileSite>;
}

/** Finds all names in the trees of a stack that is judged by a catalogue. */
export function sitesOf(trees: StackTrees, files: readonly SourceFile[], known: Walk['known']): Sites {
  const { written, composed } = trees;
  const found: Walk = {
    known,
    packs: writtenPacks(trees),
    texts: new Map(files.map(({ name, text }) => [name, text])),
    names: new Map<string, Site>(),
    files: new Map<string, FileSite>(),
  };
  // What a template makes has its names in the composed tree alone; what is switched off, and other overlays, are in the written ones.
  for (const root of [...written, ...(composed ? [composed] : [])]) walkMap(found, root, { position: 'top', path: [] });
  return { names: [...found.names.values()], files: [...found.files.values()] };
}

function walkMap(walk: Walk, map: MapNode, place: Place): void {
  for (const entry of map.entries) {
    for (const { how, name, at } of entry.via ?? [])
      if (how === 'include') walk.files.set(JSON.stringify([at, name]), { at, file: name });
    walkReferences(walk, entry, entry.key, place);
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
  if (node.form === 'scalar') walkReferences(walk, node, node.raw, place);
}

/** Parts of the top whose entries have names, and are no records. */
const TOP: { readonly [key: string]: (walk: Walk, node: Node, place: Place) => void } = {
  config: (walk, node, place) => named(walk, node, { ...place, path: ['config'] }, 'free'),
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
        if (part.key === 'parameters') named(walk, part.value, below, 'free');
        else walkNode(walk, part.value, below);
      }
    }),
};

function named(walk: Walk, node: Node, place: Place, position: MapPosition): void {
  if (node.form !== 'map') return;
  for (const entry of node.entries) {
    const path = [...place.path, entry.key];
    addKey(walk, entry, path, place);
    walkNode(walk, entry.value, { ...place, position, path });
  }
}

const forEachMap = (node: Node, action: (own: Entry, value: MapNode) => void): void => {
  if (node.form === 'map') for (const own of node.entries) if (own.value.form === 'map') action(own, own.value);
};

/** Components under one key: the key itself is one, or the keys below it. */
function walkComponents(walk: Walk, map: MapNode, entry: Entry, place: Place): void {
  const ours = place.path[0] === 'environments' ? ownOverrideKeys() : ownComponentKeys();
  const { classMetadata, templateClass } = walk.known;
  const scope = { report: newReport([]), classMetadata, templateClass, readFile: () => ({ problem: '' }) };
  const pack = place.pack ?? walk.packs.get(nameAt(place.path)[1] ?? '');
  const read = readComponents(scope, entry, pack, ours);
  for (const { name, own } of read) {
    const path = [...place.path, name];
    addKey(walk, own, path, place);
    if (own !== entry) walkReferences(walk, own, own.key, place);
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
  if (key === 'clouds' && path[0] === 'environments') itemsOf(value).forEach((item) => mention(item, ['clouds']));
  if (key === 'scale' && inPlatform && value.form === 'map')
    for (const own of value.entries) addKey(walk, own, [...path, 'components', own.key], { ...place, isOverlay: true });
  if (path[0] === 'environments' && path.length === 4) {
    const platform = entryOf(map, 'platform')?.value;
    if (key === 'platform') mention(value, ['platforms']);
    if (key === 'component' && platform?.form === 'scalar')
      mention(value, ['platforms', platform.source, 'components']);
  }
  if (key === 'use') mention(value, ['templates']);
  const used = entryOf(map, 'use')?.value;
  if (key === 'with' && used?.form === 'scalar' && value.form === 'map')
    for (const own of value.entries)
      addKey(walk, own, ['templates', used.source, 'parameters', own.key], { ...place, isOverlay: true });
  if (key === 'fn::env') mention(value, ['env']);
}

/** The texts of a list. */
const itemsOf = (node: Node): readonly ScalarNode[] =>
  node.form === 'list' ? node.items.filter((item) => item.form === 'scalar') : [];

/** A place of a cursor: line and column from 1. */
interface Cursor {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Whether a cursor is in a range, or at its end. */
function isAt({ file, line, column }: Cursor, { file: of, start, end }: Range): boolean {
  if (file !== of) return false;
  const after = line > start.line || (line === start.line && column >= start.column);
  return after && (line < end.line || (line === end.line && column <= end.column));
}

/** Where the name at a cursor is declared; where it has only keys in environments and overlays, those; the files that an `include` names. */
export function definitionPlaces({ names, files }: Sites, cursor: Cursor): readonly Range[] {
  const here = narrowestAt(names, cursor).map(({ name }) => keyOf(name));
  const of = names.filter(({ name }) => here.includes(keyOf(name)));
  const declared = of.filter(({ role }) => role === 'declaration');
  const places = declared.length > 0 ? declared : of.filter(({ role }) => role === 'key');
  const start = { line: 1, column: 1, offset: 0 };
  const included = files.filter(({ at }) => isAt(cursor, at)).map(({ file }) => ({ file, start, end: start }));
  return distinct([...places.map(({ at }) => at), ...included]);
}

const keyOf = (name: Name): string => JSON.stringify(name);

const lengthOf = ({ start, end }: Range): number => end.offset - start.offset;

/** The names at a cursor, without those around them. */
function narrowestAt(all: readonly Site[], cursor: Cursor): readonly Site[] {
  const here = all.filter(({ at }) => isAt(cursor, at));
  const least = Math.min(...here.map(({ at }) => lengthOf(at)));
  return here.filter(({ at }) => lengthOf(at) === least);
}

const distinct = (ranges: readonly Range[]): readonly Range[] => [
  ...new Map(ranges.map((at) => [`${at.file}:${at.start.offset}-${at.end.offset}`, at])).values(),
];

// What `Pulumi.yaml` says of a project that a stack file declares.
// It must not know where the file lies.
import { isAbsolute, join } from 'node:path';
import { STANDARD_FILE } from './load';
import { entryOf, type MapNode, type Node } from './reader/tree';
import { catalogueName, type CatalogueName } from './saved-catalogue';

/** A Pulumi project. */
export interface Project {
  readonly name: string;
  /** Files of its stack, relative to the folder; undefined when a program declares it. */
  readonly files: readonly string[] | undefined;
  /** File of the catalogue that it is held to, relative to the folder; undefined for the packaged one. */
  readonly catalogue: CatalogueName | undefined;
}

/** The project of a `Pulumi.yaml`. */
export function projectIn(map: MapNode): Project {
  const runtime = entryOf(map, 'runtime')?.value;
  const parts = runtime?.form === 'map' ? runtime : undefined;
  const language = parts ? wordIn(parts, 'name') : scalarText(runtime);
  const options = entryOf(parts, 'options')?.value;
  const settings = options?.form === 'map' ? options : undefined;
  const given = entryOf(settings, 'file')?.value;
  const nodes = given?.form === 'list' ? given.items : given === undefined ? [] : [given];
  const files = nodes.map(scalarText).filter((name) => name !== '');
  const inFolder = (name: string): string => (isAbsolute(name) ? name : join(wordIn(map, 'main'), name));
  const named = (files.length > 0 ? files : [STANDARD_FILE]).map(inFolder);
  const isOurs = language === 'oneops';
  return {
    name: wordIn(map, 'name'),
    files: isOurs ? named : undefined,
    catalogue: isOurs ? catalogueOf(entryOf(settings, 'catalogue')?.value, inFolder) : undefined,
  };
}

function catalogueOf(node: Node | undefined, inFolder: (name: string) => string): CatalogueName | undefined {
  if (node === undefined) return undefined;
  const named = catalogueName(node.form === 'scalar' ? node.value : node, 'Pulumi.yaml');
  return 'problem' in named ? named : { name: inFolder(named.name) };
}

/** A scalar as text; empty for anything else. */
export const scalarText = (node: Node | undefined): string =>
  node?.form === 'scalar' && node.value !== null ? String(node.value) : '';

/** The text under a key; empty where there is none. */
export const wordIn = (map: MapNode | undefined, key: string): string => scalarText(entryOf(map, key)?.value);

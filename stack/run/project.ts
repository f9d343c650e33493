// The project of a stack file, from `Pulumi.yaml`, and the catalogue that it names.
import { isAbsolute, join, resolve } from 'node:path';
import { messageOf } from '../../api/errors';
import { catalogueAt, knownCatalogue, savedCatalogue, type KnownCatalogue } from '../../provider/kinds/catalogue';
import { catalogueLevel, type CatalogueLevel } from '../../provider/session/settings';
import { unknownKey } from '../../provider/values';
import { newReport, type Finding } from '../findings/finding';
import { readTextFile, STANDARD_FILE } from '../yaml/text-file';
import { entryOf, valueBelow, type MapNode, type Node, type ScalarNode } from '../yaml/tree';

export interface Project {
  readonly name: string;
  /** Files of its stack, relative to the folder; undefined when a program declares it. */
  readonly files: readonly string[] | undefined;
  /** File of its catalogue, relative to the folder; undefined for the packaged one. */
  readonly catalogue: CatalogueName | undefined;
}

/** The keys of `runtime.options`. */
export const RUNTIME_OPTIONS: readonly string[] = ['file', 'resources', 'catalogue'];

/** The project of a `Pulumi.yaml`. */
export function projectIn(map: MapNode): Project {
  const { isOurs, options } = runtimeIn(map);
  const files = filesIn(options).map(scalarText);
  const inFolder = (name: string): string => pathIn(map, name);
  const named = files.filter((name) => name !== '');
  const catalogue = valueBelow(options, 'catalogue');
  return {
    name: wordIn(map, 'name'),
    files: isOurs ? (named.length > 0 ? named : [STANDARD_FILE]).map(inFolder) : undefined,
    catalogue: isOurs && catalogue ? catalogueOf(catalogue, inFolder) : undefined,
  };
}

/** The `runtime` of a manifest; `isOurs`: whether a stack file declares the stack. */
function runtimeIn(map: MapNode): { readonly isOurs: boolean; readonly options: MapNode | undefined } {
  const runtime = valueBelow(map, 'runtime');
  const options = valueBelow(runtime, 'options');
  return {
    isOurs: (wordIn(runtime, 'name') || scalarText(runtime)) === 'oneops',
    options: options?.form === 'map' ? options : undefined,
  };
}

/** The files that the option `file` names, one or several. */
function filesIn(options: MapNode | undefined): readonly Node[] {
  const given = valueBelow(options, 'file');
  if (given?.form === 'list') return given.items;
  return given === undefined ? [] : [given];
}

const pathIn = (map: MapNode, name: string): string => (isAbsolute(name) ? name : join(wordIn(map, 'main'), name));

/**
 * What a run would refuse of the options that say which files a stack has, each at its place in the
 * manifest; nothing where a program declares the stack. `problemOf`: why a file cannot be read, by
 * its name as findings show it.
 */
export function optionFindings(map: MapNode, problemOf: (name: string) => string | undefined): readonly Finding[] {
  const report = newReport([]);
  const { isOurs, options } = runtimeIn(map);
  if (!isOurs || options === undefined) return [];
  for (const entry of options.entries)
    if (!RUNTIME_OPTIONS.includes(entry.key)) report.add(unknownKey(entry.key, RUNTIME_OPTIONS, []), entry);
  const given = entryOf(options, 'file');
  const named = filesIn(options);
  const isName = (node: Node): node is ScalarNode =>
    node.form === 'scalar' && typeof node.value === 'string' && node.value !== '';
  const wrong = given === undefined ? [] : named.length === 0 ? [given.value] : named.filter((node) => !isName(node));
  for (const node of wrong)
    report.error(node, 'wrong-type', 'must be the name of a file, or a list of names', `file: ${STANDARD_FILE}`);
  for (const node of named.filter(isName)) {
    const name = pathIn(map, node.source);
    const problem = problemOf(name);
    if (problem !== undefined)
      report.error(
        node,
        'unreadable-file',
        `cannot read ${name}: ${problem}`,
        'name a file of the stack, from the folder of Pulumi.yaml or of its "main"',
      );
  }
  return report.findings();
}

function catalogueOf(node: Node, inFolder: (name: string) => string): CatalogueName {
  const named = catalogueName(node.form === 'scalar' ? node.value : node, 'Pulumi.yaml');
  return 'problem' in named ? named : { name: inFolder(named.name) };
}

/** A scalar as text; empty for anything else. */
export const scalarText = (node: Node | undefined): string =>
  node?.form === 'scalar' && node.value !== null ? String(node.value) : '';

/** The text under a key; empty where there is none. */
export const wordIn = (map: Node | undefined, key: string): string => scalarText(valueBelow(map, key));

/** The name that a manifest gives a catalogue, or what is wrong with it. */
type CatalogueName = { readonly name: string } | { readonly problem: string };

/** `options: { catalogue: catalogue.json }` of a manifest, whatever is there. */
export function catalogueName(value: unknown, manifest: string): CatalogueName {
  if (typeof value === 'string' && value !== '') return { name: value };
  return {
    problem: `${manifest}: runtime.options.catalogue must be the name of a file that pulumi-oneops packs --save wrote`,
  };
}

/** The catalogue that a manifest names in its folder, if it names one. */
export function namedCatalogue(
  named: CatalogueName | undefined,
  directory: string,
): { readonly known?: KnownCatalogue } | { readonly problem: string } {
  if (named === undefined || 'problem' in named) return named ?? {};
  return catalogueFile(named.name, resolve(directory, named.name));
}

/** The catalogue of a run, and how its findings count. `saved`: instead of the service's. */
export function catalogueOfRun(
  config: { readonly [key: string]: string | undefined },
  saved?: KnownCatalogue,
): { readonly catalogue: CatalogueLevel; readonly known: KnownCatalogue } | { readonly problem: string } {
  const level = catalogueLevel(config['oneops:catalogue']);
  if ('problem' in level) return level;
  return { catalogue: level.word, known: saved ?? catalogueAt(config['oneops:url'] ?? process.env['ONEOPS_URL']) };
}

/** Reads a catalogue that `packs --save` wrote. `name`: what messages call the file. */
export function catalogueFile(
  name: string,
  path: string = name,
): { readonly known: KnownCatalogue } | { readonly problem: string } {
  const content = readTextFile(path);
  if ('problem' in content) return unreadable(name, content.problem);
  try {
    return { known: knownCatalogue(savedCatalogue(content.text)) };
  } catch (error) {
    return unreadable(name, messageOf(error));
  }
}

const unreadable = (name: string, why: string): { readonly problem: string } => ({
  problem: `cannot read the catalogue in ${name}: ${why}; pulumi-oneops packs --save ${name} writes it`,
});

/** Configuration of a project's namespace, and its names of secrets and of clear values. */
export function ownConfig<V>(
  config: { readonly [key: string]: V },
  project: string,
  isSecret: (key: string) => boolean,
): {
  readonly config: { readonly [name: string]: V };
  readonly secretConfig: ReadonlySet<string>;
  readonly clearConfig: ReadonlySet<string>;
} {
  const prefix = `${project}:`;
  const own = Object.entries(config)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => ({ name: key.slice(prefix.length), value, secret: isSecret(key) }));
  return {
    config: Object.fromEntries(own.map(({ name, value }) => [name, value])),
    secretConfig: new Set(own.filter(({ secret }) => secret).map(({ name }) => name)),
    // An empty text is no secret.
    clearConfig: new Set(own.filter(({ secret, value }) => !secret && value !== '').map(({ name }) => name)),
  };
}

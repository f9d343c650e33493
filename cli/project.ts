// Reads the Pulumi project in the current folder without an engine: its name, the files of its stack, its plain configuration.
// It must not know any single command.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  entryOf,
  readTextFile,
  readYaml,
  sourceFile,
  STANDARD_FILE,
  stackSurroundings,
  type MapNode,
  type Node,
} from '../stack';

/** A Pulumi project. */
export interface Project {
  readonly name: string;
  /** Files of its stack, relative to the folder; undefined when a program declares it. */
  readonly files: readonly string[] | undefined;
}

/** Returns the project of the Pulumi.yaml in the current folder; undefined without one. Throws Error when it cannot be read. */
export function projectHere(): Project | undefined {
  const map = mapOf('Pulumi.yaml');
  if (map === undefined) return undefined;
  const runtime = entryOf(map, 'runtime')?.value;
  const parts = runtime?.form === 'map' ? runtime : undefined;
  const language = parts ? wordIn(parts, 'name') : textOf(runtime);
  const options = entryOf(parts, 'options')?.value;
  const given = options?.form === 'map' ? entryOf(options, 'file')?.value : undefined;
  const nodes = given?.form === 'list' ? given.items : given === undefined ? [] : [given];
  const files = nodes.map(textOf).filter((name) => name !== '');
  const named = (files.length > 0 ? files : [STANDARD_FILE]).map((name) => join(wordIn(map, 'main'), name));
  return { name: wordIn(map, 'name'), files: language === 'oneops' ? named : undefined };
}

/**
 * Returns a plain configuration value: of the named stack, or else of the project in the current folder. Undefined when it is not set there, or is a
 * secret.
 */
export function configuredHere(key: string, stack: string | undefined): string | undefined {
  const names = [...(stack === undefined ? [] : [`Pulumi.${stack.split('/').at(-1) ?? stack}.yaml`]), 'Pulumi.yaml'];
  for (const name of names) {
    const config = entryOf(mapOf(name), 'config')?.value;
    const node = config?.form === 'map' ? entryOf(config, key)?.value : undefined;
    const value = node?.form === 'map' ? wordIn(node, 'value') || wordIn(node, 'default') : textOf(node);
    if (value !== '') return value;
  }
  return undefined;
}

function mapOf(name: string): MapNode | undefined {
  if (!existsSync(name)) return undefined;
  const { root } = readYaml(sourceFile(name, textFrom(name)));
  return root?.form === 'map' ? root : undefined;
}

/** The text of a file, or of an open descriptor. Throws Error that says why it cannot be read, under the name it is given. */
export function textFrom(name: string, file: string | number = name): string {
  const content = readTextFile(file);
  if ('text' in content) return content.text;
  throw new Error(`cannot read ${name}: ${content.problem}`);
}

/** What the stack of the project in the current folder reads besides its own files; names of files are relative to the current folder. */
export function surroundingsHere(): ReturnType<typeof stackSurroundings> {
  const { readFile, env } = stackSurroundings(join(process.cwd(), wordIn(mapOf('Pulumi.yaml'), 'main')));
  return { readFile: (path, from, where) => readFile(path, resolve(from), where), ...(env ? { env } : {}) };
}

/** The folder of the repository that a folder lies in, or the folder itself. */
export function repositoryOf(folder: string): string {
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return above;
    if (above === dirname(above)) return folder;
  }
}

const textOf = (node: Node | undefined): string =>
  node?.form === 'scalar' && node.value !== null ? String(node.value) : '';

const wordIn = (map: MapNode | undefined, key: string): string => textOf(entryOf(map, key)?.value);

// The Pulumi project in a folder, as far as commands need it without an engine: its name, the files of its stack, plain configuration.
// It must not know any single command.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf, readYaml, sourceFile, type MapNode, type Node } from '../stack';

/** File of a stack when `Pulumi.yaml` names none. */
export const STANDARD_FILE = 'oneops.yaml';

/** A project. */
export interface Project {
  readonly name: string;
  /** Files of its stack, relative to the folder; undefined when a program declares it. */
  readonly files: readonly string[] | undefined;
}

/** The project in the current folder, from its Pulumi.yaml; undefined when there is none. Throws Error for one that cannot be read. */
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
 * A plain value of the configuration in the current folder: of a stack, where one is named, else of the whole project. Undefined when it is not
 * set there, or is a secret.
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

/** The text of a file. Throws Error that names the file and says why it cannot be read. */
export function textFrom(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${name}: ${whyUnreadable(error)}`, { cause: error });
  }
}

/** Why a file cannot be read, in words. */
export function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EISDIR' ? 'it is a folder' : String(code ?? error);
}

const textOf = (node: Node | undefined): string =>
  node?.form === 'scalar' && node.value !== null ? String(node.value) : '';

const wordIn = (map: MapNode | undefined, key: string): string => textOf(entryOf(map, key)?.value);

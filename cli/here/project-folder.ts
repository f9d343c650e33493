// The folder of the project that a command is called in: as Pulumi does, every command looks for
// Pulumi.yaml upwards. Files that the user names stay relative to the folder of the call.
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { STANDARD_FILE } from '../../stack';
import { takesPath, type OptionTable } from '../command';
import { projectHere } from './project';

/**
 * The folder of the project that a command called in a folder is about; undefined where it is that
 * folder, or where there is none. A stack file without a Pulumi.yaml that the project above does
 * not name is a stack by itself.
 */
export function projectFolder(folder: string): string | undefined {
  if (existsSync(join(folder, 'Pulumi.yaml'))) return undefined;
  for (let above = dirname(folder); ; above = dirname(above)) {
    if (existsSync(join(above, 'Pulumi.yaml'))) return isAlone(folder, above) ? undefined : above;
    if (above === dirname(above)) return undefined;
  }
}

const isAlone = (folder: string, project: string): boolean =>
  existsSync(join(folder, STANDARD_FILE)) &&
  projectHere(project)?.files?.some((file) => join(project, file) === join(folder, STANDARD_FILE)) !== true;

/** The words of a call in `folder`, with their paths as they are named from `project`. */
export function wordsFrom(
  words: readonly string[],
  options: OptionTable,
  { folder, project }: { readonly folder: string; readonly project: string },
): readonly string[] {
  const way = relative(project, folder);
  const moved = (path: string): string => (path === '' || path === '-' || isAbsolute(path) ? path : join(way, path));
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true });
  const all = [...words];
  for (const token of tokens) {
    if (token.kind === 'positional' && isFile(join(folder, token.value))) all[token.index] = moved(token.value);
    if (token.kind !== 'option' || token.value === undefined) continue;
    const option = options[token.name];
    if (option === undefined || !takesPath(option)) continue;
    const value =
      option.value === 'FORMAT=FILE'
        ? token.value.replace(/=(.+)$/s, (_, path: string) => `=${moved(path)}`)
        : moved(token.value);
    if (token.inlineValue === true) all[token.index] = `${token.rawName}=${value}`;
    else all[token.index + 1] = value;
  }
  return all;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

// Finds the files that `include` names: relative to the including file, with `*`, `?` and `**`, and never outside of the project's folder.
// It must not know what the files contain.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Choices, FoundFiles } from './compose/composition';
import { readTextFileIn } from './text-file';

/**
 * Returns the `include` of a stack. `directory` is where relative names of files start; `file` is the name of its main file. The project's folder is
 * the one with `Pulumi.yaml` at or above the main file; without one, `directory`, or the folder of the file if that is elsewhere.
 */
export function includedFiles(directory: string, file: string): NonNullable<Choices['include']> {
  const folder = dirname(resolve(directory, file));
  const root = projectFolder(folder) ?? (isWithin(directory, folder) ? resolve(directory) : folder);
  return (pattern, from) => find(pattern, { root, directory, from });
}

function projectFolder(folder: string): string | undefined {
  if (existsSync(join(folder, 'Pulumi.yaml'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : projectFolder(above);
}

const isWithin = (root: string, path: string): boolean => {
  const way = relative(resolve(root), path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

interface Search {
  readonly root: string;
  readonly directory: string;
  readonly from: string;
}

function find(pattern: string, { root, directory, from }: Search): FoundFiles {
  if (isAbsolute(pattern)) return { problem: 'write a path relative to this file' };
  const named = pathsMatching(pattern, dirname(resolve(directory, from)));
  // A folder that a pattern matches need not contain the file that is named in it; a file that is named without a pattern must be there.
  const paths = /[*?]/.test(pattern) ? named.filter((path) => existsSync(path)) : named;
  const outside = paths.find((path) => !isWithin(root, path));
  if (outside !== undefined) return { problem: `it is outside of the project's folder, ${root}` };
  if (paths.length === 0) return { problem: 'no file matches' };
  const name = (path: string): string => (isAbsolute(from) ? path : relative(resolve(directory), path));
  return { files: paths.map((path) => ({ name: name(path), content: readTextFileIn(root, path) })) };
}

/** The paths that a pattern leads to from a folder, in their order: `*` and `?` within a name, `**` for any folders. A part without them need not be there. */
export const pathsMatching = (pattern: string, start: string): readonly string[] =>
  pattern
    .split('/')
    .reduce<readonly string[]>((found, part) => [...new Set(found.flatMap((path) => step(path, part)))], [start]);

/** The paths one part of a pattern leads to: the names that match it, in their order, or the part itself. `**`: the folder and all folders in it. */
function step(path: string, part: string): readonly string[] {
  if (part === '**') return foldersIn(path);
  if (!/[*?]/.test(part)) return [join(path, part)];
  const literal = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const matches = new RegExp(`^${literal(part).replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`);
  const names = namesIn(path).filter((name) => matches.test(name) && (part.startsWith('.') || !name.startsWith('.')));
  return names.map((name) => join(path, name));
}

/** A folder and the folders in it, without hidden ones, those of packages, and links. */
function foldersIn(folder: string): readonly string[] {
  const isFolder = (name: string): boolean =>
    !name.startsWith('.') && name !== 'node_modules' && lstatSync(join(folder, name)).isDirectory();
  return [
    folder,
    ...namesIn(folder)
      .filter(isFolder)
      .flatMap((name) => foldersIn(join(folder, name))),
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // A folder that does not exist, or that this user may not read, contains no file that matches.
    return [];
  }
}

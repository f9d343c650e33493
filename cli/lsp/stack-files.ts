// Which stack a file of an editor belongs to, and what is read of that stack.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { sitesOf, STANDARD_FILE, type Sites } from '../../stack';
import { projectHere } from '../here/project';
import { inFolder } from '../here/rendering';
import { readStackHere, type StackChoice, type StackHere } from '../here/read-stack';

/** Texts of open files, by absolute path. */
type Unsaved = (path: string) => string | undefined;

/** The files of a stack, and the folder that their names are relative to. */
interface StackFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

/** A stack as an editor asks about it. */
export interface OpenStack extends StackFiles {
  readonly reading: StackHere;
  readonly sites: Sites;
}

/** The stack of a file: of the project or stack file in the nearest folder. */
export function stackFilesOf(file: string): StackFiles | undefined {
  const own = basename(file) === STANDARD_FILE ? { folder: dirname(file), files: [STANDARD_FILE] } : undefined;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'Pulumi.yaml'))) {
      const files = inFolder(folder, () => projectHere()?.files);
      return files ? { folder, files } : own;
    }
    if (existsSync(join(folder, STANDARD_FILE))) return { folder, files: [STANDARD_FILE] };
    if (folder === dirname(folder)) return own;
  }
}

/** Reads a stack. Throws Error when a file of it cannot be read. */
export function openStack({ folder, files }: StackFiles, choice: StackChoice, unsaved: Unsaved): OpenStack {
  const reading = read({ folder, files }, choice, unsaved);
  const sites = reading.trees ? sitesOf(reading.trees, reading.files, reading.known) : { names: [], files: [] };
  return { folder, files, reading, sites };
}

/** The absolute path of a file of a stack, and back; undefined for other files. */
export const filePathIn = ({ folder }: StackFiles, name: string): string => resolve(folder, name);
export const fileNameIn = (stack: OpenStack, path: string): string | undefined =>
  stack.reading.files.find(({ name }) => filePathIn(stack, name) === path)?.name;

/** Reads a stack in its folder, which may have another path where links lead to it. */
const read = ({ folder, files }: StackFiles, choice: StackChoice, unsaved: Unsaved): StackHere =>
  inFolder(folder, () =>
    readStackHere(files, choice, (path) => unsaved(resolve(folder, relative(process.cwd(), path)))),
  );

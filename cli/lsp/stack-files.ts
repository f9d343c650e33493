// Which stack a file of an editor belongs to, and what is read of that stack.
// It must not know the protocol of editors.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import {
  edited,
  newError,
  renameOf,
  shownAt,
  sitesOf,
  STANDARD_FILE,
  type Cursor,
  type ShownText,
  type Sites,
  type TextEdit,
} from '../../stack';
import { choicesHere, projectHere, secretConfigHere } from '../project';
import { readStackHere, type StackChoice, type StackHere } from '../read-stack';

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

/** The stack that a file can belong to: that of the project, or of the stack file, in its folder or the nearest one above. */
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
  const sites = reading.trees
    ? sitesOf(reading.trees, reading.files, reading.known)
    : { names: [], bases: [], files: [] };
  return { folder, files, reading, sites };
}

/** The absolute path of a file of a stack, and back its name in findings; undefined for a file that the stack does not read. */
export const filePathIn = ({ folder }: StackFiles, name: string): string => resolve(folder, name);
export const fileNameIn = (stack: OpenStack, path: string): string | undefined =>
  stack.reading.files.find(({ name }) => filePathIn(stack, name) === path)?.name;

/** The rendered value at a cursor. */
export const hoverAt = (
  { folder, files, reading, sites }: OpenStack,
  choice: StackChoice,
  cursor: Cursor,
): ShownText | undefined =>
  reading.trees &&
  inFolder(folder, () =>
    shownAt(
      {
        trees: reading.trees ?? { written: [], hidden: [] },
        sites,
        choices: choicesHere(files, choice),
        secretConfig: secretConfigHere(choice.stack),
      },
      cursor,
    ),
  );

/** A name in a reference needs no quotes. */
const NAME = /^[A-Za-z_][\w-]*$/;

/** The edits that rename what is at a cursor. A rename after which something is wrong, in any overlay, is refused with the finding. */
export function renamed(
  stack: OpenStack,
  choice: StackChoice,
  cursor: Cursor,
  name: string,
): readonly TextEdit[] | { readonly problem: string } {
  const rename = renameOf(stack.sites, cursor);
  if ('problem' in rename) return rename;
  if (!NAME.test(name)) return { problem: `"${name}" is not a name: write letters, digits, "-" and "_"` };
  const edits = rename.places.map((at) => ({ at, text: name }));
  const texts = new Map(
    edited(stack.reading.files, edits).map((file) => [filePathIn(stack, file.name), file.text] as const),
  );
  const before = new Map(stack.reading.files.map((file) => [filePathIn(stack, file.name), file.text] as const));
  const overlays = stack.sites.names.filter(
    ({ name: [first], role }) => first === 'overlays' && role === 'declaration',
  );
  for (const overlay of [choice.overlay, ...overlays.map(({ name: [, each] }) => each)]) {
    const readingOf = (files: ReadonlyMap<string, string>) =>
      read(stack, { ...choice, overlay }, (path) => files.get(path));
    const [old, now] = [readingOf(before), readingOf(texts)];
    const wrong = newError(old.findings, now.findings);
    if (wrong) return { problem: `"${rename.name}" cannot become "${name}": ${wrong.message}` };
    if (old.plan && old.plan.resources.length !== now.plan?.resources.length)
      return { problem: `"${rename.name}" cannot be renamed: another place makes the same name` };
  }
  return edits;
}

/** Reads a stack in its folder. The current folder can have another path there, where links lead to it. */
const read = ({ folder, files }: StackFiles, choice: StackChoice, unsaved: Unsaved): StackHere =>
  inFolder(folder, () =>
    readStackHere(files, choice, (path) => unsaved(resolve(folder, relative(process.cwd(), path)))),
  );

/** Runs something that reads the project of the current folder, in another folder. */
function inFolder<T>(folder: string, action: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return action();
  } finally {
    process.chdir(before);
  }
}

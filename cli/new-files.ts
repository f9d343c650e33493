// Writes new files into a folder, and nothing over a file that exists.
// It must not know what the files contain.
import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Why files of these names cannot be made in a folder; undefined when they can. A link that leads nowhere is there, too. */
export function newFilesProblem(folder: string, names: readonly string[]): string | undefined {
  const own = statSync(folder, { throwIfNoEntry: false });
  if (own === undefined) return undefined;
  if (!own.isDirectory()) return `${folder} is no folder`;
  const there = names.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
  return there.length > 0 ? `${folder} already has ${there.join(', ')}` : undefined;
}

/** Writes files into a folder, which is made if it does not exist. Throws Error, and has written nothing, when one of them exists. */
export function writeNewFiles(
  folder: string,
  files: readonly { readonly name: string; readonly text: string }[],
): void {
  const problem = newFilesProblem(
    folder,
    files.map(({ name }) => name),
  );
  if (problem !== undefined) throw new Error(`nothing was written: ${problem}`);
  mkdirSync(folder, { recursive: true });
  // Not over a file that somebody made in between.
  for (const { name, text } of files) writeFileSync(join(folder, name), text, { flag: 'wx' });
}

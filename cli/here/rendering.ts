// The rendered stack of the project in the current folder, as a run reads it.
import { WrongInput } from '../../api/errors';
import { resolvedLines, withKnownValues, type ResolvedLine } from '../../stack';
import { readStackHere, type StackChoice } from './read-stack';

/**
 * Renders the files of a stack. With `hidden`, the names of secrets of the configuration, values of
 * the configuration stand in place of the references to them. Without `lines`, something is wrong
 * with the files. Throws Error for a file that cannot be read.
 */
export function renderedHere(
  names: readonly string[],
  { stack, overlay, stacks }: Pick<StackChoice, 'stack' | 'overlay' | 'stacks'>,
  hidden?: ReadonlySet<string>,
) {
  const choice = { stack, overlay, ...(stacks === undefined ? {} : { stacks }), catalogue: 'off' };
  const { choices, root, ...reading } = readStackHere(names, choice);
  const shown = root && hidden ? withKnownValues(root, choices, hidden) : root;
  return { ...reading, lines: shown && resolvedLines(shown, names[0] ?? ''), ...(root ? { root } : {}) };
}

export const textOf = (lines: readonly ResolvedLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** What an act answers in a folder. Throws WrongInput where there is no such folder. */
export function inFolder<T>(folder: string, act: () => T): T {
  const before = process.cwd();
  try {
    process.chdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = { ENOENT: 'there is no such folder', ENOTDIR: 'it is no folder' }[code ?? ''] ?? message;
    throw new WrongInput(`cannot read the project in ${folder}: ${reason}`);
  }
  try {
    return act();
  } finally {
    process.chdir(before);
  }
}

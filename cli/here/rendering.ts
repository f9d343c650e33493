// The rendered stack of the project in the current folder: what a run reads after includes,
// templates, loops, conditions and overlays.
import { join } from 'node:path';
import { readStack, resolvedLines, withKnownValues, type ReadStack, type ResolvedLine } from '../../stack';
import { choicesHere, secretConfigHere, surroundingsHere, textFrom } from './project';
import { judgedBy, knownHere } from './read-stack';

/** A rendered stack, with everything that its rendering has found and read. */
interface Rendering extends Pick<ReadStack, 'findings' | 'files' | 'root'> {
  /** Undefined when something is wrong with the files. */
  readonly lines: readonly ResolvedLine[] | undefined;
  /** Texts of the files that functions read, by name. */
  readonly read: ReadonlyMap<string, string>;
}

/** The stack and the overlay that a rendering is of. */
interface RenderChoice {
  readonly stack?: string | undefined;
  readonly overlay?: string | undefined;
}

/**
 * Renders the files of a stack. With `hidden`, the names of secrets of the configuration, values of
 * the configuration stand in place of the references to them. Throws Error for a file that cannot
 * be read.
 */
export function renderedHere(names: readonly string[], choice: RenderChoice, hidden?: ReadonlySet<string>): Rendering {
  const choices = choicesHere(names, choice);
  const surroundings = surroundingsHere();
  const read = new Map<string, string>();
  const { findings, files, root } = readStack(
    names.map((name) => ({ name, text: textFrom(name) })),
    {
      ...judgedBy(knownHere()),
      catalogue: 'off',
      ...surroundings,
      readFile(path, from, where) {
        const content = surroundings.readFile(path, from, where);
        if ('text' in content) read.set(join(from, '..', path), content.text);
        return content;
      },
      secretConfig: secretConfigHere(choice.stack),
      choices,
    },
  );
  const shown = root && hidden ? withKnownValues(root, choices, hidden) : root;
  return { lines: shown && resolvedLines(shown, names[0] ?? ''), findings, files, read, ...(root ? { root } : {}) };
}

/** Lines as the text of a file. */
export const textOf = (lines: readonly ResolvedLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** Does something in another folder, and comes back. */
export function inFolder<T>(folder: string, act: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return act();
  } finally {
    process.chdir(before);
  }
}

// The files of a stack as they are read: the plan, and the places of what it declares.
import { readStack, type ReadStack, type StackEnvironment, type StackPlan, type WrittenResource } from '../../stack';

/** A file of a stack. */
export interface StackText {
  readonly name: string;
  readonly text: string;
}

const BYTE_ORDER_MARK = '\uFEFF';

export const hasByteOrderMark = (text: string): boolean => text.startsWith(BYTE_ORDER_MARK);

export const withByteOrderMark = (text: string): string => BYTE_ORDER_MARK + text;

/** The files as they are read: without a byte order mark. */
export const bare = (files: readonly StackText[]): readonly StackText[] =>
  files.map(({ name, text }) => ({ name, text: text.replace(BYTE_ORDER_MARK, '') }));

/** A reading that holds. */
export interface StackReading {
  /** Those that were given, then those that they include. */
  readonly files: readonly StackText[];
  readonly plan: StackPlan;
  readonly written: readonly WrittenResource[];
  /** Names of the files that were included. */
  readonly included: ReadonlySet<string>;
}

/** Reads files; `reading` is there when nothing found is an error. Texts have no byte order mark. `edited`: texts that count instead of included files. */
export function readFiles(
  files: readonly StackText[],
  environment: StackEnvironment,
  edited: readonly StackText[] = [],
): { readonly read: ReadStack; readonly reading?: StackReading } {
  const read = readStack(files, withEdited(environment, edited));
  const { plan, written } = read;
  if (plan === undefined || written === undefined) return { read };
  const given = new Set(files.map(({ name }) => name));
  const included = read.files.filter(({ name }) => !given.has(name));
  const all = [...files, ...new Map(included.map((file) => [file.name, file])).values()];
  return { read, reading: { files: all, plan, written, included: new Set(included.map(({ name }) => name)) } };
}

/** The same world, in which included files have other texts. */
function withEdited(environment: StackEnvironment, edited: readonly StackText[]): StackEnvironment {
  const { choices } = environment;
  const texts = new Map(edited.map(({ name, text }) => [name, text]));
  if (choices?.include === undefined || texts.size === 0) return environment;
  const include: typeof choices.include = (pattern, from) => {
    const found = choices.include?.(pattern, from) ?? { problem: 'files cannot be included here' };
    if ('problem' in found) return found;
    return {
      files: found.files.map(({ name, content }) => {
        const text = texts.get(name);
        return { name, content: text === undefined ? content : { text } };
      }),
    };
  };
  return { ...environment, choices: { ...choices, include } };
}

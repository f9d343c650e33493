// The files of a stack as they are read: plan, places, and the trees the places are in.
import {
  readStack,
  readYaml,
  sourceFile,
  type Entry,
  type MapNode,
  type Placed,
  type ReadStack,
  type StackEnvironment,
  type StackPlan,
  type WrittenResource,
} from '../../stack';
import { isFlow } from './splice';

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
  /** The tree with everything composed. */
  readonly root: MapNode;
  /** Name of the overlay that was chosen, if a file has it. */
  readonly overlay: string | undefined;
  /** Each file's own tree, as one entry without a key. */
  readonly roots: ReadonlyMap<string, Entry>;
}

/** Reads files; `reading` is there when nothing found is an error. Texts have no byte order mark. `edited`: texts that count instead of included files. */
export function readFiles(
  files: readonly StackText[],
  environment: StackEnvironment,
  edited: readonly StackText[] = [],
): { readonly read: ReadStack; readonly reading?: StackReading } {
  const read = readStack(files, withEdited(environment, edited));
  const { plan, written, root } = read;
  if (plan === undefined || written === undefined || root === undefined) return { read };
  const given = new Set(files.map(({ name }) => name));
  const included = read.files.filter(({ name }) => !given.has(name));
  const all = [...files, ...new Map(included.map((file) => [file.name, file])).values()];
  const roots = all.flatMap(({ name, text }) => {
    const { root: own } = readYaml(sourceFile(name, text));
    return own ? [[name, { key: '', path: [], at: { ...own.at, end: own.at.start }, value: own }] as const] : [];
  });
  const { overlay, stack } = environment.choices ?? {};
  const names = new Set(included.map(({ name }) => name));
  const chosen = overlay ?? stack?.split('/').at(-1);
  return {
    read,
    reading: { files: all, plan, written, root, included: names, roots: new Map(roots), overlay: chosen },
  };
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

/** The entries that lead to a place, the file itself first, the place's own entry last. */
export function chainTo(reading: StackReading, { at, path }: Placed): readonly Entry[] {
  const root = reading.roots.get(at.file);
  const chain = root ? [root] : [];
  for (const step of path) {
    const map = chain.at(-1)?.value;
    const found = map?.form === 'map' ? map.entries.find(({ key }) => key === step) : undefined;
    if (!found) break;
    chain.push(found);
  }
  return chain;
}

/** An entry as its own file contains it: composing may have put entries of other places into its map. */
export function asWritten(reading: StackReading, entry: Entry): Entry {
  const last = chainTo(reading, entry).at(-1);
  return last?.at.start.offset === entry.at.start.offset && last.key === entry.key ? last : entry;
}

/** The entry whose value counts for another one: that of an argument, where composing put an argument in its place. */
export function writtenEntry(reading: StackReading, entry: Entry): Entry {
  const { value } = entry;
  const isArgument = value.via?.some(({ how }) => how === 'argument') === true;
  const source = isArgument ? chainTo(reading, value).at(-1) : undefined;
  const isSource = source?.value.at.file === value.at.file && source.value.at.start.offset === value.at.start.offset;
  return isSource ? source : asWritten(reading, entry);
}

/** The entry that contains another one in its own file; undefined for what the file writes in another form. */
export function holderOf(reading: StackReading, entry: Entry): Entry | undefined {
  const [holder, last] = chainTo(reading, entry).slice(-2);
  return last?.at.start.offset === entry.at.start.offset && last.key === entry.key ? holder : undefined;
}

/** Whether a place is inside `{…}`; for the entry at the end of a chain. */
export function isInFlow(reading: StackReading, chain: readonly Entry[]): boolean {
  const text = fileText(reading, chain);
  return chain.slice(0, -1).some(({ value }) => isFlow(text, value));
}

/** The text of the file a chain is in. */
export function fileText(reading: StackReading, chain: readonly Entry[]): string {
  const name = chain[0]?.at.file;
  return reading.files.find((file) => file.name === name)?.text ?? '';
}

/** The map an entry holds. */
export const mapNode = (entry: Entry | undefined): MapNode | undefined =>
  entry?.value.form === 'map' ? entry.value : undefined;

/** A resource's place as an entry; undefined for what the file does not name. */
export const isEntry = (place: Placed): place is Entry => 'key' in place && 'value' in place;

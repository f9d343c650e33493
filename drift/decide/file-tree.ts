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

/** A reading that holds. */
export interface StackReading {
  readonly files: readonly StackText[];
  readonly plan: StackPlan;
  readonly written: readonly WrittenResource[];
  /** Names of the files that these include. */
  readonly included: readonly string[];
  /** Each file's own tree, as one entry without a key. */
  readonly roots: ReadonlyMap<string, Entry>;
}

/** Reads files; `reading` is there when nothing found is an error. Texts have no byte order mark. */
export function readFiles(
  files: readonly StackText[],
  environment: StackEnvironment,
): { readonly read: ReadStack; readonly reading?: StackReading } {
  const read = readStack(files, environment);
  const { plan, written } = read;
  if (plan === undefined || written === undefined) return { read };
  const roots = files.flatMap(({ name, text }) => {
    const { root } = readYaml(sourceFile(name, text));
    const own = root && { key: '', path: [], at: { ...root.at, end: root.at.start }, value: root };
    return own ? [[name, own] as const] : [];
  });
  const included = read.files.map(({ name }) => name).filter((name) => files.every((file) => file.name !== name));
  return { read, reading: { files, plan, written, included, roots: new Map(roots) } };
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

/** An entry as its own file holds it: composing may have put entries of other places into its map. */
export function asWritten(reading: StackReading, entry: Entry): Entry {
  const last = chainTo(reading, entry).at(-1);
  return last?.at.start.offset === entry.at.start.offset && last.key === entry.key ? last : entry;
}

/** The entry that holds another one in its own file; undefined for what the file writes in another form. */
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

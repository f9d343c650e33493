// The work of composing a stack: the report, facts known before the run, templates, and limits.
import { unknownKey } from '../../provider/values';
import type { Report } from '../findings/finding';
import type { FileContent } from '../yaml/text-file';
import type { SourceFile } from '../yaml/source';
import type { MapNode, MeantKeys, Node, Placed } from '../yaml/tree';

/** Files that a name or a pattern of `include` finds, each under the name that findings show. */
type FoundFiles =
  | { readonly files: readonly { readonly name: string; readonly content: FileContent }[] }
  | { readonly problem: string };

/** Facts from outside the files. An absent one is not known. */
export interface Choices {
  /** Configuration of the stack as Pulumi stores it: text by name, structured values as JSON. */
  readonly config?: { readonly [name: string]: string | undefined };
  readonly stack?: string | undefined;
  readonly project?: string | undefined;
  /** Name of an overlay; default: that of the stack, where there is one of that name. */
  readonly overlay?: string | undefined;
  /** Names of stacks with settings, and of the overlays that they choose. Default: not known. */
  readonly stacks?: readonly string[];
  /** Finds the files of one name of `include`; `from`: the file that includes them. */
  include?(pattern: string, from: string): FoundFiles;
  /** Whether keys below `components: { GROUP: … }` name components there, and no attributes of one. */
  areComponents?(group: string, keys: readonly string[]): boolean;
}

/** One composing of a stack. Made per reading, never shared. */
export interface Composition {
  readonly report: Report;
  readonly choices: Choices;
  readonly secretConfig: ReadonlySet<string>;
  /** Keys of included files that are read as other ones. */
  readonly meant: MeantKeys;
  readonly files: SourceFile[];
  /** Things that `when` switched off, or an overlay removed, by their keys from the top. */
  readonly off: SwitchedOff[];
  /** Conditions that depend on nothing, with the thing that each one is in. */
  readonly constant: SwitchedOff[];
  /** Things are missing because of what is wrong: nothing that names a thing can be judged. */
  incomplete: boolean;
  /** Entries and values that may still be made. */
  budget: number;
}

/** A thing that does not exist, and the place of its condition, or of the null that removes it. */
export interface SwitchedOff {
  readonly how: 'condition' | 'removal';
  readonly path: readonly string[];
  readonly place: Placed;
}

/** Values that `each` and templates may make: the largest stack takes less than 200 MB. */
const BUDGET = 200_000;

/** Values that a thing made by `each` counts for, besides its own: binding makes it larger. */
export const THING = 16;

/** Characters of a text that count as one value. */
const CHARACTERS = 100;

export function newComposition(
  report: Report,
  choices: Choices = {},
  secretConfig: ReadonlySet<string> = new Set(),
  meant: MeantKeys = new Map(),
): Composition {
  return {
    report,
    choices,
    secretConfig,
    meant,
    files: [],
    off: [],
    constant: [],
    incomplete: false,
    budget: BUDGET,
  };
}

/** Takes an amount from the budget. Returns false when it is used up, which is reported once. */
export function spend(composition: Composition, amount: number, place: Placed): boolean {
  const before = composition.budget;
  composition.budget -= amount;
  if (composition.budget >= 0) return true;
  composition.incomplete = true;
  if (before >= 0) {
    composition.report.error(
      place,
      'too-many-entries',
      `"each" and templates make more than ${BUDGET} values or ${BUDGET * CHARACTERS} characters of this file: each thing that "each" makes counts for ${THING} values, and one more for everything in it`,
      'if no list is longer than meant, and no template uses itself: write some of the things out, which counts for nothing, or declare some platforms in another stack, next to "assembly: { name: …, existing: true }"',
    );
  }
  return false;
}

/** Takes a text that becomes a part of another one from the budget. */
export const spendText = (composition: Composition, text: string, place: Placed): boolean =>
  spend(composition, Math.floor(text.length / CHARACTERS), place);

/** Reports something that makes the names of things incomplete: nothing follows from them. */
export function refuse(composition: Composition, ...found: Parameters<Report['error']>): undefined {
  composition.incomplete = true;
  return composition.report.error(...found);
}

/** Reports the keys of a map that are not known there, each with the nearest known one. */
export function reportUnknownKeys({ report }: Composition, map: MapNode, known: readonly string[]): void {
  for (const entry of map.entries.filter(({ key }) => !known.includes(key))) {
    report.add(unknownKey(entry.key, known, []), entry);
    report.misspelt(entry, known);
  }
}

/** A place whose value is wrong, which was reported: nothing more is reported for it. */
export const failedNode = ({ path, at, via }: Placed): Node => ({ form: 'failed', path, at, ...(via ? { via } : {}) });

export const emptyMap = ({ path, at }: Placed): MapNode => ({ form: 'map', entries: [], path, at });

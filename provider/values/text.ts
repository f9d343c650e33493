// Words of a person: nearest known words, patterns of names, and words for a shell.
import { distance } from 'fastest-levenshtein';
import * as z from 'zod';

/** The closest of `known`: at most a third of the letters differ, or two. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, edits: editsOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ candidate, edits }) => edits <= Math.min(most, editable(word, candidate)) || isTurned(word, candidate, edits),
    )
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}

/** A word of three letters or more that only ends too early counts as one mistake. */
const editsOf = (word: string, candidate: string): number =>
  word.length > 2 && candidate.startsWith(word) && word !== candidate ? 1 : distance(word, candidate);

/** The hint for an unknown word: the nearest one, as it is written there, or else `otherwise`. */
export function didYouMean(
  word: string,
  known: readonly string[],
  otherwise = `known are ${known.join(', ')}`,
  written = (name: string): string => name,
): string {
  const near = nearest(word, known);
  return near === undefined ? otherwise : `did you mean "${written(near)}"?`;
}

/**
 * How many letters of two words may differ: half of the longer one, none in words of two. Dashes
 * before an option's name do not count.
 */
function editable(...words: readonly [string, string]): number {
  const longer = Math.max(...words.map((each) => each.replace(/^-+/, '').length));
  return Math.floor(longer < 4 ? (longer - 1) / 2 : longer / 2);
}

/** Whether a word differs from another by one letter, or by two exchanged ones. */
export function isTypo(word: string, meant: string): boolean {
  const edits = distance(word, meant);
  return edits === 1 || isTurned(word, meant, edits);
}

/** Whether two letters of one word are exchanged in the other. */
function isTurned(word: string, meant: string, edits: number): boolean {
  const letters = (text: string): string => [...text.toLowerCase()].sort().join('');
  return edits === 2 && letters(word) === letters(meant);
}

export const matchesAny = (wanted: readonly string[], text: string): boolean =>
  wanted.some((pattern) => {
    const words = pattern.split('*').map((word) => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${words.join('.*')}$`, 's').test(text);
  });

/** A parameter with a list of patterns, in which `*` stands for any text. */
export const patterns = (description: string) =>
  z
    .union([z.string(), z.array(z.string()).min(1)])
    .transform((given) => [given].flat())
    .describe(description);

/** Lines after the first are further in: that is how the engine's own messages read. */
export const indented = (text: string): string => text.replace(/\n(?! )/g, '\n  ');

/** A text as one word for a POSIX shell, in single quotes where needed. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

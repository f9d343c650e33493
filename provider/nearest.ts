// The nearest known word to a misspelt one, for hints.
import { distance } from 'fastest-levenshtein';

/** The closest of `known` to `word`, when it is close enough to be meant: at most a third of its letters differ, two at least. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}

/** Whether a word is another one with one letter more, less or different, or with letters exchanged. */
export function isTypo(word: string, meant: string): boolean {
  const letters = (text: string): string => [...text].sort().join('');
  const edits = distance(word, meant);
  return edits === 1 || (edits === 2 && letters(word) === letters(meant));
}

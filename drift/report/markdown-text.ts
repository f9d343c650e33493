// Texts of a review inside Markdown: in words, as code, as differences.
// It must not know what the texts are about.
import { code, words } from './bounded-markdown';
import { clipped, oneLine, visible } from './shown-text';

/** Longest text in running words, in UTF-16 units before it is escaped. */
const LONGEST = 400;

/** A text as inline code, whole. */
export const foreign = (text: string): string => code(oneLine(text), Infinity);

/** A sentence, cut. */
export const sentence = (text: string): string => words(clipped(oneLine(text), LONGEST * 2), Infinity);

/** A text of any length as inline code, cut. */
export const foreignLong = (text: string): string => foreign(clipped(oneLine(text), LONGEST));

/** A block of differences, in a fence longer than any in the lines. */
export function fenced(lines: readonly string[]): readonly string[] {
  const text = visible(lines.join('\n'));
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}diff`, text, fence];
}

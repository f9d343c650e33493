// Texts inside Markdown that stay texts: no markup, no mention of a person, no link, no way out of a fence.
// It must not know what the texts are about.
import { clipped, oneLine, visible } from './shown-text';

/** Longest text in running words, in UTF-16 units before it is escaped. */
const LONGEST = 400;

/** A text as inline code. Characters that mean something anywhere in Markdown or HTML are written as entities. */
export const foreign = (text: string): string =>
  `<code>${oneLine(text).replace(/[^\p{L}\p{N}\p{Zs}\p{So}\p{M} /,;=%+"'?.…→·^}{-]|(?<=www)\./giu, (found) => `&#${found.codePointAt(0) ?? 32};`)}</code>`;

/** The same of a text of any length, cut. */
export const foreignLong = (text: string): string => foreign(clipped(oneLine(text), LONGEST));

/** A block of differences, in a fence longer than any in the lines. */
export function fenced(lines: readonly string[]): readonly string[] {
  const text = visible(lines.join('\n'));
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return ['', `${fence}diff`, text, fence];
}

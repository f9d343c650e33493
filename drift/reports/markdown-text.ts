// Texts inside Markdown that stay texts: no markup, no mention of a person, no link, no way out of a fence.
// It must not know what the texts are about.
import { clipped, oneLine, visible } from './shown-text';

/** Longest text in running words, in UTF-16 units before it is escaped. */
const LONGEST = 400;

/** Characters that may mean something somewhere in Markdown or HTML. */
const MEANING = /[^\p{L}\p{N}\p{Zs}\p{So}\p{M} /,;=%+"'?.…→·^}{-]|(?<=www)\./giu;

const entities = (text: string): string =>
  oneLine(text).replace(MEANING, (found) => `&#${found.codePointAt(0) ?? 32};`);

/** A text as inline code: every character that means something in Markdown or HTML is an entity. */
export const foreign = (text: string): string => `<code>${entities(text)}</code>`;

/** A sentence. Nobody is called by it: what follows `@` or `#` is set apart by a space of no width. */
export const sentence = (text: string): string =>
  entities(clipped(oneLine(text), LONGEST * 2))
    .replace(/&#(?:64|35);/g, '$&&#8203;')
    .replace(/^[-+]|^(\p{N}+)\./u, '&#8203;$&');

/** The same of a text of any length, cut. */
export const foreignLong = (text: string): string => foreign(clipped(oneLine(text), LONGEST));

/** A block of differences, in a fence longer than any in the lines. */
export function fenced(lines: readonly string[]): readonly string[] {
  const text = visible(lines.join('\n'));
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}diff`, text, fence];
}

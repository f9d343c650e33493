// Markdown of bounded length, for comments on reviews and previews. A text from the service never
// becomes markup, a link, a mention or a new line in it.
import { clipped, oneLine, visible } from './shown-text';

/** The first texts that fit into `room` characters, with separators, and the number of the rest. */
export function fitting(
  texts: readonly string[],
  room: number,
  separator = '',
): { readonly shown: readonly string[]; readonly left: number } {
  let free = room;
  const end = texts.findIndex((text) => (free -= text.length + separator.length) < 0);
  return end === -1 ? { shown: texts, left: 0 } : { shown: texts.slice(0, end), left: texts.length - end };
}

const LONGEST = 200;

/** Characters without a meaning in a line of Markdown; all others become character references. */
const HARMLESS = /[A-Za-z0-9 /.,()+=-]/;

/** Characters that show nothing, or turn the direction of what follows: shown by their numbers. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** The text as a code span on one line: ↵ for a line break, `""` for an empty text. */
export function code(text: string, longest = LONGEST): string {
  const { shown, rest } = cut(text, longest);
  return `<code>${text === '' ? '&#34;&#34;' : escaped(shown)}</code>${rest}`;
}

/** The text on one line. A space of no width after `@` and `#` prevents mentions. */
export function words(text: string, longest = LONGEST): string {
  const { shown, rest } = cut(text, longest);
  // A digit, dash or space where a line begins could begin a list, or code.
  const line = escaped(shown).replace(/^[^A-Za-z&]/u, (first) => `&#${first.codePointAt(0)};`);
  return `${line.replace(/&#(?:64|35);/g, '$&&#8203;')}${rest}`;
}

/** The text unchanged, line by line, in a separate block. */
export function block(text: string, longest: number): string {
  const { shown, rest } = cut(text, longest);
  const lines = shown.split(/\r?\n/).map((line) => escaped(line));
  return `<pre>\n${lines.join('\n')}\n</pre>${rest === '' ? '' : `\n\n${rest.trim()}`}`;
}

function cut(text: string, longest: number): { readonly shown: string; readonly rest: string } {
  const characters = [...text.slice(0, longest * 2)];
  if (text.length <= longest) return { shown: text, rest: '' };
  return { shown: characters.slice(0, longest).join(''), rest: ` … (${text.length} characters)` };
}

/** A dot after `www` would make a link of what follows. */
const escaped = (text: string): string =>
  [...text]
    .map(escapedCharacter)
    .join('')
    .replace(/www\./gi, (link) => `${link.slice(0, 3)}&#46;`);

function escapedCharacter(character: string): string {
  if (character === '\n') return '↵';
  if (HARMLESS.test(character)) return character;
  const number = character.codePointAt(0) ?? 0;
  if (character === '\t') return '→';
  if (HIDDEN.test(character)) return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
  return number < 128 ? `&#${number};` : character;
}

/** A name inside an HTML comment: letters, digits and `_./-` stay, all others become `_`. */
export const commentName = (text: string): string => text.replace(/[^\w./-]/g, '_').replace(/--+/g, '-');

/** Longest text in running words, in UTF-16 units before it is escaped. */
const LONGEST_SENTENCE = 400;

export const foreign = (text: string): string => code(oneLine(text), Infinity);

export const sentence = (text: string): string => words(clipped(oneLine(text), LONGEST_SENTENCE * 2), Infinity);

/** A text of any length as inline code, cut. */
export const foreignLong = (text: string): string => foreign(clipped(oneLine(text), LONGEST_SENTENCE));

/** A block of differences, in a fence longer than any in the lines. */
export function fenced(lines: readonly string[]): readonly string[] {
  const text = visible(lines.join('\n'));
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}diff`, text, fence];
}

// Markup that texts cannot break out of: whatever is put into it is escaped, unless it is markup itself.
import { visible } from '../shown-text';

/** A piece of a page. Made by `markup` alone, so that every text in it has been escaped. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template whose values are escaped: fit for text and for attributes in double quotes; `undefined` is nothing. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: texts
    // Indentation is for those who read this code, not for a page of hundreds of findings.
    .map((text) => text.replace(/\n\s+/g, '\n'))
    .reduce((before, text, index) => `${before}${partText(parts[index - 1])}${text}`),
});

/** Style and script of the page itself: texts of this package, nothing of a review. */
export const own = (text: string): Markup => ({ markup: text });

/** Markup only if it applies. */
export const when = (applies: boolean, made: () => Markup): Markup => (applies ? made() : own(''));

function partText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(visible(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('');
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? character);

// Templates of HTML that escape every value, unless the value is markup itself.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escaped, visible } from '../shown-text';

/** A piece of a page. Made by `markup` alone, so that every text in it has been escaped. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template with escaped values, for text and attributes in double quotes. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: texts
    // Indentation is for those who read this code, not for a page of hundreds of findings.
    .map((text) => text.replace(/\n\s+/g, '\n'))
    .reduce((before, text, index) => `${before}${partText(parts[index - 1])}${text}`),
});

/** Style and script of the page itself: texts of this package, nothing of a review. */
const own = (text: string): Markup => ({ markup: text });

export const when = (applies: boolean, made: () => Markup): Markup => (applies ? made() : own(''));

function partText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(visible(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('');
}

/** A file that becomes part of the page, without its indentation: the page is read by browsers. */
const asset = (name: string): string => readFileSync(join(__dirname, 'assets', name), 'utf8').replace(/\n\s*/g, '\n');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A page, a complete HTML document. */
export function documentMarkup(title: string, body: Markup): string {
  const style = asset('page.css');
  const script = asset('page.js');
  // Even a text that escaped all escaping could neither run nor send anything.
  const policy = `default-src 'none'; style-src 'sha256-${digest(style)}'; script-src 'sha256-${digest(script)}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${own(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>${own(style)}</style>
      </head>
      <body>
        ${body}
        <script>${own(script)}</script>
      </body>
    </html>
    `.markup;
}

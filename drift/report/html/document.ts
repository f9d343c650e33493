// The frame of every page: one document that contains everything it needs, and whose policy lets nothing else run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markup, own, type Markup } from './markup';

/** A file that becomes part of the page, without its indentation: the page is read by browsers. */
const asset = (name: string): string => readFileSync(join(__dirname, 'assets', name), 'utf8').replace(/\n\s*/g, '\n');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A page, a complete HTML document. `assets`: its style sheets and its script, by their names. */
export function documentMarkup(
  title: string,
  assets: { readonly styles: readonly string[]; readonly script: string },
  body: Markup,
): string {
  const style = assets.styles.map(asset).join('');
  const script = asset(assets.script);
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

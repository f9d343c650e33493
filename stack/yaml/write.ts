// Values as YAML text.
import { parseDocument, stringify, type Document } from 'yaml';
import { padMapsOnly } from './format';

/** Double quotes in one line: the YAML library adds a backslash to blank lines. */
export const IN_ONE_LINE = { doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

/** A value as a YAML document: maps and lists in separate lines, no line folded. */
export const documentText = (value: unknown): string =>
  stringify(value ?? null, { lineWidth: 0, aliasDuplicateObjects: false, ...IN_ONE_LINE });

/**
 * A text whose document was changed. Comments, order and quotes stay, and so do the byte order mark
 * and the line breaks; white space becomes uniform, as `fmt` writes it in brackets and braces.
 */
export function editedYaml(text: string, edit: (document: Document) => void): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const bare = text.slice(mark.length);
  const document: Document = parseDocument(bare.replaceAll('\r\n', '\n'));
  edit(document);
  padMapsOnly(document);
  const written = document.toString({ lineWidth: 0, ...IN_ONE_LINE });
  return mark + (bare.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written);
}

// The standard layout of a YAML text: indentation of two spaces, `{…}` and `[…]` in one line where
// they fit, every scalar and comment as it is written.
import {
  isMap,
  Lexer,
  parseDocument,
  Scalar,
  stringify,
  visit,
  type CollectionTag,
  type Document,
  type ScalarTag,
} from 'yaml';
import { readYaml } from './read';
import { sourceFile } from './source';
import type { Node } from './tree';

/** Columns that a line with `{…}` or `[…]` may have. */
const WIDTH = 120;

/** Each pass splits the outermost collections that are too wide, until nothing changes. */
const MOST_PASSES = 100;

/** A text in the standard layout; undefined for wrong YAML, or where values would change. */
export function formatYaml(text: string): string | undefined {
  const { given, withBreaks } = plainBreaks(text);
  const meaning = meaningOf(given);
  let before = given;
  for (let pass = 0; meaning !== undefined && pass < MOST_PASSES; pass++) {
    const next = laidOut(before);
    if (next === before) return withBreaks(next);
    // Each pass reads what the one before has written: a text `---` at the start of a line would
    // begin a document.
    if (next === undefined || meaningOf(next) !== meaning) return undefined;
    before = next;
  }
  return undefined;
}

function laidOut(text: string): string | undefined {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
    customTags: (tags) => tags.map((tag) => (typeof tag === 'string' ? tag : asWritten(tag, text))),
  });
  // An empty document before the first one is an error here, and none for those who read all
  // documents.
  if (document.errors.length > 0) return undefined;
  openWide(document, text);
  padMapsOnly(document);
  return document.toString({ indent: 2, lineWidth: 0, nullStr: '' });
}

/** The tag with the scalar's own text as what is written. */
function asWritten(tag: ScalarTag | CollectionTag, text: string): ScalarTag | CollectionTag {
  if (tag.collection !== undefined) return tag;
  return {
    ...tag,
    stringify(item, { indent }, onComment, onChompKeep) {
      const [start = 0, end = 0] = item.range ?? [];
      const raw = text.slice(start, end);
      const isBlock = item.type === Scalar.BLOCK_FOLDED || item.type === Scalar.BLOCK_LITERAL;
      if (!isBlock)
        return inLines(
          // Other characters that look empty are part of the value.
          raw.split('\n').map((line) => line.replace(/^[ \t]+|[ \t]+$/g, '')),
          indent,
        );
      const [header = '', ...body] = raw.split('\n');
      // A comment in the line of the header is written with it.
      if (item.comment) onComment?.();
      if (/^.[0-9]*\+/.test(header)) onChompKeep?.();
      return blockText(header, body, String(item.value), indent);
    },
  };
}

const inLines = (lines: readonly string[], indent: string): string =>
  lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n');

/** A `|` or `>` text at another indentation. `body`: its lines in the file. */
function blockText(header: string, body: readonly string[], value: string, indent: string): string {
  // Blanks that the value begins with are no indentation.
  const written = Math.max(0, blanksBefore(body) - blanksBefore(value.split('\n')));
  const own = indent === '' ? '  ' : indent;
  const lines = body.map((line) => (line.trim() === '' && line.length <= written ? '' : own + line.slice(written)));
  // The slice ends with the line break of the last line; several empty lines after it are one.
  const last = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const isKept = /^.[0-9]*\+/.test(header);
  const text = last.join('\n');
  const ended = isKept ? text : text.replace(/\n+$/, '\n');
  // An indentation that is declared is that of the standard layout.
  return `${header.replace(/^(.[+-]?)[0-9]/, '$12')}\n${ended}`;
}

/** Blanks before the first line that has a text. */
const blanksBefore = (lines: readonly string[]): number =>
  Math.max(0, (lines.find((line) => line.trim() !== '') ?? '').search(/\S/));

/** Splits the outermost collections in `{…}` and `[…]` that make a line too long. */
function openWide(document: Document, text: string): void {
  visit(document, {
    Collection(_, node) {
      if (node.flow !== true) return undefined;
      const [start = 0, end = 0] = node.range ?? [];
      const lineStart = text.lastIndexOf('\n', start - 1) + 1;
      const isWide = end - lineStart > WIDTH && !text.slice(start, end).includes('\n');
      if (!isWide || node.items.length === 0) return visit.SKIP;
      node.flow = false;
      if (isMap(node)) for (const pair of node.items) pair.value ??= new Scalar(null);
      return visit.SKIP;
    },
  });
}

/** Blanks inside the braces of a map, none inside the brackets of a list: `{ a: [1, 2] }`. */
export function padMapsOnly(document: Document): void {
  visit(document, {
    Collection(_, node) {
      const own = node.toString.bind(node);
      const flowCollectionPadding = isMap(node) ? ' ' : '';
      node.toString = (context, ...more) => own(context && { ...context, flowCollectionPadding }, ...more);
    },
  });
}

/** Values with their texts, and comments; undefined when something is wrong with the text. */
function meaningOf(text: string): string | undefined {
  const comments = [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map((token) => token.trim());
  const { root, findings } = readYaml(sourceFile('', text));
  return root && findings.length === 0 ? JSON.stringify([comments.sort(), plain(root)]) : undefined;
}

function plain(node: Node): unknown {
  if (node.form === 'list') return node.items.map(plain);
  if (node.form === 'map') return node.entries.map(({ key, value }) => [key, plain(value)]);
  return node.form === 'scalar' ? [typeof node.value, node.source] : null;
}

// Values as YAML text.

/** Double quotes in one line: the YAML library adds a backslash to blank lines. */
export const IN_ONE_LINE = { doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

/** A value as a YAML document: maps and lists in separate lines, no line folded. */
export const documentText = (value: unknown): string =>
  stringify(value ?? null, { lineWidth: 0, aliasDuplicateObjects: false, ...IN_ONE_LINE });

/** A text as YAML writes it. `indent`: where lines of a long text begin; a key has none. */
export function textInYaml(text: string, indent?: string): string {
  const scalar = new Scalar(text);
  const isQuoted = text.includes('\n') ? indent === undefined || /^\s/.test(text) : /[^\S ]/.test(text);
  if (isQuoted) scalar.type = Scalar.QUOTE_DOUBLE;
  // Readers of YAML 1.1 take more words for flags and numbers.
  const written = stringify({ '': scalar }, { lineWidth: 0, singleQuote: true, compat: 'yaml-1.1', ...IN_ONE_LINE });
  return written.slice("'': ".length, -1).replaceAll(/^ {2}/gm, indent ?? '');
}

/**
 * A text whose document was changed. Comments, order and quotes stay, and so do the byte order mark
 * and the line breaks; white space becomes uniform, as `fmt` writes it in brackets and braces.
 */
export function editedYaml(text: string, edit: (document: Document) => void): string {
  const { given, withBreaks } = plainBreaks(text);
  const document: Document = parseDocument(given);
  edit(document);
  padMapsOnly(document);
  return withBreaks(document.toString({ lineWidth: 0, ...IN_ONE_LINE }));
}

/** A text without its byte order mark and with line feeds alone; and a text with both as it has. */
function plainBreaks(text: string) {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    given: text.slice(mark.length).replaceAll('\r\n', '\n'),
    withBreaks: (written: string): string => mark + written.replaceAll('\n', lineBreak),
  };
}

// Texts of PCL: quoted ones and heredocs, with what is filled in.
// It must not know what an expression is made of.
import { fail, nested, skipBlanks, skipLines, take, takeText, type PclCursor } from './cursor';
import type { Expression } from './tree';

/** Reads an expression. */
type Read = (cursor: PclCursor) => Expression;

const ESCAPES: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
const UNICODE = /u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y;

/** A quoted text, from its first quote on. */
export function quotedText(cursor: PclCursor, read: Read): Expression {
  const start = cursor.at;
  cursor.at += 1;
  const parts: (string | Expression)[] = [];
  while (!takeText(cursor, '"')) {
    if (cursor.at >= cursor.text.length || cursor.text[cursor.at] === '\n') fail(cursor, 'the text is not closed');
    parts.push(takeText(cursor, '\\') ? escaped(cursor) : part(cursor, read));
  }
  return { start, end: cursor.at, ...joined(parts) };
}

function escaped(cursor: PclCursor): string {
  const unicode = take(cursor, UNICODE);
  if (unicode !== undefined) {
    const code = parseInt(unicode.slice(1), 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : fail(cursor, 'there is no such character');
  }
  const letter = ESCAPES[cursor.text[cursor.at] ?? ''];
  if (letter === undefined) fail(cursor, 'an unknown escape', 'known are \\n, \\r, \\t, \\", \\\\, \\u and \\U');
  cursor.at += 1;
  return letter;
}

/** The next character, or what is filled in there. */
function part(cursor: PclCursor, read: Read): string | Expression {
  if (takeText(cursor, '$${')) return '${';
  if (takeText(cursor, '%%{')) return '%{';
  if (cursor.text.startsWith('%{', cursor.at)) fail(cursor, 'a stack file has no directives in texts');
  if (!takeText(cursor, '${')) {
    cursor.at += 1;
    return cursor.text[cursor.at - 1] ?? '';
  }
  takeText(cursor, '~');
  return nested(cursor, () => {
    skipLines(cursor);
    const expression = read(cursor);
    skipLines(cursor);
    takeText(cursor, '~');
    if (!takeText(cursor, '}')) fail(cursor, 'what is filled in is not closed, or is more than a reference');
    return expression;
  });
}

/** Characters as texts; a text without anything filled in is a literal. */
function joined(
  parts: readonly (string | Expression)[],
):
  | { readonly form: 'literal'; readonly value: string }
  | { readonly form: 'template'; readonly parts: readonly (string | Expression)[] } {
  const texts: (string | Expression)[] = [];
  let run: string[] = [];
  const flush = (): void => {
    if (run.length > 0) texts.push(run.join(''));
    run = [];
  };
  for (const each of parts) {
    if (typeof each === 'string') run.push(each);
    else {
      flush();
      texts.push(each);
    }
  }
  if (texts.length === 0) return { form: 'literal', value: run.join('') };
  flush();
  return { form: 'template', parts: texts };
}

const OPENING = /<<-?[\p{L}_][\p{L}\p{N}_-]*/uy;

/** A heredoc, from its `<<` on; undefined where there is none. */
export function heredoc(cursor: PclCursor, read: Read): Expression | undefined {
  const start = cursor.at;
  const opening = take(cursor, OPENING);
  if (opening === undefined) return undefined;
  const isIndented = opening.startsWith('<<-');
  const word = opening.slice(isIndented ? 3 : 2);
  skipBlanks(cursor);
  if (!takeText(cursor, '\n')) fail(cursor, `a line ends after <<${word}`);
  const closing = new RegExp(`[ \\t]*${word}(?=\\r?\\n|[ \\t,)\\]}]|$)`, 'y');
  const lines: (readonly (string | Expression)[])[] = [];
  while (take(cursor, closing) === undefined) {
    if (cursor.at >= cursor.text.length) fail(cursor, `there is no closing ${word}`);
    lines.push(line(cursor, read));
  }
  const indents = lines.flatMap((parts) => (parts.length > 1 ? [indentOf(parts)] : []));
  const cut = isIndented ? Math.min(...indents, Infinity) : 0;
  const parts = lines.flatMap((each) => each.slice(Math.min(cut, indentOf(each))));
  return { start, end: cursor.at, ...joined(parts) };
}

/** One line with its end. */
function line(cursor: PclCursor, read: Read): readonly (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  while (cursor.at < cursor.text.length) {
    const next = part(cursor, read);
    if (next !== '\r' || cursor.text[cursor.at] !== '\n') parts.push(next);
    if (next === '\n') break;
  }
  return parts;
}

function indentOf(parts: readonly (string | Expression)[]): number {
  const first = parts.findIndex((each) => each !== ' ' && each !== '\t');
  return first < 0 ? parts.length : first;
}

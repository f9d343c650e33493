// Reads JSON as leniently as the live service reads definitions: JSON itself, and what a Java map prints (`{name=reboot, targetIds=[1]}`).

/** A value that was read. */
export type Lenient = string | number | boolean | null | readonly Lenient[] | { readonly [name: string]: Lenient };

/** What was read, or why the text could not be. Offsets count characters from 1. */
type LenientReading = { readonly ok: true; readonly value: Lenient } | { readonly ok: false; readonly reason: string };

/** How deep lists and maps may be nested. */
const DEEPEST = 24;

/** Characters that end a word without quotes. */
const ENDS_WORD = /[\s/\\;#={}[\]:,]/;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const ESCAPED: { readonly [letter: string]: string } = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Thrown inside of this file only. */
class Unreadable extends Error {}

/** A text and the place in it that is read next. */
interface Cursor {
  readonly text: string;
  at: number;
}

const fail = (cursor: Cursor, expected: string): Unreadable => {
  const found = cursor.at < cursor.text.length ? JSON.stringify(cursor.text.charAt(cursor.at)) : 'the end';
  return new Unreadable(`expected ${expected} at character ${cursor.at + 1}, found ${found}`);
};

const ahead = (cursor: Cursor): string => cursor.text.charAt(cursor.at);

function skipSpace(cursor: Cursor): void {
  while (/\s/.test(ahead(cursor))) cursor.at += 1;
}

/** Takes one of these characters if it comes next. */
function take(cursor: Cursor, characters: string): boolean {
  skipSpace(cursor);
  const next = ahead(cursor);
  if (next === '' || !characters.includes(next)) return false;
  cursor.at += 1;
  return true;
}

function readQuoted(cursor: Cursor, quote: string): string {
  let text = '';
  for (;;) {
    const next = ahead(cursor);
    if (next === '') throw fail(cursor, `the closing ${quote}`);
    cursor.at += 1;
    if (next === quote) return text;
    text += next === '\\' ? readEscape(cursor) : next;
  }
}

function readEscape(cursor: Cursor): string {
  const letter = ahead(cursor);
  if (letter === '') throw fail(cursor, 'an escaped character');
  cursor.at += 1;
  if (letter !== 'u') return ESCAPED[letter] ?? letter;
  const digits = cursor.text.slice(cursor.at, cursor.at + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw fail(cursor, 'four hexadecimal digits');
  cursor.at += 4;
  return String.fromCharCode(parseInt(digits, 16));
}

/** A word without quotes; empty when none comes next. */
function readWord(cursor: Cursor): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !ENDS_WORD.test(ahead(cursor))) cursor.at += 1;
  return cursor.text.slice(start, cursor.at);
}

function valueOfWord(word: string): Lenient {
  const lower = word.toLowerCase();
  if (lower === 'null') return null;
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return NUMBER.test(word) ? Number(word) : word;
}

function readValue(cursor: Cursor, depth: number): Lenient {
  if (depth > DEEPEST) throw new Unreadable(`it is nested more than ${DEEPEST} deep`);
  if (take(cursor, '{')) return readMap(cursor, depth);
  if (take(cursor, '[')) return readList(cursor, depth);
  const quote = ahead(cursor);
  if (take(cursor, `"'`)) return readQuoted(cursor, quote);
  const word = readWord(cursor);
  if (word === '') throw fail(cursor, 'a value');
  return valueOfWord(word);
}

function readName(cursor: Cursor): string {
  skipSpace(cursor);
  const quote = ahead(cursor);
  if (take(cursor, `"'`)) return readQuoted(cursor, quote);
  const word = readWord(cursor);
  if (word === '') throw fail(cursor, 'a name');
  return word;
}

/** The rest of a map; of two members of one name the later one counts. */
function readMap(cursor: Cursor, depth: number): Lenient {
  const members = new Map<string, Lenient>();
  if (take(cursor, '}')) return {};
  for (;;) {
    const name = readName(cursor);
    if (!take(cursor, ':=')) throw fail(cursor, '":" or "="');
    // `=>` is one separator.
    if (cursor.text.charAt(cursor.at - 1) === '=' && ahead(cursor) === '>') cursor.at += 1;
    skipSpace(cursor);
    // What a Java map prints for an empty text is nothing at all.
    members.set(name, /[,;}]/.test(ahead(cursor)) ? '' : readValue(cursor, depth + 1));
    if (take(cursor, '}')) return Object.fromEntries(members);
    if (!take(cursor, ',;')) throw fail(cursor, '"," or "}"');
  }
}

function readList(cursor: Cursor, depth: number): Lenient {
  const items: Lenient[] = [];
  if (take(cursor, ']')) return items;
  for (;;) {
    skipSpace(cursor);
    // An element that is left out is null.
    items.push(/[,;\]]/.test(ahead(cursor)) ? null : readValue(cursor, depth + 1));
    if (take(cursor, ']')) return items;
    if (!take(cursor, ',;')) throw fail(cursor, '"," or "]"');
  }
}

/**
 * Reads one value. Every JSON text nested no deeper than 24 reads as JSON.parse reads it. Also allowed: `=` or `=>` for `:`, `;` for `,`,
 * names and words without quotes (they end at white space or a separator), single quotes. Words are true, false, null or a number where
 * they look like one, else text; a missing value of a map is `''`, a missing element of a list null.
 */
export function readLenient(text: string): LenientReading {
  const cursor: Cursor = { text, at: 0 };
  try {
    skipSpace(cursor);
    const value = readValue(cursor, 0);
    skipSpace(cursor);
    if (cursor.at < text.length) throw fail(cursor, 'the end');
    return { ok: true, value };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}

// A place in a text that moves on, and the words of PCL there: names, numbers, white space.
// It must not know what a statement or an expression is.
import type { PclFault } from './tree';

/** Thrown where the text is not what the grammar has there; caught where reading can go on. */
export class Unreadable extends Error {
  constructor(readonly fault: PclFault) {
    super(fault.summary);
    this.name = 'Unreadable';
  }
}

/** Reads a text from the front. Mutable on purpose: owned by one reading. */
export interface PclCursor {
  readonly text: string;
  at: number;
  /** Levels of brackets and templates around the place. */
  depth: number;
}

export const newCursor = (text: string): PclCursor => ({ text, at: 0, depth: 0 });

/** Passes the text that a sticky pattern matches, and returns it; undefined where it matches nothing. */
export function take(cursor: PclCursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

/** Passes one of some texts. */
export function takeText(cursor: PclCursor, wanted: string): boolean {
  if (!cursor.text.startsWith(wanted, cursor.at)) return false;
  cursor.at += wanted.length;
  return true;
}

const BLANKS = /(?:[ \t\r]|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const BLANKS_AND_LINES = /(?:[\s\uFEFF]|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;

/** Passes blanks and comments of the line. */
export const skipBlanks = (cursor: PclCursor): void => void take(cursor, BLANKS);

/** Passes blanks, comments and ends of lines. */
export const skipLines = (cursor: PclCursor): void => void take(cursor, BLANKS_AND_LINES);

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;
export const takeName = (cursor: PclCursor): string | undefined => take(cursor, NAME);

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
export const takeNumber = (cursor: PclCursor): string | undefined => take(cursor, NUMBER);

/** Throws Unreadable at the place. */
export function fail(cursor: PclCursor, summary: string, detail?: string): never {
  const { at, text } = cursor;
  const end = Math.min(text.length, at + 1);
  throw new Unreadable({ severity: 'error', start: at, end, summary, ...(detail === undefined ? {} : { detail }) });
}

/** Deepest nesting that is read: what walks the tree is recursive. */
const DEPTH = 64;

/** Reads something inside of brackets or a template. */
export function nested<T>(cursor: PclCursor, read: () => T): T {
  if (cursor.depth >= DEPTH) fail(cursor, `it is nested more than ${DEPTH} levels deep`);
  cursor.depth += 1;
  try {
    return read();
  } finally {
    cursor.depth -= 1;
  }
}

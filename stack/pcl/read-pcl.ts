// Text to tree: the part of PCL that `pulumi import` and `pulumi convert` write. What is not part of it is a fault at its place, and reading continues.
// It must not know what a block means.
import {
  fail,
  nested,
  newCursor,
  skipBlanks,
  skipLines,
  take,
  takeName,
  takeNumber,
  takeText,
  Unreadable,
  type PclCursor,
} from './cursor';
import { heredoc, quotedText } from './templates';
import type { PclAttribute, Block, Expression, PclFault, PclReading, Statement } from './tree';

/** Reads a program. Never throws. */
export function readPcl(text: string): PclReading {
  const cursor = newCursor(text);
  const faults: PclFault[] = [];
  const statements = body(cursor, faults);
  return { statements, faults };
}

/** Statements up to the end of a block, or of the text. */
function body(cursor: PclCursor, faults: PclFault[]): readonly Statement[] {
  const statements: Statement[] = [];
  for (;;) {
    skipLines(cursor);
    if (cursor.at >= cursor.text.length) return statements;
    if (cursor.text[cursor.at] === '}') {
      if (cursor.depth > 0) return statements;
      faults.push({ severity: 'error', start: cursor.at, end: cursor.at + 1, summary: 'nothing is open here' });
      cursor.at += 1;
      continue;
    }
    const start = cursor.at;
    try {
      statements.push(statement(cursor, faults));
      endOfLine(cursor);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      faults.push(error.fault);
      skipRest(cursor, start);
    }
  }
}

/** After a statement, the line ends, or the block does. */
function endOfLine(cursor: PclCursor): void {
  skipBlanks(cursor);
  const next = cursor.text[cursor.at];
  if (next !== undefined && next !== '\n' && next !== '}') fail(cursor, 'a stack file has no such expression');
}

/** Passes what could not be read: to the end of the line on which all brackets are closed. */
function skipRest(cursor: PclCursor, start: number): void {
  const { text } = cursor;
  let open = 0;
  for (let index = start; index < text.length; index += 1) {
    const letter = text[index] ?? '';
    if ('{[('.includes(letter)) open += 1;
    else if ('}])'.includes(letter)) open -= 1;
    if (index >= cursor.at && open < 0) {
      cursor.at = index;
      return;
    }
    if (letter === '\n' && open <= 0 && index >= cursor.at) {
      cursor.at = index + 1;
      return;
    }
  }
  cursor.at = text.length;
}

function statement(cursor: PclCursor, faults: PclFault[]): Statement {
  const start = cursor.at;
  const name = cursor.text[start] === '"' ? label(cursor) : takeName(cursor);
  if (name === undefined) fail(cursor, 'a name is expected here');
  skipBlanks(cursor);
  return takeText(cursor, '=') ? attribute(cursor, start, name) : block(cursor, start, name, faults);
}

function attribute(cursor: PclCursor, start: number, name: string): PclAttribute {
  skipBlanks(cursor);
  const value = expression(cursor);
  return { form: 'attribute', name, value, start, end: cursor.at };
}

function block(cursor: PclCursor, start: number, type: string, faults: PclFault[]): Block {
  const labels: string[] = [];
  for (skipBlanks(cursor); cursor.text[cursor.at] !== '{'; skipBlanks(cursor)) labels.push(label(cursor));
  const open = cursor.at;
  cursor.at += 1;
  const statements = nested(cursor, () => body(cursor, faults));
  if (!takeText(cursor, '}'))
    faults.push({ severity: 'error', start, end: open, summary: `the block ${type} is not closed` });
  return { form: 'block', type, labels, body: statements, start, end: cursor.at };
}

function label(cursor: PclCursor): string {
  const { at } = cursor;
  if (cursor.text[at] !== '"') return takeName(cursor) ?? fail(cursor, 'a name, "=" or "{" is expected here');
  const read = quotedText(cursor, expression);
  if (read.form === 'literal' && typeof read.value === 'string') return read.value;
  cursor.at = at;
  return fail(cursor, 'the name of a block is a plain text');
}

function expression(cursor: PclCursor): Expression {
  const { text, at: start } = cursor;
  const first = text[start];
  if (first === '"') return quotedText(cursor, expression);
  if (first === '[') return list(cursor);
  if (first === '{') return object(cursor);
  if (first === '(') return parenthesized(cursor);
  const document = heredoc(cursor, expression);
  if (document !== undefined) return document;
  const number = takeNumber(cursor);
  if (number !== undefined) return { form: 'literal', value: Number(number), start, end: cursor.at };
  const name = takeName(cursor);
  if (name === undefined) return fail(cursor, 'a value is expected here');
  if (cursor.text[cursor.at] === '(') return call(cursor, start, name);
  const steps = stepsAt(cursor);
  const at = { start, end: cursor.at };
  if (steps.length === 0 && name in WORDS) return { form: 'literal', value: WORDS[name] ?? null, ...at };
  return { form: 'reference', root: name, steps, ...at };
}

const WORDS: { readonly [word: string]: boolean | null } = Object.assign(Object.create(null) as object, {
  true: true,
  false: false,
  null: null,
});

function parenthesized(cursor: PclCursor): Expression {
  cursor.at += 1;
  return nested(cursor, () => {
    skipLines(cursor);
    const value = expression(cursor);
    skipLines(cursor);
    return takeText(cursor, ')') ? value : fail(cursor, 'a stack file has no such expression');
  });
}

/** `.name`, `["name"]`, `[0]`, as many as there are. */
function stepsAt(cursor: PclCursor): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (;;) {
    if (takeText(cursor, '.')) {
      const index = take(cursor, /\d+/y);
      steps.push(index === undefined ? (takeName(cursor) ?? fail(cursor, 'a name is expected here')) : Number(index));
    } else if (takeText(cursor, '[')) {
      const step = nested(cursor, () => expression(cursor));
      if (step.form !== 'literal' || (typeof step.value !== 'string' && typeof step.value !== 'number'))
        return fail(cursor, 'a stack file takes a name or a number here');
      if (!takeText(cursor, ']')) fail(cursor, 'the bracket is not closed');
      steps.push(step.value);
    } else return steps;
  }
}

function list(cursor: PclCursor): Expression {
  const start = cursor.at;
  const items = sequence(cursor, ']', () => expression(cursor));
  return { form: 'list', items, start, end: cursor.at };
}

function call(cursor: PclCursor, start: number, name: string): Expression {
  const args = sequence(cursor, ')', () => expression(cursor));
  const steps = stepsAt(cursor);
  return { form: 'call', name, args, steps, start, end: cursor.at };
}

function object(cursor: PclCursor): Expression {
  const start = cursor.at;
  const entries = sequence(cursor, '}', () => {
    const key = keyOf(cursor);
    skipLines(cursor);
    if (!takeText(cursor, '=') && !takeText(cursor, ':')) fail(cursor, '"=" is expected here');
    skipLines(cursor);
    return [key, expression(cursor)] as const;
  });
  return { form: 'object', entries, start, end: cursor.at };
}

function keyOf(cursor: PclCursor): string {
  const key = expression(cursor);
  if (key.form === 'reference' && key.steps.length === 0) return key.root;
  if (key.form === 'literal') return String(key.value);
  return fail(cursor, 'a key is a plain text');
}

/** Items up to a closing bracket; commas and ends of lines separate them. */
function sequence<T>(cursor: PclCursor, close: string, item: () => T): readonly T[] {
  cursor.at += 1;
  return nested(cursor, () => {
    const items: T[] = [];
    for (;;) {
      skipLines(cursor);
      if (takeText(cursor, close)) return items;
      items.push(item());
      const end = cursor.at;
      skipLines(cursor);
      const isSeparated = takeText(cursor, ',') || cursor.text.slice(end, cursor.at).includes('\n');
      if (!isSeparated && cursor.text[cursor.at] !== close) fail(cursor, 'a stack file has no such expression');
    }
  });
}

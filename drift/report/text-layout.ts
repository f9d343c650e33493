// How texts are laid out in a terminal: columns, wrapping, colours.
// Wrapping is our own, because a first line may begin further left than the others.
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { oneLine } from './shown-text';

export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';
export type Paint = (style: TextStyle | readonly TextStyle[], text: string) => string;

/** Paints with ANSI codes, or leaves texts alone. The caller knows whether there is a terminal. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== ''
      ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })
      : text;

/** Width of a line in a terminal. The library gives marks over a letter a column of their own. */
export const columnsOf = (text: string): number => stringWidth(text.replace(/(?![\ufe0f\u20e3])\p{M}/gu, ''));

/** A text of at most that many columns; what is cut ends in `…`. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${columns < 2 ? '' : headOf(text, columns - 1)}…`;
}

/** A text filled up with spaces to that many columns. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** Lines of at most that many columns, broken at spaces; the first begins with `lead`. */
export function wrapped(text: string, columns: number, lead = '', indent = lead): readonly string[] {
  const lines: string[] = [];
  let start = lead;
  let line = '';
  const end = (): void => {
    lines.push(start + line);
    start = indent;
    line = '';
  };
  for (const word of text.split(' ')) {
    const room = (): number => columns - columnsOf(start);
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > room()) end();
    line = line === '' ? word : `${line} ${word}`;
    // Takes off what fits. Measuring the rest each time would be quadratic for a long word.
    for (let head = headOf(line, room()); head !== line; head = headOf(line, room())) {
      const rest = line.slice(head.length);
      line = head;
      end();
      line = rest;
    }
  }
  end();
  return lines;
}

/** As much of a text as fits into that many columns, at least one character. */
export function headOf(text: string, columns: number): string {
  let head = '';
  let used = 0;
  for (const { segment: each } of new Intl.Segmenter().segment(text)) {
    used += columnsOf(each);
    if (used > columns && head !== '') break;
    head += each;
  }
  return head;
}

/**
 * Rows as lines with aligned cells; columns that are empty in all rows are left out. What does not fit into that many
 * columns of a terminal goes on in the next line, below its beginning.
 */
export function tableText(
  rows: readonly (readonly string[])[],
  head?: readonly string[],
  indent = '',
  columns = Infinity,
): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const used = Array.from({ length: width }, (_, index) => rows.some((row) => (row[index] ?? '') !== ''));
  const all = [...(head === undefined ? [] : [head]), ...rows].map((row) =>
    row.filter((_, index) => used[index]).map(oneLine),
  );
  const longest = used
    .filter((each) => each)
    .map((_, index) => Math.max(...all.map((row) => columnsOf(row[index] ?? ''))));
  const widths = narrowed(longest, columns - columnsOf(indent));
  return all
    .flatMap((row) => {
      const cells = row.map((cell, index) =>
        columnsOf(cell) > (widths[index] ?? 0) ? wrapped(cell, widths[index] ?? 0) : [cell],
      );
      const height = Math.max(...cells.map((lines) => lines.length));
      return Array.from({ length: height }, (_, line) =>
        `${indent}${cells.map((lines, index) => padded(lines[line] ?? '', widths[index] ?? 0)).join('  ')}`.trimEnd(),
      );
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Narrowest that a column becomes. */
const NARROWEST = 6;

/** Widths of columns that fit next to each other, two columns apart, as far as that is possible: the widest ones give way. */
function narrowed(widths: readonly number[], columns: number): readonly number[] {
  const narrow = [...widths];
  for (let over = narrow.reduce((sum, each) => sum + each + 2, -2) - columns; over > 0; over -= 1) {
    const widest = Math.max(...narrow);
    if (widest <= NARROWEST) break;
    narrow[narrow.indexOf(widest)] = widest - 1;
  }
  return narrow;
}

// How texts are laid out in a terminal: columns, wrapping, colours.
// The only file that names the library for the width of text; wrapping is our own because a first line may begin further left than the others.
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { oneLine } from './shown-text';

export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';
export type Paint = (style: TextStyle | readonly TextStyle[], text: string) => string;

/** Paints with ANSI codes, or leaves texts alone. Whether the output is a terminal is for the caller to find out. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== ''
      ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })
      : text;

/** Columns a text without line breaks takes in a terminal. The library counts most marks that are drawn over a letter as their own column. */
export const columnsOf = (text: string): number => stringWidth(text.replace(/(?![\ufe0f\u20e3])\p{M}/gu, ''));

/** A text of at most that many columns; what is cut ends in `…`. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${columns < 2 ? '' : headOf(text, columns - 1)}…`;
}

/** A text filled up with spaces to that many columns. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** Lines of at most that many columns, broken at spaces where possible; the first begins with `lead`, the others with `indent`. */
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
    // By what fits, not by how wide all of it is: of a long word that would take time with the square of its length.
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

/** Rows as lines whose cells are below each other; cells that are empty in all rows are left out. */
export function tableText(rows: readonly (readonly string[])[], head?: readonly string[], indent = ''): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const used = Array.from({ length: width }, (_, index) => rows.some((row) => (row[index] ?? '') !== ''));
  const all = [...(head === undefined ? [] : [head]), ...rows].map((row) =>
    row.filter((_, index) => used[index]).map(oneLine),
  );
  const widths = used
    .filter((each) => each)
    .map((_, index) => Math.max(...all.map((row) => columnsOf(row[index] ?? ''))));
  return all
    .map((row) => `${indent}${row.map((cell, index) => padded(cell, widths[index] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

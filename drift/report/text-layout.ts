// Layout of texts in a terminal: columns, wrapping, colours. The wrapping is our own, because a
// first line may begin further left than the others.
import { styleText } from 'node:util';
import { columnsOf } from '../../stack';
import { oneLine } from './shown-text';

export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';
export type Paint = (style: TextStyle | readonly TextStyle[] | undefined, text: string) => string;

/** Paints with ANSI codes, or leaves texts alone. The caller knows whether there is a terminal. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== '' && style !== undefined
      ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })
      : text;

/** A text of at most that many columns; what is cut ends in `…`. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${columns < 2 ? '' : headOf(text, columns - 1)}…`;
}

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
  if (columnsOf(text) <= columns) return text;
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
 * Rows as lines with aligned cells; columns that are empty in all rows are left out. What does not
 * fit into that many columns of a terminal goes on in the next line: words of a cell below its
 * beginning, and whole cells further in.
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
  const longest = (texts: readonly string[]): number => Math.max(...texts.map(columnsOf));
  const wanted = used.filter(Boolean).map((_, index) => {
    const cells = all.map((row) => row[index] ?? '');
    const word = longest(cells.flatMap((cell) => cell.split(' ')));
    // Longer ones than an address are broken anyway.
    return { width: longest(cells), least: word <= columns / 2 ? word : Math.floor(columns / 3) };
  });
  const parts = besides(wanted, columns - columnsOf(indent));
  const linesOf = (row: readonly string[], widths: readonly number[]): readonly string[] => {
    const cells = widths.map((wide, index) => wrapped(row[index] ?? '', wide));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells.map((lines, index) => padded(lines[line] ?? '', widths[index] ?? 0)).join('  '),
    );
  };
  return all
    .flatMap((row) =>
      parts.flatMap(({ from, widths }) =>
        linesOf(row.slice(from), widths).map((line) => `${indent}${from === 0 ? '' : FURTHER}${line}`.trimEnd()),
      ),
    )
    .map((line) => `${line}\n`)
    .join('');
}

const FURTHER = '  ';

/** Width of a column, and its least width: its longest word, at most half the terminal. */
interface ColumnWidth {
  readonly width: number;
  readonly least: number;
}

/** The columns that fit next to each other, two columns apart, and their widths. */
function besides(
  wanted: readonly ColumnWidth[],
  columns: number,
): readonly { readonly from: number; readonly widths: readonly number[] }[] {
  const parts: { readonly from: number; readonly room: number; readonly own: ColumnWidth[] }[] = [];
  wanted.forEach((each, from) => {
    const part = parts.at(-1);
    const least = [...(part?.own ?? []), each].map((one) => one.least);
    if (part !== undefined && besideEachOther(least) <= part.room) part.own.push(each);
    else parts.push({ from, room: part === undefined ? columns : columns - FURTHER.length, own: [each] });
  });
  return parts.map(({ from, room, own }) => ({ from, widths: narrowed(own, room) }));
}

const besideEachOther = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each + 2, -2);

/** Widths at which columns fit next to each other: the widest ones give way. */
function narrowed(part: readonly ColumnWidth[], columns: number): readonly number[] {
  const widths = part.map(({ width }) => width);
  while (besideEachOther(widths) > columns) {
    const spare = widths.map((width, index) => (width > (part[index]?.least ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

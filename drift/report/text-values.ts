// The values of a finding in a terminal: side by side when they fit, below each other, or as a short difference.
import type { DriftFinding } from '../review/review';
import { lineDifference, wordDifference, type DifferenceLine } from '../difference';
import { comparedSides, sideTexts, type Side } from './shown-text';
import { columnsOf, fitted, headOf, padded, type Paint, type TextStyle } from './text-layout';

const INDENT = '    ';
/** Lines of a difference that are shown. */
const MOST_LINES = 14;
/** Lines one value may take when values are below each other. */
const MOST_ROWS = 3;

/** Sides that say the same, as one. */
interface Column {
  readonly sides: readonly Side[];
  /** What readers call them. */
  readonly name: string;
  readonly text: string;
}

const STYLES: { readonly [is in DifferenceLine['is']]: readonly [sign: string, style: TextStyle | undefined] } = {
  same: [' ', undefined],
  // Not red and green: of a live value nobody says that it is good.
  removed: ['-', 'cyan'],
  added: ['+', 'yellow'],
  skipped: ['…', 'dim'],
};

/** The values of a finding, indented by four, in at most `width` columns. */
export function valueLines(finding: DriftFinding, width: number, paint: Paint): readonly string[] {
  const columns = columnsFor(finding);
  if (columns.length === 0) return [];
  const { from, to } = comparedSides(finding);
  const styleOf = ({ sides }: Column): TextStyle | undefined =>
    columns.length === 1 || sides.includes(from) ? undefined : sides.includes(to) ? 'yellow' : 'cyan';
  const room = Math.floor((width - INDENT.length - 2 * (columns.length - 1)) / columns.length);
  if (columns.some(({ text }) => text.includes('\n'))) return differences(columns, from, width, paint);
  const names = columns.map(({ name }) => name);
  const widths = columns.map(({ text }, index) => Math.max(columnsOf(text), columnsOf(names[index] ?? '')));
  if (widths.every((each) => each <= room)) {
    const row = (texts: readonly string[]): string => INDENT + texts.join('  ');
    const isEven = widths.map((each) => Math.min(room, Math.max(each, width >= 120 ? 36 : 20)));
    const cells = columns.map((column, index) => {
      const text = padded(column.text, isEven[index] ?? room);
      const style = styleOf(column);
      return style === undefined ? text : paint(style, text);
    });
    return [row(names.map((name, index) => paint('dim', padded(name, isEven[index] ?? room)))), row(cells)];
  }
  const label = Math.max(...names.map(columnsOf));
  return columns.flatMap((column, index) => {
    const other = columns.find((each) => each !== column)?.text ?? column.text;
    const lines = rows(column.text, other, width - INDENT.length - label - 2);
    const style = styleOf(column);
    return lines.map((line, row) => {
      const name = paint('dim', padded(row === 0 ? (names[index] ?? '') : '', label));
      return `${INDENT}${name}  ${style === undefined ? line : paint(style, line)}`;
    });
  });
}

function columnsFor(finding: DriftFinding): readonly Column[] {
  const columns = new Map<string, Column>();
  for (const { side, name, text } of sideTexts(finding)) {
    // A tab has no width of its own, and one that became spaces is a difference to be seen.
    const drawn = text.replace(/\t/g, text.includes('\n') ? '→ ' : '\\t');
    const known = columns.get(drawn);
    columns.set(drawn, {
      text: drawn,
      sides: [...(known?.sides ?? []), side],
      name: known === undefined ? name : `${known.name}, ${name}`,
    });
  }
  return [...columns.values()];
}

/** A long value in a few rows, from a little before the first difference on. */
function rows(text: string, other: string, width: number): readonly string[] {
  const first = wordDifference(text, other)[0];
  const isSame = first?.is === 'same' ? [...first.text].length : 0;
  const characters = [...text];
  const room = width * MOST_ROWS;
  const start = characters.length <= room ? 0 : Math.max(0, isSame - Math.floor(width / 2));
  const shown = `${start > 0 ? '…' : ''}${characters.slice(start).join('')}`;
  const lines: string[] = [];
  for (let rest = shown; rest !== '' && lines.length < MOST_ROWS;) {
    const isLast = lines.length === MOST_ROWS - 1;
    const line = isLast || columnsOf(rest) <= width ? fitted(rest, width) : rowOf(headOf(rest, width));
    lines.push(line);
    rest = rest.slice(line.length);
  }
  return lines;
}

/** A row that ends after a space where one is in its second half, so that no word or number is split. */
function rowOf(full: string): string {
  const end = full.lastIndexOf(' ') + 1;
  return end > full.length / 2 ? full.slice(0, end) : full;
}

/** Every other column against the one it moved from. */
function differences(columns: readonly Column[], from: Side, width: number, paint: Paint): readonly string[] {
  const before = columns.find(({ sides }) => sides.includes(from)) ?? columns[0];
  if (before === undefined) return [];
  const others = columns.filter((column) => column !== before);
  if (others.length === 0) return difference(before.text, before.text, width, paint);
  return others.flatMap((after) => [
    paint('dim', `${INDENT}${before.name} → ${after.name}`),
    ...difference(before.text, after.text, width, paint),
  ]);
}

function difference(before: string, after: string, width: number, paint: Paint): readonly string[] {
  const lines = lineDifference(before, after);
  const shown = lines.slice(0, MOST_LINES).map(({ is, text }) => {
    const [sign, style] = STYLES[is];
    const line = fitted(`${sign} ${text}`, width - INDENT.length);
    return `${INDENT}${style === undefined ? line : paint(style, line)}`;
  });
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...shown, paint('dim', `${INDENT}… ${more} more lines`)] : shown;
}

// Two texts side by side, as far as they differ.
// It must not know what the texts are.
import { lineDifference, type DifferenceLine } from '../drift';

/** Equal lines that are kept around a difference. */
const CONTEXT = 3;

/** What is between the two sides: ` ` for equal lines, `|` for one that differs, `<` and `>` for one that only one side has. */
type Mark = ' ' | '|' | '<' | '>';

interface Row {
  readonly left: string;
  readonly mark: Mark;
  readonly right: string;
}

/** Two texts side by side under their names, in lines of a width; the empty text when nothing differs. */
export function sideBySide(names: readonly string[], before: string, after: string, width: number): string {
  if (before === after) return '';
  const half = Math.max(10, Math.floor((width - 3) / 2));
  const [left = '', right = ''] = names;
  const lines = lineDifference(before.trimEnd(), after.trimEnd(), CONTEXT);
  const rows: readonly Row[] = [{ left, mark: ' ', right }, ...rowsOf(lines)];
  return rows
    .map((row) => `${cut(row.left, half).padEnd(half)} ${row.mark} ${cut(row.right, half)}`.trimEnd() + '\n')
    .join('');
}

/** Removed lines are next to the added ones that replace them. */
function rowsOf(lines: readonly DifferenceLine[]): readonly Row[] {
  const rows: Row[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [left, right] = [removed[index], added[index]];
      const mark = left === undefined ? '>' : right === undefined ? '<' : '|';
      rows.push({ left: left ?? '', mark, right: right ?? '' });
    }
    [removed, added] = [[], []];
  };
  for (const { is, text } of lines) {
    if (is === 'removed') removed.push(text);
    else if (is === 'added') added.push(text);
    else {
      flush();
      const shown = is === 'skipped' ? `(${text})` : text;
      rows.push({ left: shown, mark: ' ', right: shown });
    }
  }
  flush();
  return rows;
}

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

// The values of a finding on the page: side by side, with what differs marked.
import { isDrift } from '../../review/outcome';
import type { DriftFinding } from '../../review/review';
import { lineDifference, wordDifference, type DifferenceLine, type Piece } from '../../difference';
import { comparedSides, sideTexts, type Side, type SideText } from '../shown-text';
import { plural } from '../../wording';
import { markup, when, type Markup } from './markup';

/** Characters of one value that are shown; the rest is counted. */
const LONGEST = 20_000;

/** What a value is to a reader; of a live value nobody says that it is good, so nothing here is red or green. */
type Role = 'same' | 'before' | 'drifted' | 'coming' | 'third';

/** Sides that say the same, as one. */
interface Column {
  readonly sides: readonly Side[];
  readonly name: string;
  readonly text: string;
  readonly isValue: boolean;
}

/** The values; nothing when no side took part. */
export function valuesMarkup(finding: DriftFinding): Markup {
  const columns = columnsFor(sideTexts(finding));
  const { from, to } = comparedSides(finding);
  const before = columns.find(({ sides }) => sides.includes(from)) ?? columns[0];
  if (before === undefined) return markup``;
  const others = columns.filter((column) => column !== before);
  const arrived = isDrift(finding) ? 'drifted' : 'coming';
  const isLong = columns.some(({ text }) => text.includes('\n'));
  if (isLong && others.length > 0)
    return markup`${others.map((after) => splitMarkup(before, after, after.sides.includes(to) ? arrived : 'third'))}`;
  const moved = columns.find(({ sides }) => sides.includes(to)) ?? before;
  const cells = columns.map((column) => {
    const other = column === before ? moved : before;
    const role: Role =
      columns.length === 1 ? 'same' : column === before ? 'before' : column === moved ? arrived : 'third';
    return markup`<div class="side ${role}">
      <p class="side-name">${names(column)}</p>
      <pre class="value">${valueMarkup(column, other)}</pre>
    </div>`;
  });
  return markup`<div class="sides sides-${columns.length}">${cells}</div>`;
}

const names = ({ name }: Column): string => name;

function columnsFor(sides: readonly SideText[]): readonly Column[] {
  const columns = new Map<string, Column>();
  for (const { side, name, text, isValue } of sides) {
    const cut = text.length - LONGEST;
    const shown =
      cut > 0 ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}… (${cut} more characters)` : text;
    const key = `${isValue} ${text}`;
    const known = columns.get(key);
    const word = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    columns.set(key, {
      text: shown,
      isValue,
      sides: [...(known?.sides ?? []), side],
      name: known === undefined ? word : `${known.name}, ${word}`,
    });
  }
  return [...columns.values()];
}

/** A value with the words marked that the other one does not have; words about a value are set apart. */
function valueMarkup(column: Column, other: Column): Markup {
  if (!column.isValue) return markup`<em>${column.text}</em>`;
  if (column === other || !other.isValue) return markup`${column.text}`;
  const pieces = wordDifference(other.text, column.text).filter(({ is }) => is !== 'removed');
  return markup`${pieces.map(({ is, text }) => (is === 'added' ? markup`<mark>${text}</mark>` : markup`${text}`))}`;
}

/** Rows of a difference that are shown immediately; the rest is unfolded. */
const MOST_ROWS = 40;

/**
 * Two texts of many lines next to each other, row by row, without equal lines far from a difference. Long lines are wrapped, and on a small screen the
 * style sheet puts the sides below each other, line by line.
 */
function splitMarkup(before: Column, after: Column, role: Role): Markup {
  const rows = rowsOf(lineDifference(before.text, after.text, 3));
  const rest = rows.length - MOST_ROWS;
  return markup`<div class="split ${role}" role="group" aria-label="${names(before)} and ${names(after)}, lines">
    <div class="side-names"><p class="side-name">${names(before)}</p><p class="side-name">${names(after)}</p></div>
    ${linesMarkup(rows.slice(0, MOST_ROWS))}
    ${when(
      rest > 0,
      () =>
        markup`<details><summary>${plural(rest, 'more line')}</summary>${linesMarkup(rows.slice(MOST_ROWS))}</details>`,
    )}
  </div>`;
}

const linesMarkup = (rows: readonly Row[]): Markup =>
  markup`<pre class="lines">${rows.map(({ left, right }) => markup`${lineMarkup(left, 'left')}${lineMarkup(right, 'right')}`)}</pre>`;

interface Row {
  readonly left: Cell;
  readonly right: Cell;
}

interface Cell {
  readonly is: DifferenceLine['is'] | 'blank';
  readonly pieces: readonly Piece[];
}

function lineMarkup({ is, pieces }: Cell, side: 'left' | 'right'): Markup {
  const sign = is === 'removed' ? '-' : is === 'added' ? '+' : is === 'skipped' ? '…' : ' ';
  const parts = pieces.map((piece) =>
    piece.is === 'same' ? markup`${piece.text}` : markup`<mark>${piece.text}</mark>`,
  );
  return markup`<span class="line ${side} ${is}">${sign} ${parts}${'\n'}</span>`;
}

const BLANK: Cell = { is: 'blank', pieces: [] };

/** Lines as rows: a block of removed lines is next to the block that took its place. */
function rowsOf(lines: readonly DifferenceLine[]): readonly Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < lines.length;) {
    const { is, text } = lines[index] as DifferenceLine;
    if (is === 'same' || is === 'skipped') {
      const cell: Cell = { is, pieces: [{ is: 'same', text }] };
      rows.push({ left: cell, right: cell });
      index += 1;
      continue;
    }
    let end = index;
    while (end < lines.length && (lines[end]?.is === 'removed' || lines[end]?.is === 'added')) end += 1;
    const block = lines.slice(index, end);
    const removed = block.filter((line) => line.is === 'removed');
    const added = block.filter((line) => line.is === 'added');
    for (let row = 0; row < Math.max(removed.length, added.length); row += 1)
      rows.push(pairOf(removed[row]?.text, added[row]?.text));
    index = end;
  }
  return rows;
}

function pairOf(before: string | undefined, after: string | undefined): Row {
  const pieces = before === undefined || after === undefined ? undefined : wordDifference(before, after);
  const cell = (is: 'removed' | 'added', text: string | undefined): Cell =>
    text === undefined
      ? BLANK
      : { is, pieces: pieces?.filter((piece) => piece.is === 'same' || piece.is === is) ?? [{ is: 'same', text }] };
  return { left: cell('removed', before), right: cell('added', after) };
}

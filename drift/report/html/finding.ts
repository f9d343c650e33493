// The findings of one record on the page, and the buckets by which the page filters findings.
import { plural } from '../../../api/errors';
import { isDrift } from '../../review/outcome';
import { SEVERITIES, type DriftFinding, type Review, type Severity } from '../../review/review';
import { placeText, type ReportOptions, comparedColumns, type Column } from '../shown-text';
import { attributeText, capital, knownOf, stepsOf, wordsOf } from '../words';
import { markup, when, type Markup } from './markup';
import { lineDifference, wordDifference, type DifferenceLine, type Piece } from '../../difference';

/** Each finding is in exactly one, so that the counts of the page add up. */
type Bucket = Severity | 'other';

export const BUCKETS: readonly Bucket[] = [...SEVERITIES, 'other'];

const bucketOf = (finding: DriftFinding): Bucket => (isDrift(finding) ? finding.severity : 'other');

export const bucketWord = (bucket: Bucket): string => (bucket === 'other' ? 'not drift' : bucket);

export const bucketCounts = (findings: readonly DriftFinding[]): { readonly [bucket in Bucket]: number } => {
  const count = (bucket: Bucket): number => findings.filter((finding) => bucketOf(finding) === bucket).length;
  return { high: count('high'), medium: count('medium'), low: count('low'), other: count('other') };
};

/** How the findings of a stack are shown. */
export interface ShownFindings {
  /** Beginning of the ids that links to its findings lead to. */
  readonly anchor: string;
  /** The causes of findings, by their ids. */
  readonly causes: ReadonlyMap<string, string>;
  readonly options: ReportOptions;
}

/** The findings of one record, in one frame. */
export function recordMarkup(findings: readonly DriftFinding[], review: Review, shown: ShownFindings): Markup {
  const first = findings[0];
  if (first === undefined) return markup``;
  const { address, kind, logicalName } = first;
  const parts = address.split('/');
  const name = parts.pop() ?? '';
  const path = parts.map((part) => `${part}/`).join('');
  return markup`<section class="record" aria-label="${kind} ${address}">
    <header class="record-head">
      <h4><span class="path">${path}</span><wbr /><span class="name">${name}</span></h4>
      <span class="kind">${kind}</span
      >${when(logicalName !== undefined, () => markup`<span class="logical">in the file: <code>${logicalName}</code></span>`)}
    </header>
    ${findings.map((finding) => findingMarkup(finding, review, shown))}
  </section>`;
}

function findingMarkup(finding: DriftFinding, review: Review, { anchor, causes, options }: ShownFindings): Markup {
  const { id, address, at } = finding;
  const cause = causes.get(id);
  const { label, meaning } = wordsOf(finding);
  const attribute = attributeText(finding);
  const bucket = bucketOf(finding);
  return markup`<article class="finding ${bucket}" id="${anchor}-${id}" tabindex="-1" data-bucket="${bucket}"
    aria-label="${bucketWord(bucket)}: ${attribute ?? address} ${label}"
  >
    <div class="finding-head">
      <span class="severity">${bucketWord(bucket)}</span>
      <h5>${attribute ?? 'the whole record'}</h5>
      <span class="classification" title="${meaning}">${label}</span>
      <span class="end"
        >${when(at !== undefined, () => markup`<code class="place">${at === undefined ? '' : placeText(at, options)}</code> `)}<a
          class="id"
          href="#${anchor}-${id}"
          aria-label="Link to finding ${id}"
          >${id}</a
        ></span
      >
    </div>
    ${[...knownOf(finding, review), ...(cause === undefined ? [] : [`cause ${cause}`])].map((fact) => markup`<p class="fact">${fact}</p>`)}
    ${valuesMarkup(finding)}
    ${adviceMarkup(finding)}
  </article>`;
}

/** Folded: one of them is like the other, and on a small screen they would hide what differs. */
function adviceMarkup(finding: DriftFinding): Markup {
  const steps = stepsOf(finding);
  const stepMarkup = ([word, how, command]: (typeof steps)[number]): Markup => {
    const shown = command === how ? undefined : markup`<span class="words">${how}</span>`;
    const copied =
      command === undefined
        ? undefined
        : markup`<span class="command"><code>${command}</code><button type="button" class="copy" hidden aria-label="Copy: ${command}">Copy</button></span>`;
    return markup`<div>
      <dt>${capital(word)}</dt>
      <dd>${shown}${copied}</dd>
    </div>`;
  };
  if (steps.length === 0) return markup``;
  return markup`<details class="advice">
    <summary>How to ${steps.map(([word]) => word).join(' or ')} it</summary>
    <dl>
      ${steps.map(stepMarkup)}
    </dl>
  </details>`;
}

const LONGEST = 20_000;

type Role = 'same' | 'before' | 'drifted' | 'coming' | 'third';

function valuesMarkup(finding: DriftFinding): Markup {
  const { columns, before, after } = comparedColumns(finding);
  if (before === undefined) return markup``;
  const others = columns.filter((column) => column !== before);
  const arrived = isDrift(finding) ? 'drifted' : 'coming';
  const isLong = columns.some(({ text }) => text.includes('\n'));
  if (isLong && others.length > 0)
    return markup`${others.map((other) => splitMarkup(before, other, other === after ? arrived : 'third'))}`;
  const moved = after ?? before;
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

const names = (column: Column): string => column.names.map(capital).join(', ');

/** The text of a column, its end counted where it is very long. */
function shownOf({ text }: Column): string {
  const cut = text.length - LONGEST;
  return cut > 0 ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}… (${cut} more characters)` : text;
}

/** A value with the words marked that the other value does not have. */
function valueMarkup(column: Column, other: Column): Markup {
  if (!column.isValue) return markup`<em>${column.text}</em>`;
  if (column === other || !other.isValue) return markup`${shownOf(column)}`;
  const pieces = wordDifference(shownOf(other), shownOf(column)).filter(({ is }) => is !== 'removed');
  return markup`${pieces.map(({ is, text }) => (is === 'added' ? markup`<mark>${text}</mark>` : markup`${text}`))}`;
}

const MOST_ROWS = 40;

/** Two texts side by side, without equal lines far from a difference. */
function splitMarkup(before: Column, after: Column, role: Role): Markup {
  const rows = rowsOf(lineDifference(shownOf(before), shownOf(after), 3));
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
  const block: { readonly removed: string[]; readonly added: string[] } = { removed: [], added: [] };
  const endBlock = (): void => {
    const [removed, added] = [block.removed.splice(0), block.added.splice(0)];
    for (let row = 0; row < Math.max(removed.length, added.length); row += 1)
      rows.push(pairOf(removed[row], added[row]));
  };
  for (const { is, text } of lines) {
    if (is === 'removed' || is === 'added') {
      block[is].push(text);
      continue;
    }
    endBlock();
    const cell: Cell = { is, pieces: [{ is: 'same', text }] };
    rows.push({ left: cell, right: cell });
  }
  endBlock();
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

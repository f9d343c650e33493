// The review of a fleet, or of one stack, as text for a terminal: first causes, then stacks. The
// most severe findings of a stack come first.
import { type DriftFinding, type Review, type Severity, CLASSIFICATIONS, SEVERITIES } from '../review/review';
import { firstOf, plural } from '../../api/errors';
import { countsForOutcome } from '../review/outcome';
import type { FleetCause, Fleet, FleetStack } from '../fleet/fleet';
import {
  brokenPolicies,
  capital,
  sortedOut,
  policyText,
  nextSteps,
  agoText,
  attributeText,
  aloneIn,
  causeHistory,
  causeIds,
  gapsOf,
  causeTitle,
  CLASSIFICATION_WORDS,
  isNothingRead,
  stepsOf,
  wordsOf,
  comparedText,
  coverageText,
  driftCounts,
  fleetTitle,
  liveText,
  openStacks,
  knownOf,
  SHOWN_OUTCOMES,
  serviceText,
  stackOptions,
  stacksOf,
  subjectText,
  timeText,
  unreadCause,
  whoText,
} from './words';
import { comparedColumns, ignoredText, inert, leadOf, oneLine, placeText, type ReportOptions } from './shown-text';
import { columnsOf } from '../../stack';
import { fitted, painter, padded, wrapped, type Paint, type TextStyle, headOf } from './text-layout';
import { lineDifference, wordDifference, type DifferenceLine } from '../difference';

const SEVERITY_STYLE: { readonly [of in Severity]: TextStyle } = { high: 'red', medium: 'yellow', low: 'cyan' };

interface Sheet {
  readonly options: ReportOptions;
  readonly width: number;
  readonly paint: Paint;
}

interface FleetPage extends Sheet {
  readonly fleet: Fleet;
  /** The causes of findings, by their ids. */
  readonly causes: ReadonlyMap<string, string>;
}

interface Page extends FleetPage {
  readonly review: Review;
}

/** The fleet as lines of at most `width` columns. Ends in a line break. */
export function renderText(fleet: Fleet, options: ReportOptions = {}): string {
  const width = Math.max(40, options.width ?? 80);
  const page = { fleet, causes: causeIds(fleet), options, width, paint: painter(options.colour === true) };
  const sections = [
    headLines(page),
    causeLines(page),
    undeclaredLines(page),
    ...openStacks(fleet).flatMap((stack) => stackSections(page, stack)),
    nextStepLines(page),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.map((line) => inert(line.trimEnd())).join('\n')}\n`)
    .join('\n');
}

function headLines(page: FleetPage): readonly string[] {
  const { fleet, width, paint } = page;
  const { started, took, calls, notes } = fleet;
  const alone = aloneIn(fleet);
  const facts = [
    `${timeText(started)}, took ${(took / 1000).toFixed(1)} s and ${plural(calls, 'request')}`,
    ...gapsOf(fleet),
    ...notes,
  ];
  return [
    ...wrapped(`Drift review of ${oneLine(fleetTitle(fleet))}`, width, '', '  ').map((line) => paint('bold', line)),
    ...factLines(page, facts),
    ...(alone === undefined ? verdictLines(page, fleet) : factLines(page, reviewFacts(alone))),
  ];
}

const factLines = ({ width, paint }: Sheet, facts: readonly string[]): readonly string[] =>
  facts.flatMap((fact) => wrapped(oneLine(fact), width, '  ').map((line) => paint('dim', line)));

/** Where a stack was reviewed, what was compared, and its notes. */
function reviewFacts(review: Review): readonly string[] {
  const speaker = review.user === undefined ? '' : ` as ${review.user}`;
  return [`${serviceText(review)}${speaker}; compared ${comparedText(review)}`, ...review.notes];
}

/** A stack with all that was found in it, under its name unless it was reviewed alone. */
function stackSections(fleetPage: FleetPage, stack: FleetStack): readonly (readonly string[])[] {
  const { review, name } = stack;
  const title = name === '' ? [] : [heading(fleetPage, oneLine(name), 'blue', '═')];
  if (review === undefined) return [[...title, ...verdictLines(fleetPage, stack)]];
  const page = { ...fleetPage, options: stackOptions(stack, fleetPage.options), review };
  const { drift, waiting, others } = sortedOut(review);
  return [
    name === '' ? [] : [...title, ...factLines(page, reviewFacts(review))],
    outcomeLines(page),
    policyLines(page),
    ...SEVERITIES.map((severity) => {
      const own = drift.filter((finding) => finding.severity === severity);
      return recordLines(page, { title: severity.toUpperCase(), style: SEVERITY_STYLE[severity] }, own);
    }),
    recordLines(page, { title: 'NOT DEPLOYED', style: 'yellow' }, waiting),
    ...CLASSIFICATIONS.map((classification) => {
      const own = others.filter((finding) => finding.classification === classification);
      const { label, meaning } = CLASSIFICATION_WORDS[classification];
      return recordLines(page, { title: capital(label), style: 'blue', meaning }, own);
    }),
    unreadLines(page),
    ignoredLines(page),
    problemLines(page),
  ];
}

function outcomeLines(page: Page): readonly string[] {
  const { review, width, paint } = page;
  const { failOn, ignored, unread } = review;
  const numbers = driftCounts(review);
  const parts = SEVERITIES.map((severity) => ({
    text: `${numbers[severity]} ${severity}`,
    style: numbers[severity] === 0 ? ('dim' as const) : SEVERITY_STYLE[severity],
  }));
  const { waiting, others } = sortedOut(review);
  const rest = [
    ...(waiting.length > 0 ? [`${waiting.length} not deployed`] : []),
    `${others.length} not drift`,
    `${ignored.length} ignored`,
    ...(unread.length > 0 ? [`${unread.length} not read`] : []),
    ...(failOn === 'low' ? [] : [`fails from ${failOn} on`]),
  ].join(' · ');
  return [
    ...verdictLines(page, review),
    `  ${parts.map(({ text, style: of }) => paint(of, text)).join(' · ')} drift`,
    ...wrapped(rest, width, '  '),
    ...wrapped(coverageText(review), width, '  '),
  ];
}

/** `DRIFT: 9 differences; all 36 records were read`. */
const verdictLines = (
  { width, paint }: Sheet,
  { outcome, summary }: Pick<Review, 'outcome' | 'summary'>,
): readonly string[] =>
  wrapped(`${SHOWN_OUTCOMES[outcome].words.toUpperCase()}: ${oneLine(summary)}`, width, '', '  ').map((line) =>
    paint(['bold', SHOWN_OUTCOMES[outcome].style], line),
  );

/** Right edge of lines with a text at each edge: farther apart, they are not read as one line. */
const EDGE = 120;

const heading = ({ width, paint }: Sheet, words: string, style: TextStyle, rule = '─'): string =>
  paint(
    ['bold', style],
    `${rule}${rule} ${words} ${rule.repeat(Math.max(0, Math.min(width, EDGE) - columnsOf(words) - 4))}`,
  );

/** A heading with the number of items, and the lines of each; nothing without an item. */
const listLines = <T>(
  sheet: Sheet,
  [title, style]: readonly [title: string, style: TextStyle],
  items: readonly T[],
  linesOf: (item: T) => readonly string[],
): readonly string[] =>
  items.length === 0 ? [] : [heading(sheet, `${title} (${items.length})`, style), ...items.flatMap(linesOf)];

/** Left and right at the two edges, or below each other, each in its style. */
function edges(
  { width, paint }: Sheet,
  [left, leftStyle]: readonly [text: string, style?: Parameters<Paint>[0] | ((text: string) => string)],
  [right, rightStyle]: readonly [text: string, style?: TextStyle],
): readonly string[] {
  const room = Math.min(width, EDGE) - columnsOf(right) - 2;
  const leftText = (text: string): string =>
    typeof leftStyle === 'function' ? leftStyle(text) : paint(leftStyle, text);
  if (columnsOf(left) <= room) return [leftText(padded(left, room)) + paint(rightStyle, `  ${right}`)];
  const lines = wrapped(left.trimStart(), width, /^ */.exec(left)?.[0] ?? '', '    ');
  return [...lines.map(leftText), paint(rightStyle, `  ${fitted(right, width - 2)}`)];
}

interface Group {
  readonly title: string;
  readonly style: TextStyle;
  /** What findings that are no drift mean. */
  readonly meaning?: string;
}

/** Findings by record, with all that is known of each. */
function recordLines(
  page: Page,
  { title, style, meaning }: Group,
  findings: readonly DriftFinding[],
): readonly string[] {
  if (findings.length === 0) return [];
  const { review, options, width, paint } = page;
  const isQuiet = meaning === undefined && findings.every((finding) => !countsForOutcome(finding, review.failOn));
  const words = `${title} (${findings.length})${isQuiet ? `: below --fail-on ${review.failOn}` : ''}`;
  // An assembly and its design release have one address, as an environment and its deployment.
  const records = Map.groupBy(findings, ({ kind, address }) => `${kind} ${address}`);
  const blocks = [...records.values()].flatMap((own) => {
    const { kind, address, at } = own[0] as DriftFinding;
    const place = at === undefined ? '' : placeText(at, options);
    return [
      '',
      ...edges(page, [`${oneLine(address)}  ${oneLine(kind)}`, 'bold'], [place, 'cyan']),
      ...own.flatMap((finding, index) => [...(index === 0 ? [] : ['']), ...findingLines(page, finding, at)]),
    ];
  });
  const about = meaning === undefined ? [] : wrapped(meaning, width).map((line) => paint('dim', line));
  return [heading(page, words, style), ...about, ...blocks];
}

function findingLines(page: Page, finding: DriftFinding, recordAt: DriftFinding['at']): readonly string[] {
  const { review, options, width, paint, causes } = page;
  const { id, severity, at } = finding;
  const cause = causes.get(id);
  const attribute = attributeText(finding);
  const isElsewhere = at !== undefined && (at.line !== recordAt?.line || at.file !== recordAt.file);
  const lead = `  ${attribute === undefined ? '' : `${oneLine(attribute)}  `}`;
  const { label } = wordsOf(finding);
  const named = (text: string): string =>
    text.startsWith(lead) ? paint('bold', lead) + paint(SEVERITY_STYLE[severity], text.slice(lead.length)) : text;
  const place = isElsewhere ? `${placeText(at, options)}  ` : '';
  return [
    ...edges(page, [`${lead}${label}`, named], [`${place}${id}`, 'dim']),
    ...knownOf(finding, review).flatMap((fact) => wrapped(fact, width, '    ')),
    ...(cause === undefined ? [] : [`    cause ${cause}`]),
    ...valueLines(finding, page),
    ...stepsOf(finding).flatMap(([word, how]) =>
      wrapped(`${word}: ${oneLine(how)}`, width, '    ', '            ').map((line) => paint('dim', line)),
    ),
  ];
}

function unreadLines(page: Page): readonly string[] {
  const { review, width, paint } = page;
  if (review.unread.length === 0) return [];
  const isNothing = isNothingRead(review);
  const causeOf = (each: Review['unread'][number]): string => (isNothing ? unreadCause(each, true) : unreadCause(each));
  // A reason that several share is written once, below all of them; alone where it is that of all.
  const reasons = [...new Set(review.unread.map(causeOf))];
  const isAll = isNothing && reasons.length === 1;
  return [
    heading(page, `Not read (${review.unread.length})`, 'yellow'),
    ...reasons.flatMap((reason) => [
      ...review.unread
        .filter((each) => !isAll && causeOf(each) === reason)
        .map(({ kind, address }) => paint('bold', `  ${fitted(`${oneLine(address)}  ${oneLine(kind)}`, width - 2)}`)),
      ...wrapped(oneLine(reason), width, isAll ? '  ' : '    '),
    ]),
  ];
}

const ignoredLines = (page: Page): readonly string[] =>
  listLines(page, ['Ignored', 'blue'], page.review.ignored, (each) => [
    ...edges(page, [`  ${subjectText(each.finding)}`], [each.finding.id, 'dim']),
    ...wrapped(ignoredText(each), page.width, '    '),
  ]);

const policyLines = (page: Page): readonly string[] =>
  listLines(page, ['Broken policies', 'yellow'], brokenPolicies(page.review), ({ at, ...each }) => [
    ...wrapped(policyText(each), page.width, '', '  '),
    ...(at === undefined ? [] : [page.paint('cyan', `  ${placeText(at, page.options)}`)]),
  ]);

const problemLines = (page: Page): readonly string[] =>
  listLines(page, ['Rule files', 'yellow'], page.review.problems, ({ severity, message, at }) =>
    wrapped(`${leadOf(at, page.options)}${severity}: ${oneLine(message)}`, page.width, '  ', '    '),
  );

function nextStepLines(page: FleetPage): readonly string[] {
  const steps = nextSteps(page.fleet);
  if (steps.length === 0) return [];
  return [
    heading(page, 'What to do', 'blue'),
    ...steps.flatMap(({ what, command }) => [
      ...wrapped(`${what}${command === undefined ? '' : ':'}`, page.width, '  '),
      ...(command === undefined ? [] : [page.paint('bold', `    ${command}`)]),
    ]),
  ];
}

const INDENT = '    ';
const MOST_LINES = 14;
const MOST_ROWS = 3;

const STYLES: { readonly [is in DifferenceLine['is']]: readonly [sign: string, style: TextStyle | undefined] } = {
  same: [' ', undefined],
  // Not red and green: of a live value nobody says that it is good.
  removed: ['-', 'cyan'],
  added: ['+', 'yellow'],
  skipped: ['…', 'dim'],
};

/** The values of a finding, indented by four, in at most `width` columns. */
function valueLines(finding: DriftFinding, sheet: Sheet): readonly string[] {
  const { width, paint } = sheet;
  const compared = comparedColumns(finding);
  if (compared.before === undefined) return [];
  const columns = compared.columns.map((column) => ({
    ...{ name: column.names.join(', '), text: drawn(column.text), isBefore: column === compared.before },
    style: column === compared.before ? undefined : column === compared.after ? ('yellow' as const) : ('cyan' as const),
  }));
  const room = Math.floor((width - INDENT.length - 2 * (columns.length - 1)) / columns.length);
  if (columns.some(({ text }) => text.includes('\n'))) {
    const [before, ...others] = [...columns].sort((left, right) => Number(right.isBefore) - Number(left.isBefore));
    if (before === undefined) return [];
    if (others.length === 0) return difference(before.text, before.text, sheet);
    return others.flatMap((after) => [
      paint('dim', `${INDENT}${before.name} → ${after.name}`),
      ...difference(before.text, after.text, sheet),
    ]);
  }
  const widths = columns.map(({ text, name }) => Math.max(columnsOf(text), columnsOf(name)));
  if (widths.every((each) => each <= room)) {
    const isEven = widths.map((each) => Math.min(room, Math.max(each, width >= 120 ? 36 : 20)));
    const row = (cell: (column: (typeof columns)[number], width: number) => string): string =>
      INDENT + columns.map((column, index) => cell(column, isEven[index] ?? room)).join('  ');
    return [
      row(({ name }, wide) => paint('dim', padded(name, wide))),
      row(({ text, style }, wide) => paint(style, padded(text, wide))),
    ];
  }
  const label = Math.max(...columns.map(({ name }) => columnsOf(name)));
  return columns.flatMap((column) => {
    const other = columns.find((each) => each !== column)?.text ?? '';
    return rows(column.text, other, width - INDENT.length - label - 2).map((line, row) => {
      const name = paint('dim', padded(row === 0 ? column.name : '', label));
      return `${INDENT}${name}  ${paint(column.style, line)}`;
    });
  });
}

/** A tab has no width of its own, and one that became spaces is a difference to be seen. */
const drawn = (text: string): string => text.replace(/\t/g, text.includes('\n') ? '→ ' : '\\t');

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

/** The row up to its last space if this is in its second half, so that no word is split. */
function rowOf(full: string): string {
  const end = full.lastIndexOf(' ') + 1;
  return end > full.length / 2 ? full.slice(0, end) : full;
}

/** Two texts, line by line. */
function difference(before: string, after: string, { width, paint }: Sheet): readonly string[] {
  const lines = lineDifference(before, after).map(({ is, text }) => {
    const [sign, style] = STYLES[is];
    return INDENT + paint(style, fitted(`${sign} ${text}`, width - INDENT.length));
  });
  return firstOf(lines, MOST_LINES, (rest) => paint('dim', `${INDENT}… ${rest} more lines`));
}

const NAMED = 5;

const causeLines = (page: FleetPage): readonly string[] =>
  listLines(page, ['Causes', 'blue'], page.fleet.causes, (cause) => [
    '',
    ...edges(page, [oneLine(causeTitle(cause)), ['bold', SEVERITY_STYLE[cause.severity]]], [cause.id, 'dim']),
    ...causeFactLines(page, cause),
  ]);

function causeFactLines({ fleet, width }: FleetPage, cause: FleetCause): readonly string[] {
  const names = cause.stacks.map(({ stack }) => oneLine(stack));
  const live = liveText(cause);
  return [
    ...(live === '' ? [] : [`    ${fitted(live, width - 4)}`]),
    ...wrapped(causeHistory(cause, fleet.started + fleet.took), width, '    '),
    ...wrapped(`${stacksOf(cause)}: ${firstOf(names, NAMED).join(', ')}`, width, '    '),
  ];
}

function undeclaredLines(page: FleetPage): readonly string[] {
  const { fleet, width } = page;
  if (fleet.undeclared === undefined && fleet.organizations.length === 0) return [];
  if (fleet.undeclared === undefined)
    return wrapped(
      'Which assemblies no stack declares is not known: not every stack could say what it declares.',
      width,
    );
  return listLines(page, ['Assemblies that no stack declares', 'blue'], fleet.undeclared, ({ address, author }) => {
    const ago = author && agoText(author.when, fleet.started + fleet.took);
    const last = author === undefined ? '' : `  last written by ${whoText(author)}, ${ago}`;
    return [fitted(`  ${oneLine(address)}${last}`, width)];
  });
}

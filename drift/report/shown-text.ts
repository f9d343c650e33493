// Both sides of a finding as texts, for reports that people read. A secret is always replaced by a
// word, whatever else the data contains.
import type { FilePlace } from '../../stack';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { snakeCase } from '../../provider';
import type { DriftFinding, Shown, IgnoredFinding, Review } from '../review/review';

/** Where a value comes from: the file, the state, what the record follows, the service. */
const SIDES = ['code', 'applied', 'expected', 'live'] as const;
type Side = (typeof SIDES)[number];

interface SideText {
  readonly side: Side;
  /** Its name for readers: `live`, `design`, `live in prod`. */
  readonly name: string;
  /** Without characters that steer a terminal or hide; lines are kept. */
  readonly text: string;
  /** `text` is the value, not a word about it. */
  readonly isValue: boolean;
}

/** Longest value that is written on one line though it has members. */
const COMPACT = 60;

/** The sides that took part, in the order of `SIDES`; different values have different texts. */
export function sideTexts(finding: DriftFinding): readonly SideText[] {
  const sides = SIDES.flatMap((side) => {
    const shown = finding[side];
    return shown === undefined ? [] : [{ side, shown }];
  });
  const reference = finding.applied ?? finding.code ?? finding.expected ?? finding.live;
  const spelling = spellingFor(sides.map(({ shown }) => shown));
  return sides.map(({ side, shown }) => ({
    side,
    name: sideName(finding, side),
    text: shown.is === 'value' ? visible(spelling(shown.value)) : wordFor(shown, reference),
    isValue: shown.is === 'value',
  }));
}

/** The names of the sides for a value that is set in an environment alone. */
function sideName({ setIn, expected, recorded }: DriftFinding, side: Side): string {
  if (setIn === undefined || expected === undefined) return side;
  if (side === 'live') return `live in ${oneLine(setIn.environment)}`;
  return side === 'expected' ? (recorded ? 'recorded' : setIn.follows) : side;
}

/** The two sides of a finding: where the value moved from, and where to. */
export function comparedSides(finding: DriftFinding): { readonly from: Side; readonly to: Side } {
  if (finding.classification === 'pending')
    return { from: finding.applied === undefined ? 'live' : 'applied', to: 'code' };
  if (finding.expected !== undefined) return { from: 'expected', to: 'live' };
  return { from: finding.applied === undefined ? 'code' : 'applied', to: 'live' };
}

/** Sides of a finding that say the same. */
export interface Column {
  readonly sides: readonly Side[];
  /** Their names for readers: `['code', 'applied']`. */
  readonly names: readonly string[];
  readonly text: string;
  readonly isValue: boolean;
}

/** The values of a finding, equal ones once: before the change, after it, and all of them. */
export function comparedColumns(finding: DriftFinding): {
  readonly columns: readonly Column[];
  readonly before: Column | undefined;
  readonly after: Column | undefined;
} {
  const byText = new Map<string, Column>();
  for (const { side, name, text, isValue } of sideTexts(finding)) {
    const key = `${isValue} ${text}`;
    const { sides = [], names = [] } = byText.get(key) ?? {};
    byText.set(key, { sides: [...sides, side], names: [...names, name], text, isValue });
  }
  const columns = [...byText.values()];
  const { from, to } = comparedSides(finding);
  const columnOf = (side: Side): Column | undefined => columns.find(({ sides }) => sides.includes(side));
  return { columns, before: columnOf(from) ?? columns[0], after: columnOf(to) };
}

/** A text with control, format and broken characters as `\u001b`; line breaks and tabs stay. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, (found) => (found === '\r\n' ? '\\r\n' : '\\r'))
    .replace(
      /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu,
      (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    );
}

export const oneLine = (text: string): string =>
  visible(text)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\t/g, ' ')
    .trim();

/** A text of at most that many UTF-16 units; what is cut ends in `…`. */
export const clipped = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;

function wordFor(shown: Exclude<Shown, { readonly is: 'value' }>, reference: Shown | undefined): string {
  if (shown.is === 'absent') return '(not set)';
  if (shown.is === 'unknown') return '(known only in a run)';
  if (shown === reference) return 'secret';
  const isSame = reference?.is === 'secret' && shown.digest !== undefined && shown.digest === reference.digest;
  return isSame ? 'secret' : 'secret (changed)';
}

/** One way to write all values of a finding: different values look different, equal ones equal. */
function spellingFor(shown: readonly Shown[]): (value: unknown) => string {
  const values = shown.flatMap((each) => (each.is === 'value' ? [each.value] : []));
  const isLong = values.some((value) => typeof value === 'object' && JSON.stringify(value).length > COMPACT);
  const structure = (value: unknown): string => JSON.stringify(value, null, isLong ? 2 : 0) ?? 'undefined';
  const plain = (value: unknown): string =>
    typeof value === 'string' && value !== '' && (value.trim() === value || value.trim().includes('\n'))
      ? value
      : structure(value);
  const isAmbiguous =
    new Set(values.map((value) => visible(plain(value)))).size <
    new Set(values.map((value) => JSON.stringify(value))).size;
  return isAmbiguous ? structure : plain;
}

/**
 * A line that no pipeline takes for a command. GitHub Actions carries out lines that begin with
 * `::` or contain `##[`. One character is replaced by one that looks alike and has the same width.
 */
export const inert = (line: string): string => line.replace(/^(\s*)::/, '$1⁚:').replaceAll('##[', '#♯[');

/** How to show a review; everything may be left out. */
export interface ReportOptions {
  /** ANSI colours in texts for terminals; default off. */
  readonly colour?: boolean;
  /** Columns of a terminal; default 80, at least 40. */
  readonly width?: number;
  /** Absolute path of the repository: files below it are shown relative to it. */
  readonly root?: string;
  /** Absolute path of the folder of the review, for its relative files; default `root`. */
  readonly folder?: string;
  /** File for findings without a place, in formats that demand one; default `oneops.yaml`. */
  readonly file?: string;
  /** The former text of metrics, which contain the time of the last complete review. */
  readonly earlier?: string;
}

/** A file relative to the repository if it is in it, else as the review names it; with `/`. */
export function filePath(file: string, { root, folder = root }: ReportOptions): string {
  const inFolder = folder === undefined || isAbsolute(file) ? file : resolve(folder, file);
  const below = root === undefined || !isAbsolute(inFolder) ? inFolder : relative(root, inFolder);
  const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return (isOutside ? file : below)
    .split(sep)
    .join('/')
    .replace(/^(\.\/)+(?=[^])/, '');
}

export const placeText = ({ file, line, column }: FilePlace, options: ReportOptions): string =>
  `${oneLine(filePath(file, options))}:${line}:${column}`;

/** The place of a finding, or else the first line of the stack file. */
export const placeOrFile = (at: FilePlace | undefined, { file = 'oneops.yaml' }: ReportOptions): FilePlace =>
  at ?? { file, line: 1, column: 1 };

/** The same before what is at the place; empty where there is none. */
export const leadOf = (at: FilePlace | undefined, options: ReportOptions): string =>
  at === undefined ? '' : `${placeText(at, options)}: `;

/** Why a finding is ignored: `a trial (maria, until 2027-01-31)`. */
export const ignoredText = ({ reason, owner, until }: IgnoredFinding): string =>
  oneLine(`${reason} (${owner}${until === undefined ? '' : `, until ${until}`})`);

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** A text in HTML or XML, also inside quotes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? character);

/** A review whose secrets are words and digests, and whose service names no user. */
export function bareReview(review: Review): Review {
  return {
    ...review,
    service: bareService(review.service),
    findings: review.findings.map(bareFinding),
    ignored: review.ignored.map((each) => ({ ...each, finding: bareFinding(each.finding) })),
  };
}

function bareFinding(finding: DriftFinding): DriftFinding {
  const sides = SIDES.flatMap((side) => {
    const shown = finding[side];
    return shown === undefined ? [] : [[side, bareShown(shown)] as const];
  });
  return { ...finding, ...Object.fromEntries(sides) };
}

const bareShown = (shown: Shown): Shown =>
  shown.is === 'value'
    ? { is: 'value', value: shown.value }
    : { is: shown.is, ...(shown.is === 'secret' && shown.digest !== undefined ? { digest: shown.digest } : {}) };

/** An address without a user and a password in it. */
export const bareService = (address: string): string => address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');

/** The path of an attribute in a YAML file: `exec_cmd` of `execCmd`. Keys of a map stay. */
export function nameInFile(attribute: string): string {
  const [argument = '', ...keys] = attribute.split('.');
  return [snakeCase(argument), ...keys].join('.');
}

/** `prod`, `prod and stage`, `dev, prod and stage`. */
export const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

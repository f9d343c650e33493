// The sides of a finding as texts: how reports for people write a value.
// A secret leaves it as a word, whatever else the data holds.
import type { DriftFinding, Shown } from '../review/review';

/** Where a value comes from: the file, the state, what a record follows where nobody declares anything, the service. */
export const SIDES = ['code', 'applied', 'expected', 'live'] as const;
export type Side = (typeof SIDES)[number];

/** One side of a finding, ready to show. */
export interface SideText {
  readonly side: Side;
  /** What readers call it: `live`, `design`, `live in prod`. */
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

/** Of a value that is set in an environment alone, the sides say whose they are. */
function sideName({ setIn, expected, recorded }: DriftFinding, side: Side): string {
  if (setIn === undefined || expected === undefined) return side;
  if (side === 'live') return `live in ${oneLine(setIn.environment)}`;
  return side === 'expected' ? (recorded ? 'recorded' : setIn.follows) : side;
}

/** What a finding is about: the side it moved from and the side it moved to. */
export function comparedSides(finding: DriftFinding): { readonly from: Side; readonly to: Side } {
  if (finding.classification === 'pending')
    return { from: finding.applied === undefined ? 'live' : 'applied', to: 'code' };
  if (finding.expected !== undefined) return { from: 'expected', to: 'live' };
  return { from: finding.applied === undefined ? 'code' : 'applied', to: 'live' };
}

/** A text in which every character is seen: control, format and broken characters as `\u001b`; line breaks and tabs stay. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, (found) => (found === '\r\n' ? '\\r\n' : '\\r'))
    .replace(
      /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu,
      (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    );
}

/** The same on one line. */
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

/** One way to write all values of a finding, so that what looks different is, and what looks alike is too. */
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
 * A line that a pipeline shows as it is: GitHub Actions carries out a line that begins with `::`, and one with `##[` in it, as a command, and a
 * value of a record may begin a line. One character is replaced by one that looks alike and is as wide.
 */
export const inert = (line: string): string => line.replace(/^(\s*)::/, '$1⁚:').replaceAll('##[', '#♯[');

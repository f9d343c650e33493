// Findings as text for a terminal: place, source line, caret, hint.
// It must not know how anything was found; shows no line that contains a secret.
import stringWidth from 'string-width';
import { explanationOf } from './codes';
import type { Finding } from './finding';

/** How to show findings. */
interface RenderOptions {
  /** ANSI colours; default off. */
  readonly colour?: boolean;
  /** Findings shown in full; default 50, the rest is counted. */
  readonly limit?: number;
  /** Whether each finding says its severity; default true. A log of warnings says it before the text. */
  readonly withSeverity?: boolean;
}

const WIDTH = 120;
const LIMIT = 50;

const CODES = { red: '31', yellow: '33', cyan: '36', bold: '1' } as const;
type Paint = (style: keyof typeof CODES, text: string) => string;

/**
 * `oneops.yaml:7:9: error ONE1101: …` for each finding, in the order given, with its line of the file, a caret line and `hint: …`; a count at the
 * end. The empty text for no findings. `files`: the texts findings point into, by name.
 */
export function renderFindings(
  findings: readonly Finding[],
  files: readonly { readonly name: string; readonly text: string }[],
  { colour = false, limit = LIMIT, withSeverity = true }: RenderOptions = {},
): string {
  if (findings.length === 0) return '';
  const paint: Paint = (style, text) => (colour ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
  const lines = new Map(files.map(({ name, text }) => [name, text.replace(/^\uFEFF/, '').split(/\r?\n/)]));
  const shown = findings
    .slice(0, limit)
    .map((finding) => renderFinding(finding, withSeverity, lines.get(finding.at.file), paint));
  return [...shown, ...moreThan(limit, findings), countLine(findings)].join('\n') + '\n';
}

/** The same findings with one line each, for a list in which nothing else of them has room; one line on what is more than `limit`. */
export const findingLines = (findings: readonly Finding[], limit: number = LIMIT): readonly string[] => [
  ...findings.slice(0, limit).map((finding) => headOf(finding, true, (_, text) => text)),
  ...moreThan(limit, findings),
];

const moreThan = (limit: number, { length }: readonly Finding[]): readonly string[] =>
  length > limit ? [`and ${length - limit} more`] : [];

/** Place, severity, code and message. */
function headOf({ at, severity, code, message }: Finding, withSeverity: boolean, paint: Paint): string {
  const name = [withSeverity ? severity : [], explanationOf(code)?.id ?? []].flat().join(' ');
  const place = paint('bold', `${printable(at.file)}:${at.start.line}:${at.start.column}:`);
  const said = name === '' ? '' : ` ${paint(severity === 'error' ? 'red' : 'yellow', `${name}:`)}`;
  return `${place}${said} ${printable(message)}`;
}

function renderFinding(
  finding: Finding,
  withSeverity: boolean,
  lines: readonly string[] | undefined,
  paint: Paint,
): string {
  const { at, hint, secret, related = [] } = finding;
  const head = headOf(finding, withSeverity, paint);
  const line = secret ? undefined : lines?.[at.start.line - 1];
  const excerpt = line === undefined || line.trim() === '' ? [] : renderExcerpt(line, finding, paint);
  const others = related.map(
    (each) => `  ${paint('cyan', 'see:')} ${printable(placeText(each.at))}: ${printable(each.text)}`,
  );
  return [
    head,
    ...excerpt,
    ...others,
    ...(hint === undefined ? [] : [`  ${paint('cyan', 'hint:')} ${printable(hint)}`]),
  ].join('\n');
}

const placeText = ({ file, start }: Finding['at']): string => `${file}:${start.line}:${start.column}`;

/** The line, cut to a window around the range, and carets below the part of the range that is on it. */
function renderExcerpt(line: string, { at }: Finding, paint: Paint): readonly string[] {
  const start = at.start.column - 1;
  const end =
    at.end.line === at.start.line ? Math.max(at.end.column - 1, start + 1) : Math.max(line.trimEnd().length, start + 1);
  const from = start < WIDTH - 20 ? 0 : start - 20;
  const to = Math.min(line.length, from + WIDTH);
  const before = `${from > 0 ? '…' : ''}${line.slice(from, start)}`;
  const marked = line.slice(start, Math.min(end, to));
  const after = `${line.slice(Math.min(end, to), to)}${to < line.length ? '…' : ''}`;
  const carets = '^'.repeat(Math.max(1, cellsOf(oneColumn(marked))));
  return [
    `  ${oneColumn(before + marked + after)}`,
    `  ${' '.repeat(cellsOf(oneColumn(before)))}${paint('red', carets)}`,
  ];
}

/** How many cells of a terminal a text takes: two for characters of East Asian scripts and pictures, none for marks, which are over a letter. */
const cellsOf = (text: string): number => stringWidth(text.replace(/(?![\ufe0f\u20e3])\p{M}/gu, ''));

/** "2 errors, 1 warning". */
function countLine(findings: readonly Finding[]): string {
  const count = (severity: Finding['severity']): string | undefined => {
    const { length } = findings.filter((finding) => finding.severity === severity);
    return length === 0 ? undefined : `${length} ${severity}${length === 1 ? '' : 's'}`;
  };
  return [count('error'), count('warning')].filter((each) => each !== undefined).join(', ');
}

/** Tabs and control characters as one column each: carets stay under what they mean, and no text steers the terminal. */
const oneColumn = (text: string): string => text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '·');

const printable = (text: string): string => text.replace(/\n/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '·');

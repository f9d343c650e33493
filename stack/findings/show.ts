// Findings as text for a terminal with source line, caret and hint; as JSON; as SARIF 2.1.0; and as
// annotations of GitHub Actions. No line that contains a secret is shown.
import stringWidth from 'string-width';
import { firstOf, plural } from '../../api/errors';
import { explanationOf, EXPLANATIONS } from './codes';
import { rangeText, type SourceFile } from '../yaml/source';
import type { Finding } from './finding';

export const FINDING_FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

/** A place in a file, by its path: columns and lines from 1, the end is not included. */
interface ReportPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly end?: { readonly line: number; readonly column: number };
}

type PathOf = (file: string) => string;

/** Findings with their ids, as JSON. */
export const findingsJson = (findings: readonly Finding[]): string =>
  `${JSON.stringify(
    findings.map((finding) => ({ id: explanationOf(finding.code)?.id, ...finding })),
    null,
    2,
  )}\n`;

/** Findings as one run of SARIF: a rule for each kind, a result at exact characters. */
export function findingsSarif(findings: readonly Finding[], pathOf: PathOf): string {
  const rules = EXPLANATIONS.flatMap(({ explanations }) => explanations);
  return sarifLog([
    {
      tool: {
        driver: {
          name: 'pulumi-oneops check',
          rules: rules.map(({ id, code, meaning }) => ({
            id,
            name: code,
            shortDescription: { text: code.replaceAll('-', ' ') },
            fullDescription: { text: meaning },
            help: { text: `${meaning} Examples: pulumi-oneops explain ${id}` },
          })),
        },
      },
      automationDetails: { id: 'pulumi-oneops/check/' },
      columnKind: 'utf16CodeUnits',
      results: findings.map((finding) => ({
        ruleId: explanationOf(finding.code)?.id ?? finding.code,
        level: finding.severity,
        message: { text: textOf(finding, pathOf) },
        locations: [sarifLocation(placeOf(finding, pathOf))],
      })),
    },
  ]);
}

/** Runs of tools as SARIF 2.1.0. */
export const sarifLog = (runs: readonly object[]): string =>
  `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs }, null, 2)}\n`;

/** Findings as workflow commands, one a line. */
export const findingsGithub = (findings: readonly Finding[], pathOf: PathOf): string =>
  findings
    .map((finding) => {
      const title = explanationOf(finding.code)?.id ?? finding.code;
      return `${workflowCommand(finding.severity, title, textOf(finding, pathOf), placeOf(finding, pathOf))}\n`;
    })
    .join('');

const textOf = ({ message, related = [], hint }: Finding, pathOf: PathOf): string =>
  withoutControl(
    [
      message,
      ...related.map(({ at, text }) => `see: ${rangeText({ ...at, file: pathOf(at.file) })}: ${text}`),
      ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ].join('\n'),
  );

const placeOf = ({ at }: Finding, pathOf: PathOf): ReportPlace => ({
  path: withoutControl(pathOf(at.file)),
  line: at.start.line,
  column: at.start.column,
  end: at.end,
});

const withoutControl = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu, '·');

/** A place as SARIF writes it. The path is printable: relative to the repository, or absolute. */
export function sarifLocation({ path, line, column, end }: ReportPlace): { readonly physicalLocation: object } {
  // An absolute path is a complete URI; `C:` must not be read as a scheme.
  const isAbsolute = path.startsWith('/') || /^[a-z]:\//i.test(path);
  const parts = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  const uri = isAbsolute
    ? `file://${parts.startsWith('/') ? '' : '/'}${parts}`
    : parts.replace(/^[^/]*:/, encodeURIComponent);
  return {
    physicalLocation: {
      artifactLocation: isAbsolute ? { uri } : { uri, uriBaseId: '%SRCROOT%' },
      region: {
        startLine: Math.max(1, line),
        startColumn: Math.max(1, column),
        ...(end ? { endLine: end.line, endColumn: end.column } : {}),
      },
    },
  };
}

/** A command of a GitHub workflow that annotates a place; title and text are printable. */
function workflowCommand(
  level: Finding['severity'],
  title: string,
  text: string,
  { path, line, column, end }: ReportPlace,
): string {
  const at = [
    `file=${property(path)}`,
    `line=${line}`,
    ...(end && end.line !== line ? [`endLine=${end.line}`] : []),
    `col=${column}`,
    ...(end && end.line === line ? [`endColumn=${end.column}`] : []),
  ];
  return `::${level} ${[...at, `title=${property(title)}`].join(',')}::${data(text)}`;
}

const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

interface RenderOptions {
  /** ANSI colours; default off. */
  readonly colour?: boolean;
  /** Whether each finding says its severity, which a log says itself. Default: true. */
  readonly withSeverity?: boolean;
}

const WIDTH = 120;
/** Findings that are shown; the rest is counted. */
const LIMIT = 50;

const CODES = { red: '31', yellow: '33', cyan: '36', bold: '1' } as const;
type Paint = (style: keyof typeof CODES, text: string) => string;

/**
 * `oneops.yaml:7:9: error ONE1101: …` for each finding, in the order given, with its line of the
 * file, a caret line and `hint: …`; a count at the end. The empty text for no findings. `files`:
 * the texts findings point into, by name.
 */
export function renderFindings(
  findings: readonly Finding[],
  files: readonly SourceFile[],
  { colour = false, withSeverity = true }: RenderOptions = {},
): string {
  if (findings.length === 0) return '';
  const paint: Paint = (style, text) => (colour ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
  const lines = new Map(files.map(({ name, text }) => [name, text.replace(/^\uFEFF/, '').split(/\r?\n/)]));
  const shown = findings.map((finding) => renderFinding(finding, withSeverity, lines.get(finding.at.file), paint));
  return [...firstOf(shown, LIMIT), countLine(findings)].join('\n') + '\n';
}

/** The first findings with one line each, and one line on the others. */
export const findingLines = (findings: readonly Finding[]): readonly string[] =>
  firstOf(
    findings.map((finding) => headOf(finding, true, (_, text) => text)),
    LIMIT,
  );

function headOf({ at, severity, code, message }: Finding, withSeverity: boolean, paint: Paint): string {
  const name = [withSeverity ? severity : [], explanationOf(code)?.id ?? []].flat().join(' ');
  const place = paint('bold', `${oneColumn(rangeText(at))}:`);
  const said = name === '' ? '' : ` ${paint(severity === 'error' ? 'red' : 'yellow', `${name}:`)}`;
  return `${place}${said} ${oneColumn(message)}`;
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
    (each) => `  ${paint('cyan', 'see:')} ${oneColumn(rangeText(each.at))}: ${oneColumn(each.text)}`,
  );
  return [
    head,
    ...excerpt,
    ...others,
    ...(hint === undefined ? [] : [`  ${paint('cyan', 'hint:')} ${oneColumn(hint)}`]),
  ].join('\n');
}

/** The line, cut to a window around the range, with carets below the range. */
function renderExcerpt(line: string, { at }: Finding, paint: Paint): readonly string[] {
  const start = at.start.column - 1;
  const end =
    at.end.line === at.start.line ? Math.max(at.end.column - 1, start + 1) : Math.max(line.trimEnd().length, start + 1);
  const from = start < WIDTH - 20 ? 0 : start - 20;
  const to = Math.min(line.length, from + WIDTH);
  const before = `${from > 0 ? '…' : ''}${line.slice(from, start)}`;
  const marked = line.slice(start, Math.min(end, to));
  const after = `${line.slice(Math.min(end, to), to)}${to < line.length ? '…' : ''}`;
  const carets = '^'.repeat(Math.max(1, columnsOf(oneColumn(marked))));
  return [
    `  ${oneColumn(before + marked + after)}`,
    `  ${' '.repeat(columnsOf(oneColumn(before)))}${paint('red', carets)}`,
  ];
}

/** Columns of a text in a terminal. The library gives marks over a letter a column of their own. */
export const columnsOf = (text: string): number => stringWidth(text.replace(/(?![\ufe0f\u20e3])\p{M}/gu, ''));

/** "2 errors, 1 warning". */
function countLine(findings: readonly Finding[]): string {
  const count = (severity: Finding['severity']): string | undefined => {
    const { length } = findings.filter((finding) => finding.severity === severity);
    return length === 0 ? undefined : plural(length, severity);
  };
  return [count('error'), count('warning')].filter((each) => each !== undefined).join(', ');
}

/** Tabs, line breaks and control characters as one column: carets fit, and no text steers the terminal. */
const oneColumn = (text: string): string => text.replace(/[\t\n]/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '·');

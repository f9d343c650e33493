// Findings for programs: JSON, SARIF 2.1.0 for code scanning, and annotations of GitHub Actions.
// It must not know how anything was found; shows no line of a file.
import { EXPLANATIONS, explanationOf } from './codes';
import type { Finding } from './finding';

/** Forms in which findings are shown. */
export const FINDING_FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

/** The form that a word names; undefined for any other word. */
export const findingFormat = (word: string): FindingFormat | undefined => FINDING_FORMATS.find((each) => each === word);

/** A place in a file for reports, by its path: columns and lines from 1, the end is not included. */
interface ReportPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly end?: { readonly line: number; readonly column: number };
}

/** Path of a file as a report shows it. */
type PathOf = (file: string) => string;

/** Findings with their ids, as JSON. */
export const findingsJson = (findings: readonly Finding[]): string =>
  `${JSON.stringify(
    findings.map((finding) => ({ ...idOf(finding), ...finding })),
    null,
    2,
  )}\n`;

const idOf = ({ code }: Finding): { readonly id?: string } => {
  const id = explanationOf(code)?.id;
  return id === undefined ? {} : { id };
};

/** Findings as one run of SARIF: a rule for each kind of finding, a result at the exact characters. */
export function findingsSarif(findings: readonly Finding[], pathOf: PathOf): string {
  const rules = EXPLANATIONS.flatMap(({ explanations }) => explanations);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
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
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

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
      ...related.map(({ at, text }) => `see: ${pathOf(at.file)}:${at.start.line}:${at.start.column}: ${text}`),
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

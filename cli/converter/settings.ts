// What became of the settings of an old file, as diagnostics: those that are changed or left behind, up to a number, and a count of all.
// It must not know the old formats.
import type { Diagnostic } from '@pulumi/pulumi/proto/codegen/hcl_pb';
import { engineDiagnostic } from '../../provider/faces/engine';
import { countLine, explanationOf, type Converted } from '../../stack';
import { REPORT_FILE } from '../convert/old-file';

type Account = Converted['accounts'][number];

/** Settings that are reported one by one: nobody reads more of them on a terminal. */
const MOST = 50;

/** A warning for each setting that is left behind or changed, in this order, and at the start of the file the count of all. */
export function settingDiagnostics({ accounts, files }: Converted): readonly Diagnostic[] {
  const [file] = files;
  if (file === undefined || accounts.length === 0) return [];
  const became = (outcome: Account['outcome']): readonly Account[] =>
    accounts.filter((account) => account.outcome === outcome);
  const notable = [...became('left behind'), ...became('changed')];
  const more = notable.length - MOST;
  return [
    ...notable.slice(0, MOST).map((account) => warning(account, summaryOf(account), account.note ?? '', files)),
    warning(
      { file: file.name, line: 1, column: 1 },
      countLine(accounts),
      `${more > 0 ? `${more} more are in ${REPORT_FILE}, which has` : `${REPORT_FILE} has`} a line for each setting`,
      files,
    ),
  ];
}

const summaryOf = ({ code, setting, outcome }: Account): string =>
  `${explanationOf(code)?.id ?? code} ${setting} is ${outcome}`;

function warning(
  { file, line, column }: Pick<Account, 'file' | 'line' | 'column'>,
  summary: string,
  detail: string,
  files: Converted['files'],
): Diagnostic {
  const before =
    files
      .find(({ name }) => name === file)
      ?.text.split('\n')
      .slice(0, line - 1) ?? [];
  const start = { line, column, offset: before.join('\n').length + (line > 1 ? 1 : 0) + column - 1 };
  return engineDiagnostic({ isError: false, summary, detail, at: { file, start, end: start } });
}

// Which reports a review writes, and where.
import { existsSync } from 'node:fs';
import {
  asFleet,
  FORMATS,
  isPolicyAlone,
  renderReview,
  type Fleet,
  type Format,
  type Outcome,
  type ReportOptions,
  type Review,
} from '../../../drift';
import { knownWord } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { repositoryOf, textFrom } from '../../here/project';
import { replaceFile } from '../../here/replace-file';
import { columnsOn, isColourful } from '../../here/terminal';

export interface WantedReport {
  readonly format: Format;
  /** Undefined: the standard output. */
  readonly file: string | undefined;
}

/** The reports that options ask for, and text unless one is printed. Throws UsageError. */
export function reportsOf({
  report,
  json,
}: {
  readonly report: readonly string[];
  readonly json: boolean;
}): readonly WantedReport[] {
  const reports = [...(json ? ['json'] : []), ...report].map((word) => {
    const [format = '', ...rest] = word.split('=');
    return { format: knownWord('--report', FORMATS, format), file: rest.length === 0 ? undefined : rest.join('=') };
  });
  const nameless = reports.find(({ file }) => file === '');
  if (nameless) throw new UsageError(`--report ${nameless.format}= names no file`);
  const [, second] = reports.filter(({ file }) => file === undefined);
  if (second) throw new UsageError(`only one report goes to the standard output: --report ${second.format}=FILE`);
  const isShown = reports.some(({ file }) => file === undefined);
  // A report that cannot be written must not prevent the report on the terminal.
  return isShown
    ? [...reports].sort((left) => (left.file === undefined ? -1 : 1))
    : [{ format: 'text', file: undefined }, ...reports];
}

/** Formats whose readers know files by their place in the repository. */
const OF_REPOSITORY: readonly string[] = ['sarif', 'markdown'] satisfies readonly Format[];

/** Writes all reports. Throws Error, when everything else is written, for what cannot be. */
export function show(reports: readonly WantedReport[], review: Review | Fleet, more: ReportOptions = {}): void {
  const colour = isColourful(process.stdout);
  const failures: string[] = [];
  for (const { format, file } of reports) {
    const text = renderReview(format, review, {
      ...more,
      root: OF_REPOSITORY.includes(format) ? repositoryOf(process.cwd()) : process.cwd(),
      folder: process.cwd(),
      ...(file === undefined ? { colour, width: columnsOn(process.stdout) } : {}),
      ...(format === 'prometheus' && file !== undefined && existsSync(file) ? { earlier: textFrom(file) } : {}),
    });
    if (file === undefined) process.stdout.write(text);
    else
      try {
        replaceFile(file, text);
      } catch (error) {
        failures.push(`cannot write ${file}: ${String((error as NodeJS.ErrnoException).code)}`);
      }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

export const isOnTerminal = ({ format, file }: WantedReport): boolean => format === 'text' && file === undefined;

const CODES: { readonly [outcome in Outcome]: number } = {
  'in-sync': EXIT.done,
  'not-deployed': EXIT.differs,
  drift: EXIT.differs,
  incomplete: EXIT.inPart,
  refused: EXIT.inPart,
};

/** The exit code: a refused token comes first, then a difference, then a broken policy. */
export function reviewCodeOf(review: Review | Fleet): number {
  const { outcome, stacks } = asFleet(review);
  if (stacks.some(({ authentication }) => authentication)) return EXIT.notLetIn;
  const counting = stacks.filter((stack) => stack.outcome === 'drift' || stack.outcome === 'not-deployed');
  const isPolicy = outcome === 'drift' && counting.every((stack) => stack.review && isPolicyAlone(stack.review));
  return isPolicy ? EXIT.policy : CODES[outcome];
}

export const isOpenWork = ({ outcome }: Pick<Review, 'outcome'>): boolean =>
  ['drift', 'not-deployed', 'incomplete'].includes(outcome);

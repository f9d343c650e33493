// `pulumi-oneops drift` without a decision: makes a review, shows it, and says by its exit code what came of it.
import { existsSync } from 'node:fs';
import {
  EXIT_CODES,
  exitCodeOf,
  FORMATS,
  lastSuccessOf,
  addToHistory,
  renderReview,
  reviewStack,
  SEVERITIES,
  type Format,
  type Review,
} from '../../../drift';
import { judgeRecords, liveRecords, type PolicyViolation } from '../../../policy';
import { parseWords, Unauthorized, UsageError, type Command } from '../../command';
import { POLICIES_OPTION, policiesHere } from '../../policies';
import { repositoryOf } from '../../project';
import { SETTINGS_HELP } from '../../settings';
import { replaceFile } from '../../replace-file';
import { openReview, SOURCE_HELP, SOURCE_OPTIONS, textIn, type OpenedReview } from './sources';

const HELP = `usage: pulumi-oneops drift [FILE] [options]

Compares a stack file (default: the one of the project in this folder), the Pulumi state of its stack, and the records in the service.
Reports every difference: who made it, when, and on which line of the file it is declared. Sends only GETs.

${SETTINGS_HELP}
${SOURCE_HELP}
  --fail-on SEVERITY    lowest severity that counts: ${SEVERITIES.join(', ')}; default low
  --exit-codes WORDS    whose exit codes: ${EXIT_CODES.join(', ')}; default oneops
  --report FORMAT=FILE  writes a report; can be repeated; without =FILE to the standard output
                        formats: ${FORMATS.join(', ')}
  --json                the same as --report json
  --baseline FILE       leaves out what drift baseline saved in it, until its value changes again
  --history FILE        records since when each difference has been seen
  --policies FILE       policies that the records in the service are held to;
                        default: policies.yaml in this folder, if it exists

exit codes: 0 nothing counts, 1 wrong use, 2 drift, or a mandatory policy is broken, 3 not everything could be read, 4 the token is missing or refused,
5 so many records are gone at once that a wrong setting or a failure is more likely`;

const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...POLICIES_OPTION,
  'fail-on': { type: 'string', default: 'low' },
  'exit-codes': { type: 'string', default: 'oneops' },
  report: { type: 'string', multiple: true, default: [] as string[] },
  json: { type: 'boolean', default: false },
  baseline: { type: 'string' },
  history: { type: 'string' },
} as const;

/** The review. */
export const reviewCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 1) throw new UsageError('drift takes one file');
    const failOn = oneOf('--fail-on', SEVERITIES, values['fail-on']);
    const codes = oneOf('--exit-codes', EXIT_CODES, values['exit-codes']);
    const reports = reportsOf(values.json ? ['json', ...values.report] : values.report);
    const baseline = values.baseline === undefined ? undefined : textIn(values.baseline);
    try {
      const opened = await openReview(values, positionals[0]);
      try {
        const review = await reviewStack({ ...opened, failOn, baseline, ...progress() });
        show(values.history === undefined ? review : remembered(values.history, review), reports, opened.file);
        const isBroken = showPolicies(judgedReview(review, opened, values), reports);
        return exitCodeOf(isBroken && review.outcome === 'in-sync' ? 'drift' : review.outcome, codes);
      } finally {
        opened.api.close();
      }
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      process.stderr.write(`pulumi-oneops: ${error.message}\n`);
      return exitCodeOf('authentication', codes);
    }
  },
};

/** What the records in the service break of the policies of this folder. */
function judgedReview(
  review: Review,
  { code, state }: OpenedReview,
  { policies, stack }: { readonly policies?: string | undefined; readonly stack?: string | undefined },
): readonly PolicyViolation[] {
  const entries = policiesHere(policies);
  const records = liveRecords((code ?? state)?.records ?? [], review);
  return judgeRecords(entries, records, { stack: stack?.split('/').at(-1) ?? state?.stack });
}

/** One line each, beside a report on the standard output that is no text. Returns whether a mandatory policy is broken. */
function showPolicies(violations: readonly PolicyViolation[], reports: readonly Report[]): boolean {
  const isText = reports.some(({ format, file }) => format === 'text' && file === undefined);
  const lines = violations.map(({ level, policy, message }) => `policy ${policy} (${level}): ${message}\n`);
  (isText ? process.stdout : process.stderr).write(lines.join(''));
  return violations.some(({ level }) => level === 'mandatory');
}

function oneOf<const W extends string>(option: string, known: readonly W[], word: string): W {
  const found = known.find((each) => each === word);
  if (found === undefined)
    throw new UsageError(`${option} takes one of ${known.join(', ')}, not ${JSON.stringify(word)}`);
  return found;
}

interface Report {
  readonly format: Format;
  /** Undefined: the standard output. */
  readonly file: string | undefined;
}

function reportsOf(words: readonly string[]): readonly Report[] {
  const reports = words.map((word) => {
    const [format = '', ...rest] = word.split('=');
    return { format: oneOf('--report', FORMATS, format), file: rest.length === 0 ? undefined : rest.join('=') };
  });
  const nameless = reports.find(({ file }) => file === '');
  if (nameless) throw new UsageError(`--report ${nameless.format}= names no file`);
  const [, second] = reports.filter(({ file }) => file === undefined);
  if (second) throw new UsageError(`only one report goes to the standard output: --report ${second.format}=FILE`);
  const isTold = reports.some(({ file }) => file === undefined);
  // A report that cannot be written must not prevent the report on the terminal.
  return isTold
    ? [...reports].sort((left) => (left.file === undefined ? -1 : 1))
    : [{ format: 'text', file: undefined }, ...reports];
}

/** Formats whose readers know files by their place in the repository, wherever in it the command runs. */
const OF_REPOSITORY: readonly Format[] = ['sarif', 'gitlab', 'github', 'markdown'];

/** Throws Error, when everything else is written, for what cannot be. `place`: the stack's file, where a format demands one and the finding has none. */
function show(review: Review, reports: readonly Report[], place: string | undefined): void {
  const colour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
  const failures: string[] = [];
  for (const { format, file } of reports) {
    const hasPast = format === 'prometheus' && file !== undefined && existsSync(file);
    const lastSuccess = hasPast ? lastSuccessOf(textIn(file).text, review) : undefined;
    const text = renderReview(format, review, {
      root: OF_REPOSITORY.includes(format) ? repositoryOf(process.cwd()) : process.cwd(),
      folder: process.cwd(),
      ...(place === undefined ? {} : { file: place }),
      ...(file === undefined ? { colour, ...(process.stdout.isTTY ? { width: process.stdout.columns } : {}) } : {}),
      ...(lastSuccess === undefined ? {} : { lastSuccess }),
    });
    if (file === undefined) process.stdout.write(text);
    else failures.push(...written(file, text));
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** Writes a file; what hinders it, if anything. */
function written(file: string, text: string): readonly string[] {
  try {
    replaceFile(file, text);
    return [];
  } catch (error) {
    return [`cannot write ${file}: ${String((error as NodeJS.ErrnoException).code)}`];
  }
}

/** The review with the past of its findings, which is written back. */
function remembered(file: string, review: Review): Review {
  const { text, review: told } = addToHistory(existsSync(file) ? textIn(file) : undefined, review);
  replaceFile(file, text);
  return told;
}

/** One line that is written over, on a terminal only. */
function progress(): { readonly progress?: (done: number, all: number) => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return {};
  return {
    progress: (done, all) => {
      stderr.write(done === all ? '\r\u001b[K' : `\r\u001b[K${done} of ${all} records read`);
    },
  };
}

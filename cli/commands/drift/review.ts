// `pulumi-oneops drift` without a decision: makes a review, shows it, and says by its exit code what came of it.
// It must not know how differences are found.
import { existsSync } from 'node:fs';
import {
  EXIT_CODES,
  exitCodeOf,
  FORMATS,
  lastSuccessOf,
  remember,
  renderReview,
  reviewStack,
  SEVERITIES,
  type Format,
  type Review,
} from '../../../drift';
import { parseWords, UsageError, type Command } from '../../command';
import { SETTINGS_HELP } from '../../settings';
import { replaceFile } from './replace-file';
import { NoToken, openReview, SOURCE_HELP, SOURCE_OPTIONS, textIn } from './sources';

const HELP = `usage: pulumi-oneops drift [FILE] [options]

Compares a stack file (default: the one of the project in this folder), the Pulumi state of its stack, and what stands on the service,
and tells every difference: who made it, when, and where it stands in the file. Sends nothing but GETs.

${SETTINGS_HELP}
${SOURCE_HELP}
  --fail-on SEVERITY    least severity that counts: ${SEVERITIES.join(', ')}; default low
  --exit-codes WORDS    whose exit codes: ${EXIT_CODES.join(', ')}; default oneops
  --report FORMAT=FILE  writes a report; several may be given; without =FILE to the standard output
                        formats: ${FORMATS.join(', ')}
  --json                the same as --report json
  --baseline FILE       keeps out what a baseline holds and what did not move since
  --history FILE        remembers since when each difference is seen

exit codes: 0 nothing counts, 1 wrong use, 2 drift, 3 not everything could be read, 4 the token is missing or refused,
5 so much is gone at once that it is taken for trouble`;

/** The review. */
export const reviewCommand: Command = {
  help: HELP,
  async run(words) {
    const { values, positionals } = parseWords(words, {
      ...SOURCE_OPTIONS,
      'fail-on': { type: 'string', default: 'low' },
      'exit-codes': { type: 'string', default: 'oneops' },
      report: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      history: { type: 'string' },
    });
    if (positionals.length > 1) throw new UsageError('drift takes one file');
    const failOn = oneOf('--fail-on', SEVERITIES, values['fail-on']);
    const codes = oneOf('--exit-codes', EXIT_CODES, values['exit-codes']);
    const reports = reportsOf(values.json ? ['json', ...values.report] : values.report);
    const baseline = values.baseline === undefined ? undefined : textIn(values.baseline);
    try {
      const opened = await openReview(values, positionals[0]);
      try {
        const review = await reviewStack({ ...opened, baseline, failOn, ...progress() });
        show(values.history === undefined ? review : remembered(values.history, review), reports);
        return exitCodeOf(review.outcome, codes);
      } finally {
        opened.api.close();
      }
    } catch (error) {
      if (!(error instanceof NoToken)) throw error;
      process.stderr.write(`pulumi-oneops: ${error.message}\n`);
      return exitCodeOf('authentication', codes);
    }
  },
};

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
  return reports.some(({ file }) => file === undefined) ? reports : [{ format: 'text', file: undefined }, ...reports];
}

function show(review: Review, reports: readonly Report[]): void {
  const colour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
  for (const { format, file } of reports) {
    const before = file !== undefined && existsSync(file) ? textIn(file).text : undefined;
    const lastSuccess = format === 'prometheus' && before !== undefined ? lastSuccessOf(before, review) : undefined;
    const text = renderReview(format, review, {
      root: process.cwd(),
      ...(file === undefined ? { colour, ...(process.stdout.isTTY ? { width: process.stdout.columns } : {}) } : {}),
      ...(lastSuccess === undefined ? {} : { lastSuccess }),
    });
    if (file === undefined) process.stdout.write(text);
    else replaceFile(file, text);
  }
}

/** The review with the past of its findings, which is written back. */
function remembered(file: string, review: Review): Review {
  const { text, review: told } = remember(existsSync(file) ? textIn(file) : undefined, review);
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

// `pulumi-oneops drift` without a decision: makes a review, shows it, and says by its exit code what came of it.
import { existsSync } from 'node:fs';
import {
  causesOf,
  exitCodeOf,
  NOT_LET_IN,
  wasLetIn,
  FORMATS,
  lastSuccessOf,
  addToHistory,
  policyText,
  renderReview,
  reviewStack,
  SEVERITIES,
  type Format,
  type ReportOptions,
  type Review,
  type Severity,
} from '../../../drift';
import { parseWords, Unauthorized, UsageError, type Command } from '../../command';
import { FLEET_HELP, FLEET_OPTIONS, fleetReview, isFleet } from './fleet';
import { reviewHeldTo } from './held-to';
import { POLICIES_OPTION, policiesHere } from '../../policies';
import { SETTINGS_HELP } from '../../settings';
import { replaceFile } from '../../replace-file';
import { decideOn, terminalHere } from './decide';
import { isOnTerminal, knownWord, reportsOf, show, type WantedReport } from './reports';
import { openReview, SOURCE_HELP, SOURCE_OPTIONS, textIn, type OpenedReview } from './sources';

const HELP = `usage: pulumi-oneops drift [FILE] [options]
       pulumi-oneops drift --all FOLDERS | --backend [options]

Compares a stack file (default: the one of the project in this folder), the Pulumi state of its stack, and the records in the service.
Reports every difference: who made it, when, and on which line of the file it is declared. Sends only GETs.

${SETTINGS_HELP}
${SOURCE_HELP}
${FLEET_HELP}
  --fail-on SEVERITY    lowest severity that counts: ${SEVERITIES.join(', ')}; default low
  --report FORMAT=FILE  writes a report; can be repeated; without =FILE to the standard output;
                        formats: ${FORMATS.join(', ')}
  --json                the same as --report json
  --history FILE        records since when each difference has been seen
  --no-prompt           asks for no decisions. On a terminal, a review otherwise
                        ends with a list: accept, revert or ignore each finding,
                        or all findings of a cause
  --policies FILE       policies that the records in the service must keep;
                        default: policies.yaml in this folder, if it exists;
                        in a fleet, policies.yaml in the folder of each stack

exit codes: 0 in sync, 1 wrong use, 2 drift, not deployed, or a mandatory policy is broken, 4 the token is missing or refused,
6 not everything could be read, or so much is missing that a wrong setting or a failure is more likely`;

const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...POLICIES_OPTION,
  ...FLEET_OPTIONS,
  'fail-on': { type: 'string', default: 'low' },
  report: { type: 'string', multiple: true, default: [] as string[] },
  json: { type: 'boolean', default: false },
  history: { type: 'string' },
  'no-prompt': { type: 'boolean', default: false },
} as const;

/** The review. */
export const reviewCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 1) throw new UsageError('drift takes one file');
    const failOn = knownWord('--fail-on', SEVERITIES, values['fail-on']);
    if (isFleet(values)) return fleetReview({ ...values, failOn, file: positionals[0] });
    const reports = reportsOf(values, FORMATS);
    try {
      const prompts = !values['no-prompt'] && reports.some(isOnTerminal);
      const { history } = values;
      const wanted = { values, file: positionals[0], failOn, history, reports, prompts };
      return await reviewed(wanted);
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      process.stderr.write(`pulumi-oneops: ${error.message}\n`);
      return NOT_LET_IN;
    }
  },
};

/** The stack's file, where a format demands one and the finding has none. */
const fileOf = ({ file }: OpenedReview): ReportOptions => (file === undefined ? {} : { file });

/** Metrics keep the time of the last complete review. */
function rendered(review: Review, { format, file }: WantedReport<Format>, options: ReportOptions): string {
  const hasPast = format === 'prometheus' && file !== undefined && existsSync(file);
  const lastSuccess = hasPast ? lastSuccessOf(textIn(file).text, review) : undefined;
  return renderReview(format, review, { ...options, ...(lastSuccess === undefined ? {} : { lastSuccess }) });
}

/** How a review is made and shown. */
interface Wanted {
  readonly values: ReturnType<typeof parseWords<typeof OPTIONS>>['values'];
  readonly file: string | undefined;
  readonly failOn: Severity;
  readonly history: string | undefined;
  readonly reports: readonly WantedReport<Format>[];
  /** Whether a person on a terminal is asked for decisions. */
  readonly prompts: boolean;
}

/** Makes a review and shows it. If a person then decides on it, makes and shows another one, which counts. Returns the exit code. */
async function reviewed(wanted: Wanted): Promise<number> {
  const { values, file, failOn, history, reports, prompts } = wanted;
  const policies = policiesHere(values.policies);
  const opened = await openReview(values, file);
  try {
    const review = await reviewStack({ ...opened, failOn, ...progress() });
    const held = reviewHeldTo(policies, review, opened, values.stack);
    const shown = history === undefined ? held : remembered(history, held);
    show(reports, (report, options) => rendered(shown, report, { ...options, ...fileOf(opened) }));
    tellPolicies(held, reports);
    const code = wasLetIn(held) ? exitCodeOf(held.outcome) : NOT_LET_IN;
    const terminal =
      prompts && ['drift', 'not-deployed', 'incomplete'].includes(review.outcome) ? terminalHere() : undefined;
    if (terminal === undefined) return code;
    const files = file === undefined ? [] : [file];
    const open = (): Promise<OpenedReview> => Promise.resolve(opened);
    const stack = { name: undefined, folder: '.', review, files, rules: values.rules, open };
    const decided = await decideOn([stack], causesOf([{ stack: '', review }]), terminal);
    if (decided === 'nothing') return code;
    const again = { history: undefined, reports: reports.filter(isOnTerminal), prompts: false };
    const next = await reviewed({ ...wanted, ...again });
    return decided === 'failed' ? exitCodeOf('incomplete') : next;
  } finally {
    opened.api.close();
  }
}

/** One line for each broken policy next to a report on the standard output that is no text; the text contains them. */
function tellPolicies({ policies = [] }: Review, reports: readonly WantedReport<Format>[]): void {
  if (reports.some(isOnTerminal)) return;
  process.stderr.write(policies.map((each) => `${policyText(each)}\n`).join(''));
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

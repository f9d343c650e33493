// `pulumi-oneops drift`: makes a review, shows it, and says by its exit code what came of it. The
// decisions on what it found are each its own command.
import { existsSync } from 'node:fs';
import { causesOf, addToHistory, policyText, reviewStack, SEVERITIES, type Review } from '../../../drift';
import { commandOf, entry, groupOf, knownWord } from '../../command';
import { EXIT } from '../../exit';
import { fleetReview, isFleet, REVIEW_OPTIONS, type ReviewWords } from './fleet';
import { reviewHeldTo, withReview, textIn, type OpenedReview } from './sources';
import { policiesHere } from '../../here/policies';
import { replaceFile } from '../../here/replace-file';
import { decideOn, terminalHere } from './decide';
import { isOnTerminal, isOpenWork, reportsOf, reviewCodeOf, show, type WantedReport } from './reports';

const reviewCommand = commandOf({
  usage: ['drift [FILE] [options]', 'drift --all FOLDERS | --backend [options]'],
  about: `Compares a stack file (default: the one of the project in this folder), the Pulumi state of its stack,
and the records in the service. Reports every difference: who made it, when, and on which line of the
file it is declared. Sends only GETs.`,
  options: REVIEW_OPTIONS,
  exits: {
    done: 'in sync',
    differs: 'drift, or not deployed',
    policy: 'in sync, but a mandatory policy is broken',
    inPart: `not everything could be read, or so much is missing that a wrong setting or a failure is more
      likely`,
  },
  most: 1,
  async run({ values, positionals: [file] }) {
    const words = { ...values, failOn: knownWord('--fail-on', SEVERITIES, values['fail-on']), file };
    return isFleet(values) ? fleetReview(words) : reviewed(words, reportsOf(values));
  },
});

/** The drift command: `review` is what `drift` alone means. */
export const command = groupOf('drift', {
  ...reviewCommand,
  commands: [
    entry('accept', 'write the live value into the file', async () => (await import('./accept.js')).command),
    entry(
      'revert',
      'restore the declared value of a finding in the service',
      async () => (await import('./revert.js')).command,
    ),
    entry(
      'ignore',
      'leave a finding out of reviews, with a reason and an owner',
      async () => (await import('./ignore.js')).command,
    ),
    entry(
      'record',
      'write undeclared values of environments to drift.yaml, so that reviews expect them',
      async () => (await import('./record.js')).command,
    ),
    entry('merge', 'join the shards of the review of a fleet', async () => (await import('./merge.js')).command),
    entry('diff', 'compare two saved reviews', async () => (await import('./diff.js')).command),
  ],
});

/** Makes and shows a review, and another one after decisions. Returns its exit code. */
async function reviewed(words: ReviewWords, reports: readonly WantedReport[]): Promise<number> {
  const { file, failOn, history } = words;
  const policies = policiesHere(words.policies);
  return withReview(words, file, async (opened) => {
    const review = await reviewStack({ ...opened, failOn, ...progress() });
    const held = reviewHeldTo(policies, review, opened, words.stack);
    const shown = history === undefined ? held : remembered(history, held);
    // The file of the stack stands for findings without a place, where a format demands one.
    show(reports, shown, opened.file === undefined ? {} : { file: opened.file });
    const isShown = reports.some(isOnTerminal);
    // Beside a report on standard output that is no text.
    if (!isShown) process.stderr.write((held.policies ?? []).map((each) => `${policyText(each)}\n`).join(''));
    const code = reviewCodeOf(held);
    const terminal = isShown && !words['no-prompt'] && isOpenWork(review) ? terminalHere() : undefined;
    if (terminal === undefined) return code;
    const files = file === undefined ? [] : [file];
    const open = (): Promise<OpenedReview> => Promise.resolve(opened);
    const stack = { name: undefined, folder: '.', review, files, rules: words.rules, open };
    const decided = await decideOn([stack], causesOf([{ stack: '', review }]), terminal);
    if (decided === 'nothing') return code;
    const next = await reviewed({ ...words, history: undefined, 'no-prompt': true }, reports.filter(isOnTerminal));
    return decided === 'failed' ? EXIT.inPart : next;
  });
}

/** The review with the past of its findings, which is written back. */
function remembered(file: string, review: Review): Review {
  const { text, review: withPast } = addToHistory(existsSync(file) ? textIn(file) : undefined, review);
  replaceFile(file, text);
  return withPast;
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

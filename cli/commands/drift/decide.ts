// The decisions on a review that a person takes on a terminal: one list, then everything that it comes to, one confirmation, and the work of the commands
// accept, revert and ignore.
import { existsSync } from 'node:fs';
import {
  addRules,
  describeReversal,
  environmentsOf,
  findingFacts,
  findingSubject,
  isDay,
  planRevert,
  subjectText,
  titleText,
  unifiedDiff,
  type Classification,
  type DriftFinding,
  type Reversal,
  type Review,
} from '../../../drift';
import { answerTo } from '../../agree';
import { decisionsOf, type Terminal } from '../../decide/chooser';
import type { Choice, Decision } from '../../decide/choices';
import { replaceFile } from '../../replace-file';
import { acceptHere, filesToAccept } from './accepting';
import { deployed, revertContext, sendReversals } from './revert';
import { STANDARD_RULES, textIn, type OpenedReview } from './sources';

/** A file, and what becomes of it. */
interface ChangedFile {
  readonly name: string;
  readonly before: string;
  readonly text: string;
}

/** What is decided on. */
interface Decided {
  readonly review: Review;
  readonly opened: OpenedReview;
  /** The stack's files, where the command names them. */
  readonly files: readonly string[];
  /** The rule file, where the command names one. */
  readonly rules: string | undefined;
}

/** The terminal that this process runs on; undefined without one, and on one of a CI server. */
export function terminalHere(): Terminal | undefined {
  const { stdin: input, stdout: output, env } = process;
  const isBuild = !['', 'false', '0'].includes(env['CI'] ?? '');
  if (!input.isTTY || !output.isTTY || isBuild || env['TERM'] === 'dumb') return undefined;
  return { input, output, colour: env['NO_COLOR'] === undefined };
}

/** Lets a person decide. `nothing`: nothing was written or sent; `failed`: not everything that was agreed to was done. */
export async function decideOn(decided: Decided, terminal: Terminal): Promise<'nothing' | 'done' | 'failed'> {
  const { review, opened } = decided;
  const open = review.findings.filter(({ classification }) => !SETTLED.includes(classification));
  if (open.length === 0) return 'nothing';
  say(terminal, '');
  const decisions = await decisionsOf(
    open.map((finding) => choiceOf(finding, review)),
    terminal,
  );
  const chosen = (decision: Decision): readonly DriftFinding[] =>
    review.findings.filter(({ id }) => decisions?.get(id) === decision);
  if (decisions === undefined || decisions.size === 0) return nothing(terminal, 'nothing is decided');
  const rules = await ignoredIn(chosen('ignore'), decided, terminal);
  if (rules === undefined) return nothing(terminal, 'nothing is decided');
  const accept = chosen('accept');
  const names = decided.files.length > 0 ? decided.files : filesToAccept(accept);
  const outcome = accept.length === 0 ? undefined : acceptHere(accept, review, names);
  const changed = (outcome?.files ?? [])
    .map(({ name, text }) => ({ name, text, before: textIn(name).text }))
    .filter(({ text, before }) => text !== before);
  const world = revertContext(opened);
  const { reversals, held, refused } = await planRevert(world, chosen('revert'));
  for (const finding of [...held, ...(outcome?.held ?? [])])
    say(terminal, `${titleText(finding)}\n  is already as decided`);
  for (const { finding, reason } of [...refused, ...(outcome?.refused ?? [])])
    say(terminal, `left out: ${findingSubject(finding)}\n  ${reason}`);
  const files = [...changed, ...rules];
  if (files.length + reversals.length === 0) return nothing(terminal, 'nothing is left to do');
  const environments = environmentsOf(world.declared, reversals).map(({ inputs }) => String(inputs['name']));
  const deploys = await deploysAfter(environments, terminal);
  if (deploys === undefined) return nothing(terminal, 'nothing is decided');
  for (const { name, before, text } of files) terminal.output.write(unifiedDiff(name, before, text));
  for (const reversal of reversals) say(terminal, describeReversal(reversal));
  if (deploys) say(terminal, `then commit, pull and deploy: ${environments.join(', ')}`);
  if (!isYes(await answerTo(question(files, reversals), terminal.output)))
    return nothing(terminal, 'nothing was written or sent');
  writeAll(files);
  if (files.length > 0) say(terminal, `written: ${files.map(({ name }) => name).join(', ')}`);
  if ((await sendReversals(world, reversals)) !== undefined) return 'failed';
  return !deploys || (await deployed(world, reversals)) ? 'done' : 'failed';
}

/** What the next run of the engine does by itself. */
const SETTLED: readonly Classification[] = ['pending', 'healed'];

const say = ({ output }: Terminal, line: string): void => void output.write(`${line}\n`);

function nothing(terminal: Terminal, why: string): 'nothing' {
  say(terminal, `\n${why}`);
  return 'nothing';
}

const isYes = (answer: string | undefined): boolean => /^y(es)?$/i.test(answer ?? '');

/** A finding as an entry of the list. What another command than ours does is named, and not offered. */
function choiceOf(finding: DriftFinding, review: Review): Choice {
  const { id, advice, at } = finding;
  const offered = (['accept', 'revert'] as const).filter(
    (word) => advice.commands?.[word] === `pulumi-oneops drift ${word} ${id}`,
  );
  const place = at === undefined ? [] : [`declared at ${at.file}:${at.line}`];
  const other = [advice.revert, advice.accept].filter((each) => each !== undefined && offered.length === 0);
  return {
    id,
    title: subjectText(finding),
    details: [titleText(finding), ...findingFacts(finding, review), ...place, ...other].join('. '),
    possible: ['skip', ...offered, 'ignore'],
  };
}

/** The rule file with rules for findings, if there are any; undefined when the person gives up. */
async function ignoredIn(
  findings: readonly DriftFinding[],
  { rules: name = STANDARD_RULES }: Decided,
  { output }: Terminal,
): Promise<readonly ChangedFile[] | undefined> {
  if (findings.length === 0) return [];
  const isText = (answer: string): boolean => answer !== '';
  const isLater = (day: string): boolean => isDay(day) && day >= new Date().toISOString().slice(0, 10);
  const reason = await asked('why are they ignored?', isText, output);
  const owner = reason && (await asked('who is responsible for it?', isText, output));
  const isEnd = (answer: string): boolean => answer === '' || isLater(answer);
  const until = owner && (await asked('until which day, like 2027-01-31 (empty: no end)?', isEnd, output));
  if (!reason || !owner || until === undefined) return undefined;
  const before = existsSync(name) ? textIn(name).text : '';
  const text = addRules({ name, text: before }, findings, { reason, owner, ...(until === '' ? {} : { until }) });
  return [{ name, before, text }];
}

/** The answer to a question, which is asked until it fits; undefined when the input ends. */
async function asked(
  about: string,
  fits: (answer: string) => boolean,
  output: NodeJS.WritableStream,
): Promise<string | undefined> {
  for (;;) {
    const answer = await answerTo(about, output);
    if (answer === undefined || fits(answer)) return answer;
  }
}

/** Whether what is set back is deployed, too; undefined when the person gives up. Without it, machines keep what they have. */
async function deploysAfter(environments: readonly string[], { output }: Terminal): Promise<boolean | undefined> {
  if (environments.length === 0) return false;
  const answer = await answerTo(`deploy ${environments.join(', ')}, once it is set back? (yes/no)`, output);
  return answer === undefined ? undefined : isYes(answer);
}

function question(files: readonly ChangedFile[], reversals: readonly Reversal[]): string {
  const count = (number: number, noun: string): readonly string[] =>
    number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
  const parts = [
    ...count(files.length, 'file').map((each) => `write ${each}`),
    ...count(reversals.length, 'request').map((each) => `send ${each}`),
  ];
  return `${parts.join(' and ')}? (yes/no)`;
}

/** Writes every file. Throws Error, before the first one, when somebody edited one since it was shown. */
function writeAll(files: readonly ChangedFile[]): void {
  const edited = files.find(({ name, before }) => (existsSync(name) ? textIn(name).text : '') !== before);
  if (edited) throw new Error(`nothing was written or sent: somebody edited ${edited.name} meanwhile; review again`);
  for (const { name, text } of files) replaceFile(name, text);
}

// What people tick in an issue of an inbox, as texts of files and answers: each tick is carried out in the folder of its stack, as `accept` and `ignore`
// do it. A revert writes to the service, which no pull request can: the answer is the command.
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { messageOf } from '../../../api/errors';
import {
  filePath,
  ignoring as withIgnoring,
  stackKey,
  UnusableFiles,
  type Circumstances,
  type DriftFinding,
} from '../../../drift';
import type { Ticked } from '../../inbox/run-inbox';
import { projectHere } from '../../project';
import { acceptHere, filesToAccept, otherStacksText } from './accepting';
import { newDrafts, type Drafts } from './drafts';
import { inFolder } from './in-folder';
import type { InboxStack } from './inbox-reviews';
import { DRIFT_FILE, isDay, UnusableDriftFile } from '../../../stack';
import { textIn } from './sources';

/** What ticks come to. */
export interface Decided {
  readonly drafts: Drafts;
  /** By the id of the finding. */
  readonly answers: Map<string, string>;
  readonly done: { readonly word: 'accept' | 'ignore'; readonly finding: DriftFinding }[];
  /** What else the changes of the files do. */
  readonly effects: string[];
  /** Stacks whose ticks another folder is for. */
  readonly left: InboxStack[];
}

/** The issue that the ticks are in. */
interface TickedIssue {
  readonly places: Circumstances['places'];
  /** Where people read it. */
  readonly url: string;
  /** Who ticked the boxes; undefined where the place does not say. */
  readonly by: string | undefined;
  readonly owners: Circumstances['owners'];
}

/** The ticks of one stack. */
interface StackTicks extends TickedIssue {
  readonly stack: InboxStack;
  readonly ticked: readonly Ticked[];
}

/** Carries out ticks, stack by stack. Nothing is written. */
export async function decideIn(
  stacks: readonly InboxStack[],
  ticked: readonly Ticked[],
  issue: TickedIssue,
): Promise<Decided> {
  const decided: Decided = { drafts: newDrafts(), answers: new Map(), done: [], effects: [], left: [] };
  for (const stack of stacks) {
    const own = ticked.filter(({ review }) => stackKey(review) === stackKey(stack.own));
    if (own.length === 0) continue;
    const { folder = '.' } = stack;
    const place = placeOf(stack);
    if (place === 'elsewhere') decided.left.push(stack);
    else if (place === 'here')
      await inFolder(folder, () => Promise.resolve(decideOnStack({ ...issue, stack, ticked: own }, decided)));
    else for (const { finding } of own) decided.answers.set(finding.id, place.problem);
  }
  return decided;
}

/** Whether the ticks of a stack are carried out by this run. `elsewhere`: a run in another folder does it; `problem`: none does. */
function placeOf({ own: { project }, folder }: InboxStack): 'here' | 'elsewhere' | { readonly problem: string } {
  if (folder?.split(sep)[0] === '..') return 'elsewhere';
  const isThere = folder === undefined || existsSync(folder);
  // Files of a folder may declare another project's resources by the same names.
  if (isThere && (project === undefined || projectHere(folder)?.name === project)) return 'here';
  if (projectHere() !== undefined) return 'elsewhere';
  return {
    problem:
      folder === undefined
        ? `the files of the project ${project} are not here: run drift inbox in the folder of this project`
        : `the files of the project in ${folder} are not here: run drift inbox where the review of the fleet ran`,
  };
}

/** Carries out the ticks of one stack, in its folder. */
function decideOnStack({ stack, ticked, ...issue }: StackTicks, decided: Decided): void {
  const ticks = { ...issue, stack };
  const open = ticked.filter((each) => !isAnswered(each, ticks, decided.answers));
  acceptTicked({ ...ticks, ticked: open.filter(({ listed }) => listed.ticked[0] === 'accept') }, decided);
  ignoreTicked({ ...ticks, ticked: open.filter(({ listed }) => listed.ticked[0] === 'ignore') }, decided);
}

/** Answers what needs no change of a file. */
function isAnswered(
  { listed, finding }: Ticked,
  { stack: { folder = '.', stack }, places }: Omit<StackTicks, 'ticked'>,
  answers: Decided['answers'],
): boolean {
  const [decision, second] = listed.ticked;
  if (second !== undefined) answers.set(finding.id, `tick one box, not ${listed.ticked.join(' and ')}`);
  else if (decision === 'revert') {
    const path = filePath(folder, places);
    const where = path === '' || path === '.' ? '' : `in ${path}, call `;
    const named = stack === undefined ? '' : ` --stack ${stack}`;
    answers.set(
      finding.id,
      `a revert writes to the service: ${where}pulumi-oneops drift revert ${finding.id} --deploy${named}`,
    );
  }
  return answers.has(finding.id);
}

function acceptTicked({ ticked, stack: { own, stack } }: StackTicks, decided: Decided): void {
  if (ticked.length === 0) return;
  const { drafts, answers, done, effects } = decided;
  const ids = ticked.map(({ finding }) => finding.id);
  // As they were made: their places are those of this folder.
  const findings = own.findings.filter(({ id }) => ids.includes(id));
  try {
    const names = filesToAccept(findings);
    const isDrafted = names.some((name) => drafts.textOf(name) !== undefined);
    const outcome = acceptHere(findings, own, names, drafts.textOf);
    for (const { finding, reason } of outcome.refused) answers.set(finding.id, `not accepted: ${reason}`);
    // Another stack of the same files has the same value, and it is accepted for that one.
    for (const finding of outcome.held)
      if (isDrafted) done.push({ word: 'accept', finding });
      else answers.set(finding.id, 'the file says so already');
    for (const finding of outcome.accepted) done.push({ word: 'accept', finding });
    for (const { name, text } of outcome.files)
      if (text !== (drafts.textOf(name) ?? textIn(name).text)) drafts.put(name, text);
    const of = stack === undefined ? '' : `accepted for ${stack}: `;
    effects.push(...otherStacksText(outcome.otherStacks, { isWritten: false }).map((line) => `${of}${line}`));
  } catch (error) {
    // A file that is deleted, or that is no stack.
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    const why = error instanceof UnusableFiles ? 'the files of the stack are not valid: ' : '';
    for (const { id } of findings) answers.set(id, `not accepted: ${why}${messageOf(error)}`);
  }
}

function ignoreTicked({ ticked, url, by, owners }: StackTicks, { drafts, answers, done }: Decided): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const { finding, listed } of ticked) {
    const { until } = listed;
    if (until === undefined || !isDay(until) || until < today) {
      answers.set(finding.id, 'not ignored: write a day that is still to come in its line, like 2027-01-31');
      continue;
    }
    const before = existsSync(DRIFT_FILE) ? textIn(DRIFT_FILE).text : '';
    const text = drafts.textOf(DRIFT_FILE) ?? before;
    const owner = by ?? owners(finding).join(' ');
    const ignoring = { reason: `decided in ${url}`, owner: owner === '' ? UNNAMED : owner, until };
    try {
      drafts.put(DRIFT_FILE, withIgnoring({ name: DRIFT_FILE, text }, [finding], ignoring));
      done.push({ word: 'ignore', finding });
    } catch (error) {
      if (!(error instanceof UnusableDriftFile)) throw error;
      answers.set(finding.id, `not ignored: ${error.message}`);
    }
  }
}

/** The owner of a rule where nobody is known: the place does not say who ticked, and nobody owns the line. */
const UNNAMED = 'whoever ticked it';

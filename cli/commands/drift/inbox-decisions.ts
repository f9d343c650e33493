// What people tick in an issue of an inbox, carried out: accepted and ignored findings as one pull request, made with what `accept` and `ignore` do.
// A revert writes to the service, which no pull request can: the answer is the command.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  addRules,
  filePath,
  findingSubject,
  isDay,
  UnusableFiles,
  type DriftFinding,
  type Review,
} from '../../../drift';
import { messageOf } from '../../../api/errors';
import type { Answering, Ticked } from '../../inbox/run-inbox';
import {
  requestedIds,
  requestMark,
  TrackerError,
  type OpenRequest,
  type Proposal,
  type Tracker,
} from '../../inbox/tracker';
import { projectHere } from '../../project';
import { acceptHere, filesToAccept } from './accepting';
import { STANDARD_RULES, textIn } from './sources';

type Files = Map<string, { readonly before: string | undefined; text: string }>;

/** What ticks come to, as texts of files and answers by the id of the finding. */
interface Decided {
  readonly files: Files;
  readonly answers: Map<string, string>;
  readonly done: { readonly word: 'accept' | 'ignore'; readonly finding: DriftFinding }[];
}

/** Carries ticks out. Returns what is answered to each, and the request that the others wait for. */
export const decideTicks: Answering = async (tracker, { issue, ticked, commit, places, title }) => {
  const decided: Decided = { files: new Map(), answers: new Map(), done: [] };
  const by = await tracker.ticker(issue.id);
  const open = ticked.filter((each) => !isAnswered(each, decided.answers));
  const accepting = open.filter(({ listed }) => listed.ticked[0] === 'accept');
  acceptTicked(accepting, decided);
  for (const each of open) if (each.listed.ticked[0] === 'ignore') ignoreTicked(each, { url: issue.url, by }, decided);
  const { files, answers, done } = decided;
  const requests = new Map<string, string>();
  if (done.length === 0) return { answers, requests };
  const say = (answer: string): void => done.forEach(({ finding }) => answers.set(finding.id, answer));
  if (commit === undefined) {
    say('no commit is known to make the change on: run in a checkout, or with --commit');
    return { answers, requests };
  }
  const lines = done.map(({ word, finding }) => `${word}: ${findingSubject(finding)}`);
  const proposal: Omit<Proposal, 'branch'> = {
    commit,
    title: `Settle ${done.length === 1 ? 'a finding' : `${done.length} findings`}: ${title}`,
    body: [
      requestMark(done.map(({ finding }) => finding.id)),
      `Ticked ${by === undefined ? '' : `by ${by} `}in ${issue.url}:`,
      '',
      ...lines.map((line) => `    ${line.replace(/[\p{Cc}\p{Cf}]/gu, ' ')}`),
      '',
    ].join('\n'),
    files: [...files].map(([name, file]) => ({ path: filePath(name, places), ...file })),
  };
  const ids = done.map(({ finding }) => finding.id);
  try {
    const reference = await tracker.propose({ ...proposal, branch: branchOf(proposal, ids, tracker) });
    if (tracker.proposes === 'patch') say(`the change is in ${reference}: git apply`);
    else (await waitFor(tracker, reference, { requests, ids })).forEach(say);
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    say(`${messageOf(error)}; then tick again`);
  }
  return { answers, requests };
};

/**
 * The same change for the same findings on the same commit has the same branch: a run that was killed continues where it was, and of two runs at one time the
 * second one finds the request of the first. Two issues never share a request, whose mark names the findings of one. A patch is of no commit and of no
 * issue: it could be applied only once.
 */
const branchOf = ({ commit, files }: Omit<Proposal, 'branch'>, ids: readonly string[], { proposes }: Tracker): string =>
  `pulumi-oneops/inbox-${createHash('sha256')
    .update(JSON.stringify(proposes === 'patch' ? files : [commit, [...ids].sort(), files]))
    .digest('hex')
    .slice(0, 12)}`;

/**
 * Lets findings wait for a request. A run on another commit may have made one of its own for some of them at the same time: the older one stays. Returns
 * what a person has to look at when the place does not show or close requests any more.
 */
async function waitFor(
  tracker: Tracker,
  reference: string,
  waiting: { readonly ids: readonly string[]; readonly requests: Map<string, string> },
): Promise<readonly string[]> {
  let older: OpenRequest | undefined;
  try {
    older = await olderFor(tracker, reference, waiting.ids);
    if (older !== undefined) await tracker.withdraw(reference);
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    for (const id of waiting.ids) waiting.requests.set(id, reference);
    return [
      older === undefined
        ? `look whether a request older than ${reference} settles the same, and close ${reference} then: ${messageOf(error)}`
        : `close ${reference}: ${older.reference} is older, and settles the same; ${messageOf(error)}`,
    ];
  }
  // What the older one leaves out, the next run carries out.
  const settled = older === undefined ? waiting.ids : requestedIds(older.body);
  for (const id of settled) if (waiting.ids.includes(id)) waiting.requests.set(id, older?.reference ?? reference);
  return [];
}

/** The oldest open request for some of these findings that is older than this one. */
async function olderFor(tracker: Tracker, reference: string, ids: readonly string[]): Promise<OpenRequest | undefined> {
  const numberOf = (text: string): number => Number(text.slice(1));
  const [older] = (await tracker.requests())
    .filter((each) => numberOf(each.reference) < numberOf(reference))
    .filter(({ body }) => requestedIds(body).some((id) => ids.includes(id)))
    .sort((left, right) => numberOf(left.reference) - numberOf(right.reference));
  return older;
}

/** Answers what needs no change of a file. */
function isAnswered({ listed, finding, review }: Ticked, answers: Decided['answers']): boolean {
  const [decision, second] = listed.ticked;
  if (second !== undefined) answers.set(finding.id, `tick one box, not ${listed.ticked.join(' and ')}`);
  else if (decision === 'revert')
    answers.set(finding.id, `a revert writes to the service: pulumi-oneops drift revert ${finding.id} --deploy`);
  else if (!isOfThisFolder(review))
    answers.set(finding.id, `it is of another project: run drift inbox in the folder of ${review.project}`);
  return answers.has(finding.id);
}

/** Files of this folder may declare another project's resources by the same names. */
const isOfThisFolder = ({ project }: Review): boolean => project === undefined || projectHere()?.name === project;

function acceptTicked(ticked: readonly Ticked[], { files, answers, done }: Decided): void {
  const [first] = ticked;
  if (first === undefined) return;
  // Another stack of the same files has another overlay.
  for (const { finding, review } of ticked)
    if (review !== first.review) answers.set(finding.id, `tick again when ${findingSubject(first.finding)} is settled`);
  const findings = ticked.flatMap(({ finding, review }) => (review === first.review ? [finding] : []));
  try {
    const outcome = acceptHere(findings, first.review, filesToAccept(findings));
    for (const { finding, reason } of outcome.refused) answers.set(finding.id, `not accepted: ${reason}`);
    for (const finding of outcome.held) answers.set(finding.id, 'the file says so already');
    for (const finding of outcome.accepted) done.push({ word: 'accept', finding });
    for (const { name, text } of outcome.files) {
      const before = textIn(name).text;
      if (text !== before) files.set(name, { before, text });
    }
  } catch (error) {
    // A file that is deleted, or that is no stack.
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    const why = error instanceof UnusableFiles ? 'the files of the stack are not valid: ' : '';
    for (const { id } of findings) answers.set(id, `not accepted: ${why}${messageOf(error)}`);
  }
}

function ignoreTicked(
  { finding, listed: { until } }: Ticked,
  { url, by }: { readonly url: string; readonly by: string | undefined },
  { files, answers, done }: Decided,
): void {
  const today = new Date().toISOString().slice(0, 10);
  if (until === undefined || !isDay(until) || until < today) {
    answers.set(finding.id, 'not ignored: write a day that is still to come in its line, like 2027-01-31');
    return;
  }
  const before = existsSync(STANDARD_RULES) ? textIn(STANDARD_RULES).text : undefined;
  const text = files.get(STANDARD_RULES)?.text ?? before ?? '';
  try {
    const ignoring = { reason: `decided in ${url}`, owner: by ?? url, until };
    files.set(STANDARD_RULES, { before, text: addRules({ name: STANDARD_RULES, text }, [finding], ignoring) });
    done.push({ word: 'ignore', finding });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    answers.set(finding.id, `not ignored: ${error.message}`);
  }
}

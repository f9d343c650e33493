// What people tick in an issue of an inbox, carried out: what the ticks make of the files of all stacks becomes one pull or merge request, or one patch.
import { createHash } from 'node:crypto';
import { messageOf } from '../../../api/errors';
import { filePath, findingSubject, stackKey } from '../../../drift';
import type { Answering } from '../../inbox/run-inbox';
import {
  requestedIds,
  requestMark,
  TrackerError,
  type OpenRequest,
  type Proposal,
  type Tracker,
} from '../../inbox/tracker';
import type { InboxStack } from './inbox-reviews';
import { decideIn, type Decided } from './inbox-ticks';

/** What carries out the ticks of a run, and one line for each stack whose ticks another folder is for. */
interface Decisions {
  readonly answer: Answering;
  readonly left: () => readonly string[];
}

/** Carries ticks out in the folders of these stacks. */
export function newDecisions(stacks: readonly InboxStack[]): Decisions {
  const left = new Set<string>();
  return {
    left: () => [...left],
    answer: async (tracker, what) => {
      const { issue, ticked, places, owners } = what;
      const by = await tracker.ticker(issue.id);
      // A file is named as in its repository: a rule in another folder may name it.
      const url = URL.canParse(issue.url) ? issue.url : filePath(issue.url, places);
      const decided = await decideIn(stacks, ticked, { places, url, by, owners });
      for (const { own } of decided.left)
        left.add(
          `left ticked: ${stackKey(own)}: run drift inbox in the folder of its project, or where the review of the fleet ran`,
        );
      return proposed(tracker, decided, { ...what, by, url });
    },
  };
}

/** Proposes what was decided. Returns what is answered to each tick, and the request that the others wait for. */
async function proposed(
  tracker: Tracker,
  { answers, done, drafts, effects }: Decided,
  {
    commit,
    places,
    title,
    by,
    url,
  }: Parameters<Answering>[1] & { readonly by: string | undefined; readonly url: string },
): ReturnType<Answering> {
  const requests = new Map<string, string>();
  if (done.length === 0) return { answers, requests };
  const ids = done.map(({ finding }) => finding.id);
  const say = (of: Iterable<string>, ...answer: readonly string[]): void => {
    for (const id of of) if (answer.length > 0) answers.set(id, answer.join('; '));
  };
  if (commit === undefined) {
    say(ids, 'no commit is known to make the change on: run in a checkout, or with --commit');
    return { answers, requests };
  }
  const lines = [...done.map(({ word, finding }) => `${word}: ${findingSubject(finding)}`), ...effects];
  const proposal: Omit<Proposal, 'branch'> = {
    commit,
    title: `Settle ${done.length === 1 ? 'a finding' : `${done.length} findings`}: ${title}`,
    body: [
      requestMark(ids),
      `Ticked ${by === undefined ? '' : `by ${by} `}in ${url}:`,
      '',
      ...lines.map((line) => `    ${line.replace(/[\p{Cc}\p{Cf}]/gu, ' ')}`),
      '',
    ].join('\n'),
    files: drafts.files().map(({ name, ...file }) => ({ path: filePath(name, places), ...file })),
  };
  try {
    const reference = await tracker.propose({ ...proposal, branch: branchOf(proposal, ids, tracker) });
    if (tracker.proposes === 'patch') say(ids, `the change is in ${reference}: git apply`, ...effects);
    else {
      const problems = await waitFor(tracker, reference, { requests, ids });
      // What waits for no request stays ticked, without an answer.
      say(requests.keys(), ...problems, ...effects);
    }
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    say(ids, `${messageOf(error)}; then tick again`);
  }
  return { answers, requests };
}

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

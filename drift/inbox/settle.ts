// What becomes of an issue after reviews: what is found is listed, what healed is ticked off, and the issue is opened, closed or left alone.
// Pure: the same reviews and the same issue always come to the same text, so a run without a change has nothing to write.
import { foreign, foreignLong, sentence } from '../report/markdown-text';
import { placeText, type ReportOptions } from '../report/report-options';
import { comparedSides, sideTexts } from '../report/shown-text';
import {
  attributeText,
  CLASSIFICATION_WORDS,
  isCounted,
  isDrift,
  releaseText,
  settingText,
  timeText,
  whoText,
} from '../report/words';
import type { DriftFinding, Review } from '../review/review';
import {
  answerLine,
  boxLine,
  findingMark,
  HEAD_END,
  issueText,
  readIssueText,
  settledLine,
  waitsLine,
  type IssueText,
  type ListedFinding,
} from './issue-text';
import { isWholeReview, stackKey, type FoundInStack, type Thread } from './threads';

/** An issue, or a merge request's. `declined`: closed by a person, who does not plan to do it. */
export interface Issue {
  /** Number or name, as the platform counts or names issues. */
  readonly id: string;
  readonly body: string;
  readonly state: 'open' | 'closed' | 'declined';
  /** Where people read it. */
  readonly url: string;
}

/** What a thread is settled by, besides its findings and its issue. */
export interface Circumstances {
  /** The usable reviews of this run. */
  readonly reviews: readonly Review[];
  /** The commit that the repository is at. */
  readonly commit: string | undefined;
  /** `2026-11-22`. */
  readonly today: string;
  readonly places: ReportOptions;
  /** Owners of the line of a finding, as the platform mentions them. */
  readonly owners: (finding: DriftFinding) => readonly string[];
  /** The open request that touches the line of a finding: `#12`; undefined when there is none. */
  readonly request: (finding: DriftFinding) => string | undefined;
  /** Answers to ticks of this run, by the id of the finding. */
  readonly answers: ReadonlyMap<string, string>;
  /** Most characters of a text. */
  readonly limit: number;
}

/** What is new in a thread. */
export interface News {
  readonly added: readonly string[];
  /** Those that were listed before with other values. */
  readonly changed: readonly string[];
  readonly settled: readonly string[];
}

/** What is to be written. Without `issue` it is a new one; without `state`, the state stays. */
interface Settlement {
  readonly issue?: Issue;
  readonly body: string;
  readonly state?: 'open' | 'closed';
  readonly news: News;
}

/** What is to be written to the issue of a thread; undefined when it says everything already, or when there is nothing to say. */
export function settleIssue(thread: Thread, issue: Issue | undefined, world: Circumstances): Settlement | undefined {
  const before = issue === undefined ? undefined : readIssueText(issue.body);
  const listed = new Map(before?.listed.map((each) => [each.id, each]));
  const isOpen = issue?.state === 'open';
  const { policies: broken = [] } = thread;
  const found = thread.findings.filter(
    ({ finding }) => (isOpen && listed.has(finding.id)) || world.request(finding) === undefined,
  );
  if (!isOpen) {
    const isKnown = found.every(({ finding }) => listed.has(finding.id));
    if (found.length + broken.length === 0 || (issue?.state === 'declined' && isKnown)) return undefined;
  }
  const { body, open } = textOf(thread, { before, found, listed: isOpen ? [...listed.values()] : [] }, world);
  const after = readIssueText(body)?.listed ?? [];
  // The text may have no room for all that is open.
  const hadAny = listed.size > 0 || (issue?.body.includes(BROKEN_MARK) === true && isWhole(thread, world));
  const isSettled = open.size === 0 && broken.length === 0 && hadAny;
  const state = isOpen ? (isSettled ? 'closed' : undefined) : 'open';
  if (issue !== undefined && state === undefined && sameText(issue.body, body)) return undefined;
  const past = isOpen ? [...listed.keys()] : [];
  const news = {
    added: after.flatMap(({ id }) => (past.includes(id) ? [] : [id])),
    changed: after.flatMap((each) =>
      past.includes(each.id) && hasOtherValues(listed.get(each.id), each) ? [each.id] : [],
    ),
    settled: past.filter((id) => !open.has(id)),
  };
  return { ...(issue === undefined ? {} : { issue, ...(state === undefined ? {} : { state }) }), body, news };
}

/** Whether a text has other values than before. One that had to be cut says nothing of them. */
function hasOtherValues(before: ListedFinding | undefined, after: ListedFinding): boolean {
  const [was, is] = [before, after].map((listed) => VALUES.exec(listed?.text ?? '')?.[0]);
  return was !== undefined && is !== undefined && was !== is;
}

/** The line with the values of a finding: the line below it, on its author, begins with a tag. */
const VALUES = /^ {2}(?!<code>)\S.*<br>$/m;

/** At the end of each line about a broken policy. */
const BROKEN_MARK = '<!-- policy -->';

/** Broken policies that an issue lists. */
const MOST_BROKEN = 20;

const brokenLines = ({ policies = [] }: Thread, places: ReportOptions): readonly string[] => [
  ...policies
    .slice(0, MOST_BROKEN)
    .map(
      ({ policy, message, at }) =>
        `- policy ${foreign(policy)}${at === undefined ? '' : ` (${foreign(placeText(at, places))})`}: ${sentence(message)} ${BROKEN_MARK}`,
    ),
  ...(policies.length > MOST_BROKEN ? [`- … and ${policies.length - MOST_BROKEN} more ${BROKEN_MARK}`] : []),
];

/** Whether the review of a thread's stack says of everything whether it is still there. */
const isWhole = ({ key }: Thread, { reviews }: Circumstances): boolean =>
  reviews.some((review) => stackKey(review) === key && isWholeReview(review));

/** Platforms keep the line ends of the browser that a text was edited in. */
const sameText = (left: string, right: string): boolean => left.replace(/\r\n/g, '\n') === right.replace(/\r\n/g, '\n');

interface Past {
  readonly before: IssueText | undefined;
  readonly found: readonly FoundInStack[];
  /** What the open issue lists. */
  readonly listed: readonly ListedFinding[];
}

/** The text, and the findings that are open, whether it has room for them or not. */
function textOf(
  thread: Thread,
  { before, found, listed }: Past,
  world: Circumstances,
): { readonly body: string; readonly open: ReadonlySet<string> } {
  const isFound = new Set(thread.findings.map(({ finding }) => finding.id));
  const reviewOf = new Map(world.reviews.map((review) => [stackKey(review), review]));
  const gone = listed.filter(({ id }) => !isFound.has(id));
  const isHealed = ({ stack }: ListedFinding): boolean => {
    const review = reviewOf.get(stack);
    return review !== undefined && isWholeReview(review);
  };
  const settled = [
    ...gone.filter(isHealed).map((each) => healedLine(each, reviewOf.get(each.stack), world)),
    ...(before?.settled ?? []).filter((line) => !isFound.has(/<!-- settled (\S+) -->$/.exec(line)?.[1] ?? '')),
  ];
  const unknown = gone.filter((each) => !isHealed(each));
  const items = [
    ...found.map((each) =>
      formsOf(
        each,
        before?.listed.find(({ id }) => id === each.finding.id),
        world,
      ),
    ),
    // Nobody knows whether these are still there.
    ...unknown.map((each) => [each.text, bareItem(each)]),
  ];
  const part = {
    key: thread.key,
    head: headOf(thread, items.length, brokenLines(thread, world.places)),
    listed: items,
    settled,
  };
  return {
    body: issueText(part, before ?? { before: '', after: '\n' }, world.limit),
    open: new Set([...found.map(({ finding }) => finding.id), ...unknown.map(({ id }) => id)]),
  };
}

const headOf = ({ key }: Thread, open: number, broken: readonly string[]): readonly string[] => [
  ...(broken.length === 0
    ? []
    : [
        '**Mandatory policies are broken.** Change the records, or name them in `except` of the policy.',
        '',
        ...broken,
        '',
      ]),
  ...(open === 0
    ? broken.length === 0
      ? ['**Everything is settled.**', '']
      : []
    : [`**${open} to settle.** Tick one box of a finding: the next run carries it out, or answers.`, '']),
  `${HEAD_END}, of ${foreign(key)}. What you write above or below it stays.</sub>`,
];

const bareItem = (listed: Pick<ListedFinding, 'id' | 'stack' | 'since'>): string => `- [ ] ${findingMark(listed)}`;

/** How much of a commit's name a mark holds. */
const SHORT = 12;
const shortOf = (commit: string | undefined): string => commit?.slice(0, SHORT) ?? '-';

/** Days that a rule holds when nobody changes the day in the text. */
const DAYS = 30;
const dayAfter = (today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) + DAYS * 86_400_000).toISOString().slice(0, 10);

function formsOf(
  { finding, stack }: FoundInStack,
  listed: ListedFinding | undefined,
  world: Circumstances,
): readonly string[] {
  const mark = { id: finding.id, stack, since: listed?.since ?? shortOf(world.commit) };
  const until = listed?.until !== undefined && listed.until >= world.today ? listed.until : dayAfter(world.today);
  const request = world.request(finding);
  const given = world.answers.get(finding.id);
  // An answer goes with the request that it was given next to, or with the boxes.
  const former = listed?.isWaiting === (request !== undefined) ? listed.answer : undefined;
  const answer = given === undefined ? former : sentence(given);
  const answers = answer === undefined ? [] : [answerLine(answer)];
  // A tick goes with its answer alone.
  const ticked = given === undefined ? (listed?.ticked ?? []) : [];
  const choices = [
    ...(finding.advice.accept === undefined ? [] : [boxLine('accept', 'accept', ticked)]),
    boxLine('revert', 'revert', ticked),
    boxLine('ignore', `ignore until ${until}`, ticked),
    ...answers,
  ];
  const boxes = request === undefined ? choices : [waitsLine(request), ...answers];
  const { label } = CLASSIFICATION_WORDS[finding.classification];
  const first = `- [ ] ${subjectOf(finding)}: ${label}, ${finding.severity} ${findingMark(mark)}`;
  return [
    [first, ...factsOf(finding, world).map((line) => `  ${line}`), ...boxes].join('\n'),
    [first, ...boxes].join('\n'),
    bareItem(mark),
  ];
}

function subjectOf(finding: DriftFinding): string {
  const attribute = attributeText(finding);
  return `${foreignLong(finding.address)}${attribute === undefined ? '' : ` ${foreignLong(attribute)}`}`;
}

/** What changed, by whom, and where it is declared: nothing that is another text on the next day. */
function factsOf(finding: DriftFinding, world: Circumstances): readonly string[] {
  const { author, setIn, at } = finding;
  const { from, to } = comparedSides(finding);
  const sides = sideTexts(finding).filter(({ side }) => side === from || side === to || side === 'code');
  const values = sides.map(({ name, text }) => `${name} ${foreignLong(text)}`).join(', ');
  const by =
    author === undefined
      ? []
      : [whoText(author), ...(author.when === 0 ? [] : [timeText(author.when)]), releaseText(author)];
  const origin = [...by, ...(setIn === undefined ? [] : [settingText(setIn)])].filter((text) => text !== '').join(', ');
  const owners = world.owners(finding);
  const place = [
    ...(at === undefined ? [] : [foreign(placeText(at, world.places))]),
    ...(owners.length === 0 ? [] : [`owned by ${owners.join(' ')}`]),
    foreign(finding.id),
  ].join(' · ');
  return [...(values === '' ? [] : [`${values}<br>`]), ...(origin === '' ? [] : [`${foreignLong(origin)}<br>`]), place];
}

/** The line on a finding that is missing in a complete review, or that a rule leaves out. */
function healedLine({ id, since, text }: ListedFinding, review: Review | undefined, { commit }: Circumstances): string {
  const subject = /^- \[[ xX]\] (<code>.*?): [a-z]/.exec(text)?.[1] ?? foreign(id);
  const rule = review?.ignored.find(({ finding }) => finding.id === id);
  const at = commit === undefined ? '' : ` at commit ${commit}`;
  if (rule !== undefined) return settledLine(id, subject, `left out by a rule of ${foreignLong(rule.owner)}${at}`);
  const found = review?.findings.find((finding) => finding.id === id);
  if (found !== undefined && review !== undefined && isCounted(found, review))
    return settledLine(id, subject, `written again: it has another cause now${at}`);
  if (found !== undefined && isDrift(found))
    return settledLine(id, subject, `still differs, and no longer counts: its severity is ${found.severity}${at}`);
  if (commit === undefined) return settledLine(id, subject, 'settled');
  return since === shortOf(commit)
    ? settledLine(id, subject, `settled in the service, with the repository${at}`)
    : settledLine(id, subject, `settled with commit ${commit}`);
}

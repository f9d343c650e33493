// The list that a person decides on: causes first, each for all of its findings, then the findings one by one.
import {
  causeHistory,
  causeTitle,
  findingFacts,
  liveText,
  subjectText,
  titleText,
  type Cause,
  type Classification,
  type DriftFinding,
  type Review,
} from '../../../drift';
import type { Choice } from '../../prompts';
import type { OpenedReview } from './sources';

/** What can be decided. */
export const DECISIONS = ['accept', 'revert', 'ignore'] as const;
export type Decision = (typeof DECISIONS)[number];

/** A finding, or all findings of a cause. */
export interface Entry extends Choice {
  /** What can be decided on it. */
  readonly possible: readonly Decision[];
  /** Of a cause: ids of the entries that a decision on it is for. */
  readonly members?: readonly string[];
}

/** A stack that is decided on. */
export interface DecidedStack {
  /** Its name in the fleet; undefined for the review of one stack. */
  readonly name: string | undefined;
  /** Its folder, from the current one. */
  readonly folder: string;
  readonly review: Review;
  /** The stack's files, where the command names them. */
  readonly files: readonly string[];
  /** The rule file, where the command names one. */
  readonly rules: string | undefined;
  /** What a revert depends on; called when there is one. */
  readonly open: () => Promise<OpenedReview>;
}

/** What the next run of the engine does by itself. */
const SETTLED: readonly Classification[] = ['pending', 'healed'];

/** The entry of a finding: stacks that declare the same record have findings with the same id. */
export const entryId = ({ name }: Pick<DecidedStack, 'name'>, { id }: Pick<DriftFinding, 'id'>): string =>
  name === undefined ? id : `${id} ${name}`;

/** The entries. `causes`: of these stacks, under the names that they have in the fleet, or ''. */
export function decisionList(stacks: readonly DecidedStack[], causes: readonly Cause[]): readonly Entry[] {
  const causeOf = new Map(causes.flatMap((cause) => membersOf(cause).map((member) => [member, cause.id] as const)));
  const findings = stacks.flatMap((stack) =>
    stack.review.findings
      .filter(({ classification }) => !SETTLED.includes(classification))
      .map((finding) => findingEntry(finding, stack, causeOf.get(entryId(stack, finding)))),
  );
  const byId = new Map(findings.map((entry) => [entry.id, entry]));
  const groups = causes.flatMap((cause) => {
    const members = membersOf(cause).flatMap((id) => byId.get(id) ?? []);
    // A cause of one finding is that finding.
    return members.length < 2 ? [] : [causeEntry(cause, members)];
  });
  return [...groups, ...findings];
}

const membersOf = ({ stacks }: Cause): readonly string[] =>
  stacks.flatMap(({ stack, findings }) =>
    findings.map((id) => entryId({ name: stack === '' ? undefined : stack }, { id })),
  );

function causeEntry(cause: Cause, members: readonly Entry[]): Entry {
  const { id, stacks, since } = cause;
  const names = stacks.flatMap(({ stack }) => (stack === '' ? [] : [stack]));
  const within = names.length > 1 ? ` in ${names.length} stacks` : '';
  const where = names.length === 0 ? members.map(({ title }) => title) : names;
  return {
    id,
    title: `all ${members.length}${within}: ${causeTitle(cause)}`,
    details: [`cause ${id}`, liveText(cause), causeHistory(cause, Math.max(since, Date.now())), where.join(', ')]
      .filter((part) => part !== '')
      .join('. '),
    possible: DECISIONS.filter((decision) => members.some(({ possible }) => possible.includes(decision))),
    members: members.map((each) => each.id),
  };
}

/** A finding as an entry of the list. What another command than ours does is named, and not offered. */
function findingEntry(finding: DriftFinding, stack: DecidedStack, cause: string | undefined): Entry {
  const { id, advice, at } = finding;
  const offered = (['accept', 'revert'] as const).filter(
    (word) => advice.commands?.[word] === `pulumi-oneops drift ${word} ${id}`,
  );
  const { name, review } = stack;
  const place = at === undefined ? [] : [`declared at ${at.file}:${at.line}`];
  const other = [advice.revert, advice.accept].filter((each) => each !== undefined && offered.length === 0);
  const from = name === undefined ? [] : [name, ...(cause === undefined ? [] : [`cause ${cause}`])];
  return {
    id: entryId(stack, finding),
    // Stacks that share their files have findings that differ in nothing else.
    title: name === undefined ? subjectText(finding) : `${name}: ${subjectText(finding)}`,
    details: [...from, titleText(finding), ...findingFacts(finding, review), ...place, ...other].join('. '),
    possible: [...offered, 'ignore'],
  };
}

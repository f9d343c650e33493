// What an inbox is about: one thread for each stack, or for each cause, with the findings that belong to it.
import { causesOf } from '../fleet/causes';
import { brokenPolicies, isMandatory } from '../report/broken-policies';
import { commentMark } from '../report/markdown';
import { clipped, oneLine } from '../report/shown-text';
import { isCounted, whoText } from '../report/words';
import type { BrokenPolicy, DriftFinding, Review } from '../review/review';

/** A finding, and the review that it is from. */
export interface FoundInStack {
  readonly finding: DriftFinding;
  readonly review: Review;
  /** Key of the stack. */
  readonly stack: string;
}

/** What one issue is about. */
export interface Thread {
  /** Identifies the issue, whatever its title: without spaces, and nothing that ends a comment of HTML. */
  readonly key: string;
  /** Title of a new issue. */
  readonly title: string;
  readonly findings: readonly FoundInStack[];
  /** Mandatory policies that the stack breaks; nobody can decide on them with a box. */
  readonly policies?: readonly BrokenPolicy[];
}

/** The key of a review's stack: organization, project and stack. */
export const stackKey = ({ organization, project = '', stack = '' }: Review): string =>
  [organization, project, stack].map(commentMark).join('/');

/** Outcomes that say of each finding whether it is still there. */
export const isWholeReview = ({ outcome }: Review): boolean => outcome === 'in-sync' || outcome === 'drift';

/** Whether what a review found can be relied on at all. */
const isUsable = ({ outcome }: Review): boolean => outcome !== 'authentication' && outcome !== 'refused';

/** The findings that count for the outcome of a review. */
const countedFindings = (review: Review): readonly FoundInStack[] =>
  review.findings
    .filter((finding) => isCounted(finding, review))
    .map((finding) => ({ finding, review, stack: stackKey(review) }));

/** Platforms take titles of 255 characters. */
const LONGEST_TITLE = 200;

/** Words on one line. */
const threadTitle = (words: readonly (string | undefined)[]): string =>
  clipped(oneLine(words.filter((word) => word !== undefined && word !== '').join(' ')), LONGEST_TITLE);

/** One thread for each review, also for one that found nothing. */
export const threadsByStack = (reviews: readonly Review[]): readonly Thread[] =>
  reviews.filter(isUsable).map((review) => ({
    key: stackKey(review),
    title: threadTitle(['Drift in', review.organization, review.project, review.stack]),
    findings: countedFindings(review),
    policies: brokenPolicies(review).filter(isMandatory),
  }));

/** The key of a cause: stacks have keys of three parts. */
const causeKey = (id: string): string => `cause/${id}`;

/** Whether a thread is about a cause. */
export const isCauseKey = (key: string): boolean => /^cause\/[^/]*$/.test(key);

/** One thread for each cause. A record that several stacks declare is listed once. */
export function threadsByCause(reviews: readonly Review[]): readonly Thread[] {
  const counted = new Map(reviews.filter(isUsable).map((review) => [stackKey(review), countedFindings(review)]));
  const grouped = reviews
    .filter(isUsable)
    .map((review) => ({ stack: stackKey(review), review }))
    .map(({ stack, review }) => ({
      stack,
      review: { ...review, findings: (counted.get(stack) ?? []).map(({ finding }) => finding) },
    }));
  return causesOf(grouped).map(({ id, kind, attribute, name, author, stacks }) => {
    const found = stacks.flatMap(({ stack, findings }) =>
      (counted.get(stack) ?? []).filter(({ finding }) => findings.includes(finding.id)),
    );
    const by = author === undefined ? [] : ['by', whoText(author)];
    return {
      key: causeKey(id),
      title: threadTitle(['Drift:', attribute ?? name, 'of', kind, ...by]),
      findings: [...new Map(found.map((each) => [each.finding.id, each])).values()],
    };
  });
}

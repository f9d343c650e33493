// The door of the reports: the review of a fleet, or of a stack alone, in every format.
import { asFleet, type Fleet } from '../fleet/fleet';
import type { Review } from '../review/review';
import { renderHtml } from './html/page';
import { junitSuite, junitText } from './junit';
import { renderMarkdown } from './markdown';
import { renderPrometheus } from './prometheus';
import { sarifLog } from '../../stack';
import { sarifRun } from './sarif';
import { bareReview, type ReportOptions } from './shown-text';
import { renderText } from './text';
import { inOwnTime, stackOptions } from './words';

export { MARKDOWN_LIMIT, markdownMarker } from './markdown';
export { type ReportOptions } from './shown-text';
export { padded, tableText, wrapped } from './text-layout';
export { causeHistory, causeTitle, findingFacts, liveText, policyText, subjectText, titleText } from './words';

export const FORMATS = ['text', 'html', 'markdown', 'json', 'sarif', 'junit', 'prometheus'] as const;
export type Format = (typeof FORMATS)[number];

const RENDERERS: {
  readonly [format in Exclude<Format, 'json'>]: (fleet: Fleet, options: ReportOptions) => string;
} = {
  text: renderText,
  html: renderHtml,
  markdown: renderMarkdown,
  sarif: ({ stacks }, options) => sarifLog(stacks.map((stack) => sarifRun(stack, stackOptions(stack, options)))),
  junit: ({ stacks, started }, options) =>
    junitText(stacks.map((stack) => junitSuite(stack, started, stackOptions(stack, options)))),
  prometheus: renderPrometheus,
};

/**
 * A review, or that of a fleet, in a format: a review of a stack alone is a fleet of one. Pure:
 * several formats of one review agree. A review that is shown to people has the times of this
 * clock, and in a fleet the name of its stack there. Never contains a secret.
 */
export function renderReview(format: Format, review: Review | Fleet, options: ReportOptions = {}): string {
  if (format === 'json') return `${JSON.stringify('stacks' in review ? review : bareReview(review), null, 2)}\n`;
  const fleet = asFleet(review);
  const stacks = fleet.stacks.map((stack) =>
    stack.review === undefined
      ? stack
      : { ...stack, review: { ...inOwnTime(stack.review), ...(stack.name === '' ? {} : { stack: stack.name }) } },
  );
  return RENDERERS[format]({ ...fleet, stacks }, options);
}

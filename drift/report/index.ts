// The door of the reports: a review, or that of a fleet, in every format.
import type { Fleet } from '../fleet/fleet';
import type { Review } from '../review/review';
import { renderFleetHtml } from './html/fleet';
import { renderHtml } from './html/page';
import { junitSuite, junitSuiteWithout, junitText } from './junit';
import { renderFleetMarkdown, renderMarkdown } from './markdown';
import { renderFleetPrometheus, renderPrometheus } from './prometheus';
import { failedSarifRun, sarifLog, sarifRun } from './sarif';
import { renderJson, type ReportOptions } from './shown-text';
import { renderFleetText, renderText } from './text';
import { folderOf, inOwnTime } from './words';

export { MARKDOWN_LIMIT, markdownMarker } from './markdown';
export { type ReportOptions } from './shown-text';
export { columnsOf, padded, tableText, wrapped } from './text-layout';
export { causeHistory, causeTitle, findingFacts, liveText, policyText, subjectText, titleText } from './words';

export const FORMATS = ['text', 'html', 'markdown', 'json', 'sarif', 'junit', 'prometheus'] as const;
export type Format = (typeof FORMATS)[number];

const RENDERERS: { readonly [format in Format]: (review: Review, options: ReportOptions) => string } = {
  text: renderText,
  html: renderHtml,
  markdown: renderMarkdown,
  json: renderJson,
  sarif: (review, options) => sarifLog([sarifRun(review, options)]),
  junit: (review, options) => junitText([junitSuite(review, options)]),
  prometheus: renderPrometheus,
};

const FLEET_RENDERERS: { readonly [format in Format]: (fleet: Fleet, options: ReportOptions) => string } = {
  text: renderFleetText,
  html: renderFleetHtml,
  markdown: renderFleetMarkdown,
  json: (fleet) => `${JSON.stringify(fleet, null, 2)}\n`,
  sarif: ({ stacks }, options) =>
    sarifLog(
      stacks.map(({ name, folder, review, summary }) =>
        review === undefined
          ? failedSarifRun(name, summary)
          : sarifRun({ ...review, stack: name }, { ...options, ...folderOf(folder, options) }),
      ),
    ),
  junit: ({ stacks, started }, options) =>
    junitText(
      stacks.map(({ name, folder, review, outcome, summary }) =>
        review === undefined
          ? junitSuiteWithout(name, { outcome, summary, started })
          : junitSuite({ ...review, stack: name }, { ...options, ...folderOf(folder, options) }),
      ),
    ),
  prometheus: renderFleetPrometheus,
};

/**
 * A review, or that of a fleet, in a format. Pure: several formats of one review agree. A review
 * that is shown to people has the times of this clock. Never contains a secret.
 */
export function renderReview(format: Format, review: Review | Fleet, options: ReportOptions = {}): string {
  if (!('stacks' in review)) return RENDERERS[format](format === 'json' ? review : inOwnTime(review), options);
  const stacks = review.stacks.map((stack) =>
    stack.review === undefined || format === 'json' ? stack : { ...stack, review: inOwnTime(stack.review) },
  );
  return FLEET_RENDERERS[format]({ ...review, stacks }, options);
}

// The door of the reports: a review in every format.
import type { Review } from '../review/review';
import { renderHtml } from './html/page';
import { renderJson, type ReportOptions } from './shown-text';
import { renderJunit } from './junit';
import { renderMarkdown } from './markdown';
import { inOwnTime } from './words';
import { renderPrometheus } from './prometheus';
import { renderSarif } from './sarif';
import { renderText } from './text';

export { policyText } from './words';
export { MARKDOWN_LIMIT, markdownMarker } from './markdown';
export { columnsOf, padded, wrapped } from './text-layout';
export { findingFacts, subjectText, titleText } from './words';
export { lastSuccessOf } from './prometheus';
export { type ReportOptions } from './shown-text';

/** Formats of a review. */
export const FORMATS = ['text', 'html', 'markdown', 'json', 'sarif', 'junit', 'prometheus'] as const;
export type Format = (typeof FORMATS)[number];

const RENDERERS: { readonly [format in Format]: (review: Review, options: ReportOptions) => string } = {
  text: renderText,
  html: renderHtml,
  markdown: renderMarkdown,
  json: renderJson,
  sarif: renderSarif,
  junit: renderJunit,
  prometheus: renderPrometheus,
};

/** A review in a format; pure, so several formats of one review agree. Never contains a secret. */
export const renderReview = (format: Format, review: Review, options: ReportOptions = {}): string =>
  RENDERERS[format](format === 'json' ? review : inOwnTime(review), options);

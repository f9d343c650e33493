// The door of the reports: a review in every format people and machines read.
// It must not know how any format looks.
import type { Review } from '../review';
import { renderJson, renderNdjson } from './json';
import type { ReportOptions } from './report-options';
import { renderText } from './text';

export { type ReportOptions } from './report-options';

/** Formats of a review. */
export const FORMATS = ['text', 'json', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const RENDERERS: { readonly [format in Format]: (review: Review, options: ReportOptions) => string } = {
  text: renderText,
  json: renderJson,
  ndjson: renderNdjson,
};

/** A review in a format; pure, so several formats of one review agree. Never holds a secret. */
export const renderReview = (format: Format, review: Review, options: ReportOptions = {}): string =>
  RENDERERS[format](review, options);

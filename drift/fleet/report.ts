// The review of a fleet in every format.
import { inOwnTime } from '../report/words';
import type { ReportOptions } from '../report/shown-text';
import type { Fleet } from './fleet';
import { renderFleetHtml } from './html';
import { renderFleetMarkdown } from './markdown';
import { renderFleetPrometheus } from './prometheus';
import { renderFleetText } from './text';

/** How to show a fleet. `earlier`: the former text of metrics, which contain the time of the last complete review. */
type FleetReportOptions = ReportOptions & { readonly earlier?: string };

/** Formats of the review of a fleet. */
export const FLEET_FORMATS = ['text', 'html', 'markdown', 'json', 'prometheus'] as const;
type FleetFormat = (typeof FLEET_FORMATS)[number];

const RENDERERS: { readonly [format in FleetFormat]: (fleet: Fleet, options: FleetReportOptions) => string } = {
  text: renderFleetText,
  html: renderFleetHtml,
  markdown: renderFleetMarkdown,
  json: (fleet) => `${JSON.stringify(fleet, null, 2)}\n`,
  prometheus: renderFleetPrometheus,
};

/** The review of a fleet in a format; pure. Never contains a secret. */
export const renderFleet = (format: FleetFormat, fleet: Fleet, options: FleetReportOptions = {}): string =>
  RENDERERS[format](format === 'json' ? fleet : inOwnTimes(fleet), options);

const inOwnTimes = (fleet: Fleet): Fleet => ({
  ...fleet,
  stacks: fleet.stacks.map((stack) => (stack.review ? { ...stack, review: inOwnTime(stack.review) } : stack)),
});

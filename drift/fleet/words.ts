// The words that every report of a fleet uses.
import { brokenPolicies } from '../report/broken-policies';
import type { ReportOptions } from '../report/report-options';
import { oneLine, sideTexts } from '../report/shown-text';
import { agoText, CLASSIFICATION_WORDS, whoText } from '../report/words';
import { plural } from '../wording';
import type { Cause, FleetStack } from './fleet';

/** What was written, without the value: `Component attributes.max_threads`; of complete records, `Component tomcat`. */
export const causeTitle = ({ kind, attribute, name }: Cause): string => `${kind} ${attribute ?? name ?? ''}`;

/** The new value on one line; empty for complete records. */
export function liveText({ live }: Cause): string {
  if (live === undefined) return '';
  if (live.is === 'secret') return 'a secret; whether it is the same everywhere is not known';
  const [side] = sideTexts({ live } as Parameters<typeof sideTexts>[0]);
  return `now ${oneLine(side?.text ?? '')}`;
}

/** `high; changed in the service, by maria, since 2 hours ago`. `now`: milliseconds since 1970. */
export function causeHistory({ severity, classifications, author, since }: Cause, now: number): string {
  const labels = classifications.map((each) => CLASSIFICATION_WORDS[each].label).join(', ');
  const when = since === 0 ? '' : `, since ${agoText(since, now)}`;
  return `${severity}; ${labels}${author === undefined ? '' : `, by ${whoText(author)}${when}`}`;
}

/** `3 records in 2 stacks`. */
export const stacksOf = ({ records, stacks }: Cause): string =>
  `${plural(records, 'record')} in ${plural(stacks.length, 'stack')}`;

/** Whether a stack has anything to be reported. */
export const isSettled = (stack: FleetStack): boolean =>
  stack.outcome === 'in-sync' && brokenPolicies(stack).length === 0;

/** Where relative files of a stack start. */
export const folderOf = (folder: string | undefined, options: ReportOptions): Pick<ReportOptions, 'folder'> =>
  folder === undefined || options.folder === undefined ? {} : { folder: `${options.folder}/${folder}` };

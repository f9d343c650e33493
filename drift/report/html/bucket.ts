// What the page sorts and filters findings by: drift by its severity, and everything that is no drift.
// It must not know how a finding looks.
import { SEVERITIES, type DriftFinding, type Severity } from '../../review/review';
import { isDrift, whoText } from '../words';
import { markup, type Markup } from './markup';

/** Each finding is in exactly one, so that the counts of the page add up. */
export type Bucket = Severity | 'other';

export const BUCKETS: readonly Bucket[] = [...SEVERITIES, 'other'];

export const bucketOf = (finding: DriftFinding): Bucket => (isDrift(finding) ? finding.severity : 'other');

export const bucketWord = (bucket: Bucket): string => (bucket === 'other' ? 'not drift' : bucket);

/** Findings in each. */
export const bucketCounts = (findings: readonly DriftFinding[]): { readonly [bucket in Bucket]: number } => {
  const count = (bucket: Bucket): number => findings.filter((finding) => bucketOf(finding) === bucket).length;
  return { high: count('high'), medium: count('medium'), low: count('low'), other: count('other') };
};

/** What the filters and the selection read of an element that shows a finding. */
export function dataMarkup(finding: DriftFinding): Markup {
  const { id, kind, author, classification, advice } = finding;
  const can = (verb: 'revert' | 'accept'): string =>
    advice.commands?.[verb]?.endsWith(` drift ${verb} ${id}`) ? verb : '';
  const verbs = [can('revert'), can('accept'), 'ignore'].filter((verb) => verb !== '').join(' ');
  return markup`data-finding="${id}" data-bucket="${bucketOf(finding)}" data-kind="${kind}" data-person="${author === undefined ? '' : whoText(author)}" data-classification="${classification}" data-can="${verbs}"`;
}

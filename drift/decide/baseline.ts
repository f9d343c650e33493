// A baseline: findings that stood when it was made, so that a review tells only what came since.
// It must not know where the file lies, nor how a review is made.
import { z } from 'zod';
import type { DriftFinding, IgnoredFinding, Review } from '../review/review';
import { jsonOf } from '../review/saved-review';
import { digestOf } from './digest';

const baselineShape = z.object({
  version: z.literal(1),
  made: z.number(),
  organization: z.string(),
  findings: z.array(z.object({ id: z.string(), digest: z.string(), about: z.string() })),
});

/** The findings of a review as a baseline's text: JSON, one line a finding, in the order of their ids; values as digests only. */
export function baselineOf(review: Pick<Review, 'started' | 'organization' | 'findings'>): string {
  const lines = [...review.findings]
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map((finding) => JSON.stringify({ id: finding.id, digest: digestOf(finding), about: subjectOf(finding) }));
  return [
    '{',
    '  "version": 1,',
    `  "made": ${review.started},`,
    `  "organization": ${JSON.stringify(review.organization)},`,
    lines.length === 0 ? '  "findings": []' : `  "findings": [\n    ${lines.join(',\n    ')}\n  ]`,
    '}',
    '',
  ].join('\n');
}

/** `Component acme/shop/web/tomcat attributes.max_threads`. */
export const subjectOf = ({ kind, address, attribute }: DriftFinding): string =>
  [kind, address, ...(attribute === undefined ? [] : [attribute])].join(' ');

/**
 * Keeps out what the baseline holds; a finding whose value or classification moved since is told again. Throws a TypeError on a text that is no
 * baseline.
 */
export function applyBaseline(
  baseline: { readonly text: string; readonly name: string },
  findings: readonly DriftFinding[],
): { readonly findings: readonly DriftFinding[]; readonly ignored: readonly IgnoredFinding[] } {
  const { made, findings: known } = parsed(baseline);
  const digests = new Map(known.map(({ id, digest }) => [id, digest]));
  const stood = (finding: DriftFinding): boolean => digests.get(finding.id) === digestOf(finding);
  const reason = `stood when the baseline was made, on ${new Date(made).toISOString().slice(0, 10)}`;
  return {
    findings: findings.filter((finding) => !stood(finding)),
    ignored: findings.filter(stood).map((finding) => ({ finding, reason, owner: baseline.name })),
  };
}

function parsed({ text, name }: { readonly text: string; readonly name: string }): z.infer<typeof baselineShape> {
  const { data } = baselineShape.safeParse(jsonOf(text));
  if (data === undefined)
    throw new TypeError(`${name} is not a baseline: make one with "pulumi-oneops drift baseline FILE"`);
  return data;
}

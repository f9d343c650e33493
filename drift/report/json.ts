// A review as JSON: versioned data for programs, whose form drift.schema.json describes.
import type { DriftFinding, Review, Shown } from '../review/review';
import { SIDES } from './shown-text';
import { bareService } from './words';

/** The complete review as one indented JSON document, as `drift.schema.json` has it. */
export const renderJson = (review: Review): string => `${JSON.stringify(bareReview(review), null, 2)}\n`;

/** A review whose secrets are words and digests, and whose service names no user. */
export function bareReview(review: Review): Review {
  return {
    ...review,
    service: bareService(review.service),
    findings: review.findings.map(bareFinding),
    ignored: review.ignored.map((each) => ({ ...each, finding: bareFinding(each.finding) })),
  };
}

function bareFinding(finding: DriftFinding): DriftFinding {
  const sides = SIDES.flatMap((side) => {
    const shown = finding[side];
    return shown === undefined ? [] : [[side, bareShown(shown)] as const];
  });
  return { ...finding, ...Object.fromEntries(sides) };
}

const bareShown = (shown: Shown): Shown =>
  shown.is === 'value'
    ? { is: 'value', value: shown.value }
    : { is: shown.is, ...(shown.is === 'secret' && shown.digest !== undefined ? { digest: shown.digest } : {}) };

// A review as JSON, and as one JSON document a line: versioned data for programs, drift.schema.json says what it looks like.
import type { DriftFinding, Review, Shown } from '../review/review';
import { SIDES } from './shown-text';
import { bareService, driftCounts } from './words';

/** The complete review as one indented JSON document, as `drift.schema.json` has it. */
export const renderJson = (review: Review): string => `${JSON.stringify(bareReview(review), null, 2)}\n`;

/**
 * One JSON document a line, each with a `type`: first `review` (everything but the lists, and drift by severity), then a line for each
 * `finding`, `ignored`, `unread`, `problem` and `policy`, at last `end` with the number of lines before it: a file without it was cut off.
 */
export function renderNdjson(review: Review): string {
  const { findings, ignored, unread, problems, policies = [], ...head } = bareReview(review);
  const lines = [
    { type: 'review', ...head, drift: driftCounts(review) },
    ...findings.map((each) => ({ type: 'finding', ...each })),
    ...ignored.map((each) => ({ type: 'ignored', ...each })),
    ...unread.map((each) => ({ type: 'unread', ...each })),
    ...problems.map((each) => ({ type: 'problem', ...each })),
    ...policies.map((each) => ({ type: 'policy', ...each })),
  ];
  return [...lines, { type: 'end', lines: lines.length }].map((line) => `${JSON.stringify(line)}\n`).join('');
}

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

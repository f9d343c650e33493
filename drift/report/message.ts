// A finding in one or two sentences, for formats that have room for a text and no more.
// It must not know any format.
import type { DriftFinding, Review } from '../review/review';
import type { ReportOptions } from './report-options';
import { clipped, comparedSides, oneLine, sideTexts } from './shown-text';
import { authorText, CLASSIFICATION_WORDS, nowOf, pastText, subjectText } from './words';

/** Longest value in a message, in UTF-16 units. */
const LONGEST = 200;

/** `acme/shop/web/tomcat attributes.port: changed out of band`. */
export const titleText = (finding: DriftFinding): string =>
  `${subjectText(finding)}: ${CLASSIFICATION_WORDS[finding.classification].label}`;

/** `applied 8080, live 8443`, the sides that matter; empty when no values took part. */
export function movedText(finding: DriftFinding): string {
  const { from, to } = comparedSides(finding);
  const sides = sideTexts(finding).filter(
    ({ side }) => side === from || side === to || finding.classification === 'conflict',
  );
  return sides.map(({ side, text }) => `${side} ${clipped(oneLine(text), LONGEST)}`).join(', ');
}

/** Title, values, author, past and advice as sentences on one line. */
export function messageText(finding: DriftFinding, review: Review, options: ReportOptions): string {
  const { author, advice } = finding;
  const moved = movedText(finding);
  const past = pastText(finding, review, options);
  const parts = [
    titleText(finding),
    ...(moved === '' ? [] : [moved]),
    ...(author === undefined ? [] : [`by ${authorText(author, nowOf(review, options))}`]),
    ...(past === undefined ? [] : [oneLine(past)]),
    ...(advice.revert === undefined ? [] : [`revert: ${oneLine(advice.revert)}`]),
    ...(advice.accept === undefined ? [] : [`accept: ${oneLine(advice.accept)}`]),
  ];
  return `${parts.join('. ')}.`;
}

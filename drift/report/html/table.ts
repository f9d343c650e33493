// All findings as one table, a line each: for those who look for the one among many, or compare them.
import { SEVERITIES, type DriftFinding, type Review } from '../../review/review';
import type { ReportOptions } from '../report-options';
import { clipped, comparedSides, oneLine, sideTexts } from '../shown-text';
import { agoText, attributeText, CLASSIFICATION_WORDS, isDrift, nowOf, whoText } from '../words';
import { plural } from '../../wording';
import { bucketOf, bucketWord, dataMarkup } from './finding';
import { markup, when, type Markup } from './markup';

/** Longest value in a cell, in UTF-16 units. */
const LONGEST = 60;

/** The table, hidden until the script shows it instead of the details. */
export function tableMarkup(review: Review, options: ReportOptions): Markup {
  const rank = (finding: DriftFinding): number => (isDrift(finding) ? SEVERITIES.indexOf(finding.severity) : 3);
  const rows = [...review.findings].sort((left, right) => rank(left) - rank(right));
  return when(
    rows.length > 0,
    () =>
      markup`<div id="table" role="region" aria-label="Findings as a table" tabindex="0" hidden>
        <table>
          <thead>
            <tr>
              <th><span class="unseen">Select</span></th>
              ${['Severity', 'Record', 'Attribute', 'Difference', 'By'].map((name) => markup`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map((finding) => rowMarkup(finding, review, options))}
          </tbody>
        </table>
      </div>`,
  );
}

function rowMarkup(finding: DriftFinding, review: Review, options: ReportOptions): Markup {
  const { id, address, author, classification, kind } = finding;
  const bucket = bucketOf(finding);
  const attribute = attributeText(finding);
  const { label, meaning } = CLASSIFICATION_WORDS[classification];
  return markup`<tr class="row ${bucket}" ${dataMarkup(finding)}>
    <td><label class="pick"><input type="checkbox" value="${id}" /><span class="unseen">Select ${attribute ?? address}</span></label></td>
    <td><span class="severity">${bucketWord(bucket)}</span></td>
    <td><a href="#f-${id}">${address}</a> <span class="kind">${kind}</span></td>
    <td>${attribute ?? markup`<em>the whole record</em>`}</td>
    <td>${differenceMarkup(finding)}<span class="classification" title="${meaning}">${label}</span></td>
    <td>${author === undefined ? undefined : `${whoText(author)}${author.when === 0 ? '' : `, ${agoText(author.when, nowOf(review, options))}`}`}</td>
  </tr>`;
}

function differenceMarkup(finding: DriftFinding): Markup {
  const sides = sideTexts(finding);
  const { from, to } = comparedSides(finding);
  const text = (name: string): string | undefined => {
    const found = sides.find(({ side }) => side === name)?.text;
    if (found === undefined) return undefined;
    const lines = found.trimEnd().split('\n').length;
    return lines > 1 ? plural(lines, 'line') : clipped(oneLine(found), LONGEST);
  };
  const [before, after] = [text(from), text(to)];
  if (before === undefined || after === undefined) return markup``;
  return markup`<code>${before}</code>${before === after ? undefined : markup` <span class="arrow">→</span> <code>${after}</code>`}<br />`;
}

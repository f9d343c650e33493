// One finding, and the findings of one record, on the page.
// It must not know the rest of the page.
import type { Author, DriftFinding, Review } from '../../review';
import { placeText } from '../places';
import type { ReportOptions } from '../report-options';
import { agoText, CLASSIFICATION_WORDS, isoText, nowOf, pastText, releaseText, timeText, whoText } from '../words';
import { markup, when, type Markup } from './markup';
import { valuesMarkup } from './values';

/** The findings of one record, in one frame. `heading`: what names the record. */
export function recordMarkup(findings: readonly DriftFinding[], review: Review, options: ReportOptions): Markup {
  const first = findings[0];
  if (first === undefined) return markup``;
  const { address, kind, logicalName } = first;
  const parts = address.split('/');
  const name = parts.pop() ?? '';
  const path = parts.map((part) => `${part}/`).join('');
  return markup`<section class="record" aria-label="${kind} ${address}">
    <header class="record-head">
      <h4><span class="path">${path}</span><wbr /><span class="name">${name}</span></h4>
      <span class="kind">${kind}</span
      >${when(logicalName !== undefined, () => markup`<span class="logical">in the file: <code>${logicalName}</code></span>`)}
    </header>
    ${findings.map((finding) => findingMarkup(finding, review, options))}
  </section>`;
}

function findingMarkup(finding: DriftFinding, review: Review, options: ReportOptions): Markup {
  const { id, classification, severity, kind, attribute, address, author, at, advice } = finding;
  const { label, meaning } = CLASSIFICATION_WORDS[classification];
  const past = pastText(finding, review, options);
  return markup`<article
    class="finding ${severity}"
    id="f-${id}"
    tabindex="-1"
    data-severity="${severity}"
    data-kind="${kind}"
    data-person="${author === undefined ? '' : whoText(author)}"
    data-classification="${classification}"
    aria-label="${severity}: ${attribute ?? address} ${label}"
  >
    <div class="finding-head">
      <span class="severity">${severity}</span>
      <h5>${attribute ?? 'the whole record'}</h5>
      <span class="classification" title="${meaning}">${label}</span>
      <span class="end"
        >${when(at !== undefined, () => markup`<code class="place">${at === undefined ? '' : placeText(at, options)}</code> `)}<a
          class="id"
          href="#f-${id}"
          aria-label="Link to finding ${id}"
          >${id}</a
        ></span
      >
    </div>
    ${author === undefined ? undefined : authorMarkup(author, review, options)}
    ${past === undefined ? undefined : markup`<p class="past">${past}</p>`} ${valuesMarkup(finding)}
    ${adviceMarkup(advice)}
  </article>`;
}

function authorMarkup(author: Author, review: Review, options: ReportOptions): Markup {
  const release = releaseText(author);
  const moment =
    author.when === 0
      ? markup`at an unknown time`
      : markup`<time datetime="${isoText(author.when)}">${timeText(author.when)}</time>,
          ${agoText(author.when, nowOf(review, options))}`;
  return markup`<p class="author">
    <span class="avatar" aria-hidden="true"
      >${author.who === '' ? '?' : ([...whoText(author)][0] ?? '?').toUpperCase()}</span
    ><span><strong>${whoText(author)}</strong> · ${moment}${release === '' ? undefined : markup` · ${release}`}</span>
  </p>`;
}

function adviceMarkup({ revert, accept }: DriftFinding['advice']): Markup {
  const line = (word: string, text: string | undefined): Markup =>
    text === undefined
      ? markup``
      : markup`<div>
          <dt>${word}</dt>
          <dd>
            <code>${text}</code><button type="button" class="copy" hidden aria-label="Copy: ${text}">Copy</button>
          </dd>
        </div>`;
  return revert === undefined && accept === undefined
    ? markup``
    : markup`<dl class="advice">${line('Revert', revert)}${line('Accept', accept)}</dl>`;
}

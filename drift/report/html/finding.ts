// One finding, and the findings of one record, on the page; and what the page sorts and filters findings by.
import { isDrift } from '../../review/outcome';
import {
  SEVERITIES,
  type Author,
  type DriftFinding,
  type Review,
  type SetIn,
  type Severity,
} from '../../review/review';
import { placeText, type ReportOptions } from '../report-options';
import {
  agoText,
  attributeText,
  CLASSIFICATION_WORDS,
  isoText,
  nowOf,
  pastText,
  releaseText,
  settingText,
  timeText,
  whoText,
} from '../words';
import { markup, when, type Markup } from './markup';
import { valuesMarkup } from './values';

/** Each finding is in exactly one, so that the counts of the page add up. */
type Bucket = Severity | 'other';

export const BUCKETS: readonly Bucket[] = [...SEVERITIES, 'other'];

const bucketOf = (finding: DriftFinding): Bucket => (isDrift(finding) ? finding.severity : 'other');

export const bucketWord = (bucket: Bucket): string => (bucket === 'other' ? 'not drift' : bucket);

/** Findings in each. */
export const bucketCounts = (findings: readonly DriftFinding[]): { readonly [bucket in Bucket]: number } => {
  const count = (bucket: Bucket): number => findings.filter((finding) => bucketOf(finding) === bucket).length;
  return { high: count('high'), medium: count('medium'), low: count('low'), other: count('other') };
};

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
  const { id, classification, address, author, at, setIn } = finding;
  const { label, meaning } = CLASSIFICATION_WORDS[classification];
  const attribute = attributeText(finding);
  const past = pastText(finding, review, options);
  const bucket = bucketOf(finding);
  return markup`<article class="finding ${bucket}" id="f-${id}" tabindex="-1" data-bucket="${bucket}"
    aria-label="${bucketWord(bucket)}: ${attribute ?? address} ${label}"
  >
    <div class="finding-head">
      <span class="severity">${bucketWord(bucket)}</span>
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
    ${author === undefined ? settingMarkup(setIn) : authorMarkup(author, setIn, nowOf(review, options))}
    ${past === undefined ? undefined : markup`<p class="past">${past}</p>`} ${valuesMarkup(finding)}
    ${adviceMarkup(finding.advice)}
  </article>`;
}

/** Where a value was set, when nothing is known of who set it. */
const settingMarkup = (setIn: SetIn | undefined): Markup | undefined =>
  setIn === undefined ? undefined : markup`<p class="author">${settingText(setIn)}</p>`;

function authorMarkup(author: Author, setIn: SetIn | undefined, now: number): Markup {
  const release = releaseText(author);
  const place = setIn === undefined ? undefined : settingText(setIn);
  const moment =
    author.when === 0
      ? author.who === ''
        ? undefined
        : markup` · at an unknown time`
      : markup` · <time datetime="${isoText(author.when)}">${timeText(author.when)}</time>,
          ${agoText(author.when, now)}`;
  return markup`<p class="author">
    <span class="avatar" aria-hidden="true"
      >${author.who === '' ? '?' : ([...whoText(author)][0] ?? '?').toUpperCase()}</span
    ><span><strong>${whoText(author)}</strong>${moment}${release === '' ? undefined : markup` · ${release}`}${place === undefined ? undefined : markup` · ${place}`}</span>
  </p>`;
}

/** Folded: one of them is like the other, and on a small screen they would hide what differs. */
function adviceMarkup({ revert, accept, commands = {} }: DriftFinding['advice']): Markup {
  const line = (word: string, text: string | undefined, command: string | undefined): Markup => {
    if (text === undefined) return markup``;
    const shown = command === text ? undefined : markup`<span class="words">${text}</span>`;
    const copied =
      command === undefined
        ? undefined
        : markup`<span class="command"><code>${command}</code><button type="button" class="copy" hidden aria-label="Copy: ${command}">Copy</button></span>`;
    return markup`<div>
      <dt>${word}</dt>
      <dd>${shown}${copied}</dd>
    </div>`;
  };
  if (revert === undefined && accept === undefined) return markup``;
  const words = [revert === undefined ? [] : ['revert'], accept === undefined ? [] : ['accept']].flat().join(' or ');
  return markup`<details class="advice">
    <summary>How to ${words} it</summary>
    <dl>
      ${line('Revert', revert, commands.revert)}${line('Accept', accept, commands.accept)}
    </dl>
  </details>`;
}

// A review as one HTML page: no network, no scripts from elsewhere, complete without JavaScript.
import {
  brokenPolicies,
  nextSteps,
  wordsOf,
  comparedText,
  coverageText,
  isoText,
  SHOWN_OUTCOMES,
  serviceText,
  subjectText,
  sortedOut,
  timeText,
} from '../words';
import type { DriftFinding, FilePlace, Review } from '../../review/review';
import { plural } from '../../../api/errors';
import { placeText, type ReportOptions } from '../shown-text';
import { bucketCounts, BUCKETS, bucketWord, recordMarkup } from './finding';
import { documentMarkup, markup, when, type Markup } from './markup';

export function renderHtml(review: Review, options: ReportOptions = {}): string {
  const subject = `${review.organization}${review.stack === undefined ? '' : `, stack ${review.stack}`}`;
  const { drift, waiting, others } = sortedOut(review);
  return documentMarkup(
    `${SHOWN_OUTCOMES[review.outcome].words}: drift review of ${subject}`,
    { styles: ['page.css'], script: 'page.js' },
    markup`
        <a class="skip" href="#findings">Skip to the findings</a>
        ${headMarkup(review)}
        <main>
          ${outcomeMarkup(review)} ${unreadMarkup(review)} ${filterMarkup(review)}
          <section id="findings" aria-labelledby="findings-title" tabindex="-1">
            <h2 id="findings-title">
              Findings <span class="count" id="shown" role="status">${review.findings.length}</span>
            </h2>
            ${when(review.findings.length === 0, () => emptyMarkup(review))}
            <p id="no-match" class="empty" hidden>No finding matches these filters.</p>
            ${groupMarkup('Drift', drift, review, options)}
            ${groupMarkup('Not deployed', waiting, review, options)}
            ${groupMarkup('No drift, good to know', others, review, options)}
          </section>
          ${ignoredMarkup(review)} ${policiesPanel(review, options)} ${problemsMarkup(review, options)} ${nextStepsMarkup(review)}
        </main>
        ${pageFoot(review.calls)}
`,
  );
}

function headMarkup(review: Review): Markup {
  const { organization, stack, user, notes } = review;
  const title = markup`${organization}${stack === undefined ? undefined : markup`<span class="slash"> / </span>${stack}`}`;
  return pageHead(title, review, notes, [
    ['Service', serviceText(review)],
    ...(user === undefined ? [] : [['As', user] as const]),
    ['Compared', comparedText(review)],
  ]);
}

/** The head of a page: what was reviewed and when, further facts by their names, and notes. */
export function pageHead(
  title: Markup,
  { started, took }: Pick<Review, 'started' | 'took'>,
  notes: readonly string[],
  facts: readonly (readonly [name: string, text: string])[] = [],
): Markup {
  const fact = (name: string, text: string | Markup): Markup =>
    markup`<div>
      <dt>${name}</dt>
      <dd>${text}</dd>
    </div>`;
  return markup`<header class="top">
    <div class="inner">
      <p class="eyebrow">Drift review</p>
      <h1>${title}</h1>
      <dl class="facts">
        ${fact('Reviewed', markup`<time datetime="${isoText(started)}">${timeText(started)}</time> in ${(took / 1000).toFixed(1)} s`)}
        ${facts.map(([name, text]) => fact(name, text))}
      </dl>
      ${when(notes.length > 0, () => markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`)}
    </div>
  </header>`;
}

export const pageFoot = (calls: number): Markup =>
  markup`<footer>
    <p>Made by <code>pulumi-oneops drift</code> with ${plural(calls, 'request')}, all of them reads.</p>
  </footer>`;

/** A number with its name; `sort` is its class. */
export const tile = (name: string, count: number, sort: string): Markup =>
  markup`<li class="tile ${sort}${count === 0 ? ' none' : ''}"><strong>${count}</strong> <span>${name}</span></li>`;

/** The outcome in large letters, what it rests on, and counts. */
export const outcomeSection = (
  { outcome, summary }: Pick<Review, 'outcome' | 'summary'>,
  tiles: readonly Markup[],
  coverage?: Markup,
): Markup =>
  markup`<section class="outcome ${outcome}" aria-labelledby="outcome-title">
    <h2 id="outcome-title">
      <span class="sign" aria-hidden="true">${SHOWN_OUTCOMES[outcome].sign}</span>${SHOWN_OUTCOMES[outcome].words}
    </h2>
    <p class="summary">${summary}</p>
    <ul class="tiles" aria-label="Counts">
      ${tiles}
    </ul>
    ${coverage}
  </section>`;

function outcomeMarkup(review: Review): Markup {
  const { ignored, unread, coverage, findings, failOn } = review;
  const counts = bucketCounts(findings);
  const all = coverage.managed + coverage.undeclared;
  const tiles = [
    ...BUCKETS.map((each) => tile(each === 'other' ? bucketWord(each) : `${each} drift`, counts[each], each)),
    tile('ignored', ignored.length, 'other'),
    tile('not read', unread.length, 'unread'),
  ];
  return outcomeSection(
    review,
    tiles,
    markup`<p class="coverage">
      <meter min="0" max="${Math.max(1, all)}" value="${coverage.managed}" aria-label="Managed records">
        ${coverage.managed} of ${all}
      </meter>
      <span>${coverageText(review)}.${failOn === 'low' ? undefined : ` Drift counts from ${failOn} on.`}</span>
    </p>`,
  );
}

/** The filters are for the script to show: without it everything is shown. */
function filterMarkup({ findings }: Review): Markup {
  if (findings.length === 0) return markup``;
  const counts = bucketCounts(findings);
  return markup`<form class="filters" role="search" aria-label="Filter findings" hidden>
    <label class="field"
      ><span>Search</span
      ><input
        type="search"
        name="text"
        placeholder="Address, attribute, value, person"
        autocomplete="off"
        spellcheck="false"
    /></label>
    <fieldset class="chips">
      <legend>Severity of the drift</legend>
      ${BUCKETS.map(
        (bucket) =>
          markup`<label class="chip ${bucket}"
            ><input type="checkbox" name="bucket" value="${bucket}" checked /><span
              >${bucketWord(bucket)} <b>${counts[bucket]}</b></span
            ></label
          >`,
      )}
    </fieldset>
    <button type="reset">Reset</button>
  </form>`;
}

const emptyMarkup = ({ outcome }: Review): Markup =>
  outcome === 'in-sync'
    ? markup`<p class="empty"><span class="big" aria-hidden="true">✓</span>Nothing differs.</p>`
    : markup`<p class="empty">No difference was found in what could be read.</p>`;

function groupMarkup(title: string, findings: readonly DriftFinding[], review: Review, options: ReportOptions): Markup {
  if (findings.length === 0) return markup``;
  const records = new Map<string, DriftFinding[]>();
  for (const finding of findings) {
    const key = `${finding.kind} ${finding.address}`;
    records.set(key, [...(records.get(key) ?? []), finding]);
  }
  return markup`<section class="group">
    <h3>${title}</h3>
    ${[...records.values()].map((ofRecord) => recordMarkup(ofRecord, review, options))}
  </section>`;
}

/** A list under a heading with its length; nothing when it is empty. */
export function panel(id: string, title: string, sort: '' | 'warning' | 'quiet', items: readonly Markup[]): Markup {
  if (items.length === 0) return markup``;
  return markup`<section class="panel ${sort}" aria-labelledby="${id}">
    <h2 id="${id}">${title} <span class="count">${items.length}</span></h2>
    <ul>
      ${items}
    </ul>
  </section>`;
}

const itemMarkup = (name: string, facts: Markup, text: string): Markup =>
  markup`<li>
      <strong>${name}</strong> ${facts}
      <p>${text}</p>
    </li>`;

const kindMarkup = (kind: string): Markup => markup`<span class="kind">${kind}</span>`;

const unreadMarkup = ({ unread }: Review): Markup =>
  panel(
    'unread-title',
    'Not read',
    'warning',
    unread.map(({ kind, address, reason, authentication }) => {
      const refused = when(authentication === true, () => markup` ${kindMarkup('token refused')}`);
      return itemMarkup(address, markup`${kindMarkup(kind)}${refused}`, reason);
    }),
  );

const ignoredMarkup = ({ ignored }: Review): Markup =>
  panel(
    'ignored-title',
    'Ignored',
    'quiet',
    ignored.map(({ finding, reason, owner, until }) =>
      itemMarkup(
        subjectText(finding),
        markup`${kindMarkup(wordsOf(finding).label)} <code>${finding.id}</code>`,
        `${reason} · ${owner}${until === undefined ? '' : ` · until ${until}`}`,
      ),
    ),
  );

const placeMarkup = (at: FilePlace | undefined, options: ReportOptions): Markup =>
  at === undefined ? markup`` : markup`<code>${placeText(at, options)}</code>`;

const policiesPanel = (review: Review, options: ReportOptions): Markup =>
  panel(
    'policies-title',
    'Broken policies',
    'warning',
    brokenPolicies(review).map(({ policy, level, message, at }) =>
      itemMarkup(policy, markup`${level} ${placeMarkup(at, options)}`, message),
    ),
  );

const problemsMarkup = ({ problems }: Review, options: ReportOptions): Markup =>
  panel(
    'problems-title',
    'Rule files',
    'warning',
    problems.map(({ severity, message, at }) => itemMarkup(severity, placeMarkup(at, options), message)),
  );

function nextStepsMarkup(review: Review): Markup {
  const steps = nextSteps(review);
  return panel(
    'steps-title',
    'What to do',
    'quiet',
    steps.map(
      ({ what, command }) =>
        markup`<li>${what}${command === undefined ? undefined : markup`<p><code>${command}</code></p>`}</li>`,
    ),
  );
}

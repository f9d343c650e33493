// The review of a fleet, or of a stack alone, as one HTML page: no network, no scripts from
// elsewhere, complete without JavaScript. The most urgent stack comes first.
import {
  aloneIn,
  brokenPolicies,
  brokenText,
  capital,
  causeAuthor,
  causeIds,
  causeLabels,
  causeTitle,
  driftCounts,
  fleetTitle,
  gapsOf,
  liveText,
  nextSteps,
  stackOptions,
  stacksOf,
  urgentFirst,
  whoText,
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
import { SEVERITIES, type DriftFinding, type FilePlace, type Review } from '../../review/review';
import type { Cause, Fleet, FleetStack } from '../../fleet/fleet';
import { plural } from '../../../api/errors';
import { ignoredText, placeText, type ReportOptions } from '../shown-text';
import { bucketCounts, BUCKETS, bucketWord, recordMarkup, type ShownFindings } from './finding';
import { documentMarkup, markup, when, type Markup } from './markup';

export function renderHtml(fleet: Fleet, options: ReportOptions = {}): string {
  const { outcome, causes, calls } = fleet;
  const page = { fleet, causes: causeIds(fleet), options };
  return documentMarkup(
    `${SHOWN_OUTCOMES[outcome].words}: drift review of ${fleetTitle(fleet)}`,
    markup`
        <a class="skip" href="#findings">Skip to the findings</a>
        ${headMarkup(fleet)}
        <main>
          ${outcomeMarkup(fleet)}
          ${panel(
            'Causes',
            '',
            causes.map((cause) => causeMarkup(cause, fleet)),
          )}
          ${undeclaredMarkup(fleet)} ${filterMarkup(fleet)}
          <section id="findings" aria-labelledby="findings-title" tabindex="-1">
            <h2 id="findings-title">
              Findings <span class="count" id="shown" role="status">${findingsOf(fleet).length}</span>
            </h2>
            <p id="no-match" class="empty" hidden>Nothing matches these filters.</p>
            ${urgentFirst(fleet).map((stack) => stackMarkup(stack, page))}
          </section>
          ${nextStepsMarkup(fleet)}
        </main>
        <footer>
          <p>Made by <code>pulumi-oneops drift</code> with ${plural(calls, 'request')}, all of them reads.</p>
        </footer>
`,
  );
}

interface Page {
  readonly fleet: Fleet;
  /** The causes of findings, by their ids. */
  readonly causes: ReadonlyMap<string, string>;
  readonly options: ReportOptions;
}

const findingsOf = ({ stacks }: Fleet): readonly DriftFinding[] =>
  stacks.flatMap(({ review }) => review?.findings ?? []);

/** What was reviewed and when, and notes. */
function headMarkup(fleet: Fleet): Markup {
  const { started, took, notes } = fleet;
  const alone = aloneIn(fleet);
  const time = markup`<time datetime="${isoText(started)}">${timeText(started)}</time> in ${(took / 1000).toFixed(1)} s`;
  return markup`<header class="top">
    <div class="inner">
      <p class="eyebrow">Drift review</p>
      <h1>${fleetTitle(fleet)}</h1>
      <dl class="facts">
        ${factMarkup('Reviewed', time)} ${alone === undefined ? undefined : factsOf(alone)}
      </dl>
      ${notesMarkup([...gapsOf(fleet).map(capital), ...notes, ...(alone?.notes ?? [])])}
    </div>
  </header>`;
}

const factMarkup = (name: string, text: string | Markup): Markup =>
  markup`<div>
      <dt>${name}</dt>
      <dd>${text}</dd>
    </div>`;

/** Where a stack was reviewed, and what was compared. */
const factsOf = (review: Review): readonly Markup[] => [
  factMarkup('Service', serviceText(review)),
  ...(review.user === undefined ? [] : [factMarkup('As', review.user)]),
  factMarkup('Compared', comparedText(review)),
];

const notesMarkup = (notes: readonly string[]): Markup =>
  when(notes.length > 0, () => markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`);

/** A number with its name; `sort` is its class. */
const tile = (name: string, count: number, sort: string): Markup =>
  markup`<li class="tile ${sort}${count === 0 ? ' none' : ''}"><strong>${count}</strong> <span>${name}</span></li>`;

/** The outcome in large letters, what it rests on, and counts. */
function outcomeMarkup(fleet: Fleet): Markup {
  const { outcome, summary } = fleet;
  const alone = aloneIn(fleet);
  const counts = bucketCounts(findingsOf(fleet));
  return markup`<section class="outcome ${outcome}" aria-labelledby="outcome-title">
    <h2 id="outcome-title">
      <span class="sign" aria-hidden="true">${SHOWN_OUTCOMES[outcome].sign}</span>${SHOWN_OUTCOMES[outcome].words}
    </h2>
    <p class="summary">${summary}</p>
    <ul class="tiles" aria-label="Counts">
      ${BUCKETS.map((each) => tile(each === 'other' ? bucketWord(each) : `${each} drift`, counts[each], each))}
      ${alone === undefined ? stackTiles(fleet) : [tile('ignored', alone.ignored.length, 'other'), tile('not read', alone.unread.length, 'unread')]}
    </ul>
    ${alone === undefined ? undefined : coverageMarkup(alone)}
  </section>`;
}

function stackTiles({ stacks }: Fleet): readonly Markup[] {
  const [settled = 0, open = 0, waiting = 0] = ['in-sync', 'drift', 'not-deployed'].map(
    (each) => stacks.filter((stack) => stack.outcome === each).length,
  );
  return [
    tile('stacks with drift', open, 'other'),
    tile('not deployed', waiting, 'other'),
    tile('in sync', settled, 'other'),
    tile('not reviewed', stacks.length - settled - open - waiting, 'unread'),
  ];
}

function coverageMarkup(review: Review): Markup {
  const { coverage, failOn } = review;
  const all = coverage.managed + coverage.undeclared;
  return markup`<p class="coverage">
      <meter min="0" max="${Math.max(1, all)}" value="${coverage.managed}" aria-label="Managed records">
        ${coverage.managed} of ${all}
      </meter>
      <span>${coverageText(review)}.${failOn === 'low' ? undefined : ` Drift counts from ${failOn} on.`}</span>
    </p>`;
}

/** Row of a stack of a fleet: links lead to it. */
const rowOf = (name: string, { stacks }: Fleet): number => stacks.findIndex((each) => each.name === name);

function causeMarkup(cause: Cause, fleet: Fleet): Markup {
  const { id, severity, stacks } = cause;
  const author = causeAuthor(cause, fleet.started + fleet.took);
  const facts = [liveText(cause), causeLabels(cause), author === '' ? '' : `by ${author}`];
  return markup`<li class="cause">
    <span class="severity ${severity}">${severity}</span> <strong>${causeTitle(cause)}</strong> <code>${id}</code>
    <p>${facts.filter((part) => part !== '').join(' · ')}</p>
    <details>
      <summary>${stacksOf(cause)}</summary>
      <ul class="names">
        ${stacks.map(({ stack }) => markup`<li><a href="#stack-${rowOf(stack, fleet)}">${stack}</a></li>`)}
      </ul>
    </details>
  </li>`;
}

const undeclaredMarkup = ({ undeclared, organizations }: Fleet): Markup =>
  undeclared === undefined && organizations.length > 0
    ? markup`<p class="empty">Which assemblies no stack declares is not known: not every stack could say what it declares.</p>`
    : panel(
        'Assemblies that no stack declares',
        '',
        (undeclared ?? []).map(
          ({ address, author }) =>
            markup`<li><strong>${address}</strong>${author === undefined ? undefined : ` last written by ${whoText(author)}`}</li>`,
        ),
      );

/** The filters are for the script to show: without it everything is shown. */
function filterMarkup(fleet: Fleet): Markup {
  const findings = findingsOf(fleet);
  if (findings.length === 0 && aloneIn(fleet) !== undefined) return markup``;
  const counts = bucketCounts(findings);
  return markup`<form class="filters" role="search" aria-label="Filter findings" hidden>
    <label class="field"
      ><span>Search</span
      ><input
        type="search"
        name="text"
        placeholder="Stack, address, attribute, value, person"
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

/** All that was found in a stack; in a fleet, to unfold under its name. */
function stackMarkup(stack: FleetStack, { fleet, causes, options }: Page): Markup {
  const { name, outcome, summary, review } = stack;
  const row = rowOf(name, fleet);
  const found = (anchor: string): Markup | undefined =>
    review && foundMarkup(review, { anchor, causes, options: stackOptions(stack, options) });
  if (name === '') return markup`${found('f')}`;
  const counts = driftCounts(review ?? { findings: [] });
  return markup`<details class="stack" id="stack-${row}">
    <summary>
      <strong>${name}</strong> <span class="state ${outcome}">${SHOWN_OUTCOMES[outcome].words}</span>
      ${SEVERITIES.map((each) => when(counts[each] > 0, () => markup`<span class="severity ${each}">${counts[each]} ${each}</span>`))}
      ${brokenText(review).map((broken) => markup`<span class="severity medium">${broken}</span>`)}
    </summary>
    <p>${summary}</p>
    ${review && markup`<dl class="facts">${factsOf(review)}</dl>${notesMarkup(review.notes)}`}
    ${found(`stack-${row}`)}
  </details>`;
}

function foundMarkup(review: Review, shown: ShownFindings): Markup {
  const { drift, waiting, others } = sortedOut(review);
  return markup`${unreadMarkup(review)} ${policiesPanel(review, shown.options)} ${problemsMarkup(review, shown.options)}
    ${when(review.findings.length === 0, () => emptyMarkup(review))}
    ${groupMarkup('Drift', drift, review, shown)}
    ${groupMarkup('Not deployed', waiting, review, shown)}
    ${groupMarkup('No drift, good to know', others, review, shown)}
    ${ignoredMarkup(review)}`;
}

const emptyMarkup = ({ outcome }: Review): Markup =>
  outcome === 'in-sync'
    ? markup`<p class="empty"><span class="big" aria-hidden="true">✓</span>Nothing differs.</p>`
    : markup`<p class="empty">No difference was found in what could be read.</p>`;

function groupMarkup(title: string, findings: readonly DriftFinding[], review: Review, shown: ShownFindings): Markup {
  if (findings.length === 0) return markup``;
  const records = Map.groupBy(findings, ({ kind, address }) => `${kind} ${address}`);
  return markup`<section class="group">
    <h3>${title}</h3>
    ${[...records.values()].map((ofRecord) => recordMarkup(ofRecord, review, shown))}
  </section>`;
}

/** A list under a heading with its length; nothing when it is empty. */
function panel(title: string, sort: '' | 'warning' | 'quiet', items: readonly Markup[]): Markup {
  if (items.length === 0) return markup``;
  return markup`<section class="panel ${sort}" aria-label="${title}">
    <h2>${title} <span class="count">${items.length}</span></h2>
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
    'Not read',
    'warning',
    unread.map(({ kind, address, reason, authentication }) => {
      const refused = when(authentication === true, () => markup` ${kindMarkup('token refused')}`);
      return itemMarkup(address, markup`${kindMarkup(kind)}${refused}`, reason);
    }),
  );

const ignoredMarkup = ({ ignored }: Review): Markup =>
  panel(
    'Ignored',
    'quiet',
    ignored.map((each) =>
      itemMarkup(
        subjectText(each.finding),
        markup`${kindMarkup(wordsOf(each.finding).label)} <code>${each.finding.id}</code>`,
        ignoredText(each),
      ),
    ),
  );

const placeMarkup = (at: FilePlace | undefined, options: ReportOptions): Markup =>
  at === undefined ? markup`` : markup`<code>${placeText(at, options)}</code>`;

const policiesPanel = (review: Review, options: ReportOptions): Markup =>
  panel(
    'Broken policies',
    'warning',
    brokenPolicies(review).map(({ policy, level, message, at }) =>
      itemMarkup(policy, markup`${level} ${placeMarkup(at, options)}`, message),
    ),
  );

const problemsMarkup = ({ problems }: Review, options: ReportOptions): Markup =>
  panel(
    'Rule files',
    'warning',
    problems.map(({ severity, message, at }) => itemMarkup(severity, placeMarkup(at, options), message)),
  );

const nextStepsMarkup = (fleet: Fleet): Markup =>
  panel(
    'What to do',
    'quiet',
    nextSteps(fleet).map(
      ({ what, command }) =>
        markup`<li>${what}${command === undefined ? undefined : markup`<p><code>${command}</code></p>`}</li>`,
    ),
  );

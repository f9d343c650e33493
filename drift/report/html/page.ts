// The review of a fleet, or of a stack alone, as one HTML page: no network, no scripts from
// elsewhere, complete without JavaScript. The most urgent stack comes first.
import type { FilePlace } from '../../../stack';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  aloneIn,
  attributeText,
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
  knownOf,
  liveText,
  nextSteps,
  stackOptions,
  stacksOf,
  stepsOf,
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
import { isDrift } from '../../review/outcome';
import { SEVERITIES, type DriftFinding, type Review, type Severity } from '../../review/review';
import { wordDifference } from '../../difference';
import type { FleetCause, Fleet, FleetStack } from '../../fleet/fleet';
import { plural } from '../../../api/errors';
import {
  comparedColumns,
  escaped,
  ignoredText,
  placeText,
  visible,
  type Column,
  type ReportOptions,
} from '../shown-text';

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

/** The subject of the review, its time, and notes. */
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

function causeMarkup(cause: FleetCause, fleet: Fleet): Markup {
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

// The findings of one record on the page, and the buckets by which the page filters findings.

/** Each finding is in exactly one, so that the counts of the page add up. */
type Bucket = Severity | 'other';

const BUCKETS: readonly Bucket[] = [...SEVERITIES, 'other'];

const bucketOf = (finding: DriftFinding): Bucket => (isDrift(finding) ? finding.severity : 'other');

const bucketWord = (bucket: Bucket): string => (bucket === 'other' ? 'not drift' : bucket);

const bucketCounts = (findings: readonly DriftFinding[]): { readonly [bucket in Bucket]: number } => {
  const count = (bucket: Bucket): number => findings.filter((finding) => bucketOf(finding) === bucket).length;
  return { high: count('high'), medium: count('medium'), low: count('low'), other: count('other') };
};

/** How the findings of a stack are shown. */
interface ShownFindings {
  /** Beginning of the ids that links to its findings lead to. */
  readonly anchor: string;
  /** The causes of findings, by their ids. */
  readonly causes: ReadonlyMap<string, string>;
  readonly options: ReportOptions;
}

function recordMarkup(findings: readonly DriftFinding[], review: Review, shown: ShownFindings): Markup {
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
    ${findings.map((finding) => findingMarkup(finding, review, shown))}
  </section>`;
}

function findingMarkup(finding: DriftFinding, review: Review, { anchor, causes, options }: ShownFindings): Markup {
  const { id, address, at } = finding;
  const cause = causes.get(id);
  const { label, meaning } = wordsOf(finding);
  const attribute = attributeText(finding);
  const bucket = bucketOf(finding);
  return markup`<article class="finding ${bucket}" id="${anchor}-${id}" tabindex="-1" data-bucket="${bucket}"
    aria-label="${bucketWord(bucket)}: ${attribute ?? address} ${label}"
  >
    <div class="finding-head">
      <span class="severity">${bucketWord(bucket)}</span>
      <h5>${attribute ?? 'the whole record'}</h5>
      <span class="classification" title="${meaning}">${label}</span>
      <span class="end"
        >${when(at !== undefined, () => markup`<code class="place">${at === undefined ? '' : placeText(at, options)}</code> `)}<a
          class="id"
          href="#${anchor}-${id}"
          aria-label="Link to finding ${id}"
          >${id}</a
        ></span
      >
    </div>
    ${[...knownOf(finding, review), ...(cause === undefined ? [] : [`cause ${cause}`])].map((fact) => markup`<p class="fact">${fact}</p>`)}
    ${valuesMarkup(finding)}
    ${adviceMarkup(finding)}
  </article>`;
}

/** Folded: one of them is like the other, and on a small screen they would hide what differs. */
function adviceMarkup(finding: DriftFinding): Markup {
  const steps = stepsOf(finding);
  const stepMarkup = ([word, how, command]: (typeof steps)[number]): Markup => {
    const shown = command === how ? undefined : markup`<span class="words">${how}</span>`;
    const copied =
      command === undefined
        ? undefined
        : markup`<span class="command"><code>${command}</code><button type="button" class="copy" hidden aria-label="Copy: ${command}">Copy</button></span>`;
    return markup`<div>
      <dt>${capital(word)}</dt>
      <dd>${shown}${copied}</dd>
    </div>`;
  };
  if (steps.length === 0) return markup``;
  return markup`<details class="advice">
    <summary>How to ${steps.map(([word]) => word).join(' or ')} it</summary>
    <dl>
      ${steps.map(stepMarkup)}
    </dl>
  </details>`;
}

const LONGEST = 20_000;

type Role = 'same' | 'before' | 'drifted' | 'coming' | 'third';

function valuesMarkup(finding: DriftFinding): Markup {
  const { columns, before, after } = comparedColumns(finding);
  if (before === undefined) return markup``;
  const arrived = isDrift(finding) ? 'drifted' : 'coming';
  const moved = after ?? before;
  const cells = columns.map((column) => {
    const other = column === before ? moved : before;
    const role: Role =
      columns.length === 1 ? 'same' : column === before ? 'before' : column === moved ? arrived : 'third';
    return markup`<div class="side ${role}">
      <p class="side-name">${names(column)}</p>
      <pre class="value">${valueMarkup(column, other)}</pre>
    </div>`;
  });
  return markup`<div class="sides sides-${columns.length}">${cells}</div>`;
}

const names = (column: Column): string => column.names.map(capital).join(', ');

/** The text of a column, its end counted where it is very long. */
function shownOf({ text }: Column): string {
  const cut = text.length - LONGEST;
  return cut > 0 ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}… (${cut} more characters)` : text;
}

/** A value with the words marked that the other value does not have, without equal lines far from them. */
function valueMarkup(column: Column, other: Column): Markup {
  if (!column.isValue) return markup`<em>${column.text}</em>`;
  if (column === other || !other.isValue) return markup`${shownOf(column)}`;
  const all = wordDifference(shownOf(other), shownOf(column));
  const shown = all.map(({ is, text }, at) =>
    is === 'same'
      ? equalMarkup(text, at === 0, at === all.length - 1)
      : when(is === 'added', () => markup`<mark>${text}</mark>`),
  );
  return markup`${shown}`;
}

/** Lines that are shown on each side of a change, with the one that it is in. */
const NEAR = 4;

/** Equal text beside changes: of many lines, those next to a change. */
function equalMarkup(text: string, isFirst: boolean, isLast: boolean): Markup {
  const lines = text.split('\n');
  const [head, tail] = [isFirst ? 0 : NEAR, isLast ? 0 : NEAR];
  const skipped = lines.length - head - tail;
  if (skipped < 2) return markup`${text}`;
  const before = [...lines.slice(0, head), ''].join('\n');
  const after = ['', ...lines.slice(lines.length - tail)].join('\n');
  return markup`${before}<em>… ${skipped} equal lines</em>${after}`;
}

// Templates of HTML that escape every value, unless the value is markup itself.

/** A piece of a page. Made by `markup` alone, so that every text in it has been escaped. */
interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template with escaped values, for text and attributes in double quotes. */
const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: texts
    // Indentation is for those who read this code, not for a page of hundreds of findings.
    .map((text) => text.replace(/\n\s+/g, '\n'))
    .reduce((before, text, index) => `${before}${partText(parts[index - 1])}${text}`),
});

/** Style and script of the page itself: texts of this package, without data of a review. */
const own = (text: string): Markup => ({ markup: text });

const when = (applies: boolean, made: () => Markup): Markup => (applies ? made() : own(''));

function partText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(visible(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('');
}

/** A file that becomes part of the page, without its indentation: the page is read by browsers. */
const asset = (name: string): string => readFileSync(join(__dirname, 'assets', name), 'utf8').replace(/\n\s*/g, '\n');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A page, a complete HTML document. */
function documentMarkup(title: string, body: Markup): string {
  const style = asset('page.css');
  const script = asset('page.js');
  // Even a text that escaped all escaping could neither run nor send anything.
  const policy = `default-src 'none'; style-src 'sha256-${digest(style)}'; script-src 'sha256-${digest(script)}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${own(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>${own(style)}</style>
      </head>
      <body>
        ${body}
        <script>${own(script)}</script>
      </body>
    </html>
    `.markup;
}

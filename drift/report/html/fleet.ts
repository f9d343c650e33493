// The review of a fleet as one page: the causes, and each stack to unfold, the most urgent first.
import {
  brokenPolicies,
  policyText,
  capital,
  causeAuthor,
  causeIds,
  causeLabels,
  driftCounts,
  gapsOf,
  attributeText,
  causeTitle,
  folderOf,
  liveText,
  stacksOf,
  CLASSIFICATION_WORDS,
  SHOWN_OUTCOMES,
  whoText,
} from '../words';
import { isDrift } from '../../review/outcome';
import { documentMarkup, markup, when, type Markup } from './markup';
import { placeText, type ReportOptions } from '../shown-text';
import { plural } from '../../../api/errors';
import { OUTCOMES, SEVERITIES } from '../../review/review';
import type { Cause, Fleet, FleetStack } from '../../fleet/fleet';
import { outcomeSection, pageFoot, pageHead, panel, tile } from './page';

export function renderFleetHtml(fleet: Fleet, options: ReportOptions = {}): string {
  const { outcome, stacks, causes, calls } = fleet;
  return documentMarkup(
    `${SHOWN_OUTCOMES[outcome].words}: drift review of ${plural(stacks.length, 'stack')}`,
    { styles: ['page.css', 'fleet.css'], script: 'fleet.js' },
    markup`<a class="skip" href="#stacks">Skip to the stacks</a>
      ${headMarkup(fleet)}
      <main>
        ${outcomeMarkup(fleet)}
        ${panel(
          'causes-title',
          'Causes',
          '',
          causes.map((cause) => causeMarkup(cause, fleet)),
        )}
        ${policiesMarkup(fleet)} ${undeclaredMarkup(fleet)}
        <section class="panel" aria-labelledby="stacks-title" id="stacks" tabindex="-1">
          <div class="stacks-head">
            <h2 id="stacks-title">Stacks <span class="count">${stacks.length}</span></h2>
            <label class="field" id="filter" hidden><span>Search</span><input type="search" placeholder="name or outcome" autocomplete="off" spellcheck="false" /></label>
          </div>
          ${mostUrgentFirst(stacks).map(({ stack, index }) => stackMarkup(stack, index, { fleet, options }))}
          <p id="no-match" class="empty" hidden>No stack matches.</p>
        </section>
      </main>
      ${pageFoot(calls)}`,
  );
}

function headMarkup(fleet: Fleet): Markup {
  const { shard, notes } = fleet;
  const title = markup`Fleet${shard === undefined ? undefined : markup`<span class="slash"> / </span>shard ${shard.number} of ${shard.of}`}`;
  return pageHead(title, fleet, [...gapsOf(fleet).map(capital), ...notes]);
}

function outcomeMarkup(fleet: Fleet): Markup {
  const { stacks } = fleet;
  const drift = driftCounts({ findings: stacks.flatMap(({ review }) => review?.findings ?? []) });
  const [settled = 0, open = 0, waiting = 0] = ['in-sync', 'drift', 'not-deployed'].map(
    (each) => stacks.filter((stack) => stack.outcome === each).length,
  );
  return outcomeSection(fleet, [
    ...SEVERITIES.map((severity) => tile(`${severity} drift`, drift[severity], severity)),
    tile('stacks with drift', open, 'other'),
    tile('not deployed', waiting, 'other'),
    tile('in sync', settled, 'other'),
    tile('not reviewed', stacks.length - settled - open - waiting, 'unread'),
  ]);
}

const countsOf = ({ review }: FleetStack): readonly number[] =>
  SEVERITIES.map((severity) => (review === undefined ? 0 : driftCounts(review)[severity]));

/** Unreviewed stacks, then by severity. `index`: the number of the stack in the fleet. */
function mostUrgentFirst(
  stacks: readonly FleetStack[],
): readonly { readonly stack: FleetStack; readonly index: number }[] {
  const ranked = stacks.map((stack, index) => {
    const rank = OUTCOMES.length - OUTCOMES.indexOf(stack.outcome);
    return { stack, index, ranks: [rank, ...countsOf(stack)] };
  });
  return ranked.sort((left, right) =>
    left.ranks.reduce((order, own, at) => (order === 0 ? (right.ranks[at] ?? 0) - own : order), 0),
  );
}

function causeMarkup(cause: Cause, fleet: Fleet): Markup {
  const { id, severity, stacks } = cause;
  const row = (name: string): number => fleet.stacks.findIndex((each) => each.name === name);
  const author = causeAuthor(cause, fleet.started + fleet.took);
  const facts = [liveText(cause), causeLabels(cause), author === '' ? '' : `by ${author}`];
  return markup`<li class="cause">
    <span class="severity ${severity}">${severity}</span> <strong>${causeTitle(cause)}</strong> <code>${id}</code>
    <p>${facts.filter((part) => part !== '').join(' · ')}</p>
    <details>
      <summary>${stacksOf(cause)}</summary>
      <ul class="names">
        ${stacks.map(({ stack }) => markup`<li><a href="#stack-${row(stack)}">${stack}</a></li>`)}
      </ul>
    </details>
  </li>`;
}

const policiesMarkup = ({ stacks }: Fleet): Markup =>
  panel(
    'policies-title',
    'Broken policies',
    '',
    stacks
      .flatMap((stack, row) => brokenPolicies(stack).map((each) => ({ ...each, stack, row })))
      .map(
        ({ policy, level, message, stack, row }) =>
          markup`<li class="policy">
            <span class="severity ${level === 'mandatory' ? 'high' : 'low'}">${level}</span> <strong>${policy}</strong>
            <a href="#stack-${row}">${stack.name}</a>
            <p>${message}</p>
          </li>`,
      ),
  );

function undeclaredMarkup({ undeclared, organizations }: Fleet): Markup {
  if (organizations.length === 0) return markup``;
  return markup`<section class="panel" aria-labelledby="undeclared-title">
    <h2 id="undeclared-title">Assemblies that no stack declares${undeclared === undefined ? undefined : markup` <span class="count">${undeclared.length}</span>`}</h2>
    ${undeclared === undefined ? markup`<p>Not known: not every stack could say what it declares.</p>` : undefined}
    <ul>
      ${(undeclared ?? []).map(({ address, author }) => markup`<li><strong>${address}</strong>${author === undefined ? undefined : ` last written by ${whoText(author)}`}</li>`)}
    </ul>
  </section>`;
}

function stackMarkup(
  stack: FleetStack,
  index: number,
  { fleet, options }: { readonly fleet: Fleet; readonly options: ReportOptions },
): Markup {
  const { name, folder, outcome, summary, review } = stack;
  const shown = { ...options, ...folderOf(folder, options) };
  const findings = review?.findings ?? [];
  const cause = causeIds(fleet);
  return markup`<details class="stack" id="stack-${index}" data-text="${name} ${SHOWN_OUTCOMES[outcome].words}">
    <summary>
      <strong>${name}</strong> <span class="state ${outcome}">${SHOWN_OUTCOMES[outcome].words}</span>
      ${countsOf(stack).map((count, at) => when(count > 0, () => markup`<span class="severity ${SEVERITIES[at]}">${count} ${SEVERITIES[at]}</span>`))}
    </summary>
    <p>${summary}</p>
    <ul>
      ${brokenPolicies(stack).map((each) => markup`<li>${policyText(each)}</li>`)}
      ${findings.map((finding) => {
        const attribute = attributeText(finding);
        const { address, severity, classification, at, author, id } = finding;
        return markup`<li>
          <span class="severity ${isDrift(finding) ? severity : 'other'}">${isDrift(finding) ? severity : 'no drift'}</span>
          ${address}${attribute === undefined ? undefined : markup` <code>${attribute}</code>`}
          <p>${CLASSIFICATION_WORDS[classification].label}${author === undefined ? undefined : ` by ${whoText(author)}`}${at === undefined ? undefined : ` · ${placeText(at, shown)}`} · finding <code>${id}</code>${cause.has(id) ? markup` · cause <code>${cause.get(id)}</code>` : undefined}</p>
        </li>`;
      })}
    </ul>
  </details>`;
}

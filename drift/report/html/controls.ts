// The controls of the page: filters, the choice between table and details, and the bar of what is selected. The script shows them.
import { CLASSIFICATIONS, type DriftFinding, type Review } from '../../review/review';
import { CLASSIFICATION_WORDS, whoText } from '../words';
import { BUCKETS, bucketCounts, bucketWord } from './finding';
import { markup, type Markup } from './markup';

type Choices = readonly (readonly [value: string, text: string])[];

const choiceMarkup = (name: string, label: string, choices: Choices): Markup =>
  markup`<label class="field"
    ><span>${label}</span
    ><select name="${name}">
      <option value="">All</option>
      ${choices.map(([value, text]) => markup`<option value="${value}">${text}</option>`)}
    </select></label
  >`;

/** The filters are for the script to show: without it everything is shown. */
export function filterMarkup({ findings }: Review): Markup {
  if (findings.length === 0) return markup``;
  const tally = (of: (finding: DriftFinding) => string): ReadonlyMap<string, number> =>
    findings.reduce((map, finding) => map.set(of(finding), (map.get(of(finding)) ?? 0) + 1), new Map<string, number>());
  const kinds = tally(({ kind }) => kind);
  const people = tally(({ author }) => (author === undefined ? '' : whoText(author)));
  const classifications = tally(({ classification }) => classification);
  const sorted = (map: ReadonlyMap<string, number>): Choices =>
    [...map]
      .filter(([name]) => name !== '')
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, count]) => [name, `${name} (${count})`]);
  const counts = bucketCounts(findings);
  return markup`<form class="filters" id="filters" role="search" aria-label="Filter findings" hidden>
    <label class="field text"
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
    ${choiceMarkup(
      'classification',
      'Classification',
      CLASSIFICATIONS.flatMap((each) =>
        classifications.has(each)
          ? [[each, `${CLASSIFICATION_WORDS[each].label} (${classifications.get(each) ?? 0})`] as const]
          : [],
      ),
    )}
    ${choiceMarkup('kind', 'Kind', sorted(kinds))} ${choiceMarkup('person', 'Person', sorted(people))}
    <button type="reset">Reset</button>
  </form>`;
}

const CHECKED = markup` checked`;

/** The choice between details and table; part of the form, next to the heading. */
export const viewMarkup = ({ findings }: Review): Markup =>
  findings.length === 0
    ? markup``
    : markup`<fieldset class="chips views" hidden>
        <legend class="unseen">View</legend>
        ${(['details', 'table'] as const).map(
          (view) =>
            markup`<label class="chip"
              ><input type="radio" name="view" form="filters" value="${view}"${view === 'details' ? CHECKED : undefined} /><span>${view}</span></label
            >`,
        )}
      </fieldset>`;

/** What can be done with several findings at the same time; hidden while none is selected. */
export function selectionMarkup({ findings }: Review): Markup {
  if (findings.length === 0) return markup``;
  return markup`<section class="selection" aria-label="Selected findings" hidden>
    <strong role="status" class="selected"></strong>
    <button type="button" data-verb="revert">Copy revert</button>
    <button type="button" data-verb="accept">Copy accept</button>
    <button type="button" data-verb="ignore">Copy ignore</button>
    <button type="button" class="all">Select all shown</button>
    <button type="button" class="clear">Clear</button>
    <code class="made"></code>
  </section>`;
}

// The review of a fleet as text for a terminal: what caused it first, then each stack.
import { plural } from '../../api/errors';
import { OUTCOME_STYLES } from '../report/text';
import {
  brokenPolicies,
  policyText,
  agoText,
  attributeText,
  driftCountText,
  OUTCOME_WORDS,
  timeText,
  whoText,
  CLASSIFICATION_WORDS,
} from '../report/words';
import { placeText, type ReportOptions, oneLine, sideTexts } from '../report/shown-text';
import { columnsOf, fitted, padded, painter, wrapped, type Paint, type TextStyle } from '../report/text-layout';

import type { Severity } from '../review/review';
import type { Cause, Fleet, FleetStack } from './fleet';

/** What was written, without the value: `Component attributes.max_threads`; of complete records, `Component tomcat`. */
export const causeTitle = ({ kind, attribute, name }: Cause): string => `${kind} ${attribute ?? name ?? ''}`;

/** The new value on one line; empty for complete records. */
export function liveText({ live }: Cause): string {
  if (live === undefined) return '';
  if (live.is === 'secret') return 'a secret; whether it is the same everywhere is not known';
  const [side] = sideTexts({ live } as Parameters<typeof sideTexts>[0]);
  return `now ${oneLine(side?.text ?? '')}`;
}

/** `high; changed in the service, by maria, since 2 hours ago`. `now`: milliseconds since 1970. */
export function causeHistory({ severity, classifications, author, since }: Cause, now: number): string {
  const labels = classifications.map((each) => CLASSIFICATION_WORDS[each].label).join(', ');
  const when = since === 0 ? '' : `, since ${agoText(since, now)}`;
  return `${severity}; ${labels}${author === undefined ? '' : `, by ${whoText(author)}${when}`}`;
}

/** `3 records in 2 stacks`. */
export const stacksOf = ({ records, stacks }: Cause): string =>
  `${plural(records, 'record')} in ${plural(stacks.length, 'stack')}`;

/** Whether a stack has anything to be reported. */
const isSettled = (stack: FleetStack): boolean => stack.outcome === 'in-sync' && brokenPolicies(stack).length === 0;

/** Where relative files of a stack start. */
export const folderOf = (folder: string | undefined, options: ReportOptions): Pick<ReportOptions, 'folder'> =>
  folder === undefined || options.folder === undefined ? {} : { folder: `${options.folder}/${folder}` };

const STYLE: { readonly [of in Severity]: TextStyle } = { high: 'red', medium: 'yellow', low: 'cyan' };

/** Stacks that are named for a cause. */
const NAMED = 5;

interface Page {
  readonly fleet: Fleet;
  readonly options: ReportOptions;
  readonly width: number;
  readonly paint: Paint;
}

/** The fleet as lines of at most `width` columns, as long as no word is longer. Ends in a line break. */
export function renderFleetText(fleet: Fleet, options: ReportOptions = {}): string {
  const page = { fleet, options, width: Math.max(40, options.width ?? 80), paint: painter(options.colour === true) };
  const sections = [headLines(page), causeLines(page), undeclaredLines(page), stackLines(page), stepLines(page)];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.map((line) => line.trimEnd()).join('\n')}\n`)
    .join('\n');
}

const heading = ({ width, paint }: Page, words: string): string =>
  paint(['bold', 'blue'], `── ${words} ${'─'.repeat(Math.max(0, Math.min(width, 120) - columnsOf(words) - 4))}`);

function headLines({ fleet, width, paint }: Page): readonly string[] {
  const { started, took, calls, shard, missing, outcome, summary, notes, organizations } = fleet;
  const style = OUTCOME_STYLES[outcome];
  const part = shard === undefined ? '' : `, shard ${shard.number} of ${shard.of}`;
  const facts = [
    `${timeText(started)}, took ${(took / 1000).toFixed(1)} s and ${plural(calls, 'request')}`,
    ...(missing.length === 0 ? [] : [`no result of shard ${missing.map(({ number }) => number).join(', ')}`]),
    ...organizations.flatMap(({ organization, problem }) =>
      problem === undefined ? [] : [`the assemblies of ${organization} could not be read: ${problem}`],
    ),
    ...notes,
  ];
  return [
    paint('bold', `Drift review of ${plural(fleet.stacks.length, 'stack')}${part}`),
    ...facts.flatMap((fact) => wrapped(oneLine(fact), width, '  ').map((line) => paint('dim', line))),
    ...wrapped(`${OUTCOME_WORDS[outcome].toUpperCase()}: ${oneLine(summary)}`, width, '', '  ').map((line) =>
      paint(['bold', style], line),
    ),
  ];
}

function causeLines(page: Page): readonly string[] {
  const { fleet, width, paint } = page;
  if (fleet.causes.length === 0) return [];
  return [
    heading(page, `Causes (${fleet.causes.length})`),
    ...fleet.causes.flatMap((cause) => [
      '',
      ...leftRight(
        oneLine(causeTitle(cause)),
        cause.id,
        width,
        (left, right) => paint(['bold', STYLE[cause.severity]], left) + paint('dim', right),
      ),
      ...factLines(page, cause),
    ]),
  ];
}

function factLines({ fleet, width }: Page, cause: Cause): readonly string[] {
  const names = cause.stacks.map(({ stack }) => oneLine(stack));
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : '';
  const live = liveText(cause);
  return [
    ...(live === '' ? [] : [`    ${fitted(live, width - 4)}`]),
    ...wrapped(causeHistory(cause, fleet.started + fleet.took), width, '    '),
    ...wrapped(`${stacksOf(cause)}: ${names.slice(0, NAMED).join(', ')}${more}`, width, '    '),
  ];
}

function undeclaredLines(page: Page): readonly string[] {
  const { fleet, width } = page;
  if (fleet.undeclared === undefined && fleet.organizations.length === 0) return [];
  if (fleet.undeclared === undefined)
    return wrapped(
      'Which assemblies no stack declares is not known: not every stack could say what it declares.',
      width,
    );
  if (fleet.undeclared.length === 0) return [];
  return [
    heading(page, `Assemblies that no stack declares (${fleet.undeclared.length})`),
    ...fleet.undeclared.map(({ address, author }) =>
      fitted(
        `  ${oneLine(address)}${author === undefined ? '' : `  last written by ${whoText(author)}, ${agoText(author.when, fleet.started + fleet.took)}`}`,
        width,
      ),
    ),
  ];
}

function stackLines(page: Page): readonly string[] {
  const { fleet, width, paint } = page;
  const unsettled = fleet.stacks.filter((stack) => !isSettled(stack));
  if (unsettled.length === 0) return [];
  return [
    heading(page, `Stacks (${unsettled.length} of ${fleet.stacks.length})`),
    ...unsettled.flatMap((stack) => [
      '',
      ...leftRight(
        oneLine(stack.name),
        OUTCOME_WORDS[stack.outcome],
        width,
        (left, right) => paint('bold', left) + right,
      ),
      ...findingLines(page, stack),
    ]),
  ];
}

/** Findings, a line each; all of them is in the JSON, and in the review of the stack alone. */
function findingLines({ options, width, fleet }: Page, stack: FleetStack): readonly string[] {
  const { review, summary, folder } = stack;
  const shown = { ...options, ...folderOf(folder, options) };
  const cause = new Map(
    fleet.causes.flatMap(({ id, stacks }) =>
      stacks.flatMap(({ findings }) => findings.map((each) => [each, id] as const)),
    ),
  );
  return [
    ...wrapped(oneLine(summary), width, '    '),
    ...brokenPolicies(stack).flatMap((each) => wrapped(policyText(each), width, '    ', '      ')),
    ...(review === undefined || review.findings.length === 0 ? [] : [`    ${driftCountText(review)}`]),
    ...(review?.findings ?? []).flatMap((finding) => {
      const place = finding.at === undefined ? '' : placeText(finding.at, shown);
      const attribute = attributeText(finding);
      const subject = oneLine(`${finding.address}${attribute === undefined ? '' : ` ${attribute}`}`);
      return leftRight(
        `    ${cause.get(finding.id) ?? ' '.repeat(10)} ${subject}`,
        place,
        width,
        (left, right) => left + right,
      );
    }),
  ];
}

function stepLines(page: Page): readonly string[] {
  const { fleet, paint } = page;
  if (fleet.causes.length === 0) return [];
  return [
    heading(page, 'What to do'),
    '  Decide on a cause in all of its stacks together, from the saved review:',
    ...['accept', 'revert', 'ignore'].map((verb) =>
      paint('bold', `    pulumi-oneops drift ${verb} --cause ID --from FLEET.json`),
    ),
  ];
}

/** Left and right at the two edges, or below each other. */
function leftRight(
  left: string,
  right: string,
  width: number,
  paint: (left: string, right: string) => string,
): readonly string[] {
  const room = width - columnsOf(right) - 2;
  if (columnsOf(left) <= room) return [paint(padded(left, room), `  ${right}`)];
  const indent = /^ */.exec(left)?.[0] ?? '';
  return [
    ...wrapped(left.trimStart(), width, indent, `${indent}  `).map((line) => paint(line, '')),
    ...(right === '' ? [] : [paint('', `${indent}  ${fitted(right, width - indent.length - 2)}`)]),
  ];
}

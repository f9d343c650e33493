// A review of one or many stacks as a comment on a pull request, as short as a comment must be.
import type { FilePlace } from '../../stack';
import { CLASSIFICATIONS, SEVERITIES, type DriftFinding, type Review } from '../review/review';
import { lineDifference } from '../difference';
import { fenced, fitting, foreign, foreignLong, sentence } from './markdown-text';
import { firstOf, plural } from '../../api/errors';
import type { FleetCause, Fleet, FleetStack } from '../fleet/fleet';
import {
  aloneIn,
  brokenPolicies,
  brokenText,
  reasonsOf,
  capital,
  causeAuthor,
  causeIds,
  fleetTitle,
  gapsOf,
  openStacks,
  sortedOut,
  nextSteps,
  attributeText,
  causeTitle,
  stepsOf,
  wordsOf,
  comparedText,
  coverageText,
  driftCountText,
  liveText,
  knownOf,
  SHOWN_OUTCOMES,
  stackOptions,
  serviceText,
  subjectText,
  timeText,
  whoText,
} from './words';
import { ignoredText, placeText, type ReportOptions, clipped, comparedColumns } from './shown-text';

/** Characters a report has at most: services that take comments take a little more. */
export const MARKDOWN_LIMIT = 60_000;

const ROOM_FOR_REST = 300;
const MOST_LINES = 40;
const LONGEST_LINE = 300;

/** First line of a report, the same for every review of a stack: it finds the comment to edit. */
export const markdownMarker = ({ organization, stack }: Pick<Review, 'organization' | 'stack'>): string =>
  `<!-- pulumi-oneops drift ${commentMark(organization)}/${commentMark(stack ?? '')} -->`;

const FLEET_MARKER = '<!-- pulumi-oneops drift fleet -->';

/** A text inside a comment of HTML: nothing that could end it, no space, and never two dashes. */
const commentMark = (text: string): string =>
  encodeURIComponent(clipped(text, 200).replace(/\p{Cs}/gu, '\ufffd')).replace(/--/g, '%2D%2D');

/** The comment, at most `MARKDOWN_LIMIT` UTF-16 units. What does not fit is counted. */
export function renderMarkdown(fleet: Fleet, options: ReportOptions = {}): string {
  const steps = nextSteps(fleet)
    .map(({ what, command }) => `- ${what}${command === undefined ? '' : `: ${foreign(command)}`}\n`)
    .join('');
  const tail = steps === '' ? '' : `\n**What to do**\n\n${steps}`;
  const alone = aloneIn(fleet);
  const notes = [...gapsOf(fleet), ...fleet.notes, ...(alone?.notes ?? [])].map((note) => `- ${sentence(note)}\n`);
  let text = headText(fleet);
  const left = (): number => MARKDOWN_LIMIT - text.length - tail.length;
  text += partText(['Notes', 0.2, notes], left());
  if (alone === undefined) for (const table of fleetTables(fleet)) text += table(left() * 0.6);
  for (const part of alone === undefined ? [stacksPart(fleet, options)] : partsOf(alone, options))
    text += partText(part, left());
  return text + tail;
}

/** The findings of a stack, list by list. */
function partsOf(review: Review, options: ReportOptions, causes?: ReadonlyMap<string, string>): readonly Part[] {
  const { drift, waiting, others } = sortedOut(review);
  const { unread, problems, ignored } = review;
  const textsOf = (findings: readonly DriftFinding[]): readonly string[] =>
    findings.map((finding) => findingText(finding, review, { options, cause: causes?.get(finding.id) }));
  const lineOf = (named: string, at: FilePlace | undefined, message: string): string =>
    `- ${named}${at === undefined ? '' : `, ${foreign(placeText(at, options))}`}: ${sentence(message)}\n`;
  return [
    [
      'Not read',
      0.2,
      unread.map(({ kind, address, reason }) => lineOf(foreignLong(`${kind} ${address}`), undefined, reason)),
    ],
    [
      'Broken policies',
      0.3,
      brokenPolicies(review).map(({ policy, level, message, at }) =>
        lineOf(`${level} ${foreign(policy)}`, at, message),
      ),
    ],
    ['Rule files', 0.2, problems.map(({ severity, message, at }) => lineOf(severity, at, message))],
    ...SEVERITIES.map((severity): Part => {
      const own = drift.filter((finding) => finding.severity === severity);
      return [`${capital(severity)} drift`, 0.8, textsOf(own), severity === 'high' ? 'open' : 'folded'];
    }),
    ['Not deployed', 0.8, textsOf(waiting)],
    [
      'Not drift',
      0.6,
      CLASSIFICATIONS.flatMap((each) => textsOf(others.filter(({ classification }) => classification === each))),
      'folded',
    ],
    [
      'Ignored',
      0.8,
      ignored.map((each) => `- ${foreignLong(subjectText(each.finding))}: ${sentence(ignoredText(each))}\n`),
      'folded',
    ],
  ];
}

/** The findings of the stacks of a fleet, each under its name. */
function stacksPart(fleet: Fleet, options: ReportOptions): Part {
  const causes = causeIds(fleet);
  const texts = openStacks(fleet).flatMap((stack) => {
    const { name, review } = stack;
    const parts = review === undefined ? [] : partsOf(review, stackOptions(stack, options), causes);
    const items = parts.flatMap(([title, , own]) => withHeading(`_${title} (${own.length})_`, own));
    return withHeading(`**${foreignLong(name)}**`, items);
  });
  return ['What was found in the stacks', 0.9, texts, 'folded'];
}

/** Items with a heading in front of the first. */
const withHeading = (heading: string, [first, ...others]: readonly string[]): readonly string[] =>
  first === undefined ? [] : [`\n${heading}\n\n${first}`, ...others];

/** A list. `share`: of the room that is left, so that what follows is seen, too. */
type Part = readonly [title: string, share: number, items: readonly string[], state?: 'open' | 'folded'];

function partText([title, share, items, state = 'open']: Part, left: number): string {
  if (items.length === 0) return '';
  const named = `${title} (${items.length})`;
  const start = `\n<details${state === 'open' ? ' open' : ''}><summary><b>${named}</b></summary>\n\n`;
  const end = '\n</details>\n';
  const room = Math.floor(left * share) - start.length - end.length - ROOM_FOR_REST;
  const { shown, left: rest } = fitting(items, room);
  const text = shown.join('');
  if (rest === 0) return start + text + end;
  if (left < ROOM_FOR_REST) return '';
  return shown.length === 0
    ? `\n**${named}**: too long to be shown here; the other reports show all of it.\n`
    : `${start}${text}\n… and ${rest} more: too long to be shown here; the other reports have them.\n${end}`;
}

function headText(fleet: Fleet): string {
  const { outcome, summary, started, took, calls } = fleet;
  const alone = aloneIn(fleet);
  return [
    alone === undefined ? FLEET_MARKER : markdownMarker(alone),
    `### ${SHOWN_OUTCOMES[outcome].emoji} ${SHOWN_OUTCOMES[outcome].words}: ${foreign(clipped(fleetTitle(fleet), 160))}`,
    '',
    sentence(summary),
    '',
    ...(alone === undefined ? [] : reviewedText(alone)),
    `${timeText(started)}, in ${(took / 1000).toFixed(1)} s with ${plural(calls, 'request')}.`,
    '',
  ].join('\n');
}

/** How much was found in a stack, and what was compared. */
function reviewedText(review: Review): readonly string[] {
  const { waiting, others } = sortedOut(review);
  const { user, ignored, unread } = review;
  const speaker = user === undefined ? '' : ` as ${foreign(user)}`;
  return [
    '| Drift | Not deployed | Not drift | Ignored | Not read |',
    '|---|---|---|---|---|',
    `| ${driftCountText(review)} | ${waiting.length} | ${others.length} | ${ignored.length} | ${unread.length} |`,
    '',
    `${coverageText(review)}. Compared ${comparedText(review)} on ${foreign(clipped(serviceText(review), 200))}${speaker},`,
  ];
}

function findingText(
  finding: DriftFinding,
  review: Review,
  { options, cause }: { readonly options: ReportOptions; readonly cause: string | undefined },
): string {
  const { id, kind, address, at } = finding;
  const attribute = attributeText(finding);
  const facts = [
    `${foreign(kind)} · ${wordsOf(finding).label}${at === undefined ? '' : ` · ${foreign(placeText(at, options))}`} · ${foreign(id)}`,
    ...knownOf(finding, review).map(sentence),
    ...(cause === undefined ? [] : [`cause ${foreign(cause)}`]),
    ...stepsOf(finding).map(([word, how, command]) => `${word}: ${stepText(how, command)}`),
  ];
  return [
    `**${foreignLong(address)}${attribute === undefined ? '' : ` ${foreignLong(attribute)}`}**<br>`,
    facts.join('<br>\n'),
    '',
    ...valuesText(finding),
    '',
    '',
  ].join('\n');
}

/** What to do, with the command alone as code: it is copied. */
function stepText(how: string, command: string | undefined): string {
  if (command === undefined) return sentence(how);
  const [before = '', ...after] = how.split(command);
  const said = [before.trim(), command, after.join(command).trim()].filter((part) => part !== '');
  return said.map((part) => (part === command ? foreign(part) : sentence(part))).join(' ');
}

/** Values as a difference that comments colour. */
function valuesText(finding: DriftFinding): readonly string[] {
  const { columns, before } = comparedColumns(finding);
  if (before === undefined) return [];
  const others = columns.filter((column) => column !== before);
  const left = before.names.join(', ');
  if (others.length === 0) {
    const lines = before.text.split('\n').slice(0, MOST_LINES);
    return fenced([`  ${left}`, ...lines.map((line) => `  ${clipped(line, LONGEST_LINE)}`)]);
  }
  return others.flatMap((after) => {
    const lines = lineDifference(before.text, after.text);
    const shown = lines.map(({ is, text }) => clipped(`${SIGNS[is]} ${text}`, LONGEST_LINE));
    const head = `# ${left} → ${after.names.join(', ')}`;
    return fenced([head, ...firstOf(shown, MOST_LINES, (rest) => `# ${rest} more lines`)]);
  });
}

const SIGNS = { removed: '-', added: '+', skipped: '#', same: ' ' } as const;

const NAMED = 3;

/** The causes of a fleet, its stacks, and the assemblies that none of them declares. */
const fleetTables = (fleet: Fleet): readonly ReturnType<typeof table>[] => [
  table(
    'Causes',
    ['Cause', 'What', 'Now', 'By', 'Stacks'],
    fleet.causes.map((cause) => causeRow(cause, fleet)),
  ),
  table('Stacks', ['Stack', 'Outcome', 'Drift', 'What it rests on'], openStacks(fleet).map(stackRow)),
  table(
    'Assemblies that no stack declares',
    ['Address', 'Last written by'],
    (fleet.undeclared ?? []).map(({ address, author }) => [
      foreignLong(address),
      author === undefined ? '' : foreignLong(whoText(author)),
    ]),
  ),
];

/** A table that knows its room. */
const table =
  (title: string, columns: readonly string[], rows: readonly (readonly string[])[]) =>
  (room: number): string => {
    if (rows.length === 0) return '';
    const start = `\n**${title} (${rows.length})**\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}\n`;
    const { shown, left } = fitting(
      rows.map((cells) => `| ${cells.join(' | ')} |\n`),
      room - start.length - ROOM_FOR_REST,
    );
    return `${start}${shown.join('')}${left === 0 ? '' : `\n… and ${left} more; the other reports have them.\n`}`;
  };

function causeRow(cause: FleetCause, { started, took }: Fleet): readonly string[] {
  const { id, severity, stacks } = cause;
  const names = stacks.map(({ stack }) => foreignLong(stack));
  const author = causeAuthor(cause, started + took);
  return [
    `${foreign(id)} ${severity}`,
    foreignLong(causeTitle(cause)),
    liveText(cause) === '' ? '' : foreignLong(liveText(cause).replace(/^now /, '')),
    author === '' ? '' : foreignLong(author),
    `${stacks.length}: ${firstOf(names, NAMED).join(', ')}`,
  ];
}

const stackRow = (stack: FleetStack): readonly string[] => [
  foreignLong(stack.name),
  SHOWN_OUTCOMES[stack.outcome].words,
  stack.review === undefined ? '' : driftCountText(stack.review),
  [stack.summary, ...brokenText(stack.review), ...reasonsOf(stack)].map(sentence).join('; '),
];

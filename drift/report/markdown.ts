// A review of one or many stacks as a comment on a pull request, as short as a comment must be.
import { CLASSIFICATIONS, SEVERITIES, type DriftFinding, type FilePlace, type Review } from '../review/review';
import { lineDifference } from '../difference';
import { fenced, fitting, foreign, foreignLong, sentence } from './markdown-text';
import { plural } from '../../api/errors';
import type { Cause, Fleet, FleetStack } from '../fleet/fleet';
import {
  brokenPolicies,
  capital,
  causeAuthor,
  gapsOf,
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
  serviceText,
  subjectText,
  timeText,
  whoText,
} from './words';
import { placeText, type ReportOptions, clipped, comparedColumns } from './shown-text';

/** Characters a report has at most: services that take comments take a little more. */
export const MARKDOWN_LIMIT = 60_000;

const ROOM_FOR_REST = 300;
const MOST_LINES = 40;
const LONGEST_LINE = 300;

/** First line of a report, the same for every review of a stack: it finds the comment to edit. */
export const markdownMarker = ({ organization, stack }: Pick<Review, 'organization' | 'stack'>): string =>
  `<!-- pulumi-oneops drift ${commentMark(organization)}/${commentMark(stack ?? '')} -->`;

/** A text inside a comment of HTML: nothing that could end it, no space, and never two dashes. */
const commentMark = (text: string): string =>
  encodeURIComponent(clipped(text, 200).replace(/\p{Cs}/gu, '\ufffd')).replace(/--/g, '%2D%2D');

/** The comment, at most `MARKDOWN_LIMIT` UTF-16 units. What does not fit is counted. */
export function renderMarkdown(review: Review, options: ReportOptions = {}): string {
  const { drift, waiting, others } = sortedOut(review);
  const { unread, problems, ignored } = review;
  const textsOf = (findings: readonly DriftFinding[]): readonly string[] =>
    findings.map((finding) => findingText(finding, review, options));
  const lineOf = (named: string, at: FilePlace | undefined, message: string): string =>
    `- ${named}${at === undefined ? '' : `, ${foreign(placeText(at, options))}`}: ${sentence(message)}\n`;
  const steps = nextSteps(review)
    .map(({ what, command }) => `- ${what}${command === undefined ? '' : `: ${foreign(command)}`}\n`)
    .join('');
  const tail = steps === '' ? '' : `\n**What to do**\n\n${steps}`;
  const parts: readonly Part[] = [
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
      ignored.map(
        ({ finding, reason, owner, until }) =>
          `- ${foreignLong(subjectText(finding))}: ${sentence(reason)} (${foreign(owner)}${until === undefined ? '' : `, until ${foreign(until)}`})\n`,
      ),
      'folded',
    ],
  ];
  let text = headText(review);
  for (const part of parts) text += partText(part, MARKDOWN_LIMIT - text.length - tail.length);
  return text + tail;
}

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

function headText(review: Review): string {
  const { outcome, summary, organization, stack, user, started, took, calls, notes, ignored, unread } = review;
  const { waiting, others } = sortedOut(review);
  const speaker = user === undefined ? '' : ` as ${foreign(user)}`;
  return [
    markdownMarker(review),
    `### ${SHOWN_OUTCOMES[outcome].emoji} ${SHOWN_OUTCOMES[outcome].words}: ${foreign(clipped(organization, 80))}${stack === undefined ? '' : ` ${foreign(clipped(stack, 80))}`}`,
    '',
    sentence(summary),
    '',
    '| Drift | Not deployed | Not drift | Ignored | Not read |',
    '|---|---|---|---|---|',
    `| ${driftCountText(review)} | ${waiting.length} | ${others.length} | ${ignored.length} | ${unread.length} |`,
    '',
    `${coverageText(review)}. Compared ${comparedText(review)} on ${foreign(clipped(serviceText(review), 200))}${speaker}, ${timeText(started)}, in ${(took / 1000).toFixed(1)} s with ${plural(calls, 'request')}.`,
    ...(notes.length === 0 ? [] : ['', ...notes.slice(0, 5).map((note) => `- ${sentence(note)}`)]),
    '',
  ].join('\n');
}

function findingText(finding: DriftFinding, review: Review, options: ReportOptions): string {
  const { id, kind, address, at } = finding;
  const attribute = attributeText(finding);
  const facts = [
    `${foreign(kind)} · ${wordsOf(finding).label}${at === undefined ? '' : ` · ${foreign(placeText(at, options))}`} · ${foreign(id)}`,
    ...knownOf(finding, review).map(sentence),
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
    const more = lines.length - MOST_LINES;
    return fenced([
      `# ${left} → ${after.names.join(', ')}`,
      ...lines.slice(0, MOST_LINES).map(({ is, text }) => clipped(`${SIGNS[is]} ${text}`, LONGEST_LINE)),
      ...(more > 0 ? [`# ${more} more lines`] : []),
    ]);
  });
}

const SIGNS = { removed: '-', added: '+', skipped: '#', same: ' ' } as const;

const NAMED = 3;

/** The comment on a fleet, at most `MARKDOWN_LIMIT` UTF-16 units. It counts what does not fit. */
export function renderFleetMarkdown(fleet: Fleet): string {
  const { outcome, summary, started, calls, notes, undeclared = [], stacks } = fleet;
  const unsettled = stacks.filter((each) => each.outcome !== 'in-sync');
  const head = [
    '<!-- pulumi-oneops drift fleet -->',
    `### ${SHOWN_OUTCOMES[outcome].emoji} ${SHOWN_OUTCOMES[outcome].words}: ${plural(stacks.length, 'stack')}`,
    '',
    sentence(summary),
    '',
    `${timeText(started)}, with ${plural(calls, 'request')}.`,
    '',
    ...[...gapsOf(fleet), ...notes].slice(0, 10).map((note) => `- ${sentence(note)}`),
    '',
  ].join('\n');
  const parts = [
    table(
      'Causes',
      ['Cause', 'What', 'Now', 'By', 'Stacks'],
      fleet.causes.map((cause) => causeRow(cause, fleet)),
    ),
    table(
      'Policies',
      ['Stack', 'Policy', 'Level', 'What breaks it'],
      stacks.flatMap((stack) =>
        brokenPolicies(stack).map(({ policy, level, message }) => [
          foreignLong(stack.name),
          foreign(policy),
          level === 'mandatory' ? '**mandatory**' : level,
          sentence(message),
        ]),
      ),
    ),
    table('Stacks', ['Stack', 'Outcome', 'Drift', 'What it rests on'], unsettled.map(stackRow)),
    table(
      'Assemblies that no stack declares',
      ['Address', 'Last written by'],
      undeclared.map(({ address, author }) => [
        foreignLong(address),
        author === undefined ? '' : foreignLong(whoText(author)),
      ]),
    ),
  ];
  let text = head;
  for (const part of parts) text += part((MARKDOWN_LIMIT - text.length) * 0.6);
  return text;
}

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

function causeRow(cause: Cause, { started, took }: Fleet): readonly string[] {
  const { id, severity, stacks } = cause;
  const names = stacks.slice(0, NAMED).map(({ stack }) => foreignLong(stack));
  const more = stacks.length > NAMED ? `, and ${stacks.length - NAMED} more` : '';
  const author = causeAuthor(cause, started + took);
  return [
    `${foreign(id)} ${severity}`,
    foreignLong(causeTitle(cause)),
    liveText(cause) === '' ? '' : foreignLong(liveText(cause).replace(/^now /, '')),
    author === '' ? '' : foreignLong(author),
    `${stacks.length}: ${names.join(', ')}${more}`,
  ];
}

const stackRow = ({ name, outcome, review, summary }: FleetStack): readonly string[] => [
  foreignLong(name),
  SHOWN_OUTCOMES[outcome].words,
  review === undefined ? '' : driftCountText(review),
  sentence(summary),
];

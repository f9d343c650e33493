// The review of a fleet as a comment: causes first, then the stacks, never longer than a comment may be.
import { plural } from '../../api/errors';
import { OUTCOME_SIGNS } from '../report/markdown';
import { brokenPolicies, agoText, driftCountText, OUTCOME_WORDS, timeText, whoText } from '../report/words';
import { MARKDOWN_LIMIT } from '../report/markdown';
import { fitting, foreign, foreignLong, sentence } from '../report/markdown-text';

import type { Cause, Fleet, FleetStack } from './fleet';
import { causeTitle, liveText } from './text';

/** Stacks that are named in the row of a cause. */
const NAMED = 3;

/** Characters kept for what ends a list that was cut. */
const ROOM_FOR_REST = 200;

/** The comment, at most `MARKDOWN_LIMIT` UTF-16 units. Its first line is the same for every review of a fleet. What does not fit is counted. */
export function renderFleetMarkdown(fleet: Fleet): string {
  const { outcome, summary, started, calls, notes, missing, undeclared = [], stacks } = fleet;
  const unsettled = stacks.filter((each) => each.outcome !== 'in-sync');
  const lost = missing.length === 0 ? [] : [`no result of shard ${missing.map(({ number }) => number).join(', ')}`];
  const head = [
    '<!-- pulumi-oneops drift fleet -->',
    `### ${OUTCOME_SIGNS[outcome]} ${OUTCOME_WORDS[outcome]}: ${plural(stacks.length, 'stack')}`,
    '',
    sentence(summary),
    '',
    `${timeText(started)}, with ${plural(calls, 'request')}.`,
    '',
    ...[...lost, ...notes].slice(0, 10).map((note) => `- ${sentence(note)}`),
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
  const { id, severity, author, since, stacks } = cause;
  const names = stacks.slice(0, NAMED).map(({ stack }) => foreignLong(stack));
  const more = stacks.length > NAMED ? `, and ${stacks.length - NAMED} more` : '';
  const when = since === 0 ? '' : `, since ${agoText(since, started + took)}`;
  return [
    `${foreign(id)} ${severity}`,
    foreignLong(causeTitle(cause)),
    liveText(cause) === '' ? '' : foreignLong(liveText(cause).replace(/^now /, '')),
    author === undefined ? '' : `${foreignLong(whoText(author))}${when}`,
    `${stacks.length}: ${names.join(', ')}${more}`,
  ];
}

const stackRow = ({ name, outcome, review, summary }: FleetStack): readonly string[] => [
  foreignLong(name),
  OUTCOME_WORDS[outcome],
  review === undefined ? '' : driftCountText(review),
  sentence(summary),
];

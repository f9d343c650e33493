// What the service says of a plan, as parts of its comment: what comes along, which instances are touched, and what that costs.
import { code, plural, timeText, words } from '../drift';
import { foldedPart, linesWithin, memberList, moreLine } from './markdown-parts';
import type { Plan } from './plan';

/** Characters that each part may take at most. */
const MOST = { waiting: 6_000, live: 8_000 } as const;

/** Releases that come along, which the changes below do not show. */
export function waitingPart({ live, digest }: Plan): readonly string[] {
  const waiting = live?.waiting ?? [];
  if (waiting.length === 0) return [];
  const rows = waiting.map(({ address, releaseId, who = '', when, environments, members }) => {
    const at = when === undefined ? '' : timeText(when);
    const places = environments.map((each) => code(each)).join(' ');
    return `| ${code(address)} ${releaseId} | ${words([who, at].filter(Boolean).join(', '), 80)} | ${places} | ${membersText(members)} |`;
  });
  const table = ['| Release | Committed by | Comes to | What it changes |', '|---|---|---|---|'];
  return [
    `### 🔴 ${plural(waiting.length, 'release')} of others will come along`,
    'The state of the stack does not know them, and the changes below do not contain them. The run brings them to the environments.',
    [...table, ...linesWithin(rows, MOST.waiting, (count) => `| … and ${count} more | | | |`)].join('\n'),
    ...(digest === undefined ? [] : ['`plan verify` accepts them only if `plan digest --live` printed the digest.']),
  ];
}

const membersText = (members: readonly string[] | undefined): string =>
  members === undefined ? 'not known' : memberList(members);

const EFFECTS = { change: 'change', go: '**go**' } as const;

/** What runs now, and what of it is touched. */
export function livePart({ live }: Plan): readonly string[] {
  if (live === undefined) return [];
  const rows = live.touched.flatMap(({ environment, effect, instances }) =>
    Object.entries(instances).map(
      ([component, names]) => `| ${code(environment)} | ${code(component)} | ${names.length} | ${EFFECTS[effect]} |`,
    ),
  );
  const total = live.touched.flatMap(({ instances }) => Object.values(instances)).flat().length;
  const table = ['| Environment | Component | Instances | |', '|---|---|--:|---|'];
  const body = [...table, ...linesWithin(rows, MOST.live / 2, (count) => `| … and ${count} more | | | |`)].join('\n');
  const unread = linesWithin(
    live.unread.map((line) => `- ${words(line, 300)}`),
    MOST.live / 4,
    moreLine,
  );
  return [
    '### What runs now',
    rows.length === 0 ? untouched(live) : foldedPart(`${plural(total, 'instance')} touched`, body),
    ...costLines(live).slice(0, 10),
    ...(unread.length === 0 ? [] : [`Not everything could be read, so this is not complete:\n\n${unread.join('\n')}`]),
  ];
}

/** What is said where no instance is known to be touched: with something that could not be read, that is not known. */
const untouched = ({ unread }: NonNullable<Plan['live']>): string =>
  unread.length === 0 ? 'No running instance is touched.' : 'Whether a running instance is touched is not known.';

function costLines({ costs, withoutOffering, unpriced }: NonNullable<Plan['live']>): readonly string[] {
  const lines = costs.map(({ unit, before, after, machines }) => {
    const difference = after - before;
    const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
    const sums = `${amount(before)} → ${amount(after)} ${words(unit, 10)}`;
    return `<b>Cost by the clouds' offerings: ${sign}${amount(Math.abs(difference))} ${words(unit, 10)} per hour</b> (${sums}, over ${plural(machines, 'machine')} that ${machines === 1 ? 'runs' : 'run'} now)`;
  });
  const missing = `${plural(withoutOffering, 'machine')} without a fitting offering: not in any sum.`;
  const grown = unpriced.map((environment) => `${code(environment)} gets new instances: what they cost is in no sum.`);
  return [...lines, ...(withoutOffering === 0 ? [] : [missing]), ...grown];
}

const amount = (value: number): string => value.toFixed(3).replace(/0$/, '');

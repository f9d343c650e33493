// A plan as Markdown for a pull request, never longer than a comment may be.
import { firstOf, plural } from '../api/errors';
import { block, code, commentName, type Shown, words, timeText, fitting } from '../drift';
import type { Plan, ResourceChange, PlannedDeployment, PlannedOperation } from './plan';

/** Longest comment, in characters: platforms refuse longer ones. */
export const LONGEST_COMMENT = 60_000;

interface MarkdownOptions {
  /** Headline. Default: `Preview of STACK`. */
  readonly title?: string | undefined;
  /** Lines of a list about policies, shown after the risks. */
  readonly policies?: readonly string[];
}

/** Characters each part may take at most; changes take what is left. */
const SHARE = {
  title: 300,
  errors: 14_000,
  warnings: 4_000,
  risks: 10_000,
  policies: 8_000,
  deployments: 12_000,
  waiting: 6_000,
  live: 8_000,
} as const;

/** What a comment of ours begins with, by which it is found to be edited in place. */
export const commentMarker = (stack: string): string => `<!-- pulumi-oneops preview ${commentName(stack)} -->`;

/** The comment. At most 60,000 characters, whatever the plan. */
export function previewMarkdown(plan: Plan, { title, policies = [] }: MarkdownOptions = {}): string {
  const headline = title ?? (plan.stack === '' ? 'Preview' : `Preview of ${plan.stack}`);
  const head = [
    commentMarker(plan.stack).slice(0, SHARE.title),
    `## ${words(headline, 100)}${plan.failed ? ' failed' : ''}`,
    ...(plan.failed ? errorPart(plan) : [summary(plan)]),
    ...riskPart(plan),
    ...waitingPart(plan),
    ...(policies.length === 0 ? [] : ['### Policies', listWithin(policies, SHARE.policies)]),
    ...deploymentPart(plan),
    ...livePart(plan),
    ...warningPart(plan),
    ...digestPart(plan),
  ].join('\n\n');
  const details = changePart(plan, LONGEST_COMMENT - head.length - 2);
  return details === '' ? `${head}\n` : `${head}\n\n${details}\n`;
}

/** The line that names the plan; pipelines look for it. */
function digestPart({ digest, service }: Plan): readonly string[] {
  if (digest === undefined) return [];
  const { url, organization } = service ?? {};
  const named = [
    ...(url === undefined ? [] : [`Service: ${code(url)}`]),
    ...(organization === undefined ? [] : [`Organization: ${code(organization)}`]),
  ];
  const said =
    url === undefined ? [...named, 'No setting names the address of a service: the plan binds none.'] : named;
  return [`Plan: \`${digest}\``, ...(service === undefined ? [] : [said.join('<br>\n')])];
}

const VERBS: { readonly [O in PlannedOperation]: string } = {
  create: 'to create',
  update: 'to change',
  replace: 'to replace',
  delete: 'to delete',
  import: 'to import',
};
const OPERATIONS: readonly PlannedOperation[] = ['delete', 'replace', 'update', 'create', 'import'];

function summary({ changes, deployments, counts }: Plan): string {
  const parts = OPERATIONS.flatMap((operation) => {
    const records = changes.filter((each) => each.operation === operation).length;
    // As `pulumi preview` counts: with releases, deployments and the stack itself.
    const all = Math.max(counts[operation] ?? 0, records);
    const of = records === 0 ? 'no record' : `${plural(records, 'record')} and what follows`;
    const text = `**${all} ${VERBS[operation]}**${records === all ? '' : ` (${of})`}`;
    return all === 0 ? [] : [text];
  });
  const unchanged = counts['same'] === undefined ? '' : `${counts['same']} unchanged`;
  if (parts.length === 0 && deployments.length === 0)
    return `Nothing changes.${unchanged === '' ? '' : ` ${unchanged}.`}`;
  const said = parts.length === 0 ? 'No record changes' : parts.join(', ');
  return `${said}${unchanged === '' ? '' : `, ${unchanged}`}.`;
}

function errorPart({ diagnostics }: Plan): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const parts = errors.flatMap(({ subject, message }) => [
    ...(subject === undefined ? [] : [`${code(subject)}:`]),
    block(message, 1_500),
  ]);
  return [
    'Nothing was changed. What went wrong:',
    ...linesWithin(parts, SHARE.errors, (count) => `… and ${count} more.`),
  ];
}

function warningPart({ diagnostics }: Plan): readonly string[] {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  if (warnings.length === 0) return [];
  const lines = warnings.map(
    ({ subject, message }) => `- ${subject === undefined ? '' : `${code(subject)}: `}${words(message, 300)}`,
  );
  return [foldedPart(`${plural(warnings.length, 'warning')} of the engine`, listWithin(lines, SHARE.warnings))];
}

const MARKS = { high: '🔴', medium: '🟠', low: '🟡' } as const;

function riskPart({ risks }: Plan): readonly string[] {
  if (risks.length === 0) return [];
  const lines = risks.map(
    ({ severity, address, message }) => `- ${MARKS[severity]} ${code(address)}: ${words(message, 400)}`,
  );
  return [`### ⚠️ ${plural(risks.length, 'risk')} to look at`, listWithin(lines, SHARE.risks)];
}

const DOES: { readonly [D in PlannedDeployment['does']]: string } = {
  deploys: 'deploys',
  first: 'is deployed for the first time',
  'tears-down': '**is taken down**',
  'lets-go': 'leaves the stack; what runs stays',
  pulls: 'gets the new design; no deployment of it is declared, so nothing runs it yet',
};

function deploymentPart({ deployments, failed, commits }: Plan): readonly string[] {
  if (failed && deployments.length === 0) return [];
  if (deployments.length === 0) {
    const commit = Object.values(commits).some((members) => members.length > 0);
    return [commit ? 'The design is committed; **no environment deploys.**' : '**No environment deploys.**'];
  }
  const rows = deployments.map(({ environment, does, because }) => {
    const reasons = because.length === 0 && does === 'deploys' ? 'its own settings' : memberList(because);
    return `| ${code(environment)} | ${DOES[does]} | ${reasons} |`;
  });
  return [
    `### ${plural(deployments.length, 'environment')} will be touched`,
    tableWithin('| Environment | What happens | Because of |\n|---|---|---|', rows, SHARE.deployments),
  ];
}

/** Every change, by operation, as far as there is room. */
function changePart({ changes }: Plan, room: number): string {
  let left = room;
  const parts: string[] = [];
  let hidden = 0;
  for (const operation of OPERATIONS) {
    const group = changes.filter((each) => each.operation === operation);
    if (group.length === 0) continue;
    const blocks: string[] = [];
    left -= 150;
    for (const change of group) {
      if (left < ROOM_FOR_THE_END) {
        hidden += 1;
        continue;
      }
      const text = changeText(change);
      // What does not fit completely is shown by its first line, while there is room.
      const short = `${changeHead(change)} (attributes left out)`;
      const fitting = [text, short].find((each) => each.length + 2 < left - ROOM_FOR_THE_END);
      if (fitting === undefined) hidden += 1;
      else {
        blocks.push(fitting);
        left -= fitting.length + 2;
      }
    }
    if (blocks.length > 0) parts.push(foldedPart(`${group.length} ${VERBS[operation]}`, blocks.join('\n\n')));
  }
  if (hidden > 0) parts.push(`… and ${plural(hidden, 'change')} more, for which there is no room in a comment.`);
  return parts.join('\n\n');
}

const ROOM_FOR_THE_END = 200;

function changeHead({ kind, address, at }: ResourceChange): string {
  return `<b>${words(kind, 60)}</b> ${code(address)}${at === undefined ? '' : ` · ${code(at, 120)}`}`;
}

const SHOWN_ATTRIBUTES = 60;

function changeText(change: ResourceChange): string {
  const { operation, attributes } = change;
  if (operation === 'delete' || attributes.length === 0) return changeHead(change);
  const isNew = operation === 'create' || operation === 'import';
  const table = isNew ? ['| Attribute | Value |', '|---|---|'] : ['| Attribute | Before | After |', '|---|---|---|'];
  const rows = attributes.map(({ path, before, after, replaces }) =>
    isNew
      ? `| ${code(path, 120)} | ${valueText(after)} |`
      : `| ${code(path, 120)}${replaces ? ' **replaces**' : ''} | ${valueText(before)} | ${valueText(after)} |`,
  );
  const shown = firstOf(rows, SHOWN_ATTRIBUTES, (rest) => `| … and ${rest} more |${' |'.repeat(isNew ? 1 : 2)}`);
  return `${changeHead(change)}\n\n${[...table, ...shown].join('\n')}`;
}

function valueText(shown: Shown): string {
  switch (shown.is) {
    case 'absent':
      return '';
    case 'unknown':
      return '*known after the run*';
    case 'secret':
      return '*secret*';
    case 'value':
      return code(typeof shown.value === 'string' ? shown.value : JSON.stringify(shown.value));
  }
}

/** Releases that come along, which the changes below do not show. */
function waitingPart({ live }: Plan): readonly string[] {
  const waiting = live?.waiting ?? [];
  if (waiting.length === 0) return [];
  const rows = waiting.map(({ address, releaseId, who = '', when, environments, members }) => {
    const at = when === undefined ? '' : timeText(when);
    const places = environments.map((each) => code(each)).join(' ');
    const what = members === undefined ? 'not known' : memberList(members);
    return `| ${code(address)} ${releaseId} | ${words([who, at].filter(Boolean).join(', '), 80)} | ${places} | ${what} |`;
  });
  const head = '| Release | Committed by | Comes to | What it changes |\n|---|---|---|---|';
  return [
    `### 🔴 ${plural(waiting.length, 'release')} of others will come along`,
    'The state of the stack does not know them, and the changes below do not contain them. The run brings them to the environments; it stops where they take away what the file declares.',
    tableWithin(head, rows, SHARE.waiting),
  ];
}

const EFFECTS = { change: 'change', go: '**go**' } as const;

/** What runs now, and what of it is touched. */
function livePart({ live }: Plan): readonly string[] {
  if (live === undefined) return [];
  const rows = live.touched.flatMap(({ environment, effect, instances }) =>
    Object.entries(instances).map(
      ([component, names]) => `| ${code(environment)} | ${code(component)} | ${names.length} | ${EFFECTS[effect]} |`,
    ),
  );
  const total = live.touched.flatMap(({ instances }) => Object.values(instances)).flat().length;
  const head = '| Environment | Component | Instances | |\n|---|---|--:|---|';
  const unread = listWithin(
    live.unread.map((line) => `- ${words(line, 300)}`),
    SHARE.live / 4,
  );
  const isKnown = live.unread.length === 0;
  return [
    '### What runs now',
    rows.length === 0
      ? `${isKnown ? 'No running instance is touched' : 'Whether a running instance is touched is not known'}.`
      : foldedPart(`${plural(total, 'instance')} touched`, tableWithin(head, rows, SHARE.live / 2)),
    ...costLines(live).slice(0, 10),
    ...(unread === '' ? [] : [`Not everything could be read, so this is not complete:\n\n${unread}`]),
  ];
}

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

/** Lines within a number of characters; the rest by their number. */
function linesWithin(lines: readonly string[], longest: number, rest: (count: number) => string): readonly string[] {
  const { shown, left } = fitting(lines, longest, '\n');
  return left === 0 ? shown : [...shown, rest(left)];
}

const foldedPart = (title: string, body: string): string =>
  `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`;

/** A list, or a table below its head, whose last line counts those that are left out. */
const listWithin = (lines: readonly string[], longest: number): string =>
  linesWithin(lines, longest, (count) => `- … and ${count} more`).join('\n');
const tableWithin = (head: string, rows: readonly string[], longest: number): string => {
  const empty = ' |'.repeat((head.split('\n')[0] ?? '').split('|').length - 3);
  return [head, ...linesWithin(rows, longest, (count) => `| … and ${count} more |${empty}`)].join('\n');
};

const SHOWN_MEMBERS = 12;

/** `~web/compute -web/cron`, the first of them. */
const memberList = (members: readonly string[]): string =>
  firstOf(
    members.map((member) => code(member, 80)),
    SHOWN_MEMBERS,
  ).join(' ');

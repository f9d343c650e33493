// The words every report uses: for classifications, outcomes, stages, users and times.
import { firstOf, plural } from '../../api/errors';
import { defined } from '../../provider/values';
import { isDrift, isRevertible, isWaiting, wasLetIn } from '../review/outcome';
import {
  type Author,
  type Classification,
  type DriftFinding,
  type Outcome,
  type Review,
  type SetIn,
  type Severity,
  type Stage,
  OUTCOMES,
  SEVERITIES,
  type BrokenPolicy,
} from '../review/review';
import type { FleetCause, Fleet, FleetStack } from '../fleet/fleet';
import {
  type ReportOptions,
  clipped,
  comparedSides,
  listed,
  nameInFile,
  oneLine,
  sideTexts,
  bareService,
} from './shown-text';
import type { TextStyle } from './text-layout';

/** The words of a classification in reports: a few words, and a sentence. */
export const CLASSIFICATION_WORDS: {
  readonly [of in Classification]: { readonly label: string; readonly meaning: string };
} = {
  changed: {
    label: 'changed out of band',
    meaning: 'Somebody else changed the live value after it was applied.',
  },
  'changed-by-own-user': {
    label: 'changed by our own user',
    meaning: 'The user whose token this review uses changed the live value: in another run, or by hand.',
  },
  conflict: {
    label: 'conflict',
    meaning: 'The code and the live value both changed, to different values.',
  },
  deleted: {
    label: 'deleted out of band',
    meaning: 'The record was deleted from the service, or its deletion waits for a commit.',
  },
  unexpected: {
    label: 'set in the environment only',
    meaning: 'Nobody declares this value, and neither the design nor the pack nor the environment brings it.',
  },
  undeployed: {
    label: 'not deployed',
    meaning:
      'What was written is not what runs: a deployment failed or was not started, or no instance of a platform runs.',
  },
  undeclared: {
    label: 'undeclared',
    meaning:
      'A record that nobody declares, or of another user under a declared name. Inside a record that this stack created it is drift.',
  },
  touched: {
    label: 'touched',
    meaning: 'Somebody wrote it after it was applied, but no declared value differs.',
  },
  pending: {
    label: 'pending in the code',
    meaning: 'The file was changed, and no run has applied the change yet: no drift.',
  },
  healed: {
    label: 'already healed',
    meaning: 'The live value is not the applied one, but it is the value in the code.',
  },
  normalised: {
    label: 'spelled differently',
    meaning:
      'The live value differs although nobody wrote it: the service spells it differently. This is a defect of this tool.',
  },
};

/** A failing check: no record belongs to it. */
const FAILED_CHECK = {
  label: 'check does not pass',
  meaning: 'A check of the deployment does not pass, from where this review runs. The records are as declared.',
};

/** The words of a finding in reports: a few words, and a sentence. */
export const wordsOf = ({
  kind,
  classification,
  attribute = '',
}: DriftFinding): { readonly label: string; readonly meaning: string } =>
  kind === 'Deployment' && classification === 'undeployed' && attribute.startsWith('checks.')
    ? FAILED_CHECK
    : CLASSIFICATION_WORDS[classification];

/** How reports name `advice.revert`: a committed change that waits is not set back by it. */
const revertWord = ({ classification, waits, author }: DriftFinding): 'deploy' | 'revert' =>
  classification === 'undeployed' && waits && author?.stage !== 'design' ? 'deploy' : 'revert';

/** How reports show an outcome. `sign` is that of a page, and `emoji` that of a comment. */
export const SHOWN_OUTCOMES: {
  readonly [of in Outcome]: {
    readonly words: string;
    readonly sign: string;
    readonly emoji: string;
    readonly style: TextStyle;
  };
} = {
  'in-sync': { words: 'In sync', sign: '✓', emoji: '✅', style: 'green' },
  drift: { words: 'Drift', sign: '≠', emoji: '🔴', style: 'red' },
  'not-deployed': { words: 'Not deployed', sign: '…', emoji: '🟠', style: 'red' },
  incomplete: { words: 'Incomplete', sign: '!', emoji: '⚠️', style: 'yellow' },
  refused: { words: 'Refused', sign: '!', emoji: '⚠️', style: 'yellow' },
};

const STAGE_WORDS: { readonly [of in Stage]: string } = {
  design: 'not committed',
  released: 'not deployed',
  deployed: 'deployed',
};

/** The milliseconds "ago" counts from: the end of the review. */
const nowOf = ({ started, took }: Review): number => started + took;

/** `2026-11-21 12:40 UTC`; words for a time no calendar knows. */
export const timeText = (time: number): string => cutTime(time, 16);

/** `2026-11-21 12:40:03 UTC` */
export const secondText = (time: number): string => cutTime(time, 19);

function cutTime(time: number, characters: number): string {
  const iso = isoText(time);
  return iso === '' ? 'at an unknown time' : `${iso.slice(0, characters).replace('T', ' ')} UTC`;
}

/** `2026-11-21T12:40:03.000Z`; empty for a time no calendar knows. */
export function isoText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const UNITS = [
  ['year', 365 * 86_400_000, 2],
  ['month', 30 * 86_400_000, 2],
  ['week', 7 * 86_400_000, 2],
  ['day', 86_400_000, 2],
  ['hour', 3_600_000, 1],
  ['minute', 60_000, 1],
] as const;

/** `3 hours ago`, `just now`. Days and longer units begin at two. */
export function agoText(time: number, now: number): string {
  const distance = now - time;
  const found = UNITS.find(([, length, least]) => distance >= length * least);
  if (found === undefined) return 'just now';
  const count = Math.floor(distance / found[1]);
  return `${plural(count, found[0])} ago`;
}

/** `maria`, `maria or admin`, `admin or an earlier writer`, `an unknown user`. */
export function whoText({ who, unsure }: Author): string {
  const last = who === '' ? 'an unknown user' : oneLine(who);
  if (unsure === undefined) return last;
  return unsure.length === 0 ? `${last} or an earlier writer` : [...unsure.map(oneLine), last].join(' or ');
}

/** `release 231 (deployed)`, or nothing. */
export function releaseText({ releaseId, stage }: Author): string {
  const reached = stage === undefined ? undefined : STAGE_WORDS[stage];
  return releaseId === undefined
    ? (reached ?? '')
    : `release ${releaseId} (${reached ?? 'whether it is deployed is not known'})`;
}

/** `ada, 3 hours ago, 2026-11-21 12:40 UTC, release 231 (deployed)`. */
function authorText(author: Author, now: number): string {
  const known = author.when === 0 ? '' : `${agoText(author.when, now)}, ${timeText(author.when)}`;
  const when = known === '' && author.who !== '' ? 'at an unknown time' : known;
  return [whoText(author), when, releaseText(author)].filter((part) => part !== '').join(', ');
}

/** `the next pull keeps it (locked by the environment)`. */
function pullText({ follows, nextPull, locked }: SetIn): string {
  if (nextPull === 'overwrites') return 'the next pull overwrites it';
  if (locked) return 'the next pull keeps it (locked by the environment)';
  return follows === 'pack' ? 'the next pull keeps it' : `a pull leaves it: it follows the ${follows}`;
}

/**
 * Where a value was set, by whom, and what becomes of it: `ada, 3 hours ago, …`, or `set in prod
 * only, by ada, 3 hours ago, …; the next pull overwrites it`. Undefined when nothing is known.
 */
function originText({ author, setIn }: DriftFinding, now: number): string | undefined {
  const by = author === undefined ? undefined : authorText(author, now);
  if (setIn === undefined) return by;
  const place = `set in ${oneLine(setIn.environment)} only`;
  return `${by === undefined ? place : `${place}, by ${by}`}; ${pullText(setIn)}`;
}

/** `first seen 3 days ago, in 4 reviews`; undefined without a memory, and for a first review. */
function pastText({ history }: DriftFinding, review: Review): string | undefined {
  if (history === undefined) return undefined;
  const { firstSeen, runs } = history;
  if (runs === 1 && review.findings.every((each) => (each.history?.runs ?? 1) === 1)) return undefined;
  return runs === 1
    ? 'new in this review'
    : `first seen ${agoText(firstSeen, nowOf(review))}, in ${plural(runs, 'review')}`;
}

/** Where a finding comes from, and its past, as far as they are known. */
export const knownOf = (finding: DriftFinding, review: Review): readonly string[] =>
  [originText(finding, nowOf(review)) ?? [], pastText(finding, review) ?? []].flat();

/** What can be done about a finding: `revert`, `deploy` or `accept`, how, and the command in that. */
export const stepsOf = (
  finding: DriftFinding,
): readonly (readonly [word: string, how: string, command: string | undefined])[] => {
  const { revert, accept, commands } = finding.advice;
  return [
    ...(revert === undefined ? [] : [[revertWord(finding), revert, commands?.revert] as const]),
    ...(accept === undefined ? [] : [['accept', accept, commands?.accept] as const]),
  ];
};

/** The findings that are drift, the stack's changes that wait for a deployment, and the others. */
export function sortedOut({ findings }: Pick<Review, 'findings'>): {
  readonly [sort in 'drift' | 'waiting' | 'others']: readonly DriftFinding[];
} {
  return {
    drift: findings.filter(isDrift),
    waiting: findings.filter(isWaiting),
    others: findings.filter((finding) => !isDrift(finding) && !isWaiting(finding)),
  };
}

/** The value with a capital letter: `Not drift`. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export function driftCounts({ findings }: Pick<Review, 'findings'>): { readonly [of in Severity]: number } {
  const count = (severity: Severity): number =>
    findings.filter((finding) => isDrift(finding) && finding.severity === severity).length;
  return { high: count('high'), medium: count('medium'), low: count('low') };
}

/** `2 high, 1 medium, 0 low`. */
export const driftCountText = (review: Pick<Review, 'findings'>): string =>
  SEVERITIES.map((severity) => `${driftCounts(review)[severity]} ${severity}`).join(', ');

/** `12 managed records, 2 undeclared ones: 85 % of what was seen is managed`. */
export function coverageText({ coverage: { managed, read, undeclared } }: Review): string {
  const all = managed + undeclared;
  const share =
    all === 0 || read < managed ? '' : `: ${Math.floor((100 * managed) / all)} % of what was seen is managed`;
  const records =
    read < managed ? `${read} of ${plural(managed, 'managed record')} read` : plural(managed, 'managed record');
  return `${records}, ${undeclared} undeclared ${undeclared === 1 ? 'one' : 'ones'}${share}`;
}

/** `code, state and live`. */
export const comparedText = ({ compared }: Review): string => (compared.length === 0 ? 'nothing' : listed(compared));

/** The attribute as its file spells it: `exec_cmd` in YAML, `execCmd` in a program. */
export const attributeText = ({ attribute, at }: DriftFinding): string | undefined =>
  attribute !== undefined && at !== undefined && /\.ya?ml$/i.test(at.file) ? nameInFile(attribute) : attribute;

/** The subject of a finding: address, and attribute when it is not the whole record. */
export function subjectText(finding: DriftFinding): string {
  const attribute = attributeText(finding);
  return oneLine(attribute === undefined ? finding.address : `${finding.address} ${attribute}`);
}

/** The service's address without a user and a password in it. */
export const serviceText = ({ service }: Review): string => oneLine(bareService(service));

/** Longest value in a message, in UTF-16 units. */
const LONGEST_VALUE = 200;

/** `acme/shop/web/tomcat attributes.port: changed out of band`. */
export const titleText = (finding: DriftFinding): string => `${subjectText(finding)}: ${wordsOf(finding).label}`;

/** `applied 8080, live 8443`, the sides that matter; empty when no values took part. */
function movedText(finding: DriftFinding): string {
  const { from, to } = comparedSides(finding);
  const sides = sideTexts(finding).filter(
    ({ side }) => side === from || side === to || finding.classification === 'conflict',
  );
  return sides.map(({ name, text }) => `${name} ${clipped(oneLine(text), LONGEST_VALUE)}`).join(', ');
}

/** Values, author and past of a finding, one sentence each, without full stops. */
export function findingFacts(finding: DriftFinding, review: Review): readonly string[] {
  const origin = originText(finding, nowOf(review));
  const moved = movedText(finding);
  const past = pastText(finding, review);
  return [
    ...(moved === '' ? [] : [moved]),
    ...(origin === undefined ? [] : [finding.setIn === undefined ? `by ${origin}` : origin]),
    ...(past === undefined ? [] : [past]),
  ];
}

/** Title, values, author, past and advice as sentences on one line. */
export function messageText(finding: DriftFinding, review: Review): string {
  const steps = stepsOf(finding).map(([word, how]) => `${word}: ${oneLine(how)}`);
  const parts = [titleText(finding), ...findingFacts(finding, review), ...steps];
  return `${parts.join('. ')}.`;
}

/**
 * The reason without the attempt and its record, so that equal reasons are printed once. `isShared`:
 * also without the request.
 */
export const unreadCause = (
  { address, reason, authentication }: Review['unread'][number],
  isShared = authentication === true,
): string => {
  if (isShared) return reason.replace(/^cannot read [^:]*: /, '').replace(/ \([A-Z]+ \/[^)]*\)$/, '');
  const [attempt, ...rest] = reason.split(`${address}: `);
  return rest.length > 0 && /^cannot read [a-z ]+$/.test(attempt ?? '') ? rest.join(`${address}: `) : reason;
};

/** Whether no record could be read at all. */
export const isNothingRead = ({ unread, coverage: { read } }: Pick<Review, 'unread' | 'coverage'>): boolean =>
  read === 0 && unread.length > 0;

/** Why a stack of a fleet is incomplete, and which rules have an error: each reason once. */
export function reasonsOf({ review }: FleetStack): readonly string[] {
  const errors = (review?.problems ?? []).filter(({ severity }) => severity === 'error');
  const unread = (review?.unread ?? []).map((each) => unreadCause(each, true));
  const all = [...new Set([...unread, ...errors.map(({ message }) => message)])];
  return firstOf(all, MANY, (rest) => `${rest} more reasons`);
}

/** The policies that are broken, mandatory ones first. */
export const brokenPolicies = ({ policies = [] }: Pick<Review, 'policies'>): readonly BrokenPolicy[] =>
  [...policies].sort((left, right) => Number(right.level === 'mandatory') - Number(left.level === 'mandatory'));

/** `breaks two-clouds (mandatory), costs (advisory)`, each once; nothing where none is broken. */
export function brokenText(review: Pick<Review, 'policies'> | undefined): readonly string[] {
  const names = new Set(brokenPolicies(review ?? {}).map(({ policy, level }) => `${policy} (${level})`));
  return names.size === 0 ? [] : [`breaks ${[...names].join(', ')}`];
}

/** Whether a broken policy counts for the outcome. */
export const isMandatory = ({ level }: BrokenPolicy): boolean => level === 'mandatory';

/** `policy two-clouds (mandatory): Environment shop/prod has 1 active cloud`. */
export const policyText = ({ policy, level, message }: BrokenPolicy): string =>
  oneLine(`policy ${policy} (${level}): ${message}`);

/** Clocks that differ by more milliseconds deserve a word. `doctor` judges by the same. */
export const CLOCK_TOLERANCE = 60_000;

/** The review with the times of the service's records by this clock. */
export function inOwnTime(review: Review): Review {
  const { ahead = 0, ...rest } = review;
  const end = review.started + review.took;
  const timed = <F extends DriftFinding>(finding: F): F => {
    const { author } = finding;
    if (author === undefined || author.when === 0) return finding;
    return { ...finding, author: { ...author, when: Math.min(author.when - ahead, end) } };
  };
  const notes = Math.abs(ahead) > CLOCK_TOLERANCE ? [...review.notes, clockText(ahead)] : review.notes;
  return {
    ...rest,
    notes,
    findings: review.findings.map(timed),
    ignored: review.ignored.map((each) => ({ ...each, finding: timed(each.finding) })),
  };
}

/** `the service's clock is 3 minutes ahead of this one: …`. */
function clockText(ahead: number): string {
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const apart = minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${plural(minutes, 'minute')}`;
  const side = ahead > 0 ? 'ahead of' : 'behind';
  return `the service's clock is ${apart} ${side} this one: the times here are by this one; set both by NTP`;
}

/** One thing to do: a sentence, and the command that does it when there is one. */
interface NextStep {
  readonly what: string;
  readonly command?: string;
}

const DEPLOY = 'pulumi up --refresh';
const DOCTOR = 'pulumi-oneops doctor';

/** Findings that nobody names one by one. */
const MANY = 3;

const DECISIONS: readonly NextStep[] = ['accept', 'revert', 'ignore'].map((verb) => ({
  what: `To ${verb} a cause in all of its stacks, from the saved review`,
  command: `pulumi-oneops drift ${verb} --cause ID --from FLEET.json`,
}));

/** The next steps, most urgent first; empty when there is nothing to do. */
export function nextSteps(fleet: Fleet): readonly NextStep[] {
  const alone = aloneIn(fleet);
  if (alone !== undefined) return stepsAfter(alone);
  return fleet.causes.length === 0 ? [] : DECISIONS;
}

function stepsAfter(review: Review): readonly NextStep[] {
  const { outcome, findings, problems, unread, coverage, policies = [] } = review;
  const away = unread.filter(({ address }) => !address.startsWith(`${review.organization}/`)).length;
  const has = (classification: string): boolean =>
    findings.some((finding) => finding.classification === classification);
  const revertible = findings.filter(isRevertible).length;
  const steps: readonly (readonly [applies: boolean, what: string, command?: string])[] = [
    [!wasLetIn({ unread }), 'The service refused the token: find out why, then review again', DOCTOR],
    [
      outcome === 'refused' || (isNothingRead({ unread, coverage }) && wasLetIn({ unread })),
      'A wrong setting or a failure is likely: check the address, the organization and the rights of the token, then review again',
      DOCTOR,
    ],
    [
      outcome === 'incomplete' && wasLetIn({ unread }) && !isNothingRead({ unread, coverage }) && away < unread.length,
      'Not everything could be read: review again when the service answers',
    ],
    [away > 0, 'Other organizations are not read: review each one', 'pulumi-oneops drift --organization NAME'],
    [
      findings.some(
        ({ classification, advice }) => classification === 'undeployed' && advice.commands?.revert === DEPLOY,
      ),
      'Deploy what was written but does not run',
      DEPLOY,
    ],
    [revertible > 0, 'Restore what was declared', 'pulumi-oneops drift revert ID…'],
    [revertible > MANY, 'Restore all of it, after a look at the requests', 'pulumi-oneops drift revert --all'],
    [
      findings.some(
        (finding) => isDrift(finding) && finding.advice.commands?.accept?.startsWith('pulumi-oneops drift'),
      ),
      'Keep what is live: write it into the file',
      'pulumi-oneops drift accept ID…',
    ],
    [
      has('unexpected'),
      'Expect the values of environments that are live, without declaring them',
      'pulumi-oneops drift record',
    ],
    [
      findings.some(isDrift),
      'Leave it as it is, for a time and a reason',
      'pulumi-oneops drift ignore ID… --reason TEXT --owner NAME --until DAY',
    ],
    [has('pending'), 'Apply what waits in the file', 'pulumi up'],
    [has('healed'), 'Record in the state what is already as declared, and deploy it', DEPLOY],
    [
      findings.some(({ classification, elsewhere }) => classification === 'undeclared' && elsewhere !== true),
      'Declare and import the records that nobody declares, or ignore them',
      'pulumi-oneops import-file KIND:ADDRESS',
    ],
    [
      policies.length > 0,
      'Change what breaks a policy, or say in the policy file, with the reason, why it is an exception',
    ],
    [problems.length > 0, 'Repair the rule files'],
  ];
  return steps.flatMap(([applies, what, command]) => (applies ? [{ what, ...defined({ command }) }] : []));
}

/** The written attribute without its value, `Component attributes.max_threads`, or the record. */
export const causeTitle = ({ kind, attribute, name }: FleetCause): string => `${kind} ${attribute ?? name ?? ''}`;

/** The new value on one line; empty for complete records. */
export function liveText({ live }: FleetCause): string {
  if (live === undefined) return '';
  if (live.is === 'secret') return 'a secret; whether it is the same everywhere is not known';
  const [side] = sideTexts({ live } as Parameters<typeof sideTexts>[0]);
  return `now ${oneLine(side?.text ?? '')}`;
}

/** `maria, since 2 hours ago`; empty when nobody is named. `now`: milliseconds since 1970. */
export const causeAuthor = ({ author, since }: FleetCause, now: number): string =>
  author === undefined ? '' : `${whoText(author)}${since === 0 ? '' : `, since ${agoText(since, now)}`}`;

export const causeLabels = ({ classifications }: FleetCause): string =>
  classifications.map((each) => CLASSIFICATION_WORDS[each].label).join(', ');

/** `high; changed in the service, by maria, since 2 hours ago`. */
export function causeHistory(cause: FleetCause, now: number): string {
  const author = causeAuthor(cause, now);
  return `${cause.severity}; ${causeLabels(cause)}${author === '' ? '' : `, by ${author}`}`;
}

/** The id of the cause of each finding of a fleet, by the id of the finding. */
export const causeIds = ({ causes }: Fleet): ReadonlyMap<string, string> =>
  new Map(causes.flatMap(({ id, stacks }) => stacks.flatMap(({ findings }) => findings.map((each) => [each, id]))));

/** Shards without a result, and organizations that could not be read. */
export const gapsOf = ({ missing, organizations }: Fleet): readonly string[] => [
  ...(missing.length === 0 ? [] : [`no result of shard ${missing.map(({ number }) => number).join(', ')}`]),
  ...organizations.flatMap(({ organization, problem }) =>
    problem === undefined ? [] : [`the assemblies of ${organization} could not be read: ${problem}`],
  ),
];

/** `3 records in 2 stacks`. */
export const stacksOf = ({ records, stacks }: FleetCause): string =>
  `${plural(records, 'record')} in ${plural(stacks.length, 'stack')}`;

/** The review that was made of a stack alone; undefined in a fleet. */
export const aloneIn = ({ stacks: [stack] }: Fleet): Review | undefined =>
  stack?.name === '' ? stack.review : undefined;

/** Stacks that are not in sync, or break a policy, the most urgent first. */
export const openStacks = (fleet: Fleet): readonly FleetStack[] =>
  urgentFirst(fleet).filter(
    ({ name, outcome, review }) => name === '' || outcome !== 'in-sync' || (review?.policies ?? []).length > 0,
  );

/** Stacks by outcome, those that were not reviewed to the end first, then by severity. */
export function urgentFirst({ stacks }: Fleet): readonly FleetStack[] {
  const ranked = stacks.map((stack) => {
    const counts = driftCounts(stack.review ?? { findings: [] });
    return { stack, ranks: [-OUTCOMES.indexOf(stack.outcome), ...SEVERITIES.map((each) => counts[each])] };
  });
  const order = (left: readonly number[], right: readonly number[]): number =>
    left.map((own, at) => (right[at] ?? 0) - own).find((difference) => difference !== 0) ?? 0;
  return ranked.sort((left, right) => order(left.ranks, right.ranks)).map(({ stack }) => stack);
}

/** The subject of a review: `acme, stack dev`, or `25 stacks, shard 3 of 16`. */
export function fleetTitle(fleet: Fleet): string {
  const { shard, stacks } = fleet;
  const alone = aloneIn(fleet);
  if (alone !== undefined) return `${alone.organization}${alone.stack === undefined ? '' : `, stack ${alone.stack}`}`;
  return `${plural(stacks.length, 'stack')}${shard === undefined ? '' : `, shard ${shard.number} of ${shard.of}`}`;
}

/** How the files of a stack are shown: relative ones start in its folder. */
export const stackOptions = ({ folder }: FleetStack, options: ReportOptions): ReportOptions =>
  folder === undefined || options.folder === undefined
    ? options
    : { ...options, folder: `${options.folder}/${folder}` };

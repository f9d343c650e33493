// Decisions on a terminal: three lists, one confirmation, then accept, revert and ignore.
import { existsSync } from 'node:fs';
import { Bug, messageOf, plural } from '../../../api/errors';
import {
  comingAlong,
  describeReversal,
  environmentsOf,
  findingSubject,
  ignoring as withIgnoring,
  planRevert,
  titleText,
  type FleetCause,
  type DriftFinding,
  type Ignoring,
  type Reversal,
  type RevertContext,
  causeHistory,
  causeTitle,
  findingFacts,
  liveText,
  subjectText,
  type Classification,
  type Review,
} from '../../../drift';
import { dayOf, DRIFT_FILE, isDay } from '../../../stack';
import { agreement, chosenOf, textOf, type Terminal, type Choice } from '../../prompts';
import { acceptHere, otherStacksText } from './accept';
import { newDrafts, type Drafts } from './drafts';
import { inFolder } from '../../here/project';
import { columnsOn, fitLines } from '../../here/terminal';
import { alongText, deployed, revertContext, sendReversals } from './revert';
import { textIn, type OpenedReview } from './sources';

interface Planned {
  readonly stack: DecidedStack;
  /** Undefined when nothing is set back. */
  readonly world: RevertContext | undefined;
  readonly reversals: readonly Reversal[];
  /** Names of the environments that run what is set back. */
  readonly environments: readonly string[];
}

/** The terminal that this process runs on; undefined without one, and on one of a CI server. */
export function terminalHere(): Terminal | undefined {
  const { stdin: input, stdout: output, env } = process;
  const isBuild = !['', 'false', '0'].includes(env['CI'] ?? '');
  if (!input.isTTY || !output.isTTY || isBuild || env['TERM'] === 'dumb') return undefined;
  return { input, output };
}

/** Asks with one list for each decision. Returns them by entry; undefined for none at all. */
async function decisionsOf(
  entries: readonly Entry[],
  terminal: Terminal,
): Promise<ReadonlyMap<string, Decision> | undefined> {
  const decided = new Map<string, Decision>();
  for (const decision of DECISIONS) {
    const findings = entries.filter(({ id, possible = [] }) => possible.includes(decision) && !decided.has(id));
    const openIn = ({ id, members = [id] }: Entry): readonly string[] =>
      findings.flatMap((finding) => (members.includes(finding.id) ? [finding.id] : []));
    const open = entries.filter((entry) => openIn(entry).length > 0);
    if (open.length === 0) continue;
    const chosen = await chosenOf(`What do you ${decision}? Tab takes a line, Enter goes on.`, open, terminal);
    if (chosen === undefined) return undefined;
    for (const entry of open) if (chosen.includes(entry.id)) openIn(entry).forEach((id) => decided.set(id, decision));
  }
  return decided;
}

/** Lets a person decide. `nothing`: no change; `failed`: not everything agreed was done. */
export async function decideOn(
  stacks: readonly DecidedStack[],
  causes: readonly FleetCause[],
  terminal: Terminal,
): Promise<'nothing' | 'done' | 'failed'> {
  const list = decisionList(stacks, causes);
  if (list.length === 0) return 'nothing';
  say(terminal, '');
  const decisions = await decisionsOf(list, terminal);
  if (decisions === undefined || decisions.size === 0) return nothing(terminal, 'nothing is decided');
  const ignoring = [...decisions.values()].includes('ignore') ? await ruleFrom(terminal) : NO_RULE;
  if (ignoring === undefined) return nothing(terminal, 'nothing is decided');
  const drafts = newDrafts();
  const plans: Planned[] = [];
  for (const stack of stacks) {
    const chosen = (decision: Decision): readonly DriftFinding[] =>
      stack.review.findings.filter((finding) => decisions.get(entryId(stack, finding)) === decision);
    plans.push(await inFolder(stack.folder, () => planned(stack, { chosen, ignoring, drafts }, terminal)));
  }
  const reversals = plans.flatMap((plan) => plan.reversals);
  if (drafts.names().length + reversals.length === 0) return nothing(terminal, 'nothing is left to do');
  const places = plans.flatMap(placesOf).join(', ');
  const isDeploying = places !== '' && (await agreement(`deploy ${places}, once it is set back?`, terminal));
  if (isDeploying === undefined) return nothing(terminal, 'nothing is decided');
  terminal.output.write(drafts.diff());
  for (const plan of plans) reportRequests(plan, terminal);
  if (isDeploying) {
    for (const plan of plans) await sayWhatComesAlong(plan, terminal);
    say(terminal, `then commit, pull and deploy: ${places}`);
  }
  if (!(await agreement(question(drafts, reversals), terminal)))
    return nothing(terminal, 'nothing was written or sent');
  drafts.write();
  if (drafts.names().length > 0) say(terminal, `written: ${drafts.names().join(', ')}`);
  let isDone = true;
  // What fails in one stack stops no other.
  for (const plan of plans) if (!(await isCarriedOut(plan, isDeploying))) isDone = false;
  return isDone ? 'done' : 'failed';
}

const NO_RULE: Ignoring = { reason: '', owner: '' };

/** Sentences, each line of them as wide as the terminal; what continues one is indented. */
const say = ({ output }: Terminal, text: string): void => void output.write(`${fitLines(text, columnsOn(output))}\n`);

function nothing(terminal: Terminal, why: string): 'nothing' {
  say(terminal, `\n${why}`);
  return 'nothing';
}

interface Choosing {
  readonly chosen: (decision: Decision) => readonly DriftFinding[];
  readonly ignoring: Ignoring;
  readonly drafts: Drafts;
}

/** Works out, in the folder of a stack, what its decisions come to; what is left out is said. */
async function planned(
  stack: DecidedStack,
  { chosen, ignoring, drafts }: Choosing,
  terminal: Terminal,
): Promise<Planned> {
  const of = stack.name === undefined ? '' : `${stack.name}: `;
  const leaveOut = (findings: readonly DriftFinding[], reason: string): void =>
    findings.forEach((finding) => say(terminal, `left out: ${of}${findingSubject(finding)}\n  ${reason}`));
  const without: Planned = { stack, world: undefined, reversals: [], environments: [] };
  const held: DriftFinding[] = [];
  const [accept, revert, ignore] = [chosen('accept'), chosen('revert'), chosen('ignore')];
  if (accept.length > 0)
    attempted(accept, leaveOut, () => {
      const outcome = acceptHere(accept, stack.review, stack.files, drafts);
      for (const { name, text } of outcome.files) drafts.put(name, text);
      held.push(...outcome.held);
      for (const { finding, reason } of outcome.refused) leaveOut([finding], reason);
      for (const line of otherStacksText(outcome.otherStacks, { isWritten: false })) say(terminal, `${of}${line}`);
    });
  if (ignore.length > 0) attempted(ignore, leaveOut, () => ignoreIn(ignore, stack, ignoring, drafts));
  try {
    if (revert.length === 0) return without;
    const world = revertContext(await stack.open(), stack.name);
    const plan = await planRevert(world, revert);
    held.push(...plan.held);
    for (const { finding, reason } of plan.refused) leaveOut([finding], reason);
    const environments = environmentsOf(world.declared, plan.reversals).map(({ inputs }) => String(inputs['name']));
    return { stack, world, reversals: plan.reversals, environments };
  } catch (error) {
    if (stack.name === undefined || error instanceof Bug || !(error instanceof Error)) throw error;
    leaveOut(revert, messageOf(error));
    return without;
  } finally {
    for (const finding of held) say(terminal, `${of}${titleText(finding)}\n  is already as decided`);
  }
}

/** Work on files: what they refuse is said of the findings, and stops no other decision. */
function attempted(
  findings: readonly DriftFinding[],
  leaveOut: (findings: readonly DriftFinding[], reason: string) => void,
  work: () => void,
): void {
  try {
    work();
  } catch (error) {
    if (error instanceof Bug || !(error instanceof Error)) throw error;
    leaveOut(findings, messageOf(error));
  }
}

function ignoreIn(
  findings: readonly DriftFinding[],
  { rules: name = DRIFT_FILE }: DecidedStack,
  ignoring: Ignoring,
  drafts: Drafts,
): void {
  const before = drafts.textOf(name) ?? (existsSync(name) ? textIn(name).text : '');
  drafts.put(name, withIgnoring({ name, text: before }, findings, ignoring));
}

/** What a person says of all findings that are ignored; undefined when the person gives up. */
async function ruleFrom(terminal: Terminal): Promise<Ignoring | undefined> {
  const needed = (answer: string): string | undefined => (answer === '' ? 'it is needed' : undefined);
  const today = dayOf();
  const laterDay = (answer: string): string | undefined =>
    answer === '' || (isDay(answer) && answer >= today) ? undefined : `a day from ${today} on`;
  const reason = await textOf('why are they ignored?', needed, terminal);
  const owner = reason && (await textOf('who is responsible for it?', needed, terminal));
  const until = owner && (await textOf('until which day, like 2027-01-31 (empty: no end)?', laterDay, terminal));
  if (!reason || !owner || until === undefined) return undefined;
  return { reason, owner, ...(until === '' ? {} : { until }) };
}

/** The environments to deploy for what is set back: `prod`, or `prod of stacks/mail/dev`. */
const placesOf = ({ stack: { name }, environments }: Planned): readonly string[] =>
  environments.map((environment) => (name === undefined ? environment : `${environment} of ${name}`));

function reportRequests({ stack: { name }, reversals }: Planned, terminal: Terminal): void {
  if (name !== undefined && reversals.length > 0) say(terminal, `${name}:`);
  for (const reversal of reversals) terminal.output.write(`${describeReversal(reversal)}\n`);
}

/** Says what others committed and a deployment brings along, before the person agrees. */
async function sayWhatComesAlong({ stack: { name }, world, reversals }: Planned, terminal: Terminal): Promise<void> {
  if (world === undefined || reversals.length === 0) return;
  const findings = reversals.flatMap((reversal) => reversal.findings);
  const along = await comingAlong(world, { records: reversals, findings });
  if (along.length > 0) say(terminal, `${name === undefined ? '' : `${name}: `}${alongText(along).trimEnd()}`);
}

function question(drafts: Drafts, reversals: readonly Reversal[]): string {
  const files = drafts.names().length;
  const parts = [
    ...(files === 0 ? [] : [`write ${plural(files, 'file')}`]),
    ...(reversals.length === 0 ? [] : [`send ${plural(reversals.length, 'request')}`]),
  ];
  return `${parts.join(' and ')}?`;
}

/** Sets records back, and deploys them if wanted. Returns whether all was done. */
async function isCarriedOut(
  { stack: { name }, world, reversals, environments }: Planned,
  isDeploying: boolean,
): Promise<boolean> {
  if (world === undefined || reversals.length === 0) return true;
  if ((await sendReversals(world, reversals, name)) !== undefined) return false;
  return !isDeploying || environments.length === 0 || deployed(world, reversals, { stack: name });
}

const DECISIONS = ['accept', 'revert', 'ignore'] as const;
type Decision = (typeof DECISIONS)[number];

interface Entry extends Choice {
  /** Of a finding. */
  readonly possible?: readonly Decision[];
  /** Of a cause: ids of the entries that a decision on it is for. */
  readonly members?: readonly string[];
}

export interface DecidedStack {
  /** Its name in the fleet; undefined for the review of one stack. */
  readonly name: string | undefined;
  readonly folder: string;
  readonly review: Review;
  readonly files: readonly string[];
  readonly rules: string | undefined;
  /** What a revert depends on; called when there is one. */
  readonly open: () => Promise<OpenedReview>;
}

/** What the next run of the engine does by itself. */
const SETTLED: readonly Classification[] = ['pending', 'healed'];

/** The entry of a finding: stacks that declare the same record have findings with the same id. */
const entryId = ({ name }: Pick<DecidedStack, 'name'>, { id }: Pick<DriftFinding, 'id'>): string =>
  name === undefined ? id : `${id} ${name}`;

/** The entries. `causes`: of these stacks, under the names that they have in the fleet, or ''. */
function decisionList(stacks: readonly DecidedStack[], causes: readonly FleetCause[]): readonly Entry[] {
  const causeIds = new Map(causes.flatMap((cause) => membersOf(cause).map((member) => [member, cause.id] as const)));
  const findings = stacks.flatMap((stack) =>
    stack.review.findings
      .filter(({ classification }) => !SETTLED.includes(classification))
      .map((finding) => findingEntry(finding, stack, causeIds.get(entryId(stack, finding)))),
  );
  const byId = new Map(findings.map((entry) => [entry.id, entry]));
  const groups = causes.flatMap((cause) => {
    const members = membersOf(cause).flatMap((id) => byId.get(id) ?? []);
    // A cause of one finding is that finding.
    return members.length < 2 ? [] : [causeEntry(cause, members)];
  });
  return [...groups, ...findings];
}

const membersOf = ({ stacks }: FleetCause): readonly string[] =>
  stacks.flatMap(({ stack, findings }) =>
    findings.map((id) => entryId({ name: stack === '' ? undefined : stack }, { id })),
  );

function causeEntry(cause: FleetCause, members: readonly Entry[]): Entry {
  const { id, stacks, since } = cause;
  const names = stacks.flatMap(({ stack }) => (stack === '' ? [] : [stack]));
  const within = names.length > 1 ? ` in ${names.length} stacks` : '';
  const where = names.length === 0 ? members.map(({ title }) => title) : names;
  return {
    id,
    title: `all ${members.length}${within}: ${causeTitle(cause)}`,
    details: [`cause ${id}`, liveText(cause), causeHistory(cause, Math.max(since, Date.now())), where.join(', ')]
      .filter((part) => part !== '')
      .join('. '),
    members: members.map((each) => each.id),
  };
}

/** A finding as an entry of the list. Work of other commands is named, and not offered. */
function findingEntry(finding: DriftFinding, stack: DecidedStack, cause: string | undefined): Entry {
  const { id, advice, at } = finding;
  const offered = (['accept', 'revert'] as const).filter(
    (word) => advice.commands?.[word] === `pulumi-oneops drift ${word} ${id}`,
  );
  const { name, review } = stack;
  const place = at === undefined ? [] : [`declared at ${at.file}:${at.line}`];
  const other = [advice.revert, advice.accept].filter((each) => each !== undefined && offered.length === 0);
  const from = name === undefined ? [] : [name, ...(cause === undefined ? [] : [`cause ${cause}`])];
  return {
    id: entryId(stack, finding),
    // Stacks that share their files have findings that differ in nothing else.
    title: name === undefined ? subjectText(finding) : `${name}: ${subjectText(finding)}`,
    details: [...from, titleText(finding), ...findingFacts(finding, review), ...place, ...other].join('. '),
    possible: [...offered, 'ignore'],
  };
}

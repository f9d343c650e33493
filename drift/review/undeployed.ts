// What was written and is not what runs: deployments that failed or were never begun, runs that stopped before they came to them, and what runs
// otherwise than it was committed. Much of it the state and what was read anyway show; the rest takes a few lists for each environment.
import { routes, type Deployment, type Instance, type Release } from '../../api/contract';
import {
  argumentFor,
  environmentOfInstance,
  isReference,
  type Kind,
  memberPath,
  OUR_MARK,
  parseId,
} from '../../provider';
import type { State } from '../../provider/lifecycle';
import { addressesOf, failedChecks } from '../../provider/kinds';
import { inState, masked, textsIn } from '../../provider/secrets';
import { valueIn } from '../../provider/values';
import type { Evidence, ReadRecord } from './authors';
import { onceEach, type ReviewRecording } from './recording-api';
import { environmentOf } from './releases';
import type { Author, Unread } from './review';
import type { AppliedRecord, Subject } from './sources';
import {
  changedOfPlatforms,
  deployedSince,
  readRuns,
  switchedOff,
  whatRuns,
  type AskingWhatRuns,
  type DeployedPlace,
  type RunsOtherwise,
} from './what-runs';

/** A record, what is seen of it instead of what was written, and by whom. */
export interface Undeployed extends RunsOtherwise {
  readonly subject: Subject;
  /** What was meant, where there is a word for it. */
  readonly applied?: string;
  /** Whether it is more than something to know. */
  readonly counts: boolean;
  /** Whether it is an open, committed or failed change that waits to be deployed. */
  readonly waits?: true;
}

/** What does not run as it was written, what could not be looked at, and a sentence for each thing that nothing shows. */
interface UndeployedRecords {
  readonly found: readonly Undeployed[];
  readonly unread: readonly Unread[];
  readonly notes: readonly string[];
}

/** How checks of deployments are run. */
export interface Checking {
  /** Takes secrets out of what came back. */
  readonly hide: (text: string) => string;
}

/** Evidence, what the lists of an environment are asked with, and whether checks are run. */
type Asking = Evidence & AskingWhatRuns & { readonly checks: Checking | undefined };

/** Each record whose last write is not what runs, and each environment in which something else runs. `known`: what was read of each. */
export async function undeployedIn(
  evidence: Evidence & Pick<Asking, 'api' | 'session' | 'checks'>,
  known: readonly ReadRecord[],
): Promise<UndeployedRecords> {
  const asking: Asking = { ...evidence, api: onceEach(evidence.api) };
  const applied = new Map(
    known.flatMap(({ subject }) => (subject.applied ? [[keyOf(subject.applied), subject.applied] as const] : [])),
  );
  const parts: UndeployedRecords[] = [];
  const rolledOutHere = new Set(known.filter(isRollOut).map(({ subject }) => placeKey(environmentOf(subject))));
  for (const { subject, live } of known) {
    if (live === undefined) continue;
    const state = await rolledOut(asking, subject, live);
    const found = state ?? unfinished(subject, applied);
    if (found !== undefined) parts.push({ found: [{ subject, ...found }], unread: [], notes: [] });
    const isAlone = subject.kind.token === 'Environment' && !rolledOutHere.has(placeKey(environmentOf(subject)));
    if (isAlone) parts.push(await runsUndeclared(asking, subject, declaredOff(known, subject)));
    // What its state says already is not said again.
    else if (rollsOut(subject.kind) && (state === undefined || !state.counts))
      parts.push(await runsDeclared(asking, subject));
    if (rollsOut(subject.kind)) parts.push(await failingChecks(asking, subject, secretsOf(known)));
    if (subject.kind.token === 'Environment') parts.push(await changedWithin(asking, subject));
  }
  return {
    found: parts.flatMap(({ found }) => found),
    unread: parts.flatMap(({ unread }) => unread),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

type Found = Omit<Undeployed, 'subject'>;

/** Whether a state is no deployment's own, but what a look at the environment showed. */
const isTold = (state: string): boolean => state === 'planned' || state.includes(' ');

const keyOf = ({ kind, id }: Pick<AppliedRecord, 'kind' | 'id'>): string => `${kind.token} ${id}`;

/** Whether a record is the roll-out of its environment, and was read. */
const isRollOut = ({ subject: { kind }, live }: ReadRecord): boolean => rollsOut(kind) && live !== undefined;

/** Whether a record of the kind is the roll-out of an environment. Other actions have a state, too. */
const rollsOut = ({ token }: Kind): boolean => token === 'Deployment';

const placeKey = ({ assembly, environment }: DeployedPlace): string => `${assembly}/${environment}`;

/** What is found in an environment, as what is found of a record. */
const asFound = (subject: Subject, found: readonly RunsOtherwise[]): readonly Undeployed[] =>
  found.map((each) => ({ ...each, subject, counts: true }));

/** The instances of an environment, as its read listed them: by itself, or with those of all environments of the assembly. */
function instancesRead(recording: ReviewRecording, at: DeployedPlace): readonly Instance[] | undefined {
  const { environment, ...assembly } = at;
  const all = recording.answer(routes.operations.assemblyInstances, assembly) as readonly Instance[] | undefined;
  const own = recording.answer(routes.operations.environmentInstances, { ...at }) as readonly Instance[] | undefined;
  return own ?? all?.filter((each) => environmentOfInstance(each) === environment);
}

/** What runs in an environment that a declared roll-out is of: its read asked for nearly all of it. */
async function runsDeclared(asking: Asking, subject: Subject): Promise<UndeployedRecords> {
  const { recording } = asking;
  const at = environmentOf(subject);
  const instances = instancesRead(recording, at);
  if (instances === undefined) return { found: [], unread: [], notes: [] };
  const newest = recording.answer(routes.deployments.latest, { ...at }) as Deployment | undefined;
  const planned = openPlan(recording.answer(routes.environmentReleases.bom, { ...at }) as Release | undefined);
  const { found, notes } = await whatRuns(asking, at, { newest, planned, instances });
  return { found: asFound(subject, found), unread: [], notes };
}

/** The checks of a deployment that do not pass: those of its last run, or else those of the file that name no addresses. */
async function failingChecks(
  { checks, recording, session: { clock } }: Asking,
  subject: Subject,
  secrets: readonly string[],
): Promise<UndeployedRecords> {
  if (checks === undefined) return { found: [], unread: [], notes: [] };
  const instances = instancesRead(recording, environmentOf(subject)) ?? [];
  const declared = Object.entries(
    ((subject.applied ?? subject.code)?.inputs['checks'] ?? {}) as {
      readonly [name: string]: { readonly url?: unknown };
    },
  );
  const known = Object.fromEntries(declared.filter(([, check]) => typeof check.url === 'string'));
  const addresses = addressesOf(instances);
  const hide = (text: string): string => checks.hide(masked(text, secrets));
  const failed = await failedChecks(known, addresses, { clock, progress: () => undefined, hide });
  const found = [...failed].map(([name, what]) => ({
    path: ['checks', name],
    live: hide(what),
    takesAway: true,
    byHand: 'repair what answers there: the records are as declared, so that no run does',
  }));
  return { found: asFound(subject, found), unread: [], notes: [] };
}

/** The secrets in what is declared and applied. */
const secretsOf = (known: readonly ReadRecord[]): readonly string[] =>
  known
    .flatMap(({ subject: { code, applied } }) => [code, applied].filter((record) => record !== undefined))
    .flatMap(({ inputs, hidden }) => hidden.flatMap((path) => textsIn(valueIn(inputs, path))));

/** Platforms of an environment that are declared to be off. */
const declaredOff = (known: readonly ReadRecord[], environment: Subject): readonly string[] =>
  known.flatMap(({ subject: { kind, id, code, applied } }) => {
    const { name = '', ...above } = parseId(kind, id)?.address ?? {};
    const isHere =
      above['environment'] !== undefined &&
      placeKey(environmentOf({ kind, id })) === placeKey(environmentOf(environment));
    return isHere && (code ?? applied)?.inputs['enabled'] === false ? [name] : [];
  });

/** What runs in an environment that no declared roll-out is of: another user deploys it. `off`: platforms that are declared to be off. */
async function runsUndeclared(asking: Asking, subject: Subject, off: readonly string[]): Promise<UndeployedRecords> {
  const { api } = asking;
  const at = environmentOf(subject);
  const read = await readRuns(api, at);
  if ('reason' in read) {
    const unread = {
      kind: subject.kind.token,
      address: subject.id,
      reason: `cannot read what runs in ${subject.id}: ${read.reason}`,
    };
    return { found: [], unread: [{ ...unread, ...(read.isRefused ? { authentication: true } : {}) }], notes: [] };
  }
  const { newest, planned } = read;
  const { found, notes } = await whatRuns(asking, at, read);
  const own: Found[] = [];
  if (newest !== undefined && !['complete', 'canceled', 'active'].includes(newest.deploymentState))
    own.push(unfinishedDeployment(newest));
  else if (planned !== undefined)
    own.push({
      path: ['plan'],
      live: COMMITTED,
      author: plannedBy(planned),
      counts: true,
      waits: true,
      takesAway: false,
    });
  const down = (await switchedOff(asking, at)).filter(({ platform }) => !off.includes(platform));
  for (const { platform, reason, author, isDown } of down)
    own.push({
      path: ['platforms', platform, 'enabled'],
      live: `${isDown ? `nothing runs of ${platform}` : `${platform} goes down with the next deployment`}: ${reason}`,
      author,
      counts: true,
      takesAway: true,
    });
  return { found: [...own.map((each) => ({ subject, ...each })), ...asFound(subject, found)], unread: [], notes };
}

/** What somebody set of the dependencies between the components of an environment, and deleted or changed of its platforms, whoever deploys it. */
async function changedWithin(asking: Asking, subject: Subject): Promise<UndeployedRecords> {
  const { found, notes } = await changedOfPlatforms(asking, environmentOf(subject));
  return { found: asFound(subject, found), unread: [], notes };
}

const COMMITTED = 'committed, and not deployed';

const openPlan = (plan: Release | undefined): Release | undefined => (plan?.releaseState === 'open' ? plan : undefined);

const plannedBy = ({ createdBy, created, releaseId }: Release): Author => ({
  who: createdBy ?? '',
  when: created ?? 0,
  releaseId,
});

const deployedBy = ({ updatedBy, createdBy, updated, created }: Deployment): Author => ({
  who: updatedBy ?? createdBy ?? '',
  when: updated ?? created ?? 0,
});

const unfinishedDeployment = (newest: Deployment): Found => ({
  path: ['deployment'],
  applied: 'complete',
  live: `deployment ${newest.deploymentId} ${inState(newest.deploymentState)}`,
  author: deployedBy(newest),
  counts: true,
  waits: true,
  takesAway: false,
});

const STATE = { path: ['state'], applied: 'complete' } as const;

/** What the newest deployment of an environment, and its plan, say against its being complete. */
async function rolledOut(asking: Asking, subject: Subject, live: State): Promise<Found | undefined> {
  const { recording, user } = asking;
  const { kind, applied } = subject;
  const wanted = kind.fills?.['state'];
  if (wanted === undefined) return undefined;
  if (!rollsOut(kind)) return notDone(kind, live.inputs['state'], wanted);
  const at = environmentOf(subject);
  // A 404 leaves no answer.
  const newest = recording.answer(routes.deployments.latest, { ...at }) as Deployment | undefined;
  const planned = openPlan(recording.answer(routes.environmentReleases.bom, { ...at }) as Release | undefined);
  const state = live.inputs['state'];
  if (planned !== undefined && typeof state === 'string' && (state === wanted || isTold(state)))
    return { ...STATE, live: COMMITTED, author: plannedBy(planned), counts: true, waits: true, takesAway: false };
  const isOurs =
    newest === undefined ||
    newest.description === OUR_MARK ||
    newest.deploymentId === applied?.computed['deploymentId'];
  if (typeof state === 'string' && state.includes(' run')) return takenDown(asking, subject, state);
  if (typeof state === 'string' && state !== wanted) {
    const number = newest === undefined ? '' : ` ${newest.deploymentId}`;
    const author = newest && deployedBy(newest);
    const live = isTold(state) ? state : `deployment${number} ${inState(state)}`;
    return { ...STATE, live, author, counts: true, waits: true, takesAway: false };
  }
  if (isOurs || applied === undefined || newest.createdBy === user) return undefined;
  const text = `deployment ${newest.deploymentId}, complete, is not of this stack`;
  return { ...STATE, live: text, author: deployedBy(newest), counts: false, takesAway: false };
}

/** What an action says against its being done. */
function notDone({ token }: Kind, state: unknown, wanted: unknown): Found | undefined {
  if (typeof state !== 'string' || state === wanted) return undefined;
  const live = state.includes(' ') ? state : `the ${token.toLowerCase()} ${inState(state)}`;
  return { ...STATE, live, counts: true, waits: true, takesAway: false };
}

/** What does not run although it is deployed, with who took it down: who switched a platform off, else who deployed since. `state` says what. */
async function takenDown(asking: Asking, { kind, id, applied }: Subject, state: string): Promise<Found> {
  const at = environmentOf({ kind, id });
  const words = state.split(/[^\w-]+/);
  const off = (await switchedOff(asking, at)).filter(({ platform }) => words.includes(platform));
  const reasons = off.map(({ platform, reason }) => `${platform}: ${reason}`);
  const [first] = off;
  const author = first?.author ?? (await deployedSince(asking.get, at, Number(applied?.computed['deploymentId'] ?? 0)));
  return { ...STATE, live: [state, ...reasons].join('; '), author, counts: true, takesAway: true };
}

/** What a run wrote and did not carry on: records with stamps that the release, or the deployment, does not have; a release that was not pulled. */
function unfinished({ applied }: Subject, all: ReadonlyMap<string, AppliedRecord>): Found | undefined {
  if (applied === undefined) return undefined;
  const stamps = new Set(textOf(applied.inputs['stamps']).split(' '));
  const written = recordsAround(applied, all).filter(
    ({ inputs, computed }) => !isReference(inputs) && !stamps.has(textOf(computed['revision'])),
  );
  const stage = applied.kind.fills === undefined ? 'committed' : 'deployed';
  if (written.length > 0)
    return {
      ...STATE,
      live: `written, and not ${stage}: ${shown(written.map(pathOf).sort())}`,
      author: lastWriter(written),
      counts: true,
      waits: true,
      takesAway: false,
    };
  const release = releaseOf(applied, all);
  if (release === undefined || applied.inputs['designRelease'] === release.computed['revision']) return undefined;
  const author = lastWriter([release]);
  return {
    ...STATE,
    live: 'the design was committed, and not pulled',
    author,
    counts: true,
    waits: true,
    takesAway: false,
  };
}

const SHOWN = 10;

const shown = (paths: readonly string[]): string =>
  [...paths.slice(0, SHOWN), ...(paths.length > SHOWN ? [`${paths.length - SHOWN} more`] : [])].join(', ');

/** The records of the state that a release, or a deployment, commits. */
function recordsAround({ kind, id }: AppliedRecord, all: ReadonlyMap<string, AppliedRecord>): readonly AppliedRecord[] {
  const around = parseId(kind, id)?.address ?? {};
  return [...all.values()].filter((other) => {
    const { name = '', ...rest } = parseId(other.kind, other.id)?.address ?? {};
    const address: { readonly [argument: string]: string } = { ...rest, [argumentFor(other.kind)]: name };
    return (
      other.kind.stage === (kind.fills === undefined ? 'design' : 'environment') &&
      Object.entries(around).every(([argument, word]) => address[argument] === word)
    );
  });
}

const pathOf = ({ kind, id }: AppliedRecord): string => memberPath(kind, parseId(kind, id)?.address ?? {});

/** The release in the state that an environment's design release is made of. */
function releaseOf({ madeOf }: AppliedRecord, all: ReadonlyMap<string, AppliedRecord>): AppliedRecord | undefined {
  const urns = Array.isArray(madeOf['designRelease']) ? (madeOf['designRelease'] as readonly unknown[]) : [];
  const found = [...all.values()].find(({ urn }) => urns.includes(urn));
  // A newer one that a refresh found was committed by another user.
  return found?.inputs['newer'] === undefined ? found : undefined;
}

/** Who wrote the newest of our own writes, as the state has it. */
function lastWriter(records: readonly AppliedRecord[]): Author | undefined {
  const [newest] = records
    .map(({ computed }) => ({ who: textOf(computed['updatedBy']), when: Number(computed['updated'] ?? 0) }))
    .sort((left, right) => right.when - left.when);
  return newest?.who === '' ? undefined : newest;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

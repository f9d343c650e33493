// Differences between the written records and what runs: deployments that failed or were not
// started, missing or broken instances, failing checks, and changes in an environment. Most of them
// follow from the state and from earlier answers; the rest takes a few lists per environment.
import { firstOf } from '../../api/errors';
import {
  type Deployment,
  fillPath,
  type Instance,
  type Record as WireRecord,
  type Release,
  type Route,
  routes,
} from '../../api/contract';
import { isReference, isWithin, type Kind, memberPath, platformOf } from '../../provider';
import {
  type ChangedAvailability,
  changedWithin,
  type ChangedWithin,
  type Cause,
  carriedOut,
  causeOf,
  closedAfter,
  discardedPull,
  discardedPullText,
  isManifest,
  isOurs,
  isTearDown,
  mayHold,
  newestManifest,
  platformSwitches,
  readRelease,
  type SetDependency,
  WITH_CHANGES,
  withoutDeployed,
} from '../../provider/history';
import { addressesOf, failedChecks, instancesAt } from '../../provider/kinds';
import type { State } from '../../provider/lifecycle';
import { inState, masked, textsIn } from '../../provider/secrets';
import { textAt, valueIn } from '../../provider/values';
import { listed } from '../report/shown-text';
import { type Evidence, inEnvironment, joined, releasesIn } from './authors';
import { answerIfAny, type Ask, onceEach } from './reading';
import type { Author, Unread } from './review';
import {
  addressIn,
  type AppliedRecord,
  type EnvironmentAt,
  environmentOf,
  keyOf,
  type ReadRecord,
  type Subject,
} from './sources';
import { type LiveReader, newLiveReader } from './waiting';

/** A record, what is seen of it instead of what was written, and by whom. */
export interface Undeployed {
  readonly subject: Subject;
  /** Its subject: `['plan']`, `['instances']`. */
  readonly path: readonly string[];
  /** The intended value, where there is a word for it. */
  readonly applied?: string;
  readonly live: string;
  readonly author?: Author | undefined;
  /** Whether it is more than something to know. */
  readonly counts: boolean;
  /** Whether it is an open, committed or failed change that waits to be deployed. */
  readonly waits?: true;
  /** Whether instances that should run do not. */
  readonly takesAway?: boolean | undefined;
  /** The way to restore it, if no command does. */
  readonly byHand?: string | undefined;
}

type Found = Omit<Undeployed, 'subject' | 'counts'> & Partial<Pick<Undeployed, 'counts'>>;

export interface Checking {
  /** Takes secrets out of what came back. */
  readonly hide: (text: string) => string;
}

/** Evidence, and whether checks are run. */
interface Asking extends Evidence {
  readonly checks: Checking | undefined;
  /** Remembers what nothing shows, with `{}` for the name of the environment. */
  readonly reader: LiveReader;
}

/**
 * Each record whose last write does not run, and each environment in which something else runs;
 * what could not be read, and sentences on what nothing shows.
 */
export async function undeployedIn(evidence: Omit<Asking, 'reader'>, known: readonly ReadRecord[]) {
  const api = onceEach(evidence.api);
  const notes = new Map<string, Set<string>>();
  const applied = new Map(
    known.flatMap(({ subject }) => (subject.applied ? [[keyOf(subject.applied), subject.applied] as const] : [])),
  );
  const found: Undeployed[] = [];
  const unread: Unread[] = [];
  const rollOuts = known.filter(({ subject, live }) => rollsOut(subject.kind) && live !== undefined);
  const rolledOutHere = new Set(rollOuts.map(({ subject }) => placeKey(environmentOf(subject))));
  for (const { subject, live } of known) {
    if (live === undefined) continue;
    const at = environmentOf(subject);
    const reader = newLiveReader();
    const asking: Asking = { ...evidence, api, reader };
    const state = await rolledOut(asking, subject, live);
    const own = state ?? (await unfinished(asking, subject, applied));
    const parts: Found[] = own === undefined ? [] : [own];
    if (rollsOut(subject.kind)) {
      // The read of the roll-out asked for nearly all of it. What its state says is not said again.
      const instances = state === undefined || state.counts === false ? instancesRead(asking, at) : undefined;
      if (instances) parts.push(...(await whatRuns(asking, at, runsRead(asking, at), instances)));
      parts.push(...(await failingChecks(asking, subject, secretsOf(known))));
    }
    if (subject.kind.token === 'Environment') {
      const runs = rolledOutHere.has(placeKey(at)) ? [] : await runsUndeclared(asking, at, declaredOff(known, subject));
      if ('failed' in runs) unread.push(unreadOf(subject, runs.failed));
      else parts.push(...runs);
      parts.push(...(await lostPull(asking, subject, rolledOutHere.has(placeKey(at)))));
      parts.push(...(await changedOfPlatforms(asking, at)));
    }
    found.push(...parts.map((each) => ({ counts: true, ...each, subject })));
    for (const note of reader.unread) notes.set(note, (notes.get(note) ?? new Set()).add(at.environment));
  }
  return { found, unread, notes: [...notes].map(([note, names]) => note.replace('{}', listed([...names]))) };
}

const unreadOf = ({ kind, id }: Subject, { unread: [reason = ''], authentication }: LiveReader): Unread => ({
  ...{ kind: kind.token, address: id, reason },
  ...(authentication ? { authentication } : {}),
});

/** Whether a state is no deployment's own, but what a look at the environment showed. */
const isObserved = (state: string): boolean => state === 'planned' || state.includes(' ');

/** Whether records of the kind are roll-outs of environments: other actions have a state, too. */
const rollsOut = ({ token }: Kind): boolean => token === 'Deployment';

const placeKey = ({ assembly, environment }: EnvironmentAt): string => `${assembly}/${environment}`;

/** The instances of an environment, as a list of it or of its assembly was read. */
function instancesRead({ recording }: Asking, at: EnvironmentAt): readonly Instance[] | undefined {
  const { environment, ...assembly } = at;
  const all = recording.answer(routes.operations.assemblyInstances, assembly);
  const own = recording.answer(routes.operations.environmentInstances, at);
  return own ?? all?.filter(({ nsPath }) => nsPath.split('/')[3] === environment);
}

interface Runs {
  readonly newest: Deployment | undefined;
  readonly planned: Release | undefined;
}

const runsRead = ({ recording }: Asking, at: EnvironmentAt): Runs => ({
  // A 404 leaves no answer.
  newest: recording.answer(routes.deployments.latest, at),
  planned: openPlan(recording.answer(routes.environmentReleases.bom, at)),
});

/** The checks of a deployment that fail: of its last run, else of the file without addresses. */
async function failingChecks(asking: Asking, subject: Subject, secrets: readonly string[]): Promise<readonly Found[]> {
  const { checks, session } = asking;
  if (checks === undefined) return [];
  const declared = Object.entries(
    ((subject.applied ?? subject.code)?.inputs['checks'] ?? {}) as {
      readonly [name: string]: { readonly url?: unknown };
    },
  );
  const known = Object.fromEntries(declared.filter(([, check]) => typeof check.url === 'string'));
  const addresses = addressesOf(instancesRead(asking, environmentOf(subject)) ?? []);
  const hide = (text: string): string => checks.hide(masked(text, secrets));
  const failed = await failedChecks(known, addresses, { clock: session.clock, progress: () => undefined, hide });
  return [...failed].map(([name, what]) => ({
    path: ['checks', name],
    live: hide(what),
    takesAway: true,
    byHand: 'repair what answers there: the records are as declared, so that no run does',
  }));
}

const secretsOf = (known: readonly ReadRecord[]): readonly string[] =>
  known
    .flatMap(({ subject: { code, applied } }) => [code, applied].filter((record) => record !== undefined))
    .flatMap(({ inputs, hidden }) => hidden.flatMap((path) => textsIn(valueIn(inputs, path))));

const declaredOff = (known: readonly ReadRecord[], environment: Subject): readonly string[] =>
  known.flatMap(({ subject }) => {
    const { name = '', environment: within } = addressIn(subject);
    const isHere = within !== undefined && placeKey(environmentOf(subject)) === placeKey(environmentOf(environment));
    return isHere && (subject.code ?? subject.applied)?.inputs['enabled'] === false ? [name] : [];
  });

/**
 * What runs in an environment that another user deploys, or the reader of what could not be read.
 * `off`: platforms that are declared to be off.
 */
async function runsUndeclared(
  asking: Asking,
  at: EnvironmentAt,
  off: readonly string[],
): Promise<readonly Found[] | { readonly failed: LiveReader }> {
  const { api } = asking;
  const reader = newLiveReader();
  const read = <T>(ask: () => Promise<T>): Promise<T | undefined> =>
    reader.read(`cannot read what runs in ${api.organization}/${placeKey(at)}`, ask);
  const newest = await read(() => api.call(routes.deployments.latest, { address: at }));
  const planned = openPlan(await read(() => api.call(routes.environmentReleases.bom, { address: at })));
  const instances = await read(() => instancesAt({ api, at }));
  if (reader.unread.length > 0) return { failed: reader };
  const found = await whatRuns(asking, at, { newest, planned }, instances ?? []);
  const own: Found[] = [];
  if (newest !== undefined && !['complete', 'canceled', 'active'].includes(newest.deploymentState)) {
    const live = `deployment ${newest.deploymentId} ${inState(newest.deploymentState)}`;
    own.push({ path: ['deployment'], applied: 'complete', live, author: deployedBy(newest), waits: true });
  } else if (planned !== undefined)
    own.push({ path: ['plan'], live: COMMITTED, author: causeOf(planned), waits: true });
  const down = (await switchedOff(asking, at)).filter(({ platform }) => !off.includes(platform));
  for (const { platform, reason, author, isDown } of down)
    own.push({
      path: ['platforms', platform, 'enabled'],
      live: `${isDown ? `nothing runs of ${platform}` : `${platform} goes down with the next deployment`}: ${reason}`,
      author,
      takesAway: true,
    });
  return [...own, ...found];
}

const COMMITTED = 'committed, and not deployed';

const openPlan = (plan: Release | undefined): Release | undefined => (plan?.releaseState === 'open' ? plan : undefined);

const deployedBy = ({ updatedBy, createdBy, updated, created }: Deployment): Author => ({
  who: updatedBy ?? createdBy ?? '',
  when: updated ?? created ?? 0,
});

const STATE = { path: ['state'], applied: 'complete' } as const;

/** Commands that end a deployment which keeps a run from making another one. */
const MOVES: { readonly [state: string]: string | undefined } = {
  active: 'follow {} shows how it ends',
  pending: 'approve {} answers what it waits for',
  paused: 'resume {} lets it go on, or deployment cancel ends it',
};

/** Why an environment is not complete, by its newest deployment and its plan. */
async function rolledOut(asking: Asking, subject: Subject, live: State): Promise<Found | undefined> {
  const { kind, applied } = subject;
  const wanted = kind.fills?.['state'];
  if (wanted === undefined) return undefined;
  const state = textAt(live.inputs, 'state');
  const isDone = state === '' || state === wanted;
  if (!rollsOut(kind)) {
    const shown = state.includes(' ') ? state : `the ${kind.token.toLowerCase()} ${inState(state)}`;
    const { rerun } = (subject.code ?? applied)?.inputs ?? {};
    // A run follows it, looks for it or repeats it. Otherwise it is repeated only if the file says so.
    const goesOn = rerun === true || ['pending', 'active', 'unknown'].includes(state);
    const byHand = goesOn ? undefined : 'declare rerun: true, or change its triggers: pulumi up';
    return isDone ? undefined : { ...STATE, live: shown, byHand, waits: true };
  }
  const { newest, planned } = runsRead(asking, environmentOf(subject));
  if (planned !== undefined && (state === wanted || isObserved(state)))
    return { ...STATE, live: COMMITTED, author: causeOf(planned), waits: true };
  if (state.includes(' run')) return takenDown(asking, subject, state);
  if (!isDone) {
    const takesAway = newest !== undefined && isTearDown(newest);
    const number =
      newest === undefined ? '' : ` ${newest.deploymentId}${takesAway ? ', which takes everything down,' : ''}`;
    const shown = isObserved(state) ? state : `deployment${number} ${inState(state)}`;
    // What takes down what is declared is neither approved nor resumed.
    const does = newest?.deploymentState === state && (!takesAway || state === 'active') ? MOVES[state] : undefined;
    const byHand = does && `pulumi-oneops deployment ${does.replace('{}', subject.id)}, then pulumi up`;
    const about = takesAway ? { takesAway } : { waits: true as const };
    return { ...STATE, live: shown, author: newest && deployedBy(newest), byHand, ...about };
  }
  // A plan shows what is committed and not deployed.
  if (applied === undefined && (await waitsForFirstDeployment(asking, environmentOf(subject))))
    return { ...STATE, live: 'nothing was ever deployed', waits: true };
  if (newest === undefined || applied === undefined || newest.createdBy === asking.user) return undefined;
  if (isOurs({ known: applied.computed }, newest)) return undefined;
  const text = `deployment ${newest.deploymentId}, complete, is not of this stack`;
  return { ...STATE, live: text, author: deployedBy(newest), counts: false };
}

/** Whether an environment in which nothing was ever deployed has changes that are not committed. */
async function waitsForFirstDeployment({ api, ask }: Asking, at: EnvironmentAt): Promise<boolean> {
  if ((await ask(routes.deployments.latest, { address: at })) !== null) return false;
  return (await answerIfAny(() => newestManifest({ api, at }, 'open')))?.releaseState === 'open';
}

/** Deployed instances that do not run, with who switched them off, else who deployed since. */
async function takenDown(asking: Asking, subject: Subject, state: string): Promise<Found> {
  const at = environmentOf(subject);
  const words = state.split(/[^\w-]+/);
  const off = (await switchedOff(asking, at)).filter(({ platform }) => words.includes(platform));
  const reasons = off.map(({ platform, reason }) => `${platform}: ${reason}`);
  const ours = Number(subject.applied?.computed['deploymentId'] ?? 0);
  const author = off[0]?.author ?? (await deployedSince(asking.ask, at, ours));
  return { ...STATE, live: [state, ...reasons].join('; '), author, takesAway: true };
}

/** Unfinished work of a run: records without a deployment; a release that was not pulled. */
async function unfinished(
  asking: Asking,
  subject: Subject,
  all: ReadonlyMap<string, AppliedRecord>,
): Promise<Found | undefined> {
  const { applied } = subject;
  if (applied === undefined) return undefined;
  const written = writtenSince(applied, [...all.values()]);
  if (written.length > 0) {
    const live = `${await stoppedAt(asking, applied, written)}: ${shown(written.map((each) => memberPath(each.kind, addressIn(each))).sort())}`;
    const author = newestWrite(written);
    return (await ended(asking, subject, author)) ?? { ...STATE, live, author, waits: true };
  }
  const release = releaseOf(applied, all);
  if (release === undefined || applied.inputs['designRelease'] === release.computed['revision']) return undefined;
  return { ...STATE, live: 'the design was committed, and not pulled', author: newestWrite([release]), waits: true };
}

/** How far a run came with what it wrote; others, and the service itself, may have committed that. */
async function stoppedAt({ api }: Asking, own: AppliedRecord, written: readonly AppliedRecord[]): Promise<string> {
  if (own.kind.fills !== undefined) return 'written, and not deployed';
  const { assembly = '' } = addressIn(own);
  const asked = { address: { assembly }, query: WITH_CHANGES };
  const newest = await answerIfAny(() => api.call(routes.designReleases.latest, asked));
  const isOpen =
    newest?.releaseState === 'open' && written.some(({ computed }) => mayHold(newest, Number(computed['ciId'])));
  return isOpen ? 'written, and not committed' : 'written by a run that did not end';
}

/** The deployment of what a run wrote that did not see its end. */
async function ended(asking: Asking, subject: Subject, author: Author | undefined): Promise<Found | undefined> {
  const at = environmentOf(subject);
  const { newest } = runsRead(asking, at);
  if (!rollsOut(subject.kind) || newest?.deploymentState !== 'complete' || author === undefined) return undefined;
  if (Number(newest.created) <= author.when) return undefined;
  const release = await answerIfAny(() => newestManifest({ api: asking.api, at }, 'open'));
  if (release?.releaseState !== 'closed') return undefined;
  const live = `deployment ${newest.deploymentId}, complete, is not in the state: pulumi up records it`;
  return { ...STATE, live, author: deployedBy(newest), counts: false };
}

const SHOWN = 10;

const shown = (paths: readonly string[]): string => firstOf(paths, SHOWN, (rest) => `${rest} more`).join(', ');

/** Records of the state that belong to a release or a deployment, and whose stamps it lacks. */
export function writtenSince(own: AppliedRecord, all: readonly AppliedRecord[]): readonly AppliedRecord[] {
  const stage = own.kind.fills === undefined ? 'design' : 'environment';
  const stamps = textAt(own.inputs, 'stamps').split(' ');
  return all.filter(
    ({ kind, id, inputs, computed }) =>
      kind.stage === stage &&
      isWithin(kind, addressIn({ kind, id }), addressIn(own)) &&
      !isReference(inputs) &&
      !stamps.includes(textAt(computed, 'revision')),
  );
}

/** The release in the state that an environment's design release is made of. */
function releaseOf({ madeOf }: AppliedRecord, all: ReadonlyMap<string, AppliedRecord>): AppliedRecord | undefined {
  const urns = Array.isArray(madeOf['designRelease']) ? (madeOf['designRelease'] as readonly unknown[]) : [];
  const found = [...all.values()].find(({ urn }) => urns.includes(urn));
  // A newer one that a refresh found was committed by another user.
  return found?.inputs['newer'] === undefined ? found : undefined;
}

/** Who wrote the newest of our own writes, as the state has it. */
function newestWrite(records: readonly AppliedRecord[]): Author | undefined {
  const [newest] = records
    .map(({ computed }) => ({ who: textAt(computed, 'updatedBy'), when: Number(computed['updated'] ?? 0) }))
    .sort((left, right) => right.when - left.when);
  return newest?.who === '' ? undefined : newest;
}

/** A pull of the state that somebody discarded before it was committed. */
async function lostPull(asking: Asking, subject: Subject, rollsOutHere: boolean): Promise<readonly Found[]> {
  const { api, reader } = asking;
  const pulled = Number(subject.applied?.computed['pulled']) || 0;
  const at = environmentOf(subject);
  const unknown = 'whether somebody discarded a pull of the design into {} is not known';
  const lost = pulled === 0 ? undefined : await reader.read(unknown, () => discardedPull({ api, at }, 0, pulled));
  if (lost === undefined) return [];
  const next = rollsOutHere ? 'pulumi up' : 'run that changes the design';
  return [
    {
      path: ['designRelease'],
      live: `${discardedPullText(lost)}: the next ${next} pulls again`,
      author: causeOf(lost),
      waits: true,
    },
  ];
}

/** The last word of what a plan does with an instance. */
const DONE: { readonly [action: string]: string } = {
  add: 'missing',
  update: 'not of the current release',
  replace: 'marked to be replaced',
  delete: 'to be deleted',
};

/** Instances in a state that says they do not work (service-facts §2.2.11). */
const BAD_STATES: readonly string[] = ['unhealthy'];

/** `web: 3 missing, 1 not of the current release; db: 2 missing`. */
function countsText<T extends { readonly nsPath: string }>(
  records: readonly T[],
  wordOf: (record: T) => string,
): string {
  const platforms = [...new Set(records.map(platformOf))].sort();
  return platforms
    .map((platform) => {
      const words = records.filter((each) => platformOf(each) === platform).map(wordOf);
      const counts = [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word}`);
      return `${platform}: ${counts.join(', ')}`;
    })
    .join('; ');
}

/** Differences between the committed state of an environment and its instances. */
async function whatRuns(
  asking: Asking,
  at: EnvironmentAt,
  { newest, planned }: Runs,
  instances: readonly Instance[],
): Promise<readonly Found[]> {
  const bad = instances.filter(({ opsState }) => BAD_STATES.includes(opsState ?? ''));
  const found: Found[] =
    bad.length === 0 ? [] : [{ path: ['instances'], live: countsText(bad, ({ opsState }) => opsState ?? '') }];
  // A plan or deployment is reported by itself; while one runs, no other can be made.
  const isBusy = newest !== undefined && !['complete', 'canceled'].includes(newest.deploymentState);
  if (planned !== undefined || isBusy) return found;
  const changes = (await plannedIn(asking, at)) ?? [];
  if (changes.length === 0) return found;
  const plan: Found = {
    path: ['plan'],
    live: `what is committed is not what runs: ${countsText(changes, ({ rfcAction }) => DONE[rfcAction ?? ''] ?? String(rfcAction))}`,
    author: await lastCommitter(asking, at),
    takesAway: changes.some(({ rfcAction }) => rfcAction === 'add' || rfcAction === 'delete'),
  };
  return [...found, plan];
}

/** The changes of an environment's next deployment; undefined where the service makes no plan. */
async function plannedIn({ api, reader }: Asking, at: EnvironmentAt): Promise<readonly WireRecord[] | undefined> {
  const what = 'what a deployment of {} would change is not known';
  return (await reader.read(what, () => api.call(routes.deployments.preview, { address: at })))?.rfcs.cis;
}

/** Who committed an environment last, if that is not deployed; undefined when nobody did. */
async function lastCommitter({ api, ask }: Asking, at: EnvironmentAt): Promise<Author | undefined> {
  const all = (await releasesIn(ask, at)) ?? [];
  const last = closedAfter(all.filter(isManifest)).at(-1);
  if (last === undefined) return undefined;
  const runs = await answerIfAny(() => carriedOut({ api, at }, all, last.releaseId - 1));
  const release = await answerIfAny(() => readRelease({ api, at }, last.releaseId));
  const isLeft = runs && release && withoutDeployed(release, (...change) => runs(...change) ?? true);
  return isLeft && { ...causeOf(last), stage: 'released' };
}

/** Who deployed an environment after a deployment of ours; undefined when nobody else did. */
async function deployedSince(ask: Ask, address: EnvironmentAt, ours: number): Promise<Author | undefined> {
  const list = await ask(routes.deployments.list, { address });
  const others = (list ?? []).filter((each) => each.deploymentId > ours && !isOurs({}, each));
  return joined(
    others.map(({ createdBy, updated, created, releaseId, deploymentState }) => ({
      ...{ who: createdBy ?? '', when: updated ?? created ?? 0, releaseId },
      ...(deploymentState === 'complete' ? { stage: 'deployed' } : {}),
    })),
  );
}

/** Platforms of an environment that are switched off, as its releases and a plan show. */
async function switchedOff({ api, session }: Asking, at: EnvironmentAt) {
  const switches = await answerIfAny(() => platformSwitches({ api, session, at }));
  return [...(switches?.values() ?? [])]
    .filter(({ committed }) => committed === false)
    .map(({ platform, reason, switched, reach }) => ({
      platform: platform.ciName,
      reason,
      author: switched && ({ ...switched, stage: reach === 'deployed' ? 'deployed' : 'released' } satisfies Author),
      isDown: reach === 'deployed',
    }));
}

/** Who wrote a change, and that it is not committed where it is open. */
const changeAuthor = ({ set, isOpen }: ChangedWithin): Author => (isOpen ? { ...set, stage: 'design' } : set);

/** The request to send by hand: `PUT /acme/…`. */
const requestText = (
  { api }: Asking,
  { method, path }: Route,
  address: { readonly [parameter: string]: string },
): string => `${method} ${fillPath(path, { organization: api.organization, ...address })}`;

/**
 * What somebody changed within the platforms of an environment, which its releases show and no list
 * does, with how far each release has come.
 */
async function changedOfPlatforms(asking: Asking, at: EnvironmentAt): Promise<readonly Found[]> {
  const { api, reader } = asking;
  const unknown = 'whether somebody changed the dependencies between components in {} is not known';
  const changed = await reader.read(unknown, () => changedWithin({ api, at }));
  if (changed === undefined) return [];
  const { deleted, availability, dependencies, walk } = changed;
  if (walk !== 'whole') reader.unread.push(`${unknown}: ${NOT_SHOWN[walk]}`);
  const set = dependencies.map((each) => reader.read(unknown, () => otherwiseSet(asking, at, each)));
  const found = [
    ...(await deletedHere(asking, at, deleted)),
    ...availability.map((own) => otherAvailability(asking, at, own)),
    ...(await Promise.all(set)).flatMap((own) => own ?? []),
  ];
  const attributed: Found[] = [];
  for (const each of found) {
    const author = each.author && (await inEnvironment(asking, { ...at, platform: each.path[1] ?? '' }, each.author));
    // The plan shows what a commit takes away; of an uncommitted dependency, nothing shows it.
    const isPlanned = author?.stage === 'released' && each.path.at(-1) === 'current';
    const plan = each.takesAway && isPlanned ? await plannedIn(asking, at) : undefined;
    const isDeleted = (change: WireRecord): boolean =>
      change.rfcAction === 'delete' && platformOf(change) === each.path[1];
    const takesAway = plan === undefined ? each.takesAway : plan.some(isDeleted);
    attributed.push({ ...each, author, takesAway });
  }
  return attributed;
}

/** Platforms that somebody deleted in an environment: nothing says that they should run. */
async function deletedHere(
  asking: Asking,
  address: EnvironmentAt,
  deleted: readonly ChangedWithin[],
): Promise<readonly Found[]> {
  const { api } = asking;
  if (deleted.length === 0) return [];
  const designed = await answerIfAny(() => api.call(routes.platforms.list, { address }));
  const there = await answerIfAny(() => api.call(routes.environmentPlatforms.list, { address }));
  if (designed === undefined || there === undefined) return [];
  const request = requestText(asking, routes.environments.pull, address);
  return deleted.flatMap((each): readonly Found[] => {
    const { platform: name, set: by, isOpen } = each;
    const number = designed.find(({ ciName }) => ciName === name)?.ciId;
    const record = there.find(({ ciName }) => ciName === name);
    // One that an open release brings back runs nothing yet.
    const isBrought = record?.rfcAction === 'add';
    if (number === undefined || (!isOpen && record !== undefined && !isBrought)) return [];
    const further = isBrought ? 'an open release brings it back' : 'the design still has it';
    return [
      {
        path: ['platforms', name],
        live: `${by.who || 'somebody'} deleted ${name} in ${address['environment']} alone, in release ${by.releaseId}${isOpen ? ', not committed' : ''}; ${further}`,
        author: changeAuthor(each),
        takesAway: true,
        byHand: isBrought
          ? `an open release brings it back: commit ${address.environment} and deploy it`
          : `no command brings it back: send ${request} with {"platform_availability":{"${number}":"single"}}, or "redundant" as it was, which pulls the design, then commit ${address['environment']} and deploy it`,
      },
    ];
  });
}

/** `0 instead of 1: maria set it in release 42`. */
const setText = (
  { before, now }: { readonly before: string; readonly now: string },
  who: string,
  { releaseId }: Cause,
) => `${now || 'nothing'} instead of ${before || 'nothing'}: ${who} set it in release ${releaseId}`;

/** One that is no longer redundant is not scaled any more. */
function otherAvailability(asking: Asking, at: EnvironmentAt, own: ChangedAvailability): Found {
  const { platform, before, set, isOpen } = own;
  const request = requestText(asking, routes.environmentPlatforms.update, { ...at, platform });
  const body = JSON.stringify({ cms_dj_ci: { ciAttributes: { availability: before } } });
  return {
    path: ['platforms', platform, 'availability'],
    live: `${setText(own, set.who || 'somebody', set)}${isOpen ? ', not committed' : ''}`,
    author: changeAuthor(own),
    takesAway: before === 'redundant',
    byHand: `no command sets it back: send ${request} with ${body}, then commit ${at.environment} and deploy it`,
  };
}

const NOT_SHOWN = {
  unlisted: 'the service does not list the changes of its releases',
  'too far': 'only its newest releases were read',
} as const;

/**
 * Whether the scaling of a platform shows an attribute of a dependency. `set back`: what another
 * user committed runs, and an open release sets it back.
 */
async function inScaling(
  { api, user }: Asking,
  address: EnvironmentAt & { readonly platform: string },
  { relationId, attribute, now, set }: SetDependency,
): Promise<'no' | 'shown' | 'set back'> {
  if (attribute === 'propagate_to') return 'no';
  const { depends_on: scaling } = await api.call(routes.environmentPlatforms.edit, { address });
  const present = scaling.find(({ ciRelationId }) => ciRelationId === relationId)?.relationAttributes;
  if (present === undefined) return 'no';
  const isRaised = attribute === 'current' && Number(present['current']) > Number(now);
  return isRaised && set.who !== user ? 'set back' : 'shown';
}

/** The finding of a dependency's attribute, without the numbers that the scaling shows. */
async function otherwiseSet(asking: Asking, at: EnvironmentAt, dependency: SetDependency): Promise<readonly Found[]> {
  const { platform, from, to, attribute, before, now, set, orBy, isOpen } = dependency;
  const within = { ...at, platform };
  const scaling = await inScaling(asking, within, dependency);
  if (scaling === 'shown') return [];
  const components = await asking.api.call(routes.environmentPlatforms.components, { address: within });
  const nameOf = (id: number): string => components.find(({ ciId }) => ciId === id)?.ciName ?? String(id);
  const request = requestText(asking, routes.environmentPlatforms.updateDependsOn, {
    ...within,
    component: nameOf(from),
  });
  const body = JSON.stringify({ depends_on: { [nameOf(to)]: { relationAttributes: { [attribute]: before } } } });
  const stage = isOpen ? ', not committed' : scaling === 'set back' ? '; an open release sets it back' : '';
  const carriedOut = `commit ${at.environment} and deploy it`;
  return [
    {
      path: ['platforms', platform, 'components', nameOf(from), 'depends', nameOf(to), attribute],
      live: `${setText(dependency, [set.who || 'somebody', ...orBy].join(' or '), set)}${stage}`,
      author: { ...changeAuthor(dependency), ...(orBy.length === 0 ? {} : { unsure: orBy }) },
      takesAway: attribute === 'current' && Number(now) < Number(before),
      byHand:
        scaling === 'set back'
          ? `an open release sets it back: ${carriedOut}`
          : `no command sets it back: send ${request} with ${body}, then ${carriedOut}`,
    },
  ];
}

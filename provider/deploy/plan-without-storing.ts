// Looks at an environment before its commit, by the commits of others and by a plan that is not
// stored. Losses are set back, accepted or refused; other changes are named or refused.
import { type Deployment, type Record as WireRecord, type Release, routes } from '../../api/contract';
import { platformOf } from '../address/ids';
import { changesIn, changesLeft, environmentReleasesSince, nounOf, type Runs } from '../history/committed';
import { causeOf, deploymentsIn, endedAfter, isManifest, newestManifest } from '../history/environment-releases';
import { plannedChanges } from '../history/platform-switch';
import { type CommittedChange, withAttributes, userOf } from '../history/change';
import type { Work } from '../kind';
import { memoryOfStage, stageKey } from '../session';
import { isPendingDelete } from '../verbs/live';
import { comingAlong, isOf, refuseAlong, withoutDeclared } from './others/along';
import { broughtBesides, pulledBy } from './others/brought';
import {
  behind,
  causesOf,
  changesOf,
  unshown,
  type EnvironmentLoss,
  isRefreshed,
  linksTakenByUser,
  lostClouds,
  switchedOff,
  switchedOver,
  switchPlatforms,
} from './losses/cause';
import { declaredInDesign, declaredInEnvironment, downOnPurpose } from './declared-records';
import { type BeforeCommit, refuseDiscarded } from './discarded';
import { deploying, lossLine, refuseLosses, withoutAccepted } from './losses/loss';
import { isFirst, releaseKnown } from './outcome';
import { valuesOverFile } from './others/over-file';
import { expectAllPulled } from './platform-replacement';
import { isTearDown } from './tear-down';
import { nameReplaced, writeReplaced } from './others/replaced-by-pull';

/**
 * Looks at what others committed in the environment since the last deployment of this stack, or,
 * before its first one, of anyone; a run that refreshed sets back what it can. Throws when somebody
 * discarded what this stack wrote, or took away what the file declares and does not accept.
 */
export async function planWithoutStoring(work: Work, before: Deployment | undefined): Promise<BeforeCommit> {
  // In an environment that this run made, nobody took anything away.
  if (memoryOfStage(work, 'environment').isBorn) return { along: [] };
  const after = await countedFrom(work, before);
  await refuseDiscarded(work, declaredInEnvironment(work), (await endedAfter(work, after)).filter(isManifest));
  const { all: since, theirs: releases, runs } = await environmentReleasesSince(work, after);
  const last = releases.at(-1)?.releaseId;
  if (last !== undefined) work.session.memory.note(stageKey('environment', work.at), { othersRelease: last });
  const newest = await newestManifest(work, 'open');
  const open = newest?.releaseState === 'open' ? [newest] : [];
  const isShown = after > 0 && since.length === 0 && newest !== undefined;
  const isKept = isShown && open.every(keepsPlatforms);
  const platforms = isKept ? [] : await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  if (!isKept && memoryOfStage(work, 'environment').isPulled) await expectAllPulled(work);
  const besides = await broughtBesides(work, after, [...since, ...open], runs);
  const lost = [...(await lostClouds(work)), ...(await lostIn(work, releases, platforms, open))];
  // More than our last deployment may have taken platforms down, which no read shows.
  const isLast = work.known?.['state'] === 'complete' && before?.deploymentId === work.known['deploymentId'];
  const isUncertain = isFirst(work) || !isLast;
  const { own, theirs } = isUncertain ? await switchedOff(work) : { own: [], theirs: [] };
  const all = [...lost, ...theirs.filter(({ subject }) => !lost.some((loss) => loss.subject === subject))];
  const left = await withoutAccepted(work, all);
  const back = await toSetBack(work, left, [...since, ...open], runs);
  const missing = left.filter((loss) => !back.includes(loss));
  await refuseLosses(work, deploying(work), missing);
  // The platform alone names what goes with it.
  const goes = ({ noun, platform }: CommittedChange): boolean =>
    !isKept && noun !== 'platform' && platform !== '' && !stayingOf(platforms).includes(platform);
  const committed = await changesLeft(work, { all: [...since, ...open], theirs: releases }, platforms);
  const changes = committed.filter((change) => !goes(change));
  const isLoss = ({ noun, platform, cause: { releaseId } }: (typeof changes)[number]): boolean =>
    noun === 'platform' && all.some((loss) => loss.platform === platform && loss.cause?.releaseId === releaseId);
  const differing = withoutDeclared(work, changes);
  // What is not locked may have come with another user's pull: also what this run declares.
  const pulled = comingAlong(
    work,
    differing.filter(({ isByHand, platform, cause }) => !isByHand && !runs(platform, cause.releaseId)),
  );
  const kept = [...(await keptFromPull(work, [...since, ...open])), ...(await lockedBefore(work))];
  const down = downOnPurpose(work);
  const along = [
    ...besides,
    ...kept,
    ...differing
      .filter((change) => change.isByHand && !isLoss(change))
      .flatMap((change) => withoutSwitch(change, down))
      .flatMap((change) => unlessNamed(change, kept)),
    ...asDesigned(pulled, besides, pulled.length === 0 ? [] : await pulledBy(work, after, [...since, ...open])),
  ];
  refuseAlong(work, along);
  if (releases.length > 0) await nameReplaced(work, [...since, ...open]);
  if (memoryOfStage(work, 'environment').isPulled) await writeReplaced(work, open);
  for (const { restore } of back) await restore?.();
  for (const line of backLines(back, 'set back')) work.notice(line);
  const subjects = back.map(({ subject }) => subject);
  const off = own.flatMap(({ platform }) => (subjects.includes(platform.ciName) ? [] : [platform]));
  if (off.length > 0) await switchPlatforms(work, 'enable', off);
  return { along, open: open[0] };
}

/**
 * The release after which changes count: of our last deployment, else of the last complete one of
 * anyone, unless that took everything down.
 */
async function countedFrom(work: Work, newest: Deployment | undefined): Promise<number> {
  const known = releaseKnown(work);
  if (known > 0 || newest === undefined) return known;
  const isComplete = ({ deploymentState }: Deployment): boolean => deploymentState === 'complete';
  const runs = isComplete(newest) ? newest : (await deploymentsIn(work)).find(isComplete);
  return runs === undefined || isTearDown(runs) ? 0 : runs.releaseId;
}

/** Writes of this run to the design that its pull did not bring: others locked values there. */
async function keptFromPull(work: Work, releases: readonly Release[]): Promise<readonly CommittedChange[]> {
  if (memoryOfStage(work, 'environment').isPulled !== true) return [];
  const user = releases.length === 0 ? undefined : await userOf(work);
  const all = releases.flatMap((release) => changesIn(release, 'environment'));
  const brought = all.filter(({ cause: { who } }) => who === '' || who === user);
  const over = await valuesOverFile(
    work,
    (record, name) =>
      name in (work.session.own.of(record.ciId).sent ?? {}) &&
      !brought.some((change) => isOf(change)(record) && (change.action === 'add' || change.attributes.includes(name))),
  );
  return over.flatMap(({ changes }) => changes.map((change) => ({ ...change, isOverFile: true })));
}

/** Values over those of the file, in an environment that this run takes over. */
async function lockedBefore(work: Work): Promise<readonly CommittedChange[]> {
  if (work.known !== undefined || memoryOfStage(work, 'environment').isMade !== true) return [];
  const there = declaredInDesign(work).map((record) => ({ ...record, isMade: false }));
  const over = await valuesOverFile(work, () => true, there);
  const changes = over.flatMap((each) => each.changes.map((change) => ({ ...change, isOverFile: true as const })));
  const newest = Math.max(0, ...changes.map(({ cause: { releaseId } }) => releaseId));
  // The next refresh looks for them again, and sets them back.
  if (newest > 0) work.session.memory.note(stageKey('environment', work.at), { othersRelease: newest });
  return changes;
}

/**
 * Changes that a pull may have brought: as those of the design in `besides` or `designed`, so that
 * each has one entry to accept, and without those in `besides`.
 */
const asDesigned = (
  pulled: readonly CommittedChange[],
  besides: readonly CommittedChange[],
  designed: readonly CommittedChange[],
): readonly CommittedChange[] =>
  pulled.flatMap((change) => {
    const named = besides.find(isTwinOf(change));
    const twin = named ?? designed.find(isTwinOf(change));
    if (twin === undefined) return [change];
    return [...(named ? [] : [twin]), ...unlessNamed(change, [twin])];
  });

/** Of a platform that the file declares to be down, and that is no loss: it is down again. */
function withoutSwitch(change: CommittedChange, down: ReadonlySet<string>): readonly CommittedChange[] {
  if (change.noun !== 'platform' || !down.has(change.name)) return [change];
  return withAttributes(change, (name) => name !== 'enabled');
}

/** Whether another change is of the same record. */
const isTwinOf =
  ({ noun, path }: CommittedChange) =>
  (each: CommittedChange): boolean =>
    each.noun === noun && each.path === path;

/** The attributes of a change that no named change of the same record has. */
function unlessNamed(change: CommittedChange, named: readonly CommittedChange[]): readonly CommittedChange[] {
  const twins = named.filter(isTwinOf(change));
  if (twins.length === 0) return [change];
  return withAttributes(change, (name) => !twins.some((twin) => twin.attributes.includes(name)));
}

/** Losses that a run sets back after a refresh; and what its own user switched, set back or brought along. */
const toSetBack = async (work: Work, losses: readonly EnvironmentLoss[], releases: readonly Release[], runs: Runs) => [
  ...(isRefreshed(work) ? losses.filter(({ restore }) => restore !== undefined) : []),
  ...(await switchedOver(work, releases, true)).filter(
    ({ restore, platform, cause }) => restore !== undefined || !runs(platform, cause?.releaseId ?? 0),
  ),
  ...(await linksTakenByUser(work, releases)),
];

/** `set back as the file declares: …`, and `brings along: …` for what nobody declares. */
export const backLines = (back: readonly EnvironmentLoss[], verb: string): readonly string[] =>
  [...Map.groupBy(back, ({ restore }) => (restore ? `${verb} as the file declares` : 'brings along'))].map(
    ([lead, some]) => `${lead}: ${some.map(lossLine).join('; ')}`,
  );

/** Losses by others since our last deployment, and what the next run sets back. */
export async function lostSince(work: Work) {
  const newest = await newestManifest(work, 'open');
  const open = newest?.releaseState === 'open' ? [newest] : [];
  const { all, theirs, runs } = await environmentReleasesSince(work, releaseKnown(work));
  const look = async () =>
    lostIn(work, theirs, await work.api.call(routes.environmentPlatforms.list, { address: work.at }));
  const lost = theirs.length === 0 ? [] : await withoutAccepted(work, await look());
  const back = await toSetBack(work, lost, [...all, ...open], runs);
  return { lost: lost.filter((loss) => !back.includes(loss)), back };
}

/** Throws in a preview for what a pull of others took of the declared design, or brought. */
export async function refusePulledByOthers(work: Work): Promise<void> {
  const after = releaseKnown(work);
  const { all, theirs, runs } = await environmentReleasesSince(work, after);
  if (theirs.length > 0) refuseAlong(work, await broughtBesides(work, after, all, runs));
}

const stayingOf = (platforms: readonly WireRecord[]): readonly string[] =>
  platforms.filter((each) => !isPendingDelete(each)).map(({ ciName }) => ciName);

/** Losses by releases of others; another rule judges open changes. */
async function lostIn(
  work: Work,
  releases: readonly Release[],
  platforms: readonly WireRecord[],
  open: readonly Release[] = [],
): Promise<readonly EnvironmentLoss[]> {
  const staying = stayingOf(platforms);
  const leaving = platforms.filter(isPendingDelete).map(({ ciName }) => ciName);
  const down = downOnPurpose(work);
  const user = await userOf(work);
  const touched = touchedIn(releases, platforms, user);
  const looked = staying.filter((name) => touched.has(name) && !down.has(name));
  const gone = leaving.filter((name) => !staying.includes(name));
  const found = [...(await causesOf(work, { gone, maybeOff: looked, linked: looked, releases, isAnyones: false }))];
  const last = releases.at(-1);
  if (last === undefined) return found;
  found.push(...(await switchedOver(work, releases, false)));
  const plan = await plannedChanges(work);
  const planned = changesOf('refusal' in plan ? [] : plan.changes).platforms;
  // What was set back, by a run after a refresh or by hand, is open, and no plan of what is committed
  // shows it. What a tear-down of this stack turned off is enabled again.
  const setBack = touchedIn(open.flatMap(switchedOnBy), platforms, undefined);
  const unexplained = (isRefreshed(work) ? [] : looked).filter(
    (name) => planned.has(name) && !setBack.has(name) && !found.some(({ platform }) => platform === name),
  );
  const { own } = unexplained.length === 0 ? { own: [] } : await switchedOff(work);
  const other = unexplained.filter(
    (name) => !own.some(({ platform, switched }) => platform.ciName === name && switched !== undefined),
  );
  const cause = behind(last, user);
  return [
    ...found.map((loss) => ({ ...loss, instances: loss.instances || (planned.get(loss.platform) ?? 0) })),
    ...other.map((name) => unshown(name, `changed platform ${name} in the environment`, cause, planned.get(name))),
  ];
}

/** Whether a release shows that nobody deleted a platform of the environment. */
const keepsPlatforms = ({ rfc_cis: records }: Release): boolean =>
  records !== undefined && !records.some((each) => nounOf(each) === 'platform' && each.rfcAction === 'delete');

/** Names of the platforms that others than `self` change something of in releases. */
function touchedIn(
  releases: readonly Release[],
  platforms: readonly WireRecord[],
  self: string | undefined,
): ReadonlySet<string> {
  const nameOf = new Map(platforms.map(({ ciId, ciName }) => [ciId, ciName]));
  const names = releases.flatMap((release) => {
    const { rfc_cis: records = [], rfc_relations: relations = [] } = release;
    if (records.length + relations.length === 0) return [...nameOf.values()];
    return [
      ...records
        .filter((record) => causeOf(release, record).who !== self)
        .map((record) => nameOf.get(record.ciId) ?? platformOf(record)),
      ...relations
        .filter((relation) => causeOf(release, relation).who !== self)
        .map((relation) => nameOf.get(relation.toCiId) ?? nameOf.get(relation.fromCiId) ?? platformOf(relation)),
    ];
  });
  return new Set(names);
}

/** A release with only the links that switch platforms or their clouds on; none without such links. */
function switchedOnBy(release: Release): readonly Release[] {
  const relations = (release.rfc_relations ?? []).filter(
    ({ relationAttributes: own }) => own?.['enabled'] === 'true' || own?.['adminstatus'] === 'active',
  );
  return relations.length === 0 ? [] : [{ ...release, rfc_cis: [], rfc_relations: relations }];
}

// Changes that an environment takes over from the design: when it is created, by a pull, and when a
// value is given back. Commits of others since the last pull, and commits of this run's user
// outside of the stack, are named or refused. Deletions of declared records by others are refused.
import { askingAnew } from '../../session/answers';
import { ENCRYPTED, routes, type Record as WireRecord, type Release } from '../../../api/contract';
import { lookAhead } from '../../errors';
import type { Judgement, Kind, Work } from '../../kind';
import { addressIn, takenParts } from '../../lifecycle/leaving';
import { SILENT } from '../../lifecycle/managed';
import { isReference } from '../../lifecycle/refer';
import { recordsIfAny } from '../../commit/design-changes';
import { environmentId, isOwn, leftDesign, leftTheFile, saysLeft } from '../../commit/own-records';
import { type DeclaredInRun, memoryOfCommit, memoryOfStage, stageKey } from '../../session';
import { isPendingDelete } from '../../verbs/live';
import { type CommittedChange, isSameRecord, reachingPaths, withAttributes } from '../../history/change';
import {
  addedSince,
  additionOf,
  changesIn,
  designChangesSince,
  designReleases,
  nounOf,
  ofOthers,
  ownDesignChanges,
  pathOf,
  reaches,
  type Runs,
} from '../../history/committed';
import { scopeOfId } from '../../address/ids';
import { memberPath } from '../../address/member-path';
import { newestDeployedPull, newestPull, parentBefore } from '../../history/environment-releases';
import { serviceStamp } from '../../secrets/writes';
import { textAt } from '../../values/plain';
import { alongText, comingAlong, isOf, withoutOwnUpdates, refuseAlong } from './along';
import { declaredInDesign, type DeclaredRecordOf } from '../declared-records';
import { lostFromDesign, platformsLostFromDesign, recordLostFromDesign } from '../losses/design-losses';
import { refuseLosses } from '../losses/loss';

/** The environment of a work, as this run declares it. */
export function environmentWork(work: Work): Work {
  const id = environmentId(work);
  const { inputs = {}, known } = memoryOfStage(work, 'environment');
  const { assembly = '', environment = '' } = work.at;
  const { known: _, ...row } = work;
  return { ...row, id, address: { assembly, name: environment }, args: inputs, ...(known ? { known } : {}) };
}

/** Refuses changes of others, or names them at once: a later run finds nothing new to name. */
function nameOrRefuse(work: Work, changes: readonly CommittedChange[], gone: readonly string[] = []): void {
  refuseAlong(work, changes);
  const text = alongText(work, changes);
  noteAlong(work, changes, gone);
  if (text !== undefined) work.notice(text);
}

/**
 * Remembers the changes for the words on the deployment, which come after it. `gone`: paths of
 * declared records that the file lets go.
 */
const noteAlong = (work: Work, changes: readonly CommittedChange[], gone: readonly string[]): void =>
  work.session.memory.note(stageKey('environment', work.at), {
    along: [...reachingPaths(changes), ...gone.map((path) => `-${path}`)],
  });

/** Looks at the design before a new environment copies it. Throws for losses and refused changes. */
export async function lookAtWholeDesign(work: Work): Promise<void> {
  nameOrRefuse(work, await broughtByCreation(work));
}

/** Throws for a new environment that `others: refuse` keeps from being created, in a preview. */
export async function refuseWholeDesign(work: Work): Promise<void> {
  // Nobody else wrote in an assembly that this run creates.
  if (work.args['others'] !== 'refuse' || memoryOfStage(work, 'design').isNew) return;
  const silent = { ...work, ...SILENT, args: { ...work.args, leaving: leftDesign(work) } };
  refuseAlong(silent, withoutOwnUpdates(silent, await broughtByCreation(silent)));
}

/**
 * What others changed of what a new environment copies. In another stack's assembly, only of
 * records of this stack that were there before; nothing in one of this run.
 */
async function broughtByCreation(work: Work): Promise<readonly CommittedChange[]> {
  if (memoryOfStage(work, 'design').isBorn) return [];
  const isOwner = ownsDesign(work);
  const earlier = declaredInDesign(work).filter(({ isMade, isReferred }) => !isMade && !isReferred);
  if (!isOwner && earlier.length === 0) return [];
  const changes = await designChangesSince(work, 0);
  await refuseLosses(work, `create ${work.address['name']}`, await lostFromDesign(work, 0, changes));
  const along = comingAlong(work, isOwner ? changes : sinceMade(earlier, changes)).filter(
    ({ action }) => action !== 'delete',
  );
  if (!isOwner) return along;
  const [platforms, variables] = await Promise.all([
    work.api.call(routes.platforms.list, { address: work.at }),
    work.api.call(routes.designVariables.list, { address: work.at }),
  ]);
  return [...along, ...(await undeclared(work, [...platforms, ...variables], along))];
}

/** The changes of records, and of what is in them, without how they came and what came with them. */
function sinceMade(
  records: readonly DeclaredRecordOf[],
  changes: readonly CommittedChange[],
): readonly CommittedChange[] {
  const platforms = records.flatMap(({ noun, name }) => (noun === 'platform' ? [name] : []));
  const own = changes.filter((change) => platforms.includes(change.platform) || records.some(isOf(change)));
  const made = own.filter(({ action, ciId }) => action === 'add' && records.some((record) => record.ciId === ciId));
  const isWith = addedWith(made.filter(({ noun }) => noun === 'platform'));
  return own.filter((change) => !made.includes(change) && !isWith(change));
}

/** Whether a change added a record in the platform and release of one of others. */
const addedWith =
  (others: readonly CommittedChange[]) =>
  ({ action, platform, cause: { releaseId } }: CommittedChange): boolean =>
    action === 'add' && others.some((each) => each.platform === platform && each.cause.releaseId === releaseId);

/**
 * Looks at what a pull brings. `platforms`: those of the committed design. Answers those of the
 * environment; undefined where none of the design changed since the last pull.
 */
export async function lookAtPull(
  work: Work,
  platforms: readonly WireRecord[],
): Promise<readonly WireRecord[] | undefined> {
  const { along, first, gone } = await broughtByPull({ ...work, api: askingAnew(work.api) }, await lastPull(work));
  const names = platforms.map(({ ciName }) => ciName);
  await refuseLosses(work, `pull the design into ${work.id}`, await platformsLostFromDesign(work, names));
  // A release has its number before its changes have theirs.
  const isUnchanged = platforms.every(({ lastAppliedRfcId }) => Number(lastAppliedRfcId ?? first) < first);
  const there = isUnchanged ? undefined : await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const added =
    there === undefined ? [] : platforms.filter(({ ciName }) => !there.some((each) => each.ciName === ciName));
  const unsaid = ownsDesign(work) ? await undeclared(work, added, along) : [];
  nameOrRefuse(work, [...along, ...unsaid], gone);
  return there;
}

/**
 * What pulls brought besides what this run looked at before its own. `releases`: those of the
 * environment after the release `after`, the open one among them. `runs`: what of them is deployed.
 */
export async function broughtBesides(
  work: Work,
  after: number,
  releases: readonly Release[],
  runs: Runs,
): Promise<readonly CommittedChange[]> {
  const pulled = parentBefore(releases);
  const looked =
    Number(environmentWork(work).known?.['pulled']) || (pulled === 0 ? 0 : await newestPull(work, { upTo: after }));
  const changed = releases.flatMap((each) => changesIn(each, 'environment'));
  // A change of clouds names the newest release of the design, too, and brings nothing of it.
  const isIn =
    (all: readonly CommittedChange[]) =>
    (change: CommittedChange): boolean =>
      change.noun === 'release' || all.some((each) => isSameRecord(change, each));
  const { along } =
    pulled > looked
      ? await broughtByPull({ ...work, api: askingAnew(work.api) }, looked, isIn(changed))
      : { along: [] };
  // What others deployed, too, came along with their deployment: only what it took away counts.
  const left = changed.filter(({ platform, cause }) => !runs(platform, cause.releaseId));
  if (left.length === 0) return [];
  const isAdded = ({ ciId }: WireRecord): boolean =>
    left.some((each) => each.ciId === ciId && each.noun === 'platform' && each.action === 'add') &&
    !left.some((each) => each.ciId === ciId && each.action === 'delete');
  const added = releases
    .flatMap(({ rfc_cis: records = [] }) => records)
    .filter((record) => record.rfcAction === 'add' && isAdded(record))
    .map((record) => ({ ...record, rfcAction: null }));
  return [...along.filter(isIn(left)), ...(ownsDesign(work) ? await undeclared(work, added, along) : [])];
}

/** Undeclared changes that others pulled by `releases` of the environment after one. */
export async function pulledBy(
  work: Work,
  after: number,
  releases: readonly Release[],
): Promise<readonly CommittedChange[]> {
  const newest = parentBefore(releases);
  const before = await newestPull(work, { upTo: after });
  const all = await designReleases({ ...work, api: askingAnew(work.api) }, before);
  const list = all.filter(({ releaseId }) => releaseId <= newest);
  return [
    ...comingAlong(work, await designChangesSince(work, before, list)),
    ...(await broughtByOwnUser(work, before, list)).brought,
  ];
}

/** A preview's words on others' changes that the pull would bring; none where nothing answers. */
export const judgePull = (work: Work): Promise<Judgement> =>
  lookAhead(async () => {
    const pulled = await lastPull(work);
    const said: string[] = [];
    const brought = await broughtByPull({ ...work, notice: (text) => void said.push(text) }, pulled);
    const leaving = leavingPaths(work);
    const going = await goingWith(work, brought.along);
    // Changes of what leaves the file reach nothing.
    const staying = brought.along.filter(
      (change) => !going.includes(change) && !(change.action === 'update' && leaving.includes(change.path)),
    );
    const along = withoutOwnUpdates(work, staying);
    refuseAlong(work, along);
    const lines = [...said, alongText(work, along) ?? []].flat();
    // A run that stopped before its pull has committed changes that no row of this run names.
    noteAlong(work, [...along, ...(await ownDesignChanges(work, pulled, brought.list))], brought.gone);
    return lines.length === 0 ? {} : { warning: lines.join('\n') };
  });

/**
 * What others committed to the design since the last pull, and this run's user elsewhere, as far as
 * this run does not declare it. Throws when others deleted what it declares, unless the file lets
 * it go: `gone`. `first`: number of the first release since that pull, 0 if unknown; `list`: all
 * since then. `isBrought`: which changes a pull brought already.
 */
async function broughtByPull(work: Work, pulled: number, isBrought?: (change: CommittedChange) => boolean) {
  if (pulled === 0) return { along: [], first: 0, gone: [], list: [] };
  const seen = isBrought ? undefined : memoryOfStage(work, 'design').releases;
  const list = seen && reaches(seen, pulled) ? seen : await designReleases(work, pulled);
  const isMeant = isBrought ?? (() => true);
  const changes = await designChangesSince(work, pulled, list);
  const { brought, deleted } = await broughtByOwnUser(work, pulled, list);
  const lost = await lostFromDesign(work, pulled, [...changes, ...deleted].filter(isMeant));
  await refuseLosses(work, `pull the design into ${work.id}`, lost);
  const later = list.filter(({ releaseId }) => releaseId > pulled).map(({ releaseId }) => releaseId);
  const found = [...comingAlong(work, [...changes, ...deleted]), ...brought].some(isMeant);
  // Only a later release takes back what an earlier one changed.
  const isAny = found || (await ofOthers(work, list, pulled)).length > 1;
  // The last pull may have brought more than its run had committed: that runs, and was named.
  const runs = isBrought || !isAny ? pulled : await newestDeployedPull(inEnvironment(work), pulled);
  // What was taken back since then changes what runs.
  const theirs = runs > pulled ? await designChangesSince(work, runs, list) : changes;
  const passed = deleted.length === 0 ? [] : await addedSince(work, runs, list);
  // What came since and is deleted never ran.
  const hasPassed = ({ ciId }: CommittedChange): boolean =>
    passed.includes(ciId) && deleted.some((each) => each.ciId === ciId);
  const isLater = (change: CommittedChange): boolean =>
    isMeant(change) && change.cause.releaseId > runs && !hasPassed(change);
  return {
    along: [...comingAlong(work, [...theirs, ...deleted].filter(isLater)), ...brought.filter(isLater)],
    // A list without an earlier one may lack some of the later ones.
    first: later.length === 0 || later.length === list.length ? 0 : Math.min(...later),
    gone: lost.map(({ subject }) => subject),
    list,
  };
}

/**
 * What this run's user did since the last pull in another stack, or by hand. `brought`: what comes
 * along, where the design is this stack's.
 */
async function broughtByOwnUser(work: Work, pulled: number, list: readonly Release[]) {
  const isOwner = ownsDesign(work);
  // A guest takes over its owner's release, and may have committed none itself.
  // What the engine deleted after the last run's release is in the newest one, and named nowhere.
  const isNamed = isOwner && !saysLeft(memoryOfCommit(work, 'design').last);
  const ours = isNamed ? [knownRelease(work), Number(serviceStamp(work.args['designRelease']))] : [];
  const changes = await ownDesignChanges(work, pulled, list, ours);
  const gone = declaredInDesign(work, [...leavingDesign(work), ...deletedByLastRun(work)]);
  const brought = isOwner ? changedElsewhere(work, changes, gone) : [];
  return { brought, deleted: deletedElsewhere(work, changes, gone) };
}

/** Deletions of this run's user in another stack, by hand, or in an older run than the last one. */
function deletedElsewhere(
  work: Work,
  changes: readonly CommittedChange[],
  gone: readonly DeclaredRecordOf[],
): readonly CommittedChange[] {
  const deletions = changes.filter(({ action, link }) => action === 'delete' && link === undefined);
  if (deletions.length === 0) return [];
  const declared = declaredInDesign(work);
  const isOurs = (change: CommittedChange): boolean =>
    declared.some((own) => own.isMade && isOf(change)(own)) || gone.some(isOf(change));
  const ours = deletions.filter(isOurs);
  const written = changes.filter(({ changeId = 0, ...change }) =>
    declared.some((own) => own.stamp > 0 && own.stamp === changeId && isOf(change)(own)),
  );
  // What goes with a record of this stack, or with its other pack, is in one release with it.
  const isWith = ({ platform, cause: { releaseId } }: CommittedChange): boolean =>
    [...ours.filter((each) => each.platform === platform), ...written].some(
      (each) => each.cause.releaseId === releaseId,
    );
  return deletions.filter((change) => !isWith(change)).map((change) => ({ ...change, isNamedOnly: true as const }));
}

/** Paths of the records that this run deletes from the design, unless it is limited. */
const leavingPaths = (work: Work): readonly string[] =>
  work.session.isLimited() ? [] : leavingDesign(work).map(({ of, address }) => memberPath(of, address));

/** Changes of others in platforms and components that this run takes away. */
export async function goingWith(work: Work, changes: readonly CommittedChange[]): Promise<readonly CommittedChange[]> {
  const leaving = leavingPaths(work);
  const going: CommittedChange[] = [];
  for (const change of changes) {
    const { noun, platform, ciId } = change;
    const isMaybe = noun !== 'component' && leaving.some((path) => path.startsWith(`${platform}/`));
    // A change does not name the component of an attachment or a monitor.
    const records = isMaybe ? await recordsIfAny(work, platform) : [];
    const holder = records.find((each) => each.ciId === ciId)?.component?.ciName;
    const isInside = leaving.includes(platform) || leaving.includes(`${platform}/${holder}`);
    if (noun !== 'platform' && isInside) going.push(change);
  }
  return going;
}

/** The records that this run deletes from the design because they left the file. */
const leavingDesign = (work: Work): readonly DeclaredInRun<Kind>[] =>
  leftTheFile({ ...work, args: { leaving: leftDesign(work) } }).map(({ of, address, record: { ciId } }) => ({
    of,
    address,
    inputs: {},
    known: { ciId },
  }));

/** The same of the last run that committed the design: the environment may have missed it. */
function deletedByLastRun(work: Work): readonly DeclaredInRun<Kind>[] {
  const taken = textAt(memoryOfCommit(work, 'design').last, 'taken').split(' ');
  return taken.flatMap((name) => {
    const [token, id = ''] = takenParts(name);
    const kind = work.session.kinds.find((each) => each.token === token);
    const of = kind && scopeOfId(kind, id);
    return of === undefined ? [] : [{ of, address: addressIn(of, id), inputs: {} }];
  });
}

/** The user's changes that are not this stack's. `gone`: records that this stack deletes. */
function changedElsewhere(
  work: Work,
  changes: readonly CommittedChange[],
  gone: readonly DeclaredRecordOf[],
): readonly CommittedChange[] {
  const declared = declaredInDesign(work);
  // What this stack wrote of a declared record is not later than its stamp.
  const isElsewhere = (change: CommittedChange): boolean => {
    const own = declared.find(isOf(change));
    return own === undefined
      ? !isOwn(work, 'design', change.path) && !gone.some(isOf(change))
      : change.action === 'update' && own.stamp > 0 && (change.changeId ?? 0) > own.stamp;
  };
  const isWith = addedWith(changes.filter((change) => change.action === 'add' && !isElsewhere(change)));
  const elsewhere = changes.filter(
    (change) =>
      change.noun !== 'release' &&
      change.link === undefined &&
      change.action !== 'delete' &&
      isElsewhere(change) &&
      !isWith(change),
  );
  return comingAlong(work, elsewhere).flatMap((change) =>
    declared.some(isOf(change))
      ? // A secret that this user set counts as the declared one.
        withAttributes({ ...change, isOwnUsers: true }, (name) => change.values[name] !== ENCRYPTED)
      : [change],
  );
}

/**
 * The number of the design release that the environment pulled last, 0 if none. Where a program
 * declares a text of its own as the release, the environment's releases show it.
 */
async function lastPull(work: Work): Promise<number> {
  const pulled = textAt(work.known, 'pulled');
  const isNumber = Number(pulled) > 0 && (work.args['designRelease'] === undefined || knownRelease(work) > 0);
  return pulled === '' || isNumber ? Number(pulled) || 0 : newestPull(inEnvironment(work));
}

const inEnvironment = (work: Work): Work => ({
  ...work,
  at: { ...work.at, environment: work.address['name'] ?? '' },
});

/** The design's release that this stack committed last, as the run knows; 0 without one. */
const knownRelease = (work: Work): number => Number(memoryOfCommit(work, 'design').known?.['releaseId']) || 0;

/**
 * Looks before a record of an environment takes values of the design again: `names` by wire name.
 * Throws where another user deleted that record of the design, which `designed` asks for.
 */
export async function lookAtGivenBack(
  work: Work,
  record: Pick<WireRecord, 'ciName' | 'ciClassName'>,
  names: readonly string[],
  designed: () => Promise<WireRecord | undefined>,
): Promise<void> {
  const environment = environmentWork(work);
  // An environment that is not declared goes, or the engine decides what of it is looked at.
  if (names.length === 0 || (environment.known === undefined && !work.session.isLimited())) return;
  const pulled = Number(environment.known?.['pulled']) || 0;
  const named = { noun: nounOf(record), name: record.ciName, platform: work.at['platform'] ?? '' };
  const isOfRecord = (change: CommittedChange): boolean => isSameRecord(change, named);
  const isMeant = (change: CommittedChange): boolean =>
    change.noun === 'release' || (change.action !== 'delete' && isOfRecord(change));
  const changes = await designChangesSince(environment, pulled);
  await refuseLosses(
    environment,
    `give values of ${record.ciName} back to ${environment.id}`,
    await recordLostFromDesign(environment, changes, isOfRecord, designed),
  );
  const along = changes
    .filter(isMeant)
    .flatMap((change) =>
      change.action === 'update' && change.noun !== 'release'
        ? withAttributes(change, (name) => names.includes(name))
        : [change],
    );
  nameOrRefuse(environment, comingAlong(environment, along));
}

/** Platforms and variables of this run's user that no stack's file or message has named. */
async function undeclared(
  work: Work,
  records: readonly WireRecord[],
  named: readonly CommittedChange[],
): Promise<readonly CommittedChange[]> {
  const declared = declaredInDesign(work).map(({ path }) => path);
  const others = records.flatMap((record) => {
    const [noun, path] = [nounOf(record), pathOf(record)];
    const isKnown = declared.includes(path) || isOwn(work, 'design', path) || named.some((each) => each.path === path);
    return isPendingDelete(record) || record.rfcAction === 'add' || isKnown ? [] : [{ ...record, noun }];
  });
  return Promise.all(others.map((record) => additionOf(work, record, record.noun)));
}

/** Whether the design is this stack's. A limited run may not have seen whose it is. */
function ownsDesign(work: Work): boolean {
  const { inputs } = memoryOfStage(work, 'design');
  return inputs === undefined ? work.session.isLimited() : !isReference(inputs);
}

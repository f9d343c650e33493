// Changes that other users committed to a design or an environment since a moment, from the lists
// of releases.
import { lookUp } from '../session';
import { ENCRYPTED, type Record as WireRecord, type Relation, type Release, routes } from '../../api/contract';
import { readOrGone } from '../verbs/presence';
import type { Work } from '../kind';
import {
  FARTHEST,
  attributesSetBy,
  causeOf,
  closedAfter,
  endedAfter,
  isManifest,
  isOfAnother,
  NEVER_PULLED,
  newestDeployed,
  parentBefore,
  type Place,
  readRelease,
  writersIn,
} from './environment-releases';
import { type CommittedChange, userOf } from './change';
import { plannedChanges } from './platform-switch';
import { withoutTakenBack } from './taken-back';
import { platformOf } from '../address/ids';
import { orNone } from '../../api/errors';
import { mayBeRefresh } from '../verbs/records';

const PAGE = 100;

/**
 * Changes of the design that other users committed after a release, oldest first, without what this
 * run's user took back: one request, and one for each release from the first of theirs on.
 */
export async function designChangesSince(
  work: Work,
  after: number,
  list?: readonly Release[],
): Promise<readonly CommittedChange[]> {
  // Some of them are this run's, if it wrote: its user is asked for at the same time.
  const hasWritten = work.session.own.all().length > 0;
  const [all] = await Promise.all([list ?? designReleases(work, after), hasWritten ? userOf(work) : undefined]);
  const theirs = await ofOthers(work, all, after);
  const [first] = theirs;
  if (first === undefined) return [];
  // The state may have a record that one user made and another deleted.
  const releases = withoutTakenBack('design', await readDesignReleases(work, theirs), true);
  const user = await userOf(work);
  const links = (await linksIn(work, releases)).filter(({ cause }) => cause.who !== user);
  const changes = [...(await changesOfOthers(work, 'design', releases)), ...links];
  const own = await ownDesignChanges(work, first.releaseId, all);
  return changes.flatMap((change) => leftOf(change, own));
}

/** A change without what later ones of the same record deleted or replaced. */
function leftOf(change: CommittedChange, later: readonly CommittedChange[]): readonly CommittedChange[] {
  const after = later.filter(
    ({ noun, path, setting, cause }) =>
      noun === change.noun &&
      path === change.path &&
      setting === change.setting &&
      cause.releaseId > change.cause.releaseId,
  );
  if (change.link) return after.length === 0 ? [change] : [];
  if (change.action === 'delete') return [change];
  if (after.some(({ action }) => action === 'delete')) return [];
  const attributes = change.attributes.filter((name) => !after.some((own) => own.attributes.includes(name)));
  return change.action === 'update' && change.attributes.length > 0 && attributes.length === 0
    ? []
    : [{ ...change, attributes }];
}

/**
 * What this run's user alone committed to the design after a release, oldest first, `without` some
 * releases: one request for each of at most 25.
 */
export async function ownDesignChanges(
  work: Work,
  after: number,
  list: readonly Release[],
  without: readonly number[] = [],
): Promise<readonly CommittedChange[]> {
  const since = closedAfter(list, after).filter(({ releaseId }) => !without.includes(releaseId));
  const theirs = await ofOthers(work, since, after);
  const own = since.filter((release) => !theirs.includes(release));
  const releases = await readDesignReleases(work, own.slice(-FARTHEST));
  return [...releases.flatMap((release) => changesIn(release, 'design')), ...(await linksIn(work, releases))];
}

/** Numbers of the records that anybody added to the design after a release, as far as they are read. */
export async function addedSince(work: Work, after: number, list: readonly Release[]) {
  const releases = await readDesignReleases(work, closedAfter(list, after).slice(-FARTHEST));
  const changes = releases.flatMap((release) => changesIn(release, 'design'));
  return changes.flatMap(({ action, ciId }) => (action === 'add' ? [ciId] : []));
}

/**
 * The last change of a design that fits, by any user; undefined when the newest 25
 * releases do not show it. One request, and one for each release.
 */
export async function lastDesignChange(
  work: Pick<Work, 'api' | 'at' | 'session'>,
  isMeant: (change: CommittedChange) => boolean,
): Promise<CommittedChange | undefined> {
  const closed = closedAfter(await newestDesignReleases(work, PAGE));
  for (const release of closed.slice(-FARTHEST).toReversed()) {
    const [read] = await readDesignReleases(work, [release]);
    const found = read && changesIn(read, 'design').findLast(isMeant);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A platform or variable of a design, as far as it is known. */
type Added = Pick<WireRecord, 'ciName' | 'created' | 'createdBy'>;

/** The change that added a platform or variable to a design, or what the record itself shows of it. */
export async function additionOf(
  work: Pick<Work, 'api' | 'at' | 'session'>,
  record: Added,
  noun = 'platform',
): Promise<CommittedChange> {
  const shown = additionShown(record, noun);
  const found = await lastDesignChange(work, ({ path, action }) => path === shown.path && action === 'add');
  return found ?? shown;
}

/** The same by the record alone, which shows no release. */
export function additionShown({ ciName: name, created, createdBy }: Added, noun = 'platform'): CommittedChange {
  const [path, platform] = noun === 'variable' ? [`$${name}`, ''] : [name, name];
  const cause = { who: createdBy ?? '', when: created ?? 0, releaseId: 0 };
  const change = { noun, path, platform, name, action: 'add', attributes: [], values: {} };
  return { ...change, cause, stage: 'design', isByHand: false };
}

/**
 * The newest releases of a design, with all after one: where each write is a release, these may be
 * more than a page. None without a design.
 */
export async function designReleases(work: Pick<Work, 'api' | 'at'>, after: number): Promise<readonly Release[]> {
  for (let size = PAGE; ; size *= 10) {
    const list = await newestDesignReleases(work, size);
    if (list.length < size || reaches(list, after)) return list;
  }
}

const newestDesignReleases = async (
  { api, at }: Pick<Work, 'api' | 'at'>,
  size: number,
): Promise<readonly Release[]> => {
  const query = { size: String(size) };
  return (await readOrGone(api, at, () => api.call(routes.designReleases.list, { address: at, query }))) ?? [];
};

/** Whether a list of the newest releases has all of those after one. */
export const reaches = (list: readonly Release[], after: number): boolean =>
  list.some(({ releaseId }) => releaseId <= after);

/** The same where one of them is newer than a release, otherwise none; no list in most cases. */
export async function designReleasesAfter(work: Pick<Work, 'api' | 'at'>, after: number): Promise<readonly Release[]> {
  const latest = after === 0 ? undefined : await latestRelease(work);
  return after > 0 && (latest?.releaseId ?? 0) <= after ? [] : designReleases(work, after);
}

/** Releases of a design that are read at most to see what an environment has not pulled yet. */
const NOT_PULLED = 10;

/**
 * The closed releases of a design after one, oldest first, with changes of records; undefined where
 * there are more than 10, or the service lists no changes.
 */
export async function designReleasesRead(
  { api, at }: Pick<Work, 'api' | 'at'>,
  after: number,
): Promise<readonly Listed[] | undefined> {
  const later = closedAfter(await designReleasesAfter({ api, at }, after), after);
  if (later.length > NOT_PULLED) return undefined;
  const design = { api, at: { assembly: at['assembly'] } };
  const read = await Promise.all(later.map(({ releaseId }) => readRelease(design, releaseId)));
  return read.every(isListed) ? read : undefined;
}

type Listed = Release & { readonly rfc_cis: readonly WireRecord[] };

const isListed = (release: Release): release is Listed => release.rfc_cis !== undefined;

/** Closed releases never change, so a run reads each once. */
export const readDesignReleases = (
  work: Pick<Work, 'api' | 'at' | 'session'>,
  releases: readonly Release[],
): Promise<readonly Release[]> =>
  Promise.all(
    releases.map(({ releaseId }) =>
      lookUp(work.session, `design release ${work.at['assembly']} ${releaseId}`, () =>
        readRelease({ api: work.api, at: { assembly: work.at['assembly'] } }, releaseId),
      ),
    ),
  );

/** Whether a release's change of a platform, '' for none, is deployed; undefined: nothing shows it. */
export type Runs = (platform: string, releaseId: number) => boolean | undefined;

/**
 * Which changes of an environment after a release are deployed. `ended`: its ended releases since
 * then. A deployment may leave platforms out: the next plan shows them, and no earlier plan does.
 */
export async function carriedOut(asking: Place, ended: readonly Release[], after: number): Promise<Runs> {
  const deployed = Math.max(after, newestDeployed(ended));
  const next = deployed > after ? await plannedChanges(asking) : { changes: [] };
  if ('changes' in next && next.changes.length === 0) return (_, releaseId) => releaseId <= deployed;
  const closed = closedAfter(ended.filter((each) => !isManifest(each) && (each.parentReleaseId ?? 0) > after));
  const plans = await Promise.all(closed.map(({ releaseId }) => readRelease(asking, releaseId)));
  return (platform, releaseId) => {
    if (releaseId <= after || releaseId > deployed) return releaseId <= after;
    const later = plans.filter(({ parentReleaseId }) => (parentReleaseId ?? 0) >= releaseId);
    const done = later.flatMap(({ rfc_cis: records = [] }) => records.map(platformOf));
    if (done.includes(platform)) return true;
    if ('refusal' in next) return undefined;
    const waits = next.changes.map(platformOf).filter((name) => !done.includes(name));
    // What is in no platform may be for any that waits.
    if (platform === '' ? waits.length === 0 : !waits.includes(platform)) return true;
    return later.every(isListed) ? false : undefined;
  };
}

/** A release without its changes of records that are deployed; undefined where none is left. */
export function withoutDeployed(release: Release, runs: Runs): Release | undefined {
  const { rfc_cis: records, rfc_relations: relations = [], releaseId } = release;
  if (records === undefined) return runs('', releaseId) === true ? undefined : release;
  const waits = (platform: string): boolean => runs(platform, releaseId) !== true;
  const left = records.filter((each) => waits(nounOf(each) === 'platform' ? each.ciName : platformOf(each)));
  const links = relations.filter((each) => waits(platformOf(each)));
  return left.length + links.length > 0 ? { ...release, rfc_cis: left, rfc_relations: links } : undefined;
}

/**
 * The closed releases of an environment's records after one, oldest first, and `theirs`, which
 * others committed or wrote into: one request, and one for each. `runs`: which of it is deployed.
 */
export async function environmentReleasesSince(
  work: Work,
  after: number,
): Promise<{ readonly all: readonly Release[]; readonly theirs: readonly Release[]; readonly runs: Runs }> {
  const ended = await endedAfter(work, after);
  const since = closedAfter(ended.filter(isManifest));
  if (since.length === 0) return { all: [], theirs: [], runs: (_, releaseId) => releaseId <= after };
  const theirs = new Set((await ofOthers(work, since, after)).map(({ releaseId }) => releaseId));
  const user = await userOf(work);
  const all = await Promise.all(since.map(({ releaseId }) => readRelease(work, releaseId)));
  const isTheirs = (each: Release): boolean =>
    theirs.has(each.releaseId) || writersIn(each).some(({ who }) => who !== user);
  return { all, theirs: all.filter(isTheirs), runs: await carriedOut(work, ended, after) };
}

/** The committed ones that another user opened or committed, oldest first. */
export async function ofOthers(work: Work, list: readonly Release[], after: number): Promise<readonly Release[]> {
  const since = closedAfter(list, after);
  if (since.length === 0) return [];
  const user = await userOf(work);
  return since.filter((release) => isOfAnother(release, user));
}

/**
 * The changes in releases without those of this run's user. `platforms`: those whose settings
 * count, unless they came with a pull of what this user committed.
 */
export async function changesOfOthers(
  work: Work,
  stage: CommittedChange['stage'],
  releases: readonly Release[],
  platforms: readonly WireRecord[] = [],
): Promise<readonly CommittedChange[]> {
  if (releases.length === 0) return [];
  const user = await userOf(work);
  const names = new Map(platforms.map(({ ciId, ciName }) => [ciId, ciName]));
  const pulls = platforms.length === 0 ? [] : await pullsOfOwn(work, releases);
  return releases
    .flatMap((release) =>
      [...changesIn(release, stage), ...settingsIn(release, names, pulls)].filter(
        ({ noun, isByHand }) => isByHand || noun !== 'platform' || !pulls.includes(release),
      ),
    )
    .filter(({ cause }) => cause.who !== user);
}

/** Others' changes of an environment in `theirs`, without what this user replaced in `all`. */
export async function changesLeft(
  work: Work,
  { all, theirs }: { readonly all: readonly Release[]; readonly theirs: readonly Release[] },
  platforms: readonly WireRecord[],
): Promise<readonly CommittedChange[]> {
  const changes = await changesOfOthers(work, 'environment', theirs, platforms);
  if (changes.length === 0) return [];
  const user = await userOf(work);
  const names = new Map(platforms.map(({ ciId, ciName }) => [ciId, ciName]));
  // A run locks what it scales; other scaling in its releases follows from a pull.
  const isWritten = ({ relationName, relationAttrProps }: Relation): boolean =>
    NEVER_PULLED.includes(relationName) || Object.values(relationAttrProps?.owner ?? {}).includes('manifest');
  const own = all
    .map((release) => ({ ...release, rfc_relations: (release.rfc_relations ?? []).filter(isWritten) }))
    .flatMap((release) => [...changesIn(release, 'environment'), ...settingsIn(release, names, [])])
    // A pull names nobody.
    .filter(({ cause }) => cause.who === '' || cause.who === user);
  return withTargets(
    work,
    changes.flatMap((change) => leftOf(change, own)),
  );
}

/**
 * Settings of platforms with the components and clouds that they are of, without those of clouds
 * that a platform no longer uses.
 */
async function withTargets(work: Work, changes: readonly CommittedChange[]): Promise<readonly CommittedChange[]> {
  const names = new Set(changes.flatMap(({ setting, platform }) => (setting === undefined ? [] : [platform])));
  const targets = new Map<number, string>();
  for (const platform of names) {
    const address = { ...work.at, platform };
    const scales = await orNone(work.api.call(routes.environmentPlatforms.edit, { address }));
    const uses = await orNone(work.api.call(routes.environmentPlatforms.read, { address }));
    for (const { ciRelationId, toCi } of [...(scales?.depends_on ?? []), ...(uses?.consumes ?? [])])
      if (toCi) targets.set(ciRelationId, toCi.ciName);
  }
  return changes.flatMap((change) => {
    const target = targets.get(change.setting ?? 0);
    if (target !== undefined) return [{ ...change, target }];
    return change.isOfCloud ? [] : [change];
  });
}

/** The releases of an environment that pulled design releases of this run's user alone. */
async function pullsOfOwn(work: Work, releases: readonly Release[]): Promise<readonly Release[]> {
  const list = (await work.api.call(routes.environmentReleases.list, { address: work.at })).filter(isManifest);
  const beforeAll = Math.min(...releases.map(({ releaseId }) => parentBefore(list, releaseId)));
  const theirs = await ofOthers(work, await designReleases(work, beforeAll), 0);
  return releases.filter(({ releaseId, parentReleaseId }) => {
    const [before, pulled] = [parentBefore(list, releaseId), parentReleaseId ?? 0];
    return pulled > before && !theirs.some((each) => each.releaseId > before && each.releaseId <= pulled);
  });
}

/** How a release scales and switches platforms, and sets their clouds. */
function settingsIn(
  release: Release,
  names: ReadonlyMap<number, string>,
  pulls: readonly Release[],
): readonly CommittedChange[] {
  return (release.rfc_relations ?? []).flatMap((change): readonly CommittedChange[] => {
    const name = names.get(change.toCiId) ?? platformOf(change);
    const attributes = attributesSetBy(change);
    if (names.size === 0 || name === '' || attributes.length === 0) return [];
    const of = { noun: 'platform', path: name, platform: name, name, action: 'update', attributes };
    const isLocked = attributes.some((attribute) => change.relationAttrProps?.owner?.[attribute] === 'manifest');
    const isPulled = pulls.includes(release) && mayComeWithPull(release, change, name);
    const isByHand = isLocked || !isPulled;
    const { ciRelationId: setting, relationAttributes: values } = change;
    const isOfCloud = change.relationName.endsWith('.Consumes');
    return [{ ...of, setting, isOfCloud, values, cause: causeOf(release, change), stage: 'environment', isByHand }];
  });
}

/**
 * A pull only adds clouds and switches, and scales a platform only with another version of its
 * pack.
 */
function mayComeWithPull(release: Release, { relationName }: Relation, platform: string): boolean {
  if (relationName !== 'manifest.DependsOn') return !NEVER_PULLED.includes(relationName);
  const isOtherPack = ({ ciBaseAttributes }: WireRecord): boolean =>
    ['source', 'pack', 'version', 'pack_digest'].some((name) => name in (ciBaseAttributes ?? {}));
  return (release.rfc_cis ?? []).some(
    (record) => nounOf(record) === 'platform' && record.ciName === platform && isOtherPack(record),
  );
}

export function changesIn(release: Release, stage: CommittedChange['stage']): readonly CommittedChange[] {
  if (release.rfc_cis === undefined) return [unlistedChange(release, stage)];
  return release.rfc_cis.map((record) => {
    const { ciName: name, rfcAction } = record;
    const noun = nounOf(record);
    const [before, values] = [record.ciBaseAttributes ?? {}, record.ciAttributes];
    const names = Object.keys(before);
    // Of a secret, nothing shows whether it has another value.
    const set = names.filter((each) => values[each] === ENCRYPTED || (values[each] ?? '') !== (before[each] ?? ''));
    return {
      noun,
      path: pathOf(record),
      platform: noun === 'platform' ? name : platformOf(record),
      name,
      action: rfcAction ?? 'update',
      // A lock alone changes no value.
      attributes: set.length > 0 ? set : names,
      values,
      before,
      ciId: record.ciId,
      changeId: record.rfcId ?? 0,
      cause: causeOf(release, record),
      stage,
      isByHand: names.some((attribute) => record.ciAttrProps?.owner?.[attribute] === 'manifest'),
    };
  });
}

/** Relations of a design that records declare by names. */
const LINKS: { readonly [relationName: string]: string | undefined } = {
  'catalog.LinksTo': 'link',
  'catalog.DependsOn': 'dependency',
};

/**
 * Links and dependencies that releases of a design add and delete, between records that stay; with
 * `among`, between all. `among`: changes of records, which name ends that are gone.
 */
export async function linksIn(
  work: Pick<Work, 'api' | 'at'>,
  releases: readonly Release[],
  among?: readonly WireRecord[],
): Promise<readonly (CommittedChange & Required<Pick<CommittedChange, 'link' | 'changeId'>>)[]> {
  const records = among ?? releases.flatMap(({ rfc_cis: changes = [] }) => changes);
  const found = releases.flatMap((release) => {
    const moved = (release.rfc_cis ?? []).flatMap(({ ciId, rfcAction }) => (rfcAction === 'update' ? [] : [ciId]));
    return (release.rfc_relations ?? [])
      .filter(({ relationName, rfcAction }) => relationName in LINKS && rfcAction !== 'update')
      .filter(({ fromCiId, toCiId }) => among !== undefined || (!moved.includes(fromCiId) && !moved.includes(toCiId)))
      .map((change) => ({ ...change, cause: causeOf(release, change) }));
  });
  const named = found.map(async ({ relationName, fromCiId: from, toCiId, rfcAction, rfcId, nsPath, cause }) => {
    const platform = platformOf({ nsPath });
    const list = platform === '' ? routes.platforms.list : routes.components.list;
    const ends = await readOrGone(work.api, work.at, () => work.api.call(list, { address: { ...work.at, platform } }));
    const [name = '', to = ''] = [from, toCiId].map(
      (number) => [...(ends ?? []), ...records].find(({ ciId }) => ciId === number)?.ciName ?? String(number),
    );
    const path = `${platform === '' ? name : `${platform}/${name}`} -> ${to}`;
    const of = { noun: LINKS[relationName] ?? '', path, platform: platform || name, name };
    const change = { link: { from, to }, changeId: rfcId ?? 0, action: rfcAction ?? '' };
    return { ...of, ...WHOLE, ...change, cause, stage: 'design' as const };
  });
  return Promise.all(named);
}

/** The noun of a record: `component`, `platform`, `variable`, `attachment`, `monitor`. */
export const nounOf = ({ ciClassName }: Pick<WireRecord, 'ciClassName'>): string =>
  NOUNS[ciClassName.split('.')[1] ?? ''] ?? 'component';

const NOUNS: { readonly [className: string]: string | undefined } = {
  Platform: 'platform',
  Attachment: 'attachment',
  Monitor: 'monitor',
  Localvar: 'variable',
  Globalvar: 'variable',
};

/** The name of a record in lists of changes. */
export const namedIn = (record: Pick<WireRecord, 'nsPath' | 'ciClassName' | 'ciName'>) => ({
  noun: nounOf(record),
  name: record.ciName,
  platform: platformOf(record),
});

/** `web/deployer`, `web/$HEAP`, `$LOG_LEVEL`; `web/deployer/motd` where the component is known. */
export function pathOf(record: Pick<WireRecord, 'nsPath' | 'ciClassName' | 'ciName'>, component = ''): string {
  const noun = nounOf(record);
  const around = noun === 'platform' ? [] : [platformOf(record), component];
  return [...around, `${noun === 'variable' ? '$' : ''}${record.ciName}`].filter(Boolean).join('/');
}

/** A change without known attributes. */
const WHOLE = { action: 'update', attributes: [], values: {}, isByHand: true };

function unlistedChange(release: Release, stage: CommittedChange['stage']): CommittedChange {
  const name = `release ${release.releaseId}`;
  return { noun: 'release', path: name, platform: '', name, ...WHOLE, cause: causeOf(release), stage };
}

/** The newest release of a design, in any state; none when there never was one. */
const latestRelease = ({ api, at }: Pick<Work, 'api' | 'at'>): Promise<Release | undefined> =>
  orNone(api.call(routes.designReleases.latest, { address: at }));

/** The newest committed one, without open and discarded ones; `known`: the newest in any state. */
export async function newestClosed(work: Place, known?: Release): Promise<Release | undefined> {
  const latest = known ?? (await latestRelease(work));
  if (latest === undefined || latest.releaseState === 'closed') return latest;
  return closedAfter(await newestDesignReleases(work, PAGE)).at(-1);
}

/**
 * What is newer than a release that was taken over; undefined for nothing. Asked in a refresh only;
 * without a read cache, a refresh cannot be distinguished from an update.
 */
export async function newerThan(work: Work, releaseId: number): Promise<string | undefined> {
  if (!mayBeRefresh(work)) return undefined;
  const newest = await newestClosed(work);
  if (newest === undefined || newest.releaseId <= releaseId) return undefined;
  return `design release ${newest.releaseId} by ${newest.commitedBy ?? newest.createdBy ?? 'somebody'}`;
}

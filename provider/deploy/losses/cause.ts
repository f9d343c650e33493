// The reason and the user behind a platform that has less than the file declares: the same reading
// before a commit, for the plan to deploy, and for the instances afterwards.
import {
  type EnvironmentPlatform,
  type Record as WireRecord,
  type Relation,
  type Release,
  routes,
} from '../../../api/contract';
import { changesOfOthers, environmentReleasesSince, lastDesignChange } from '../../history/committed';
import { type Work } from '../../kind';
import { isReference } from '../../lifecycle/refer';
import { lackedPart } from '../../lifecycle/state';
import { changesNumber, declaredMember, environmentId } from '../../commit/own-records';
import { memoryOfCommit, memoryOfStage } from '../../session';
import { camelCase } from '../../values/field';
import { textAt, wordsAt, entryNames } from '../../values/plain';
import { coversPath, type PropertyPath } from '../../values/property-path';
import { isPendingDelete, liveOf } from '../../verbs/live';
import { configureLink, environmentLinks, linksOf, type LinkTexts } from '../../kinds/environment/cloud-links';
import { linksIn } from '../../kinds/environment/clouds';
import { type PlatformSwitch, platformSwitches, switchesIn } from '../../history/platform-switch';
import { attributesSetBy, causeOf, closedAfter, newestReleases, textBefore } from '../../history/environment-releases';
import { type Cause, userOf } from '../../history/change';
import { declaredInDesign, declaredInEnvironment, downOnPurpose } from '../declared-records';
import type { Loss } from './loss';
import { releaseKnown } from '../outcome';
import { instancesOf } from '../run-elsewhere';
import { nameOfTarget, scalesByLoad } from '../running';
import { componentOf, platformOf } from '../../address/ids';

/** A loss, and how the declared values are written over it; absent where a run cannot. */
export interface EnvironmentLoss extends Loss {
  readonly platform: string;
  readonly restore?: () => Promise<unknown>;
}

/** The loss by a plan, stored or not: how many more instances it deletes than it makes. */
export interface PlanChanges {
  /** By the name of the platform. */
  readonly platforms: ReadonlyMap<string, number>;
  /** By `web/tomcat`. */
  readonly components: ReadonlyMap<string, number>;
  /** Names of the platforms of which the plan only deletes. */
  readonly onlyDeleted: ReadonlySet<string>;
}

export function changesOf(plan: readonly WireRecord[]): PlanChanges {
  const lessOf = (keyOf: (change: WireRecord) => string): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const change of plan) {
      const sign = change.rfcAction === 'delete' ? 1 : change.rfcAction === 'add' ? -1 : 0;
      counts.set(keyOf(change), (counts.get(keyOf(change)) ?? 0) + sign);
    }
    return new Map([...counts].filter(([, count]) => count > 0));
  };
  const others = new Set(plan.flatMap((change) => (change.rfcAction === 'delete' ? [] : [platformOf(change)])));
  return {
    platforms: lessOf(platformOf),
    components: lessOf((change) => `${platformOf(change)}/${componentOf(change)}`),
    onlyDeleted: new Set(plan.map(platformOf).filter((name) => !others.has(name))),
  };
}

/** Platforms of which less is there, or will be, than declared, and where to look for the cause. */
interface LessThanDeclared {
  /** Names of platforms that the environment has no longer, or that wait for their deletion. */
  readonly gone: readonly string[];
  /** Names of platforms that may be switched off. */
  readonly maybeOff: readonly string[];
  /** Names of platforms of which links to clouds are compared with what is declared. */
  readonly linked: readonly string[];
  /** Releases that show who did it, oldest first. Default: the newest of the environment. */
  readonly releases?: readonly Release[];
  /** Whether a change that no release shows is a loss; otherwise it counts as this user's. */
  readonly isAnyones: boolean;
  /** Names of platforms that may be scaled down. Default: `linked`. */
  readonly scaled?: readonly string[];
  /** Number of the release after which a change of scaling counts. Default: any. */
  readonly scaledAfter?: number;
}

/** Changes of other users that leave less of declared platforms than the file declares. */
export async function causesOf(
  work: Work,
  { gone, maybeOff, linked, releases, isAnyones, scaled = linked, scaledAfter = 0 }: LessThanDeclared,
): Promise<readonly EnvironmentLoss[]> {
  const declared = declaredHere(work);
  const recreated = wordsAt(environmentInputs(work), 'recreatePlatforms');
  const lost = [...new Set(gone)].filter((name) => declared.has(name) && !recreated.includes(name));
  const search = async () => releases ?? (await newestReleases(work)).releases;
  const found: EnvironmentLoss[] = [];
  for (const name of lost) found.push(await deletedPlatform(work, name, await search()));
  const off = maybeOff.length === 0 ? [] : (await switchedOff(work)).theirs;
  found.push(...off.filter(({ platform }) => maybeOff.includes(platform)));
  const user = await userOf(work);
  const isLoss = ({ cause }: EnvironmentLoss): boolean => isAnyones || (cause !== undefined && cause.who !== user);
  for (const name of linked) found.push(...(await lostLinks(work, name, search)).filter(isLoss));
  const later = scaled.length === 0 ? [] : (await search()).filter(({ releaseId }) => releaseId > scaledAfter);
  for (const name of scaled) found.push(...(await scaledDown(work, name, later)));
  const unexplained = isAnyones ? scaled.filter((name) => !found.some(({ platform }) => platform === name)) : [];
  if (unexplained.length > 0 && (await newestReleases(work)).walk === 'unlisted')
    for (const name of unexplained) found.push(...(await takenByNobody(work, name)));
  return found;
}

/**
 * Instances that go, though this run changes nothing of their number and the service lists no
 * changes. Without what scales by load, what a run left half-done, and what `whenBusy: proceed`
 * committed.
 */
async function takenByNobody(work: Work, name: string): Promise<readonly EnvironmentLoss[]> {
  const state = textAt(work.known, 'state');
  const isEnded = state === 'complete' || state.includes(' ');
  if (!isEnded || work.args['whenBusy'] === 'proceed' || changesNumber(work, name)) return [];
  const address = { ...work.at, platform: name };
  const { depends_on: scaled, ...platform } = await work.api.call(routes.environmentPlatforms.edit, { address });
  if (scaled.some((relation) => scalesByLoad(work, platform, relation))) return [];
  const last = (await environmentReleasesSince(work, releaseKnown(work))).theirs.at(-1);
  return [unshown(name, `took instances of platform ${name} away`, last && behind(last, await userOf(work)))];
}

/** The parts of a loss that differ; the rest has a default. */
type LossOf = Pick<Loss, 'did' | 'cause' | 'keep' | 'letGo'> & Partial<EnvironmentLoss>;

const lossOf = (platform: string, own: LossOf): EnvironmentLoss => ({
  platform,
  subject: platform,
  stage: 'environment',
  instances: 0,
  ...own,
});

/** A loss of a platform of which no release shows the setting. */
export const unshown = (platform: string, did: string, cause?: Cause, instances = 0): EnvironmentLoss =>
  lossOf(platform, {
    did,
    cause,
    instances,
    keep: `set it back in the service, or declare what ${platform} has in the environment`,
    letGo: `declare what ${platform} has in the environment`,
  });

/** Who of others than `self` is behind a release without listed changes, or without authors. */
export const behind = ({ commitedBy, createdBy, updated, releaseId }: Release, self: string | undefined): Cause => ({
  who: [commitedBy, createdBy].find((name) => name && name !== self) ?? '',
  when: updated ?? 0,
  releaseId,
});

/** Others' commits by which less of a platform runs, and not as declared or by load. */
async function scaledDown(work: Work, name: string, releases: readonly Release[]): Promise<readonly EnvironmentLoss[]> {
  const user = await userOf(work);
  const set = releases
    .filter(({ releaseState }) => releaseState === 'closed')
    .flatMap((release) => (release.rfc_relations ?? []).map((change) => ({ change, cause: causeOf(release, change) })))
    .filter(({ change }) => platformOf(change) === name);
  // A number that somebody raised and set back since the last deployment is not lower than it was.
  const since = set.filter(({ cause }) => cause.releaseId > releaseKnown(work)).map(({ change }) => change);
  const isLowered = (change: Relation, live: Relation): boolean =>
    lowers(change, live) &&
    lowers(since.find(({ ciRelationId }) => ciRelationId === change.ciRelationId) ?? change, live);
  const lowered = set.filter(({ change, cause }) => cause.who !== user && lowers(change, change));
  if (lowered.length === 0) return [];
  const address = { ...work.at, platform: name };
  const { depends_on: scaled, ...platform } = await work.api.call(routes.environmentPlatforms.edit, { address });
  return lowered.flatMap(({ change, cause }): readonly EnvironmentLoss[] => {
    const live = scaled.find(({ ciRelationId }) => ciRelationId === change.ciRelationId);
    if (live === undefined || !isLowered(change, live) || scalesByLoad(work, platform, live)) return [];
    const target = nameOfTarget(live);
    return [
      lossOf(name, {
        did: `scaled ${target} of platform ${name} to ${live.relationAttributes['current']}`,
        cause,
        keep: `set it back in the service, or declare the scale of ${target} in the environment`,
        letGo: `declare the scale of ${target} in the environment`,
      }),
    ];
  });
}

const lowers = (change: Relation, { relationAttributes }: Relation): boolean =>
  Number(relationAttributes['current']) < Number(textBefore(change, 'current'));

/**
 * Whether a refresh, now or earlier, saw what is there: the file's values go over it. Before the
 * first deployment, it is one of the environment.
 */
export function isRefreshed(work: Work): boolean {
  const state = work.known?.['state'];
  const { isRead } =
    work.known === undefined ? memoryOfStage(work, 'environment') : memoryOfCommit(work, 'environment');
  return isRead === true || (typeof state === 'string' && state.includes(' '));
}

/** Names of the platforms that this run declares, except as another stack's. */
const declaredPlatforms = (work: Work): ReadonlySet<string> =>
  new Set(
    declaredInDesign(work).flatMap(({ noun, name, memory }) =>
      noun === 'platform' && memory.replaced === undefined ? [name] : [],
    ),
  );

/** Names of the platforms that this run declares, or, of another stack's, gives values in the environment. */
function declaredHere(work: Work): ReadonlySet<string> {
  const { inputs } = memoryOfStage(work, 'design');
  const given = inputs !== undefined && isReference(inputs) ? declaredInEnvironment(work) : [];
  return new Set([...declaredPlatforms(work), ...given.flatMap(({ address: { platform } }) => platform ?? [])]);
}

const environmentInputs = (work: Work): Work['args'] | undefined => memoryOfStage(work, 'environment').inputs;

/** The loss of a platform that the environment has no longer: deleted there, or in the design. */
async function deletedPlatform(work: Work, name: string, releases: readonly Release[]): Promise<EnvironmentLoss> {
  const isDeletion = (change: { readonly noun: string; readonly name: string; readonly action: string }): boolean =>
    change.noun === 'platform' && change.name === name && change.action === 'delete';
  const here = (await changesOfOthers(work, 'environment', releases)).findLast(isDeletion);
  const design = here ?? (await lastDesignChange(work, isDeletion));
  return lossOf(name, {
    did: `deleted platform ${name} from the ${here ? 'environment' : 'design'}`,
    cause: design?.cause,
    stage: here ? 'environment' : 'design',
    instances: await instancesOf({ api: work.api, at: { ...work.at, platform: name } }),
    keep: declaredPlatforms(work).has(name)
      ? 'pulumi up --refresh creates it again from the file'
      : 'have it created again in the stack that owns it',
    letGo: `remove ${name} from the file`,
  });
}

/** The loss of a platform that is switched otherwise than declared. `isOurs`: the run can set it back. */
const switchedOtherwise = (work: Work, platform: WireRecord, isOn: boolean, cause?: Cause, isOurs = true) =>
  lossOf(platform.ciName, {
    did: `${isOn ? 'enabled' : 'disabled'} platform ${platform.ciName}`,
    cause,
    isIgnored: ignoresSwitch(work, platform),
    keep: `pulumi up --refresh ${isOn ? 'disables' : 'enables'} it again`,
    letGo: `declare enabled: ${isOn} for ${platform.ciName} in the environment`,
    ...(isOurs && { restore: () => switchPlatforms(work, isOn ? 'disable' : 'enable', [platform]) }),
  });

/**
 * Platforms of an environment that are off and not declared to be: `theirs`, which other users
 * turned off, unless `whenBusy` commits that; and `own`, which a killed tear-down, the service, this
 * user or nobody known left off, or of which nothing shows whether they are on.
 */
export async function switchedOff(
  work: Work,
): Promise<{ readonly own: readonly PlatformSwitch[]; readonly theirs: readonly EnvironmentLoss[] }> {
  const down = downOnPurpose(work);
  const user = await userOf(work);
  const off = (await switchesHere(work)).filter(
    ({ platform, enabled, committed }) => !down.has(platform.ciName) && (enabled !== true || committed === false),
  );
  const isTheirs = ({ enabled, switched }: PlatformSwitch): boolean =>
    enabled === false && switched !== undefined && switched.who !== user;
  const isIncluded = ({ reach }: PlatformSwitch): boolean => reach === 'open' && work.args['whenBusy'] === 'proceed';
  return {
    own: off.filter((each) => !isTheirs(each) && each.enabled !== true && each.isOurs),
    theirs: off
      .filter((each) => isTheirs(each) && !isIncluded(each))
      .map(({ platform, switched }) => switchedOtherwise(work, platform, false, switched)),
  };
}

/**
 * The switches of an environment. `isOurs`: declared, or of a declared platform, or by a tear-down,
 * which turns all off.
 */
async function switchesHere(work: Work) {
  const declared = declaredHere(work);
  const all = [...(await platformSwitches(work)).values()];
  const isDown = all.every(({ enabled }) => enabled !== true);
  const isDeclared = ({ ciName }: WireRecord): boolean =>
    declared.has(ciName) || declaredMember(work, 'environment', ciName)?.work.args['enabled'] !== undefined;
  const isOurs = (platform: WireRecord): boolean => (isDown || isDeclared(platform)) && !ignoresSwitch(work, platform);
  return all.map((each) => ({ ...each, isOurs: isOurs(each.platform) }));
}

/**
 * Switches in releases against the file: on by others, or either way by this user, as in a killed
 * run. Those of platforms that are not this run's to enable have no `restore`.
 */
export async function switchedOver(work: Work, releases: readonly Release[], isOwn: boolean) {
  const down = downOnPurpose(work);
  const changes = releases.flatMap(switchesIn).filter(([, { enabled }]) => isOwn || (enabled && down.size > 0));
  if (changes.length === 0) return [];
  const user = await userOf(work);
  const causes = new Map(changes.map(([ciId, { switched }]) => [ciId, switched]));
  return (await switchesHere(work)).flatMap(({ platform, enabled, isOurs }): EnvironmentLoss[] => {
    const cause = causes.get(platform.ciId);
    const isOver = enabled === down.has(platform.ciName) && (isOwn || enabled);
    if (!isOver || !cause || (cause.who === user) !== isOwn) return [];
    return [switchedOtherwise(work, platform, enabled, cause, isOurs)];
  });
}

/** Declared clouds that this user took out of use, and committed, in releases: of platforms that run. */
export async function linksTakenByUser(work: Work, releases: readonly Release[]): Promise<readonly EnvironmentLoss[]> {
  const user = await userOf(work);
  const changed = closedAfter(releases).flatMap((release) =>
    (release.rfc_relations ?? []).filter((change) => causeOf(release, change).who === user),
  );
  const ids = new Set(changed.flatMap((each) => (each.relationName === 'base.Consumes' ? each.fromCiId : [])));
  if (ids.size === 0) return [];
  const down = downOnPurpose(work);
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const found: EnvironmentLoss[] = [];
  for (const each of platforms)
    if (ids.has(each.ciId) && !down.has(each.ciName) && !isPendingDelete(each))
      found.push(...(await lostLinks(work, each.ciName, () => Promise.resolve(releases))));
  return found.filter(({ cause, isIgnored }) => cause?.who === user && isIgnored !== true);
}

/** Whether this run ignores if a platform is enabled. */
const ignoresSwitch = (work: Work, { ciName }: WireRecord): boolean =>
  ignores(declaredMember(work, 'environment', ciName)?.ignored, ['enabled']);

const ignores = (ignored: readonly PropertyPath[] = [], place: readonly string[]): boolean =>
  ignored.some((path) => coversPath(path, place));

/** Switches platforms of the environment, as an open change. */
export async function switchPlatforms(work: Work, verb: 'enable' | 'disable', platforms: readonly WireRecord[]) {
  const platformCiIds = platforms.map(({ ciId }) => String(ciId));
  await work.api.call(routes.environments[verb], { address: work.at, body: { platformCiIds } });
}

/** The texts of a link that decide how much runs on its cloud. */
const CAPACITY = ['adminstatus', 'pct_scale'];

/**
 * Links of a platform to declared clouds with less than declared; by default active, with 100 %.
 */
async function lostLinks(
  work: Work,
  name: string,
  search: () => Promise<readonly Release[]>,
): Promise<readonly EnvironmentLoss[]> {
  const declared = linksIn(environmentInputs(work)) ?? (await linksThere(work));
  if (declared === undefined) return [];
  const platform = await work.api.call(routes.environmentPlatforms.read, { address: { ...work.at, platform: name } });
  const links = new Map(linksOf(platform));
  const found: EnvironmentLoss[] = [];
  for (const [cloud, defaults] of declared) {
    const link = links.get(cloud);
    const { work: own, ignored } = declaredMember(work, 'environment', `${name}/${cloud}`) ?? {};
    const wanted = wantedOf(work, own?.args ?? {}, defaults, `${name}/${cloud}`);
    const isCompared = (wire: string): boolean =>
      !ignores(ignored, [camelCase(wire)]) &&
      !ignores(memoryOfStage(work, 'environment').ignored, ['clouds', cloud, camelCase(wire)]);
    const all = CAPACITY.filter((wire) => link !== undefined && isLess(wire, link[wire] ?? '', wanted[wire] ?? ''));
    const isIgnored = !all.some(isCompared);
    const less = isIgnored ? all : all.filter(isCompared);
    if (link === undefined || less.length === 0) continue;
    const cause = causeOfLink(platform, cloud, less, await search(), await userOf(work));
    const texts = Object.fromEntries(less.map((wire) => [wire, wanted[wire] ?? '']));
    found.push(
      lossOf(name, {
        subject: `${name}/${cloud}`,
        did: `set ${less.map((wire) => `${wire} of cloud ${cloud} of platform ${name} to ${JSON.stringify(link[wire])}`).join(', ')}`,
        cause,
        isIgnored,
        keep: 'pulumi up --refresh sets it back',
        letGo: `declare ${less.map((wire) => `${wire}: ${link[wire]}`).join(', ')} for cloud ${cloud} of ${name} in the environment`,
        restore: () => configureLink(work, { platform: name, links }, cloud, texts),
      }),
    );
  }
  return found;
}

/**
 * Declared clouds that the environment had after the last run and has no longer. No release shows
 * who took them out: the environment names its last writer alone.
 */
export async function lostClouds(work: Work): Promise<readonly EnvironmentLoss[]> {
  const { known, ignored, isChanged, inputs } = memoryOfStage(work, 'environment');
  // A run that is limited to other resources does not see it; an update with overwrite adds them.
  if (known === undefined || (isChanged === true && inputs?.['overwrite'] === true)) return [];
  // After an update that stopped half-way, the environment's state has clouds that it never got.
  const had = entryNames(known['clouds']).filter((name) => !lackedPart(environmentId(work), known, 'clouds', name));
  const names = wordsAt(work.args, 'clouds').filter(
    (name) => had.includes(name) && !ignores(ignored, ['clouds', name]),
  );
  if (names.length === 0) return [];
  const environment = await work.api.call(routes.environments.read, { address: work.at });
  const there = await environmentLinks(work, environment);
  const { updatedBy: who = '', updated: when = 0 } = liveOf(environment);
  return names
    .filter((name) => !there.has(name))
    .map((name) =>
      lossOf(name, {
        did: `took cloud ${name} out of the environment, last written by ${who || 'somebody'}, ${new Date(when).toISOString()}`,
        cause: undefined,
        keep: 'pulumi up --refresh adds it again',
        letGo: `remove ${name} from the clouds of the environment`,
      }),
    );
}

/** The environment's links to its clouds, for a run that is limited to other resources. */
async function linksThere(work: Work): Promise<ReadonlyMap<string, LinkTexts> | undefined> {
  const { clouds } = work.args;
  if (!Array.isArray(clouds) || !work.session.isLimited()) return undefined;
  const links = await environmentLinks(work, await work.api.call(routes.environments.read, { address: work.at }));
  return new Map([...links].filter(([cloud]) => clouds.includes(cloud)));
}

const isLess = (wire: string, live: string, wanted: string): boolean =>
  wire === 'pct_scale' ? Number(live) < Number(wanted) : live !== wanted && wanted === 'active';

/** What a link wants of its cloud, but for what a configuration gives that a limited run has not seen. */
function wantedOf({ args }: Work, own: Work['args'], defaults: LinkTexts, path: string): LinkTexts {
  const texts = CAPACITY.map((wire) => {
    const isGiven = wordsAt(args, 'configured').includes(`${path}/${camelCase(wire)}`);
    const value = own[camelCase(wire)];
    const isKnown = typeof value === 'string' || typeof value === 'number';
    return [wire, isKnown ? String(value) : isGiven ? '' : (defaults[wire] ?? '')] as const;
  });
  return Object.fromEntries(texts);
}

/** Who last set texts of a platform's cloud link, in releases, oldest first. */
function causeOfLink(
  { consumes }: EnvironmentPlatform,
  cloud: string,
  wires: readonly string[],
  releases: readonly Release[],
  self: string | undefined,
): Cause | undefined {
  const id = (consumes ?? []).find(({ toCi }) => toCi?.ciName === cloud)?.ciRelationId;
  for (const release of releases.toReversed()) {
    const change = release.rfc_relations?.find(({ ciRelationId }) => ciRelationId === id);
    const set = change === undefined ? [] : attributesSetBy(change);
    const cause = causeOf(release, change);
    // A release of this user alone, of which nothing is listed, shows nothing.
    const isShown = change !== undefined || (release.rfc_relations === undefined && cause.who !== self);
    if (isShown && (set.length === 0 || wires.some((wire) => set.includes(wire)))) return cause;
  }
  return undefined;
}

// What other people took away in an environment: platforms that they disabled or deleted, clouds that they took out of use. Before a commit, at a plan,
// and after a deployment.
import { userOf } from '../history/user';
import {
  type EnvironmentPlatform,
  type Record as WireRecord,
  type Relation,
  type Release,
  routes,
} from '../../api/contract';
import { isApiError } from '../../api/errors';
import { changesOfOthers, environmentReleasesSince, lastDesignChange } from '../history/committed';
import type { Work } from '../model';
import { declaredKey, holderKey, lookUp } from '../session';
import { isPendingDelete } from '../verbs/live';
import { configureLink, environmentLinks, linksOf, type LinkTexts } from '../kinds/environment/cloud-links';
import { linksIn } from '../kinds/environment/clouds';
import { type PlatformSwitch, platformSwitches } from '../history/platform-switch';
import { FARTHEST, newestReleases } from '../history/environment-releases';
import type { SwitchedBy } from '../history/change';
import { declaredInDesign, downOnPurpose } from './declared-records';
import { acceptEntry, isAccepted, type Loss, withoutSuccessor } from './losses';
import { platformOf } from '../address/namespace';

/** A loss, and how the declared values are written over it; absent where a run cannot. */
export interface EnvironmentLoss extends Loss {
  readonly platform: string;
  readonly restore?: () => Promise<unknown>;
}

/** Whether a refresh of this run, or one before it, saw what is there: then the run writes what the file declares over it. */
export function isRefreshed(work: Work): boolean {
  const state = work.known?.['state'];
  const deployment = work.session.kinds.find(({ token }) => token === 'Deployment');
  const isRead = deployment !== undefined && work.session.records.of(declaredKey(deployment, work.address)).isRead;
  return isRead || (typeof state === 'string' && state.includes(' '));
}

/** Names of the platforms that this run declares, in any of its stacks' ways except as another stack's. */
const declaredPlatforms = (work: Work): ReadonlySet<string> =>
  new Set(
    declaredInDesign(work).flatMap(({ noun, address, key }) =>
      noun === 'platform' && !work.session.records.isReplaced(key) ? [address['name'] ?? ''] : [],
    ),
  );

/**
 * What other people committed in the environment since the last deployment of this stack that leaves less of a declared platform than the file
 * declares. Their open changes are another rule's.
 */
export async function lostInEnvironment(work: Work, since: number): Promise<readonly EnvironmentLoss[]> {
  const platforms = await platformsBefore(work);
  const releases = await environmentReleasesSince(work, since);
  const gone = await deletedPlatforms(work, platforms, releases);
  if (releases.length === 0) return gone;
  const down = downOnPurpose(work);
  const touched = touchedIn(releases, platforms);
  const staying = platforms.filter(
    (each) => !isPendingDelete(each) && touched.has(each.ciName) && !down.has(each.ciName),
  );
  const off = await disabledPlatforms(work, staying);
  const links: EnvironmentLoss[] = [];
  for (const platform of staying) links.push(...(await lostLinks(work, platform.ciName, releases)));
  const found = [...gone, ...off, ...links];
  const plan = await plannedDeletes(work);
  // What a run after a refresh writes back is open, and no plan of what is committed shows it.
  const other = (isRefreshed(work) ? [] : staying).filter(
    ({ ciName }) => (plan.get(ciName) ?? 0) > 0 && !found.some(({ platform }) => platform === ciName),
  );
  const last = releases.at(-1);
  return [
    ...found.map((loss) => ({ ...loss, instances: loss.instances || (plan.get(loss.platform) ?? 0) })),
    ...other.map(({ ciName }): EnvironmentLoss => ({
      platform: ciName,
      subject: ciName,
      did: `changed platform ${ciName} in the environment`,
      cause: last && { by: last.commitedBy ?? last.createdBy ?? '', at: last.updated ?? 0, releaseId: last.releaseId },
      stage: 'environment',
      instances: plan.get(ciName) ?? 0,
      keep: `set it back in the service, or declare what ${ciName} has in the environment`,
      letGo: `declare what ${ciName} has in the environment`,
    })),
  ];
}

/** The platforms of the environment as this run found them before its commit. */
const platformsBefore = (work: Work): Promise<readonly WireRecord[]> =>
  lookUp(work.session, `platforms before the commit ${work.id}`, () =>
    work.api.call(routes.environmentPlatforms.list, { address: work.at }),
  );

/** Names of the platforms that releases change something of. */
function touchedIn(releases: readonly Release[], platforms: readonly WireRecord[]): ReadonlySet<string> {
  const nameOf = new Map(platforms.map(({ ciId, ciName }) => [ciId, ciName]));
  const names = releases.flatMap(({ rfc_cis: records = [], rfc_relations: relations = [], ...release }) => {
    if (release.releaseId !== undefined && records.length + relations.length === 0) return [...nameOf.values()];
    return [
      ...records.map((record) => nameOf.get(record.ciId) ?? platformOf(record)),
      ...relations.map(
        (relation) => nameOf.get(relation.toCiId) ?? nameOf.get(relation.fromCiId) ?? platformOf(relation),
      ),
    ];
  });
  return new Set(names);
}

/** Declared platforms that wait for their deletion although this run did not take them out. */
async function deletedPlatforms(
  work: Work,
  platforms: readonly WireRecord[],
  releases: readonly Release[],
): Promise<readonly EnvironmentLoss[]> {
  const leaving = platforms.filter(isPendingDelete).map(({ ciName }) => ciName);
  if (leaving.length === 0) return [];
  const declared = declaredPlatforms(work);
  const staying = new Set(platforms.filter((each) => !isPendingDelete(each)).map(({ ciName }) => ciName));
  const recreated = recreatedPlatforms(work);
  const names = [...new Set(leaving)].filter(
    (name) => declared.has(name) && !staying.has(name) && !recreated.includes(name),
  );
  return Promise.all(names.map((name) => deletedPlatform(work, name, releases)));
}

/** Platforms that the environment declares to be created again with another pack. */
function recreatedPlatforms(work: Work): readonly string[] {
  const names = environmentInputs(work)?.['recreatePlatforms'];
  return Array.isArray(names) ? (names as readonly string[]) : [];
}

const environmentInputs = (work: Work): Work['args'] | undefined =>
  work.session.declarations.inputsOf(holderKey('environment', work.id));

/** Declared platforms that a plan takes down because the environment no longer has them, although this run did not take them out. */
export async function deletedByPlan(work: Work, release: Release): Promise<readonly EnvironmentLoss[]> {
  const down = [...withoutSuccessor(release.rfc_cis ?? [], platformOf)]
    .filter(([, count]) => count > 0)
    .map(([name]) => name);
  const declared = declaredPlatforms(work);
  if (!down.some((name) => declared.has(name))) return [];
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const staying = new Set(platforms.filter((each) => !isPendingDelete(each)).map(({ ciName }) => ciName));
  const names = down.filter((name) => declared.has(name) && !staying.has(name));
  const { releases } = names.length === 0 ? { releases: [] } : await newestReleases(work);
  return Promise.all(names.map((name) => deletedPlatform(work, name, releases)));
}

/** The loss of a platform that the environment has no longer: deleted there, or in the design. */
async function deletedPlatform(work: Work, name: string, releases: readonly Release[]): Promise<EnvironmentLoss> {
  const isDeletion = (change: { readonly noun: string; readonly name: string; readonly action: string }): boolean =>
    change.noun === 'platform' && change.name === name && change.action === 'delete';
  const here = (await changesOfOthers(work, 'environment', releases)).findLast(isDeletion);
  const design = here ?? (await lastDesignChange(work, isDeletion));
  return {
    platform: name,
    subject: name,
    did: `deleted platform ${name} from the ${here ? 'environment' : 'design'}`,
    cause: design?.cause,
    stage: here ? 'environment' : 'design',
    instances: await countOf(work, name),
    keep: 'pulumi up --refresh creates it again from the file',
    letGo: `remove ${name} from the file`,
  };
}

async function countOf(work: Work, platform: string): Promise<number> {
  const query = { instances_state: 'all' };
  const all = await work.api.call(routes.operations.environmentInstances, { address: work.at, query });
  return all.filter((instance) => platformOf(instance) === platform).length;
}

/** Platforms that another user disabled, and committed. */
async function disabledPlatforms(work: Work, platforms: readonly WireRecord[]): Promise<readonly EnvironmentLoss[]> {
  if (platforms.length === 0) return [];
  const names = new Set(platforms.map(({ ciName }) => ciName));
  return (await switchedOff(work)).theirs.filter(({ platform }) => names.has(platform));
}

function lossOf(work: Work, { platform: { ciId, ciName: name }, switched }: PlatformSwitch): EnvironmentLoss {
  return {
    platform: name,
    subject: name,
    did: `disabled platform ${name}`,
    cause: switched,
    stage: 'environment',
    instances: 0,
    keep: 'pulumi up --refresh enables it again',
    letGo: `declare enabled: false for ${name} in the environment`,
    restore: () => enable(work, [ciId]),
  };
}

/** Platforms of an environment that are off and not declared to be. */
interface SwitchedOff {
  /**
   * What a killed tear-down of this stack, the service itself or an open change of this user left off, and what nothing shows who turned off. Where the
   * service does not show whether a platform is on, it is among them.
   */
  readonly own: readonly WireRecord[];
  /** What other users turned off, and committed. */
  readonly theirs: readonly EnvironmentLoss[];
}

/** Looks at the switches of the environment. What `whenBusy` committed of other users stays as they set it, and is in neither list. */
export async function switchedOff(work: Work): Promise<SwitchedOff> {
  const down = downOnPurpose(work);
  const user = await userOf(work);
  const off = [...(await platformSwitches(work)).values()].filter(
    ({ platform, enabled, committed }) => !down.has(platform.ciName) && (enabled !== true || committed === false),
  );
  const isTheirs = ({ enabled, switched }: PlatformSwitch): boolean =>
    enabled === false && switched !== undefined && switched.by !== user;
  const theirs = off.filter(isTheirs);
  const isIncluded = theirs.length > 0 && work.args['whenBusy'] === 'proceed';
  const committers = isIncluded ? await committersIn(work) : new Map<number, string>();
  const isRefused = ({ switched, reach }: PlatformSwitch): boolean =>
    !isIncluded || (reach !== 'open' && committers.get(switched?.releaseId ?? 0) !== user);
  return {
    own: off.filter((each) => !isTheirs(each) && each.enabled !== true).map(({ platform }) => platform),
    theirs: theirs.filter(isRefused).map((each) => lossOf(work, each)),
  };
}

/** Who committed each release of an environment. */
async function committersIn(work: Work): Promise<ReadonlyMap<number, string>> {
  const releases = await work.api.call(routes.environmentReleases.list, { address: work.at });
  return new Map(releases.map(({ releaseId, commitedBy }) => [releaseId, commitedBy ?? '']));
}

/** Enables platforms of the environment, as an open change. */
export async function enable(work: Work, ids: readonly number[]): Promise<void> {
  await work.api.call(routes.environments.enable, { address: work.at, body: { platformCiIds: ids.map(String) } });
}

/** The texts of a link that decide how much runs on its cloud. */
const CAPACITY = ['adminstatus', 'pct_scale'];

/**
 * Links of a platform to declared clouds that have less than the file declares: a cloud that is not declared otherwise is active with 100 %. `releases`
 * show who changed them; a change that none of them shows is this user's, unless `isAnyones`.
 */
async function lostLinks(
  work: Work,
  name: string,
  releases: readonly Release[],
  isAnyones = false,
): Promise<readonly EnvironmentLoss[]> {
  const declared = linksIn(environmentInputs(work)) ?? (await linksThere(work));
  if (declared === undefined) return [];
  const platform = await work.api.call(routes.environmentPlatforms.read, { address: { ...work.at, platform: name } });
  const links = new Map(linksOf(platform));
  const found: EnvironmentLoss[] = [];
  for (const [cloud, defaults] of declared) {
    const link = links.get(cloud);
    const wanted = { ...notConfigured(work, defaults, `${name}/${cloud}`), ...configuredTexts(work, name, cloud) };
    const less = CAPACITY.filter((wire) => link !== undefined && isLess(wire, link[wire] ?? '', wanted[wire] ?? ''));
    const cause = less.length === 0 ? undefined : causeOfLink(platform, cloud, releases);
    if (link === undefined || less.length === 0 || (cause === undefined && !isAnyones)) continue;
    const texts = Object.fromEntries(less.map((wire) => [wire, wanted[wire] ?? '']));
    found.push({
      platform: name,
      subject: `${name}/${cloud}`,
      did: `set ${less.map((wire) => `${wire} of cloud ${cloud} of platform ${name} to ${JSON.stringify(link[wire])}`).join(', ')}`,
      cause,
      stage: 'environment',
      instances: 0,
      keep: 'pulumi up --refresh sets it back',
      letGo: `declare ${less.map((wire) => `${wire}: ${link[wire]}`).join(', ')} for cloud ${cloud} of ${name} in the environment`,
      restore: () => setBack(work, { platform: name, links }, cloud, texts),
    });
  }
  return found;
}

/** The environment's own links to its declared clouds: what a run knows that is limited to other resources than the environment. */
async function linksThere(work: Work): Promise<ReadonlyMap<string, LinkTexts> | undefined> {
  const { clouds } = work.args;
  if (!Array.isArray(clouds) || !work.session.isLimited()) return undefined;
  const links = await environmentLinks(work, await work.api.call(routes.environments.read, { address: work.at }));
  return new Map([...links].filter(([cloud]) => clouds.includes(cloud)));
}

/** Without the texts that a cloud configuration gives, which a limited run may not have seen. */
function notConfigured({ args: { configured } }: Work, texts: LinkTexts, path: string): LinkTexts {
  const given = Array.isArray(configured) ? (configured as readonly string[]) : [];
  const isGiven = (argument: string): boolean => given.includes(`${path}/${argument}`);
  return Object.fromEntries(
    Object.entries(texts).filter(([wire]) => !isGiven(wire === 'pct_scale' ? 'pctScale' : wire)),
  );
}

const setBack = (
  work: Work,
  at: { readonly platform: string; readonly links: ReadonlyMap<string, LinkTexts> },
  cloud: string,
  texts: LinkTexts,
): Promise<Relation> => configureLink(work, at, cloud, texts);

const isLess = (wire: string, live: string, wanted: string): boolean =>
  wire === 'pct_scale' ? Number(live) < Number(wanted) : live !== wanted && wanted === 'active';

/** What a cloud configuration of this run declares of a link, by wire name. */
function configuredTexts(work: Work, platform: string, cloud: string): LinkTexts {
  const of = work.session.kinds.find(({ token }) => token === 'CloudConfiguration');
  if (of === undefined) return {};
  const { assembly = '', environment = '' } = work.at;
  const inputs = work.session.declarations.inputsOf(declaredKey(of, { assembly, environment, platform, cloud }));
  const texts = { pct_scale: inputs?.['pctScale'], adminstatus: inputs?.['adminstatus'] };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

/** Who of other users changed a platform's link to a cloud last, in some releases, oldest first. */
function causeOfLink(
  { consumes }: EnvironmentPlatform,
  cloud: string,
  releases: readonly Release[],
): SwitchedBy | undefined {
  const id = (consumes ?? []).find(({ toCi }) => toCi?.ciName === cloud)?.ciRelationId;
  for (const release of [...releases].reverse()) {
    const change = (release.rfc_relations ?? []).find(({ ciRelationId }) => ciRelationId === id);
    const by = change?.updatedBy || release.commitedBy || release.createdBy || '';
    if (change) return { by, at: change.updated ?? release.updated ?? 0, releaseId: release.releaseId };
    if (release.rfc_relations === undefined)
      return { by: release.commitedBy ?? '', at: release.updated ?? 0, releaseId: release.releaseId };
  }
  return undefined;
}

/** How many more instances of each platform a deployment of what is committed deletes than it makes; empty where the service makes no plan. */
async function plannedDeletes(work: Work): Promise<ReadonlyMap<string, number>> {
  try {
    return withoutSuccessor(
      (await work.api.call(routes.deployments.preview, { address: work.at })).rfcs.cis,
      platformOf,
    );
  } catch (error) {
    if (isApiError(error)) return new Map();
    throw error;
  }
}

/** Why less runs of some platforms than declared after a deployment: as the newest releases of the environment show it. */
export async function whyLess(work: Work, platforms: readonly string[]): Promise<readonly EnvironmentLoss[]> {
  if (platforms.length === 0) return [];
  const user = await userOf(work);
  const { releases } = await newestReleases(work);
  const theirs = releases.filter(({ commitedBy, createdBy }) => (commitedBy ?? createdBy) !== user).slice(-FARTHEST);
  const off = (await switchedOff(work)).theirs.filter(({ platform }) => platforms.includes(platform));
  const links: EnvironmentLoss[] = [];
  for (const name of platforms) links.push(...(await lostLinks(work, name, theirs, true)));
  return [...off, ...links];
}

/**
 * Links to declared clouds that a plan takes instances from although the file declares them in use: what somebody wrote between this run's look and
 * its commit.
 */
export async function linksLostByPlan(work: Work, release: Release): Promise<readonly EnvironmentLoss[]> {
  const down = downOnPurpose(work);
  const names = [...withoutSuccessor(release.rfc_cis ?? [], platformOf)].flatMap(([name, count]) =>
    count > 0 && !down.has(name) ? [name] : [],
  );
  const isNew = work.session.records.of(holderKey('environment', work.id)).isMade;
  if (names.length === 0 || isNew) return [];
  const staying = (await platformsBefore(work)).filter((each) => names.includes(each.ciName) && !isPendingDelete(each));
  const releases = await environmentReleasesSince(work, Number(work.known?.['releaseId'] ?? 0));
  const lost = await Promise.all(staying.map(({ ciName }) => lostLinks(work, ciName, releases, true)));
  return lost.flat();
}

/** The losses that the file accepts, and the others. */
export function lettingGo(work: Work, losses: readonly EnvironmentLoss[]) {
  const isLetGo = ({ subject, stage, cause }: Loss): boolean => isAccepted(work, acceptEntry(subject, stage, cause));
  return { accepted: losses.filter(isLetGo), others: losses.filter((loss) => !isLetGo(loss)) };
}
